/**
 * What `setImmediate` returns, and how immediates run: those that are there when their turn comes; new ones
 * in the next turn.
 */
import later from 'fulmar:later';
import ops from 'fulmar:ops';
import type { Callback } from './timeout.ts';

const { context, loop, runNextTicks } = later<typeof import('../start/setup.ts')>();

let waiting: Immediate[] = [];
/** Those of this turn, and how far it is. */
let turn: Immediate[] = [];
let at = 0;
let referenced = 0;

function countReference(step: 1 | -1): void {
  if (referenced === 0 && step === 1) ops.retain();
  referenced += step;
  if (referenced === 0) ops.release();
}

export class Immediate {
  _onImmediate: Callback | null;
  _argv: unknown[] | undefined;
  _destroyed = false;
  /** The asynchronous context in which it was made. */
  readonly #frame: unknown;
  #referenced = true;

  constructor(callback: Callback, args: unknown[] | undefined) {
    this._onImmediate = callback;
    this._argv = args;
    if (context.active) this.#frame = context.get();
    countReference(1);
    if (waiting.length === 0) ops.setImmediates(true);
    waiting.push(this);
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

  _run(): void {
    const { _onImmediate: callback, _argv: args } = this;
    this._finish();
    const before = context.active ? context.swap(this.#frame) : undefined;
    try {
      if (args === undefined) callback?.call(this);
      else callback?.apply(this, args);
    } finally {
      this._onImmediate = null;
    }
    if (context.active) context.set(before); // As with ticks: an error is told of in this frame.
  }

  _finish(): void {
    this._destroyed = true;
    if (this.#referenced) countReference(-1);
  }

  [Symbol.dispose](): void {
    clearImmediate(this);
  }
}

export function clearImmediate(immediate: unknown): void {
  if (!(immediate instanceof Immediate) || immediate._destroyed) return;
  immediate._finish();
  immediate._onImmediate = null;
}

/**
 * The event loop calls this when all other sources had their turn. What an exception leaves over comes first
 * next time.
 */
loop.runImmediates = (): void => {
  if (at >= turn.length) {
    turn = waiting;
    waiting = [];
    at = 0;
  }
  try {
    while (at < turn.length) {
      const immediate = turn[at++] as Immediate;
      if (immediate._destroyed) continue;
      immediate._run();
      if (at < turn.length) runNextTicks();
    }
  } finally {
    announceRest();
  }
};

function announceRest(): void {
  if (at < turn.length || waiting.length > 0) ops.setImmediates(true);
}

loop.repairImmediates = announceRest;
