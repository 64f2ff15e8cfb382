/**
 * `process.nextTick` and the order in which ticks, microtasks and rejections are worked off: all ticks, then
 * all microtasks, again until there are none; then rejections that nobody handled.
 */
import ops from 'fulmar:ops';
import { invalidArgType } from '../shared/errors.ts';
import { context } from './context.ts';
import { hasRejections, processRejections } from './rejections.ts';

interface Tick {
  callback: (...args: unknown[]) => unknown;
  args: unknown[];
  frame: unknown;
}

/** Ticks that ran stay in front of the queue until this many have gathered. */
const RUN_TICKS_KEPT = 1024;

let queue: (Tick | undefined)[] = [];
let head = 0;
/** The event loop knows that ticks wait. */
let announced = false;
let closed = false;
/**
 * Ticks are being run, and nobody else's function has been called: what ends the run now is the limit of time
 * alone.
 */
let isBetween = false;

/** From now on ticks are ignored: the process ends. */
export function closeTicks(): void {
  closed = true;
}

export function nextTick(callback: (...args: never[]) => unknown, ...args: unknown[]): void {
  if (typeof callback !== 'function') throw invalidArgType('callback', 'function', callback);
  if (closed) return;
  queue.push({ callback: callback as Tick['callback'], args, frame: context.active ? context.get() : undefined });
  if (announced) return;
  announced = true;
  ops.setPending();
}

export function processTicks(): void {
  // The limit of time ends the callback that it finds. It found none, so the next of this chain, which would
  // go on for ever, is not called.
  if (isBetween && queue.length > 0) takeTick();
  isBetween = true;
  for (;;) {
    while (head < queue.length) runTick();
    isBetween = false;
    ops.runMicrotasks();
    isBetween = true;
    if (queue.length > 0) continue;
    isBetween = false; // Who listens to rejections may throw.
    if (!processRejections()) break;
    isBetween = true;
  }
  announced = false;
}

/** After a timer or an immediate: what they left behind runs before the next one. */
export function runNextTicks(): void {
  ops.beginTime();
  if (queue.length === 0 && !hasRejections()) ops.runMicrotasks();
  if (queue.length > 0 || hasRejections()) processTicks();
  ops.beginTime();
}

/** Undefined: the limit of time came while it was being taken. */
function takeTick(): Tick | undefined {
  const tick = queue[head];
  queue[head] = undefined;
  head += 1;
  if (head === queue.length) {
    queue.length = 0;
    head = 0;
  } else if (head > RUN_TICKS_KEPT) {
    queue = queue.slice(head);
    head = 0;
  }
  return tick;
}

function runTick(): void {
  const tick = takeTick();
  if (tick === undefined) return;
  const { callback, args, frame } = tick;
  isBetween = false;
  if (!context.active) {
    callback(...args);
    isBetween = true;
    return;
  }
  const before = context.swap(frame);
  callback(...args);
  isBetween = true;
  context.set(before); // Not where it throws: the error is told of in this frame, and the event loop sets the one before.
}
