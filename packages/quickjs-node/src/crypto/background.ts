/**
 * Callbacks of work on another thread: they run in the asynchronous context of the call that began it.
 */
import later from 'fulmar:later';
import type { Done } from './more-ops.ts';

const { context } = later<typeof import('../start/setup.ts')>();

/** `done`, in the context of now. */
export function inContext<T>(done: Done<T>): Done<T> {
  const frame = context.get();
  return (error, result) => {
    const before = context.swap(frame);
    try {
      done(error, result);
    } finally {
      context.set(before);
    }
  };
}

/** A promise of what `start` gives to its callback; of `failed()` when that is an error. */
export function promised<T>(start: (done: Done<T>) => unknown, failed: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    start((error, result) => (error === null ? resolve(result) : reject(failed())));
  });
}
