/**
 * A listening socket that outlives the code that opened it: what a server holds of it is a lease. The next code that
 * listens there gets one of its own, and requests from then on; what the first has not answered stays its own until it
 * has. Connections know nothing of it.
 */
import type { Connection, Exchange, Listener, Reject, ServerConfig, ServerObserver, SocketAddress } from '../exchange/types.ts';

/** More exchanges than this are looked through for those that are over. */
const OPEN_MAX = 256;
/** How often the last requests of old code are looked at. */
const LOOK_MS = 20;
/** RFC 6455, 5.5.1 and 7.4.1: a close frame of a server with 1012, service restart. */
const CLOSE_FRAME = Buffer.from([0x88, 0x02, 0x03, 0xf4]);

export class HeldSocket implements ServerObserver {
  lease: Lease;
  listener: Listener | null = null;
  readonly #onClosed: () => void;

  constructor(lease: Lease, onClosed: () => void) {
    this.lease = lease;
    this.#onClosed = onClosed;
  }

  /** Hands the socket on; returns who had it. */
  give(lease: Lease): Lease {
    const before = this.lease;
    this.lease = lease;
    before.socket = null;
    lease.socket = this;
    this.listener?.ref();
    return before;
  }

  onRequest(exchange: Exchange): void {
    this.lease.note(exchange);
    this.lease.observer.onRequest(exchange);
  }

  onUpgrade(exchange: Exchange): void {
    this.lease.note(exchange);
    this.lease.noteUpgrade(exchange.connection);
    this.lease.observer.onUpgrade(exchange);
  }

  onConnection(connection: Connection): void {
    this.lease.observer.onConnection(connection);
  }

  onReject(connection: Connection, reject: Reject): void {
    this.lease.observer.onReject(connection, reject);
  }

  onLost(connection: Connection, error: Error): void {
    this.lease.observer.onLost(connection, error);
  }

  onDrop(local: SocketAddress | null, remote: SocketAddress | null): void {
    this.lease.observer.onDrop(local, remote);
  }

  onTimeout(connection: Connection, exchange: Exchange | null): void {
    this.lease.observer.onTimeout(connection, exchange);
  }

  onClosed(): void {
    this.#onClosed();
    this.lease.observer.onClosed();
  }
}

export interface LeaseOptions {
  readonly server: object;
  readonly observer: ServerObserver;
  readonly generation: number;
}

export class Lease implements Listener {
  readonly server: object;
  readonly observer: ServerObserver;
  readonly generation: number;
  /** Null: others have it. */
  socket: HeldSocket | null = null;
  readonly #exchanges = new Set<Exchange>();
  readonly #upgraded = new Set<Connection>();
  #isEnding = false;

  constructor({ server, observer, generation }: LeaseOptions) {
    this.server = server;
    this.observer = observer;
    this.generation = generation;
  }

  note(exchange: Exchange): void {
    if (this.#exchanges.size >= OPEN_MAX) this.#forget();
    this.#exchanges.add(exchange);
  }

  noteUpgrade(connection: Connection): void {
    if (this.#upgraded.size >= OPEN_MAX) for (const one of this.#upgraded) if (!one.open) this.#upgraded.delete(one);
    this.#upgraded.add(connection);
  }

  /** Those that have become raw streams, of whoever speaks WebSocket on them. */
  closeUpgraded(): void {
    for (const connection of this.#upgraded) {
      if (!connection.open) continue;
      connection.write(CLOSE_FRAME);
      connection.end();
    }
    this.#upgraded.clear();
  }

  address(): SocketAddress | string | null {
    return this.socket?.listener?.address() ?? null;
  }

  configure(change: Partial<ServerConfig>): void {
    this.socket?.listener?.configure(change);
  }

  close(): void {
    if (this.socket === null) this.#end();
    else this.socket.listener?.close();
  }

  drain(): void {
    if (this.socket === null) this.#end();
    else this.socket.listener?.drain();
  }

  closeIdleConnections(): void {
    this.socket?.listener?.closeIdleConnections();
  }

  closeAllConnections(): void {
    if (this.socket !== null) this.socket.listener?.closeAllConnections();
    else for (const exchange of this.#exchanges) if (exchange.open) exchange.abort();
  }

  connectionCount(): number {
    if (this.socket !== null) return this.socket.listener?.connectionCount() ?? 0;
    this.#forget();
    return this.#exchanges.size;
  }

  ref(): void {
    this.socket?.listener?.ref();
  }

  unref(): void {
    this.socket?.listener?.unref();
  }

  #forget(): void {
    for (const exchange of this.#exchanges) if (!exchange.open) this.#exchanges.delete(exchange);
  }

  /** As a socket that is closed does: when nothing is open any more, its server is told. */
  #end(): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const look = (): void => {
      this.#forget();
      if (this.#exchanges.size > 0) setTimeout(look, LOOK_MS);
      else this.observer.onClosed();
    };
    setImmediate(look);
  }
}
