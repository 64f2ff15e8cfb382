/**
 * The end of a function's time: the application is told a moment before, so that the client gets a reply and
 * not the platform's error.
 */
import type { LambdaContext } from './event-types.ts';

export interface Deadline {
  readonly signal: AbortSignal;
  readonly isOver: () => boolean;
  stop(): void;
}

/** `marginMs` before the time is over; of a function that has less than twice that, at half of its time. `null`: nobody knows the time. */
export function deadlineOf(context: LambdaContext, marginMs: number): Deadline | null {
  const remaining = context.getRemainingTimeInMillis?.();
  if (remaining === undefined) return null;
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.max(remaining - marginMs, remaining / 2));
  return { signal: controller.signal, isOver: () => controller.signal.aborted, stop: () => clearTimeout(timer) };
}
