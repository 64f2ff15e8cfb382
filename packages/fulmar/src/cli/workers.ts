/**
 * `fulmar run --workers`: a primary that starts processes, replaces those that die, and ends them together.
 *
 * The primary serves nothing and loads nothing of the application; each worker runs it and listens with `SO_REUSEPORT`.
 */
import type { Cluster, Worker } from 'node:cluster';
import { createRequire } from 'node:module';
import type { RunOptions } from './arguments.ts';
import { type FatalMessage, tell } from './lifecycle.ts';
import { toArguments, toExecArguments } from './reexec.ts';
import { CRASHES_IN_A_ROW_MAX, DRAIN_GRACE_MS, RESTART_PAUSE_MS_MAX, RESTART_PAUSE_MS_MIN, WORKER_HEALTHY_MS } from './settings.ts';

/** Marks a process as one of ours; removed from its environment before the application starts. */
export const WORKER_VARIABLE = 'FULMAR_WORKER';

interface Slot {
  readonly index: number;
  worker: Worker | undefined;
  startedAt: number;
  crashes: number;
  timer: NodeJS.Timeout | undefined;
}

export function runWorkers(options: RunOptions, binFile: string): void {
  const cluster = process.getBuiltinModule('node:cluster');
  const count =
    options.workers === 'auto' || options.workers === undefined
      ? process.getBuiltinModule('node:os').availableParallelism()
      : options.workers;
  cluster.setupPrimary({
    exec: binFile,
    args: toArguments({ ...options, workers: undefined, envFiles: [] }),
    execArgv: toExecArguments({ ...options, watch: false }, binFile),
  });
  new Supervisor(cluster, options, count).start();
  // It serves nothing here: it answers workers that ask for the port all of them share after `listen(0)`.
  if (options.alias) createRequire(binFile)('../dist/http.cjs');
}

class Supervisor {
  readonly #cluster: Cluster;
  readonly #options: RunOptions;
  readonly #slots: Slot[];
  #ending = false;
  #exitCode = 0;

  constructor(cluster: Cluster, options: RunOptions, count: number) {
    this.#cluster = cluster;
    this.#options = options;
    this.#slots = Array.from({ length: count }, (_, index) => ({
      index: index + 1,
      worker: undefined,
      startedAt: 0,
      crashes: 0,
      timer: undefined,
    }));
  }

  start(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#onSignal(signal));
    for (const slot of this.#slots) this.#fork(slot);
  }

  #fork(slot: Slot): void {
    slot.timer = undefined;
    slot.startedAt = performance.now();
    const worker = this.#cluster.fork({ [WORKER_VARIABLE]: String(slot.index) });
    slot.worker = worker;
    this.#note(`worker ${slot.index} (pid ${worker.process.pid}) started`);
    worker.on('message', (message: unknown) => this.#onMessage(message));
    worker.on('error', (error) => tell(`worker ${slot.index}: ${error.message}`));
    worker.once('exit', (code, signal) => this.#onExit(slot, code, signal));
  }

  #onMessage(message: unknown): void {
    if (message === null || typeof message !== 'object') return;
    // Under `--watch` Node's watcher sits above this process: what workers load is for it.
    if ('watch:require' in message || 'watch:import' in message) process.send?.(message);
    if (!('fulmar' in message) || message.fulmar !== 'fatal' || this.#ending) return;
    tell((message as FatalMessage).text);
    this.#end(1);
  }

  #onExit(slot: Slot, code: number | null, signal: string | null): void {
    slot.worker = undefined;
    const lived = performance.now() - slot.startedAt;
    const how = signal === null ? `exit code ${code}` : signal;
    this.#note(`worker ${slot.index} ended: ${how}`);
    if (!this.#ending && code !== 0) this.#replace(slot, lived, how);
    if (this.#slots.every(({ worker, timer }) => worker === undefined && timer === undefined)) process.exit(this.#exitCode);
  }

  #replace(slot: Slot, lived: number, how: string): void {
    slot.crashes = lived >= WORKER_HEALTHY_MS ? 1 : slot.crashes + 1;
    if (slot.crashes >= CRASHES_IN_A_ROW_MAX) {
      tell(`worker ${slot.index} ended ${slot.crashes} times in a row, last with ${how}. Giving up; see its output above.`);
      this.#end(1);
      return;
    }
    const pause = Math.min(RESTART_PAUSE_MS_MIN * 2 ** (slot.crashes - 1), RESTART_PAUSE_MS_MAX);
    tell(`worker ${slot.index} ended with ${how}; starting another in ${pause} ms`);
    slot.timer = setTimeout(() => this.#fork(slot), pause);
  }

  #onSignal(signal: 'SIGTERM' | 'SIGINT'): void {
    if (!this.#ending) {
      this.#end(0);
      return;
    }
    for (const { worker } of this.#slots) worker?.process.kill('SIGKILL');
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }

  /** Asks every worker to drain, kills those that do not end in time, and ends with `exitCode` after the last. */
  #end(exitCode: number): void {
    this.#ending = true;
    this.#exitCode = exitCode;
    for (const slot of this.#slots) {
      clearTimeout(slot.timer);
      slot.timer = undefined;
      slot.worker?.process.kill('SIGTERM');
    }
    setTimeout(() => {
      for (const { worker } of this.#slots) worker?.process.kill('SIGKILL');
    }, this.#options.drainTimeoutMs + DRAIN_GRACE_MS).unref();
    if (this.#slots.every(({ worker }) => worker === undefined)) process.exit(exitCode);
  }

  #note(text: string): void {
    if (this.#options.verbose) tell(text);
  }
}
