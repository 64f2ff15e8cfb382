/** What calls of Python leave behind that came to nothing, and coroutines that nobody waits for any more. */
import assert from 'node:assert/strict';
import { setMaxListeners } from 'node:events';
import { test } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { readGlobal } from '../../src/host/globals.ts';
import { python, release, withOptions } from '../../src/polyglot/index.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
interface Calls extends Readonly<Record<'beyond' | 'kept' | 'make' | 'call_beyond' | 'later' | 'wait_for_ever', Call>> {
  readonly ended: PromiseLike<readonly string[]>;
}

const { problem } = await python.look();
const skip = problem ?? false;
const onNative =
  readGlobal('fulmar.host') === undefined ? false : 'the native host has no threads of JavaScript’s, and no frames behind await';
const fixture = (name: string): string => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
const load = (): Promise<Calls> => python.import<Calls>(fixture('calls.py'));

/** Until coroutines of these names have ended. */
async function untilEnded(calls: Calls, names: readonly string[]): Promise<void> {
  for (let look = 0; look < 200; look += 1) {
    const ended = await calls.ended;
    if (names.every((name) => ended.includes(name))) return;
    await after(20);
  }
  assert.fail(`${names.join(', ')} have not ended, but ${(await calls.ended).join(', ')}`);
}

test('objects that are let go of are gone, and no others', { skip }, async () => {
  const calls = await load();
  const made = (await Promise.all(Array.from({ length: 100 }, () => calls.make()))) as object[];
  assert.equal(await calls.kept(), 100);
  const [left, ...others] = made;
  for (const one of others) release(one);
  for (let look = 0; look < 100 && (await calls.kept()) !== 1; look += 1) await after(10);
  assert.equal(await calls.kept(), 1);
  release(left as object);
  for (let look = 0; look < 100 && (await calls.kept()) !== 0; look += 1) await after(10);
  assert.equal(await calls.kept(), 0);
});

test('objects of a result that cannot be given are not kept', { skip }, async () => {
  const calls = await load();
  await assert.rejects(calls.beyond(), { code: 'ERR_GUEST_VALUE', message: /contains itself/ });
  assert.equal(await calls.kept(), 0);
  assert.equal(await calls.call_beyond(() => assert.fail('it is not called')), 'ValueError');
  assert.equal(await calls.kept(), 0);
});

test('coroutines that are given up together are cancelled, each of them', { skip }, async () => {
  const calls = await load();
  const controller = new AbortController();
  const impatient = withOptions(calls, { signal: controller.signal });
  const names = ['first', 'second', 'third'];
  const waiting = names.map((name) => assert.rejects(impatient.wait_for_ever(name), { name: 'AbortError' }));
  // Behind them: they have begun.
  await calls.kept();
  await after(50);
  controller.abort();
  await Promise.all(waiting);
  await untilEnded(calls, names);
});

test('coroutines that run at the same time have a bound, and make room for others', { skip }, async () => {
  const calls = await load();
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  const impatient = withOptions(calls, { signal: controller.signal });
  const codes = new Map<unknown, number>();
  // Fewer at a time than may wait for a thread.
  const waiting: Promise<unknown>[] = [];
  for (let count = 0; count < 10_100; count += 1) {
    waiting.push(
      impatient.wait_for_ever('one of many').catch(({ code, name }: { code?: unknown; name: string }) => {
        const which = name === 'AbortError' ? name : code;
        codes.set(which, (codes.get(which) ?? 0) + 1);
      }),
    );
    if (count % 500 === 0) await calls.kept();
  }
  await calls.kept();
  assert.deepEqual([...codes], [['ERR_GUEST_BUSY', 100]]);
  controller.abort();
  await Promise.all(waiting);
  assert.deepEqual([...codes].at(-1), ['AbortError', 10_000]);
  await untilEnded(calls, ['one of many']);
  for (let look = 0; look < 200 && (await calls.later('x').catch(() => undefined)) === undefined; look += 1) await after(20);
  assert.equal(await calls.later('x'), 'x');
});

test('coroutines of a thread of JavaScript’s end with it', { skip: problem ?? onNative }, async () => {
  const calls = await load();
  const text = `
    const { python } = await import(${JSON.stringify(new URL('../../src/polyglot/index.ts', import.meta.url).href)});
    const calls = await python.import(${JSON.stringify(fixture('calls.py'))});
    calls.wait_for_ever('of a thread').catch(() => undefined);
    await calls.kept();
    (await import('node:worker_threads')).parentPort.postMessage('begun');`;
  const worker = new Worker(text, { eval: true });
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await after(50);
  await worker.terminate();
  await untilEnded(calls, ['of a thread']);
});

test('a file is loaded once, also where two ask for it while it loads', { skip }, async () => {
  const file = fixture('slow_to_load.py');
  const loaded = await Promise.all([1, 2, 3].map(async () => (await python.import<{ loaded: PromiseLike<string> }>(file)).loaded));
  assert.deepEqual(loaded, ['x', 'x', 'x']);
});

test('lines of code that was evaluated are kept of the newest alone', { skip }, async () => {
  const count = 'sum(name.startswith("<eval ") for name in __import__("linecache").cache)';
  for (let round = 0; round < 3; round += 1) await Promise.all(Array.from({ length: 500 }, (_, index) => python.eval(`${index} + 1`)));
  assert.equal(await python.eval(count), 1000);
});

test('an error tells which functions of JavaScript’s wait for it, behind those of Python', { skip: problem ?? onNative }, async () => {
  const handler = async (call: Promise<unknown>): Promise<unknown> => {
    const value = await call;
    return value;
  };
  const stackOf = (promise: Promise<unknown>): Promise<string[]> =>
    promise.then(
      () => assert.fail('it has a result'),
      (error: Error) => (error.stack ?? '').split('\n'),
    );
  const [head, own, first, ...rest] = await stackOf(handler(python.eval("int('    at not (a:1:1)')")));
  assert.equal(head, "ValueError: invalid literal for int() with base 10: '    at not (a:1:1)'");
  assert.match(own ?? '', /^ {4}at <module> \(<eval \d+>:1:1\)$/);
  assert.match(first ?? '', /^ {4}at async handler \(.*python-calls\.test\.ts:\d+:\d+\)$/);
  assert.ok(rest.every((line) => !/errors\.ts|guest/.test(line)));
  const late = await stackOf(handler(python.eval('__import__("time").sleep(5)', { timeout: 10 })));
  assert.deepEqual([late[0], /at async handler \(/.test(late[1] ?? '')], ['GuestError: the call was given up after 10 ms', true]);
});
