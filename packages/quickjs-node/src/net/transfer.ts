/**
 * The bytes of a socket: from the handle into the stream and back, with back-pressure in both directions.
 */
import { Duplex } from 'node:stream';
import { coded } from '../shared/errors.ts';
import { errnoException } from '../shared/errno.ts';
import type { StreamHandle } from './handle.ts';
import type { DoneCallback, OnRead, Piece, SocketState } from './socket-state.ts';

const ENOTCONN = -107;
const duplex = Duplex.prototype as unknown as Record<string, (this: unknown, ...args: unknown[]) => unknown>;

/** Hears the handle; called for each new handle of a socket. */
export function attach(socket: SocketState): void {
  if (socket.destroyed) socket._undestroy?.();
  socket._sockname = null;
  const handle = socket._handle;
  if (handle !== null && handle !== undefined) handle.onread = (chunk, errno) => onRead(socket, handle, chunk, errno);
}

function onRead(socket: SocketState, handle: StreamHandle, chunk: Buffer | null, errno: number): void {
  socket._unrefTimer();
  if (chunk !== null) {
    if (socket.destroyed) return;
    const more = socket._onread === null ? socket.push(chunk) : fillBuffer(socket._onread, chunk);
    if (more) return;
    handle.reading = false;
    if (!socket.destroyed) handle.readStop();
    return;
  }
  if (errno !== 0) {
    socket.destroy(errnoException(errno, 'read'));
    return;
  }
  if (socket.readableEnded) return;
  socket.push(null);
  socket.read(0);
}

/** False: the callback wants no more for now. */
function fillBuffer(target: OnRead, chunk: Buffer): boolean {
  let more = true;
  for (let at = 0; at < chunk.length;) {
    const { buffer } = target;
    const bytes = Math.min(buffer.length, chunk.length - at);
    buffer.set(chunk.subarray(at, at + bytes));
    at += bytes;
    more = target.callback(bytes, buffer) !== false && more;
    const next = target.next?.();
    if (next instanceof Uint8Array) target.buffer = next;
  }
  return more;
}

/** Reading, if there is anything to read from. */
export function startReading(socket: SocketState): void {
  const handle = socket._handle;
  if (socket.connecting || handle === null || handle.reading) return;
  handle.reading = true;
  const errno = handle.readStart();
  if (errno !== 0) socket.destroy(errnoException(errno, 'read'));
}

/** `write` after the peer has ended a connection that is not allowed to be half open. */
export function writeAfterFin(this: SocketState, chunk: unknown, encoding?: unknown, callback?: unknown): unknown {
  if (!this.writableEnded) return duplex['write']?.call(this, chunk, encoding, callback);
  const done = typeof encoding === 'function' ? encoding : callback;
  const error = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
  if (typeof done === 'function') process.nextTick(done as DoneCallback, error);
  this.destroy(error);
  return false;
}

const isText = (encoding: string): boolean => encoding === 'utf8' || encoding === 'utf-8' || encoding === 'latin1' || encoding === 'binary';

/** What the handle takes: bytes, or a string in an encoding it knows. */
function wire(chunk: string | Uint8Array, encoding: string): string | Uint8Array {
  return typeof chunk !== 'string' || isText(encoding) ? chunk : Buffer.from(chunk, encoding as BufferEncoding);
}

function joined(pieces: Piece[]): Buffer {
  return Buffer.concat(
    pieces.map(({ chunk, encoding }) => (typeof chunk === 'string' ? Buffer.from(chunk, encoding as BufferEncoding) : chunk)),
  );
}

function dispatch(socket: SocketState, handle: StreamHandle, data: string | Uint8Array, encoding: string, done: DoneCallback): void {
  const written = (errno: number): void => {
    socket._lastQueue = 0;
    if (socket.destroyed) {
      done(null);
      return;
    }
    if (errno !== 0) {
      const error = errnoException(errno, 'write');
      socket.destroy(error);
      done(error);
      return;
    }
    socket._unrefTimer();
    done(null);
  };
  const status = handle.write(data, encoding, written);
  if (status === 0) done();
  else if (status < 0) done(errnoException(status, 'write'));
  else socket._lastQueue = handle.writeQueueSize;
}

export const transferMembers = {
  _read(this: SocketState, size: number): void {
    if (this.connecting || !this._handle) this.once('connect', () => this._read(size));
    else startReading(this);
  },
  _writeGeneric(this: SocketState, writev: boolean, data: string | Uint8Array | Piece[], encoding: string, done: DoneCallback): unknown {
    if (this.connecting) {
      this._pendingData = data;
      this._pendingEncoding = encoding;
      const closed = (): void => {
        done(coded(Error, 'ERR_SOCKET_CLOSED_BEFORE_CONNECTION', 'Socket closed before the connection was established'));
      };
      this.once('connect', () => {
        this.off('close', closed);
        this._writeGeneric(writev, data, encoding, done);
      });
      this.once('close', closed);
      return undefined;
    }
    this._pendingData = null;
    this._pendingEncoding = '';
    const handle = this._handle;
    if (handle === null) {
      done(coded(Error, 'ERR_SOCKET_CLOSED', 'Socket is closed'));
      return false;
    }
    this._unrefTimer();
    if (writev) dispatch(this, handle, joined(data as Piece[]), 'buffer', done);
    else dispatch(this, handle, wire(data as string | Uint8Array, encoding), encoding, done);
    return undefined;
  },
  _writev(this: SocketState, pieces: Piece[], done: DoneCallback): void {
    this._writeGeneric(true, pieces, '', done);
  },
  _write(this: SocketState, chunk: string | Uint8Array, encoding: string, done: DoneCallback): void {
    this._writeGeneric(false, chunk, encoding, done);
  },
  _final(this: SocketState, done: DoneCallback): unknown {
    if (this.connecting) {
      this.once('connect', () => this._final(done));
      return undefined;
    }
    const handle = this._handle;
    if (handle === null) {
      done();
      return undefined;
    }
    const errno = handle.shutdown(() => done());
    if (errno === ENOTCONN) done();
    else if (errno !== 0) done(errnoException(errno, 'shutdown'));
    return undefined;
  },
};
