/**
 * The request object: Node's IncomingMessage by prototype, but lazy. Its constructor stores the exchange and
 * declares its fields; headers, stream state, socket and events come into being when they are used. Without
 * an exchange (a message of Node's that inherits from us, or `new IncomingMessage(socket)`) every member does
 * what Node's does.
 */
import { EventEmitter } from 'node:events';
import type { IncomingMessage as NodeIncomingMessage } from 'node:http';
import type { Exchange } from '../exchange/types.ts';
import { toDistinct, toHeaders } from './headers-in.ts';
import { ContentPhase, incomingDefaults } from './incoming-state.ts';
import type { IncomingState, ReadableStateLike } from './incoming-state.ts';
import { destroyIncoming, makeStream, readContent, readerMembers } from './incoming-stream.ts';
import { socket as socketParts } from './lazy.ts';
import { listenerFields } from './listeners.ts';
import { standInFor } from './node-fields.ts';
import { inherit, nodeGet, nodeHttp, nodeMethod, nodeSet, setOwn as own } from './node-http.ts';
import type { ServerState } from './server-state.ts';
import type { FulmarSocket } from './socket.ts';

const NodeMessage = nodeHttp.IncomingMessage;
const parent = NodeMessage.prototype;
const foreign = {
  construct: NodeMessage as unknown as (this: unknown, socket: unknown) => void,
  on: nodeMethod(parent, 'on'),
  read: nodeMethod(parent, '_read'),
  destroy: nodeMethod(parent, '_destroy'),
};
const emitterOn = nodeMethod(EventEmitter.prototype, 'on');

/** Declares a request's fields, in one order for all classes, and ties it to its exchange. */
export function initRequest(req: IncomingState, server: ServerState, exchange: Exchange): void {
  req._exchange = exchange;
  req._server = server;
  req.url = exchange.target;
  req.method = exchange.method;
  req._phase = ContentPhase.handling;
  req._headers = null;
  req._rawHeaders = null;
  req._response = null;
}

/**
 * `new IncomingMessage(server, exchange)` for the server, `new IncomingMessage(socket)` for everybody else.
 */
function Message(this: IncomingState, owner: unknown, exchange?: Exchange): void {
  if (exchange !== undefined) {
    initRequest(this, owner as ServerState, exchange);
    return;
  }
  const pending = socketParts().takePendingExchange(owner);
  if (pending === null) foreign.construct.call(this, owner);
  else initRequest(this, pending.server, pending.exchange);
}

const ABSOLUTE_FORM = /^[a-z][a-z\d+.-]*:\/\/([^/?]+)/i;

/**
 * Stricter than Node: the authority of an absolute-form target replaces Host (RFC 9112, 3.2.2), or proxies
 * would read it otherwise.
 */
function readHeaders(req: IncomingState, exchange: Exchange): NonNullable<IncomingState['_headers']> {
  const headers = toHeaders((req._rawHeaders ??= exchange.rawHeaders()), req.joinDuplicateHeaders);
  const { target } = exchange;
  if (!target.startsWith('/')) {
    const authority = ABSOLUTE_FORM.exec(target)?.[1];
    if (authority !== undefined) headers['host'] = authority;
  }
  return headers;
}

const fields = {
  ...incomingDefaults,
  get headers() {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) return nodeGet(parent, 'headers', req);
    return (req._headers ??= readHeaders(req, req._exchange));
  },
  set headers(value: unknown) {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) nodeSet(parent, 'headers', req, value);
    else req._headers = value as NonNullable<IncomingState['_headers']>;
  },
  get headersDistinct() {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) return nodeGet(parent, 'headersDistinct', req);
    return (req._distinct ??= toDistinct((req._rawHeaders ??= req._exchange.rawHeaders())));
  },
  set headersDistinct(value: unknown) {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) nodeSet(parent, 'headersDistinct', req, value);
    else req._distinct = value as NodeJS.Dict<string[]>;
  },
  get rawHeaders() {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) return undefined;
    // Node has read them by now: what is done to this array does not change `headers`.
    req._headers ??= readHeaders(req, req._exchange);
    return (req._rawHeaders ??= req._exchange.rawHeaders());
  },
  set rawHeaders(value: unknown) {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) own(req, 'rawHeaders', value);
    else {
      // Node has made `headers` of what came before any handler runs.
      req._headers ??= readHeaders(req, req._exchange);
      req._rawHeaders = value as string[];
    }
  },
  get rawTrailers() {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) return undefined;
    return (req._rawTrailers ??= []);
  },
  set rawTrailers(value: unknown) {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) own(req, 'rawTrailers', value);
    else req._rawTrailers = value as string[];
  },
  get trailers() {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) return nodeGet(parent, 'trailers', req);
    return req._rawTrailers === null || req._trailers !== null
      ? (req._trailers ?? {})
      : (req._trailers = toHeaders(req._rawTrailers, req.joinDuplicateHeaders));
  },
  set trailers(value: unknown) {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) nodeSet(parent, 'trailers', req, value);
    else req._trailers = value as NonNullable<IncomingState['_trailers']>;
  },
  get trailersDistinct() {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) return nodeGet(parent, 'trailersDistinct', req);
    return req._rawTrailers === null || req._trailersDistinct !== null
      ? (req._trailersDistinct ?? (Object.create(null) as object))
      : (req._trailersDistinct = toDistinct(req._rawTrailers));
  },
  set trailersDistinct(value: unknown) {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) nodeSet(parent, 'trailersDistinct', req, value);
    else req._trailersDistinct = value as NodeJS.Dict<string[]>;
  },
};

const state = {
  get _readableState() {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) return req._stream ?? undefined;
    return req._stream ?? makeStream(req);
  },
  set _readableState(value: unknown) {
    (this as unknown as IncomingState)._stream = value as ReadableStateLike;
  },
  get _consuming() {
    return (this as unknown as IncomingState)._isRead;
  },
  set _consuming(value: boolean) {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) own(req, '_consuming', value);
    else if (value && !req._isRead) readContent(req);
  },
  get socket() {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) return undefined;
    return req._socket ?? connectSocket(req, req._exchange);
  },
  set socket(value: unknown) {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined || value === null) own(req, 'socket', value);
    else req._socket = value as FulmarSocket;
  },
  get client() {
    return (this as unknown as IncomingState).socket;
  },
  set client(value: unknown) {
    own(this, 'client', value);
  },
  get complete() {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) return undefined;
    return req._complete || (req._phase >= ContentPhase.idle && !req._exchange.isStreamed);
  },
  set complete(value: unknown) {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) own(req, 'complete', value);
    else req._complete = Boolean(value);
  },
  get httpVersion() {
    return `1.${(this as unknown as IncomingState).httpVersionMinor}`;
  },
  set httpVersion(value: unknown) {
    own(this, 'httpVersion', value);
  },
  get httpVersionMinor() {
    return (this as unknown as IncomingState)._exchange?.httpVersionMinor;
  },
  set httpVersionMinor(value: unknown) {
    own(this, 'httpVersionMinor', value);
  },
  httpVersionMajor: 1,
  statusCode: null,
  statusMessage: null,
};

/** The socket of the exchange; made when first asked for, shared by all requests of the connection. */
function connectSocket(req: IncomingState, exchange: Exchange): FulmarSocket {
  const socket = socketParts().socketOf(exchange.connection, req._server);
  req._socket = socket;
  socketParts().follow(socket);
  const res = req._response;
  if (res !== null && !res._finishSeen && !res._closed) {
    socketParts().makeRoom(socket);
    socket._httpMessage = res;
  }
  return socket;
}

/** Node's streams make their state for every listener; ours comes with the first that is about content. */
function listen(req: IncomingState, event: string | symbol, listener: unknown): unknown {
  const on = req._exchange === undefined || event === 'data' || event === 'readable' ? foreign.on : emitterOn;
  return on.call(req, event, listener);
}

const methods = {
  _exchange: undefined,
  constructor: Message,
  on(this: IncomingState, event: string | symbol, listener: unknown): unknown {
    return listen(this, event, listener);
  },
  addListener(this: IncomingState, event: string | symbol, listener: unknown): unknown {
    return listen(this, event, listener);
  },
  _read(this: IncomingState, size: number): void {
    if (this._exchange === undefined) foreign.read.call(this, size);
    else readContent(this);
  },
  _destroy(this: IncomingState, error: Error | null, done: (error?: Error | null) => void): void {
    if (this._exchange === undefined) foreign.destroy.call(this, error, done);
    else destroyIncoming(this, error, done);
  },
};

const signal = {
  get signal(): unknown {
    const req = this as unknown as IncomingState;
    if (req._exchange === undefined) return nodeGet(parent, 'signal', req);
    if (req._abort === null) {
      req._abort = new AbortController();
      if (req.aborted) req._abort.abort();
    }
    return req._abort.signal;
  },
};

Object.assign(readerMembers, { on: methods.on, _read: methods._read });
inherit(Message, NodeMessage, fields, ['signal' in parent ? signal : {}, state, methods, listenerFields]);
standInFor(Message as never, NodeMessage, 'request', () => new NodeMessage(null as never));
Object.defineProperty(Message, 'name', { value: 'IncomingMessage' });

/** The class of requests: callable with and without `new`'s subclasses, as Node's. */
export type IncomingMessage = NodeIncomingMessage;
export const IncomingMessage = Message as unknown as typeof NodeIncomingMessage;
