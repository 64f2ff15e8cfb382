/**
 * What happens to a promise that a handler or a parameter callback returns: its rejection goes to `next`.
 * Never touches anything that is not a promise, and never waits for a resolution.
 */
import depd from 'depd';
import type { ExpressRequest, ExpressResponse, Next } from '../message-types.ts';

const deprecate = depd('router');

export type ParamHandler = (req: ExpressRequest, res: ExpressResponse, next: Next, value: unknown, name: string) => unknown;

export interface ParamCall {
  readonly req: ExpressRequest;
  readonly res: ExpressResponse;
  readonly next: Next;
  readonly value: unknown;
  readonly name: string;
  readonly settle?: (value: unknown, isRejected?: boolean) => void;
}

/** Whether a returned value is a promise or something like one; the latter is deprecated. */
export function isPromiseLike(value: unknown, what: 'handlers' | 'parameters'): value is PromiseLike<unknown> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  if (typeof (value as { then?: unknown }).then !== 'function') return false;
  if (!(value instanceof Promise)) {
    deprecate(`${what} that are Promise-like are deprecated, use a native Promise instead`);
  }
  return true;
}

/** Sends the rejection of what a handler returned to `next`. */
export function followPromise(returned: unknown, next: Next): void {
  if (!isPromiseLike(returned, 'handlers')) return;
  // A function rather than nothing for the first argument: some thenables call both without looking.
  const rejected = (err: unknown): void => next(err || new Error('Rejected promise'));
  void returned.then(noop, rejected);
}

/** Calls a parameter callback. */
export function callParam(fn: ParamHandler, call: ParamCall): void {
  const { next, settle } = call;
  const rejected = (err: unknown): void => {
    next(err);
    settle?.(err, true);
  };
  try {
    const returned = fn(call.req, call.res, next, call.value, call.name);
    if (!isPromiseLike(returned, 'parameters')) return;
    try {
      void returned.then(settle ?? noop, (err: unknown) => rejected(err || new Error('Rejected promise')));
    } catch (err) {
      rejected(err);
    }
  } catch (err) {
    next(err);
  }
}

function noop(): void {
  // Nothing waits for the value.
}
