/**
 * What every guest does, whichever language it is: run for Python, Ruby and Java (`*.test.ts`), and on the native host.
 * The functions that it calls stand in `fixtures`, the same in each language.
 */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as after } from 'node:timers/promises';
import { inspect } from 'node:util';
import {
  Decimal,
  get,
  GuestError,
  type GuestCode,
  isHandle,
  kwargs,
  names,
  NdArray,
  release,
  text,
  withOptions,
} from '../../src/polyglot/index.ts';

export interface ContractCase {
  readonly name: string;
  readonly run: (module: Contract, guest: GuestCode) => Promise<void>;
}

type Call = (...args: readonly unknown[]) => Promise<unknown>;

/** An object of the fixtures. */
interface Counter {
  readonly increment: (by?: number) => Promise<unknown>;
  readonly value: PromiseLike<unknown>;
}

/** The functions of the fixtures. */
export interface Contract extends Readonly<Record<Name, Call>> {
  readonly GREETING: PromiseLike<unknown>;
  readonly Counter: new (start?: number) => Promise<Counter>;
  readonly counter: (start: number) => Promise<Counter>;
}

type Name =
  | 'add'
  | 'call'
  | 'call_safely'
  | 'circular'
  | 'count_to'
  | 'drop'
  | 'echo'
  | 'fail'
  | 'fail_after'
  | 'fail_because'
  | 'greet'
  | 'increment'
  | 'keep'
  | 'kept_value'
  | 'kind'
  | 'nested'
  | 'nothing_like_it'
  | 'sleep'
  | 'spin'
  | 'was_closed'
  | 'watched';

/** What a language has of its own. */
export interface Dialect {
  readonly guest: GuestCode;
  /** The module of its fixture. */
  readonly load: () => Promise<object>;
  /** Class of what `fail` throws. */
  readonly problem: RegExp;
  /** Name of the fixture's file, in frames of errors. */
  readonly file: string;
  /** Cases that it cannot have, each with the reason. */
  readonly without?: Readonly<Record<string, string>>;
}

const cases: ContractCase[] = [];
const add = (name: string, run: ContractCase['run']): void => void cases.push({ name, run });

const rejects = async (
  promise: PromiseLike<unknown>,
  expected: Partial<Record<'code' | 'message', string | RegExp>>,
): Promise<GuestError> => {
  const error = await promise.then(
    (value) => assert.fail(`an error is expected, and it gave ${String(value)}`),
    (caught: unknown) => caught,
  );
  assert.ok(error instanceof GuestError, `a GuestError is expected, and it is ${String(error)}`);
  for (const [name, value] of Object.entries(expected)) {
    const written: string = String((error as unknown as Record<string, unknown>)[name]);
    if (value instanceof RegExp) assert.match(written, value);
    else assert.equal(written, value);
  }
  return error;
};

// Values, there and back

const values: readonly (readonly [string, unknown, string?])[] = [
  ['null', null, 'nothing'],
  ['true', true, 'boolean'],
  ['false', false, 'boolean'],
  ['zero', 0, 'integer'],
  ['a small integer', 42, 'integer'],
  ['a negative integer', -33, 'integer'],
  ['an integer of sixteen bits', 40_000, 'integer'],
  ['an integer of 32 bits', -2_147_483_648, 'integer'],
  ['an integer of more than 32 bits', 2 ** 40 + 1, 'integer'],
  ['the largest safe integer', Number.MAX_SAFE_INTEGER, 'integer'],
  ['the smallest safe integer', Number.MIN_SAFE_INTEGER, 'integer'],
  ['a bigint of more than 53 bits', 2n ** 60n, 'integer'],
  ['a negative bigint', -(2n ** 63n), 'integer'],
  ['a bigint of more than 64 bits', 2n ** 200n + 7n, 'integer'],
  ['a negative one of those', -(2n ** 64n) - 1n, 'integer'],
  ['a fraction', 0.1, 'float'],
  ['a fraction that 32 bits hold', 1.5, 'float'],
  ['a large float', 1e300, 'float'],
  ['infinity', Number.POSITIVE_INFINITY, 'float'],
  ['minus infinity', Number.NEGATIVE_INFINITY, 'float'],
  ['not a number', Number.NaN, 'float'],
  ['minus zero', -0, 'float'],
  ['no text', '', 'text'],
  ['a text', 'hello', 'text'],
  ['a text of other scripts', 'Grüße, 世界, 🌍', 'text'],
  ['a text with a zero in it', 'a\0b', 'text'],
  ['a long text', 'äbc'.repeat(50_000), 'text'],
  ['an empty list', [], 'list'],
  ['a list of numbers', [1, 2, 3], 'list'],
  ['a list of numbers of all kinds', [1, -2.5, 1e100, 70_000, 2 ** 45], 'list'],
  ['a list of all sorts', [1, 'two', null, true, [3, [4]], { five: 5 }], 'list'],
  ['an empty object', {}, 'map'],
  ['an object', { a: 1, b: { c: [1, 2] }, 'ü 🌍': 'x' }, 'map'],
  ['an object with odd names', { '': 1, constructor: 2, toString: 3, 'a.b': 4 }, 'map'],
  ['bytes', new Uint8Array([0, 1, 255]), 'bytes'],
  ['no bytes', new Uint8Array(), 'bytes'],
  ['many bytes', new Uint8Array(100_000).map((_, index) => index), 'bytes'],
  ['a date', new Date('2024-02-29T12:34:56.789Z'), 'time'],
  ['a date before 1970', new Date(-86_400_001), 'time'],
  ['a set', new Set([1, 2, 3]), 'set'],
  [
    'a map with keys that are no texts',
    new Map<unknown, unknown>([
      [1, 'one'],
      [2, 'two'],
    ]),
    'map',
  ],
];
for (const [name, value, kind] of values) {
  add(`${name} comes back as it was`, async (module) => {
    assert.deepEqual(await module.echo(value), value);
    if (kind !== undefined) assert.equal(await module.kind(value), kind);
  });
}

add('undefined is nothing there, and members that are undefined are not there', async (module) => {
  assert.equal(await module.echo(undefined), null);
  assert.deepEqual(await module.echo({ a: undefined, b: 1 }), { b: 1 });
});

add('a decimal comes back digit by digit', async (module) => {
  const back = (await module.echo(new Decimal('12345678901234567890.123456789'))) as Decimal;
  assert.ok(back instanceof Decimal);
  assert.equal(inspect(back), 'Decimal 12345678901234567890.123456789');
  assert.equal(String(back), '12345678901234567890.123456789');
  assert.equal(await module.kind(new Decimal('1.50')), 'decimal');
});

add('a Buffer, an ArrayBuffer and a DataView are bytes', async (module) => {
  const expected = new Uint8Array([1, 2, 3]);
  for (const value of [Buffer.from([1, 2, 3]), new Uint8Array([1, 2, 3]).buffer, new DataView(new Uint8Array([1, 2, 3]).buffer)])
    assert.deepEqual(new Uint8Array((await module.echo(value)) as Uint8Array), expected);
});

add('a view of a part of a buffer is that part', async (module) => {
  const whole = new Uint8Array(50_000).map((_, index) => index % 251);
  assert.deepEqual(await module.echo(whole.subarray(100, 49_000)), whole.slice(100, 49_000));
  assert.deepEqual(await module.echo(whole.subarray(3, 6)), whole.slice(3, 6));
});

add('bytes are as they were when they were given', async (module) => {
  const bytes = new Uint8Array(100_000).fill(1);
  const call = module.echo(bytes);
  bytes.fill(2);
  assert.deepEqual(await call, new Uint8Array(100_000).fill(1));
});

add('bytes that come back are the application’s own', async (module) => {
  const first = (await module.echo(new Uint8Array(50_000).fill(7))) as Uint8Array;
  first.fill(9);
  assert.deepEqual(await module.echo(new Uint8Array(50_000).fill(7)), new Uint8Array(50_000).fill(7));
  structuredClone(first, { transfer: [first.buffer as ArrayBuffer] });
  assert.equal(first.length, 0);
  assert.equal(await module.add(1, 2), 3);
});

add('many large values of one message keep their order', async (module) => {
  const given = Array.from({ length: 5 }, (_, index) => new Uint8Array(20_000).fill(index));
  assert.deepEqual(await module.echo(given), given);
});

add('typed arrays of numbers come back as such', async (module) => {
  for (const value of [
    new Float64Array([1, 2.5]),
    new Float32Array([1, 2.5]),
    new Int32Array([1, -2]),
    new Int16Array([1, -2]),
    new BigInt64Array([1n]),
  ])
    assert.deepEqual(await module.echo(value), value);
});

add('an array of a shape comes back with its shape', async (module) => {
  const value = new NdArray(new Float64Array([1, 2, 3, 4, 5, 6]), [2, 3]);
  const back = (await module.echo(value)) as NdArray;
  assert.ok(back instanceof NdArray);
  assert.deepEqual(back.toJSON(), [
    [1, 2, 3],
    [4, 5, 6],
  ]);
});

add('what has toJSON is what that gives', async (module) => {
  assert.deepEqual(await module.echo({ a: { toJSON: () => [1, 2] } }), { a: [1, 2] });
  assert.equal(await module.echo(new URL('http://localhost/x')), 'http://localhost/x');
});

add('half a character is refused', async (module) => {
  await rejects(module.echo('a\ud800b'), { code: 'ERR_GUEST_VALUE', message: /lone surrogate/ });
  await rejects(module.echo({ 'a\udc00': 1 }), { code: 'ERR_GUEST_VALUE' });
});

add('values that no other language has are refused', async (module) => {
  await rejects(module.echo(Symbol('s')), { code: 'ERR_GUEST_VALUE', message: /symbol/ });
  await rejects(module.echo(Promise.resolve(1)), { code: 'ERR_GUEST_VALUE', message: /await/ });
  await rejects(module.echo(new Date(Number.NaN)), { code: 'ERR_GUEST_VALUE', message: /Date/ });
  await rejects(module.echo(new WeakMap()), { code: 'ERR_GUEST_VALUE' });
});

add('a value that contains itself is refused, both ways', async (module) => {
  const list: unknown[] = [];
  list.push(list);
  await rejects(module.echo(list), { code: 'ERR_GUEST_VALUE', message: /nested deeper/ });
  await rejects(module.circular(), { code: 'ERR_GUEST_VALUE', message: /nested deeper|contains itself/ });
  assert.equal(await module.add(1, 2), 3);
});

add('a hundred levels go there and back', async (module) => {
  let value: unknown = 1;
  for (let depth = 0; depth < 100; depth += 1) value = [value];
  assert.deepEqual(await module.echo(value), value);
  await module.nested(100);
  await rejects(module.nested(1_000), { code: 'ERR_GUEST_VALUE', message: /nested deeper/ });
});

add('an error of a getter is the caller’s, and the next call is whole', async (module) => {
  const value = {
    get broken(): never {
      throw new RangeError('no');
    },
  };
  await assert.rejects(module.echo(value), RangeError);
  assert.equal(await module.add(1, 2), 3);
});

add('a getter may call the guest meanwhile', async (module) => {
  let inner: PromiseLike<unknown> | undefined;
  const value = {
    get a(): number {
      inner = module.add(20, 22);
      return 1;
    },
  };
  assert.deepEqual(await module.echo(value), { a: 1 });
  assert.equal(await inner, 42);
});

// Calls

add('arguments by name', async (module) => {
  assert.equal(await module.greet('you'), 'hello, you!');
  assert.equal(await module.greet('you', kwargs({ greeting: 'bye' })), 'bye, you!');
  assert.equal(await module.greet('you', 'hi', kwargs({ mark: '?' })), 'hi, you?');
  assert.equal(await module.greet(kwargs({ name: 'all' })), 'hello, all!');
});

add('a constant is awaited, and got', async (module) => {
  assert.equal(await module.GREETING, 'hello');
  assert.equal(await get(module.GREETING as object), 'hello');
});

add('a member that is not there is an error that names it', async (module) => {
  const error = await rejects(module.nothing_like_it(), { code: 'ERR_GUEST_EXCEPTION', message: /nothing_like_it/ });
  assert.ok(error.class !== undefined);
});

add('the names of members', async (module) => {
  const found = (await names(module)) as string[];
  for (const name of ['echo', 'add', 'greet']) assert.ok(found.includes(name), `${name} is among ${found.join(', ')}`);
});

add('a thousand calls at once give a thousand results', async (module) => {
  const results = await Promise.all(Array.from({ length: 900 }, (_, index) => module.add(index, 1)));
  assert.deepEqual(
    results,
    Array.from({ length: 900 }, (_, index) => index + 1),
  );
});

add('calls keep their asynchronous context', async (module) => {
  const storage = new AsyncLocalStorage<string>();
  const run = (name: string): Promise<unknown> =>
    storage.run(name, async () => {
      await module.add(1, 2);
      return storage.getStore();
    });
  assert.deepEqual(await Promise.all([run('a'), run('b')]), ['a', 'b']);
});

// Objects

add('an object stays there, with its state', async (module) => {
  const counter = await module.counter(5);
  assert.ok(isHandle(counter));
  assert.equal(await counter.increment(), 6);
  assert.equal(await counter.increment(10), 16);
  assert.equal(await counter.value, 16);
  assert.match(String(await text(counter)), /16/);
});

add('a class is made an object of', async (module) => {
  const counter = await new module.Counter(3);
  assert.equal(await counter.increment(), 4);
});

add('an object is given back as itself', async (module) => {
  const counter = await module.counter(0);
  assert.equal(await module.increment(counter), 1);
  const same = (await module.echo(counter)) as Counter;
  assert.equal(await same.increment(), 2);
  assert.equal(await counter.value, 2);
  const [within] = (await module.echo([counter])) as Counter[];
  assert.equal(await within?.increment(), 3);
});

add('what was let go of cannot be used, and says so', async (module) => {
  const counter = await module.counter(0);
  release(counter);
  await rejects(counter.increment(), { code: 'ERR_GUEST_HANDLE', message: /let go of/ });
  await assert.rejects(Promise.resolve(module.echo(counter)), { code: 'ERR_GUEST_HANDLE' });
});

/** So many calls that others have to wait for. */
const keepBusy = (module: Contract): Promise<unknown> => Promise.all(Array.from({ length: 20 }, () => module.sleep(50)));

add('an object that is let go of at once is there for the calls before', async (module) => {
  const counter = await module.counter(0);
  const busy = keepBusy(module);
  const calls = [counter.increment(), module.increment(counter), module.increment(counter)];
  release(counter);
  await assert.rejects(Promise.resolve(module.echo(counter)), { code: 'ERR_GUEST_HANDLE' });
  const values = (await Promise.all(calls)) as number[];
  assert.deepEqual(
    values.toSorted((one, other) => one - other),
    [1, 2, 3],
  );
  await busy;
});

add('a call that is given up lets go of nothing that others have lent', async (module) => {
  const busy = keepBusy(module);
  const impatient = Promise.resolve(withOptions(module, { timeout: 1 }).add(1, 2));
  const patient = module.call((value: number) => value * 2, 21);
  await assert.rejects(impatient, { code: 'ERR_GUEST_TIMEOUT' });
  assert.equal(await patient, 42);
  await busy;
});

add('a member that nobody has asked for is not given to a call by mistake', async (module) => {
  await assert.rejects(async () => module.echo(module.GREETING), { code: 'ERR_GUEST_VALUE', message: /await it/ });
});

add('an object is no JSON, and says so', async (module) => {
  const counter = await module.counter(0);
  assert.throws(() => JSON.stringify({ counter }), { code: 'ERR_GUEST_VALUE', message: /no JSON: reply with values/ });
  assert.throws(() => JSON.stringify(module.GREETING), { code: 'ERR_GUEST_VALUE' });
});

add('members are kept as far as there is room', async (module) => {
  const values = (await Promise.all(
    Array.from({ length: 2_000 }, (_, index) => (module as unknown as Record<string, PromiseLike<unknown>>)[`no${index}`]).map((one) =>
      Promise.resolve(one).catch((error: unknown) => error),
    ),
  )) as GuestError[];
  assert.ok(values.every((one) => one.code === 'ERR_GUEST_EXCEPTION' || one.code === 'ERR_GUEST_BUSY'));
  assert.equal(await module.add(1, 2), 3);
});

add('an object does not pretend to be a promise', async (module) => {
  const counter = await module.counter(0);
  assert.equal((counter as { then?: unknown }).then, undefined);
  assert.equal(await Promise.resolve(counter), counter);
});

add('an assignment says how it is done', async (module) => {
  const counter = (await module.counter(0)) as unknown as Record<string, unknown>;
  assert.throws(() => {
    counter['value'] = 1;
  }, /await set\(object, "value"/);
});

// Errors

add('an exception arrives with class, message and frames', async (module, guest) => {
  const error = await rejects(module.fail('not so 🌍'), { code: 'ERR_GUEST_EXCEPTION', message: 'not so 🌍' });
  const dialect = dialectOf(guest);
  assert.match(String(error.class), dialect.problem);
  assert.equal(error.guest, guest.name);
  assert.equal(error.status, 500);
  const [frame] = error.frames;
  assert.ok(frame !== undefined, 'there is a frame');
  assert.ok(frame.file.endsWith(dialect.file), frame.file);
  assert.ok(frame.line > 0);
  assert.match(frame.function, /fail/);
  assert.match(String(error.stack), /not so/);
  assert.ok(String(error.stack).includes(`${frame.file}:${frame.line}`), String(error.stack));
});

add('the cause of an exception is the cause', async (module) => {
  const error = await rejects(module.fail_because('the result'), { message: 'the result' });
  assert.ok(error.cause instanceof GuestError);
  assert.equal(error.cause.message, 'the reason');
});

add('after an exception all is as before', async (module) => {
  for (let index = 0; index < 100; index += 1) await rejects(module.fail(String(index)), { message: String(index) });
  assert.equal(await module.add(1, 2), 3);
});

// One after the other

add('values that come one after the other', async (module) => {
  const found: unknown[] = [];
  for await (const value of (await module.count_to(4)) as AsyncIterable<unknown>) found.push(value);
  assert.deepEqual(found, [1, 2, 3, 4]);
});

add('none of them is asked for before it is wanted, and who stops early says so', async (module) => {
  for await (const value of (await module.watched(7)) as AsyncIterable<unknown>) {
    assert.equal(value, 1);
    assert.equal(await module.was_closed(7), false);
    break;
  }
  assert.equal(await module.was_closed(7), true);
});

add('an exception among them comes at its place', async (module) => {
  const found: unknown[] = [];
  const error = await rejects(
    (async () => {
      for await (const value of (await module.fail_after(2)) as AsyncIterable<unknown>) found.push(value);
    })(),
    { message: 'the end' },
  );
  assert.ok(error.class !== undefined);
  assert.deepEqual(found, [1, 2]);
});

add('what gives nothing one after the other says so', async (module) => {
  await assert.rejects(
    async () => {
      for await (const value of (await module.counter(1)) as unknown as AsyncIterable<unknown>) assert.fail(String(value));
    },
    { code: 'ERR_GUEST_EXCEPTION' },
  );
});

// Into JavaScript

add('a function of JavaScript’s is called, with values both ways', async (module) => {
  assert.equal(await module.call((a: number, b: number) => a * b, 6, 7), 42);
  assert.deepEqual(await module.call((...all: unknown[]) => all, 'x', [1], null), ['x', [1], null]);
  assert.equal(await module.call(() => undefined), null);
});

add('its promise is waited for', async (module) => {
  const later = async (value: number): Promise<number> => {
    await after(5);
    return value * 2;
  };
  assert.equal(await module.call(later, 21), 42);
});

add('its error is an exception there, and the same error here', async (module) => {
  const problem = new RangeError('too far');
  const thrown = await module
    .call(() => {
      throw problem;
    })
    .catch((error: unknown) => error);
  assert.equal(thrown, problem);
  assert.match(
    String(
      await module.call_safely(() => {
        throw new RangeError('too far');
      }),
    ),
    /^caught .*too far/,
  );
});

add('it may call the guest in turn', async (module) => {
  const outer = async (n: number): Promise<unknown> => (n === 0 ? 'end' : module.call(outer, n - 1));
  assert.equal(await module.call(outer, 2), 'end');
});

add('many of them may do so at the same time, more than there are threads', async (module) => {
  const outer = async (value: number): Promise<unknown> => {
    await after(5);
    return module.call((inner: number) => inner * 2, value);
  };
  const results = await Promise.all(Array.from({ length: 12 }, (_, index) => module.call(outer, index)));
  assert.deepEqual(
    results,
    Array.from({ length: 12 }, (_, index) => index * 2),
  );
});

add('it runs in the asynchronous context that it was given in', async (module) => {
  const storage = new AsyncLocalStorage<string>();
  const result = storage.run('here', () => module.call(() => storage.getStore()));
  assert.equal(await result, 'here');
});

add('it can be called later, until it is let go of', async (module) => {
  let calls = 0;
  await module.keep('f', () => {
    calls += 1;
    return calls;
  });
  const kept = await module.kept_value('f');
  assert.equal(typeof kept, 'function');
  assert.equal((kept as () => number)(), 1);
  await module.call(kept, 1);
  assert.equal(calls, 2);
  await module.drop('f');
});

add('an object of JavaScript’s comes back as the same', async (module) => {
  const f = (): number => 1;
  assert.equal(await module.echo(f), f);
});

// Time

add('the JavaScript thread goes on while the guest computes', async (module) => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 5);
  await module.sleep(120);
  clearInterval(timer);
  assert.ok(ticks >= 5, `${ticks} ticks`);
});

add('calls that wait for something do so side by side', async (module) => {
  const start = performance.now();
  await Promise.all([module.sleep(300), module.sleep(300), module.sleep(300)]);
  const took = performance.now() - start;
  assert.ok(took < 850, `${took} ms`);
});

add('a call that takes too long is given up, and interrupted', async (module) => {
  await rejects(withOptions(module, { timeout: 60 }).spin(), {
    code: 'ERR_GUEST_TIMEOUT',
    message: /^the call of .+\.spin was given up after 60 ms$/,
  });
  for (let index = 0; index < 8; index += 1) {
    await rejects(withOptions(module, { timeout: 20 }).spin(), { code: 'ERR_GUEST_TIMEOUT' });
  }
  assert.equal(await withOptions(module, { timeout: 10_000 }).add(1, 2), 3);
});

add('an aborted call is given up with the reason of its signal', async (module) => {
  const controller = new AbortController();
  const call = withOptions(module, { signal: controller.signal }).spin();
  setTimeout(() => controller.abort(new Error('no more')), 30);
  await assert.rejects(call, /no more/);
  await assert.rejects(Promise.resolve(withOptions(module, { signal: AbortSignal.abort() }).add(1, 2)), { name: 'AbortError' });
  assert.equal(await module.add(1, 2), 3);
});

// At once

add('a call that is waited for gives its result at once', async (module) => {
  const now = withOptions(module, { sync: true });
  assert.equal(now.add(1, 2), 3);
  assert.equal(get(now.GREETING as object), 'hello');
  const counter = now.counter(1) as unknown as Counter;
  assert.equal(withOptions(counter, { sync: true }).increment(), 2);
  const found: unknown[] = [];
  for (const value of withOptions(now.count_to(3) as unknown as object, { sync: true }) as Iterable<unknown>) found.push(value);
  assert.deepEqual(found, [1, 2, 3]);
});

add('its exception is thrown', async (module) => {
  assert.throws(() => withOptions(module, { sync: true }).fail('now'), { code: 'ERR_GUEST_EXCEPTION', message: 'now' });
});

add('it may call functions, but not wait for their promises', async (module) => {
  const now = withOptions(module, { sync: true });
  assert.equal(
    now.call((a: number) => a + 1, 1),
    2,
  );
  assert.throws(() => now.call(() => Promise.resolve(1)), /cannot return a promise/);
});

add('it is given up in time', async (module) => {
  const start = performance.now();
  assert.throws(() => withOptions(module, { sync: true, timeout: 80 }).spin(), { code: 'ERR_GUEST_TIMEOUT' });
  assert.ok(performance.now() - start < 2_000);
  assert.equal(await module.add(1, 2), 3);
});

add('calls that run meanwhile are settled afterwards', async (module) => {
  const later = module.add(1, 1);
  assert.equal(withOptions(module, { sync: true }).add(2, 2), 4);
  assert.equal(await later, 2);
});

// Options

add('options that are none are refused, with a hint', (module) => {
  assert.throws(() => withOptions(module, { timeOut: 1 } as object), /did you mean timeout\?/);
  assert.throws(() => withOptions(module, { timeout: -1 }), /timeout is a number/);
  assert.throws(() => withOptions(module, { timeout: '5' } as object), /timeout is a number .*, and this is "5"/);
  assert.throws(() => withOptions({}, {}), /an object of another language is expected/);
  return Promise.resolve();
});

add('what runs says what it is', async (_module, guest) => {
  const info = await guest.describe();
  assert.equal(info.language, guest.name);
  assert.match(info.version, /^\d+\.\d+/);
});

add('values are given up in order: ten thousand objects are let go of', async (module) => {
  for (let round = 0; round < 10; round += 1) {
    const made = (await Promise.all(Array.from({ length: 900 }, () => module.counter(0)))) as object[];
    for (const one of made) release(one);
  }
  assert.equal(await module.add(1, 2), 3);
});

const dialects = new Map<GuestCode, Dialect>();
const dialectOf = (guest: GuestCode): Dialect => dialects.get(guest) as Dialect;

/** Each case with what runs it. */
export function contractOf(dialect: Dialect): { name: string; run: () => Promise<void>; skip: string | false }[] {
  dialects.set(dialect.guest, dialect);
  let loaded: Promise<object> | undefined;
  return cases.map(({ name, run }) => ({
    name,
    skip: dialect.without?.[name] ?? false,
    run: async () => run((await (loaded ??= dialect.load())) as Contract, dialect.guest),
  }));
}
