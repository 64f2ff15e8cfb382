/**
 * `http.Server` as the base of Fulmar's own: options, timeouts and events. Sockets that something else has
 * made (TLS, `emit('connection')`) are served by `connection.ts`, which is loaded with the first of them.
 */
import later from 'fulmar:later';
import net from 'node:net';
import type { Server as NodeServer, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { invalidArgValue, outOfRange } from '../shared/errors.ts';
import { validateBoolean, validateFunction, validateInteger, validateObject, validateOneOf } from '../shared/validators.ts';
import { uniqueSet } from './common.ts';
import { define } from '../shared/define.ts';
import { IncomingMessageClass, ServerResponseClass } from './message-classes.ts';
import { kUnique } from './outgoing-state.ts';
import { STATUS_CODES } from './status-codes.ts';

const REQUEST_TIMEOUT_MS = 300_000;
const HEADERS_TIMEOUT_MS = 60_000;
const KEEP_ALIVE_TIMEOUT_MS = 5_000;
const KEEP_ALIVE_BUFFER_MS = 1_000;
const CHECK_INTERVAL_MS = 30_000;

export const kIncomingMessage: unique symbol = Symbol('IncomingMessage');
export const kServerResponse: unique symbol = Symbol('ServerResponse');
export const kOptimizeEmpty: unique symbol = Symbol('OptimizeEmptyRequestsOption');
export const kConnections: unique symbol = Symbol('http.server.connections');

type Options = Record<string, unknown>;

/** A connection that is served here. */
export interface ServedConnection {
  readonly socket: Socket;
  /** No request is under way. */
  isIdle(): boolean;
  /** A head or content takes longer than it may. */
  isExpired(now: number, headersTimeout: number, requestTimeout: number): boolean;
  expire(): void;
}

export interface HttpServerFields {
  [kIncomingMessage]: new (socket: unknown) => object;
  [kServerResponse]: new (req: unknown, options: unknown) => object;
  [kOptimizeEmpty]: boolean;
  [kUnique]: ReadonlySet<string> | null;
  [kConnections]: Set<ServedConnection> | undefined;
  _checking: NodeJS.Timeout | undefined;
  maxHeaderSize: number | undefined;
  insecureHTTPParser: boolean | undefined;
  httpValidation: string | undefined;
  requestTimeout: number;
  headersTimeout: number;
  keepAliveTimeout: number;
  keepAliveTimeoutBuffer: number;
  connectionsCheckingInterval: number;
  requireHostHeader: boolean;
  joinDuplicateHeaders: boolean | undefined;
  rejectNonStandardBodyWrites: boolean;
  httpAllowHalfOpen: boolean;
  timeout: number;
  maxHeadersCount: number | null;
  maxRequestsPerSocket: number | null;
  shouldUpgradeCallback: (req: unknown) => boolean;
}

export type HttpServerState = HttpServerFields & Omit<NodeServer, keyof HttpServerFields>;

function integer(options: Options, name: string, fallback: number): number {
  const value = options[name];
  if (value === undefined) return fallback;
  validateInteger(value, name, 0);
  return value;
}

function boolean<T>(options: Options, name: string, fallback: T, label = `options.${name}`): boolean | T {
  const value = options[name];
  if (value === undefined) return fallback;
  validateBoolean(value, label);
  return value;
}

function checkValidation(options: Options): string | undefined {
  const { httpValidation, insecureHTTPParser } = options;
  if (httpValidation === undefined) return undefined;
  validateOneOf(httpValidation, 'options.httpValidation', ['strict', 'relaxed', 'insecure']);
  if (insecureHTTPParser !== undefined) {
    throw invalidArgValue('options.httpValidation', httpValidation, 'cannot be used together with options.insecureHTTPParser');
  }
  return httpValidation;
}

function wantsUpgrade(this: HttpServerState): boolean {
  return this.listenerCount('upgrade') > 0;
}

/** Reads the options in Node's order, so that the first wrong one is the one reported. */
function storeOptions(server: HttpServerState, options: Options): void {
  server[kIncomingMessage] = (options['IncomingMessage'] || IncomingMessageClass) as HttpServerFields[typeof kIncomingMessage];
  server[kServerResponse] = (options['ServerResponse'] || ServerResponseClass) as unknown as HttpServerFields[typeof kServerResponse];
  const size = options['maxHeaderSize'];
  if (size !== undefined) validateInteger(size, 'maxHeaderSize', 0);
  server.maxHeaderSize = size;
  server[kOptimizeEmpty] = boolean(options, 'optimizeEmptyRequests', false);
  server.insecureHTTPParser = boolean(options, 'insecureHTTPParser', undefined);
  server.httpValidation = checkValidation(options);
  server.requestTimeout = integer(options, 'requestTimeout', REQUEST_TIMEOUT_MS);
  server.headersTimeout = integer(options, 'headersTimeout', Math.min(HEADERS_TIMEOUT_MS, server.requestTimeout));
  if (server.requestTimeout > 0 && server.headersTimeout > server.requestTimeout) {
    throw outOfRange('headersTimeout', '<= requestTimeout', options['headersTimeout']);
  }
  server.keepAliveTimeout = integer(options, 'keepAliveTimeout', KEEP_ALIVE_TIMEOUT_MS);
  server.keepAliveTimeoutBuffer = integer(options, 'keepAliveTimeoutBuffer', KEEP_ALIVE_BUFFER_MS);
  server.connectionsCheckingInterval = integer(options, 'connectionsCheckingInterval', CHECK_INTERVAL_MS);
  server.requireHostHeader = boolean(options, 'requireHostHeader', true);
  server.joinDuplicateHeaders = boolean(options, 'joinDuplicateHeaders', undefined);
  server.rejectNonStandardBodyWrites = boolean(options, 'rejectNonStandardBodyWrites', false);
  const upgrade = options['shouldUpgradeCallback'];
  if (upgrade !== undefined) validateFunction(upgrade, 'options.shouldUpgradeCallback');
  server.shouldUpgradeCallback = (upgrade ?? wantsUpgrade) as HttpServerFields['shouldUpgradeCallback'];
}

/** What `https.Server`, which stands on another class, has in common with `http.Server`. */
export function initServer(server: HttpServerState, options: Options, listener: unknown): void {
  if (listener) server.on('request', listener as never);
  server.httpAllowHalfOpen = false;
  server.on('listening', watchConnections);
  server.timeout = 0;
  server.maxHeadersCount = null;
  server.maxRequestsPerSocket = 0;
  server[kUnique] = uniqueSet(options['uniqueHeaders']);
}

interface Given {
  readonly options: Options;
  readonly listener: unknown;
}

/** `(options?, listener?)` */
export function serverArguments(options: unknown, listener: unknown): Given {
  if (typeof options === 'function') return { options: {}, listener: options };
  if (options === undefined || options === null) return { options: {}, listener };
  validateObject(options, 'options');
  return { options: options as Options, listener };
}

function Server(this: HttpServerState, given?: unknown, handler?: unknown): unknown {
  if (!(this instanceof (Server as unknown as new () => object))) return new ServerClass(given as ServerOptions, handler as never);
  const { options, listener } = serverArguments(given, handler);
  storeOptions(this, options);
  (net.Server as unknown as (this: unknown, options: unknown) => void).call(this, {
    allowHalfOpen: true,
    noDelay: options['noDelay'] ?? true,
    keepAlive: options['keepAlive'],
    keepAliveInitialDelay: options['keepAliveInitialDelay'],
    highWaterMark: options['highWaterMark'],
  });
  if (listener) this.on('request', listener as never);
  this.on('connection', connectionListener);
  initServer(this, options, undefined);
  return undefined;
}

/** Serves a socket that something else has made. */
export function connectionListener(this: HttpServerState, socket: Socket): void {
  const { serve } = later<typeof import('./connection.later.ts')>();
  serve(this, socket);
}

function watchConnections(this: HttpServerState): void {
  if (this._checking !== undefined) clearInterval(this._checking);
  // Fulmar's own server has its timeouts in the engine: nothing is to be checked until a foreign socket
  // comes.
  this._checking = undefined;
  if (this[kConnections] !== undefined) startChecking(this);
}

const limit = (value: unknown): number => (Number.isFinite(value) && (value as number) >= 0 ? (value as number) : 0);

function check(server: HttpServerState): void {
  const headers = limit(server.headersTimeout);
  const request = limit(server.requestTimeout);
  if (headers === 0 && request === 0) return;
  const now = Date.now();
  for (const connection of server[kConnections] ?? []) if (connection.isExpired(now, headers, request)) connection.expire();
}

/** Looks after connections that are slow, as long as the server listens. */
export function startChecking(server: HttpServerState): void {
  if (server._checking !== undefined) return;
  server._checking = setInterval(check, server.connectionsCheckingInterval, server);
  server._checking.unref();
}

const netClose = net.Server.prototype.close as unknown as (this: unknown, ...args: unknown[]) => unknown;

export const serverMembers = {
  close(this: HttpServerState, ...args: unknown[]): unknown {
    this.closeIdleConnections();
    clearInterval(this._checking);
    this._checking = undefined;
    netClose.apply(this, args);
    return this;
  },
  closeAllConnections(this: HttpServerState): void {
    for (const { socket } of this[kConnections] ?? []) socket.destroy();
  },
  closeIdleConnections(this: HttpServerState): void {
    for (const connection of this[kConnections] ?? []) if (connection.isIdle()) connection.socket.destroy();
  },
  setTimeout(this: HttpServerState, msecs: number, callback?: () => void): unknown {
    this.timeout = msecs;
    if (callback) this.on('timeout', callback);
    return this;
  },
  async [Symbol.asyncDispose as symbol](this: HttpServerState): Promise<void> {
    await new Promise<void>((resolve, reject) => this.close((error) => (error ? reject(error) : resolve())));
  },
  [Symbol.for('nodejs.rejection')](this: HttpServerState, error: Error, event: string, ...args: unknown[]): void {
    if (event !== 'request') {
      this.emit('error', error);
      return;
    }
    const response = args[1] as InstanceType<typeof ServerResponseClass>;
    if (response.headersSent || response.writableEnded) {
      response.destroy();
      return;
    }
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    response.statusCode = 500;
    response.end(STATUS_CODES[500]);
  },
};

define(Server, net.Server, [serverMembers]);

export const ServerClass = Server as unknown as typeof NodeServer;
export { storeOptions };
