/**
 * `process.nextTick` and the order in which ticks, microtasks and rejections are worked off: all ticks, then all microtasks, again
 * until there are none; then rejections that nobody handled.
 */
import ops from 'fulmar:ops';
import { invalidArgType } from '../errors.ts';
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
  do {
    while (head < queue.length) runTick();
    ops.runMicrotasks();
  } while (queue.length > 0 || processRejections());
  announced = false;
}

/** After a timer or an immediate: what they left behind runs before the next one. */
export function runNextTicks(): void {
  ops.beginTime();
  if (queue.length === 0 && !hasRejections()) ops.runMicrotasks();
  if (queue.length > 0 || hasRejections()) processTicks();
  ops.beginTime();
}

function runTick(): void {
  const { callback, args, frame } = queue[head] as Tick;
  queue[head] = undefined;
  head += 1;
  if (head === queue.length) {
    queue.length = 0;
    head = 0;
  } else if (head > RUN_TICKS_KEPT) {
    queue = queue.slice(head);
    head = 0;
  }
  if (!context.active) {
    callback(...args);
    return;
  }
  const before = context.swap(frame);
  callback(...args);
  context.set(before); // Not where it throws: the error is told of in this frame, and the event loop sets the one before.
}
