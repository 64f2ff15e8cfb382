/**
 * The listening sockets of a process whose code is reloaded: code that listens where the code before did takes its place,
 * and what it replaces ends as a server does that is closed. Servers get their sockets here (`http/listen.ts`).
 */
import type { Listener, ListenTarget, ServerObserver } from '../exchange/types.ts';
import { setGlobal } from '../host/globals.ts';
import type { Generations } from './generations.ts';
import { HeldSocket, Lease } from './lease.ts';

/** New code that listens elsewhere has so long to listen here as well, before sockets of the old are closed. */
const SETTLED_MS = 1_000;
/** Old code that has not ended by then goes on unobserved. */
const END_MS_MAX = 30_000;
/** How long WebSockets of others than ours may take to be told by their own server. */
const UPGRADED_MS = 20;

interface EndingServer {
  once(event: 'close', listener: () => void): unknown;
  drain(): unknown;
  readonly afterDrain?: (() => Promise<void>) | undefined;
}

type Make = (observer: ServerObserver) => Listener;

export interface SocketsOptions {
  readonly generations: Generations;
  /** What the end of old code has thrown. */
  readonly onError: (error: unknown) => void;
}

export class Sockets {
  readonly #options: SocketsOptions;
  readonly #held = new Map<string, HeldSocket>();
  /** Numbers of sockets on any port, by their generation. */
  #unnamed = { generation: 0, count: 0 };
  #settling: NodeJS.Timeout | null = null;
  #endings = 0;

  constructor(options: SocketsOptions) {
    this.#options = options;
    setGlobal('fulmar.sockets', {
      open: (server, target, observer, make) =>
        this.#open(server, target as ListenTarget, observer as ServerObserver, make as unknown as Make) as never,
      isHandingOver: () => this.#endings > 0,
    });
  }

  /** Does this generation have a socket? */
  hasOf(generation: number): boolean {
    return [...this.#held.values()].some(({ lease }) => lease.generation === generation);
  }

  #open(server: object, target: ListenTarget, observer: ServerObserver, make: Make): Listener {
    if (target.fd !== undefined) return make(observer);
    const generation = this.#options.generations.running;
    const lease = new Lease({ server, observer, generation });
    const key = this.#keyOf(target, generation);
    const held = this.#held.get(key) ?? this.#samePort(target, generation);
    if (held === undefined || held.lease.generation === generation) return this.#make(key, lease, make);
    // Code that was replaced before it listened.
    if (held.lease.generation > generation) void this.#end(lease);
    else void this.#end(held.give(lease));
    this.#settle();
    return lease;
  }

  /** The newest code has failed: what it has not come to listen on stays with the code before. */
  keep(): void {
    if (this.#settling !== null) clearTimeout(this.#settling);
    this.#settling = null;
  }

  #make(key: string, lease: Lease, make: Make): Lease {
    const socket = new HeldSocket(lease, () => {
      if (this.#held.get(key) === socket) this.#held.delete(key);
    });
    socket.listener = make(socket);
    lease.socket = socket;
    this.#held.set(key, socket);
    this.#settle();
    return lease;
  }

  #keyOf({ path, host = '', port = 0 }: ListenTarget, generation: number): string {
    if (path !== undefined) return `path:${path}`;
    if (port !== 0) return `${host}:${port}`;
    if (this.#unnamed.generation !== generation) this.#unnamed = { generation, count: 0 };
    this.#unnamed.count += 1;
    return `${host}:0:${this.#unnamed.count}`;
  }

  /** The old code's, under another name of this machine: both cannot be had. */
  #samePort({ port = 0, path }: ListenTarget, generation: number): HeldSocket | undefined {
    if (port === 0 || path !== undefined) return undefined;
    return [...this.#held].find(([key, { lease }]) => key.endsWith(`:${port}`) && lease.generation < generation)?.[1];
  }

  /** Sockets that the newest code does not want are closed, when it has had time to. */
  #settle(): void {
    this.keep();
    this.#settling = setTimeout(() => {
      const leases = [...this.#held.values()].map(({ lease }) => lease);
      const newest = Math.max(...leases.map(({ generation }) => generation));
      for (const lease of leases) if (lease.generation < newest) void this.#end(lease);
    }, SETTLED_MS);
    this.#settling.unref();
  }

  /** As the process would end it. */
  async #end(lease: Lease): Promise<void> {
    const server = lease.server as EndingServer;
    const { afterDrain } = server;
    this.#endings += 1;
    try {
      // It is listening by now, as far as it knows.
      await new Promise((resolve) => void setImmediate(resolve));
      const closed = new Promise<void>((resolve) => void server.once('close', resolve));
      server.drain();
      // Those of our apps are closed by these.
      if (!Object.hasOwn(server, 'drain')) setTimeout(() => lease.closeUpgraded(), UPGRADED_MS).unref();
      await Promise.race([closed, new Promise((resolve) => void setTimeout(resolve, END_MS_MAX).unref())]);
      await afterDrain?.();
    } catch (error) {
      this.#options.onError(error);
    } finally {
      this.#endings -= 1;
    }
  }
}
