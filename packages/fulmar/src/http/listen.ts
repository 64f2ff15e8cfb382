/**
 * `server.listen()`: Node's own code normalises arguments, validates, looks names up and follows signals;
 * what it calls to bind (`_listen2`) is ours. In a cluster worker every listen is exclusive with
 * SO_REUSEPORT. Holds no connection.
 */
import { chmodSync } from 'node:fs';
import { createListener } from '../exchange/index.ts';
import { ENGINE_UNAVAILABLE } from '../host/engine.ts';
import type { Listener, ListenTarget, ServerObserver } from '../exchange/types.ts';
import { addDrainable } from './drainable.ts';
import { isClusterWorker } from './cluster-use.ts';
import { requestScope } from './context.ts';
import { cluster } from './lazy.ts';
import { Observer } from './observer.ts';
import { nodeHttp, nodeMethod, nodeNet } from './node-http.ts';
import { registerInstead } from './registered.ts';
import { configure, fixedConfig, listenerConfig } from './server-options.ts';
import type { ServerState } from './server-state.ts';
import { readGlobal } from '../host/globals.ts';

/** UV_TCP_IPV6ONLY of the flags Node passes on. */
const IPV6_ONLY = 1;

/** uv's bits for `readableAll` and `writableAll` of a Unix socket. */
const READABLE = 1;
const WRITABLE = 2;

/**
 * Stands where Node keeps its TCP or pipe handle: enough for `address()`, `close()`, `ref()` and `unref()`.
 */
class ListenHandle {
  readonly #listener: Listener;
  readonly #path: string | null;
  readonly fd = -1;
  /** Only for TCP: Node asks for it to tell TCP from pipes. */
  readonly getsockname?: (out: object) => number;

  constructor(listener: Listener, path: string | null) {
    this.#listener = listener;
    this.#path = path;
    const bound = listener.address();
    if (typeof bound === 'object' && bound !== null) {
      this.getsockname = (out) => {
        const address = listener.address();
        if (typeof address === 'object' && address !== null) {
          Object.assign(out, { address: address.address, family: address.family, port: address.port });
        }
        return 0;
      };
    }
  }

  close(): void {
    this.#listener.close();
  }

  ref(): void {
    this.#listener.ref();
  }

  unref(): void {
    this.#listener.unref();
  }

  getAsyncId(): number {
    return 0;
  }

  fchmod(mode: number): number {
    const bits = (mode & READABLE ? 0o444 : 0) | (mode & WRITABLE ? 0o222 : 0);
    if (this.#path !== null) chmodSync(this.#path, 0o700 | bits);
    return 0;
  }
}

/** What Node's `listenInCluster` passes on to bind. */
interface BindRequest {
  readonly address: string | null;
  readonly port: number | null;
  readonly addressType: number | null;
  readonly backlog: unknown;
  readonly fd: unknown;
  readonly flags: unknown;
}

interface NodeHandle {
  readonly fd?: number;
  getsockname?: ((out: object) => number) | undefined;
  close(): void;
}

function targetOf(server: ServerState, bind: BindRequest): ListenTarget {
  const backlog = typeof bind.backlog === 'number' && bind.backlog > 0 ? { backlog: bind.backlog } : {};
  const given = server._handle as NodeHandle | null;
  if (given !== null && typeof given.fd === 'number') return { fd: given.fd, copyFd: true, ...backlog };
  if (typeof bind.fd === 'number' && bind.fd >= 0) return { fd: bind.fd, ...backlog };
  if (bind.port === -1 && bind.addressType === -1) return { path: String(bind.address), ...backlog };
  const host = bind.address ? { host: bind.address } : {};
  const only = (Number(bind.flags) & IPV6_ONLY) !== 0 ? { ipv6Only: true } : {};
  const share = server._reusePort ? { reusePort: true } : {};
  return { port: bind.port ?? 0, ...host, ...only, ...share, ...backlog };
}

function emitError(server: ServerState, error: unknown): void {
  readGlobal('fulmar.listen-failed')?.(error);
  server.emit('error', error as Error);
}

function emitListening(server: ServerState): void {
  if (server._handle === null) return;
  addDrainable(server);
  server.emit('listening');
}

/** Node's own handle accepts no more. A pipe's stays open: closing it would remove the socket's file. */
function takeOver(given: NodeHandle, { getsockname }: ListenHandle): void {
  if (given.getsockname === undefined) return;
  given.close();
  given.getsockname = getsockname;
}

function open(server: ServerState, target: ListenTarget): boolean {
  const dispatcher = new Observer(server);
  configure(server, { ...fixedConfig(server), ...listenerConfig(server) });
  const given = server._handle as NodeHandle | null;
  let listener: Listener;
  try {
    const make = (observer: ServerObserver): Listener => createListener(target, { ...server._config }, observer);
    const observer: ServerObserver = readGlobal('fulmar.dev')?.watch<ServerObserver>(dispatcher, target) ?? dispatcher;
    listener = readGlobal('fulmar.sockets')?.open(server, target, observer, make) ?? make(observer);
    if (readGlobal('fulmar.sockets') !== undefined) listener.configure({ ...server._config });
  } catch (error) {
    server._handle = null;
    // Not a failure to listen: Express 5 hands those to the callback of listen(), where many applications
    // only print that they run.
    if ((error as NodeJS.ErrnoException).code === ENGINE_UNAVAILABLE) throw error;
    process.nextTick(emitError, server, error);
    return false;
  }
  dispatcher.listener = listener;
  server._listeners.add(listener);
  server._listener = listener;
  const scope = requestScope();
  server._scope = readGlobal('fulmar.dev')?.scope(scope) ?? scope;
  const handle = new ListenHandle(listener, target.path ?? null);
  if (target.copyFd === true && given !== null) takeOver(given, handle);
  server._handle = handle;
  if (server._unref) listener.unref();
  return true;
}

function bind(server: ServerState, request: BindRequest): void {
  // In a file that only such builds load.
  if (readGlobal('fulmar.serverless') !== undefined && registerInstead(server, request)) return;
  if (!open(server, targetOf(server, request))) return;
  server._connectionKey = `${request.addressType}:${request.address}:${request.port}`;
  process.nextTick(emitListening, server);
  if (isClusterWorker()) server.once('listening', () => cluster().announceListening(server, request));
}

/** Port 0 in a worker: all workers get the same port, as in Node; the primary is asked which. */
function bindAgreed(server: ServerState, request: BindRequest): void {
  const id = server._listeningId;
  cluster().agreePort(`${request.address ?? ''}:${request.addressType ?? 4}`, (port, taken) => {
    if (id !== server._listeningId) {
      taken(0);
      return;
    }
    bind(server, { ...request, port });
    const address = server._listener?.address();
    taken(typeof address === 'object' && address !== null ? address.port : 0);
  });
}

function noteHost(host: unknown): void {
  if (typeof host === 'string') readGlobal('fulmar.listen-hosts')?.add(host);
}

const nodeListen = nodeMethod(nodeNet.Server.prototype, 'listen');
const emitCloseIfDrained = nodeMethod(nodeHttp.Server.prototype, '_emitCloseIfDrained');

interface NormalizedOptions {
  host?: unknown;
  reusePort?: unknown;
}
const normalizeArgs = Reflect.get(nodeNet, '_normalizeArgs') as (args: unknown[]) => [NormalizedOptions, (() => void) | null];

const toNumber = (value: unknown): number => (Number(value) >= 0 ? Number(value) : 0);

/** The same call with `exclusive`, so that Node does not ask the primary for a handle. */
function exclusiveArgs(args: unknown[]): unknown[] {
  const [options, callback] = normalizeArgs(args);
  const backlog = toNumber(args.length > 1 && args[1]) || toNumber(args.length > 2 && args[2]);
  const changed: Record<string, unknown> = { ...options, exclusive: true };
  if (backlog > 0 && changed['backlog'] === undefined) changed['backlog'] = backlog;
  if (args.length === 0 || typeof args[0] === 'function' || args[0] === null) changed['port'] = 0;
  return callback === null ? [changed] : [changed, callback];
}

export const listenMembers = {
  listen(this: ServerState, ...args: unknown[]): unknown {
    const [options] = normalizeArgs(args);
    noteHost(options.host);
    const worker = isClusterWorker();
    this._reusePort = worker || options.reusePort === true;
    return nodeListen.apply(this, worker ? exclusiveArgs(args) : args);
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
    const request = { address, port, addressType, backlog, fd, flags };
    if (port === 0 && typeof fd !== 'number' && isClusterWorker()) bindAgreed(this, request);
    else bind(this, request);
  },
  /** The engine tells when the last connection is gone; until then there is nothing to emit. */
  _emitCloseIfDrained(this: ServerState): void {
    if (this._listeners.size === 0) emitCloseIfDrained.call(this);
  },
};
