/**
 * Node's own functions called on messages of ours, as
 * `http.OutgoingMessage.prototype.setHeader.call(res, …)`: they find their fields behind symbols of Node's,
 * and write heads and framing as bytes. Here each of those fields is one of ours, and what they write is
 * given to the engine. Loaded when the first of them is asked for; the accessors are put in place by
 * `node-fields.ts`.
 */
import { ReplyFlag } from '../exchange/format.ts';
import type { Exchange } from '../exchange/types.ts';
import { parts, take } from './borrowed-parts.ts';
import { headerMap, replaceHeaders } from './header-map.ts';
import type { IncomingState } from './incoming-state.ts';
import type { NodeField } from './node-fields.ts';
import type { DoneCallback, HeldChunk, ResponseState } from './response-state.ts';
import { WireContent } from './wire-content.ts';

/** What a response has of this, from the first time on. */
export interface Borrowed {
  /** The value of Node's field for headers. */
  readonly headers: object;
  /** Stands for chunks that Node's functions hold back: we do that. */
  readonly held: { readonly length: 0; push(chunk: unknown, encoding: unknown, callback: unknown): void };
  wire: WireContent | null;
}

const borrowedOf = (res: ResponseState): Borrowed =>
  (res._borrowed ??= {
    headers: headerMap(res),
    held: {
      length: 0,
      push(chunk, encoding, callback) {
        // The QuickJS host keeps the three in an object.
        const held = (chunk as Partial<HeldChunk>).data === undefined ? { data: chunk, encoding, callback } : (chunk as HeldChunk);
        parts.writeWhole(res, held.data as Uint8Array, encodingOf(held.encoding), callbackOf(held.callback));
      },
    },
    wire: null,
  });

const callbackOf = (value: unknown): DoneCallback | null => (typeof value === 'function' ? (value as DoneCallback) : null);
const encodingOf = (value: unknown): BufferEncoding | undefined => (typeof value === 'string' ? (value as BufferEncoding) : undefined);

/** Fields of `OutgoingMessage`, by the descriptions of their symbols. */
const response: Record<string, NodeField<ResponseState>> = {
  kOutHeaders: {
    get: (res) => (res._out === null ? null : borrowedOf(res).headers),
    set: (res, value) => replaceHeaders(res, value as object | null, borrowedOf(res).headers),
  },
  kSocket: { get: (res) => res.socket, set: () => undefined },
  corked: {
    get: (res) => res._corked,
    set(res, value) {
      res._corked = Math.max(0, Number(value));
      if (res._corked === 0) parts.releaseHeld(res);
    },
  },
  kChunkedBuffer: { get: (res) => borrowedOf(res).held, set: () => undefined },
  kChunkedLength: { get: () => 0, set: () => undefined },
  kBytesWritten: { get: (res) => res._bytes, set: (res, value) => void (res._bytes = value as number) },
  kNeedDrain: { get: (res) => res._needDrain, set: (res, value) => void (res._needDrain = Boolean(value)) },
  errored: { get: (res) => res._errored, set: (res, value) => void (res._errored = value as Error | null) },
  kWritableFinished: { get: (res) => res.writableFinished, set: () => undefined },
  kEndCallbacks: {
    get: (res) => res._life?.callbacks ?? null,
    set: (res, value) => void (parts.lifeOf(res, res._exchange as Exchange).callbacks = value as DoneCallback[] | null),
  },
  kFlushError: { get: () => null, set: () => undefined },
  kHighWaterMark: { get: (res) => res.req._server.highWaterMark, set: () => undefined },
  kRejectNonStandardBodyWrites: {
    get: (res) => res._rejectBodyWrites,
    set: (res, value) => void (res._rejectBodyWrites = Boolean(value)),
  },
};

/** The same of `IncomingMessage`. */
const request: Record<string, NodeField<IncomingState>> = {
  // Made, as Node has made them before any handler runs.
  kHeaders: { get: (req) => req.headers, set: (req, value) => void (req._headers = value as IncomingState['_headers']) },
  kHeadersCount: { get: (req) => req.rawHeaders.length, set: () => undefined },
  kTrailers: { get: (req) => req._trailers, set: (req, value) => void (req._trailers = value as IncomingState['_trailers']) },
  kTrailersCount: { get: (req) => req.rawTrailers.length, set: () => undefined },
  kAbortController: { get: (req) => req._abort, set: (req, value) => void (req._abort = value as AbortController) },
  // What aborts the signal is our own notice of the end.
  kAbortSignalSocket: { get: () => null, set: () => undefined },
  kAbortSignalListener: { get: () => undefined, set: () => undefined },
  kAbortSignalDetached: { get: () => false, set: () => undefined },
};

const STATUS_LINE = /^HTTP\/\d\.\d (\d+) ?([^\r]*)\r\n/;
const FINAL = 200;

/**
 * Node's `_storeHeader`: the status and the fields that the head shall have; what else belongs into it is
 * decided here as always.
 */
function storeHeader(res: ResponseState, firstLine: unknown, headers: unknown): void {
  const status = STATUS_LINE.exec(String(firstLine));
  if (status !== null) {
    res.statusCode = Number(status[1]);
    if (parts.nodeHttp.STATUS_CODES[res.statusCode] !== status[2]) res.statusMessage = status[2] as string;
  }
  res._kindsSeen = 0;
  if (headers === null || headers === undefined) parts.storeHead(res, '');
  else if (headers === res._borrowed?.headers) parts.storeHead(res, res._out === null ? '' : parts.storedBlock(res, res._out));
  else parts.storeHead(res, parts.givenBlock(res, headers));
}

/** Node's `_header = text`: a head that is made already, as Node's own `_storeHeader` makes it. */
function setHead(res: ResponseState, text: string): void {
  const status = STATUS_LINE.exec(text);
  const fields: string[] = [];
  for (const line of text.slice(status === null ? 0 : status[0].length).split('\r\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) fields.push(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  storeHeader(res, status === null ? '' : status[0], fields);
}

/** Our head as Node has it in `_header`. */
function headText(res: ResponseState): string {
  const flags = res._flags;
  let text = `HTTP/1.1 ${res.statusCode} ${res.statusMessage}\r\n${res._block}`;
  if (flags & ReplyFlag.date) text += `Date: ${new Date().toUTCString()}\r\n`;
  if (flags & ReplyFlag.keepAlive) text += 'Connection: keep-alive\r\n';
  if (flags & ReplyFlag.closeField) text += 'Connection: close\r\n';
  if (flags & ReplyFlag.contentLength) text += `Content-Length: ${res._contentLength ?? 0}\r\n`;
  if (flags & ReplyFlag.chunkedField) text += 'Transfer-Encoding: chunked\r\n';
  return `${text}\r\n`;
}

/** The name that Node gives to what it calls when the last bytes of a message are out. */
const isLast = (callback: unknown): boolean => typeof callback === 'function' && callback.name.startsWith('bound onFinish');

const toBytes = (data: string | Uint8Array, encoding: unknown): Buffer =>
  typeof data === 'string' ? Buffer.from(data, encodingOf(encoding)) : Buffer.from(data.buffer, data.byteOffset, data.byteLength);

/** The framing is the engine's: only what is content goes there. */
function unframe(res: ResponseState, data: string | Uint8Array, encoding: unknown, callback: DoneCallback | null): boolean {
  const borrowed = borrowedOf(res);
  const wire = (borrowed.wire ??= new WireContent());
  let room = true;
  for (const piece of wire.read(toBytes(data, encoding))) room = parts.writeWhole(res, piece, undefined, null);
  if (wire.ended) {
    if (wire.trailer !== '') res._trailer = wire.trailer;
    complete(res);
  } else if (callback !== null) process.nextTick(callback, null);
  return room;
}

/** Node's `_send`: bytes that follow the head, which goes out with the first of them. */
function send(res: ResponseState, data: unknown, encoding: unknown, given: unknown): boolean {
  const last = isLast(given);
  const callback = last ? null : callbackOf(given);
  const exchange = res._exchange as Exchange;
  if (res._block === null) return writeRaw(res, data, encoding, given);
  if (last) parts.beforeEnd(res, exchange);
  let room = true;
  if (data === '' || data === null || data === undefined) {
    if (!last) parts.flushHead(res);
    if (callback !== null) process.nextTick(callback, null);
  } else if (res.chunkedEncoding && res._hasBody) room = unframe(res, data as string, encoding, callback);
  else room = parts.writeWhole(res, data as string, encodingOf(encoding), callback);
  if (last) complete(res);
  return room;
}

/** The reply has all its content. */
function complete(res: ResponseState): void {
  const exchange = res._exchange as Exchange;
  if (res._destroyed || !exchange.open || res._block === null) return;
  parts.beforeEnd(res, exchange);
  res._corked = 0;
  parts.releaseHeld(res);
  parts.finishStarted(res, exchange);
}

/**
 * `_finish` was called for a reply that has not ended by us: Node's `end` has. Its own notice of the end is
 * then under way.
 */
function finish(res: ResponseState): void {
  const exchange = res._exchange as Exchange;
  if (!res.finished || !exchange.open || res._destroyed || res._block === null) return;
  parts.lifeOf(res, exchange).isTold = true;
  complete(res);
}

/** Node's `_writeRaw`: bytes for the connection. A head, interim or final, is given to the engine as such. */
function writeRaw(res: ResponseState, data: unknown, given: unknown, done: unknown): boolean {
  const callback = callbackOf(given) ?? callbackOf(done);
  const exchange = res._exchange as Exchange;
  if (res._destroyed || (res.req._socket !== null && res.req._socket.destroyed)) return false;
  const head = typeof data === 'string' && !res._started ? STATUS_LINE.exec(data) : null;
  if (head !== null && Number(head[1]) < FINAL) {
    exchange.sendInterim(Number(head[1]), (data as string).slice(head[0].length, -2));
    if (callback !== null) process.nextTick(callback, null);
    return true;
  }
  const room = exchange.connection.write(data as string, encodingOf(given));
  if (callback !== null) process.nextTick(callback, null);
  return room;
}

/** Node's `_headerSent = true`: who sets it is about to write the head as text. The engine writes it. */
function headerSent(res: ResponseState): void {
  if (res._block !== null && !res._started) parts.startReply(res, res._exchange as Exchange, false);
}

export default { take, headText, response, request, storeHeader, setHead, send, finish, writeRaw, headerSent };
