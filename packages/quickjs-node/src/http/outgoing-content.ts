/**
 * The content of a message: `write`, `end`, cork, and the way of bytes to the connection or into the queue
 * before it.
 */
import { coded, invalidArgType } from '../shared/errors.ts';
import type { CodedError } from '../shared/errors.ts';
import {
  kBytes,
  kChunkBytes,
  kChunks,
  kCorked,
  kEndCallbacks,
  kErrored,
  kFinished,
  kFlushError,
  kHighWaterMark,
  kNeedDrain,
  kRejectBody,
  kSocket,
} from './outgoing-state.ts';
import type { DoneCallback, OutgoingState, SocketLike } from './outgoing-state.ts';

type Chunk = string | Uint8Array;
type Encoding = string | null | undefined;

const nop = (): void => undefined;
const HEX = 16;

const sizeOf = (chunk: Chunk, encoding: Encoding): number =>
  typeof chunk === 'string' ? Buffer.byteLength(chunk, (encoding ?? undefined) as BufferEncoding | undefined) : chunk.byteLength;

const destroyed = (verb: string): CodedError => coded(Error, 'ERR_STREAM_DESTROYED', `Cannot call ${verb} after a stream was destroyed`);
const writeAfterEnd = (): CodedError => coded(Error, 'ERR_STREAM_WRITE_AFTER_END', 'write after end');
const mismatch = (written: number, declared: number | null): CodedError =>
  coded(
    Error,
    'ERR_HTTP_CONTENT_LENGTH_MISMATCH',
    `Response body's content-length of ${written} byte(s) does not match the content-length of ${declared} byte(s) set in header`,
  );

const isStrict = (message: OutgoingState): boolean =>
  message.strictContentLength &&
  message._contentLength !== null &&
  message._hasBody &&
  !message._removedContLen &&
  !message.chunkedEncoding &&
  !message.hasHeader('transfer-encoding');

function failLater(message: OutgoingState, error: Error, callback: DoneCallback): void {
  if (message.destroyed) process.nextTick(callback, error);
  else process.nextTick(emitFailure, message, error, callback);
}

function emitFailure(message: OutgoingState, error: Error, callback: DoneCallback): void {
  callback(error);
  if (!message.destroyed) message.emit('error', error);
}

function checkChunk(chunk: unknown): asserts chunk is Chunk {
  if (chunk === null) throw coded(TypeError, 'ERR_STREAM_NULL_VALUES', 'May not write null values to stream');
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) {
    throw invalidArgType('chunk', ['string', 'Buffer', 'Uint8Array'], chunk);
  }
}

function countStrict(message: OutgoingState, bytes: number, last: boolean): void {
  const total = message[kBytes] + bytes;
  const declared = message._contentLength as number;
  if (isStrict(message) && (last ? total !== declared : total > declared)) throw mismatch(total, declared);
  message[kBytes] = total;
}

function uncorkTick(message: OutgoingState): void {
  if (message[kCorked]) message.uncork();
}

/** One chunk with its size line. */
function sendChunk(message: OutgoingState, chunk: Chunk, encoding: Encoding, callback: DoneCallback): boolean {
  const bytes = sizeOf(chunk, encoding);
  if (message[kCorked]) {
    message[kChunks].push({ data: chunk, encoding, callback });
    message[kChunkBytes] += bytes;
    return message.writableLength < message.writableHighWaterMark;
  }
  message._send(bytes.toString(HEX), 'latin1', null);
  message._send('\r\n', 'latin1', null);
  message._send(chunk, encoding, null, bytes);
  return message._send('\r\n', 'latin1', callback);
}

function write(message: OutgoingState, chunk: unknown, encoding: Encoding, done: unknown, last: boolean): boolean {
  const callback = typeof done === 'function' ? (done as DoneCallback) : nop;
  checkChunk(chunk);
  if (message.finished || message.destroyed) {
    failLater(message, message.finished ? writeAfterEnd() : destroyed('write'), callback);
    return false;
  }
  if (message.strictContentLength) countStrict(message, sizeOf(chunk, encoding), last);
  if (!message._header) {
    if (last) message._contentLength = sizeOf(chunk, encoding);
    message._implicitHeader();
  }
  if (!message._hasBody) return refuseContent(message, callback);
  if (message.chunkedEncoding && typeof chunk === 'string' && encoding && !Buffer.isEncoding(encoding)) {
    throw coded(TypeError, 'ERR_UNKNOWN_ENCODING', `Unknown encoding: ${encoding}`);
  }
  const socket = message[kSocket];
  if (!last && socket && !socket.writableCorked) {
    message.cork();
    process.nextTick(uncorkTick, message);
  }
  if (message.chunkedEncoding && chunk.length !== 0) return sendChunk(message, chunk, encoding, callback);
  if (message.chunkedEncoding && message[kCorked] && message[kChunks].length > 0) {
    message[kChunks].push({ data: chunk, encoding, callback });
    return message.writableLength < message.writableHighWaterMark;
  }
  return message._send(chunk, encoding, callback);
}

function refuseContent(message: OutgoingState, callback: DoneCallback): boolean {
  if (message[kRejectBody]) {
    throw coded(Error, 'ERR_HTTP_BODY_NOT_ALLOWED', 'Adding content for this request method or response status is not allowed.');
  }
  process.nextTick(callback);
  return true;
}

/** Sends the chunks of a tick as one. */
function releaseChunks(message: OutgoingState, socket: SocketLike | null): void {
  const chunks = message[kChunks];
  const bytes = message[kChunkBytes];
  message[kChunks] = [];
  message[kChunkBytes] = 0;
  if (message.destroyed || socket?.destroyed === true) {
    const error = message[kErrored] || socket?._writableState?.errored || destroyed('write');
    for (const { callback } of chunks) if (callback !== nop) process.nextTick(callback, error);
    return;
  }
  message._send(bytes.toString(HEX), 'latin1', null);
  message._send('\r\n', 'latin1', null);
  for (const { data, encoding } of chunks) message._send(data, encoding, null);
  message._send('\r\n', 'latin1', (error) => {
    for (const { callback } of chunks) callback(error);
  });
}

function flushCallbacks(message: OutgoingState, error: Error | null): void {
  const callbacks = message[kEndCallbacks];
  message[kEndCallbacks] = null;
  for (const callback of callbacks ?? []) callback(error);
}

function queueCallback(message: OutgoingState, callback: DoneCallback): void {
  if (message[kFinished]) callback(coded(Error, 'ERR_STREAM_ALREADY_FINISHED', 'Cannot call end after a stream was finished'));
  else if (message[kFlushError] !== null) process.nextTick(callback, message[kFlushError]);
  else (message[kEndCallbacks] ??= []).push(callback);
}

function onFinish(message: OutgoingState, error?: Error | null): void {
  const socket = message[kSocket];
  if (error || message[kErrored] || socket?.errored || socket?._hadError === true) {
    message[kFlushError] = error ?? message[kErrored] ?? socket?.errored ?? destroyed('end');
    flushCallbacks(message, message[kFlushError]);
    return;
  }
  message[kFinished] = true;
  flushCallbacks(message, null);
  message.emit('finish');
}

/** Whether this last chunk will be the whole rest of the message, so that `finish` can come with it. */
function isWhole(message: OutgoingState, chunk: unknown, encoding: Encoding): boolean {
  if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array)) return false;
  if (message.destroyed || message.strictContentLength) return false;
  if (!message._header) {
    message._contentLength = sizeOf(chunk, encoding);
    message._implicitHeader();
  }
  return Boolean(message._header) && message._hasBody && !message.chunkedEncoding;
}

/** The last chunk, if there is one. True when `finish` comes with it. */
function endWith(message: OutgoingState, chunk: unknown, encoding: Encoding): boolean {
  const socket = message[kSocket];
  if (!chunk && message._header) return false;
  socket?.cork();
  if (!chunk) {
    message._contentLength = 0;
    message._implicitHeader();
    return false;
  }
  const whole = isWhole(message, chunk, encoding);
  const finish: DoneCallback | null = whole ? onFinish.bind(undefined, message) : null;
  write(message, chunk, encoding, finish, true);
  return whole;
}

function end(message: OutgoingState, chunk: unknown, encoding: Encoding, callback: DoneCallback | null): void {
  if (message.finished) {
    if (chunk) {
      if (!message.destroyed) failLater(message, writeAfterEnd(), callback ?? nop);
    } else if (callback !== null) queueCallback(message, callback);
    return;
  }
  const whole = endWith(message, chunk, encoding);
  if (callback !== null) queueCallback(message, callback);
  if (isStrict(message) && message[kBytes] !== message._contentLength) throw mismatch(message[kBytes], message._contentLength);
  const socket = message[kSocket];
  if (message[kChunks].length > 0) {
    socket?.cork();
    message[kCorked] = 1;
    message.uncork();
  }
  if (!whole) {
    const finish: DoneCallback = onFinish.bind(undefined, message);
    if (message._hasBody && message.chunkedEncoding) message._send(`0\r\n${message._trailer}\r\n`, 'latin1', finish);
    else if (!message._headerSent || message.writableLength || chunk) message._send('', 'latin1', finish);
    else process.nextTick(finish);
  }
  if (socket) {
    if (socket._writableState !== undefined) socket._writableState.corked = 1;
    socket.uncork();
  }
  message[kCorked] = 1;
  message.uncork();
  message.finished = true;
  if (message.outputData.length === 0 && socket && socket._httpMessage === message) message._finish();
}

const functionOf = (...candidates: unknown[]): DoneCallback | null =>
  (candidates.find((one) => typeof one === 'function') as DoneCallback | undefined) ?? null;

export const contentMembers = {
  write(this: OutgoingState, chunk: unknown, encoding?: unknown, callback?: unknown): boolean {
    const charset = typeof encoding === 'function' ? null : (encoding as Encoding);
    const accepted = write(this, chunk, charset, typeof encoding === 'function' ? encoding : callback, false);
    if (!accepted) this[kNeedDrain] = true;
    return accepted;
  },
  end(this: OutgoingState, chunk?: unknown, encoding?: unknown, callback?: unknown): unknown {
    if (typeof chunk === 'function') end(this, null, null, functionOf(chunk));
    else if (typeof encoding === 'function') end(this, chunk, null, functionOf(encoding));
    else end(this, chunk, encoding as Encoding, functionOf(callback));
    return this;
  },
  cork(this: OutgoingState): void {
    this[kCorked]++;
    this[kSocket]?.cork();
  },
  uncork(this: OutgoingState): void {
    this[kCorked]--;
    const socket = this[kSocket];
    try {
      if (!this[kCorked] && this[kChunks].length > 0) releaseChunks(this, socket);
      else return;
    } finally {
      socket?.uncork();
    }
    if (this[kNeedDrain] && this.writableLength === 0) {
      this[kNeedDrain] = false;
      this.emit('drain');
    }
  },
  /** Puts the head before the first content. */
  _send(this: OutgoingState, data: Chunk, encoding?: Encoding, callback?: DoneCallback | null, size?: number): boolean {
    let content = data;
    if (!this._headerSent && this._header !== null) {
      if (typeof data === 'string' && (encoding === 'utf8' || encoding === 'latin1' || !encoding)) content = this._header + data;
      else {
        this.outputData.unshift({ data: this._header, encoding: 'latin1', callback: null });
        this.outputSize += this._header.length;
        this._onPendingData(this._header.length);
      }
      this._headerSent = true;
    }
    return this._writeRaw(content, encoding, callback, size);
  },
  _writeRaw(this: OutgoingState, data: Chunk, given?: unknown, done?: unknown): boolean {
    const socket = this[kSocket];
    if (socket?.destroyed === true) return false;
    const callback = (typeof given === 'function' ? given : done) as DoneCallback | null | undefined;
    const encoding = (typeof given === 'function' ? null : given) as Encoding;
    if (socket && socket._httpMessage === this && socket.writable) {
      if (this.outputData.length > 0) this._flushOutput(socket);
      return socket.write(data, encoding as BufferEncoding, callback as DoneCallback);
    }
    this.outputData.push({ data, encoding, callback });
    this.outputSize += data.length;
    this._onPendingData(data.length);
    return this.outputSize < this[kHighWaterMark];
  },
  _flush(this: OutgoingState): void {
    const socket = this[kSocket];
    if (!socket?.writable) return;
    const room = this._flushOutput(socket);
    if (this.finished) this._finish();
    else if (this[kNeedDrain] && room !== false) {
      this[kNeedDrain] = false;
      this.emit('drain');
    }
  },
  _flushOutput(this: OutgoingState, socket: SocketLike): boolean | undefined {
    if (this.outputData.length === 0) return undefined;
    const queue = this.outputData;
    socket.cork();
    let room: boolean | undefined;
    for (const { data, encoding, callback } of queue)
      room = socket.write(data as Chunk, encoding as BufferEncoding, callback as DoneCallback);
    socket.uncork();
    this.outputData = [];
    this._onPendingData(-this.outputSize);
    this.outputSize = 0;
    return room;
  },
  flushHeaders(this: OutgoingState): void {
    if (!this._header) this._implicitHeader();
    this._send('');
  },
};
