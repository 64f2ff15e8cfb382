/**
 * A part of `node:stream`, loaded when it is used: the adapters between Node's streams and the web's.
 */
import './classes.later.ts';
import type * as NodeStream from 'node:stream';
import Duplex from 'readable-stream/lib/internal/streams/duplex';
import endOfStream from 'readable-stream/lib/internal/streams/end-of-stream';
import Readable from 'readable-stream/lib/internal/streams/readable';
import Writable from 'readable-stream/lib/internal/streams/writable';
import { type Deferred, deferred } from '../shared/deferred.ts';
import { AbortError, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { validateObject } from '../shared/validators.ts';

export interface Adapters {
  readableFromWeb(stream: ReadableStream, options?: NodeStream.ReadableOptions): NodeStream.Readable;
  readableToWeb(stream: NodeStream.Readable, options?: { strategy?: QueuingStrategy; type?: 'bytes' }): ReadableStream;
  writableFromWeb(stream: WritableStream, options?: NodeStream.WritableOptions): NodeStream.Writable;
  writableToWeb(stream: NodeStream.Writable): WritableStream;
  duplexFromWeb(pair: { readable: ReadableStream; writable: WritableStream }, options?: NodeStream.DuplexOptions): NodeStream.Duplex;
  duplexToWeb(stream: NodeStream.Duplex): { readable: ReadableStream; writable: WritableStream };
}

type Done = (error?: Error | null) => void;
type Reader = ReadableStreamDefaultReader<unknown>;
type Writer = WritableStreamDefaultWriter<unknown>;

const finished = endOfStream as (stream: unknown, options: object, callback: (error?: Error) => void) => () => void;
const ReadableClass = Readable as typeof NodeStream.Readable;
const WritableClass = Writable as typeof NodeStream.Writable;
const DuplexClass = Duplex as typeof NodeStream.Duplex;

/** Is it a stream of Node's with this side? */
function hasState(stream: unknown, name: '_readableState' | '_writableState'): boolean {
  return typeof (stream as Record<string, unknown> | null | undefined)?.[name] === 'object';
}

/** The promise's end, as a callback on the next tick. */
function settle(promise: Promise<unknown>, callback: Done): void {
  promise.then(
    () => process.nextTick(callback, null),
    (error: unknown) => process.nextTick(callback, error as Error),
  );
}

function pullInto(target: NodeStream.Readable, reader: Reader): void {
  reader.read().then(
    ({ done, value }) => target.push(done ? null : value),
    (error: unknown) => target.destroy(error as Error),
  );
}

function writeTo(writer: Writer, chunk: unknown, encoding: BufferEncoding, objectMode: boolean, callback: Done): void {
  const value = typeof chunk === 'string' && !objectMode ? new Uint8Array(Buffer.from(chunk, encoding)) : chunk;
  settle(
    writer.ready.then(() => writer.write(value)),
    callback,
  );
}

export function readableFromWeb(stream: ReadableStream, options: NodeStream.ReadableOptions = {}): NodeStream.Readable {
  if (!(stream instanceof ReadableStream)) throw invalidArgType('readableStream', 'ReadableStream', stream);
  validateObject(options, 'options');
  const { highWaterMark, encoding, objectMode = false, signal } = options;
  const reader = stream.getReader();
  let closed = false;
  const made = new ReadableClass({
    objectMode,
    ...(highWaterMark === undefined ? {} : { highWaterMark }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(signal === undefined ? {} : { signal }),
    read: () => pullInto(made, reader),
    destroy(error, callback) {
      if (closed) callback(error);
      else settle(reader.cancel(error), () => callback(error));
    },
  });
  reader.closed.then(
    () => (closed = true),
    (error: unknown) => {
      closed = true;
      made.destroy(error as Error);
    },
  );
  return made;
}

export function readableToWeb(stream: NodeStream.Readable, options: { strategy?: QueuingStrategy; type?: 'bytes' } = {}): ReadableStream {
  if (!hasState(stream, '_readableState')) throw invalidArgType('streamReadable', 'stream.Readable', stream);
  if (stream.destroyed || !stream.readable) {
    const empty = new ReadableStream();
    void empty.cancel();
    return empty;
  }
  const objectMode = stream.readableObjectMode;
  const strategy = options.strategy ?? strategyOf(objectMode, stream.readableHighWaterMark);
  let controller: ReadableStreamDefaultController | ReadableByteStreamController;
  const onData = (chunk: unknown): void => {
    const value = Buffer.isBuffer(chunk) && !objectMode ? new Uint8Array(chunk) : chunk;
    (controller as ReadableStreamDefaultController).enqueue(value);
    if ((controller.desiredSize ?? 0) <= 0) stream.pause();
  };
  const cleanup = finished(stream, { writable: false }, (error) => {
    cleanup();
    stream.on('error', () => {});
    if (error) controller.error(prematurely(error));
    else controller.close();
  });
  stream.pause();
  stream.on('data', onData);
  const source = {
    start: (given: ReadableStreamDefaultController) => void (controller = given),
    pull: () => void stream.resume(),
    cancel: (reason: unknown) => void stream.destroy(reason as Error),
  };
  if (options.type === 'bytes') return new ReadableStream({ ...source, type: 'bytes' } as never);
  return new ReadableStream(source, strategy);
}

function strategyOf(objectMode: boolean, highWaterMark: number): QueuingStrategy {
  return objectMode ? new CountQueuingStrategy({ highWaterMark }) : new ByteLengthQueuingStrategy({ highWaterMark });
}

function prematurely(error: Error & { code?: string }): Error {
  if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') return error;
  return new AbortError(undefined, { cause: error });
}

/** `write`, `final` and `destroy` of a stream that writes to a web stream. */
function writerMethods(writer: Writer, isClosed: () => boolean, objectMode: boolean) {
  return {
    write: (chunk: unknown, encoding: BufferEncoding, callback: Done) => writeTo(writer, chunk, encoding, objectMode, callback),
    final: (callback: Done) => (isClosed() ? callback() : settle(writer.close(), callback)),
  };
}

export function writableFromWeb(stream: WritableStream, options: NodeStream.WritableOptions = {}): NodeStream.Writable {
  if (!(stream instanceof WritableStream)) throw invalidArgType('writableStream', 'WritableStream', stream);
  validateObject(options, 'options');
  const writer = stream.getWriter();
  let closed = false;
  const made = new WritableClass({
    ...options,
    ...writerMethods(writer, () => closed, options.objectMode ?? false),
    destroy(error, callback) {
      if (closed) callback(error);
      else settle(error === null ? writer.close() : writer.abort(error), () => callback(error));
    },
  });
  writer.closed.then(
    () => (closed = true),
    (error: unknown) => {
      closed = true;
      made.destroy(error as Error);
    },
  );
  return made;
}

export function writableToWeb(stream: NodeStream.Writable): WritableStream {
  if (!hasState(stream, '_writableState')) throw invalidArgType('streamWritable', 'stream.Writable', stream);
  if (stream.destroyed || !stream.writable) {
    const closed = new WritableStream();
    void closed.close();
    return closed;
  }
  let controller: WritableStreamDefaultController;
  let drained: Deferred<void> | undefined;
  let ended: Deferred<void> | undefined;
  const cleanup = finished(stream, { readable: false }, (error) => {
    cleanup();
    stream.on('error', () => {});
    const reason = error ? prematurely(error) : undefined;
    if (reason === undefined) ended?.resolve();
    else ended?.reject(reason);
    if (reason === undefined) drained?.resolve();
    else drained?.reject(reason);
    if (ended === undefined) controller.error(reason ?? new AbortError());
    ended = undefined;
  });
  stream.on('drain', () => drained?.resolve());
  const sink = {
    start: (given: WritableStreamDefaultController) => void (controller = given),
    async write(chunk: unknown): Promise<void> {
      if (stream.writableNeedDrain || !stream.write(chunk)) {
        drained = deferred();
        await drained.promise.finally(() => (drained = undefined));
      }
    },
    abort: (reason: unknown) => void stream.destroy(reason as Error),
    close(): Promise<void> | void {
      if (ended !== undefined || stream.writableEnded) return;
      ended = deferred();
      stream.end();
      return ended.promise;
    },
  };
  return new WritableStream(sink, strategyOf(stream.writableObjectMode, stream.writableHighWaterMark));
}

export function duplexFromWeb(
  pair: { readable: ReadableStream; writable: WritableStream },
  options: NodeStream.DuplexOptions = {},
): NodeStream.Duplex {
  validateObject(pair, 'pair');
  const { readable, writable } = pair;
  if (!(readable instanceof ReadableStream)) throw invalidArgType('pair.readable', 'ReadableStream', readable);
  if (!(writable instanceof WritableStream)) throw invalidArgType('pair.writable', 'WritableStream', writable);
  const reader = readable.getReader();
  const writer = writable.getWriter();
  let writableClosed = false;
  let readableClosed = false;
  const made = new DuplexClass({
    ...options,
    ...writerMethods(writer, () => writableClosed, options.writableObjectMode ?? options.objectMode ?? false),
    read: () => pullInto(made, reader),
    destroy(error, callback) {
      const ends = [
        writableClosed ? undefined : error === null ? writer.close() : writer.abort(error),
        readableClosed ? undefined : reader.cancel(error),
      ];
      settle(Promise.allSettled(ends), () => callback(error));
    },
  });
  const failed = (error: unknown): void => void made.destroy(error as Error);
  writer.closed.then(() => (writableClosed = true), failed);
  reader.closed.then(() => (readableClosed = true), failed);
  return made;
}

export function duplexToWeb(stream: NodeStream.Duplex): { readable: ReadableStream; writable: WritableStream } {
  if (!hasState(stream, '_writableState') || !hasState(stream, '_readableState')) {
    throw invalidArgType('duplex', 'stream.Duplex', stream);
  }
  if (stream.destroyed) throw invalidArgValue('duplex', stream, 'must not be destroyed');
  return { readable: readableToWeb(stream), writable: writableToWeb(stream) };
}
