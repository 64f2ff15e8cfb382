/**
 * `http.OutgoingMessage`: what requests of clients and responses of servers have in common. Puts the parts of
 * this folder together.
 */
import Stream from 'node:stream';
import { coded } from '../shared/errors.ts';
import { define } from '../shared/define.ts';
import { contentMembers } from './outgoing-content.ts';
import { storeHeader } from './outgoing-head.ts';
import { headerMembers } from './outgoing-headers.ts';
import {
  kBytes,
  kChunkBytes,
  kChunks,
  kCorked,
  kEndCallbacks,
  kErrored,
  kFinished,
  kFlushError,
  kHeaders,
  kHighWaterMark,
  kNeedDrain,
  kRejectBody,
  kSocket,
  kUnique,
} from './outgoing-state.ts';
import type { OutgoingState, SocketLike } from './outgoing-state.ts';

const HIGH_WATER_MARK = 64 * 1024;
const HEX = 16;
const nop = (): void => undefined;

interface MessageOptions {
  readonly highWaterMark?: number;
  readonly rejectNonStandardBodyWrites?: boolean;
}

/** Callable without `new`, as classes of Node's time call it on themselves. */
export function OutgoingMessage(this: OutgoingState, options?: MessageOptions): void {
  (Stream as unknown as (this: unknown) => void).call(this);
  this.outputData = [];
  this.outputSize = 0;
  this.writable = true;
  this.destroyed = false;
  this._last = false;
  this.chunkedEncoding = false;
  this.shouldKeepAlive = true;
  this.maxRequestsOnConnectionReached = false;
  this._defaultKeepAlive = true;
  this.useChunkedEncodingByDefault = true;
  this.sendDate = false;
  this._removedConnection = false;
  this._removedContLen = false;
  this._removedTE = false;
  this.strictContentLength = false;
  this[kBytes] = 0;
  this._contentLength = null;
  this._hasBody = true;
  this._trailer = '';
  this[kNeedDrain] = false;
  this.finished = false;
  this._headerSent = false;
  this[kCorked] = 0;
  this[kChunks] = [];
  this[kChunkBytes] = 0;
  this._closed = false;
  this[kSocket] = null;
  this._header = null;
  this[kHeaders] = null;
  this._keepAliveTimeout = 0;
  this._onPendingData = nop;
  this[kErrored] = null;
  this[kFinished] = false;
  this[kEndCallbacks] = null;
  this[kFlushError] = null;
  this[kUnique] = null;
  this[kHighWaterMark] = options?.highWaterMark ?? HIGH_WATER_MARK;
  this[kRejectBody] = options?.rejectNonStandardBodyWrites ?? false;
}

const self = (value: unknown): OutgoingState => value as OutgoingState;

const accessors = {
  get errored(): Error | null | undefined {
    return self(this)[kErrored];
  },
  get closed(): boolean {
    return self(this)._closed;
  },
  get writableFinished(): boolean {
    return self(this)[kFinished];
  },
  get writableObjectMode(): boolean {
    return false;
  },
  get writableLength(): number {
    const message = self(this);
    let waiting = message[kChunkBytes];
    if (waiting !== 0) {
      const framing = waiting.toString(HEX).length + 4;
      waiting += framing + (!message._headerSent && message._header !== null ? message._header.length : 0);
    }
    return message.outputSize + waiting + (message[kSocket]?.writableLength ?? 0);
  },
  get writableHighWaterMark(): number {
    const message = self(this);
    return message[kSocket] ? message[kSocket].writableHighWaterMark : message[kHighWaterMark];
  },
  get writableCorked(): number {
    return self(this)[kCorked];
  },
  get writableEnded(): boolean {
    return self(this).finished;
  },
  get writableNeedDrain(): boolean {
    const message = self(this);
    return !message.destroyed && !message.finished && message[kNeedDrain];
  },
  get connection(): unknown {
    return self(this)[kSocket];
  },
  set connection(value: unknown) {
    (this as { socket: unknown }).socket = value;
  },
  get socket(): unknown {
    return self(this)[kSocket];
  },
  set socket(value: unknown) {
    const message = self(this);
    const next = value as SocketLike | null;
    for (let count = 0; count < message[kCorked]; count++) {
      next?.cork();
      message[kSocket]?.uncork();
    }
    message[kSocket] = next;
  },
};

function emitClose(message: OutgoingState): void {
  if (message._closed) return;
  message._closed = true;
  message.emit('close');
}

const members = {
  _isLenientHeaderValidation(this: OutgoingState): boolean {
    if (this.httpValidation !== undefined) return this.httpValidation !== 'strict';
    const server = this.req?.socket?.server;
    if (server?.httpValidation !== undefined) return server.httpValidation !== 'strict';
    if (typeof this.insecureHTTPParser === 'boolean') return this.insecureHTTPParser;
    return server?.insecureHTTPParser === true;
  },
  _storeHeader(this: OutgoingState, firstLine: string, headers: unknown): void {
    storeHeader(this, firstLine, headers);
  },
  setTimeout(this: OutgoingState, msecs: number, callback?: () => void): unknown {
    if (callback) this.on('timeout', callback);
    if (this[kSocket]) this[kSocket].setTimeout(msecs);
    else this.once('socket', (socket: SocketLike) => socket.setTimeout(msecs));
    return this;
  },
  destroy(this: OutgoingState, error?: Error): unknown {
    if (this.destroyed) return this;
    this.destroyed = true;
    this[kErrored] = error;
    if (this[kChunks].length > 0) {
      this[kCorked] = 1;
      this.uncork();
    }
    if (this[kSocket]) this[kSocket].destroy(error);
    else process.nextTick(emitClose, this);
    return this;
  },
  _finish(this: OutgoingState): void {
    this.emit('prefinish');
  },
  pipe(this: OutgoingState): void {
    this.emit('error', coded(Error, 'ERR_STREAM_CANNOT_PIPE', 'Cannot pipe, not readable'));
  },
  [Symbol.for('nodejs.rejection')](this: OutgoingState, error: Error): void {
    this.destroy(error);
  },
};

define(OutgoingMessage, Stream as unknown as { prototype: object }, [accessors, headerMembers, contentMembers, members]);
