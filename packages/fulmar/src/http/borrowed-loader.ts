/**
 * The way to `borrowed.ts`, which is loaded when somebody calls one of Node's own functions on a message of
 * ours. It imports nothing of what a start loads, or both would share a file more: it is given what it uses
 * (`borrowed-needs.ts`), and so is this file, which that uses too.
 */
import type { BorrowedParts } from './borrowed-needs.ts';
import { borrowed as load } from './lazy.ts';

let parts: () => BorrowedParts;
let isReady = false;

/** Says what `borrowed.ts` is to be given; once, with the start. */
export function lend(make: () => BorrowedParts): void {
  parts = make;
}

export function borrowed(): ReturnType<typeof load> {
  const loaded = load();
  if (!isReady) {
    isReady = true;
    loaded.take(parts());
  }
  return loaded;
}
