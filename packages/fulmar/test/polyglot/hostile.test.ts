/**
 * What is done to a guest, and by it, that nobody means well by: many calls given up at once, functions that call back without
 * end, values that only seem to be some. None of it may hang, crash, or be noticed by another call.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '../../src/app/index.ts';
import { GuestError, isHandle, python, set, withOptions } from '../../src/polyglot/index.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Name = 'call' | 'call_later' | 'cancelled' | 'echo' | 'each' | 'fail' | 'fork' | 'hold' | 'sleep_later' | 'thenable';

const CODE = `
import asyncio, os, signal, sys, time, types
cancelled = []
def call(f, *args): return f(*args)
async def call_later(f, *args): return await f(*args)
def echo(value): return value
def each(values):
    for value in values: yield value
async def sleep_later(seconds):
    try: await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        cancelled.append(seconds)
        raise
class Stubborn(Exception):
    @property
    def code(self): raise RuntimeError('no code')
def fail(how):
    if how == 'stubborn': raise Stubborn('as it is')
    if how == 'half': raise FileNotFoundError(2, 'none', 'a\\udcff')
    raise ValueError(how)
def end_of(pid):
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
def fork(how):
    pid = os.fork()
    if pid == 0:
        sys.stderr = open(os.devnull, 'w')
        if how == 'exit': sys.exit(7)
        if how == 'raise': raise ValueError('in a child')
        if how == 'wait': time.sleep(60)
        if callable(how): return how()
        return 'the child'
    if how == 'wait': os.kill(pid, signal.SIGTERM)
    return end_of(pid)
hostile = types.SimpleNamespace(call=call, call_later=call_later, echo=echo, each=each, fail=fail, fork=fork, hold=time.sleep, sleep_later=sleep_later,
    cancelled=lambda: len(cancelled), thenable=lambda: {'if': 1, 'then': object()})
hostile`;

const skip = (await python.look()).problem ?? false;
const load = async (): Promise<Readonly<Record<Name, Call>>> => (await python.eval(CODE, { result: 'handle' })) as never;
const codeOf = (promise: PromiseLike<unknown>): PromiseLike<unknown> =>
  promise.then(
    (value) => value,
    (error: unknown) => (error as GuestError).code,
  );

test('all coroutines that one signal gives up are cancelled', { skip }, async () => {
  const hostile = await load();
  const controller = new AbortController();
  const calls = Array.from({ length: 20 }, () => withOptions(hostile, { signal: controller.signal }).sleep_later(60));
  await hostile.echo(0);
  await pause(20);
  controller.abort();
  const ended = await Promise.allSettled(calls);
  assert.ok(ended.every((one) => one.status === 'rejected'));
  while ((await hostile.cancelled()) !== calls.length) await pause(5);
});

test('more calls than there may be threads call back, and these the guest again', { skip }, async () => {
  const hostile = await load();
  const calls = Array.from({ length: 600 }, (_, n) => hostile.call(async (x: unknown) => hostile.echo(x), n));
  assert.deepEqual(
    await Promise.all(calls),
    calls.map((_, n) => n),
  );
});

test('what calls itself through JavaScript without end is refused', { skip }, async () => {
  const hostile = await load();
  const again = (): Promise<unknown> => hostile.call(again);
  const error = await again().catch((caught: unknown) => caught);
  assert.equal((error as GuestError).code, 'ERR_GUEST_BUSY');
  assert.equal(await hostile.echo(1), 1);
});

test("an object with a function as 'then' is refused, and its function not called", { skip }, async () => {
  const hostile = await load();
  const refused = { code: 'ERR_GUEST_VALUE', message: /member 'then' can be called/ };
  await assert.rejects(hostile.thenable(), refused);
  await assert.rejects(hostile.echo([{ a: { then: () => 1 } }]), refused);
  const items = (await python.eval('[{"then": object()}]', { result: 'handle' })) as AsyncIterable<unknown>;
  await assert.rejects(async () => {
    for await (const item of items) assert.fail(String(item));
  }, refused);
  await assert.rejects(python.eval('f({"then": object()})', { locals: { f: async (value: unknown) => value } }), refused);
  assert.ok(isHandle(await (withOptions(hostile, { result: 'handle' }) as typeof hostile).echo({ then: 1 })));
});

test('a handle that somebody freezes leaves all others as they are', { skip }, async () => {
  const hostile = await load();
  assert.throws(() => Object.freeze(hostile), /cannot be frozen/);
  assert.throws(() => Object.preventExtensions(hostile.echo), TypeError);
  assert.deepEqual([Object.keys(hostile), Object.getPrototypeOf(hostile)], [[], null]);
});

test('exceptions whose own code fails, or whose texts are no Unicode, are described', { skip }, async () => {
  const hostile = await load();
  await assert.rejects(hostile.fail('stubborn'), { class: 'Stubborn', message: 'as it is' });
  await assert.rejects(hostile.fail('half'), { class: 'FileNotFoundError', message: "[Errno 2] none: 'a\\udcff'" });
});

test('an answer that Python cannot have is an exception of what waits for it', { skip }, async () => {
  const hostile = await load();
  for (const call of [hostile.call, hostile.call_later]) {
    await assert.rejects(
      call(() => '\ud800'),
      /half a character/,
    );
    await assert.rejects(
      call(async () => Symbol('s')),
      /symbol cannot be given/,
    );
    const error = new Error('never seen');
    Object.defineProperty(error, 'message', {
      get(): never {
        throw error;
      },
    });
    await assert.rejects(
      call(() => {
        throw error;
      }),
      /cannot be read/,
    );
  }
});

test('values that change while they are read are refused', { skip }, async () => {
  const hostile = await load();
  let looks = 0;
  const flickering = Object.defineProperty({ b: 1 }, 'a', { enumerable: true, get: () => ((looks += 1) % 2 === 1 ? 1 : undefined) });
  assert.equal(await codeOf(hostile.echo(flickering, 2)), 'ERR_GUEST_VALUE');
  const map = new Map<string, unknown>([['a', 1]]);
  const growing = { toJSON: (): number => map.set(String(map.size), growing).size };
  map.set('b', growing);
  assert.equal(await codeOf(hostile.echo(map)), 'ERR_GUEST_VALUE');
  const list = new Set<unknown>([1]);
  const shrinking = { toJSON: (): boolean => list.delete(2) };
  list.add(shrinking).add(2);
  assert.equal(await codeOf(hostile.echo(list)), 'ERR_GUEST_VALUE');
});

test('arrays without elements are arrays', { skip }, async () => {
  const hostile = await load();
  for (const empty of [new Float64Array(0), new Int16Array(0), new BigInt64Array(0)]) assert.deepEqual(await hostile.echo(empty), empty);
});

test('names of members that clients choose are only names', { skip }, async () => {
  const hostile = await load();
  const given: unknown = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toJSON":1,"then":2}');
  const back = (await hostile.echo(given)) as Record<string, unknown>;
  assert.equal(JSON.stringify(back), JSON.stringify(given));
  assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  await assert.rejects(async () => set(hostile.echo, '__class__', 1), /GuestError|TypeError/);
});

test('servers answer the status of an error, and nothing of what it says', { skip }, async () => {
  const hostile = await load();
  const logger = { error: (): void => undefined };
  const app = createApp({ logger });
  app.get('/late', () => withOptions(hostile, { timeout: 20 }).sleep_later(60));
  const held: Promise<unknown>[] = [];
  app.get('/full', async () => {
    for (let n = 0; n < 1_100; n += 1) held.push(withOptions(hostile, { timeout: 100 }).hold(0.2));
    return Promise.all(held);
  });
  app.get('/fails', () => hostile.fail('a secret'));
  const seen = [];
  for (const path of ['/late', '/fails', '/full']) {
    const reply = await app.inject(path);
    assert.doesNotMatch(reply.text, /given up|wait|secret/);
    seen.push(reply.status);
  }
  assert.deepEqual(seen, [504, 500, 503]);
  await Promise.allSettled(held);
});

test('lines of what was evaluated are kept for the newest alone', { skip }, async () => {
  for (let n = 0; n < 1_100; n += 1) await python.eval(`${n}`);
  const kept = await python.eval("sum(name.startswith('<eval ') for name in __import__('linecache').cache)");
  assert.ok((kept as number) <= 1_000);
});

test('an isolated process outlives its coroutines that call JavaScript, and values that cannot be had', { skip }, async () => {
  const workers = python.isolated();
  try {
    const code = 'async def later(f): return await f(1)\nlater';
    const later = (await workers.eval(code, { result: 'handle' })) as unknown as Call;
    assert.equal(await later(async (n: number) => n + 1), 2);
    const pid = await workers.eval("__import__('os').getpid()");
    await assert.rejects(workers.eval("{'then': object()}"), { code: 'ERR_GUEST_VALUE' });
    assert.equal(await workers.eval("__import__('os').getpid()"), pid);
  } finally {
    await workers.close();
  }
});

test('a process that fork makes ends with its call, and its signals are its own', { skip }, async () => {
  const hostile = await load();
  let heard = 0;
  const hear = (): void => void (heard += 1);
  process.on('SIGTERM', hear);
  try {
    assert.equal(await hostile.fork('return'), 0);
    assert.equal(await hostile.fork('exit'), 7);
    assert.equal(await hostile.fork('raise'), 1);
    assert.equal(await hostile.fork(() => assert.fail('called in the other process')), 1);
    assert.equal(await hostile.fork('wait'), -15);
    await pause(10);
    assert.equal(heard, 0);
  } finally {
    process.off('SIGTERM', hear);
  }
});
