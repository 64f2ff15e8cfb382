/**
 * `fs.ReadStream` and `fs.WriteStream`, loaded when the first is made.
 */
import type * as NodeFs from 'node:fs';
import { Readable, type ReadableOptions, Writable, type WritableOptions } from 'node:stream';
import { calledBack } from '../shared/deferred.ts';
import { invalidArgType, outOfRange } from '../shared/errors.ts';
import { type Options, optionsOf, pathOf } from './arguments.ts';
import { parseFileMode, validateFunction, validateInteger } from '../shared/validators.ts';

type Path = string | Buffer | undefined;
type Done = (error?: Error | null) => void;
type FileHandle = NodeFs.promises.FileHandle;
/** What a stream calls: `node:fs` or what the application gives as `options.fs`. */
type Calls = Record<string, ((...args: unknown[]) => void) | undefined>;

export interface FileStreams {
  ReadStream: unknown;
  WriteStream: unknown;
  createReadStream(path: unknown, options: unknown): unknown;
  createWriteStream(path: unknown, options: unknown): unknown;
}

interface StreamOptions extends Options {
  readonly fd?: number | FileHandle | null;
  readonly start?: number;
  readonly end?: number;
  readonly autoClose?: boolean;
  readonly emitClose?: boolean;
  readonly highWaterMark?: number;
  readonly fs?: Calls | null;
}

const calls = Symbol('fs');
const handle = Symbol('handle');
const busy = Symbol('performing I/O');
const afterwards = 'performed I/O';

/** The stream as an emitter. */
function emitter(stream: FileStream): NodeJS.EventEmitter {
  return stream as unknown as NodeJS.EventEmitter;
}

interface FileStream {
  fd: number | null;
  path: Path;
  flags: string | number | undefined;
  mode: number | undefined;
  readonly [calls]: Calls;
  [handle]: FileHandle | undefined;
  [busy]: boolean;
}

/** The file's own functions, or those of the application where it gives any. */
function callsOf(options: StreamOptions, needed: readonly string[]): Calls {
  const own = process.getBuiltinModule('node:fs') as unknown as Calls;
  const given = options.fs ?? own;
  if (given !== own) {
    for (const name of ['open', 'close', ...needed]) validateFunction(given[name], `options.fs.${name}`);
  }
  return given;
}

/** Takes over what the options say about the file. */
function prepare(stream: FileStream, path: unknown, options: StreamOptions, flags: string): void {
  const { fd } = options;
  if (fd === undefined || fd === null) {
    stream.fd = null;
    stream.path = pathOf(path) as Path;
    stream.flags = (options['flags'] as string | number | undefined) ?? flags;
    stream.mode = parseFileMode(options.mode, 'mode', 0o666);
    return;
  }
  // Node sets the members in this order and form.
  stream.path = path as Path;
  stream.flags = (options['flags'] as string | undefined) ?? flags;
  stream.mode = options.mode === undefined ? 0o666 : parseFileMode(options.mode, 'mode', 0o666);
  if (typeof fd === 'number') {
    validateInteger(fd, 'fd', 0, 2147483647);
    stream.fd = fd;
  } else if (typeof fd === 'object' && typeof fd.fd === 'number') {
    if (options.fs) throw new TypeError('The FileHandle with fs method is not implemented');
    stream[handle] = fd;
    stream.fd = fd.fd;
    (fd as unknown as NodeJS.EventEmitter).on('close', () => (stream as unknown as Readable).destroy());
  } else {
    throw invalidArgType('options.fd', ['number', 'FileHandle'], fd);
  }
}

function construct(stream: FileStream, callback: Done): void {
  if (typeof stream.fd === 'number') return callback();
  stream[calls]['open']?.(stream.path, stream.flags, stream.mode, (error: Error | null, fd: number) => {
    if (error) return callback(error);
    stream.fd = fd;
    callback();
    emitter(stream).emit('open', fd);
    emitter(stream).emit('ready');
  });
}

function closeFile(stream: FileStream, error: Error | null | undefined, callback: Done): void {
  const { fd } = stream;
  stream.fd = null;
  const owner = stream[handle];
  const done = (failure?: Error | null): void => callback(failure ?? error);
  if (owner !== undefined) calledBack(owner.close(), done);
  else if (fd === null) done();
  else stream[calls]['close']?.(fd, done);
}

/** Closes once no read or write is under way. */
function destroy(stream: FileStream, error: Error | null, callback: Done): void {
  if (stream[busy]) emitter(stream).once(afterwards, (failure: Error | null) => closeFile(stream, error ?? failure, callback));
  else closeFile(stream, error, callback);
}

function checkPosition(value: unknown, name: string): void {
  if (value !== undefined) validateInteger(value, name, 0);
}

/** Does a transfer; what waits for it to end is told. */
function perform(stream: FileStream, start: (done: (...values: unknown[]) => void) => void, done: (...values: never[]) => void): void {
  stream[busy] = true;
  start((...values) => {
    stream[busy] = false;
    if ((stream as unknown as Readable).destroyed) {
      emitter(stream).emit(afterwards, values[0] ?? null);
      return;
    }
    (done as (...all: unknown[]) => void)(...values);
  });
}

interface ReadStream extends Readable, FileStream {
  start: number | undefined;
  end: number;
  pos: number | undefined;
  bytesRead: number;
}

function ReadStream(this: ReadStream | undefined, path: unknown, given?: unknown): ReadStream {
  if (!(this instanceof ReadStream)) return new (ReadStream as unknown as new (path: unknown, given: unknown) => ReadStream)(path, given);
  const stream = this as ReadStream;
  const options = { emitClose: true, highWaterMark: 64 * 1024, ...optionsOf(given) } as StreamOptions & { autoDestroy?: boolean };
  Object.assign(options, { autoDestroy: options.autoClose ?? true });
  stream.fd = null;
  prepare(stream, path, options, 'r');
  const { start, end = Infinity } = options;
  checkPosition(start, 'start');
  if (end !== Infinity) {
    validateInteger(end, 'end', 0);
    if (start !== undefined && start > end) throw outOfRange('start', `<= "end" (here: ${end})`, start);
  }
  stream.start = start;
  stream.end = end;
  stream.pos = start;
  stream.bytesRead = 0;
  Object.assign(stream, { [calls]: callsOf(options, ['read']), [busy]: false });
  Readable.call(stream as never, options as ReadableOptions);
  if (options.encoding) stream.setEncoding(options.encoding as BufferEncoding);
  return stream;
}

Object.setPrototypeOf(ReadStream.prototype, Readable.prototype);
Object.setPrototypeOf(ReadStream, Readable);

Object.defineProperty(ReadStream.prototype, 'autoClose', {
  get(this: Readable & { _readableState: { autoDestroy: boolean } }) {
    return this._readableState.autoDestroy;
  },
  set(this: Readable & { _readableState: { autoDestroy: boolean } }, value: boolean) {
    this._readableState.autoDestroy = value;
  },
});
Object.defineProperty(ReadStream.prototype, 'pending', {
  configurable: true,
  get(this: FileStream) {
    return this.fd === null;
  },
});

Object.assign(ReadStream.prototype, {
  _construct(this: ReadStream, callback: Done) {
    construct(this, callback);
  },
  _read(this: ReadStream, size: number) {
    const wanted = this.pos === undefined ? Math.min(this.end - this.bytesRead + 1, size) : Math.min(this.end - this.pos + 1, size);
    if (wanted <= 0) {
      this.push(null);
      return;
    }
    const buffer = Buffer.allocUnsafeSlow(wanted);
    const done = (error: Error | null, count: number): void => {
      if (error) {
        this.destroy(error);
        return;
      }
      if (count <= 0) {
        this.push(null);
        return;
      }
      if (this.pos !== undefined) this.pos += count;
      this.bytesRead += count;
      // A small piece does not keep a large buffer alive.
      this.push(
        count === buffer.length ? buffer : count < buffer.length / 2 ? Buffer.from(buffer.subarray(0, count)) : buffer.subarray(0, count),
      );
    };
    perform(this, (callback) => this[calls]['read']?.(this.fd, buffer, 0, wanted, this.pos, callback), done as never);
  },
  _destroy(this: ReadStream, error: Error | null, callback: Done) {
    destroy(this, error, callback);
  },
  close(this: ReadStream, callback?: (error?: Error | null) => void) {
    if (callback) closed(this, callback);
    this.destroy();
  },
});

function closed(stream: Readable | Writable, callback: Done): void {
  const { finished } = process.getBuiltinModule('node:stream');
  finished(stream, callback as never);
}

interface WriteStream extends Writable, FileStream {
  start: number | undefined;
  pos: number | undefined;
  flush: boolean;
  bytesWritten: number;
}

function WriteStream(this: WriteStream | undefined, path: unknown, given?: unknown): WriteStream {
  if (!(this instanceof WriteStream))
    return new (WriteStream as unknown as new (path: unknown, given: unknown) => WriteStream)(path, given);
  const stream = this as WriteStream;
  const options = { emitClose: true, ...optionsOf(given), decodeStrings: true } as StreamOptions & { autoDestroy?: boolean };
  Object.assign(options, { autoDestroy: options.autoClose ?? true });
  stream.fd = null;
  prepare(stream, path, options, 'w');
  stream.flush = options.flush ?? false;
  checkPosition(options.start, 'start');
  stream.start = options.start;
  stream.pos = options.start;
  stream.bytesWritten = 0;
  const own = callsOf(options, ['write']);
  Object.assign(stream, { [calls]: own, [busy]: false });
  if (own['writev'] === undefined) Object.assign(stream, { _writev: null });
  Writable.call(stream as never, options as WritableOptions);
  if (options.encoding) stream.setDefaultEncoding(options.encoding as BufferEncoding);
  return stream;
}

Object.setPrototypeOf(WriteStream.prototype, Writable.prototype);
Object.setPrototypeOf(WriteStream, Writable);

Object.defineProperty(WriteStream.prototype, 'autoClose', {
  get(this: Writable & { _writableState: { autoDestroy: boolean } }) {
    return this._writableState.autoDestroy;
  },
  set(this: Writable & { _writableState: { autoDestroy: boolean } }, value: boolean) {
    this._writableState.autoDestroy = value;
  },
});
Object.defineProperty(WriteStream.prototype, 'pending', {
  configurable: true,
  get(this: FileStream) {
    return this.fd === null;
  },
});

/** Writes all of it, in as many steps as the system needs. */
function writeAll(stream: WriteStream, data: Uint8Array, callback: Done): void {
  const write = (rest: Uint8Array): void =>
    stream[calls]['write']?.(stream.fd, rest, 0, rest.length, stream.pos, (error: (Error & { code?: string }) | null, count: number) => {
      if (error?.code === 'EAGAIN') return setTimeout(write, 1, rest);
      if (error) return callback(error);
      stream.bytesWritten += count;
      if (stream.pos !== undefined) stream.pos += count;
      if (stream.destroyed || count === rest.length) return callback();
      write(rest.subarray(count));
    });
  write(data);
}

Object.assign(WriteStream.prototype, {
  _construct(this: WriteStream, callback: Done) {
    construct(this, callback);
  },
  _write(this: WriteStream, data: Uint8Array, _encoding: string, callback: Done) {
    performWrite(this, data, callback);
  },
  _writev(this: WriteStream, data: { chunk: Uint8Array }[], callback: Done) {
    performWrite(this, Buffer.concat(data.map(({ chunk }) => chunk)), callback);
  },
  _final(this: WriteStream, callback: Done) {
    if (!this.flush) return callback();
    this[calls]['fsync']?.(this.fd, callback);
  },
  _destroy(this: WriteStream, error: Error | null, callback: Done) {
    destroy(this, error, callback);
  },
  close(this: WriteStream, callback?: (error?: Error | null) => void) {
    if (callback) {
      if (this.closed) {
        process.nextTick(callback);
        return;
      }
      this.on('close', callback as () => void);
    }
    if (!(this as unknown as { autoClose: boolean }).autoClose) this.on('finish', () => this.destroy());
    this.end();
  },
});
Object.assign(WriteStream.prototype, { destroySoon: Writable.prototype.end });

function performWrite(stream: WriteStream, data: Uint8Array, callback: Done): void {
  stream[busy] = true;
  writeAll(stream, data, (error) => {
    stream[busy] = false;
    if (stream.destroyed) {
      callback(error);
      emitter(stream).emit(afterwards, error ?? null);
      return;
    }
    callback(error);
  });
}

export { ReadStream, WriteStream };

export function createReadStream(path: unknown, options: unknown): unknown {
  return new (ReadStream as unknown as new (path: unknown, options: unknown) => unknown)(path, options);
}

export function createWriteStream(path: unknown, options: unknown): unknown {
  return new (WriteStream as unknown as new (path: unknown, options: unknown) => unknown)(path, options);
}
