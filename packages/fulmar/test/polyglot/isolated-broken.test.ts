/** Processes of isolated guests that send what is no message or no value, or do not start: each is an error of its calls, and is replaced. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { GuestError } from '../../src/polyglot/errors.ts';
import { Guest } from '../../src/polyglot/guest.ts';
import type { Siblings } from '../../src/polyglot/guest-types.ts';
import { makeHandle, ownerOf } from '../../src/polyglot/handle.ts';
import { python } from '../../src/polyglot/index.ts';
import { Kind } from '../../src/polyglot/wire/tags.ts';

const program = fileURLToPath(new URL('fixtures/broken_worker.py', import.meta.url));
const { problem } = await python.look();
const skip = problem ?? false;

/** A guest whose process breaks in this way. */
function broken(mode: string): Guest {
  const settings = {
    'isolated.language': 'python',
    'isolated.program': program,
    'isolated.library': `mode:${mode}`,
    'isolated.start': 20_000,
  };
  const language = { name: 'python', library: 'isolated', find: () => Promise.resolve(settings), findNow: () => settings } as const;
  const siblings = { definitions: [], refuse: () => undefined } as Partial<Siblings> as Siblings;
  return new Guest(language, { make: makeHandle, ownerOf }, siblings);
}

const failure = async (promise: Promise<unknown>): Promise<GuestError> => {
  const error = await promise.then(
    (value) => assert.fail(`an error is expected, and it gave ${String(value)}`),
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof GuestError, String(error));
  return error;
};

const nothing = (): void => undefined;

for (const [mode, what] of [
  ['kind', /unknown kind 99/],
  ['head', /ends within its head/],
  ['half', /half a reply/],
  ['empty', /replies without any/],
  ['nocall', /a reply to no call \(77\)/],
  ['memory', /memory of 10 bytes for 1073741824/],
  ['lengths', /lengths are wrong/],
  ['nofd', /lengths are wrong/],
  ['count', /a packet of 2147483648 blocks/],
  ['attached', /attached values are not there/],
  ['value', /sent what is no value/],
  ['nothing', /sent what is no value/],
  ['error', /sent what is no value/],
  ['reply', /unknown kind 9/],
  ['close', /SIGKILL/],
  ['unread', /exit code 5/],
] as const)
  test(`a process that breaks: ${mode}`, { skip }, async () => {
    const guest = broken(mode);
    const first = await guest.request(Kind.DESCRIBE, nothing);
    for (let round = 0; round < 2; round += 1) {
      const error = await failure(guest.request(Kind.EVAL, nothing));
      assert.equal(error.code, 'ERR_GUEST_CRASHED');
      assert.match(error.message, what);
    }
    assert.notEqual(await guest.request(Kind.DESCRIBE, nothing), first);
    guest.close();
  });

for (const [mode, what] of [
  ['refuses', /not today/],
  ['leaves', /it ended with exit code 7 while it started/],
] as const)
  test(`a process that does not start: ${mode}`, { skip }, async () => {
    const error = await failure(broken(mode).request(Kind.DESCRIBE, nothing));
    assert.equal(error.code, 'ERR_GUEST_UNAVAILABLE');
    assert.match(error.message, what);
  });

test('a program that is not there says so', { skip }, async () => {
  const settings = { 'isolated.language': 'python', 'isolated.program': `${program}.not`, 'isolated.library': 'x' };
  const language = { name: 'python', library: 'isolated', find: () => Promise.resolve(settings), findNow: () => settings } as const;
  const error = await failure(new Guest(language, { make: makeHandle, ownerOf }).request(Kind.DESCRIBE, nothing));
  assert.equal(error.code, 'ERR_GUEST_UNAVAILABLE');
  assert.match(error.message, /broken_worker\.py\.not: No such file/);
});
