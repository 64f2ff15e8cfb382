/**
 * The code of `node:stream`: Node's own streams as the package `readable-stream`. What stands on its files
 * imports this one first.
 */
import later from 'fulmar:later';
import addAbortSignals from 'readable-stream/lib/internal/streams/add-abort-signal';
import destroys from 'readable-stream/lib/internal/streams/destroy';
import Duplex from 'readable-stream/lib/internal/streams/duplex';
import finished from 'readable-stream/lib/internal/streams/end-of-stream';
import legacy from 'readable-stream/lib/internal/streams/legacy';
import PassThrough from 'readable-stream/lib/internal/streams/passthrough';
import ReadableClass from 'readable-stream/lib/internal/streams/readable';
import Transform from 'readable-stream/lib/internal/streams/transform';
import utils from 'readable-stream/lib/internal/streams/utils';
import Writable from 'readable-stream/lib/internal/streams/writable';
import { define } from '../shared/define.ts';
import { chunkChecks } from './chunks.ts';
import { Readable, Stream, streams } from './classes.ts';
import type { Extras } from './extras.later.ts';
import type { Adapters } from './web.later.ts';

const extras = () => later<typeof import('./extras.later.ts')>() as Extras;
const adapters = () => later<typeof import('./web.later.ts')>() as Adapters;

Object.assign(legacy.Stream, chunkChecks);
streams.link([legacy.Stream, ReadableClass]);
define(Writable, Stream, []);
define(Duplex, Readable, []);

Object.assign(Writable, {
  fromWeb: (stream: never, options: never) => adapters().writableFromWeb(stream, options),
  toWeb: (stream: never) => adapters().writableToWeb(stream),
});
Object.assign(Duplex, {
  fromWeb: (pair: never, options: never) => adapters().duplexFromWeb(pair, options),
  toWeb: (duplex: never) => adapters().duplexToWeb(duplex),
  from: (body: unknown) => extras().duplexFrom(body),
});
Object.defineProperty(finished, Symbol.for('nodejs.util.promisify.custom'), {
  enumerable: true,
  get: () => process.getBuiltinModule('node:stream/promises').finished,
});

/** What `Readable` has itself. */
export const readable: Readonly<Record<string, unknown>> = {
  ReadableState: ReadableClass.ReadableState,
  _fromList: ReadableClass._fromList,
  from: ReadableClass.from,
  fromWeb: (stream: never, options: never) => adapters().readableFromWeb(stream, options),
  toWeb: (stream: never, options: never) => adapters().readableToWeb(stream, options),
  wrap: ReadableClass.wrap,
};

/** What `node:stream` exports of it. */
export const exported: Readonly<Record<string, unknown>> = {
  isDestroyed: utils.isDestroyed,
  isDisturbed: utils.isDisturbed,
  isErrored: utils.isErrored,
  isReadable: utils.isReadable,
  isWritable: utils.isWritable,
  Writable,
  Duplex,
  Transform,
  PassThrough,
  addAbortSignal: addAbortSignals.addAbortSignal,
  finished,
  destroy: destroys.destroyer,
};
