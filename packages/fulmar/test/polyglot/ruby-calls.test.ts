/** What calls of Ruby leave behind that came to nothing, and what Ruby wants of a thread that waits for JavaScript. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ruby } from '../../src/polyglot/index.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Calls = Readonly<Record<'beyond' | 'kept' | 'call_beyond' | 'call_and_wake' | 'replace_bytesize' | 'restore_bytesize', Call>>;

const { problem } = await ruby.look();
const skip = problem ?? false;
const load = (): Promise<Calls> => ruby.import<Calls>(fileURLToPath(new URL('fixtures/calls.rb', import.meta.url)));

test('objects of a result that cannot be given are not kept', { skip }, async () => {
  const calls = await load();
  // Ruby looks at the stack without knowing what is an object there: some may look as if they were.
  const few = 10;
  for (let round = 0; round < 20; round += 1) {
    await assert.rejects(calls.beyond(), { code: 'ERR_GUEST_VALUE', message: /contains itself/ });
    assert.equal(await calls.call_beyond(() => assert.fail('it is not called')), 'ArgumentError');
  }
  const kept = (await calls.kept()) as number;
  assert.ok(kept <= few * 4, `${kept} of 400`);
});

test('a thread that waits for JavaScript goes on waiting when Ruby wakes it', { skip }, async () => {
  const calls = await load();
  const slow = async (value: number): Promise<number> => {
    await after(100);
    return value + 1;
  };
  assert.equal(await calls.call_and_wake(slow), 21);
});

test('texts are as long as they are, whatever String says', { skip }, async () => {
  const calls = await load();
  const long = await calls.replace_bytesize();
  assert.equal(await calls.restore_bytesize(), 'a text');
  assert.equal(long, 'a text');
});

test('names that nothing has are not kept', { skip }, async () => {
  const object = (await ruby.eval('Object.new', { result: 'handle' })) as Readonly<Record<string, Call>>;
  const symbols = async (): Promise<number> => (await ruby.eval('GC.start; Symbol.all_symbols.size')) as number;
  const before = await symbols();
  for (let index = 0; index < 500; index += 1)
    await assert.rejects((object[`nothing_like_it_${index}`] as Call)(), { code: 'ERR_GUEST_EXCEPTION' });
  const kept = (await symbols()) - before;
  assert.ok(kept < 100, `${kept} of 500`);
});
