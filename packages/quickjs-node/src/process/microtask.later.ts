/**
 * The global `queueMicrotask`.
 */
import later from 'fulmar:later';
import { validateFunction } from '../shared/validators.ts';

const { context, uncaught } = later<typeof import('../start/setup.ts')>();
const resolved = Promise.resolve();
const { then } = Promise.prototype;

export function queueMicrotask(callback: () => void): void {
  validateFunction(callback, 'callback');
  const frame = context.active ? context.get() : undefined;
  void then.call(resolved, () => run(callback, frame));
}

function run(callback: () => void, frame: unknown): void {
  const before = context.active ? context.swap(frame) : undefined;
  try {
    callback();
  } catch (error) {
    uncaught(error);
  } finally {
    if (context.active) context.set(before);
  }
}
