/**
 * `http.IncomingMessage`: a message that is received, by a server (request) or a client (response). A
 * Readable that a parser fills.
 */
import { Readable } from 'node:stream';
import type { IncomingMessage as NodeIncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { addHeaderLine, addHeaderLineDistinct } from './incoming-headers.ts';
import type { Headers } from './incoming-headers.ts';
import { define } from '../shared/define.ts';

const kHeaders = Symbol('kHeaders');
const kHeadersDistinct = Symbol('kHeadersDistinct');
const kHeadersCount = Symbol('kHeadersCount');
const kTrailers = Symbol('kTrailers');
const kTrailersDistinct = Symbol('kTrailersDistinct');
const kTrailersCount = Symbol('kTrailersCount');
const kAbort = Symbol('kAbortController');

type Distinct = Record<string, string[]>;

interface ReadableState {
  readingMore: boolean;
  ended: boolean;
  endEmitted: boolean;
  destroyed: boolean;
  closed: boolean;
  closeEmitted: boolean;
  resumeScheduled: boolean;
}

export interface IncomingFields {
  socket: Socket & { _paused?: boolean; parser?: unknown };
  httpVersionMajor: number | null;
  httpVersionMinor: number | null;
  httpVersion: string | null;
  complete: boolean;
  rawHeaders: string[];
  rawTrailers: string[];
  joinDuplicateHeaders: boolean;
  aborted: boolean;
  upgrade: boolean | null;
  url: string;
  method: string | null;
  statusCode: number | null;
  statusMessage: string | null;
  client: unknown;
  _consuming: boolean;
  _dumped: boolean;
  _readableState: ReadableState;
  [kHeaders]: Headers | null;
  [kHeadersDistinct]: Distinct | null | undefined;
  [kHeadersCount]: number;
  [kTrailers]: Headers | null;
  [kTrailersDistinct]: Distinct | null | undefined;
  [kTrailersCount]: number;
  [kAbort]: AbortController | null;
  _addHeaderLine(name: string, value: string, headers: Headers): void;
  _addHeaderLineDistinct(name: string, value: string, headers: Distinct): void;
  _addHeaderLines(raw: string[], count: number): void;
  _dump(): void;
  _dumpAndCloseReadable(): void;
}

export type IncomingState = IncomingFields & Omit<NodeIncomingMessage, keyof IncomingFields>;

/** Callable without `new`, as classes of Node's time call it on themselves. */
export function IncomingMessage(this: IncomingState, socket?: Socket): void {
  const options = socket ? { highWaterMark: socket.readableHighWaterMark } : undefined;
  (Readable as unknown as (this: unknown, options: unknown) => void).call(this, options);
  this._readableState.readingMore = true;
  this.socket = socket as Socket;
  this.httpVersionMajor = null;
  this.httpVersionMinor = null;
  this.httpVersion = null;
  this.complete = false;
  this[kHeaders] = null;
  this[kHeadersCount] = 0;
  this.rawHeaders = [];
  this[kTrailers] = null;
  this[kTrailersCount] = 0;
  this.rawTrailers = [];
  this.joinDuplicateHeaders = false;
  this.aborted = false;
  this.upgrade = null;
  this.url = '';
  this.method = null;
  this.statusCode = null;
  this.statusMessage = null;
  this.client = socket;
  this._consuming = false;
  this._dumped = false;
  this[kAbort] = null;
}

const self = (value: unknown): IncomingState => value as IncomingState;

function collect(message: IncomingState, raw: readonly string[], count: number): Headers {
  const headers: Headers = {};
  for (let at = 0; at < count; at += 2) message._addHeaderLine(raw[at] as string, raw[at + 1] as string, headers);
  return headers;
}

function collectDistinct(message: IncomingState, raw: readonly string[], count: number): Distinct {
  const headers = Object.create(null) as Distinct;
  for (let at = 0; at < count; at += 2) message._addHeaderLineDistinct(raw[at] as string, raw[at + 1] as string, headers);
  return headers;
}

const accessors = {
  get connection(): unknown {
    return self(this).socket;
  },
  set connection(value: unknown) {
    self(this).socket = value as Socket;
  },
  get headers(): Headers {
    const message = self(this);
    return (message[kHeaders] ??= collect(message, message.rawHeaders, message[kHeadersCount]));
  },
  set headers(value: unknown) {
    self(this)[kHeaders] = value as Headers;
  },
  get headersDistinct(): Distinct {
    const message = self(this);
    return (message[kHeadersDistinct] ??= collectDistinct(message, message.rawHeaders, message[kHeadersCount]));
  },
  set headersDistinct(value: unknown) {
    self(this)[kHeadersDistinct] = value as Distinct;
  },
  get trailers(): Headers {
    const message = self(this);
    return (message[kTrailers] ??= collect(message, message.rawTrailers, message[kTrailersCount]));
  },
  set trailers(value: unknown) {
    self(this)[kTrailers] = value as Headers;
  },
  get trailersDistinct(): Distinct {
    const message = self(this);
    return (message[kTrailersDistinct] ??= collectDistinct(message, message.rawTrailers, message[kTrailersCount]));
  },
  set trailersDistinct(value: unknown) {
    self(this)[kTrailersDistinct] = value as Distinct;
  },
  get signal(): AbortSignal {
    const message = self(this);
    if (message[kAbort] === null) watchAbort(message);
    return (message[kAbort] as unknown as AbortController).signal;
  },
};

function watchAbort(message: IncomingState): void {
  const controller = new AbortController();
  message[kAbort] = controller;
  const { socket } = message;
  if (message.destroyed && !(message.readableEnded && message.complete)) controller.abort();
  else if (socket?.destroyed) controller.abort();
  else socket?.once('close', () => controller.abort());
}

/** Calls back with the error only where somebody listens to it, as Node does. */
function reportError(message: IncomingState, error: Error | null, done: (error?: Error | null) => void): void {
  if (message.listenerCount('error') === 0) done();
  else done(error);
}

function destroyMessage(message: IncomingState, error: Error | null, done: (error?: Error | null) => void): void {
  if (!message.readableEnded || !message.complete) {
    message.aborted = true;
    message.emit('aborted');
    message[kAbort]?.abort();
  }
  const { socket } = message;
  if (socket && !socket.destroyed && message.aborted) {
    socket.destroy(error ?? undefined);
    const { finished } = process.getBuiltinModule('node:stream');
    const cleanup = finished(socket, (ended) => {
      const failure = ended?.code === 'ERR_STREAM_PREMATURE_CLOSE' ? null : ended;
      cleanup();
      process.nextTick(reportError, message, failure ?? error, done);
    });
  } else if ((error === null || error === undefined) && !message.aborted) done();
  else process.nextTick(reportError, message, error, done);
}

const members = {
  setTimeout(this: IncomingState, msecs: number, callback?: () => void): unknown {
    if (callback) this.on('timeout', callback);
    this.socket.setTimeout(msecs);
    return this;
  },
  _read(this: IncomingState): void {
    if (!this._consuming) {
      this._readableState.readingMore = false;
      this._consuming = true;
    }
    const { socket } = this;
    if (socket.readable && !socket._paused) socket.resume();
  },
  _destroy(this: IncomingState, error: Error | null, done: (error?: Error | null) => void): void {
    destroyMessage(this, error, done);
  },
  _addHeaderLines(this: IncomingState, raw: string[], count: number): void {
    if (!raw || raw.length === 0) return;
    const known = this.complete ? this[kTrailers] : this[kHeaders];
    if (this.complete) {
      this.rawTrailers = raw;
      this[kTrailersCount] = count;
    } else {
      this.rawHeaders = raw;
      this[kHeadersCount] = count;
    }
    if (!known) return;
    for (let at = 0; at < count; at += 2) this._addHeaderLine(raw[at] as string, raw[at + 1] as string, known);
  },
  _addHeaderLine(this: IncomingState, name: string, value: string, headers: Headers): void {
    addHeaderLine(name, value, headers, this.joinDuplicateHeaders);
  },
  _addHeaderLineDistinct(name: string, value: string, headers: Distinct): void {
    addHeaderLineDistinct(name, value, headers);
  },
  /** The message shall neither be read nor emit anything. */
  _dumpAndCloseReadable(this: IncomingState): void {
    this._dumped = true;
    const state = this._readableState;
    state.ended = true;
    state.endEmitted = true;
    state.destroyed = true;
    state.closed = true;
    state.closeEmitted = true;
  },
  /** Throws the content away. */
  _dump(this: IncomingState): void {
    if (this._dumped) return;
    this._dumped = true;
    this.removeAllListeners('data');
    this.resume();
  },
};

define(IncomingMessage, Readable, [accessors, members]);
