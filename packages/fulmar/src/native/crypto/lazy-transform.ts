/**
 * The base of `Hash`, `Hmac` and the ciphers: a `stream.Transform` that becomes one only when it is used as a stream. Most hashes
 * never are, and then `node:stream` need not be loaded.
 */
import type { Transform, TransformOptions } from 'node:stream';

/** Members that say: this object is used as a stream now. */
const STREAM_MEMBERS = [
  '_readableState',
  '_writableState',
  'addListener',
  'compose',
  'cork',
  'destroy',
  'destroyed',
  'emit',
  'end',
  'errored',
  'eventNames',
  'isPaused',
  'iterator',
  'listenerCount',
  'listeners',
  'map',
  'off',
  'on',
  'once',
  'pause',
  'pipe',
  'prependListener',
  'push',
  'read',
  'readable',
  'readableEnded',
  'removeAllListeners',
  'removeListener',
  'resume',
  'setDefaultEncoding',
  'setEncoding',
  'uncork',
  'unpipe',
  'unshift',
  'writable',
  'writableEnded',
  'writableFinished',
  'write',
  Symbol.asyncIterator,
] as const;

export interface LazyTransform extends Transform {
  readonly streamOptions: TransformOptions | undefined;
}

type Instance = Record<PropertyKey, unknown> & { streamOptions?: TransformOptions | undefined };

/** The constructor of the base; `LazyTransform.prototype` inherits from `Transform.prototype` once a stream was needed. */
export const LazyTransform = function LazyTransform(this: Instance, options?: TransformOptions): void {
  // Most have none, and a property that is not enumerable costs as much as a short digest.
  if (options !== undefined) Object.defineProperty(this, 'streamOptions', { value: options, configurable: true, writable: true });
} as unknown as { new (options?: TransformOptions): LazyTransform; prototype: LazyTransform };

const ready = new WeakSet<object>();
let base: typeof Transform | undefined;

function stream(): typeof Transform {
  if (base === undefined) {
    base = process.getBuiltinModule('node:stream').Transform;
    Object.setPrototypeOf(LazyTransform.prototype, base.prototype as object);
    Object.setPrototypeOf(LazyTransform, base);
  }
  return base;
}

/** Makes the object a stream, once. */
function become(self: Instance): void {
  if (ready.has(self)) return;
  ready.add(self);
  const streamOptions = self.streamOptions ?? {};
  const Base = stream() as unknown as (this: object, options: TransformOptions) => void;
  // The states become own properties when the stream's constructor assigns them.
  for (const name of ['_readableState', '_writableState'] as const) {
    Object.defineProperty(self, name, { value: undefined, writable: true, configurable: true, enumerable: true });
  }
  Base.call(self, streamOptions);
}

for (const member of STREAM_MEMBERS) {
  Object.defineProperty(LazyTransform.prototype, member, {
    configurable: true,
    get(this: Instance) {
      if ((this as unknown) === LazyTransform.prototype || !(this instanceof LazyTransform)) return undefined;
      become(this);
      if (Object.hasOwn(this, member)) return this[member];
      return Reflect.get(stream().prototype as object, member, this) as unknown;
    },
    set(this: Instance, value: unknown) {
      Object.defineProperty(this, member, { value, writable: true, configurable: true, enumerable: true });
    },
  });
}
