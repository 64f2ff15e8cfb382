/**
 * SIGTERM and SIGINT in a process that serves: they drain its servers, whoever else listens to them.
 *
 * An application that ends by its own listener is not interfered with; one whose listeners only watch, as
 * those of `signal-exit` do, is ended all the same. Runs when a signal comes, never while a request is
 * served.
 */
import { drainServers, hasServers, listeningServers } from './servers.ts';
import { SIGNAL_MOMENT_MS, SIGNAL_WORK_LOOK_MS } from '../settings.ts';
import { followWork } from './signal-work.ts';
import { tell } from '../terminal/tell.ts';
import { readGlobal, setGlobal } from '../../host/globals.ts';

const signals = ['SIGTERM', 'SIGINT'] as const;
type Signal = (typeof signals)[number];

export interface SignalOptions {
  readonly drainTimeoutMs: number;
  /** The same at SIGINT, where that is another. */
  readonly interruptTimeoutMs?: number | undefined;
  /** Told how long it may take when draining begins. */
  readonly onDrain?: ((limitMs: number) => void) | undefined;
  /** Told of each signal before anything is done about it. */
  readonly onSignal?: (() => void) | undefined;
  /** Started by `--workers`: the primary passes signals on. */
  readonly supervised: boolean;
}

/** Says that `listener` is ours. */
export function markOwn(listener: (...args: never[]) => void): void {
  const own = readGlobal('fulmar.signal-listeners') ?? new WeakSet();
  setGlobal('fulmar.signal-listeners', own.add(listener));
}

/** How the process ends when it is asked to. */
export class Ending {
  /** A program that emits the event itself, for its own listeners, gives no name: that is no signal. */
  readonly #onSignal = (signal: Signal | undefined): void => {
    if (signal !== undefined) this.#receive(signal);
  };
  readonly #options: SignalOptions;
  /** A signal has come, to whomever. */
  #hasCome = false;
  /** The next one ends the process at once … */
  #isAsked = false;
  /** … unless a primary looks after that. */
  #isStopped = false;
  /** What the primary allows. */
  #limitMs: number | undefined;

  constructor(options: SignalOptions) {
    this.#options = options;
  }

  /**
   * With the first server and not before: as long as there is nothing to drain a signal does what it does
   * under Node, also to an application whose start keeps the thread busy, where no listener would be called.
   */
  listen(): void {
    // Before others, who may be there already: what they do is compared with what was. A primary answers
    // Ctrl-C for its workers.
    for (const name of this.#options.supervised ? (['SIGTERM'] as const) : signals) process.prependListener(name, this.#onSignal);
    markOwn(this.#onSignal);
  }

  /** What a signal brings about, unless one has come already; within `limitMs`, if that is given. */
  stop(limitMs?: number): void {
    this.#isStopped = true;
    this.#limitMs = limitMs;
    // A service manager's own SIGTERM may be at the door.
    setImmediate(() => {
      if (!this.#hasCome) process.kill(process.pid, 'SIGTERM');
    });
  }

  #receive(signal: Signal): void {
    this.#hasCome = true;
    this.#options.onSignal?.();
    const others = process.listeners(signal).filter((listener) => listener !== this.#onSignal);
    if (this.#isAsked && this.#isStopped) return;
    if (this.#isAsked) this.#endAtOnce(signal);
    else if (others.length <= countWatchers()) this.#end(signal);
    else this.#leaveToApplication(signal, others);
  }

  /** After the listeners of others: one of them may know a better way. */
  #endAtOnce(signal: Signal): void {
    process.nextTick(() => {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    });
  }

  #end(signal: Signal): void {
    if (hasServers()) {
      this.#isAsked = true;
      this.#drain(this.#limitFor(signal));
      return;
    }
    // Nothing to drain: what the signal does by itself. Watchers that see that they are alone let it.
    for (const name of signals) process.off(name, this.#onSignal);
    process.kill(process.pid, signal);
  }

  /**
   * The application's listeners run after this one. They are in charge as long as they do something about it.
   */
  #leaveToApplication(signal: Signal, others: readonly Function[]): void {
    // As under Node: a program without servers has nothing that would be drained.
    if (!hasServers()) return;
    this.#isAsked = true;
    const before = listeningServers();
    // It has begun by itself.
    if (before.length === 0) return;
    const limitMs = this.#limitFor(signal);
    const askedAt = performance.now();
    const work = followWork(others);
    const look = (): void => {
      const isInCharge = before.some(({ listening, isEnding }) => !listening || isEnding === true);
      const leftMs = limitMs - (performance.now() - askedAt);
      if (!isInCharge && leftMs > 0 && work.isUnderWay()) {
        setTimeout(look, Math.min(SIGNAL_WORK_LOOK_MS, leftMs)).unref();
        return;
      }
      work.forget();
      if (!isInCharge && hasServers()) this.#drainInstead(signal, leftMs);
    };
    setTimeout(look, Math.min(SIGNAL_MOMENT_MS, limitMs)).unref();
  }

  #limitFor(signal: Signal): number {
    const { drainTimeoutMs, interruptTimeoutMs } = this.#options;
    return this.#limitMs ?? (signal === 'SIGINT' ? interruptTimeoutMs : undefined) ?? drainTimeoutMs;
  }

  #drainInstead(signal: Signal, leftMs: number): void {
    tell(`${signal} was heard by a listener that neither ends the process nor closes its servers; draining them`);
    this.#drain(Math.max(leftMs, 0));
  }

  #drain(limitMs: number): void {
    this.#options.onDrain?.(limitMs);
    drainAndExit(limitMs);
  }
}

function drainAndExit(deadlineMs: number): void {
  void drainServers(deadlineMs).then(
    (isOver) => {
      if (!isOver) tell('what the application does at its end (onStop) takes longer than the drain time-out allows; ending without it');
      process.exit(0);
    },
    (error: unknown) => {
      tell(`could not end cleanly: ${error instanceof Error ? error.message : String(error)}`);
      process.exit(1);
    },
  );
}

interface Emitter {
  readonly count?: unknown;
}

/**
 * How many listeners of each signal belong to `signal-exit`: they only look whether they are alone. Versions
 * 3 and 4 keep the number in the open for each other, and decide by it as we do.
 */
function countWatchers(): number {
  const third = (process as unknown as { __signal_exit_emitter__?: Emitter }).__signal_exit_emitter__;
  const fourth = (globalThis as Record<symbol, unknown>)[Symbol.for('signal-exit emitter')] as Emitter | undefined;
  const [a, b] = [third, fourth].map((emitter) => (typeof emitter?.count === 'number' ? emitter.count : 0));
  return (a ?? 0) + (b ?? 0);
}
