/**
 * The base of `Hash`, `Hmac` and the ciphers: a `stream.Transform` that becomes one only when it is used as a
 * stream. Most hashes never are, and then `node:stream` need not be loaded.
 */
import type { Transform, TransformOptions } from 'node:stream';

/** Members that say: this object is used as a stream now. */
const STREAM_MEMBERS = [
  ...(
    '_readableState _writableState addListener closed compose cork destroy destroyed drop emit end errored eventNames every ' +
    'filter find flatMap forEach getMaxListeners isPaused iterator listenerCount listeners map off on once pause pipe ' +
    'prependListener prependOnceListener push rawListeners read readable readableAborted readableBuffer readableDidRead ' +
    'readableEncoding readableEnded readableFlowing readableHighWaterMark readableLength readableObjectMode reduce ' +
    'removeAllListeners removeListener resume setDefaultEncoding setEncoding setMaxListeners some take toArray uncork unpipe ' +
    'unshift wrap writable writableBuffer writableCorked writableEnded writableFinished writableHighWaterMark writableLength ' +
    'writableNeedDrain writableObjectMode write'
  ).split(' '),
  Symbol.asyncIterator,
  Symbol.asyncDispose,
];

export interface LazyTransform extends Transform {
  /** As Node has it. */
  _options?: TransformOptions;
}

type Instance = Record<PropertyKey, unknown> & { _options?: TransformOptions | null };

/**
 * `LazyTransform.prototype` inherits from `Transform.prototype` once a stream was needed; what inherits from
 * it is made by the host.
 */
export const LazyTransform = function LazyTransform(): void {} as unknown as (() => void) & { prototype: object };

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
  const options = self._options ?? {};
  const Base = stream() as unknown as (this: object, options: TransformOptions) => void;
  // The states become own properties when the stream's constructor assigns them.
  for (const name of ['_readableState', '_writableState'] as const) {
    Object.defineProperty(self, name, { value: undefined, writable: true, configurable: true, enumerable: true });
  }
  Base.call(self, options);
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
