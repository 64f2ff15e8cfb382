/**
 * Rejected promises that nobody handles: `unhandledRejection`, `rejectionHandled` and what follows when
 * nobody listens, by the mode of `--unhandled-rejections` (`throw` unless NODE_OPTIONS says otherwise).
 */
import later from 'fulmar:later';
import { context } from './context.ts';

export interface Rejection {
  readonly reason: unknown;
  readonly id: number;
  /** The asynchronous context it was rejected in. */
  readonly frame: unknown;
  warned: boolean;
}

/** Made at the start: a rejection that comes when memory is used up has to be noted, too. */
const known = new WeakMap<Promise<unknown>, Rejection>();
let pending: Promise<unknown>[] = [];
let handledLater: { promise: Promise<unknown>; rejection: Rejection }[] = [];
let lastId = 0;

/** Told by the event loop, in the middle of whatever runs: only notes it. */
export function onRejection(promise: Promise<unknown>, reason: unknown, handled: boolean): void {
  if (!handled) {
    lastId += 1;
    known.set(promise, { reason, id: lastId, frame: context.active ? context.get() : undefined, warned: false });
    pending.push(promise);
    return;
  }
  const rejection = known.get(promise);
  if (rejection === undefined) return;
  known.delete(promise);
  if (rejection.warned) handledLater.push({ promise, rejection });
}

export function hasRejections(): boolean {
  return pending.length > 0 || handledLater.length > 0;
}

/** Reports what has gathered; true when that may have added ticks or microtasks. */
export function processRejections(): boolean {
  if (pending.length === 0 && handledLater.length === 0) return false;
  const modes = later<typeof import('./rejection-modes.later.ts')>();
  while (handledLater.length > 0) {
    const { promise, rejection } = handledLater.shift() as (typeof handledLater)[number];
    modes.reportHandled(promise, rejection);
  }
  const round = pending;
  pending = [];
  for (let at = 0; at < round.length; at++) {
    const promise = round[at] as Promise<unknown>;
    const rejection = known.get(promise);
    if (rejection === undefined) continue;
    rejection.warned = true;
    let done = false;
    const before = context.active ? context.swap(rejection.frame) : undefined;
    try {
      modes.reportUnhandled(promise, rejection);
      done = true;
    } finally {
      if (context.active) context.set(before);
      // A listener threw: the others follow in the next round.
      if (!done) pending = [...round.slice(at + 1), ...pending];
    }
  }
  return true;
}
