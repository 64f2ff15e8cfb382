/** What Java has of its own: overloads, types of parameters, functions, results, members, code. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  Decimal,
  get,
  type GuestError,
  type GuestObject,
  isHandle,
  java,
  kwargs,
  names,
  NdArray,
  set,
  text,
  withOptions,
} from '../../src/polyglot/index.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Calls = Readonly<Record<string, Call>>;

const file = fileURLToPath(new URL('fixtures/Shapes.java', import.meta.url));
const { problem } = await java.look();
const options = { skip: problem ?? false };

let loaded: Promise<GuestObject> | undefined;
const shapes = (): Promise<GuestObject> => (loaded ??= java.import(file));
const call = async (name: string, ...args: readonly unknown[]): Promise<unknown> => ((await shapes()) as unknown as Calls)[name]?.(...args);
const thrown = (promise: PromiseLike<unknown>): Promise<GuestError> =>
  Promise.resolve(promise).then(
    (value) => assert.fail(`it gave ${String(value)}`),
    (error: unknown) => error as GuestError,
  );

describe('which overload is meant', options, () => {
  const table: readonly (readonly [unknown, string])[] = [
    [1, 'int'],
    [-0, 'double'],
    [1.5, 'double'],
    [Number.NaN, 'double'],
    [2 ** 31, 'long'],
    [2 ** 53 - 1, 'long'],
    [2n ** 62n, 'long'],
    [2n ** 63n, 'BigInteger'],
    [1e300, 'double'],
    [new Decimal('1.0'), 'BigDecimal'],
    [true, 'boolean'],
    ['text', 'String'],
    [new Uint8Array(2), 'byte[]'],
    [new Float64Array(2), 'double[]'],
    [new Float32Array(2), 'double[]'],
    [[1, 2], 'List'],
    [[], 'List'],
    [new Set([1]), 'Set'],
    [{ a: 1 }, 'Map'],
    [new Map([[1, 2]]), 'Map'],
    [new Date(), 'Instant'],
    [() => undefined, 'Runnable'],
  ];
  for (const [value, expected] of table)
    it(`${expected} for ${String(value)}`, async () => assert.equal(await call('over', value), expected));

  it('one by its name', async () => {
    assert.equal(await call('over(Object)', 1), 'Object');
    assert.equal(await call('over(long)', 1), 'long');
    assert.equal(await call('over(java.lang.Object)', 'x'), 'Object');
    const error = await thrown(call('over(Thread)', 1));
    assert.match(error.message, /no static member over\(Thread\)/);
  });

  it('a number where only one kind is there, if it fits', async () => {
    assert.equal(await call('narrow', 7), 'short 7');
    assert.equal(await call('boxed', 7), 'Long 7');
    assert.equal(await call('real', 1.5), 'float 1.5');
    assert.equal(await call('real', 7), 'float 7.0');
    assert.equal(await call('letter', 'x'), 'char x');
    const tooLarge = await thrown(call('narrow', 70_000));
    assert.equal(tooLarge.class, 'java.lang.IllegalArgumentException');
    assert.match(tooLarge.message, /argument 1 of Shapes\.narrow: short is expected, and this is 70000/);
    assert.match((await thrown(call('narrow', 1.5))).message, /short is expected, and this is 1\.5/);
    assert.match((await thrown(call('narrow', null))).message, /short is expected, and this is null/);
    assert.match((await thrown(call('letter', 'xy'))).message, /char is expected, and this is the text "xy"/);
  });

  it('arguments of any number, behind those that are counted', async () => {
    assert.equal(await call('rest', 'a'), 'one');
    assert.equal(await call('rest', 'a', 1, 'b'), 'rest 2');
    assert.equal(await call('rest', 1, 2, 3), 'ints 5');
    assert.equal(await call('rest', 1), 'ints 0');
    assert.equal(await call('rest', 'a', ['b', 'c']), 'rest 2');
  });

  it('none, or several: an error that lists them', async () => {
    const none = await thrown(call('rest', true));
    assert.equal(none.class, 'java.lang.NoSuchMethodException');
    assert.match(none.message, /Shapes\.rest takes no \(Boolean\); it takes \(String\), \(String, Object\.\.\.\), \(int, int\.\.\.\)/);
    assert.match((await thrown(call('most', 'text'))).message, /is meant in several ways: .*CharSequence.*Name one: object\['most\(/);
    assert.match((await thrown(call('task', () => 1))).message, /is meant in several ways/);
    assert.equal(await call('task(Callable)', () => 1), 'Callable 1');
  });
});

describe('what parameters make of values', options, () => {
  it('constants, times, and texts that say something', async () => {
    assert.equal(await call('taken', 'GREEN'), 'colour 1');
    assert.match((await thrown(call('taken', 'BLUE'))).message, /Colour is expected, and this is the text "BLUE"/);
    const now = new Date('2024-02-29T12:00:00.123Z');
    assert.equal(await call('dates', now, now, now), `${now.getTime()} true true`);
    assert.equal(await call('texts', '/a/b.txt', '123e4567-e89b-12d3-a456-426614174000', '2024-02-29', 'PT90M'), 'b.txt 1 2024 90');
    assert.match((await thrown(call('texts', '/a', 'no', '2024-02-29', 'PT1M'))).message, /argument 2 of Shapes\.texts/);
  });

  it('lists, arrays and maps of the type that is wanted', async () => {
    assert.equal(await call('sum', [1, 2.5, 3]), 6.5);
    assert.equal(await call('sum', new Float32Array([1, 2.5])), 3.5);
    assert.equal(await call('total', [1, 2 ** 40]), 2 ** 40 + 1);
    assert.equal(await call('total', new BigInt64Array([1n, 2n])), 3);
    assert.equal(await call('total', new Int32Array([1, 2])), 3);
    assert.equal(await call('grid', [[1, 2], [3]]), '[[1.0, 2.0], [3.0]]');
    assert.equal(await call('grid', new NdArray(new Float64Array([1, 2, 3, 4]), [2, 2])), '[[1.0, 2.0], [3.0, 4.0]]');
    assert.equal(await call('words', ['a', 'b']), 'a-b');
    assert.equal(await call('lengths', { a: 1, b: 2 }), 3);
    assert.equal(await call('sorted', { b: 2, a: 1 }), '{a=1, b=2}');
    assert.equal(await call('first', [7, 8]), 7);
    assert.equal(await call('bytes', new Uint8Array(20_000)), 20_000);
    assert.equal(await call('maybe', 3), 'some 3');
    assert.match((await thrown(call('words', ['a', 1]))).message, /String\[\] is expected, and this is a list of 2/);
    assert.match((await thrown(call('total', [1.5]))).message, /long\[\] is expected/);
  });

  it('records, by the names of their components', async () => {
    assert.equal(await call('point', { x: 1, y: 2, names: ['n'] }), 'Point[x=1, y=2.0, names=[n]]');
    assert.match((await thrown(call('point', { x: 1, y: 2, names: [], z: 3 }))).message, /Point is expected, and this is an object/);
    const { Point } = (await shapes()) as unknown as { Point: new (...args: readonly unknown[]) => Promise<object> };
    const point = await new Point(kwargs({ y: 2, x: 1, names: null }));
    assert.equal(await text(point), 'Point[x=1, y=2.0, names=null]');
  });
});

describe('functions', options, () => {
  it('of JavaScript’s are interfaces of one method', async () => {
    assert.equal(await call('twice', (a: number, b: number) => a * b, 7), 49);
    assert.equal(await call('matching', [1, 2, 3, 4], (value: number) => value > 3), 3);
    assert.deepEqual(await call('ordered', ['b', 'a', 'c'], (a: string, b: string) => (a < b ? -1 : 1)), ['c', 'b', 'a']);
    assert.equal(await call('named', async () => Promise.resolve('me')), 'I am me');
    assert.match((await thrown(call('twice', () => 'x', 7))).message, /IntBinaryOperator\.applyAsInt\(\) returns: int is expected/);
  });

  it('of Java’s can be called', async () => {
    const add = (await call('adder', 3)) as Call;
    assert.ok(isHandle(add));
    assert.equal(await add(4), 7);
    assert.equal(await (add as unknown as Calls)['apply']?.(5), 8);
    const parse = (await get(((await java.import('java.lang.Integer')) as Record<string, object>)['parseInt'] as object)) as Call;
    assert.equal(await parse('42'), 42);
  });

  it('come back as what they were, whatever they were given as', async () => {
    const f = (): number => 1;
    assert.equal(await call('same', f), f);
  });

  it('are called from any thread', async () => {
    assert.equal(await call('onOtherThread', async () => Promise.resolve('there')), 'there');
  });

  it('are no longer waited for once the call is given up', async () => {
    const hasty = withOptions(await shapes(), { timeout: 40 }) as unknown as Calls;
    let answer: (value: unknown) => void = () => undefined;
    const never = new Promise((resolve) => (answer = resolve));
    const error = await thrown(hasty['twice']?.(() => never, 1) as Promise<unknown>);
    // Nobody hears it.
    answer(1);
    assert.equal(error.code, 'ERR_GUEST_TIMEOUT');
    assert.equal(await call('narrow', 1), 'short 1');
  });
});

describe('results', options, () => {
  it('of many kinds', async () => {
    const all = (await call('all')) as Record<string, unknown>;
    assert.equal(String(all['decimal']), '1.10');
    delete all['decimal'];
    assert.deepEqual(all, {
      colour: 'GREEN',
      point: { x: 1, y: 2.5, names: ['a'] },
      optional: 'there',
      empty: null,
      letter: 'x',
      float: 0.1,
      long: 2n ** 63n - 1n,
      big: 123_456_789_012_345_678_901_234_567_890n,
      ints: new Int32Array([1, 2]),
      shorts: new Int16Array([-1]),
      booleans: [true, false],
      chars: 'ok',
      grid: [new Float64Array([1]), new Float64Array([2])],
      objects: [1, 'two', null],
      day: '2024-02-29',
      date: new Date(1_000),
      entry: ['a', 1],
      uuid: '00000000-0000-0000-0000-000000000001',
      path: 'a/b',
    });
    assert.deepEqual(await call('keys'), new Map([[1, 'one']]));
  });

  it('with half a character are refused', async () => {
    assert.equal((await thrown(call('half'))).code, 'ERR_GUEST_VALUE');
  });

  it('that are unsigned or have a shape come back as they were given', async () => {
    const list = await new (java.root as unknown as { java: { util: { ArrayList: new () => Promise<Calls> } } }).java.util.ArrayList();
    for (const value of [
      new Int8Array([-1]),
      new Uint16Array([65_535]),
      new Uint32Array([2 ** 32 - 1]),
      new BigUint64Array([2n ** 64n - 1n]),
    ]) {
      await list['add(Object)']?.(value);
      assert.deepEqual(await list['get']?.(0), value);
      await list['clear']?.();
    }
  });

  it('of futures are awaited, and given up with the call', async () => {
    assert.equal(await call('later', 5), 'later');
    assert.deepEqual(await Promise.all(Array.from({ length: 20 }, () => call('later', 30))), new Array(20).fill('later'));
    const broken = await thrown(call('broken'));
    assert.deepEqual([broken.class, broken.message], ['java.lang.IllegalStateException', 'it broke']);
    const module = await shapes();
    assert.equal(
      (await thrown((withOptions(module, { timeout: 20 }) as unknown as Calls)['never']?.() as Promise<unknown>)).code,
      'ERR_GUEST_TIMEOUT',
    );
    const { NEVER } = module as unknown as { NEVER: Calls };
    for (let look = 0; look < 100 && (await NEVER['isCancelled']?.()) !== true; look += 1) await after(5);
    assert.equal(await NEVER['isCancelled']?.(), true);
    const future = (await get(withOptions(NEVER, { result: 'handle' }))) as Calls;
    assert.equal(await future['isDone']?.(), true);
  });
});

describe('members', options, () => {
  it('static ones, also of classes in classes', async () => {
    const module = await shapes();
    const { Outer } = module as unknown as { Outer: { Inner: new (name: string) => Promise<{ name: PromiseLike<unknown> }> } };
    assert.equal(await (await new Outer.Inner('in')).name, 'in');
    await set(module, 'counter', 5);
    assert.equal(await get(module['counter'] as object), 5);
    assert.match((await thrown(set(module, 'counter', 'x') as Promise<unknown>)).message, /Shapes\.counter: int is expected/);
    const Inner = await java.import('java.util.AbstractMap.SimpleEntry');
    assert.match(String(Inner), /class java\.util\.AbstractMap\$SimpleEntry/);
    assert.equal(await (module as unknown as Calls)['getSimpleName']?.(), 'Shapes');
  });

  it('of classes that are hidden, by what is shown of them', async () => {
    const hidden = (await call('hidden', 'x')) as GuestObject & Calls;
    assert.equal(await hidden['greeting']?.(), 'I am x');
    assert.equal(await hidden['name'], 'x');
    await set(hidden, 'name', 'y');
    assert.equal(await hidden['name'], 'y');
    assert.ok(((await names(hidden)) as string[]).includes('greeting'));
  });

  it('of lists, maps and packages', async () => {
    const root = java.root as unknown as {
      java: { util: Record<string, new (...args: readonly unknown[]) => Promise<GuestObject & Calls>> };
    };
    const { ArrayList, HashMap } = root.java.util as Record<
      'ArrayList' | 'HashMap',
      new (...args: readonly unknown[]) => Promise<GuestObject & Calls>
    >;
    const list = await new ArrayList([1, 2]);
    await list['add']?.(3);
    assert.equal(await list['size']?.(), 3);
    assert.equal(await get(list['2'] as object), 3);
    const found: unknown[] = [];
    for await (const value of list) found.push(value);
    assert.deepEqual(found, [1, 2, 3]);
    const map = await new HashMap();
    await map['put']?.('a', list);
    assert.deepEqual(await get(map['a'] as object), [1, 2, 3]);
    await set(map, 'b', 1);
    assert.equal(await get(map['b'] as object), 1);
    const missing = await thrown(new (root.java.util['Nothing'] as new () => Promise<GuestObject>)());
    assert.deepEqual(
      [missing.class, missing.message],
      ['java.lang.ClassNotFoundException', 'there is no class or package java.util.Nothing on the class path'],
    );
  });

  it('one after the other, of what is only iterable', async () => {
    const found: unknown[] = [];
    for await (const value of (await call('three')) as AsyncIterable<unknown>) found.push(value);
    assert.deepEqual(found, [1, 2, 3]);
  });
});

describe('exceptions', options, () => {
  it('with what was suppressed, and those without a text', async () => {
    assert.deepEqual((await thrown(call('suppressed'))).notes, ['suppressed: java.lang.IllegalArgumentException: second']);
    assert.equal((await thrown(call('silent'))).message, '');
  });

  it('of a stack that is full, and the thread lives on', async () => {
    for (let round = 0; round < 8; round += 1) assert.equal((await thrown(call('deep'))).class, 'java.lang.StackOverflowError');
    assert.equal(await call('narrow', 1), 'short 1');
  });

  it('no mark of an interruption reaches the next call', async () => {
    for (let round = 0; round < 8; round += 1) {
      await call('interruptItself');
      assert.equal(await call('wasInterrupted'), false);
    }
  });
});

describe('code', options, () => {
  it('is an expression, statements, or both', async () => {
    assert.equal(await java.eval('1 + 2'), 3);
    assert.equal(await java.eval('int x = 20; x + 22'), 42);
    assert.equal(await java.eval('for (int i = 0; ; i++) if (i > 4) return i;'), 5);
    assert.deepEqual(await java.eval('List.of(1, 2).stream().map(x -> x * 2).collect(Collectors.toList())'), [2, 4]);
    assert.equal(await java.eval('import java.util.concurrent.atomic.AtomicInteger; new AtomicInteger(3).get()'), 3);
    assert.equal(await java.eval('a * b', { locals: { a: 6, b: 7 } }), 42);
    assert.equal(await java.eval('f.call(2)', { locals: { f: (x: number) => x + 1 } }), 3);
    assert.equal(await java.exec('int y = 1;'), null);
  });

  it('that does not compile says where', async () => {
    const error = await thrown(java.eval('1 +\n nothing', { name: 'mine' }) as Promise<unknown>);
    assert.match(error.message, /line 2: .*nothing/s);
    assert.deepEqual([error.frames[0]?.file, error.frames[0]?.line], ['mine', 2]);
  });
});

describe('import', options, () => {
  it('of what is not there says so', async () => {
    assert.match((await thrown(java.import('com.acme.Nothing'))).message, /there is no class com\.acme\.Nothing on the class path/);
    assert.match((await thrown(java.import('./nothing.java'))).message, /there is no .*nothing\.java/);
    const missing = java.import('com.acme.Model', { options: { classPath: ['./nowhere.jar'] } });
    assert.match((await thrown(missing)).message, /classPath: there is no \/.*nowhere\.jar/);
    assert.match(
      (await thrown(java.import('java.lang.Math', { options: { classpath: [] } }))).message,
      /knows no option classpath: it is classPath/,
    );
    assert.match(
      (await thrown(java.import('java.lang.Math', { options: { classPath: [1] } }))).message,
      /a list of paths, and one of them is 1/,
    );
  });
});
