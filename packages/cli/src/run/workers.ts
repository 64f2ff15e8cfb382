/**
 * `fulmar run --workers`: a primary that starts processes, replaces those that end, renews them at a signal,
 * and ends them together.
 *
 * The primary serves nothing and loads nothing of the application; each worker runs it and listens with
 * `SO_REUSEPORT`.
 */
import type { Cluster } from 'node:cluster';
import { createRequire } from 'node:module';
import type { RunOptions } from '../arguments.ts';
import { FIRST_CRASH_VARIABLE, type FirstCrash, openFirstCrash } from '../../../fulmar/src/launch/lifecycle/first-crash.ts';
import { InspectorPorts } from './inspector-ports.ts';
import { toArguments, toExecArguments } from './reexec.ts';
import { restartOneByOne, type Slot } from './rolling-restart.ts';
import {
  DRAIN_TIMEOUT_MS_DEFAULT,
  DRAIN_TIMEOUT_MS_INTERRUPT,
  RELOAD_SIGNALS,
  WORKER_HEALTHY_MS,
} from '../../../fulmar/src/launch/settings.ts';
import { CRASHES_IN_A_ROW_MAX, DRAIN_GRACE_MS, RESTART_PAUSE_MS_MAX, RESTART_PAUSE_MS_MIN, WORKER_VARIABLE } from '../settings.ts';
import type { LastWords } from '../../../fulmar/src/launch/lifecycle/supervised.ts';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import { isAtTerminal, isHungUp } from '../../../fulmar/src/launch/terminal/terminal.ts';
import { type WorkerEvents, WorkerProcess } from './worker-process.ts';

export function runWorkers(options: RunOptions, binFile: string): void {
  const cluster = process.getBuiltinModule('node:cluster');
  const count =
    options.workers === 'auto' || options.workers === undefined
      ? process.getBuiltinModule('node:os').availableParallelism()
      : options.workers;
  const firstCrash = openFirstCrash();
  const inspectorPorts = new InspectorPorts(options.nodeFlags);
  cluster.setupPrimary({
    exec: binFile,
    args: toArguments({ ...options, workers: undefined }),
    execArgv: toExecArguments({ ...options, watch: false }, binFile),
    // All of a worker's, although only the last differs from what Node does by itself.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...(firstCrash.descriptor === undefined ? [] : [firstCrash.descriptor])],
    inspectPort: () => inspectorPorts.next(),
  });
  new Supervisor(cluster, options, { count, firstCrash, inspectorPorts }).start();
  // It serves nothing here: it answers workers that ask for the port all of them share after `listen(0)`.
  if (options.alias) createRequire(binFile)('../dist/http.cjs');
}

interface Parts {
  readonly count: number;
  readonly firstCrash: FirstCrash;
  readonly inspectorPorts: InspectorPorts;
}

class Supervisor implements WorkerEvents {
  readonly #cluster: Cluster;
  readonly #options: RunOptions;
  readonly #firstCrash: FirstCrash;
  readonly #inspectorPorts: InspectorPorts;
  readonly #slots: Slot[];
  readonly #alive = new Set<WorkerProcess>();
  /** Called when something has happened to a process. */
  readonly #waiting = new Map<WorkerProcess, Set<() => void>>();
  /** A worker has listened: what cannot work now may work again later. */
  #hasServed = false;
  #reload: 'none' | 'runs' | 'runs, and once more' = 'none';
  #isEnding = false;
  #exitCode = 0;
  /** At most one worker tells of the start. */
  #isAnnounced = false;

  constructor(cluster: Cluster, options: RunOptions, { count, firstCrash, inspectorPorts }: Parts) {
    this.#cluster = cluster;
    this.#options = options;
    this.#firstCrash = firstCrash;
    this.#inspectorPorts = inspectorPorts;
    this.#slots = Array.from({ length: count }, (_, index) => ({
      index: index + 1,
      current: undefined,
      next: undefined,
      crashes: 0,
      timer: undefined,
    }));
  }

  start(): void {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => this.#onSignal(signal));
    const isHungUpNow = isHungUp();
    for (const signal of RELOAD_SIGNALS) {
      // The terminal is gone: that means the end, as to any program.
      process.on(signal, () => (signal === 'SIGHUP' && isHungUpNow() ? this.#onSignal(signal) : void this.#renew()));
    }
    for (const slot of this.#slots) slot.current = this.#fork(slot);
  }

  onListening(worker: WorkerProcess): void {
    if (!this.#hasServed) this.#firstCrash.letAllTell();
    this.#hasServed = true;
    this.#changed(worker);
  }

  onLastWords(worker: WorkerProcess, { fulmar, text, path }: LastWords): void {
    if (this.#isEnding || fulmar === 'idle') return;
    const isShared = path !== undefined && this.#slots.length > 1 && this.#reload === 'none';
    // A crash is shown by a worker.
    if (fulmar === 'fatal')
      tell(isShared ? `${text} Workers cannot share a Unix socket: run one process for it, without --workers.` : text);
    const isTaken = isShared && [...this.#alive].some((other) => other !== worker && other.listensOn(path));
    // What never worked never will: told once. In a run that has served, it is one worker that has failed.
    if (!this.#hasServed || isTaken) this.#end(1);
  }

  onWatch(message: object): void {
    process.send?.(message);
  }

  onError(worker: WorkerProcess, error: Error): void {
    tell(`worker ${worker.index} (pid ${worker.pid}): ${error.message}`);
  }

  onExit(worker: WorkerProcess): void {
    this.#alive.delete(worker);
    this.#inspectorPorts.takeBack(worker);
    this.#note(`worker ${worker.index} (pid ${worker.pid}) ended: ${worker.ending}`);
    const slot = this.#slots.find(({ current }) => current === worker);
    if (slot !== undefined) slot.current = undefined;
    if (slot !== undefined && !this.#isEnding) this.#onUnasked(slot, worker);
    this.#changed(worker);
    if (this.#alive.size === 0 && this.#slots.every(({ timer }) => timer === undefined) && this.#reload === 'none') this.#exit();
  }

  #fork(slot: Slot): WorkerProcess {
    slot.timer = undefined;
    const isGuarded = this.#firstCrash.descriptor !== undefined;
    // `1/4`: the first of four, which tells of the start where somebody sits at a terminal.
    const value = this.#isAnnounced ? String(slot.index) : `${slot.index}/${this.#slots.length}`;
    this.#isAnnounced = true;
    const env = { [WORKER_VARIABLE]: value, ...(isGuarded && { [FIRST_CRASH_VARIABLE]: '1' }) };
    const worker = new WorkerProcess(this.#cluster.fork(env), slot.index, this);
    this.#inspectorPorts.give(worker);
    this.#alive.add(worker);
    this.#note(`worker ${slot.index} (pid ${worker.pid}) started`);
    return worker;
  }

  /** The process of a place has ended without being asked. */
  #onUnasked(slot: Slot, worker: WorkerProcess): void {
    // A rolling restart has its successor at hand; should that fail, the place is filled then.
    if (slot.next !== undefined) return;
    if (worker.ending === 'exit code 0' && !this.#hasServed) {
      if (worker.lastWords === undefined) return;
      tell(`worker ${slot.index}: ${worker.lastWords.text}`);
      this.#end(1);
      return;
    }
    this.#replace(slot, worker);
  }

  #replace(slot: Slot, { startedAt, ending }: WorkerProcess): void {
    slot.crashes = performance.now() - startedAt >= WORKER_HEALTHY_MS ? 1 : slot.crashes + 1;
    if (slot.crashes >= CRASHES_IN_A_ROW_MAX) {
      tell(`worker ${slot.index} ended ${slot.crashes} times in a row, last with ${ending}. Giving up; see its output above.`);
      this.#end(1);
      return;
    }
    const pause = Math.min(RESTART_PAUSE_MS_MIN * 2 ** (slot.crashes - 1), RESTART_PAUSE_MS_MAX);
    tell(`worker ${slot.index} ended with ${ending}; starting another in ${pause} ms`);
    slot.timer = setTimeout(() => (slot.current = this.#fork(slot)), pause);
  }

  /**
   * At most one more is remembered: it begins after the last signal, so that it finds what was there then.
   */
  async #renew(): Promise<void> {
    if (this.#isEnding) return;
    if (this.#reload !== 'none') {
      this.#reload = 'runs, and once more';
      return;
    }
    do {
      this.#reload = 'runs';
      await this.#renewOnce();
    } while (this.#hasMore());
    this.#reload = 'none';
    if (this.#alive.size === 0 && this.#isEnding) this.#exit();
  }

  #hasMore(): boolean {
    return this.#reload === 'runs, and once more' && !this.#isEnding;
  }

  async #renewOnce(): Promise<void> {
    tell(`restarting ${this.#slots.length} workers, one by one`);
    const problem = await restartOneByOne({
      slots: this.#slots,
      start: (slot) => this.#fork(slot),
      retire: (worker) => this.#retire(worker),
      changed: (worker, timeoutMs) => this.#wait(worker, timeoutMs),
      isEnding: () => this.#isEnding,
      hasServed: () => this.#hasServed,
    });
    if (this.#isEnding) return;
    if (problem === undefined) tell('all workers are new');
    else tell(`the restart was broken off: the new ${problem}. The workers that have not been replaced go on`);
    // Their processes ended meanwhile, and what should have followed them did not start.
    for (const slot of this.#slots) {
      if (slot.current === undefined && slot.timer === undefined)
        slot.timer = setTimeout(() => (slot.current = this.#fork(slot)), RESTART_PAUSE_MS_MIN);
    }
  }

  async #retire(worker: WorkerProcess): Promise<void> {
    worker.stop((this.#options.drainTimeoutMs ?? DRAIN_TIMEOUT_MS_DEFAULT) + DRAIN_GRACE_MS);
    while (!worker.hasEnded) await this.#wait(worker);
  }

  #wait(worker: WorkerProcess, timeoutMs?: number): Promise<void> {
    return new Promise((resolve) => {
      const callbacks = this.#waiting.get(worker) ?? new Set();
      this.#waiting.set(worker, callbacks.add(resolve));
      if (timeoutMs !== undefined) setTimeout(resolve, timeoutMs).unref();
    });
  }

  #changed(worker: WorkerProcess): void {
    for (const resolve of this.#waiting.get(worker) ?? []) resolve();
    this.#waiting.delete(worker);
  }

  #onSignal(signal: NodeJS.Signals): void {
    if (!this.#isEnding) {
      const isShort = signal === 'SIGINT' && this.#options.drainTimeoutMs === undefined && isAtTerminal();
      this.#end(0, isShort ? DRAIN_TIMEOUT_MS_INTERRUPT : undefined);
      return;
    }
    for (const worker of this.#alive) worker.kill();
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }

  /**
   * Asks every worker to drain, kills those that do not end in time, and ends with `exitCode` after the last.
   */
  #end(exitCode: number, limitMs?: number): void {
    this.#isEnding = true;
    this.#exitCode = exitCode;
    for (const slot of this.#slots) {
      clearTimeout(slot.timer);
      slot.timer = undefined;
    }
    for (const worker of this.#alive) {
      worker.stop((limitMs ?? this.#options.drainTimeoutMs ?? DRAIN_TIMEOUT_MS_DEFAULT) + DRAIN_GRACE_MS, limitMs);
      this.#changed(worker);
    }
    if (this.#alive.size === 0) this.#exit();
  }

  #exit(): void {
    process.exit(this.#exitCode);
  }

  #note(text: string): void {
    if (this.#options.verbose) tell(text);
  }
}
