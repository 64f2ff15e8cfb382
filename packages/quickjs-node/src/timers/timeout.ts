/**
 * What `setTimeout` and `setInterval` return. The names of the fields are Node's: some packages read them.
 */
import later from 'fulmar:later';
import { countReference, drop, insert, type Link } from './lists.ts';

const { context } = later<typeof import('../start/setup.ts')>();

/** The longest time, in ms; a longer one becomes 1. */
const DURATION_MAX = 2 ** 31 - 1;

export type Callback = (this: unknown, ...args: unknown[]) => unknown;

/** Timers whose number somebody has. */
const numbered = new Map<number, Timeout>();
let lastId = 0;

export class Timeout implements Link {
  _idleTimeout: number;
  _idlePrev: Link | null = null;
  _idleNext: Link | null = null;
  _idleStart = 0;
  _onTimeout: Callback | null;
  _timerArgs: unknown[] | undefined;
  _repeat: number | null;
  _destroyed = false;
  /** The asynchronous context in which it was made. */
  readonly #frame: unknown;
  #referenced = true;
  /** Its number, once somebody has asked for it. */
  #id = 0;

  constructor(callback: Callback, after: unknown, args: unknown[] | undefined, repeats: boolean) {
    const duration = checkedDuration(after);
    this._idleTimeout = duration;
    this._onTimeout = callback;
    this._timerArgs = args;
    this._repeat = repeats ? duration : null;
    if (context.active) this.#frame = context.get();
    countReference(1);
    insert(this, duration);
  }

  ref(): this {
    if (!this.#referenced) {
      this.#referenced = true;
      if (!this._destroyed) countReference(1);
    }
    return this;
  }

  unref(): this {
    if (this.#referenced) {
      this.#referenced = false;
      if (!this._destroyed) countReference(-1);
    }
    return this;
  }

  hasRef(): boolean {
    return this.#referenced;
  }

  /** Starts again with the same duration. */
  refresh(): this {
    if (this._idleTimeout < 0) return this;
    insert(this, this._idleTimeout);
    if (this._destroyed) {
      this._destroyed = false;
      if (this.#referenced) countReference(1);
    }
    return this;
  }

  close(): this {
    clearTimer(this);
    return this;
  }

  _run(): void {
    const call = this._onTimeout;
    const args = this._timerArgs;
    if (context.active) inFrame(this.#frame, () => call?.apply(this, args ?? []));
    else if (args === undefined) call?.call(this);
    else call?.apply(this, args);
  }

  /** The timer has run, or will not run any more. */
  _finish(): void {
    if (this._destroyed) return;
    this._destroyed = true;
    if (this.#id !== 0) numbered.delete(this.#id);
    if (this.#referenced) countReference(-1);
  }

  [Symbol.toPrimitive](): number {
    if (this.#id === 0) this.#id = ++lastId;
    if (!this._destroyed) numbered.set(this.#id, this);
    return this.#id;
  }

  [Symbol.dispose](): void {
    clearTimer(this);
  }
}

function inFrame(frame: unknown, run: () => void): void {
  const before = context.swap(frame);
  run();
  context.set(before); // As with ticks: an error is told of in this frame.
}

/** `clearTimeout` and `clearInterval`: a timer or its number; anything else is ignored. */
export function clearTimer(timer: unknown): void {
  if (typeof timer === 'number' || typeof timer === 'string') {
    const known = numbered.get(Number(timer));
    if (known !== undefined) clearTimer(known);
    return;
  }
  const timeout = timer as Timeout | null | undefined;
  if (!timeout?._onTimeout) return;
  timeout._onTimeout = null;
  if (!(timeout instanceof Timeout)) return;
  if (!timeout._destroyed) {
    drop(timeout);
    timeout._finish();
  }
  timeout._idleTimeout = -1;
}

function checkedDuration(after: unknown): number {
  const duration = Number(after);
  if (duration >= 1 && duration <= DURATION_MAX) return duration;
  if (duration > DURATION_MAX) {
    process.emitWarning(`${duration} does not fit into a 32-bit signed integer.\nTimeout duration was set to 1.`, 'TimeoutOverflowWarning');
  } else if (duration < 0) {
    process.emitWarning(`${duration} is a negative number.\nTimeout duration was set to 1.`, 'TimeoutNegativeWarning');
  } else if (Number.isNaN(duration) && after !== undefined) {
    process.emitWarning(`${duration} is not a number.\nTimeout duration was set to 1.`, 'TimeoutNaNWarning');
  }
  return 1;
}
