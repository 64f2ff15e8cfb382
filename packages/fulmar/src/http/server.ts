/**
 * The server: Node's http.Server by prototype and by construction, so that options, validation and sockets
 * emitted by hand are Node's own; listening, connections and requests are the engine's. Puts the parts of
 * this folder together.
 */
import type { RequestListener, Server as NodeServer, ServerOptions } from 'node:http';
import { servePrimary } from './cluster-use.ts';
import { socket as socketParts } from './lazy.ts';
import { listenMembers } from './listen.ts';
import { classOptions, makersFor } from './message-makers.ts';
import { inherit, nodeHttp, nodeMethod, nodeNet } from './node-http.ts';
import {
  applyDefaults,
  configure,
  initialConfig,
  listenerConfig,
  defineLiveMembers,
  refuseLenient,
  replyDefaults,
} from './server-options.ts';
import type { ServerState } from './server-state.ts';

const NodeServerClass = nodeHttp.Server as unknown as { (this: unknown, options: unknown, listener: unknown): void; prototype: NodeServer };
const parent = NodeServerClass.prototype;
const foreign = {
  on: nodeMethod(parent, 'on'),
  prependListener: nodeMethod(parent, 'prependListener'),
  removeListener: nodeMethod(parent, 'removeListener'),
  removeAllListeners: nodeMethod(parent, 'removeAllListeners'),
  closeIdle: nodeMethod(parent, 'closeIdleConnections'),
  closeAll: nodeMethod(parent, 'closeAllConnections'),
  closeNet: nodeMethod(nodeNet.Server.prototype, 'close'),
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Node's handler for `connection` stays for sockets that are emitted by hand; ours are served already. */
function keepNodeConnections(server: ServerState): void {
  const [serveForeign] = server.listeners('connection') as ((this: unknown, socket: unknown) => void)[];
  foreign.removeAllListeners.call(server, 'connection');
  foreign.on.call(server, 'connection', (socket: unknown) => {
    if (!socketParts().isOurSocket(socket)) serveForeign?.call(server, socket);
  });
}

function HttpServer(this: ServerState, options?: unknown, listener?: unknown): ServerState | undefined {
  if (!(this instanceof (HttpServer as unknown as new () => object)))
    return new Server(options as ServerOptions, listener as RequestListener) as unknown as ServerState;
  const given = isObject(options) ? options : {};
  this._config = initialConfig();
  this._listener = null;
  this._listeners = new Set();
  this._foreignConnections = 0;
  this._reusePort = false;
  this._scope = null;
  this._classes = { Request: null, Response: null };
  NodeServerClass.call(this, options, listener);
  refuseLenient(given);
  applyDefaults(this, given);
  this._classes = classOptions(given);
  this._replyDefaults = replyDefaults(this, given);
  if (typeof given['shouldUpgradeCallback'] === 'function') Object.defineProperty(this, '_customUpgrade', { value: true });
  keepNodeConnections(this);
  this._makers = makersFor(this);
  configure(this, listenerConfig(this));
  return undefined;
}

/** Events whose first or last listener changes what the engine reports. */
const reported: ReadonlySet<unknown> = new Set(['connection', 'clientError', 'upgrade', 'connect']);

function relisten(server: ServerState, event: unknown): ServerState {
  if ((event === undefined || reported.has(event)) && server._listener !== null) configure(server, listenerConfig(server));
  return server;
}

const eventMembers = {
  on(this: ServerState, event: string | symbol, listener: unknown): unknown {
    foreign.on.call(this, event, listener);
    return relisten(this, event);
  },
  addListener(this: ServerState, event: string | symbol, listener: unknown): unknown {
    foreign.on.call(this, event, listener);
    return relisten(this, event);
  },
  prependListener(this: ServerState, event: string | symbol, listener: unknown): unknown {
    foreign.prependListener.call(this, event, listener);
    return relisten(this, event);
  },
  removeListener(this: ServerState, event: string | symbol, listener: unknown): unknown {
    foreign.removeListener.call(this, event, listener);
    return relisten(this, event);
  },
  off(this: ServerState, event: string | symbol, listener: unknown): unknown {
    foreign.removeListener.call(this, event, listener);
    return relisten(this, event);
  },
  removeAllListeners(this: ServerState, ...event: [] | [string | symbol]): unknown {
    foreign.removeAllListeners.apply(this, event);
    return relisten(this, event[0]);
  },
};

const members = {
  ...listenMembers,
  ...eventMembers,
  closeIdleConnections(this: ServerState): void {
    for (const listener of this._listeners) listener.closeIdleConnections();
    foreign.closeIdle.call(this);
  },
  closeAllConnections(this: ServerState): void {
    for (const listener of this._listeners) listener.closeAllConnections();
    foreign.closeAll.call(this);
  },
  /** Graceful stop: replies carry `Connection: close`, idle connections end after a last read. */
  drain(this: ServerState): void {
    for (const listener of this._listeners) listener.drain();
    // Past our own `close()`: that one also cuts idle connections, before their last read.
    foreign.closeNet.call(this);
  },
  /** What Node counts itself (sockets emitted by hand) and what the engine has accepted. */
  get _connections(): number {
    const server = this as unknown as ServerState;
    let count = server._foreignConnections;
    for (const listener of server._listeners) count += listener.connectionCount();
    return count;
  },
  set _connections(value: number) {
    (this as unknown as ServerState)._foreignConnections = value;
  },
  constructor: HttpServer,
};

inherit(HttpServer, NodeServerClass, defineLiveMembers(members), []);
Object.defineProperty(HttpServer, 'name', { value: 'Server' });
servePrimary();

/** The server class: with and without `new`, as Node's. */
export type Server = NodeServer;
export const Server = HttpServer as unknown as typeof NodeServer;

/** As Node's `createServer`: `(options?, requestListener?)`. */
export function createServer(options?: ServerOptions | RequestListener, listener?: RequestListener): NodeServer {
  return new Server(options as ServerOptions, listener);
}
