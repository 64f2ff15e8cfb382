/**
 * A request on its connection: sending, the response as it comes, and what becomes of the connection
 * afterwards.
 */
import { channel } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { connResetException } from '../shared/errno.ts';
import type { IncomingState } from './incoming.ts';
import { kNeedDrain } from './outgoing-state.ts';
import type { OutgoingFields } from './outgoing-state.ts';
import { Content, MessageParser } from './parser.ts';

const failed = channel('http.client.request.error');
const finishedResponse = channel('http.client.response.finish');

export interface RequestFields {
  agent: unknown;
  method: string;
  path: string;
  _path: string;
  host: string;
  protocol: string;
  socketPath: string | undefined;
  timeout: number | undefined;
  maxHeaderSize: number | undefined;
  maxHeadersCount: number | null;
  joinDuplicateHeaders: boolean | undefined;
  res: IncomingState | null;
  aborted: boolean;
  timeoutCb: (() => void) | null;
  upgradeOrConnect: boolean;
  parser: MessageParser | null;
  reusedSocket: boolean;
  _ended: boolean;
  _error: Error | null | undefined;
  socket: ClientSocket | null;
  onSocket(socket: Socket | null, error?: Error): void;
}

type ClientSocket = Socket & { _httpMessage?: RequestState | null; parser?: MessageParser | null; _hadError?: boolean };

export type RequestState = RequestFields & Omit<OutgoingFields, 'agent'> & Omit<ClientRequest, keyof RequestFields | keyof OutgoingFields>;

function emitError(request: RequestState, error: Error): void {
  if (failed.hasSubscribers) failed.publish({ request, error });
  request.emit('error', error);
}

/** The parser has done its work on this socket. */
function free(socket: ClientSocket, request: RequestState | null | undefined): void {
  const { parser } = socket;
  if (parser) parser.isFreed = true;
  socket.parser = null;
  if (request) request.parser = null;
}

function emitTimeout(this: ClientSocket): void {
  this._httpMessage?.emit('timeout');
}

function onResponseTimeout(this: ClientSocket): void {
  this._httpMessage?.res?.emit('timeout');
}

/** `timeout` of the request is emitted with its socket's. */
export function listenSocketTimeout(request: RequestState): void {
  if (request.timeoutCb) return;
  request.timeoutCb = emitTimeout as () => void;
  if (request.socket) request.socket.once('timeout', emitTimeout);
  else request.on('socket', (socket: Socket) => socket.once('timeout', emitTimeout as () => void));
}

/** Gives the connection to the request. */
export function occupy(request: RequestState, given: Socket): void {
  const socket = given as ClientSocket;
  const parser = new MessageParser(socket, true, { headBytesMax: request.maxHeaderSize, fieldsMax: request.maxHeadersCount });
  request.socket = socket;
  parser.outgoing = request;
  parser.joinDuplicateHeaders = request.joinDuplicateHeaders === true;
  parser.onIncoming = (response, keepAlive) => onIncoming(request, socket, response, keepAlive);
  request.parser = parser;
  socket.parser = parser;
  socket._httpMessage = request;
  socket.on('error', onError);
  socket.on('data', onData);
  socket.on('end', onEnd);
  socket.on('close', onClose);
  socket.on('drain', onDrain);
  const agent = request.agent as { options?: { timeout?: number } } | undefined;
  if (request.timeout !== undefined || agent?.options?.timeout) listenSocketTimeout(request);
  request.emit('socket', socket);
}

function onDrain(this: ClientSocket): void {
  const request = this._httpMessage;
  if (!request || request.finished || !request[kNeedDrain]) return;
  request[kNeedDrain] = false;
  request.emit('drain');
}

function hangUp(request: RequestState, socket: ClientSocket): void {
  if (socket._hadError === true) return;
  socket._hadError = true;
  emitError(request, connResetException('socket hang up'));
}

function onClose(this: ClientSocket): void {
  const request = this._httpMessage as RequestState;
  const { parser } = this;
  const { res } = request;
  request.destroyed = true;
  if (res) {
    // Content that ends with the connection is complete now.
    if (!res.complete) parser?.finish();
    if (!res.complete) res.destroy(connResetException('aborted'));
    request._closed = true;
    request.emit('close');
    if (!res.aborted && res.readable) res.push(null);
  } else {
    hangUp(request, this);
    request._closed = true;
    request.emit('close');
  }
  request.outputData.length = 0;
  free(this, request);
}

function onError(this: ClientSocket, error: Error): void {
  const request = this._httpMessage;
  if (request) {
    this._hadError = true;
    emitError(request, error);
  }
  this.parser?.finish();
  free(this, request);
  this.removeListener('data', onData);
  this.removeListener('end', onEnd);
  this.destroy();
}

function onEnd(this: ClientSocket): void {
  const request = this._httpMessage as RequestState;
  if (!request.res) hangUp(request, this);
  this.parser?.finish();
  free(this, request);
  this.destroy();
}

function onData(this: ClientSocket, chunk: Buffer): void {
  const request = this._httpMessage as RequestState;
  const parser = this.parser as MessageParser;
  const outcome = parser.execute(chunk);
  const { incoming } = parser;
  if (outcome instanceof Error) {
    free(this, request);
    this.removeListener('data', onData);
    this.removeListener('end', onEnd);
    this.destroy();
    this._hadError = true;
    emitError(request, outcome);
  } else if (incoming?.upgrade === true) upgrade(request, this, incoming, chunk.subarray(outcome));
  else if (incoming?.complete === true && !isInformational(incoming.statusCode)) {
    this.removeListener('data', onData);
    this.removeListener('end', onEnd);
    this.removeListener('drain', onDrain);
    free(this, request);
  }
}

const isInformational = (status: number | null): boolean => status !== null && status >= 100 && status < 200 && status !== 101;

/** From now on the bytes are the application's. */
function upgrade(request: RequestState, socket: ClientSocket, response: IncomingState, head: Buffer): void {
  request.res = response;
  socket.removeListener('data', onData);
  socket.removeListener('end', onEnd);
  socket.removeListener('drain', onDrain);
  if (request.timeoutCb) socket.removeListener('timeout', request.timeoutCb);
  socket.removeListener('timeout', onResponseTimeout);
  free(socket, request);
  const event = request.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (request.listenerCount(event) === 0) {
    // Nobody takes the connection.
    socket.destroy();
    return;
  }
  request.upgradeOrConnect = true;
  socket.emit('agentRemove');
  socket.removeListener('close', onClose);
  socket.removeListener('error', onError);
  socket._httpMessage = null;
  (socket as { readableFlowing: boolean | null }).readableFlowing = null;
  request.emit(event, response as never, socket, head);
  request.destroyed = true;
  request._closed = true;
  request.emit('close');
}

function emitInformation(request: RequestState, response: IncomingState): void {
  if (response.statusCode === 100) request.emit('continue');
  const { statusCode, statusMessage, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders } = response;
  request.emit('information', { statusCode, statusMessage, httpVersion, httpVersionMajor, httpVersionMinor, headers, rawHeaders } as never);
}

/** A head has come; says what to do with the content. */
function onIncoming(request: RequestState, socket: ClientSocket, response: IncomingState, keepAlive: boolean): number {
  if (request.res) {
    // A second response to one request.
    socket.destroy();
    return Content.none;
  }
  request.res = response;
  if (request.method === 'CONNECT') response.upgrade = true;
  if (response.upgrade === true) return Content.stop;
  if (isInformational(response.statusCode)) {
    request.res = null;
    emitInformation(request, response);
    return Content.none;
  }
  if (request.shouldKeepAlive && !keepAlive && !request.upgradeOrConnect) request.shouldKeepAlive = false;
  if (finishedResponse.hasSubscribers) finishedResponse.publish({ request, response });
  (response as unknown as { req: RequestState }).req = request;
  response.on('end', onResponseEnd);
  request.on('finish', onRequestFinish);
  socket.on('timeout', onResponseTimeout);
  if (request.aborted || !request.emit('response', response as never)) response._dump();
  if (request.method === 'HEAD') return Content.none;
  if (response.statusCode === 304) {
    response.complete = true;
    return Content.none;
  }
  return Content.asDeclared;
}

function onResponseEnd(this: IncomingState): void {
  const request = (this as unknown as { req: RequestState }).req;
  const { socket } = request;
  if (socket) {
    if (request.timeoutCb) socket.removeListener('timeout', emitTimeout);
    socket.removeListener('timeout', onResponseTimeout);
  }
  request._ended = true;
  if (!request.shouldKeepAlive) {
    if (socket?.writable !== true) return;
    if (typeof socket.destroySoon === 'function') socket.destroySoon();
    else socket.end();
  } else if (request.writableFinished && !this.aborted) release(request);
}

function onRequestFinish(this: RequestState): void {
  if (this.shouldKeepAlive && this._ended && !this.destroyed) release(this);
}

/** Gives the connection back to the agent. */
function release(request: RequestState): void {
  const socket = request.socket as ClientSocket;
  if (request.timeoutCb) {
    socket.setTimeout(0, request.timeoutCb);
    request.timeoutCb = null;
  }
  socket.removeListener('close', onClose);
  socket.removeListener('error', onError);
  socket.removeListener('data', onData);
  socket.removeListener('end', onEnd);
  process.nextTick(emitFree, request);
  request.destroyed = true;
  if (request.res) request.res.socket = null as never;
}

function emitFree(request: RequestState): void {
  request._closed = true;
  request.emit('close');
  request.socket?.emit('free');
}
