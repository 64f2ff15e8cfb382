/**
 * `req.socket`: a net.Socket by prototype on top of an engine connection. Made when first asked for, one per
 * connection; it carries addresses, timeouts and `destroy()` while HTTP runs, and raw bytes in both
 * directions after an upgrade. It never owns a descriptor: everything goes to the connection.
 */
import type { Socket as NodeSocket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Connection, ConnectionObserver, Exchange } from '../exchange/types.ts';
import { codedError, socketEncoding } from './errors.ts';
import { inherit, nodeNet } from './node-http.ts';
import type { ResponseState } from './response-state.ts';
import type { ServerState } from './server-state.ts';
import { netFields, netMethods } from './socket-net.ts';
import { abortRequests, abortWith, follow, forgetAbort } from './socket-aborts.ts';
import type { Aborting } from './socket-aborts.ts';
import { makeRoom } from './socket-room.ts';

type Done = (error?: Error | null) => void;

interface SocketFields {
  _connection: Connection;
  _server: ServerState;
  server: ServerState;
  _httpMessage: object | null;
  /** After `upgrade`, `connect` or a rejected head: bytes are the application's. */
  _raw: boolean;
  /** A rejected head: Node's server still answers the peer's end with its own. */
  _isRefused: boolean;
  _writeDone: Done | null;
  _closeError: Error | null;
  _closeSeen: boolean;
  _pending: { readonly server: ServerState; readonly exchange: Exchange } | null;
  timeout: number;
  _hadError: boolean;
  parser: object | null;
  readable: boolean;
  _closeEmitted: boolean;
  /** Messages that the application has given up and that are told before `close`. */
  _closeHolds: number;
  /** `close` waits for them. */
  _isCloseHeld: boolean;
  /** Messages that have joined others here, with the first of them; see `socket-room.ts`. */
  _sharers: number;
  /** The limit of listeners that comes of it. */
  _room: number | undefined;
  /**
   * Open exchanges that ended with the connection, until `close`; null before the first request knows this
   * socket.
   */
  _aborting: Aborting[] | null;
}

/** The socket object as this folder sees it. */
export type FulmarSocket = SocketFields & Omit<NodeSocket, keyof SocketFields>;

const brokenPipe = (): Error => codedError('EPIPE', 'write EPIPE: the connection is closed');

/** What the engine tells a socket object. */
class SocketObserver implements ConnectionObserver {
  readonly socket: FulmarSocket;
  /** The peer's end was reported before that of the connection. */
  isEndTold = false;

  constructor(socket: FulmarSocket) {
    this.socket = socket;
  }

  onData(chunk: Buffer): void {
    const { socket } = this;
    if (!socket.destroyed && !socket.push(chunk)) socket._connection.pause();
  }

  onEnd(): void {
    const { socket } = this;
    this.isEndTold = true;
    if (socket.destroyed) return;
    socket.push(null);
    socket.read(0);
  }

  onDrain(): void {
    const done = this.socket._writeDone;
    this.socket._writeDone = null;
    done?.();
  }

  onClose(error: Error | null): void {
    const { socket } = this;
    socket._closeSeen = true;
    const done = socket._writeDone;
    socket._writeDone = null;
    if (socket.destroyed) emitClose(socket);
    else if (error !== null) socket.destroy(error);
    else if (this.isEndTold && socket._raw) destroyWhenRead(socket);
    else {
      // As with Node's server, the end of the peer's side is `end`, which ends ours, and both together are
      // `close`.
      const closesByEnd = socket._raw && !socket._isRefused ? socket.writableFinished : socket.writableLength === 0;
      socket.push(null);
      socket.read(0);
      if (!closesByEnd) socket.destroy();
    }
    done?.(error ?? brokenPipe());
  }
}

/** Node's answer to the end of the peer's side while HTTP runs. */
function socketOnEnd(this: FulmarSocket): void {
  this.end();
}

function emitClose(socket: FulmarSocket): void {
  if (socket._closeEmitted) return;
  socket._closeEmitted = true;
  if (socket._closeHolds > 0) socket._isCloseHeld = true;
  else process.nextTick(tellClose, socket);
}

function tellClose(socket: FulmarSocket): void {
  abortRequests(socket);
  socket.emit('close', socket._hadError);
}

/** A message that was given up has been told. */
function releaseClose(socket: FulmarSocket): void {
  if (socket._closeHolds > 0) socket._closeHolds--;
  if (socket._closeHolds > 0 || !socket._isCloseHeld) return;
  socket._isCloseHeld = false;
  tellClose(socket);
}

/**
 * The connection is gone behind the peer's end. What came before it is still read; nothing can be sent any
 * more.
 */
function destroyWhenRead(socket: FulmarSocket): void {
  if (socket.writableFinished) return; // Both sides have ended: the stream closes by itself.
  if (socket.readableLength === 0) socket.destroy();
  else socket.once('end', () => socket.destroy());
}

const nop = (): void => undefined;
const BAD_REQUEST = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n';

/**
 * Node's answer to an `error` on the socket of a server: `clientError`, or the end of the connection. While
 * HTTP runs only the application emits one; word of a broken connection comes from the engine.
 */
function socketOnError(this: FulmarSocket, error: Error): void {
  this.removeListener('error', socketOnError);
  if (this.listenerCount('error') === 0) this.on('error', nop);
  const message = this._httpMessage as ResponseState | null;
  const broken = message?._life?.broken;
  if (!this.server.emit('clientError', error, this as unknown as Duplex)) {
    if (this.writable && (message === null || !message._started)) this.write(BAD_REQUEST);
    this.destroy(error);
  }
  broken?.(error);
}

function Socket(this: FulmarSocket, connection: Connection, server: ServerState): void {
  const highWaterMark = server.highWaterMark;
  (Duplex as unknown as (this: unknown, options: object) => void).call(this, {
    allowHalfOpen: true,
    autoDestroy: true,
    emitClose: false,
    decodeStrings: false,
    highWaterMark,
  });
  this._connection = connection;
  this._server = server;
  this.server = server;
  this._httpMessage = null;
  this._raw = false;
  this._isRefused = false;
  this._writeDone = null;
  this._closeError = null;
  this._closeSeen = false;
  this._closeEmitted = false;
  this._closeHolds = 0;
  this._isCloseHeld = false;
  this._sharers = 0;
  this._room = undefined;
  this._aborting = null;
  this._pending = null;
  this.timeout = server.timeout;
  this._hadError = false;
  this.parser = null;
  this.on('error', socketOnError);
  this.on('end', socketOnEnd);
}

function write(socket: FulmarSocket, pieces: readonly { chunk: string | Uint8Array; encoding: BufferEncoding }[], done: Done): void {
  const connection = socket._connection;
  if (!connection.open) {
    process.nextTick(done, brokenPipe());
    return;
  }
  let room = true;
  for (const { chunk, encoding } of pieces) {
    room = typeof chunk === 'string' ? connection.write(chunk, encoding) : connection.write(chunk);
  }
  if (room) done();
  else socket._writeDone = done;
}

function endConnection(socket: FulmarSocket, done: Done): void {
  const connection = socket._connection;
  connection.end();
  // The engine reports a drain when the last bytes have left.
  if (!connection.open || connection.bufferedBytes === 0) done();
  else socket._writeDone = done;
}

const streamMethods = () => ({
  _read(this: FulmarSocket): void {
    if (this._raw) this._connection.resume();
  },
  _write(this: FulmarSocket, chunk: string | Uint8Array, encoding: BufferEncoding, done: Done): void {
    write(this, [{ chunk, encoding }], done);
  },
  _writev(this: FulmarSocket, pieces: { chunk: string | Uint8Array; encoding: BufferEncoding }[], done: Done): void {
    write(this, pieces, done);
  },
  _final(this: FulmarSocket, done: Done): void {
    // What a response has written in this tick is held back until its end, and goes before the connection's.
    if (this._raw) endConnection(this, done);
    else process.nextTick(endConnection, this, done);
  },
  _destroy(this: FulmarSocket, error: Error | null, done: Done): void {
    if (error !== null && error !== undefined) this._hadError = true;
    if (!this._closeSeen) this._connection.destroy();
    done(error); // Before `close`, so that `error` comes first.
    if (this._closeSeen || !this._connection.open) emitClose(this);
  },
  read: Duplex.prototype.read,
  pause: Duplex.prototype.pause,
  resume: Duplex.prototype.resume,
  end: Duplex.prototype.end,
  on: Duplex.prototype.on,
  addListener: Duplex.prototype.addListener,
  setEncoding(this: FulmarSocket, encoding: BufferEncoding): unknown {
    if (!this._raw) throw socketEncoding();
    return Duplex.prototype.setEncoding.call(this as unknown as Duplex, encoding);
  },
});

let isDefined = false;

/** The class, put together for the first socket object: most applications never ask for one. */
function socketClass(): new (connection: Connection, server: ServerState) => FulmarSocket {
  if (!isDefined) {
    isDefined = true;
    inherit(Socket, nodeNet.Socket, netFields, [streamMethods(), netMethods, { constructor: Socket }]);
    Object.defineProperty(Socket, 'name', { value: 'Socket' });
  }
  return Socket as unknown as ReturnType<typeof socketClass>;
}

/** The socket object of a connection, made on first use. */
function socketOf(connection: Connection, server: ServerState): FulmarSocket {
  const { observer } = connection;
  if (observer instanceof SocketObserver) return observer.socket;
  const socket = new (socketClass())(connection, server);
  connection.observer = new SocketObserver(socket);
  if (!connection.open) socket.destroy();
  return socket;
}

/**
 * The connection failed before anybody had asked for its socket: a listener of `clientError` hears of it as
 * of others.
 */
function lost(connection: Connection, server: ServerState, error: Error): void {
  socketOnError.call(socketOf(connection, server), error);
}

/**
 * From now on the bytes are the application's. Reading starts at once, so that the peer's end is seen without
 * a reader.
 */
function enterRaw(socket: FulmarSocket): void {
  socket.removeListener('end', socketOnEnd);
  leaveHttp(socket);
}

/** The same for a connection whose head was rejected. */
function enterRefused(socket: FulmarSocket): void {
  socket._isRefused = true;
  leaveHttp(socket);
}

function leaveHttp(socket: FulmarSocket): void {
  socket._raw = true;
  socket._httpMessage = null;
  socket.removeListener('error', socketOnError);
  socket.read(0);
}

/** Whether a value is one of our sockets; others come from `server.emit('connection', socket)`. */
const isOurSocket = (value: unknown): value is FulmarSocket => value instanceof (Socket as unknown as ReturnType<typeof socketClass>);

/** The exchange a request class written for Node finds behind the socket it is constructed with. */
function takePendingExchange(value: unknown): { readonly server: ServerState; readonly exchange: Exchange } | null {
  if (!isOurSocket(value)) return null;
  const pending = value._pending;
  value._pending = null;
  return pending;
}

export default {
  abortWith,
  enterRaw,
  enterRefused,
  follow,
  forgetAbort,
  isOurSocket,
  lost,
  makeRoom,
  releaseClose,
  socketOf,
  takePendingExchange,
};
