/**
 * The response object: Node's ServerResponse by prototype, answering an exchange. Declares its fields, keeps
 * the small members and puts the parts together; fields, head and content live in their own files. Without an
 * exchange every member does what Node's does.
 */
import type { ServerResponse as NodeServerResponse } from 'node:http';
import type { Exchange } from '../exchange/types.ts';
import { responseCreated } from './diagnostics.ts';
import { headerMembers } from './headers-out.ts';
import { socketAssigned } from './errors.ts';
import type { IncomingState } from './incoming-state.ts';
import { informationMembers } from './information.ts';
import { borrowed } from './borrowed-loader.ts';
import { lifeOf } from './lifecycle.ts';
import { listenerFields } from './listeners.ts';
import { standInFor } from './node-fields.ts';
import { inherit, nodeGet, nodeHttp, nodeMethod, nodeSet } from './node-http.ts';
import { releaseHeld } from './reply-body.ts';
import { bodyMembers } from './reply-methods.ts';
import { headMembers } from './reply-head.ts';
import { rareDefaults } from './response-state.ts';
import type { ResponseState } from './response-state.ts';
import type { FulmarSocket } from './socket.ts';

const NodeResponse = nodeHttp.ServerResponse;
const parent = NodeResponse.prototype;
const foreign = {
  construct: NodeResponse as unknown as (this: unknown, req: unknown, options: unknown) => void,
  destroy: nodeMethod(parent, 'destroy'),
  assignSocket: nodeMethod(parent, 'assignSocket'),
  detachSocket: nodeMethod(parent, 'detachSocket'),
  setTimeout: nodeMethod(parent, 'setTimeout'),
};
const RE_CHUNKED = /(?:^|\W)chunked(?:$|\W)/i;

/** HTTP/1.0 and request limits: rare, so in its own function. */
function initRare(res: ResponseState, req: IncomingState, exchange: Exchange): void {
  if (exchange.httpVersionMinor === 0) res.useChunkedEncodingByDefault = RE_CHUNKED.test(String(req.headers.te));
  if (exchange.requestLimit > 0) res.maxRequestsOnConnectionReached = true;
}

/** Declares a response's fields, in one order for all classes, and ties it to the exchange of its request. */
export function initResponse(res: ResponseState, req: IncomingState): void {
  const exchange = req._exchange as Exchange;
  res._exchange = exchange;
  res.req = req;
  res.statusCode = 200;
  res.statusMessage = undefined;
  res._out = null;
  res._block = null;
  res._flags = 0;
  res.finished = false;
  res._started = false;
  res._endLength = false;
  res._tagged = null;
  req._response = res;
  if (!exchange.keepAlive) res.shouldKeepAlive = false;
  if (req.method === 'HEAD') res._hasBody = false;
  if (!exchange.isPlain) initRare(res, req, exchange);
  const server = req._server;
  if (server._replyDefaults !== null) Object.assign(res, server._replyDefaults);
  if (responseCreated.hasSubscribers) responseCreated.publish({ request: req, response: res });
}

/**
 * Behind an upgrade bytes are the socket's alone: a reply of the application's own is Node's, written to it
 * by `assignSocket`.
 */
const isAnswerable = (req: Partial<IncomingState>): boolean => req._exchange !== undefined && !(req._socket?._raw ?? false);

/** `new ServerResponse(req)`: ours when the request is, else Node's. */
function Response(this: ResponseState, req: unknown, options?: unknown): void {
  const message = req as Partial<IncomingState> | null | undefined;
  if (message !== null && message !== undefined && isAnswerable(message)) initResponse(this, message as IncomingState);
  else foreign.construct.call(this, req, options);
}

/** A notice was not asked for; once the bytes have left, the response is over all the same. */
const isSettled = (res: ResponseState): boolean =>
  res.finished &&
  (res._life === null || !res._life.asked || res._life.wasOut) &&
  !res._destroyed &&
  (res._exchange as Exchange).bufferedBytes === 0;

const isOut = (res: ResponseState): boolean => res._finishSeen || isSettled(res);

/** The last byte has left, the response's events are still to come. */
const isSent = (res: ResponseState): boolean => res.finished && !res._closed && res._life !== null && res._life.over;

interface Accessor {
  readonly get: (res: ResponseState) => unknown;
  readonly set?: (res: ResponseState, value: unknown) => void;
}

/** Accessors of Node's prototype chain (or fields of its constructor) that we answer from our own fields. */
const accessors: Record<string, Accessor> = {
  headersSent: { get: (res) => res._block !== null },
  writableEnded: { get: (res) => res.finished },
  writableFinished: { get: (res) => isOut(res) || isSent(res) },
  writableObjectMode: { get: () => false },
  writableLength: { get: (res) => (isOut(res) ? 0 : (res._exchange as Exchange).bufferedBytes + heldLength(res)) },
  writableHighWaterMark: { get: (res) => res.req._server.highWaterMark },
  writableCorked: { get: (res) => res._corked },
  writableNeedDrain: { get: (res) => !res._destroyed && !res.finished && res._needDrain },
  errored: { get: (res) => res._errored },
  closed: { get: (res) => res._closed || isSettled(res) },
  destroyed: { get: (res) => res._destroyed || isSettled(res), set: (res, value) => void (res._destroyed = Boolean(value)) },
  socket: { get: socketOfResponse, set: () => undefined },
  connection: { get: socketOfResponse, set: () => undefined },
  outputSize: { get: (res) => res.writableLength, set: () => undefined },
  outputData: { get: () => [], set: () => undefined },
  _headerSent: { get: (res) => res._started, set: (res, value) => void (value && borrowed().headerSent(res)) },
  _keepAliveTimeout: { get: (res) => res.req._server.keepAliveTimeout, set: () => undefined },
  _maxRequestsPerSocket: { get: (res) => res.req._server.maxRequestsPerSocket, set: () => undefined },
};

function heldLength(res: ResponseState): number {
  return res._held?.at(-1)?.length ?? 0;
}

function socketOfResponse(res: ResponseState): FulmarSocket | null {
  return isOut(res) ? null : res.req.socket;
}

function defineAccessors(members: object): object {
  for (const [key, accessor] of Object.entries(accessors)) {
    Object.defineProperty(members, key, {
      get(this: ResponseState): unknown {
        return this._exchange === undefined ? nodeGet(parent, key, this) : accessor.get(this);
      },
      set(this: ResponseState, value: unknown): void {
        if (this._exchange === undefined) nodeSet(parent, key, this, value);
        else if (accessor.set !== undefined) accessor.set(this, value);
      },
      enumerable: key === 'headersSent',
      configurable: true,
    });
  }
  return members;
}

function destroy(res: ResponseState, error: Error | undefined): unknown {
  if (res._exchange === undefined) return foreign.destroy.call(res, error);
  if (res._destroyed || isOut(res)) return res;
  res._destroyed = true;
  res._errored = error;
  releaseHeld(res);
  const life = lifeOf(res, res._exchange);
  const socket = error ? listenedSocket(res.req) : null;
  life.leave(res._exchange);
  if (socket !== null) socket.destroy(error);
  else if (error && life.broken !== null) process.nextTick(life.broken, error);
  return res;
}

/**
 * In Node the error destroys the socket, which emits it. Ours is made for that only if somebody can listen to
 * it, and before its connection goes: a socket without one is destroyed already.
 */
function listenedSocket(req: IncomingState): FulmarSocket | null {
  return req._socket !== null || req._server.listenerCount('clientError') > 0 ? req.socket : null;
}

export const responseMembers = {
  ...rareDefaults,
  ...headerMembers,
  ...informationMembers,
  ...bodyMembers,
  destroy(this: ResponseState, error?: Error): unknown {
    return destroy(this, error);
  },
  setTimeout(this: ResponseState, msecs: number, callback?: () => void): unknown {
    if (this._exchange === undefined) return foreign.setTimeout.call(this, msecs, callback);
    if (callback) this.on('timeout', callback);
    lifeOf(this, this._exchange);
    this.req.socket.setTimeout(msecs);
    return this;
  },
  assignSocket(this: ResponseState, socket: unknown): void {
    if (this._exchange === undefined) foreign.assignSocket.call(this, socket);
    else if ((socket as FulmarSocket)._httpMessage) throw socketAssigned();
  },
  detachSocket(this: ResponseState, socket: unknown): void {
    if (this._exchange === undefined) foreign.detachSocket.call(this, socket);
  },
  writable: true,
  _exchange: undefined,
  constructor: Response,
};

inherit(Response, NodeResponse, defineAccessors(responseMembers), [headMembers, listenerFields]);
standInFor(Response as never, NodeResponse, 'response', () => new NodeResponse(new nodeHttp.IncomingMessage(null as never)));
Object.defineProperty(Response, 'name', { value: 'ServerResponse' });

/** The class of responses: callable with and without `new`'s subclasses, as Node's. */
export type ServerResponse = NodeServerResponse;
export const ServerResponse = Response as unknown as typeof NodeServerResponse;
