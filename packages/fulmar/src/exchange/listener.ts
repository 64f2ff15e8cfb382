/**
 * One listening socket: where it is bound, its limits, its end.
 */
import { isIP } from 'node:net';

import { toAddress } from './connection.ts';
import { listenError } from './errors.ts';
import { ConfigKey } from './format.ts';
import { type BatchLoop, sharedLoop } from './batch-loop.ts';
import type { Listener, ListenTarget, ServerConfig, ServerObserver, SocketAddress } from './types.ts';

/** Node's default backlog. */
const BACKLOG = 511;
const TCP = 0;
const UNIX = 1;
const DESCRIPTOR = 2;
const DESCRIPTOR_COPY = 3;

/** How many open listeners keep this thread's event loop alive. */
let referencedCount = 0;

export class EngineListener implements Listener {
  readonly observer: ServerObserver;
  readonly slot: number;
  readonly generation: number;
  readonly #loop: BatchLoop;
  #open = true;
  #finished = false;
  #referenced = false;

  constructor(loop: BatchLoop, id: readonly [number, number], observer: ServerObserver) {
    this.#loop = loop;
    this.slot = id[0];
    this.generation = id[1];
    this.observer = observer;
  }

  address(): SocketAddress | string | null {
    if (!this.#open) return null;
    const raw = this.#loop.binding.listenerAddress(this.slot, this.generation);
    return typeof raw === 'string' ? raw : toAddress(raw);
  }

  configure(change: Partial<ServerConfig>): void {
    if (this.#finished) return;
    for (const [name, value] of Object.entries(change)) {
      const key = ConfigKey[name as keyof ServerConfig];
      this.#loop.binding.configure(this.slot, this.generation, key, toNumber(value));
    }
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    this.#loop.binding.closeListener(this.slot, this.generation);
  }

  drain(): void {
    this.#open = false;
    if (!this.#finished) this.#loop.binding.drainListener(this.slot, this.generation);
  }

  closeIdleConnections(): void {
    if (this.#finished) return;
    this.#loop.binding.collect(); // Who is answered is idle.
    this.#loop.binding.closeIdle(this.slot, this.generation);
  }

  closeAllConnections(): void {
    if (this.#finished) return;
    this.#loop.binding.collect(); // What node:http would have written already is not lost.
    this.#loop.binding.closeAll(this.slot, this.generation);
    this.#loop.dropRequests(this.slot);
  }

  connectionCount(): number {
    return this.#finished ? 0 : this.#loop.binding.connectionCount(this.slot, this.generation);
  }

  ref(): void {
    if (this.#open) this.#setReferenced(true);
  }

  unref(): void {
    this.#setReferenced(false);
  }

  /** The engine has seen the last connection go. */
  finished(): void {
    this.#finished = true;
    // Until here: the loop must live to see the last connection go, as with Node's servers.
    this.#setReferenced(false);
    this.observer.onClosed();
  }

  #setReferenced(on: boolean): void {
    if (this.#referenced === on) return;
    this.#referenced = on;
    referencedCount += on ? 1 : -1;
    this.#loop.binding.setReferencedListeners(referencedCount);
  }
}

/** "Nobody" in the engine's 32-bit numbers: a limit that lets no connection in. */
const NOBODY = 0xffff_ffff;

/** Switches are 0 and 1, limits that are off are 0, limits that let nothing through are -1. */
function toNumber(value: number | boolean): number {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === -1) return NOBODY;
  if (value === NOBODY) return NOBODY + 1; // Meant as a limit.
  return Number.isFinite(value) && value > 0 ? value : 0;
}

/**
 * Opens a listener.
 *
 * @throws Errors shaped like Node's: `code`, `errno`, `syscall: 'listen'`, `address`, `port`.
 */
export function createListener(target: ListenTarget, config: ServerConfig, observer: ServerObserver): Listener {
  const loop = sharedLoop();
  const listener = new EngineListener(loop, bind(loop, target), observer);
  loop.addListener(listener);
  listener.configure(config);
  listener.ref();
  return listener;
}

function bind(loop: BatchLoop, target: ListenTarget): readonly [number, number] {
  const backlog = target.backlog !== undefined && target.backlog > 0 ? target.backlog : BACKLOG;
  const ipv6Only = target.ipv6Only === true;
  const reusePort = target.reusePort === true;
  const { binding } = loop;
  const attempt = (kind: number, text: string, number: number): readonly [number, number] | number =>
    binding.listen(kind, text, number, backlog, ipv6Only, reusePort);
  if (target.path !== undefined) return orThrow(attempt(UNIX, target.path, 0), target.path, -1);
  if (target.fd !== undefined) return orThrow(attempt(target.copyFd === true ? DESCRIPTOR_COPY : DESCRIPTOR, '', target.fd), '', -1);
  const port = target.port ?? 0;
  if (target.host !== undefined) {
    if (isIP(target.host) === 0) throw new TypeError(`An IP address was expected as host, found "${target.host}": resolve names first`);
    return orThrow(attempt(TCP, target.host, port), target.host, port);
  }
  const dual = attempt(TCP, '::', port);
  if (typeof dual !== 'number' || dual === ADDRESS_IN_USE || dual === NO_PERMISSION) return orThrow(dual, '::', port);
  return orThrow(attempt(TCP, '0.0.0.0', port), '0.0.0.0', port); // No IPv6 here.
}

const ADDRESS_IN_USE = process.platform === 'darwin' ? -48 : -98;
const NO_PERMISSION = -13;

function orThrow(result: readonly [number, number] | number, address: string, port: number): readonly [number, number] {
  if (typeof result === 'number') throw listenError(result, address, port);
  return result;
}
