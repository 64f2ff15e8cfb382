/**
 * `AsyncLocalStorage`. A frame is a map from storages to their values that is never changed: a new value
 * makes a new frame.
 */
import later from 'fulmar:later';
import { invalidArgValue } from '../shared/errors.ts';
import { validateObject } from '../shared/validators.ts';
import { AsyncResource } from './resource.ts';

const { context } = later<typeof import('../start/setup.ts')>();

type Frame = ReadonlyMap<AsyncLocalStorage<unknown>, unknown>;
type Func = (...args: never[]) => unknown;

function currentFrame(): Frame | undefined {
  return context.get() as Frame | undefined;
}

interface StorageOptions<T> {
  defaultValue?: T;
  name?: string;
}

export class AsyncLocalStorage<T> {
  readonly #defaultValue: T | undefined;
  readonly #name: string;

  constructor(options: StorageOptions<T> = {}) {
    validateObject(options, 'options');
    if (options.name !== undefined && typeof options.name !== 'string') throw invalidArgValue('options.name', options.name);
    this.#defaultValue = options.defaultValue;
    this.#name = options.name ?? '';
  }

  /** `fn` that always runs in the context of now. */
  static bind<F extends Func>(fn: F): F {
    return AsyncResource.bind(fn) as F;
  }

  /** A function that runs functions in the context of now. */
  static snapshot(): <R>(fn: (...args: unknown[]) => R, ...args: unknown[]) => R {
    context.activate();
    const frame = context.get();
    return function runInAsyncScope(this: unknown, fn, ...args) {
      const before = context.swap(frame);
      try {
        return fn.apply(this, args);
      } finally {
        context.set(before);
      }
    };
  }

  get name(): string {
    return this.#name;
  }

  getStore(): T | undefined {
    const frame = currentFrame();
    return frame?.has(this as never) ? (frame.get(this as never) as T | undefined) : this.#defaultValue;
  }

  run<R>(store: T, fn: (...args: unknown[]) => R, ...args: unknown[]): R {
    context.activate();
    const before = context.swap(this.#frameWith(store));
    try {
      return fn(...args);
    } finally {
      context.set(before);
    }
  }

  exit<R>(fn: (...args: unknown[]) => R, ...args: unknown[]): R {
    return this.run(undefined as T, fn, ...args);
  }

  enterWith(store: T): void {
    context.activate();
    context.enter(this.#frameWith(store));
  }

  disable(): void {
    const frame = currentFrame();
    if (!frame?.has(this as never)) return;
    const rest = new Map(frame);
    rest.delete(this as never);
    context.enter(rest);
  }

  #frameWith(store: T): Frame {
    const frame = new Map(currentFrame());
    frame.set(this as never, store);
    return frame;
  }
}
