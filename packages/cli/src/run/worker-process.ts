/**
 * One process of `fulmar run --workers`, as its primary sees it: from the fork until it has ended.
 *
 * Tells what happens to it and does what it is asked; decides nothing.
 */
import type { Worker } from 'node:cluster';
import { type LastWords, STOP } from '../../../fulmar/src/launch/lifecycle/supervised.ts';

/** What the primary wants to know. */
export interface WorkerEvents {
  onListening(worker: WorkerProcess): void;
  onLastWords(worker: WorkerProcess, words: LastWords): void;
  /** Of Node's watcher, which sits above the primary. */
  onWatch(message: object): void;
  onError(worker: WorkerProcess, error: Error): void;
  onExit(worker: WorkerProcess): void;
}

const lastWords: readonly unknown[] = ['fatal', 'crashed', 'idle'] satisfies LastWords['fulmar'][];

export class WorkerProcess {
  /** Of its place, from 1. */
  readonly index: number;
  readonly pid: number | undefined;
  readonly startedAt: number;
  /** Where it listens or has listened. */
  readonly addresses: Set<string>;
  /** It has been asked to end. */
  isLeaving: boolean;
  lastWords: LastWords | undefined;
  /** How it ended: `exit code 1`, `SIGKILL`; `EAGAIN` when it could not be started. */
  ending: string | undefined;
  readonly #worker: Worker;
  #killTimer: NodeJS.Timeout | undefined;

  constructor(worker: Worker, index: number, events: WorkerEvents) {
    this.index = index;
    this.pid = worker.process.pid;
    this.startedAt = performance.now();
    this.addresses = new Set();
    this.isLeaving = false;
    this.lastWords = undefined;
    this.ending = undefined;
    this.#worker = worker;
    this.#killTimer = undefined;
    worker.on('listening', ({ address, port, addressType }) => {
      this.addresses.add(`${addressType} ${address ?? ''} ${port}`);
      events.onListening(this);
    });
    worker.on('message', (message: unknown) => this.#onMessage(message, events));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      events.onError(this, error);
      // No process was made, as when there are too many: Node says nothing of its end.
      if (this.pid === undefined) this.#ended(error.code ?? error.message, events);
    });
    worker.once('exit', (code: number | null, signal: string | null) => this.#ended(signal ?? `exit code ${code}`, events));
  }

  get hasListened(): boolean {
    return this.addresses.size > 0;
  }

  /** Does it listen on this Unix socket? */
  listensOn(path: string): boolean {
    return !this.hasEnded && this.addresses.has(`-1 ${path} -1`);
  }

  get hasEnded(): boolean {
    return this.ending !== undefined;
  }

  /**
   * Asks it to end as at a SIGTERM, within `limitMs` if that is not what it has been told, and kills it after
   * `deadlineMs`.
   */
  stop(deadlineMs: number, limitMs?: number): void {
    if (this.hasEnded) return;
    this.isLeaving = true;
    // A service manager may have sent every process of the group a SIGTERM: a second one would end it at
    // once. One that does not serve yet may not hear messages yet.
    if (this.hasListened && this.#worker.isConnected()) this.#worker.process.send?.({ cmd: STOP, limitMs });
    else this.#worker.process.kill('SIGTERM');
    clearTimeout(this.#killTimer);
    this.#killTimer = setTimeout(() => this.kill(), deadlineMs).unref();
  }

  kill(): void {
    if (!this.hasEnded) this.#worker.process.kill('SIGKILL');
  }

  #ended(ending: string, events: WorkerEvents): void {
    if (this.hasEnded) return;
    clearTimeout(this.#killTimer);
    this.ending = ending;
    events.onExit(this);
  }

  #onMessage(message: unknown, events: WorkerEvents): void {
    if (message === null || typeof message !== 'object') return;
    if ('watch:require' in message || 'watch:import' in message) events.onWatch(message);
    if (!('fulmar' in message) || !lastWords.includes(message.fulmar)) return;
    this.lastWords = message as LastWords;
    events.onLastWords(this, this.lastWords);
  }
}
