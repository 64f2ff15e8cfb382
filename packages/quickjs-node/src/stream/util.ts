/**
 * What `readable-stream` takes as its `ours/util`.
 */
import { type Deferred, deferred } from '../shared/deferred.ts';
import { inspected } from '../shared/errors.ts';

export { inspected as inspect };

const { AggregateError: Aggregate } = globalThis;
export { Aggregate as AggregateError };

export const kEmptyObject = Object.freeze({});

export function once<A extends unknown[]>(callback: (this: unknown, ...args: A) => unknown) {
  let called = false;
  return function (this: unknown, ...args: A): void {
    if (called) return;
    called = true;
    callback.apply(this, args);
  };
}

export function createDeferredPromise<T>(): Deferred<T> {
  return deferred<T>();
}

export function debuglog(): () => void {
  return nothing;
}

function nothing(): void {}

export const types = {
  isAsyncFunction: (fn: unknown): boolean => Object.prototype.toString.call(fn) === '[object AsyncFunction]',
  isArrayBufferView: (value: unknown): boolean => ArrayBuffer.isView(value),
};

export function isBlob(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Blob]';
}

export function deprecate<F>(fn: F): F {
  return fn;
}

const events = (): typeof import('node:events') => process.getBuiltinModule('node:events');

export function addAbortListener(signal: AbortSignal, listener: (event: Event) => void): Disposable {
  return events().addAbortListener(signal, listener);
}

export function AbortSignalAny(signals: AbortSignal[]): AbortSignal {
  return signals.length === 1 ? (signals[0] as AbortSignal) : AbortSignal.any(signals);
}

export const promisify = { custom: Symbol.for('nodejs.util.promisify.custom') };
