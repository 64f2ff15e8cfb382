/** Values that Ruby alone has, or has in another form. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Decimal, type GuestObject, isHandle, NdArray, ruby } from '../../src/polyglot/index.ts';

const { problem } = await ruby.look();
const value = async (code: string, locals: Readonly<Record<string, unknown>> = {}): Promise<unknown> => ruby.eval(code, { locals });

describe('values of Ruby', { skip: problem ?? false }, () => {
  const there: readonly (readonly [string, unknown])[] = [
    [':symbol', 'symbol'],
    [':"grüße 🌍"', 'grüße 🌍'],
    ['"frozen".freeze', 'frozen'],
    ['"caf\\u00e9".encode("UTF-16LE")', 'café'],
    ['"\\xe9".dup.force_encoding("ISO-8859-1")', 'é'],
    ['"ascii".dup.force_encoding("US-ASCII")', 'ascii'],
    ['"bytes".b', new Uint8Array(Buffer.from('bytes'))],
    ['2**62', 2n ** 62n],
    ['2**62 - 1', 2n ** 62n - 1n],
    ['-(2**62)', -(2n ** 62n)],
    ['-(2**63)', -(2n ** 63n)],
    ['2**63', 2n ** 63n],
    ['2**53', 2n ** 53n],
    ['2**53 - 1', 2 ** 53 - 1],
    ['-0.0', -0],
    ['1e-320', 1e-320],
    ['3r', 3],
    ['1r / 8', 0.125],
    ['Time.at(1.5)', new Date(1500)],
    ['Time.at(-1, 999_999, :microsecond)', new Date(-1)],
    ['require "date"; Date.new(2024, 2, 29)', '2024-02-29'],
    ['require "date"; DateTime.new(2024, 2, 29, 12, 0, 0, "+02:00")', new Date('2024-02-29T10:00:00Z')],
    ['Struct.new(:a, :b).new(1, [2])', { a: 1, b: [2] }],
    ['Struct.new(:a, keyword_init: true).new(a: nil)', { a: null }],
    ['require "ostruct"; OpenStruct.new(a: 1)', { a: 1 }],
    ['{ "a" => 1, b: 2 }', { a: 1, b: 2 }],
    [
      '{ 1 => 2, nil => 3 }',
      new Map<unknown, unknown>([
        [1, 2],
        [null, 3],
      ]),
    ],
    ['{ "\\xff".b => 1 }', new Map<unknown, unknown>([[new Uint8Array([255]), 1]])],
    ['Set[[1], nil]', new Set<unknown>([[1], null])],
    ['Class.new(Array).new([1, 2])', [1, 2]],
    ['Class.new(Hash).new.merge!(a: 1)', { a: 1 }],
    ['Class.new(String).new("x")', 'x'],
    ['require "pathname"; Pathname.new("/a/b")', '/a/b'],
    ['require "uri"; URI("http://localhost/x?y=1")', 'http://localhost/x?y=1'],
    ['Fulmar::NumericArray.of(:float32, [1, 2.5])', new Float32Array([1, 2.5])],
  ];
  for (const [code, expected] of there)
    it(`${code} is what JavaScript has for it`, async () => assert.deepEqual(await value(code), expected));

  it('decimals keep their digits', async () => {
    const digits: readonly (readonly [string, string])[] = [
      ['BigDecimal("-12.30")', '-12.3'],
      ['BigDecimal("1e50")', `1${'0'.repeat(50)}.0`],
      ['BigDecimal("1e-10")', '0.0000000001'],
      ['BigDecimal("1e5000")', '0.1e5001'],
      ['BigDecimal("NaN")', 'NaN'],
      ['BigDecimal("-Infinity")', '-Infinity'],
    ];
    for (const [code, expected] of digits) {
      const decimal = await value(`require "bigdecimal"; ${code}`);
      assert.ok(decimal instanceof Decimal);
      assert.equal(String(decimal), expected);
    }
  });

  it('a Data of 3.2 is an object', async (t) => {
    if ((await value('!!defined?(Data) && Data.respond_to?(:define)')) !== true) return t.skip('this Ruby has no Data.define');
    assert.deepEqual(await value('Data.define(:a, :b).new(a: 1, b: 2)'), { a: 1, b: 2 });
  });

  for (const code of [
    'Object.new',
    'BasicObject.new',
    '(1..3)',
    '/x/',
    '-> {}',
    '1.method(:+)',
    'String',
    'Comparable',
    '$stdout',
    'Complex(1, 2)',
    'StandardError.new',
  ])
    it(`${code} stays there`, async () => {
      const handle = await value(code);
      assert.ok(isHandle(handle));
      assert.equal(await value('v.equal?(w)', { v: handle, w: handle }), true);
    });

  it('a text that is no UTF-8 is refused, and says what to do', async () => {
    for (const code of ['"\\xff"', '["a", { b: "\\xe4" }]', '{ "\\xff" => 1 }', '"\\xff".dup.force_encoding("US-ASCII")'])
      await assert.rejects(value(code), { code: 'ERR_GUEST_VALUE', message: /text\.scrub/ }, code);
    await assert.rejects(value('"\\xff".dup.force_encoding("UTF-16LE")'), { code: 'ERR_GUEST_EXCEPTION', class: /^Encoding::/ });
  });

  it('objects that misbehave are refused or given back, and harm nothing', async () => {
    await assert.rejects(value('Class.new { def respond_to?(*) = raise("no") }.new'), { message: 'no' });
    await assert.rejects(value('Class.new(StandardError) { def message = raise("no") }.new.then { raise _1 }'), {
      code: 'ERR_GUEST_EXCEPTION',
      message: '',
    });
    await assert.rejects(value('h = {}; h[h] = h; h'), { code: 'ERR_GUEST_VALUE', message: /nested deeper|contains itself/ });
    await assert.rejects(value('raise Class.new(Exception), "\\xff"'), { message: '\ufffd' });
    await assert.rejects(value('raise "x" * 100_000'), { message: 'x'.repeat(100_000) });
    assert.equal(await value('1 + 1'), 2);
  });
});

describe('values of JavaScript in Ruby', { skip: problem ?? false }, () => {
  it('objects are hashes with texts as keys, also those that look like something else', async () => {
    assert.deepEqual(await value('[v.class.name, v.keys, v["__proto__"]]', { v: JSON.parse('{"__proto__": 1, "class": 2}') }), [
      'Hash',
      ['__proto__', 'class'],
      1,
    ]);
  });

  it('bytes are binary texts, dates are times in UTC', async () => {
    assert.deepEqual(await value('[v.encoding.name, v.bytes]', { v: new Uint8Array([1, 255]) }), ['ASCII-8BIT', [1, 255]]);
    assert.equal(await value('v.strftime("%FT%T.%LZ")', { v: new Date('1969-12-31T23:59:59.999Z') }), '1969-12-31T23:59:59.999Z');
  });

  it('arrays of numbers are enumerable, and come back with what Ruby makes of them', async () => {
    const numbers = new NdArray(new Int16Array([1, -2, 3, -4]), [2, 2]);
    assert.deepEqual(await value('[v.type, v.shape, v.to_a, v.sum, v[-1], v[4], v.map(&:abs)]', { v: numbers }), [
      'int16',
      [2, 2],
      [
        [1, -2],
        [3, -4],
      ],
      -2,
      -4,
      null,
      [1, 2, 3, 4],
    ]);
    assert.deepEqual(await value('Fulmar::NumericArray.of(v.type, v.sort)', { v: new Float64Array([2.5, 1]) }), new Float64Array([1, 2.5]));
    assert.equal(await value('v[1]', { v: new BigUint64Array([1n, 2n ** 64n - 1n]) }), 2n ** 64n - 1n);
    await assert.rejects(value('Fulmar::NumericArray.of(:int9, [])'), { class: 'ArgumentError', message: /int9 is none of/ });
  });

  it('functions are procs where Ruby wants one', async () => {
    const double = (n: number): number => n * 2;
    assert.deepEqual(await value('[1, 2].map(&f)', { f: double }), [2, 4]);
    assert.deepEqual(await value('[f.call(1), f.(2), f[3], f.arity, f.inspect]', { f: double }), [
      2,
      4,
      6,
      -1,
      "#<function of JavaScript's>",
    ]);
    assert.deepEqual(await value('f.call(1, b: 2)', { f: (...all: unknown[]) => all }), [1, { b: 2 }]);
    assert.equal(await value('Thread.new { f.call(4) }.value', { f: async (n: number) => Promise.resolve(n + 1) }), 5);
  });

  it('an error of theirs can be rescued, with its name and its own object', async () => {
    const f = (): never => {
      throw new RangeError('too far');
    };
    const rescued = 'begin; f.call; rescue Fulmar::JavaScriptError => e; [e.name, e.message, e.reference]; end';
    const [name, message, reference] = (await value(rescued, { f })) as unknown[];
    assert.deepEqual([name, message], ['RangeError', 'RangeError: too far']);
    assert.ok(reference instanceof RangeError);
    const wrapped = (await value('begin; f.call; rescue => e; raise KeyError, "outer"; end', { f }).then(
      () => assert.fail('it has not raised'),
      (error: unknown) => error,
    )) as Error;
    assert.equal(wrapped.message, 'outer');
    assert.ok(wrapped.cause instanceof RangeError);
  });

  it('are collected with what has them', async () => {
    const lent = (await ruby.eval('Fulmar::JavaScriptFunction', {})) as GuestObject;
    assert.ok(isHandle(lent));
    for (let round = 0; round < 50; round += 1) await value('f.call', { f: () => round });
    const left = await value('GC.start; GC.start; ObjectSpace.each_object(Fulmar::JavaScriptFunction).count');
    assert.ok((left as number) < 20, `${String(left)} are left`);
  });
});
