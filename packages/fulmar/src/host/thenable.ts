/** Promises, of whatever library: what has a `then` is waited for. */
export const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

/** For promises that nobody waits for any more: one of them that rejects would end the process. */
export function abandon(values: readonly unknown[]): void {
  for (const value of values) if (isThenable(value)) value.then(undefined, () => undefined);
}
