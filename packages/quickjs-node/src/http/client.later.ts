/**
 * What `http.ClientRequest` does: options, the head of the request, and the way to a connection. What happens
 * on the connection is in `http/client-response.ts`.
 */
import net from 'node:net';
import { channel } from 'node:diagnostics_channel';
import { addAbortSignal, finished } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { coded, invalidArgType, invalidArgValue, outOfRange } from '../shared/errors.ts';
import { connResetException } from '../shared/errno.ts';
import { validateBoolean, validateInteger, validateNumber, validateOneOf, validateString } from '../shared/validators.ts';
import { listenSocketTimeout, occupy } from './client-response.ts';
import type { RequestState } from './client-response.ts';
import { headersSent, invalidToken, isToken, uniqueSet } from './common.ts';
import { OutgoingMessage } from './outgoing.ts';
import { kHeaders, kHighWaterMark, kUnique } from './outgoing-state.ts';

const created = channel('http.client.request.created');
const started = channel('http.client.request.start');
const INVALID_PATH = /[^\u0021-\u00ff]/;
/** Methods whose requests carry content only when the caller says so. */
const WITHOUT_CONTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

type Options = Record<string, unknown> & RequestOptions;

interface AgentLike {
  addRequest(request: unknown, options: unknown): void;
  protocol?: string;
  defaultPort?: number;
  keepAlive?: boolean;
  maxSockets?: number;
}

function optionsOf(url: URL): Options {
  return process.getBuiltinModule('node:url').urlToHttpOptions(url) as Options;
}

/** `(url, options?, callback?)` or `(options, callback?)` */
function normalize(input: unknown, given: unknown, done: unknown): { options: Options; callback: unknown } {
  let from: Options | null = null;
  let options = given;
  let callback = done;
  if (typeof input === 'string') from = optionsOf(new URL(input));
  else if (input instanceof URL) from = optionsOf(input);
  else {
    callback = given;
    options = input;
  }
  if (typeof options === 'function') return { options: from ?? {}, callback: options };
  return { options: Object.assign(Object.create(null) as Options, from, options), callback };
}

function validHost(host: unknown, name: string): string | null | undefined {
  if (host !== null && host !== undefined && typeof host !== 'string') {
    throw invalidArgType(`options.${name}`, ['string', 'undefined', 'null'], host);
  }
  return host;
}

function agentOf(options: Options, fallback: AgentLike): AgentLike | undefined {
  const { agent } = options as { agent?: unknown };
  if (agent === false) return new (fallback.constructor as new () => AgentLike)();
  if (agent === null || agent === undefined) return typeof options['createConnection'] === 'function' ? undefined : fallback;
  if (typeof (agent as AgentLike).addRequest !== 'function') {
    throw invalidArgType('options.agent', ['Agent-like Object', 'undefined', 'false'], agent);
  }
  return agent as AgentLike;
}

const unescaped = (): Error => coded(TypeError, 'ERR_UNESCAPED_CHARACTERS', 'Request path contains unescaped characters');

function checkProtocol(request: RequestState, options: Options, fallback: AgentLike): string {
  const protocol = (options.protocol || fallback.protocol) as string;
  const expected = (request.agent as AgentLike | undefined)?.protocol ?? fallback.protocol;
  if (options.path && INVALID_PATH.test(String(options.path))) throw unescaped();
  if (protocol !== expected) {
    throw coded(TypeError, 'ERR_INVALID_PROTOCOL', `Protocol "${protocol}" not supported. Expected "${expected}"`);
  }
  return protocol;
}

function methodOf(options: Options): string {
  const { method } = options;
  if (method !== undefined && method !== null) validateString(method, 'options.method');
  if (!method) return 'GET';
  if (!isToken(method)) throw invalidToken('Method', method);
  return method.toUpperCase();
}

function parserOptions(request: RequestState, options: Options): void {
  const { maxHeaderSize, insecureHTTPParser, httpValidation, joinDuplicateHeaders } = options;
  if (maxHeaderSize !== undefined) validateInteger(maxHeaderSize, 'maxHeaderSize', 0);
  request.maxHeaderSize = maxHeaderSize;
  if (insecureHTTPParser !== undefined) validateBoolean(insecureHTTPParser, 'options.insecureHTTPParser');
  request.insecureHTTPParser = insecureHTTPParser as boolean;
  if (httpValidation !== undefined) {
    validateOneOf(httpValidation, 'options.httpValidation', ['strict', 'relaxed', 'insecure']);
    if (insecureHTTPParser !== undefined) {
      throw invalidArgValue('options.httpValidation', httpValidation, 'cannot be used together with options.insecureHTTPParser');
    }
  }
  request.httpValidation = httpValidation as string;
  if (joinDuplicateHeaders !== undefined) validateBoolean(joinDuplicateHeaders, 'options.joinDuplicateHeaders');
  request.joinDuplicateHeaders = joinDuplicateHeaders as boolean;
}

function duration(value: unknown, name: string): number {
  validateNumber(value, name);
  if (value < 0 || !Number.isFinite(value)) throw outOfRange(name, 'a non-negative finite number', value);
  return Math.min(value, 2 ** 31 - 1);
}

function initFields(request: RequestState, host: string, protocol: string): void {
  request._ended = false;
  request.res = null;
  request.aborted = false;
  request.timeoutCb = null;
  request.upgradeOrConnect = false;
  request.parser = null;
  request.maxHeadersCount = null;
  request.reusedSocket = false;
  request.host = host;
  request.protocol = protocol;
}

/** What `Host` says: an IPv6 address in brackets, the port unless it is the default. */
function hostField(host: string, port: unknown, defaultPort: number | undefined): string {
  const colon = host.indexOf(':');
  const isV6 = colon !== -1 && host.includes(':', colon + 1) && !host.startsWith('[');
  const name = isV6 ? `[${host}]` : host;
  return port && Number(port) !== defaultPort ? `${name}:${port as string}` : name;
}

function setFields(request: RequestState, options: Options, host: string): void {
  const { headers, auth } = options;
  const firstLine = `${request.method} ${request.path} HTTP/1.1\r\n`;
  if (Array.isArray(headers)) {
    request._storeHeader(firstLine, headers);
    return;
  }
  for (const [name, value] of Object.entries(headers ?? {})) request.setHeader(name, value as string);
  const setHost = options.setHost === undefined ? options['setDefaultHeaders'] !== false : Boolean(options.setHost);
  if (setHost && !request.getHeader('host')) {
    request.setHeader('Host', request.method === 'CONNECT' && options.path ? String(request.path) : host);
  }
  if (auth && !request.getHeader('Authorization')) {
    request.setHeader('Authorization', `Basic ${Buffer.from(auth).toString('base64')}`);
  }
  if (request.getHeader('expect')) {
    if (request._header) throw headersSent('render');
    request._storeHeader(firstLine, request[kHeaders]);
  }
}

function connectAlone(request: RequestState, options: Options): void {
  request._last = true;
  request.shouldKeepAlive = false;
  const target: Options = { ...options };
  if (target.socketPath) target.path = target.socketPath;
  else if (target.path) target.path = undefined;
  if (typeof target.createConnection !== 'function') {
    request.onSocket(net.createConnection(target as net.NetConnectOpts));
    return;
  }
  let isDone = false;
  const done = (error: Error | null, socket?: Duplex): void => {
    if (isDone) return;
    isDone = true;
    if (error) process.nextTick(() => request.emit('error', error));
    else request.onSocket(socket as Socket);
  };
  try {
    const socket = target.createConnection(target as never, done);
    if (socket) done(null, socket);
  } catch (error) {
    done(error as Error);
  }
}

export function construct(this: RequestState, input: unknown, given?: unknown, done?: unknown): void {
  (OutgoingMessage as unknown as (this: unknown) => void).call(this);
  const { options, callback } = normalize(input, given, done);
  if (options['highWaterMark'] !== undefined && options['highWaterMark'] !== null)
    this[kHighWaterMark] = options['highWaterMark'] as number;
  const fallback = (options._defaultAgent ?? process.getBuiltinModule('node:http').globalAgent) as unknown as AgentLike;
  const agent = agentOf(options, fallback);
  this.agent = agent;
  const protocol = checkProtocol(this, options, fallback);
  const defaultPort = (options.defaultPort || agent?.defaultPort) as number | undefined;
  const port = options.port || defaultPort || 80;
  const host = validHost(options.hostname, 'hostname') || validHost(options.host, 'host') || 'localhost';
  const plain = options['setDefaultHeaders'] === false;
  this._removedConnection = plain;
  this._removedContLen = plain;
  this._removedTE = plain;
  this.socketPath = options.socketPath as string;
  if (options.timeout !== undefined) this.timeout = duration(options.timeout, 'timeout');
  const target: Options = Object.assign(Object.create(null) as Options, options, { port, host });
  if (options.signal) {
    addAbortSignal(options.signal, this as unknown as Duplex);
    delete target.signal;
  }
  this.method = methodOf(options);
  parserOptions(this, options);
  this._path = (options.path || '/') as string;
  if (callback) this.once('response', callback as never);
  this.useChunkedEncodingByDefault = !WITHOUT_CONTENT.has(this.method);
  initFields(this, host, protocol);
  if (agent) {
    this._last = !agent.keepAlive && !Number.isFinite(agent.maxSockets);
    this.shouldKeepAlive = !this._last;
  }
  setFields(this, options, hostField(host, port, defaultPort));
  this[kUnique] = uniqueSet(options.uniqueHeaders);
  if (agent) agent.addRequest(this, target);
  else connectAlone(this, target);
  if (created.hasSubscribers) created.publish({ request: this });
}

function emitAbort(request: RequestState): void {
  request.emit('abort');
}

/** The end of a request that never got its connection. */
function fail(request: RequestState, error: Error | null | undefined): void {
  const failure = error ?? (request.aborted ? null : connResetException('socket hang up'));
  if (failure) request.emit('error', failure);
  request._closed = true;
  request.emit('close');
}

function takeSocket(request: RequestState, socket: Socket | null, error: Error | null | undefined): void {
  if (!request.destroyed && !error) {
    occupy(request, socket as Socket);
    request._flush();
    return;
  }
  const reason = error ?? request._error;
  if (socket === null || socket === undefined) {
    fail(request, reason);
    return;
  }
  if (!error && request.agent && !socket.destroyed) {
    socket.emit('free');
    fail(request, reason);
    return;
  }
  finished(socket.destroy(reason ?? undefined), (ended) => {
    fail(request, ended && ended.code !== 'ERR_STREAM_PREMATURE_CLOSE' ? ended : reason);
  });
}

/** Calls `method` of the socket when it is connected. */
function whenConnected(request: RequestState, method: string | null, args: unknown[], done?: () => void): void {
  const call = (): void => {
    const socket = request.socket as unknown as Record<string, (...args: unknown[]) => void>;
    if (method !== null) socket[method]?.(...args);
    done?.();
  };
  const onSocket = (): void => {
    const { socket } = request;
    if (socket?.writable && !socket.connecting) call();
    else socket?.once('connect', call);
  };
  if (request.socket) onSocket();
  else request.once('socket', onSocket);
}

export const members = {
  setPath(this: RequestState, value: unknown): void {
    const path = String(value);
    if (INVALID_PATH.test(path)) throw unescaped();
    this._path = path;
  },
  _finish(this: RequestState): void {
    this.emit('prefinish');
    if (started.hasSubscribers) started.publish({ request: this });
  },
  _implicitHeader(this: RequestState): void {
    if (this._header) throw headersSent('render');
    this._storeHeader(`${this.method} ${this.path} HTTP/1.1\r\n`, this[kHeaders]);
  },
  abort(this: RequestState): void {
    if (this.aborted) return;
    this.aborted = true;
    process.nextTick(emitAbort, this);
    this.destroy();
  },
  destroy(this: RequestState, error?: Error): unknown {
    if (this.destroyed) return this;
    this.destroyed = true;
    this.res?._dump();
    if (this.writableFinished && this.res?.complete === true) return this;
    this._error = error;
    this.socket?.destroy(error);
    return this;
  },
  onSocket(this: RequestState, socket: Socket | null, error?: Error): void {
    process.nextTick(takeSocket, this, socket, error);
  },
  _deferToConnect(this: RequestState, method: string | null, args: unknown[], done?: () => void): void {
    whenConnected(this, method, args, done);
  },
  setTimeout(this: RequestState, msecs: number, callback?: () => void): unknown {
    if (this._ended) return this;
    listenSocketTimeout(this);
    const wait = duration(msecs, 'msecs');
    if (callback) this.once('timeout', callback);
    const { socket } = this;
    const set = (of: Socket): void => {
      if (of.connecting) of.once('connect', () => of.setTimeout(wait));
      else of.setTimeout(wait);
    };
    if (socket) set(socket);
    else this.once('socket', set);
    return this;
  },
  clearTimeout(this: RequestState, callback?: () => void): void {
    this.setTimeout(0, callback);
  },
  setNoDelay(this: RequestState, on?: boolean): void {
    whenConnected(this, 'setNoDelay', [on]);
  },
  setSocketKeepAlive(this: RequestState, on?: boolean, delay?: number): void {
    whenConnected(this, 'setKeepAlive', [on, delay]);
  },
};
