import assert from 'node:assert';
import { cases } from '../harness/cases.ts';

type Method = (actual: unknown, expected: unknown, message?: unknown) => void;

const circular = (): object => {
  const object: Record<string, unknown> = { a: 1 };
  object['self'] = object;
  return object;
};

const pairs = (): [unknown, unknown][] => [
  [1, 1],
  [1, '1'],
  [NaN, NaN],
  [0, -0],
  [null, undefined],
  ['', false],
  [{ a: 1 }, { a: 1 }],
  [{ a: 1 }, { a: '1' }],
  [{ a: 1 }, { b: 1 }],
  [
    [1, 2],
    [1, 2],
  ],
  [new Set([1, 2]), new Set([2, 1])],
  [new Set([{ a: 1 }]), new Set([{ a: 1 }])],
  [new Map([[1, { a: 1 }]]), new Map([[1, { a: 1 }]])],
  [new Date(0), new Date(1)],
  [/a/g, /a/g],
  [/a/, /a/g],
  [Object(1), Object(1)],
  [Buffer.from('a'), Buffer.from('a')],
  [Buffer.from('a'), new Uint8Array([97])],
  [{}, []],
  [{ [Symbol.for('q')]: 1 }, {}],
  [circular(), circular()],
  [{ a: { b: { c: [1, 2, { d: 3 }] } } }, { a: { b: { c: [1, 2, { d: 4 }] } } }],
  ['short', 'shart'],
  [{ a: undefined }, {}],
  [[undefined], []],
];

/** The outcome of each pair: passed, or what the error says. */
function outcomes(method: Method, withMessages: boolean): unknown[] {
  return pairs().map(([actual, expected]) => {
    try {
      method(actual, expected);
      return 'passed';
    } catch (error) {
      const { name, code, message, operator, generatedMessage } = error as assert.AssertionError;
      return [name, code, operator, generatedMessage, withMessages ? message : ''];
    }
  });
}

const methods = [
  'equal',
  'notEqual',
  'deepEqual',
  'notDeepEqual',
  'deepStrictEqual',
  'notDeepStrictEqual',
  'strictEqual',
  'notStrictEqual',
] as const;
const comparisons = Object.fromEntries(
  methods.flatMap((name) => {
    const programs = [
      () => outcomes(assert[name] as Method, false),
      () => (assert[name] as (value: number) => void)(1),
      () => name.startsWith('not') || (assert[name] as Method)(1, 2, 'own message'),
      () => name.startsWith('not') || (assert[name] as Method)(1, 2, new RangeError('own error')),
    ];
    return [
      [name, programs],
      [`messages of ${name}`, [() => outcomes(assert[name] as Method, true)]],
      [`strict.${name}`, [() => outcomes(assert.strict[name] as Method, false)]],
    ] as const;
  }),
) as Record<string, (() => unknown)[]>;

const boom = (): never => {
  throw new Error('abc');
};

export default cases(
  'assert',
  {
    ...comparisons,
    partialDeepStrictEqual: [
      () => {
        const partial = (assert as unknown as { partialDeepStrictEqual: Method }).partialDeepStrictEqual;
        return [partial({ a: 1, b: { c: 2, d: 3 } }, { b: { c: 2 } }), partial([1, 2, 3], [1, 3]), partial(new Set([1, 2]), new Set([1]))];
      },
      () => (assert as unknown as { partialDeepStrictEqual: Method }).partialDeepStrictEqual({ a: 1 }, { a: 2 }),
    ],
    ok: [() => assert.ok(true), () => assert.ok(0, 'own'), () => assert.ok(false, new TypeError('own')), () => (assert.ok as () => void)()],
    'assert()': [() => assert(1), () => assert(0, 'own'), () => typeof assert.strict],
    'message of ok': [
      () => {
        try {
          assert.ok(0);
        } catch (error) {
          return (error as Error).message;
        }
        return undefined;
      },
    ],
    fail: [() => assert.fail(), () => assert.fail('own'), () => assert.fail(new RangeError('own'))],
    throws: [
      () => assert.throws(boom),
      () => assert.throws(() => {}),
      () => assert.throws(() => {}, TypeError, 'own'),
      () => assert.throws(boom, /xyz/),
      () => assert.throws(boom, /abc/),
      () => assert.throws(boom, TypeError),
      () => assert.throws(boom, { message: 'abc', name: 'Error' }),
      () => assert.throws(boom, { message: 'abd' }),
      () => assert.throws(boom, (error: Error) => error.message === 'abc'),
      () => assert.throws(boom, () => false),
      () => assert.throws(boom, 'abc'),
      () => assert.throws(boom, {}),
      () => assert.throws(5 as never),
      () => assert.throws(boom, 5 as never),
      () => assert.throws(boom, new Error('abc')),
    ],
    rejects: [
      () => assert.rejects(Promise.reject(new Error('a'))),
      () => assert.rejects(Promise.resolve()),
      () => assert.rejects(5 as never),
      () => assert.rejects(() => 5 as never),
      () => assert.rejects(async () => boom(), /abc/),
    ],
    doesNotThrow: [
      () => assert.doesNotThrow(() => {}),
      () => assert.doesNotThrow(boom),
      () => assert.doesNotThrow(boom, TypeError),
      () => assert.doesNotThrow(boom, 'why'),
      () => assert.doesNotThrow(boom, /abc/, 'why'),
    ],
    doesNotReject: [() => assert.doesNotReject(Promise.reject(new Error('a'))), () => assert.doesNotReject(async () => 1)],
    ifError: [
      () => assert.ifError(null),
      () => assert.ifError(new Error('q')),
      () => assert.ifError('text'),
      () => assert.ifError(new TypeError('')),
    ],
    match: [
      () => assert.match('abc', /a/),
      () => assert.match('abc', /x/),
      () => assert.match(5 as never, /a/),
      () => assert.match('a', 'a' as never),
    ],
    doesNotMatch: [
      () => assert.doesNotMatch('abc', /x/),
      () => assert.doesNotMatch('abc', /a/),
      () => assert.doesNotMatch('abc', /a/, 'own'),
    ],
    strict: [() => [assert.strict === assert.strict.strict, Object.keys(assert.strict).includes('equal')], () => assert.strict(0, 'own')],
    AssertionError: [
      () => {
        const error = new assert.AssertionError({ actual: 1, expected: 2, operator: 'strictEqual' });
        return [error.message, error.name, error.code, error.generatedMessage, String(error)];
      },
      () => new assert.AssertionError({ message: 'own' }).message,
      () => new assert.AssertionError(undefined as never),
    ],
    Assert: [
      () => {
        const { Assert } = assert as unknown as { Assert: new (options?: object) => typeof assert };
        return [typeof new Assert().ok, new Assert({ strict: false }).equal(1, '1')];
      },
      () => new (assert as unknown as { Assert: new (options: object) => object }).Assert({ diff: 'x' }),
      () => (assert as unknown as { Assert(): void }).Assert(),
    ],
  },
  {
    differs: { 'message of ok': 'the expression is not shown: an executable does not carry the source' },
    since: {
      ...Object.fromEntries(methods.map((name) => [`messages of ${name}`, 26])),
      ...Object.fromEntries(
        methods.flatMap((name) => [
          [name, 24],
          [`strict.${name}`, 24],
        ]),
      ),
      Assert: 24,
      ok: 24,
      'assert()': 24,
      fail: 24,
      doesNotThrow: 24,
      doesNotReject: 24,
      ifError: 24,
      strict: 24,
      'message of ok': 24,
      partialDeepStrictEqual: 24,
      throws: 26,
      rejects: 24,
      AssertionError: 26,
      match: 24,
      doesNotMatch: 24,
    },
  },
);
