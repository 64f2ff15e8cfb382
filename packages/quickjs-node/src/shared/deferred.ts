/**
 * A promise with its ends, and a promise's end as a callback.
 */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
  readonly reject: (error: unknown) => void;
}

export function deferred<T = void>(): Deferred<T> {
  let ends: Pick<Deferred<T>, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<T>((resolve, reject) => (ends = { resolve, reject }));
  return { promise, ...(ends as unknown as Pick<Deferred<T>, 'resolve' | 'reject'>) };
}

/** Calls back on a tick of its own: what the callback throws is an uncaught exception, not a rejection. */
export function calledBack<T>(promise: Promise<T>, callback: (error: Error | null, value?: T) => void): void {
  promise.then(
    (value) => process.nextTick(callback, null, value),
    (error: unknown) => process.nextTick(callback as (error: Error) => void, error as Error),
  );
}
