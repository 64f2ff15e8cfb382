/**
 * The base of all compression streams: a `Transform` whose chunks go through a codec of the host, step by
 * step.
 */
import ops, { type CodecHandle } from 'fulmar:ops';
import { Transform, type TransformCallback } from 'node:stream';
import { coded } from '../shared/errors.ts';
import { constants } from './constants.ts';
import { type Common, commonOptions, type Settings, type ZlibOptions } from './options.ts';

const { isArray } = Array;
let codecs: ReturnType<typeof ops.zlib> | undefined;

export function zlibOps(): ReturnType<typeof ops.zlib> {
  return (codecs ??= ops.zlib());
}

const flushKind = Symbol('flush');
const failure = Symbol('error');

/** An empty chunk that stands for a flush. */
function flushChunk(kind: number): Buffer {
  return Object.assign(Buffer.alloc(0), { [flushKind]: kind });
}

/** What a codec is worked with. */
export interface Working {
  bytesWritten: number;
  _handle: CodecHandle | null;
  _chunkSize: number;
  _outBuffer: Buffer;
  _outOffset: number;
  _defaultFlushFlag: number;
  _finishFlushFlag: number;
  _defaultFullFlushFlag: number;
  _info: boolean;
  _maxOutputLength: number;
  _rejectGarbageAfterEnd: boolean;
  _level: number;
  _strategy: number;
  _mode: number;
  /** Input and output left after a step. */
  _writeState: Uint32Array;
  [failure]?: Error;
}

export interface ZlibStream extends Working, Transform {
  _processChunk(chunk: Uint8Array, flush: number, callback?: TransformCallback): Buffer | undefined;
}

/** Sets up `stream`, which is being constructed. */
export function initialise(stream: ZlibStream, options: ZlibOptions | undefined, mode: number, settingsOf: () => Settings): void {
  const common = commonOptions(options, mode);
  const settings = settingsOf();
  Transform.call(stream as never, { autoDestroy: true, ...options } as never);
  Object.assign(stream, opened(mode, common, settings));
}

/** For what takes everything at once, and is no stream that anybody sees. */
export function prepare(options: ZlibOptions | undefined, mode: number, settingsOf: () => Settings): Working {
  const common = commonOptions(options, mode);
  return opened(mode, common, settingsOf());
}

function opened(mode: number, common: Common, settings: Settings): Working {
  const handle = zlibOps().open(mode, settings.numbers as number[], settings.dictionary, common.rejectsJunk);
  if (isArray(handle)) throw zlibError(handle);
  return {
    _writeState: new Uint32Array(2),
    bytesWritten: 0,
    _handle: handle,
    _outBuffer: Buffer.allocUnsafe(common.chunkSize),
    _outOffset: 0,
    _chunkSize: common.chunkSize,
    _defaultFlushFlag: common.flush,
    _finishFlushFlag: common.finishFlush,
    _defaultFullFlushFlag: common.fullFlush,
    _info: common.info,
    _maxOutputLength: common.maxOutputLength,
    _rejectGarbageAfterEnd: common.rejectsJunk,
    _level: settings.level,
    _strategy: settings.strategy,
    _mode: mode,
  };
}

function junkError(): Error {
  return coded(TypeError, 'ERR_TRAILING_JUNK_AFTER_STREAM_END', 'Trailing junk found after the end of the compressed stream');
}

export type CodecFailure = [message: string, number: number, code: string];

function zlibError([message, errno, code]: CodecFailure): Error {
  if (code === 'ERR_TRAILING_JUNK_AFTER_STREAM_END') return junkError();
  if (code === 'ERR_ZLIB_INITIALIZATION_FAILED') return coded(Error, code, message);
  const named = code.startsWith('ERR__') ? constants[`BROTLI_DECODER${code.slice('ERR_'.length)}`] : constants[code];
  return Object.assign(new Error(message), { errno: named ?? errno, code });
}

export function tooLarge(length: number): Error {
  return coded(RangeError, 'ERR_BUFFER_TOO_LARGE', `Cannot create a Buffer larger than ${length} bytes`);
}

/** Pushes what the last step gave; false when the reader has enough. */
function pushed(stream: ZlibStream, given: number): boolean {
  if (given === 0) return true;
  const out = stream._outBuffer.subarray(stream._outOffset, stream._outOffset + given);
  stream._outOffset += given;
  return stream.push(out);
}

function renewOutput(stream: Working, left: number): void {
  if (left !== 0 && stream._outOffset < stream._chunkSize) return;
  stream._outOffset = 0;
  stream._outBuffer = Buffer.allocUnsafe(stream._chunkSize);
}

const nothing = new Uint8Array(0);

/** Works through a chunk without blocking; `callback` hears when all of it is taken. */
function processChunk(stream: ZlibStream, chunk: Uint8Array, flush: number, callback: TransformCallback): void {
  let input = chunk;
  const step = (): void => {
    const { _handle: handle } = stream;
    if (handle === null) return process.nextTick(callback);
    const target = stream._outBuffer.subarray(stream._outOffset);
    const sizes = [input.length, target.length] as const;
    handle.write(flush, input, target, stream._writeState, (outcome) => done(outcome, ...sizes));
  };
  const done = (outcome: 0 | CodecFailure, given: number, room: number): void => {
    if (stream.destroyed) return callback();
    if (outcome !== 0) return fail(stream, outcome);
    const [inputLeft = 0, outputLeft = 0] = stream._writeState;
    stream.bytesWritten += given - inputLeft;
    const wantsMore = pushed(stream, room - outputLeft);
    if (stream.destroyed) return callback();
    renewOutput(stream, outputLeft);
    // The application may have given the chunk's memory away meanwhile.
    if (inputLeft > 0 && input.length < given) {
      stream.destroy(new TypeError('The chunk was detached or resized while it was processed'));
      return;
    }
    input = inputLeft === 0 ? nothing : input.subarray(given - inputLeft);
    if (outputLeft === 0) {
      if (wantsMore) step();
      else continueWhenRead(stream, step);
      return;
    }
    if (inputLeft > 0 && stream._rejectGarbageAfterEnd) {
      const error = junkError();
      stream.destroy(error);
      return callback(error);
    }
    // The codec wants no more: what follows the end of the compressed stream is left alone.
    if (inputLeft > 0) stream.push(null);
    callback();
  };
  step();
}

/** Output waits to be read before there is more. */
function continueWhenRead(stream: ZlibStream, step: () => void): void {
  const { _read: read } = stream;
  stream._read = (size) => {
    stream._read = read;
    step();
    stream._read(size);
  };
}

function fail(stream: ZlibStream, outcome: CodecFailure): void {
  const error = zlibError(outcome);
  stream[failure] = error;
  stream.destroy(error);
}

/** All of a chunk at once. */
export function processNow(stream: Working, chunk: Uint8Array, flush: number): Buffer {
  const parts: Buffer[] = [];
  let total = 0;
  let input = chunk;
  for (;;) {
    const { _handle: handle } = stream;
    if (handle === null) throw coded(Error, 'ERR_INTERNAL_ASSERTION', 'zlib binding closed');
    const target = stream._outBuffer.subarray(stream._outOffset);
    const outcome = handle.write(flush, input, target, stream._writeState) as 0 | CodecFailure;
    if (outcome !== 0) throw endedBy(stream, outcome);
    const [inputLeft = 0, outputLeft = 0] = stream._writeState;
    const given = target.length - outputLeft;
    if (given > 0) {
      parts.push(target.subarray(0, given));
      stream._outOffset += given;
      total += given;
      if (total > stream._maxOutputLength) {
        close(stream);
        throw tooLarge(stream._maxOutputLength);
      }
    }
    stream.bytesWritten += input.length - inputLeft;
    input = input.subarray(input.length - inputLeft);
    renewOutput(stream, outputLeft);
    if (outputLeft !== 0) break;
  }
  if (input.length > 0 && stream._rejectGarbageAfterEnd) {
    close(stream);
    throw junkError();
  }
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts, total);
}

function endedBy(stream: Working, outcome: CodecFailure): Error {
  const error = zlibError(outcome);
  stream[failure] = error;
  close(stream);
  return error;
}

export function close(stream: Working): void {
  stream._handle = null;
}

function closedError(): Error {
  return coded(Error, 'ERR_STREAM_DESTROYED', 'Cannot call flush after a stream was destroyed');
}

/** Methods that all compression streams share. */
export const methods = {
  reset(this: ZlibStream): void {
    if (this._handle === null) throw coded(Error, 'ERR_INTERNAL_ASSERTION', 'zlib binding closed');
    const outcome = this._handle.reset();
    if (outcome !== 0) fail(this, outcome);
  },
  _final(this: ZlibStream, callback: () => void): void {
    callback();
  },
  _flush(this: ZlibStream, callback: TransformCallback): void {
    this._transform(Buffer.alloc(0), '' as BufferEncoding, callback);
  },
  flush(this: ZlibStream, kind?: number | (() => void), callback?: () => void): void {
    if (typeof kind === 'function' || (kind === undefined && callback === undefined)) {
      methods.flush.call(this, this._defaultFullFlushFlag, typeof kind === 'function' ? kind : undefined);
      return;
    }
    if (this.writableFinished) {
      if (callback !== undefined) process.nextTick(callback);
    } else if (this.writableEnded) {
      if (callback !== undefined) this.once('end', callback);
    } else {
      this.write(flushChunk(kind ?? this._defaultFullFlushFlag), '' as BufferEncoding, callback as never);
    }
  },
  close(this: ZlibStream, callback?: () => void): void {
    if (callback) process.getBuiltinModule('node:stream').finished(this, callback);
    this.destroy();
  },
  _destroy(this: ZlibStream, error: Error | null, callback: (error: Error | null) => void): void {
    close(this);
    callback(error);
  },
  _transform(this: ZlibStream, chunk: Buffer & { [flushKind]?: number }, _encoding: string, callback: TransformCallback): void {
    let flush = this._defaultFlushFlag;
    if (typeof chunk[flushKind] === 'number') flush = chunk[flushKind];
    else if (this.writableEnded && this.writableLength === chunk.byteLength) flush = Math.max(flush, this._finishFlushFlag);
    processChunk(this, chunk, flush, callback);
  },
  _processChunk(this: ZlibStream, chunk: Uint8Array, flush: number, callback?: TransformCallback): Buffer | undefined {
    if (typeof callback !== 'function') return processNow(this, chunk, flush);
    processChunk(this, chunk, flush, callback);
    return undefined;
  },
};

/** `params` of the streams that deflate. */
export function params(this: ZlibStream, level: number, strategy: number, callback: (error?: Error) => void): void {
  if (this._level === level && this._strategy === strategy) {
    process.nextTick(callback);
    return;
  }
  methods.flush.call(this, 2, () => {
    if (this._handle === null) return callback(closedError());
    const outcome = this._handle.params(level, strategy);
    if (outcome !== 0) return fail(this, outcome);
    this._level = level;
    this._strategy = strategy;
    callback();
  });
}
