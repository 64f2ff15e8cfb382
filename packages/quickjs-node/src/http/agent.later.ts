/**
 * What `http.Agent` does: which connection a request gets, how many there may be, and which are kept for
 * later.
 */
import { EventEmitter } from 'node:events';
import net from 'node:net';
import type { Socket } from 'node:net';
import { validateNumber, validateOneOf, validateString } from '../shared/validators.ts';

const KEEP_ALIVE_MS = 1000;
const FREE_SOCKETS_MAX = 256;
const TIMEOUT_BUFFER_MS = 1000;
const SECOND_MS = 1000;
const kOptions = Symbol('requestOptions');
const kGuard = Symbol('kFreeSocketDataGuard');

type Options = Record<string, unknown>;
type AgentSocket = Socket & { _httpMessage?: AgentRequest | null; timeout?: number; [kGuard]?: (() => void) | undefined };

interface AgentRequest {
  timeout?: number;
  shouldKeepAlive: boolean;
  reusedSocket: boolean;
  res: { headers: Record<string, string | undefined> } | null;
  [kOptions]?: Options | undefined;
  getHeader(name: string): unknown;
  onSocket(socket: Socket | null, error?: Error): void;
}

interface AgentState extends EventEmitter {
  options: Options;
  defaultPort: number;
  protocol: string;
  requests: Record<string, AgentRequest[]>;
  sockets: Record<string, AgentSocket[]>;
  freeSockets: Record<string, AgentSocket[]>;
  keepAliveMsecs: number;
  keepAlive: boolean;
  maxSockets: number;
  maxFreeSockets: number;
  scheduling: string;
  maxTotalSockets: number;
  totalSocketCount: number;
  agentKeepAliveTimeoutBuffer: number;
  getName(options?: Options): string;
  createConnection(options: Options, done: (error: Error | null, socket?: AgentSocket) => void): AgentSocket | undefined;
  createSocket(request: AgentRequest, options: Options, done: (error: Error | null, socket?: AgentSocket) => void): void;
  removeSocket(socket: AgentSocket, options: Options): void;
  keepSocketAlive(socket: AgentSocket): boolean;
  reuseSocket(socket: AgentSocket, request: AgentRequest): void;
}

const table = <T>(): Record<string, T> => Object.create(null) as Record<string, T>;

/** What an application may have set for all agents. */
const defaultMaxSockets = (): number =>
  (process.getBuiltinModule('node:http').Agent as unknown as { defaultMaxSockets: number }).defaultMaxSockets;

export function construct(this: AgentState, given?: Options): void {
  (EventEmitter as unknown as (this: unknown) => void).call(this);
  const options: Options = Object.assign(table<unknown>(), given);
  this.options = options;
  this.defaultPort = (options['defaultPort'] as number) || 80;
  this.protocol = (options['protocol'] as string) || 'http:';
  if (options['noDelay'] === undefined) options['noDelay'] = true;
  options['path'] = null;
  this.requests = table();
  this.sockets = table();
  this.freeSockets = table();
  this.keepAliveMsecs = (options['keepAliveMsecs'] as number) || KEEP_ALIVE_MS;
  this.keepAlive = (options['keepAlive'] as boolean) || false;
  this.maxSockets = (options['maxSockets'] as number) || defaultMaxSockets();
  this.maxFreeSockets = (options['maxFreeSockets'] as number) || FREE_SOCKETS_MAX;
  this.scheduling = (options['scheduling'] as string) || 'lifo';
  const total = options['maxTotalSockets'];
  this.maxTotalSockets = Infinity;
  this.totalSocketCount = 0;
  const buffer = options['agentKeepAliveTimeoutBuffer'];
  this.agentKeepAliveTimeoutBuffer = typeof buffer === 'number' && buffer >= 0 && Number.isFinite(buffer) ? buffer : TIMEOUT_BUFFER_MS;
  validateOneOf(this.scheduling, 'scheduling', ['fifo', 'lifo']);
  if (total !== undefined) {
    validateNumber(total, 'maxTotalSockets', 1);
    this.maxTotalSockets = total;
  }
  this.on('free', (socket: AgentSocket, of: Options) => onFree(this, socket, of));
}

function setSocket(agent: AgentState, request: AgentRequest, socket: AgentSocket): void {
  request.onSocket(socket);
  const timeout = (agent.options['timeout'] as number) || 0;
  if (request.timeout !== undefined && request.timeout !== timeout) socket.setTimeout(request.timeout);
}

function mayKeep(agent: AgentState, name: string, socket: AgentSocket): boolean {
  const request = socket._httpMessage;
  if (!request?.shouldKeepAlive || !agent.keepAlive) return false;
  const free = agent.freeSockets[name]?.length ?? 0;
  const count = free + (agent.sockets[name]?.length ?? 0);
  const isFull = agent.totalSocketCount > agent.maxTotalSockets || count > agent.maxSockets || free >= agent.maxFreeSockets;
  return !isFull && agent.keepSocketAlive(socket);
}

/** A socket has no request any more: it serves the next that waits, is kept, or goes. */
function onFree(agent: AgentState, socket: AgentSocket, options: Options): void {
  const name = agent.getName(options);
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const waiting = agent.requests[name];
  const request = waiting?.shift();
  if (request !== undefined) {
    if (waiting?.length === 0) delete agent.requests[name];
    setSocket(agent, request, socket);
    return;
  }
  if (!mayKeep(agent, name, socket)) {
    socket.destroy();
    return;
  }
  const free = agent.freeSockets[name] ?? [];
  agent.freeSockets[name] = free;
  socket._httpMessage = null;
  agent.removeSocket(socket, options);
  socket.once('error', onFreeError);
  if (guard(socket)) free.push(socket);
}

function onFreeError(this: AgentSocket): void {
  this.destroy();
  this.emit('agentRemove');
}

/** Bytes that nobody asked for make a connection useless. False: there are some already. */
function guard(socket: AgentSocket): boolean {
  if (socket.readableLength > 0) {
    socket.destroy();
    return false;
  }
  const watch = (): void => void socket.destroy();
  socket[kGuard] = watch;
  socket.on('data', watch);
  socket.resume();
  return true;
}

function installListeners(agent: AgentState, socket: AgentSocket, options: Options): void {
  const free = (): void => void agent.emit('free', socket, options);
  const close = (): void => {
    agent.totalSocketCount--;
    agent.removeSocket(socket, options);
  };
  const timeout = (): void => {
    if (Object.values(agent.freeSockets).some((list) => list.includes(socket))) socket.destroy();
  };
  const remove = (): void => {
    close();
    socket.removeListener('close', close);
    socket.removeListener('free', free);
    socket.removeListener('timeout', timeout);
    socket.removeListener('agentRemove', remove);
  };
  socket.on('free', free);
  socket.on('close', close);
  socket.on('timeout', timeout);
  socket.on('agentRemove', remove);
}

/** The name that the peer's certificate must carry. */
function serverName(options: Options, request: AgentRequest): string {
  let name = options['host'] as string;
  const host = request.getHeader('host');
  if (host) {
    validateString(host, 'options.headers.host');
    if (!host.startsWith('[')) name = host.split(':', 1)[0] as string;
    else name = host.includes(']') ? host.slice(1, host.indexOf(']')) : host;
  }
  return net.isIP(name) ? '' : name;
}

function complete(agent: AgentState, given: Options, request: AgentRequest): Options {
  const options = Object.assign(table<unknown>(), given, agent.options);
  if (options['socketPath']) options['path'] = options['socketPath'];
  if (!options['servername'] && options['servername'] !== '') options['servername'] = serverName(options, request);
  return options;
}

function takeFree(agent: AgentState, name: string): AgentSocket | undefined {
  const free = agent.freeSockets[name];
  if (free === undefined) return undefined;
  while (free.length > 0 && free[0]?.destroyed === true) free.shift();
  const socket = agent.scheduling === 'fifo' ? free.shift() : free.pop();
  if (free.length === 0) delete agent.freeSockets[name];
  return socket;
}

/** A request that waits for a place where there is one now, with its options. */
function nextWaiting(agent: AgentState, name: string, options: Options): { request: AgentRequest; options: Options } | undefined {
  const first = agent.requests[name]?.[0];
  if (first !== undefined) return { request: first, options };
  for (const [other, list] of Object.entries(agent.requests)) {
    if (agent.sockets[other]?.length) return undefined;
    const request = list[0];
    const its = request?.[kOptions];
    return request === undefined || its === undefined ? undefined : { request, options: its };
  }
  return undefined;
}

function addRequest(this: AgentState, request: AgentRequest, given: Options | string, port?: number, localAddress?: string): void {
  const of = typeof given === 'string' ? { host: given, port, localAddress } : given;
  const options = complete(this, of, request);
  const name = this.getName(options);
  this.sockets[name] ??= [];
  const socket = takeFree(this, name);
  const count = (this.freeSockets[name]?.length ?? 0) + this.sockets[name].length;
  if (socket !== undefined) {
    this.reuseSocket(socket, request);
    setSocket(this, request, socket);
    this.sockets[name].push(socket);
  } else if (count < this.maxSockets && this.totalSocketCount < this.maxTotalSockets) {
    this.createSocket(request, options, (error, made) => {
      if (error) request.onSocket(made ?? null, error);
      else setSocket(this, request, made as AgentSocket);
    });
  } else {
    request[kOptions] = options;
    (this.requests[name] ??= []).push(request);
  }
}

function createSocket(
  this: AgentState,
  request: AgentRequest,
  given: Options,
  done: (error: Error | null, socket?: AgentSocket) => void,
): void {
  const options = complete(this, given, request);
  const timeout = request.timeout || this.options['timeout'];
  if (timeout) options['timeout'] = timeout;
  const name = this.getName(options);
  options['_agentKey'] = name;
  options['encoding'] = null;
  let isCreated = false;
  const created = (error: Error | null, socket?: AgentSocket): void => {
    if (isCreated) return;
    isCreated = true;
    if (error) {
      done(error);
      return;
    }
    (this.sockets[name] ??= []).push(socket as AgentSocket);
    this.totalSocketCount++;
    installListeners(this, socket as AgentSocket, options);
    done(null, socket);
  };
  if (this.keepAlive) {
    options['keepAlive'] = true;
    options['keepAliveInitialDelay'] = this.keepAliveMsecs;
  }
  const socket = this.createConnection(options, created);
  if (socket) created(null, socket);
}

function removeSocket(this: AgentState, socket: AgentSocket, options: Options): void {
  const name = this.getName(options);
  for (const set of socket.writable ? [this.sockets] : [this.sockets, this.freeSockets]) {
    const list = set[name];
    const at = list?.indexOf(socket) ?? -1;
    if (at >= 0) list?.splice(at, 1);
    if (list?.length === 0) delete set[name];
  }
  const next = nextWaiting(this, name, options);
  if (next === undefined) return;
  next.request[kOptions] = undefined;
  this.createSocket(next.request, next.options, (error, made) => {
    if (error) next.request.onSocket(null, error);
    else made?.emit('free');
  });
}

function keepSocketAlive(this: AgentState, socket: AgentSocket): boolean {
  socket.setKeepAlive(true, this.keepAliveMsecs);
  socket.unref();
  let timeout = (this.options['timeout'] as number) || 0;
  const hint = /^timeout=(\d+)/.exec(socket._httpMessage?.res?.headers['keep-alive'] ?? '')?.[1];
  if (hint !== undefined) {
    const allowed = Number(hint) * SECOND_MS - this.agentKeepAliveTimeoutBuffer;
    if (allowed <= 0) return false;
    if (allowed < timeout) timeout = allowed;
  }
  if (socket.timeout !== timeout) socket.setTimeout(timeout);
  return true;
}

function reuseSocket(this: AgentState, socket: AgentSocket, request: AgentRequest): void {
  socket.removeListener('error', onFreeError);
  if (socket[kGuard] !== undefined) socket.removeListener('data', socket[kGuard]);
  socket[kGuard] = undefined;
  request.reusedSocket = true;
  socket.ref();
}

function getName(this: AgentState, options: Options = {}): string {
  const { host, port, localAddress, family, socketPath } = options as Record<string, string | number | undefined>;
  let name = `${host || 'localhost'}:${port || ''}:${localAddress || ''}`;
  if (family === 4 || family === 6) name += `:${family}`;
  if (socketPath) name += `:${socketPath}`;
  return name;
}

function destroy(this: AgentState): void {
  for (const set of [this.freeSockets, this.sockets])
    for (const list of Object.values(set)) for (const socket of list.slice()) socket.destroy();
}

export const members = {
  createConnection: (...args: unknown[]): unknown => (net.createConnection as (...args: unknown[]) => unknown)(...args),
  getName,
  addRequest,
  createSocket,
  removeSocket,
  keepSocketAlive,
  reuseSocket,
  destroy,
};
