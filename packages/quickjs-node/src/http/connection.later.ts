/**
 * Serves HTTP/1 on a socket that is not the engine's: one that TLS has made, or that an application hands
 * over with `server.emit('connection', socket)`. Requests are answered in their order; a reply that is early
 * waits in its message.
 */
import type { Socket } from 'node:net';
import { channel } from 'node:diagnostics_channel';
import { coded } from '../shared/errors.ts';
import { connResetException } from '../shared/errno.ts';
import { CONTINUE } from './common.ts';
import type { IncomingState } from './incoming.ts';
import { kNeedDrain, kUnique } from './outgoing-state.ts';
import type { SocketLike } from './outgoing-state.ts';
import { Content, MessageParser } from './parser.ts';
import type { ParseError } from './parser.ts';
import { emitClose } from './response.ts';
import type { ResponseState } from './response.ts';
import { kConnections, kIncomingMessage, kOptimizeEmpty, kServerResponse, startChecking } from './server.ts';
import type { HttpServerState, ServedConnection } from './server.ts';
import { STATUS_CODES } from './status-codes.ts';

const requestStart = channel('http.server.request.start');
const responseFinish = channel('http.server.response.finish');
const nop = (): void => undefined;

type ServerSocket = Omit<SocketLike, 'server' | 'parser'> & { server: HttpServerState; parser: MessageParser | null; _paused: boolean };

const REPLIES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** Of a socket that fails, or whose bytes are no request. */
function onSocketError(this: ServerSocket, error: Error): void {
  this.removeListener('error', onSocketError);
  if (this.listenerCount('error') === 0) this.on('error', nop);
  if (this.server.emit('clientError', error, this)) return;
  const message = this._httpMessage as ResponseState | null | undefined;
  if (this.writable && (!message || !message._headerSent)) {
    const status = REPLIES[(error as ParseError).code] ?? 400;
    this.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\n\r\n`, 'latin1');
  }
  this.destroy(error);
}

function onSocketTimeout(this: ServerSocket): void {
  const req = this.parser?.incoming;
  const byRequest = req && !req.complete && req.emit('timeout', this);
  const res = this._httpMessage as ResponseState | null | undefined;
  const byResponse = res?.emit('timeout', this);
  const byServer = this.server.emit('timeout', this);
  if (!byRequest && !byResponse && !byServer) this.destroy();
}

const positive = (value: unknown, fallback: number): number =>
  Number.isFinite(value) && (value as number) >= 0 ? (value as number) : fallback;

/** One connection and the requests that are under way on it. */
class Connection implements ServedConnection {
  readonly server: HttpServerState;
  readonly socket: ServerSocket;
  readonly parser: MessageParser;
  readonly incoming: IncomingState[] = [];
  /** Responses whose turn has not come. */
  readonly outgoing: ResponseState[] = [];
  outgoingBytes = 0;
  requests = 0;
  keepAliveTimer = false;
  /** When the head or content that is being received began. */
  began = Date.now();
  headDone = false;

  constructor(server: HttpServerState, socket: ServerSocket) {
    this.server = server;
    this.socket = socket;
    this.parser = new MessageParser(socket as unknown as Socket, false, {
      headBytesMax: server.maxHeaderSize,
      fieldsMax: server.maxHeadersCount,
      Incoming: server[kIncomingMessage],
    });
    this.parser.joinDuplicateHeaders = server.joinDuplicateHeaders === true;
    this.parser.onIncoming = (req, keepAlive) => this.onIncoming(req, keepAlive);
  }

  isIdle(): boolean {
    return this.incoming.length === 0 && this.parser.incoming === null && this.outgoing.length === 0 && !this.socket._httpMessage;
  }

  isExpired(now: number, headersTimeout: number, requestTimeout: number): boolean {
    if (this.began === 0) return false;
    const age = now - this.began;
    return (!this.headDone && headersTimeout > 0 && age > headersTimeout) || (requestTimeout > 0 && age > requestTimeout);
  }

  expire(): void {
    onSocketError.call(this.socket, coded(Error, 'ERR_HTTP_REQUEST_TIMEOUT', 'Request timeout'));
  }

  attach(): void {
    const { socket, server } = this;
    socket.server = server;
    if (server.timeout && typeof socket.setTimeout === 'function') socket.setTimeout(server.timeout);
    socket.on('timeout', onSocketTimeout);
    socket.parser = this.parser;
    socket.on('data', this.onData);
    socket.on('error', onSocketError);
    socket.on('end', this.onEnd);
    socket.on('close', this.onClose);
    socket.on('drain', this.onDrain);
    socket._paused = false;
    Object.defineProperty(socket, 'setEncoding', { value: refuseEncoding, configurable: true, writable: true });
  }

  /** From now on the socket is the application's. */
  detach(): void {
    const { socket } = this;
    socket.removeListener('data', this.onData);
    socket.removeListener('end', this.onEnd);
    socket.removeListener('close', this.onClose);
    socket.removeListener('drain', this.onDrain);
    socket.removeListener('error', onSocketError);
    socket.removeListener('timeout', onSocketTimeout);
    Reflect.deleteProperty(socket, 'setEncoding');
    this.forget();
  }

  forget(): void {
    this.parser.isFreed = true;
    this.socket.parser = null;
    this.server[kConnections]?.delete(this);
  }

  onData = (chunk: Buffer): void => {
    if (this.began === 0 && this.parser.incoming === null) {
      this.began = Date.now();
      this.headDone = false;
    }
    const outcome = this.parser.execute(chunk);
    if (outcome instanceof Error) onSocketError.call(this.socket, outcome);
    else if (this.parser.incoming?.upgrade === true) this.upgrade(this.parser.incoming, chunk.subarray(outcome));
  };

  upgrade(req: IncomingState, head: Buffer): void {
    const { server, socket } = this;
    const event = req.method === 'CONNECT' ? 'connect' : 'upgrade';
    req.complete = true;
    req.push(null);
    this.detach();
    if (server.listenerCount(event) === 0) {
      socket.destroy();
      return;
    }
    (socket as { readableFlowing: boolean | null }).readableFlowing = null;
    server.emit(event, req as never, socket as never, head);
  }

  onEnd = (): void => {
    const error = this.parser.finish();
    const { socket } = this;
    if (error !== undefined) onSocketError.call(socket, error);
    else if (!this.server.httpAllowHalfOpen) socket.end();
    else if (this.outgoing.length > 0) (this.outgoing.at(-1) as ResponseState)._last = true;
    else if (socket._httpMessage) (socket._httpMessage as ResponseState)._last = true;
    else socket.end();
  };

  onClose = (): void => {
    this.forget();
    for (const req of this.incoming.splice(0)) req.destroy(connResetException('aborted'));
    for (const res of this.outgoing.splice(0)) res.destroy(connResetException('aborted'));
  };

  onDrain = (): void => {
    const { socket } = this;
    if (socket._paused && this.outgoingBytes <= socket.writableHighWaterMark) {
      socket._paused = false;
      socket.resume();
    }
    const res = socket._httpMessage as ResponseState | null | undefined;
    if (res && !res.finished && res[kNeedDrain] && res.writableLength === 0) {
      res[kNeedDrain] = false;
      res.emit('drain');
    }
  };

  onIncoming(req: IncomingState, keepAlive: boolean): number {
    const { server, socket } = this;
    this.headDone = true;
    if (this.keepAliveTimer) {
      this.keepAliveTimer = false;
      socket.setTimeout(server.timeout || 0);
    }
    if (req.upgrade === true) {
      req.upgrade = req.method === 'CONNECT' || Boolean(server.shouldUpgradeCallback(req));
      if (req.upgrade) return Content.stop;
    }
    this.incoming.push(req);
    req.once('close', () => this.received(req));
    this.hold();
    const res = this.respond(req, keepAlive);
    if (requestStart.hasSubscribers) requestStart.publish({ request: req, response: res, socket, server });
    if (server[kOptimizeEmpty] && !('content-length' in req.headers) && !('transfer-encoding' in req.headers)) {
      req._dumpAndCloseReadable();
      req._read(0);
    }
    if (socket._httpMessage) this.outgoing.push(res);
    else res.assignSocket(socket);
    res.on('finish', () => this.answered(req, res));
    this.dispatch(req, res);
    return Content.asDeclared;
  }

  /** A peer that sends requests faster than it takes replies has to wait. */
  hold(): void {
    const { socket } = this;
    if (socket._paused) return;
    if (socket.writableNeedDrain || this.outgoingBytes >= socket.writableHighWaterMark) {
      socket._paused = true;
      socket.pause();
    }
  }

  respond(req: IncomingState, keepAlive: boolean): ResponseState {
    const { server, socket } = this;
    const res = new server[kServerResponse](req, {
      highWaterMark: socket.writableHighWaterMark,
      rejectNonStandardBodyWrites: server.rejectNonStandardBodyWrites,
    }) as ResponseState;
    res._keepAliveTimeout = server.keepAliveTimeout;
    res._maxRequestsPerSocket = server.maxRequestsPerSocket;
    res._onPendingData = (delta) => {
      this.outgoingBytes += delta;
      this.onDrain();
    };
    res.shouldKeepAlive = keepAlive;
    res[kUnique] = server[kUnique];
    return res;
  }

  dispatch(req: IncomingState, res: ResponseState): void {
    const { server } = this;
    if (req.httpVersionMinor === 1 && this.dispatchSpecial(req, res)) return;
    server.emit('request', req as never, res as never);
  }

  /** True when the request has an answer, or a listener, of its own kind. */
  dispatchSpecial(req: IncomingState, res: ResponseState): boolean {
    const { server, socket } = this;
    if (server.requireHostHeader && req.headers.host === undefined) {
      res.writeHead(400, ['Connection', 'close']);
      res.end();
      return true;
    }
    const limit = server.maxRequestsPerSocket ?? 0;
    if (limit > 0) {
      this.requests++;
      res.maxRequestsOnConnectionReached = limit <= this.requests;
      if (limit < this.requests) {
        server.emit('dropRequest', req as never, socket as never);
        res.writeHead(503);
        res.end();
        return true;
      }
    }
    const { expect } = req.headers;
    if (expect === undefined) return false;
    if (CONTINUE.test(expect)) {
      res._expect_continue = true;
      if (server.listenerCount('checkContinue') > 0) server.emit('checkContinue', req as never, res as never);
      else {
        (res as unknown as { writeContinue(): void }).writeContinue();
        server.emit('request', req as never, res as never);
      }
    } else if (server.listenerCount('checkExpectation') > 0) server.emit('checkExpectation', req as never, res as never);
    else {
      res.writeHead(417);
      res.end();
    }
    return true;
  }

  /** A request is read, or thrown away. */
  received(req: IncomingState): void {
    if (this.parser.incoming === req) this.parser.incoming = null;
    this.began = 0;
  }

  /** A response has left. */
  answered(req: IncomingState, res: ResponseState): void {
    const { server, socket } = this;
    if (responseFinish.hasSubscribers) responseFinish.publish({ request: req, response: res, socket, server });
    this.incoming.shift();
    if (!req._consuming && !req._readableState.resumeScheduled) req._dump();
    res.detachSocket(socket);
    if (this.parser.incoming === req && req.complete) this.received(req);
    process.nextTick(emitClose, res);
    if (res._last) {
      if (typeof socket.destroySoon === 'function') socket.destroySoon();
      else socket.end();
    } else if (this.outgoing.length > 0) (this.outgoing.shift() as ResponseState).assignSocket(socket);
    else this.rest();
  }

  /** No request is under way: the connection waits for the next. */
  rest(): void {
    const { server, socket } = this;
    const timeout = positive(server.keepAliveTimeout, 0);
    if (timeout === 0 || typeof socket.setTimeout !== 'function') return;
    socket.setTimeout(timeout + positive(server.keepAliveTimeoutBuffer, 1000));
    this.keepAliveTimer = true;
  }
}

function refuseEncoding(): never {
  throw coded(Error, 'ERR_HTTP_SOCKET_ENCODING', 'Changing the socket encoding is not allowed per RFC7230 Section 3.');
}

export function serve(server: HttpServerState, socket: Socket): void {
  const connection = new Connection(server, socket as unknown as ServerSocket);
  (server[kConnections] ??= new Set()).add(connection);
  connection.attach();
  if (server.listening) startChecking(server);
}
