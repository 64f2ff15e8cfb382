/**
 * Values that may come later: promises, and Observables of whatever copy of `rxjs`. What is there at once stays so.
 */
import type { Observable } from 'rxjs';
import { isThenable } from '../../host/thenable.ts';
import { rxjs } from '../lazy.ts';

export function isObservable(value: unknown): value is Observable<unknown> {
  if (typeof value !== 'object' || value === null) return false;
  // Of most values the first look is the last.
  if (typeof (value as { subscribe?: unknown }).subscribe !== 'function') return false;
  const { lift, pipe } = value as Partial<Record<'lift' | 'pipe', unknown>>;
  return typeof lift === 'function' || typeof pipe === 'function';
}

/** An Observable has ended and given nothing. Its name is that of `rxjs`. */
class EmptyError extends Error {
  constructor() {
    super('no elements in sequence');
    this.name = 'EmptyError';
  }
}

/** The last value of an Observable, at once where it has ended by then. */
function lastOf(observable: Observable<unknown>): unknown {
  let isEnded = false;
  let failure: { readonly error: unknown } | null = null;
  let last: { readonly value: unknown } | null = null;
  let settle: (() => void) | null = null;
  const end = (error: { readonly error: unknown } | null): void => {
    isEnded = true;
    failure = error;
    settle?.();
  };
  const outcome = (): unknown => {
    if (failure !== null) throw (failure as { readonly error: unknown }).error;
    if (last === null) throw new EmptyError();
    return (last as { readonly value: unknown }).value;
  };
  observable.subscribe({ next: (value) => (last = { value }), error: (error: unknown) => end({ error }), complete: () => end(null) });
  if (isEnded) return outcome();
  return new Promise<void>((resolve) => (settle = resolve)).then(outcome);
}

/** Another Observable, of what `change` makes of each value. */
export function eachOf(source: Observable<unknown>, change: (value: unknown) => unknown): object {
  return rxjs()((subscriber) => {
    const next = (value: unknown): void => {
      let changed: unknown;
      try {
        changed = change(value);
      } catch (error) {
        subscriber.error(error);
        return;
      }
      subscriber.next(changed);
    };
    const inner = source.subscribe({ next, error: (error: unknown) => subscriber.error(error), complete: () => subscriber.complete() });
    return () => inner.unsubscribe();
  });
}

/** A value, with what promises and Observables it stands for. */
export function settled(value: unknown): unknown {
  if (isThenable(value)) return value.then((later) => (isObservable(later) ? lastOf(later) : later));
  return isObservable(value) ? lastOf(value) : value;
}

/** `then` of what may be there already. */
export function after<T>(value: T | PromiseLike<T>, use: (value: T) => unknown): unknown {
  return isThenable(value) ? (value as PromiseLike<T>).then(use) : use(value as T);
}
