/**
 * Who is told of a listener's requests while `fulmar dev` runs: requests to `/_fulmar` are answered here, all others
 * are noted and go on to the server's own observer, with an exchange whose replies are seen. Every style of server
 * answers through its exchange, so this is the one place for all of them.
 */
import type { Connection, Exchange, ListenTarget, Reject, ServerObserver, SocketAddress } from '../exchange/types.ts';

export interface Watcher {
  /** False: nothing is watched any more. */
  readonly isOpen: boolean;
  answer(exchange: Exchange, place: WatchedObserver): void;
  note(exchange: Exchange, place: WatchedObserver): void;
}

export const OWN_PATH = '/_fulmar';
const SLASH = 47;
const QUESTION_MARK = 63;

/** `/_fulmar`, `/_fulmar/…`, `/_fulmar?…`; `/_fulmars` is the application's. */
function isOwn(target: string): boolean {
  if (!target.startsWith(OWN_PATH)) return false;
  const next = target.charCodeAt(OWN_PATH.length);
  return Number.isNaN(next) || next === SLASH || next === QUESTION_MARK;
}

export class WatchedObserver implements ServerObserver {
  readonly inner: ServerObserver;
  readonly target: ListenTarget;
  readonly #watcher: Watcher;

  constructor(inner: ServerObserver, target: ListenTarget, watcher: Watcher) {
    this.inner = inner;
    this.target = target;
    this.#watcher = watcher;
  }

  onRequest(exchange: Exchange): void {
    if (this.#watcher.isOpen) {
      if (isOwn(exchange.target)) return this.#watcher.answer(exchange, this);
      this.#watcher.note(exchange, this);
    }
    this.inner.onRequest(exchange);
  }

  onUpgrade(exchange: Exchange): void {
    if (this.#watcher.isOpen) {
      if (isOwn(exchange.target)) {
        exchange.declineUpgrade();
        return this.#watcher.answer(exchange, this);
      }
      this.#watcher.note(exchange, this);
    }
    this.inner.onUpgrade(exchange);
  }

  onConnection(connection: Connection): void {
    this.inner.onConnection(connection);
  }

  onReject(connection: Connection, reject: Reject): void {
    this.inner.onReject(connection, reject);
  }

  onLost(connection: Connection, error: Error): void {
    this.inner.onLost(connection, error);
  }

  onDrop(local: SocketAddress | null, remote: SocketAddress | null): void {
    this.inner.onDrop(local, remote);
  }

  onTimeout(connection: Connection, exchange: Exchange | null): void {
    this.inner.onTimeout(connection, exchange);
  }

  onClosed(): void {
    this.inner.onClosed();
  }
}
