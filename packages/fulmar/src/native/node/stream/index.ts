/**
 * `node:stream`: `readable-stream`, Node's own streams as a package, put together so that only `Readable`, `Writable` and `Duplex` are
 * loaded; pipelines, operators, `compose`, `Duplex.from` and the adapters to web streams are parts that load when they are used.
 */
import internal from 'fulmar:internal';
import type * as NodeStream from 'node:stream';
import addAbortSignal from 'readable-stream/lib/internal/streams/add-abort-signal';
import destroy from 'readable-stream/lib/internal/streams/destroy';
import DuplexClass from 'readable-stream/lib/internal/streams/duplex';
import finished from 'readable-stream/lib/internal/streams/end-of-stream';
import legacy from 'readable-stream/lib/internal/streams/legacy';
import PassThrough from 'readable-stream/lib/internal/streams/passthrough';
import ReadableClass from 'readable-stream/lib/internal/streams/readable';
import Transform from 'readable-stream/lib/internal/streams/transform';
import utils from 'readable-stream/lib/internal/streams/utils';
import WritableClass from 'readable-stream/lib/internal/streams/writable';
import type { Adapters } from '../../lazy/stream-web.ts';
import type { Extras } from '../../lazy/stream-extras.ts';
import { illegalConstructor } from '../../stream/errors.ts';
import { getDefaultHighWaterMark, setDefaultHighWaterMark } from '../../stream/state.ts';

type Fn = (...args: never[]) => unknown;
type Extensible = Record<string | symbol, unknown>;

const Readable = ReadableClass as typeof NodeStream.Readable;
const Writable = WritableClass as typeof NodeStream.Writable;
const Duplex = DuplexClass as typeof NodeStream.Duplex;
const Stream = legacy.Stream as Extensible & typeof NodeStream;
const promisified = Symbol.for('nodejs.util.promisify.custom');

const extras = () => internal('lazy/stream-extras.cjs') as Extras;
const adapters = () => internal('lazy/stream-web.cjs') as Adapters;

function pipeline(...streams: unknown[]): unknown {
  return extras().pipeline(...streams);
}

function compose(...streams: unknown[]): unknown {
  return extras().compose(...streams);
}

function duplexPair(options?: NodeStream.DuplexOptions): unknown {
  return extras().duplexPair(options);
}

/** Operators by name, with the number of their parameters. */
const streamOperators: Readonly<Record<string, number>> = { drop: 1, filter: 2, flatMap: 2, map: 2, take: 1 };
const promiseOperators: Readonly<Record<string, number>> = { every: 1, forEach: 2, reduce: 3, toArray: 1, some: 1, find: 2 };

function defineOperator(name: string, length: number): void {
  const operator = function (this: NodeStream.Readable, ...args: unknown[]): unknown {
    if (new.target) throw illegalConstructor();
    return extras().operator(name, this, args);
  };
  Object.defineProperty(operator, 'name', { value: name });
  Object.defineProperty(operator, 'length', { value: length });
  Object.defineProperty(Readable.prototype, name, { value: operator, enumerable: false, configurable: true, writable: true });
}

for (const name of Object.keys(streamOperators)) defineOperator(name, streamOperators[name] ?? 0);
for (const name of Object.keys(promiseOperators)) defineOperator(name, promiseOperators[name] ?? 0);

Object.assign(Readable.prototype, {
  compose(this: NodeStream.Readable, stream: unknown, options: unknown) {
    return extras().operator('compose', this, [stream, options]);
  },
});
Object.assign(Readable, {
  fromWeb: (stream: never, options: never) => adapters().readableFromWeb(stream, options),
  toWeb: (stream: never, options: never) => adapters().readableToWeb(stream, options),
});
Object.assign(Writable, {
  fromWeb: (stream: never, options: never) => adapters().writableFromWeb(stream, options),
  toWeb: (stream: never) => adapters().writableToWeb(stream),
});
Object.assign(Duplex, {
  fromWeb: (pair: never, options: never) => adapters().duplexFromWeb(pair, options),
  toWeb: (duplex: never) => adapters().duplexToWeb(duplex),
  from: (body: unknown) => extras().duplexFrom(body),
});

const promises = () => process.getBuiltinModule('node:stream/promises');
const promisedBy = (name: 'pipeline' | 'finished') => ({ enumerable: true, get: () => promises()[name] });
Object.defineProperty(pipeline, promisified, promisedBy('pipeline'));
Object.defineProperty(finished, promisified, promisedBy('finished'));

Object.assign(Stream, {
  isDestroyed: utils.isDestroyed as Fn,
  isDisturbed: utils.isDisturbed as Fn,
  isErrored: utils.isErrored as Fn,
  isReadable: utils.isReadable as Fn,
  isWritable: utils.isWritable as Fn,
  Readable,
  Writable,
  Duplex,
  Transform,
  PassThrough,
  duplexPair,
  pipeline,
  addAbortSignal: addAbortSignal.addAbortSignal as Fn,
  finished,
  destroy: destroy.destroyer as Fn,
  compose,
  setDefaultHighWaterMark,
  getDefaultHighWaterMark,
});
Object.defineProperty(Stream, 'promises', { configurable: true, enumerable: true, get: promises });
Object.assign(Stream, {
  Stream,
  _isArrayBufferView: ArrayBuffer.isView,
  // What `write` and `push` ask: since Node 22 they take any view.
  _isUint8Array: ArrayBuffer.isView,
  _uint8ArrayToBuffer: (chunk: ArrayBufferView) => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength),
});

export default Stream;
