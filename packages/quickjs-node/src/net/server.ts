/**
 * `net.Server`: listening, accepting, counting and closing. `http.Server` inherits from it and replaces
 * `_listen2`.
 */
import later from 'fulmar:later';
import { EventEmitter } from 'node:events';
import type * as NodeNet from 'node:net';
import { coded, invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { errnoException, uvHostPortException } from '../shared/errno.ts';
import { validateAbortSignal, validateNumber, validatePort } from '../shared/validators.ts';
import { normalizeArgs, toNumber } from './arguments.ts';
import type { Options } from './arguments.ts';
import { blockListOf } from './block-list.ts';
import type { AddressOut, StreamHandle } from './handle.ts';
import { ListenHandle } from './handle.ts';
import { isIP } from './ip.ts';
import { openListener } from './listen.ts';
import type { ListenRequest } from './listen.ts';
import type { SocketState } from './socket-state.ts';

const HIGH_WATER_MARK = 64 * 1024;

interface ServerFields {
  _connections: number;
  _handle: ListenHandle | null;
  _usingWorkers: boolean;
  _workers: unknown[];
  _unref: boolean;
  _listeningId: number;
  _pipeName: string | undefined;
  _connectionKey: string;
  allowHalfOpen: boolean;
  pauseOnConnect: boolean;
  noDelay: boolean;
  keepAlive: boolean;
  keepAliveInitialDelay: number;
  highWaterMark: number;
  blockList?: { check(address: string, family: string): boolean };
  _listen2(...args: unknown[]): void;
  _emitCloseIfDrained(): void;
}

type ServerState = ServerFields & Omit<NodeNet.Server, keyof ServerFields>;

function Server(this: ServerState, given?: unknown, listener?: unknown): unknown {
  if (!(this instanceof (Server as unknown as new () => object))) return new ServerClass(given as NodeNet.ServerOpts, listener as never);
  (EventEmitter as unknown as (this: unknown) => void).call(this);
  let options: Options = {};
  let handler = listener;
  if (typeof given === 'function') handler = given;
  else if (given === undefined || given === null || typeof given === 'object') options = { ...(given as Options | null | undefined) };
  else throw invalidArgType('options', 'Object', given);
  if (typeof handler === 'function') this.on('connection', handler as never);
  initFields(this, options);
  return undefined;
}

/** A number that is not negative, or the fallback. */
function number(options: Options, name: string, fallback: number): number | undefined {
  const value = options[name];
  if (value === undefined) return undefined;
  validateNumber(value, `options.${name}`);
  return value < 0 ? fallback : value;
}

function initFields(server: ServerState, options: Options): void {
  const delay = number(options, 'keepAliveInitialDelay', 0);
  const highWaterMark = number(options, 'highWaterMark', HIGH_WATER_MARK);
  server._connections = 0;
  server._handle = null;
  server._usingWorkers = false;
  server._workers = [];
  server._unref = false;
  server._listeningId = 1;
  server.allowHalfOpen = (options['allowHalfOpen'] as boolean) || false;
  server.pauseOnConnect = Boolean(options['pauseOnConnect']);
  server.noDelay = Boolean(options['noDelay']);
  server.keepAlive = Boolean(options['keepAlive']);
  server.keepAliveInitialDelay = ~~((delay ?? NaN) / 1000);
  server.highWaterMark = highWaterMark ?? HIGH_WATER_MARK;
  if (options['blockList']) server.blockList = blockListOf(options['blockList']);
}

function emitError(server: ServerState, error: Error): void {
  server.emit('error', error);
}

function emitListening(server: ServerState): void {
  if (server._handle) server.emit('listening');
}

function emitClose(server: ServerState): void {
  server.emit('close');
}

function abortWith(server: ServerState, { signal }: Options): void {
  if (signal === undefined) return;
  validateAbortSignal(signal, 'options.signal');
  const given = signal as AbortSignal;
  const onAborted = (): void => void server.close();
  if (given.aborted) process.nextTick(onAborted);
  else {
    given.addEventListener('abort', onAborted, { once: true });
    server.once('close', () => given.removeEventListener('abort', onAborted));
  }
}

const IPV6_ONLY = 1;
const REUSE_PORT = 2;
const flagsOf = (options: Options): number =>
  (options['ipv6Only'] === true ? IPV6_ONLY : 0) | (options['reusePort'] === true ? REUSE_PORT : 0);

const LINK_LOCAL = /^fe[89ab]/i;

/** The address to listen on: link-local ones only when there is no other. */
function preferred(found: readonly { address: string; family: number }[]): { address: string; family: number } | undefined {
  return found.find(({ address }) => isIP(address) !== 6 || !LINK_LOCAL.test(address)) ?? found[0];
}

function lookUpAndListen(server: ServerState, options: Options, backlog: unknown): void {
  const id = server._listeningId;
  const host = options['host'] as string;
  const bind = (address: string, family: number): void => {
    if (id !== server._listeningId) return;
    server._listen2(address, (options['port'] as number) | 0, family, backlog, undefined, flagsOf(options));
  };
  const family = isIP(host);
  if (family !== 0) {
    process.nextTick(bind, host, family);
    return;
  }
  process.getBuiltinModule('node:dns').lookup(host, { all: true }, (error, found) => {
    const address = error ? undefined : preferred(found);
    if (id !== server._listeningId) return;
    if (error) server.emit('error', error);
    else if (address !== undefined) bind(address.address, address.family);
  });
}

/** uv's bits for the permissions of a Unix socket. */
function permissions(server: ServerState, options: Options): void {
  const mode = (options['readableAll'] === true ? 1 : 0) | (options['writableAll'] === true ? 2 : 0);
  const handle = server._handle as (ListenHandle & { fchmod?: (mode: number) => number }) | null;
  if (mode === 0 || handle === null) return;
  if (handle.fchmod !== undefined) handle.fchmod(mode);
  else {
    const bits = 0o700 | (mode & 1 ? 0o444 : 0) | (mode & 2 ? 0o222 : 0);
    process.getBuiltinModule('node:fs').chmodSync(options['path'] as string, bits);
  }
}

function listenOnPort(server: ServerState, options: Options, backlog: unknown): void {
  validatePort(options['port'], 'options.port');
  if (options['host']) lookUpAndListen(server, options, backlog);
  else server._listen2(null, (options['port'] as number) | 0, 4, backlog, undefined, flagsOf(options));
}

function listenOnPath(server: ServerState, options: Options, backlog: unknown): void {
  server._pipeName = options['path'] as string;
  server._listen2(server._pipeName, -1, -1, backlog, undefined, undefined);
  permissions(server, options);
}

function listenWith(server: ServerState, options: Options, args: readonly unknown[]): void {
  const fromArgs = toNumber(args.length > 1 && args[1]) || toNumber(args.length > 2 && args[2]);
  const backlog = options['backlog'] || fromArgs;
  const { fd } = options;
  if (typeof fd === 'number' && fd >= 0) {
    server._listen2(null, null, null, fromArgs, fd, undefined);
    return;
  }
  const isOpen = args.length === 0 || typeof args[0] === 'function' || options['port'] === null;
  if (isOpen || (options['port'] === undefined && 'port' in options)) options['port'] = 0;
  const { port, path } = options;
  if (typeof port === 'number' || typeof port === 'string') listenOnPort(server, options, backlog);
  else if (typeof path === 'string' && path !== '' && toNumber(path) === false) listenOnPath(server, options, backlog);
  else if (!('port' in options || 'path' in options)) {
    throw invalidArgValue('options', options, 'must have the property "port" or "path"');
  } else throw invalidArgValue('options', options);
}

const listenMembers = {
  listen(this: ServerState, ...args: unknown[]): unknown {
    const [options, callback] = normalizeArgs(args);
    if (this._handle) throw coded(Error, 'ERR_SERVER_ALREADY_LISTEN', 'Listen method has been called more than once without closing.');
    if (callback !== null) this.once('listening', callback as () => void);
    const handle = (options['_handle'] ?? options['handle'] ?? options) as Options;
    this._listeningId++;
    abortWith(this, options);
    listenWith(this, handle, args);
    return this;
  },
  _listen2(this: ServerState, ...args: unknown[]): void {
    const [address, port, addressType, backlog, fd, flags] = args as [
      string | null,
      number | null,
      number | null,
      unknown,
      unknown,
      unknown,
    ];
    const request: ListenRequest = { address, port, addressType, backlog, fd, flags };
    const opened = openListener(request);
    if (typeof opened.handle === 'number') {
      const error = uvHostPortException(opened.handle, 'listen', opened.address as string, port as number);
      process.nextTick(emitError, this, error);
      return;
    }
    this._handle = opened.handle;
    opened.handle.onconnection = (errno, client) => accept(this, errno, client);
    this._connectionKey = `${opened.addressType}:${opened.address}:${port}`;
    if (this._unref) this.unref();
    process.nextTick(emitListening, this);
  },
};

function named(handle: StreamHandle): Record<string, unknown> {
  const local: AddressOut = {};
  const remote: AddressOut = {};
  handle.getsockname?.(local);
  handle.getpeername?.(remote);
  return {
    localAddress: local.address,
    localPort: local.port,
    localFamily: local.family,
    remoteAddress: remote.address,
    remotePort: remote.port,
    remoteFamily: remote.family,
  };
}

function isBlocked(server: ServerState, handle: StreamHandle): boolean {
  if (!server.blockList || handle.getpeername === undefined) return false;
  const remote: AddressOut = {};
  handle.getpeername(remote);
  const family = isIP(remote.address);
  return family !== 0 && server.blockList.check(remote.address as string, `ipv${family}`);
}

function accept(server: ServerState, errno: number, handle: StreamHandle | undefined): void {
  if (handle === undefined) {
    server.emit('error', errnoException(errno, 'accept'));
    return;
  }
  const { maxConnections } = server as { maxConnections?: number | null };
  if (maxConnections !== undefined && maxConnections !== null && server._connections >= maxConnections) {
    if (handle.getsockname === undefined) server.emit('drop');
    else server.emit('drop', named(handle) as never);
    handle.close();
    return;
  }
  if (isBlocked(server, handle)) {
    handle.close();
    return;
  }
  serve(server, handle);
}

function serve(server: ServerState, handle: StreamHandle): void {
  const { SocketClass } = later<typeof import('./socket.later.ts')>();
  const socket = new SocketClass({
    handle,
    allowHalfOpen: server.allowHalfOpen,
    pauseOnCreate: server.pauseOnConnect,
    readable: true,
    writable: true,
    readableHighWaterMark: server.highWaterMark,
    writableHighWaterMark: server.highWaterMark,
  } as object as NodeNet.SocketConstructorOpts) as unknown as SocketState;
  if (server.noDelay) {
    socket._noDelay = true;
    handle.setNoDelay?.(true);
  }
  if (server.keepAlive) {
    socket._keepAlive = true;
    socket._keepAliveSeconds = server.keepAliveInitialDelay;
    handle.setKeepAlive?.(true, server.keepAliveInitialDelay);
  }
  server._connections++;
  socket.server = server;
  socket._server = server;
  server.emit('connection', socket as unknown as NodeNet.Socket);
  const { channel } = process.getBuiltinModule('node:diagnostics_channel');
  const serverSocket = channel('net.server.socket');
  if (serverSocket.hasSubscribers) serverSocket.publish({ socket });
}

const serverMembers = {
  address(this: ServerState): unknown {
    if (this._handle?.getsockname !== undefined) {
      const out: AddressOut = {};
      const errno = this._handle.getsockname(out);
      if (errno) throw errnoException(errno, 'address');
      return out;
    }
    return this._pipeName || null;
  },
  getConnections(this: ServerState, callback: (error: Error | null, count: number) => void): unknown {
    process.nextTick(callback, null, this._connections);
    return this;
  },
  close(this: ServerState, callback?: (error?: Error) => void): unknown {
    this._listeningId++;
    if (typeof callback === 'function') {
      if (this._handle) this.once('close', callback);
      else this.once('close', () => callback(coded(Error, 'ERR_SERVER_NOT_RUNNING', 'Server is not running.')));
    }
    if (this._handle) {
      this._handle.close();
      this._handle = null;
    }
    this._emitCloseIfDrained();
    return this;
  },
  _emitCloseIfDrained(this: ServerState): void {
    if (!this._handle && !this._connections) process.nextTick(emitClose, this);
  },
  ref(this: ServerState): unknown {
    this._unref = false;
    this._handle?.ref();
    return this;
  },
  unref(this: ServerState): unknown {
    this._unref = true;
    this._handle?.unref();
    return this;
  },
  async [Symbol.asyncDispose as symbol](this: ServerState): Promise<void> {
    if (!this._handle) return;
    await new Promise<void>((resolve, reject) => this.close((error) => (error ? reject(error) : resolve())));
  },
};

Object.setPrototypeOf(Server.prototype, EventEmitter.prototype);
Object.setPrototypeOf(Server, EventEmitter);
Object.assign(Server.prototype, listenMembers, serverMembers);
Object.defineProperty(Server.prototype, 'listening', {
  get(this: ServerState): boolean {
    return Boolean(this._handle);
  },
  configurable: true,
  enumerable: true,
});

export const ServerClass = Server as unknown as typeof NodeNet.Server;
