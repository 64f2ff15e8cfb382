/** `node:util/types`: what a value is inside, by its class in QuickJS. */
import ops from 'fulmar:ops';

type Check = (value: unknown) => boolean;

/**
 * QuickJS's classes in the order of their numbers, from 1 on (`quickjs.c` of the version that the workspace's
 * `Cargo.toml` pins).
 */
const CLASSES = (
  'Object Array Error Number String Boolean Symbol Arguments Arguments Date Module Function Function Function Function Function ' +
  'GeneratorFunction ForInIterator RegExp ArrayBuffer SharedArrayBuffer Uint8ClampedArray Int8Array Uint8Array Int16Array Uint16Array ' +
  'Int32Array Uint32Array BigInt64Array BigUint64Array Float16Array Float32Array Float64Array DataView BigInt Map Set WeakMap WeakSet ' +
  'Iterator IteratorConcat IteratorHelper IteratorWrap MapIterator SetIterator ArrayIterator StringIterator RegExpStringIterator ' +
  'Generator DisposableStack Proxy Promise PromiseResolve PromiseReject AsyncFunction AsyncResolve AsyncReject AsyncFromSyncIterator ' +
  'AsyncGeneratorFunction AsyncGenerator'
).split(' ');

/** True for objects of QuickJS's classes of these names. */
function of(...names: string[]): Check {
  const ids = CLASSES.flatMap((name, index) => (names.includes(name) ? [index + 1] : []));
  const [only] = ids;
  if (ids.length === 1) return (value) => ops.classId(value) === only;
  return (value) => ids.includes(ops.classId(value));
}

const TYPED_ARRAYS = [
  'Uint8Array',
  'Uint8ClampedArray',
  'Uint16Array',
  'Uint32Array',
  'Int8Array',
  'Int16Array',
  'Int32Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
] as const;

const isTypedArray: Check = (value) => ArrayBuffer.isView(value) && !(value instanceof DataView);
const isPromise: Check = (value) => ops.promiseState(value) !== undefined;
const isProxy: Check = (value) => ops.proxyParts(value) !== undefined;
const isGenerator = of('GeneratorFunction', 'AsyncGeneratorFunction');
const isAsync = of('AsyncFunction', 'AsyncGeneratorFunction');
const isArrayBuffer = of('ArrayBuffer');
const isSharedArrayBuffer = of('SharedArrayBuffer');
const isNumberObject = of('Number');
const isStringObject = of('String');
const isBooleanObject = of('Boolean');
const isSymbolObject = of('Symbol');
const isBigIntObject = of('BigInt');

const types: Record<string, Check> = {
  isExternal: () => false,
  isDate: of('Date'),
  isArgumentsObject: of('Arguments'),
  isBigIntObject,
  isBooleanObject,
  isNumberObject,
  isStringObject,
  isSymbolObject,
  isBoxedPrimitive: (value) =>
    isNumberObject(value) || isStringObject(value) || isBooleanObject(value) || isBigIntObject(value) || isSymbolObject(value),
  isNativeError: of('Error'),
  isRegExp: of('RegExp'),
  isAsyncFunction: (value) => typeof value === 'function' && isAsync(value),
  isGeneratorFunction: (value) => typeof value === 'function' && isGenerator(value),
  isGeneratorObject: of('Generator', 'AsyncGenerator'),
  isPromise,
  isMap: of('Map'),
  isSet: of('Set'),
  isMapIterator: of('MapIterator'),
  isSetIterator: of('SetIterator'),
  isWeakMap: of('WeakMap'),
  isWeakSet: of('WeakSet'),
  isArrayBuffer,
  isDataView: of('DataView'),
  isSharedArrayBuffer,
  isProxy,
  isModuleNamespaceObject: of('Module'),
  isAnyArrayBuffer: (value) => isArrayBuffer(value) || isSharedArrayBuffer(value),
  isCryptoKey: (value) => isGlobal('CryptoKey', value),
  isKeyObject: (value) => (value as { constructor?: { name?: string } } | null)?.constructor?.name?.endsWith('KeyObject') === true,
  isArrayBufferView: (value) => ArrayBuffer.isView(value),
  isTypedArray,
};
for (const name of TYPED_ARRAYS) types[`is${name}`] = of(name);

function isGlobal(name: string, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  // A class that nobody has looked at has no objects.
  const known: unknown = Object.getOwnPropertyDescriptor(globalThis, name)?.value;
  return typeof known === 'function' && value instanceof known;
}

export default types;
