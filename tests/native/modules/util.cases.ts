import util from 'node:util';
import { cases } from '../harness/cases.ts';

type Bag = Record<string, (...args: never[]) => unknown>;
const any = util as unknown as Bag;

/** Runs `inspect` on values made anew, with options. */
function shown(values: readonly unknown[], options?: util.InspectOptions): string[] {
  return values.map((value) => util.inspect(value, options));
}

function circular(): object {
  const object: Record<string, unknown> = { a: { b: [1, 2] } };
  object['self'] = object;
  object['again'] = { object };
  return object;
}

function withStack(error: Error, stack: string): Error {
  error.stack = stack;
  return error;
}

class Point {
  x = 1;
  get y(): number {
    return 2;
  }
  [Symbol.toStringTag] = 'tagged';
}

const values = (): unknown[] => [
  1,
  -0,
  10n,
  'a\'b"c',
  'line\nbreak\u0001\u007f',
  Symbol('s'),
  null,
  undefined,
  true,
  [1, 'a', { b: [1, { c: { d: 1 } }] }],
  // oxlint-disable-next-line no-sparse-arrays -- gaps are what is shown
  [, 1, , 2],
  Array.from({ length: 120 }, (_, index) => index),
  Array.from({ length: 30 }, (_, index) => `item${index * index}`),
  new Map<unknown, unknown>([
    [1, { a: 2 }],
    ['x', new Set([1])],
  ]),
  new Set(),
  new WeakMap(),
  new Date(0),
  new Date(NaN),
  /a+/gi,
  new Uint8Array(3),
  new ArrayBuffer(4),
  new DataView(new ArrayBuffer(2)),
  Buffer.from('hello'),
  Object.create(null),
  new Point(),
  { 'a-b': 1, [Symbol('q')]: 2, ok_1: 3 },
  {
    get a() {
      return 1;
    },
    set a(_value) {},
    set b(_value: number) {},
  },
  () => 1,
  function named() {},
  async () => {},
  function* generator() {},
  class A extends Map {},
  [Object('x'), Object(1n), Object(false), Object(Symbol('b'))],
  Promise.resolve(4),
  new Promise(() => {}),
  circular(),
  { long: 'x'.repeat(100), list: ['aaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb', 'cccccccccccccccccc'] },
  JSON,
  Math,
];

const subjects = (): unknown[] => [
  1,
  '',
  null,
  {},
  [],
  new Map(),
  new Set(),
  new Map().keys(),
  new Set().values(),
  new WeakMap(),
  new WeakSet(),
  new Date(),
  /a/,
  new Error('e'),
  Object.create(Error.prototype),
  Promise.resolve(),
  { then() {} },
  new Proxy({}, {}),
  () => {},
  async () => {},
  function* generator() {},
  (function* generator() {})(),
  new Uint8Array(),
  Buffer.alloc(1),
  new Float64Array(),
  new DataView(new ArrayBuffer(1)),
  new ArrayBuffer(1),
  new SharedArrayBuffer(1),
  Object(1),
  Object(''),
  Object(true),
  Object(1n),
  Object(Symbol('s')),
];

const typeNames =
  'isAnyArrayBuffer isArgumentsObject isArrayBuffer isArrayBufferView isAsyncFunction isBigInt64Array isBigIntObject isBigUint64Array isBooleanObject isBoxedPrimitive isCryptoKey isDataView isDate isExternal isFloat16Array isFloat32Array isFloat64Array isGeneratorFunction isGeneratorObject isInt16Array isInt32Array isInt8Array isKeyObject isMap isMapIterator isModuleNamespaceObject isNativeError isNumberObject isPromise isProxy isRegExp isSet isSetIterator isSharedArrayBuffer isStringObject isSymbolObject isTypedArray isUint16Array isUint32Array isUint8Array isUint8ClampedArray isWeakMap isWeakSet'.split(
    ' ',
  );
const types = Object.fromEntries(
  typeNames.map((name) => [
    `types.${name}`,
    [() => subjects().map((value) => (util.types as unknown as Record<string, (value: unknown) => boolean>)[name]?.(value))],
  ]),
);

export default cases(
  'util',
  {
    ...types,
    inspect: [
      () => shown(values()),
      () => shown(values().slice(0, 27), { depth: 0 }),
      () => shown(values().slice(0, 15), { depth: null, compact: false }),
      () => shown(values().slice(0, 15), { compact: true, breakLength: 40 }),
      () => shown([{ b: 1, a: 2 }, new Set([3, 1])], { sorted: true }),
      () => shown([1234567.891, 1234567n], { numericSeparator: true }),
      () =>
        shown(
          [
            {
              get a() {
                return 1;
              },
            },
          ],
          { getters: true },
        ),
      () => shown([[1, 2, 3], 'abcdef'], { maxArrayLength: 1, maxStringLength: 2 }),
      () => shown([1, 'a', null, undefined, true, new Date(0), Symbol('q'), { a: [1] }], { colors: true }),
      () => shown([[1], { a: 1 }, new Uint8Array(1)], { showHidden: true }),
      () => shown([new Proxy({ a: 1 }, {})], { showProxy: true }),
      () => util.inspect({ [util.inspect.custom]: (depth: number) => `depth ${depth}` }),
      () => util.inspect(withStack(new TypeError('boo'), 'TypeError: boo\n    at place (file.js:1:2)')),
      () => util.inspect(withStack(Object.assign(new Error('boo'), { code: 'E' }), 'Error: boo\n    at place (file.js:1:2)')),
      () =>
        util.inspect(
          withStack(new Error('outer', { cause: withStack(new Error('inner'), 'Error: inner\n    at b') }), 'Error: outer\n    at a'),
        ),
      () => util.inspect(withStack(new AggregateError([1], 'all'), 'AggregateError: all\n    at a')),
      () => [util.inspect('a', true), util.inspect({ a: { b: 1 } }, false, 0), util.inspect({ a: 1 }, false, 0, true)],
      () => [util.inspect.custom.toString(), Object.keys(util.inspect.colors).length, { ...util.inspect.defaultOptions }],
    ],
    'inspect of iterators': [() => util.inspect(new Map([[1, 2]]).entries())],
    format: [
      () => [util.format('%s %s', 'a'), util.format('%s', null), util.format('%s', { a: 1 }), util.format('%s', () => 1)],
      () => [util.format('%s', -0), util.format('%s', 5n), util.format('%s', Symbol('x')), util.format('%s', { toString: () => 'own' })],
      () => [util.format('%d', '42'), util.format('%d', 'x'), util.format('%d', 5n), util.format('%d', {})],
      () => [util.format('%i', '42.5'), util.format('%i', '0x10'), util.format('%f', '1.5x')],
      () => [
        util.format('%j', { a: 1 }),
        util.format('%j', circular()),
        util.format('%o', [1]),
        util.format('%O', { a: { b: { c: {} } } }),
      ],
      () => [util.format('%c', 'css'), util.format('%%'), util.format('%%', 1), util.format('%x', 1), util.format('a', 'b', { c: 1 })],
      () => [util.format(1, 2, '3'), util.format('%s', 1, 2), util.format('100%', 1), util.format(), util.format('%s', undefined)],
    ],
    formatWithOptions: [
      () => util.formatWithOptions({ colors: true }, '%s %O', 1, { a: 1 }),
      () => util.formatWithOptions(5 as never, 'a'),
    ],
    promisify: [
      () => util.promisify((value: number, done: (error: Error | null, result: number) => void) => done(null, value + 1))(1),
      () => util.promisify((done: (error: Error) => void) => done(new RangeError('no')))(),
      () => util.promisify(5 as never),
      () => util.promisify(Object.assign(() => {}, { [util.promisify.custom]: async () => 'own' }) as never)(),
      () => util.promisify(setTimeout)(1, 'late'),
    ],
    callbackify: [
      () => new Promise((resolve) => util.callbackify(async (a: number) => a * 2)(21, (error, value) => resolve([error, value]))),
      () => new Promise((resolve) => util.callbackify(async () => Promise.reject(new Error('no')))((error) => resolve(error))),
      () => new Promise((resolve) => util.callbackify(async () => Promise.reject(null as never))((error) => resolve(error))),
      () => util.callbackify(5 as never),
      () => (util.callbackify(async () => 1) as () => void)(),
      () => util.callbackify(async function named(_a: number) {}).name,
    ],
    inherits: [
      () => {
        function Parent() {}
        function Child() {}
        util.inherits(Child as never, Parent as never);
        return [Object.getPrototypeOf(Child.prototype) === Parent.prototype, (Child as unknown as Bag)['super_'] === (Parent as never)];
      },
      () => util.inherits(null as never, class {} as never),
      () => util.inherits(class {} as never, {} as never),
    ],
    deprecate: [
      () => {
        const old = util.deprecate((a: number) => a + 1, 'old', 'DEP_CASE');
        return [old(1), old(2)];
      },
      () => util.deprecate(() => {}, 'm', 5 as never),
    ],
    debuglog: [() => [util.debuglog('case').enabled, typeof util.debuglog('case'), util.debuglog('case')('x')]],
    debug: [() => util.debug === util.debuglog],
    isDeepStrictEqual: [
      () => [util.isDeepStrictEqual({ a: [1] }, { a: [1] }), util.isDeepStrictEqual([1], ['1']), util.isDeepStrictEqual(NaN, NaN)],
      () => [
        util.isDeepStrictEqual(new Set([{ a: 1 }]), new Set([{ a: 1 }])),
        util.isDeepStrictEqual(new Map([[1, 2]]), new Map([[1, 3]])),
      ],
      () => [
        util.isDeepStrictEqual(circular(), circular()),
        util.isDeepStrictEqual(new Date(0), new Date(1)),
        util.isDeepStrictEqual(0, -0),
      ],
    ],
    parseArgs: [
      () => ({
        ...util.parseArgs({ args: ['-f', '--bar', 'b'], options: { foo: { type: 'boolean', short: 'f' }, bar: { type: 'string' } } })
          .values,
      }),
      () => util.parseArgs({ args: ['--nope'] }),
      () => util.parseArgs({ args: ['a', 'b'], allowPositionals: true }).positionals,
    ],
    styleText: [
      () => util.styleText('red', 'text', { validateStream: false }),
      () => util.styleText(['bold', 'underline'], 'text', { validateStream: false }),
      () => util.styleText('nope' as never, 'text', { validateStream: false }),
      () => util.styleText('red', 5 as never),
    ],
    stripVTControlCharacters: [
      () => util.stripVTControlCharacters('\u001b[31mred\u001b[39m plain'),
      () => util.stripVTControlCharacters(5 as never),
    ],
    toUSVString: [() => util.toUSVString('a\ud800b')],
    types: [() => typeof util.types],
    getSystemErrorName: [() => [util.getSystemErrorName(-2), util.getSystemErrorName(-1000)], () => util.getSystemErrorName(2)],
    getSystemErrorMap: [() => [...util.getSystemErrorMap()].filter(([number]) => number > -40).toSorted(([a], [b]) => a - b)],
    getSystemErrorMessage: [() => any['getSystemErrorMessage']?.(-2 as never)],
    getCallSites: [() => typeof any['getCallSites']?.()],
    aborted: [
      async () => {
        const controller = new AbortController();
        const wait = util.aborted(controller.signal, {});
        controller.abort();
        return wait;
      },
    ],
    parseEnv: [() => ({ ...util.parseEnv('A=1\nB="two words"\n# c\nexport C=\'3\' # x\nD=`a`\nE=') }), () => util.parseEnv(5 as never)],
    TextEncoder: [() => new util.TextEncoder().encode('h€')],
    TextDecoder: [() => new util.TextDecoder().decode(new Uint8Array([0xe2, 0x82, 0xac]))],
    MIMEType: [
      () => String(new util.MIMEType(' Text/HTML ; charset=UTF-8; q="a\\"b" ')),
      () => new util.MIMEType('nope'),
      () => {
        const type = new util.MIMEType('text/plain;a=1');
        type.type = 'application';
        type.subtype = 'json';
        return [type.essence, type.type, type.subtype, [...type.params.entries()], JSON.stringify(type)];
      },
    ],
    MIMEParams: [
      () => {
        const params = new util.MIMEParams();
        params.set('a', 'x y');
        return [params.get('a'), params.has('a'), String(params), [...params.keys()], [...params.values()]];
      },
      () => new util.MIMEParams().set('a b', ''),
    ],
    diff: [() => any['diff']?.('abc' as never, 'abd' as never), () => any['diff']?.(['a'] as never, ['a', 'b'] as never)],
    _extend: [() => any['_extend']?.({ a: 1 } as never, { b: 2 } as never)],
    _errnoException: [() => any['_errnoException']?.(-2 as never, 'open' as never, 'x' as never)],
    _exceptionWithHostPort: [() => any['_exceptionWithHostPort']?.(-111 as never, 'connect' as never, '127.0.0.1' as never, 80 as never)],
    isArray: [() => [any['isArray']?.([] as never), any['isArray']?.({} as never)]],
    convertProcessSignalToExitCode: [() => any['convertProcessSignalToExitCode']?.('SIGTERM' as never)],
    markPromiseAsHandled: [() => any['markPromiseAsHandled']?.(5 as never)],
    debounce: [() => any['debounce']?.((() => {}) as never, 1 as never)],
    throttle: [() => any['throttle']?.((() => {}) as never, 1 as never)],
    setTraceSigInt: [() => any['setTraceSigInt']?.(true as never)],
    transferableAbortController: [() => any['transferableAbortController']?.()],
    transferableAbortSignal: [() => any['transferableAbortSignal']?.(new AbortController().signal as never)],
  },
  {
    differs: { 'inspect of iterators': 'QuickJS does not tell what an iterator has yet to give: `<items unknown>`' },
    missing: {
      debounce: 'new in Node 26',
      throttle: 'new in Node 26',
      setTraceSigInt: 'there is no debugger',
      transferableAbortController: 'there are no threads to transfer it to',
      transferableAbortSignal: 'there are no threads to transfer it to',
    },
    since: {
      convertProcessSignalToExitCode: 25,
      markPromiseAsHandled: 26,
      diff: 24,
      isArray: 26,
      inspect: 26,
      promisify: 26,
      styleText: 26,
      getSystemErrorMap: 26,
      getCallSites: 24,
      getSystemErrorMessage: 24,
      isDeepStrictEqual: 24,
      'types.isFloat16Array': 24,
      parseEnv: 24,
    },
  },
);
