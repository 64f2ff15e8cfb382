/**
 * What a server does when the engine reports something: make request and response, emit Node's events in
 * Node's order. One observer per listening socket. Never parses, never writes bytes.
 */
import { removeDrainable } from './drainable.ts';
import { keepShapes } from '../exchange/index.ts';
import type { Connection, Exchange, Listener, Reject, ServerObserver, SocketAddress } from '../exchange/types.ts';
import { publishStart, requestStart } from './diagnostics.ts';
import { requestTimeout } from './errors.ts';
import { ContentPhase } from './incoming-state.ts';
import type { IncomingState } from './incoming-state.ts';
import { initRequest } from './incoming-message.ts';
import { releaseContent } from './incoming-stream.ts';
import { socket as socketParts } from './lazy.ts';
import { Lifecycle, lifeOf } from './lifecycle.ts';
import { makersFor } from './message-makers.ts';
import { nodeHttp } from './node-http.ts';
import type { ResponseState } from './response-state.ts';
import { initResponse } from './server-response.ts';
import type { MessageMakers, ServerState } from './server-state.ts';
import type { FulmarSocket } from './socket.ts';

function makeRequest(server: ServerState, makers: MessageMakers, exchange: Exchange): IncomingState {
  let req: IncomingState;
  if (makers.viaSocket) {
    const socket = socketParts().socketOf(exchange.connection, server);
    socket._pending = { server, exchange };
    req = new makers.Request(socket) as IncomingState;
    if (req._exchange === undefined) initRequest(req, server, exchange);
  } else req = new makers.Request(server, exchange) as IncomingState;
  if (server.joinDuplicateHeaders === true) req.joinDuplicateHeaders = true;
  return req;
}

function makeResponse(makers: MessageMakers, req: IncomingState): ResponseState {
  if (makers.options === null) return new makers.Response(req) as ResponseState;
  const res = new makers.Response(req, makers.options) as ResponseState;
  if (res._exchange === undefined) initResponse(res, req);
  return res;
}

/**
 * An exception of a handler is an uncaught one, as in Node, but must not take the rest of the batch along.
 */
function rethrow(error: unknown): never {
  throw error;
}

function refuse(res: ResponseState, status: number): void {
  res.writeHead(status);
  res.end();
}

/** Requests with an expectation, or beyond `maxRequestsPerSocket`. */
function emitSpecial(server: ServerState, exchange: Exchange, req: IncomingState, res: ResponseState): void {
  if (exchange.requestLimit === 2) {
    server.emit('dropRequest', req as never, req.socket as never);
    refuse(res, 503);
  } else if (exchange.expectContinue) {
    res._expect_continue = true;
    if (server.listenerCount('checkContinue') > 0) server.emit('checkContinue', req as never, res as never);
    else {
      res._sent100 = true;
      server.emit('request', req as never, res as never);
    }
  } else if (server.listenerCount('checkExpectation') > 0) server.emit('checkExpectation', req as never, res as never);
  else refuse(res, 417);
}

const isSpecial = (exchange: Exchange): boolean =>
  !exchange.isPlain &&
  (exchange.requestLimit === 2 || (exchange.httpVersionMinor === 1 && (exchange.expectContinue || exchange.expectOther)));

function answer(server: ServerState, exchange: Exchange, req: IncomingState, res: ResponseState): void {
  if (server._config.reportConnections) req.socket._httpMessage = res;
  if (requestStart.hasSubscribers) publishStart(req, res);
  try {
    if (isSpecial(exchange)) emitSpecial(server, exchange, req, res);
    else server.emit('request', req as never, res as never);
  } catch (error) {
    process.nextTick(rethrow, error);
  }
  if (!res.finished) lifeOf(res, exchange);
  if (req._phase === ContentPhase.handling && req._stream === null) req._phase = ContentPhase.idle;
  else releaseContent(req);
}

/** An exchange that nobody but the application has to see. */
function isTaken(server: ServerState, exchange: Exchange): boolean {
  if (requestStart.hasSubscribers || server._config.reportConnections) return false;
  return !isSpecial(exchange) || (exchange.requestLimit !== 2 && !exchange.expectOther && server.listenerCount('checkContinue') === 0);
}

function take(listener: (exchange: Exchange) => void, exchange: Exchange): void {
  try {
    listener(exchange);
  } catch (error) {
    process.nextTick(rethrow, error);
  }
}

function serve(server: ServerState, makers: MessageMakers, exchange: Exchange): void {
  const req = makeRequest(server, makers, exchange);
  const res = makeResponse(makers, req);
  answer(server, exchange, req, res);
  if (makers.untilKnown > 0 && --makers.untilKnown === 0) keepShapes([exchange, req, res, ...(makers.perRequest?.(req) ?? [])]);
}

/** For a listener that takes exchanges. */
function serveTaken(server: ServerState, makers: MessageMakers, exchange: Exchange): void {
  if (makers.take !== null && isTaken(server, exchange)) take(makers.take, exchange);
  else serve(server, makers, exchange);
}

/** Answers an exchange as one of a server's own, which came by another way than a port. */
export function answerOn(server: ServerState, exchange: Exchange): void {
  if (server._events['request'] !== server._makers.listener) server._makers = makersFor(server);
  serveTaken(server, server._makers, exchange);
}

/**
 * The second door: makes request and response of an exchange that a listener took, and gives them to another
 * listener as the server would.
 */
export function serveMessages(server: ServerState, exchange: Exchange, listener: (req: object, res: object) => void): void {
  const makers = server._makers;
  const req = makeRequest(server, makers, exchange);
  const res = makeResponse(makers, req);
  try {
    listener(req, res);
  } catch (error) {
    process.nextTick(rethrow, error);
  }
  if (!res.finished) lifeOf(res, exchange);
  if (req._phase === ContentPhase.handling && req._stream === null) req._phase = ContentPhase.idle;
  else releaseContent(req);
}

/** The third door: the connection of an exchange as a raw stream, with the bytes that have come already. */
export function acceptUpgrade(server: ServerState, exchange: Exchange): { socket: FulmarSocket; head: Buffer } {
  const socket = socketParts().socketOf(exchange.connection, server);
  const head = exchange.acceptUpgrade();
  socketParts().enterRaw(socket);
  return { socket, head };
}

function wantsUpgrade(server: ServerState, req: IncomingState): boolean {
  if (req.method === 'CONNECT') return true;
  const { shouldUpgradeCallback } = server;
  return shouldUpgradeCallback === undefined ? server.listenerCount('upgrade') > 0 : Boolean(shouldUpgradeCallback.call(server, req));
}

function upgrade(server: ServerState, makers: MessageMakers, exchange: Exchange): void {
  const req = makeRequest(server, makers, exchange);
  req.upgrade = true;
  if (!wantsUpgrade(server, req)) {
    req.upgrade = false;
    exchange.declineUpgrade();
    answer(server, exchange, req, makeResponse(makers, req));
    return;
  }
  const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
  if (server.listenerCount(event) === 0) {
    exchange.connection.destroy();
    return;
  }
  const { socket } = req;
  const head = exchange.acceptUpgrade();
  socketParts().enterRaw(socket);
  req._complete = true;
  req._phase = ContentPhase.idle;
  try {
    server.emit(event, req as never, socket as never, head);
  } catch (error) {
    process.nextTick(rethrow, error);
  }
}

/** For a listener that takes exchanges: its reply is the decision, and declines. */
function upgradeTaken(server: ServerState, makers: MessageMakers, exchange: Exchange): void {
  if (makers.take !== null && makers.takesUpgrade?.(exchange) === true) take(makers.take, exchange);
  else if (exchange.method === 'CONNECT' || server.listenerCount('upgrade') > 0 || Object.hasOwn(server, '_customUpgrade'))
    upgrade(server, makers, exchange);
  else {
    exchange.declineUpgrade();
    serveTaken(server, makers, exchange);
  }
}

interface ParseError extends Error {
  code: string;
  reason?: string;
  bytesParsed?: number;
  rawPacket?: Buffer;
}

/** The error `clientError` listeners know from Node's parser. */
function rejectError(reject: Reject): ParseError {
  if (reject.code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  const error = new Error(`Parse Error: ${reject.reason}`) as ParseError;
  error.bytesParsed = reject.raw.length;
  error.code = reject.code;
  error.reason = reject.reason;
  error.rawPacket = reject.raw;
  return error;
}

const nop = (): void => undefined;

/**
 * Node's own listener of a socket's `timeout`, the first that there is: who hears of it decides, else the
 * connection ends.
 */
function tellOfTimeout(server: ServerState, socket: FulmarSocket, exchange: Exchange | null): void {
  const pair = exchange?.observer instanceof Lifecycle ? exchange.observer : null;
  const byRequest = pair !== null && !pair.req.complete && pair.req.emit('timeout', socket as never);
  const byResponse = pair !== null && !pair.over && pair.res.emit('timeout', socket as never);
  const byServer = server.emit('timeout', socket as never);
  if (!byRequest && !byResponse && !byServer) socket.destroy();
}

/** Engine notices for one listening socket of a server. */
export class Observer implements ServerObserver {
  readonly #server: ServerState;
  listener: Listener | null = null;

  constructor(server: ServerState) {
    this.#server = server;
  }

  #makers(): MessageMakers {
    const server = this.#server;
    if (server._events['request'] !== server._makers.listener) server._makers = makersFor(server);
    return server._makers;
  }

  onRequest(exchange: Exchange): void {
    const server = this.#server;
    const scope = server._scope;
    if (scope === null) return;
    const makers = this.#makers();
    scope(makers.take === null ? serve : serveTaken, server, makers, exchange);
  }

  onUpgrade(exchange: Exchange): void {
    const server = this.#server;
    const scope = server._scope;
    if (scope === null) return;
    const makers = this.#makers();
    scope(makers.takesUpgrade === null ? upgrade : upgradeTaken, server, makers, exchange);
  }

  onConnection(connection: Connection): void {
    this.#server.emit('connection', socketParts().socketOf(connection, this.#server) as never);
  }

  onReject(connection: Connection, reject: Reject): void {
    const socket = socketParts().socketOf(connection, this.#server);
    socketParts().enterRefused(socket);
    if (socket.listenerCount('error') === 0) socket.on('error', nop);
    const error = rejectError(reject);
    if (this.#server.emit('clientError', error, socket as never)) return;
    if (socket.writable) socket.write(`HTTP/1.1 ${reject.status} ${nodeHttp.STATUS_CODES[reject.status]}\r\nConnection: close\r\n\r\n`);
    socket.destroy(error);
  }

  onLost(connection: Connection, error: Error): void {
    socketParts().lost(connection, this.#server, error);
  }

  onDrop(local: SocketAddress | null, remote: SocketAddress | null): void {
    const data: Record<string, unknown> = {};
    if (local !== null) Object.assign(data, { localAddress: local.address, localPort: local.port, localFamily: local.family });
    if (remote !== null) Object.assign(data, { remoteAddress: remote.address, remotePort: remote.port, remoteFamily: remote.family });
    this.#server.emit('drop', data as never);
  }

  onTimeout(connection: Connection, exchange: Exchange | null): void {
    const server = this.#server;
    const socket = socketParts().socketOf(connection, server);
    if (!socket._raw || socket._isRefused) tellOfTimeout(server, socket, exchange);
    socket.emit('timeout');
  }

  onClosed(): void {
    const server = this.#server;
    if (this.listener !== null) process.nextTick(forgetListener, server, this.listener);
  }
}

function forgetListener(server: ServerState, listener: Listener): void {
  if (!server._listeners.delete(listener)) return;
  if (server._listener === listener) server._listener = null;
  if (server._handle !== null || server._listeners.size > 0) return;
  removeDrainable(server);
  server.emit('close');
}
