/**
 * Waiting for events: `once`, the async iterator `on`, and listening for the end of an `AbortSignal`.
 */
import { AbortError, invalidArgType } from '../shared/errors.ts';
import { validateAbortSignal, validateFunction, validateInteger, validateObject } from '../shared/validators.ts';
import type { Emitter, Listener } from './emitter.ts';

type Name = string | symbol;
type Source = Partial<Emitter> & Partial<EventTarget> & { pause?(): void; resume?(): void };
type Handler = (...args: never[]) => unknown;

export function addAbortListener(signal: AbortSignal, listener: () => void): Disposable {
  if (signal === undefined) throw invalidArgType('signal', 'AbortSignal', signal);
  validateAbortSignal(signal, 'signal');
  validateFunction(listener, 'listener');
  let remove: (() => void) | undefined;
  if (signal.aborted) {
    queueMicrotask(() => listener());
  } else {
    signal.addEventListener('abort', listener, { once: true });
    remove = () => signal.removeEventListener('abort', listener);
  }
  return Object.assign(Object.create(null) as object, { [Symbol.dispose]: () => remove?.() });
}

function listen(source: Source, name: Name, listener: Handler, once = false): void {
  if (typeof source.on === 'function') {
    if (once) source.once?.(name, listener as Listener);
    else source.on(name, listener as Listener);
  } else if (typeof source.addEventListener === 'function') {
    source.addEventListener(name as string, listener as never, { once });
  } else {
    throw invalidArgType('emitter', 'EventEmitter', source);
  }
}

function unlisten(source: Source, name: Name, listener: Handler): void {
  if (typeof source.removeListener === 'function') source.removeListener(name, listener as Listener);
  else if (typeof source.removeEventListener === 'function') source.removeEventListener(name as string, listener as never);
  else throw invalidArgType('emitter', 'EventEmitter', source);
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new AbortError(undefined, { cause: signal.reason });
}

export async function once(emitter: Source, name: Name, options: { signal?: AbortSignal } = {}): Promise<unknown[]> {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  throwIfAborted(signal);
  return new Promise((resolve, reject) => {
    const onEvent = (...args: unknown[]): void => {
      if (typeof emitter.removeListener === 'function') emitter.removeListener('error', onError as Listener);
      if (signal !== undefined) unlisten(signal, 'abort', onAbort);
      resolve(args);
    };
    const onError = (error: unknown): void => {
      unlisten(emitter, name, onEvent);
      if (signal !== undefined) unlisten(signal, 'abort', onAbort);
      reject(error as Error);
    };
    function onAbort(): void {
      unlisten(emitter, name, onEvent);
      unlisten(emitter, 'error', onError);
      reject(new AbortError(undefined, { cause: signal?.reason }));
    }
    listen(emitter, name, onEvent, true);
    if (name !== 'error' && typeof emitter.once === 'function') emitter.once('error', onError as Listener);
    if (signal !== undefined) listen(signal, 'abort', onAbort, true);
  });
}

export interface OnOptions {
  readonly signal?: AbortSignal;
  readonly close?: readonly string[];
  readonly highWaterMark?: number;
  readonly highWatermark?: number;
  readonly lowWaterMark?: number;
  readonly lowWatermark?: number;
}

interface Waiting {
  resolve(result: IteratorResult<unknown>): void;
  reject(error: unknown): void;
}

/** The state of one iterator of `on`. */
class EventQueue {
  readonly #emitter: Source;
  readonly #events: unknown[] = [];
  readonly #waiting: Waiting[] = [];
  readonly #listening: [Name, Handler][] = [];
  #error: unknown;
  #failed = false;
  #finished = false;
  #paused = false;
  #disposable: Disposable | undefined;
  readonly high: number;
  readonly low: number;

  constructor(emitter: Source, high: number, low: number) {
    this.#emitter = emitter;
    this.high = high;
    this.low = low;
  }

  get size(): number {
    return this.#events.length;
  }

  get isPaused(): boolean {
    return this.#paused;
  }

  start(event: Name, options: OnOptions): void {
    this.#listen(event, (...args: unknown[]) => this.#take(args));
    if (event !== 'error' && typeof this.#emitter.on === 'function') this.#listen('error', (error: unknown) => this.fail(error));
    for (const name of options.close ?? []) this.#listen(name, () => void this.close());
    const { signal } = options;
    if (signal === undefined) return;
    this.#disposable = addAbortListener(signal, () => this.fail(new AbortError(undefined, { cause: signal.reason })));
  }

  #listen(name: Name, handler: Handler): void {
    listen(this.#emitter, name, handler);
    this.#listening.push([name, handler]);
  }

  #take(args: unknown[]): void {
    const waiting = this.#waiting.shift();
    if (waiting !== undefined) {
      waiting.resolve({ done: false, value: args });
      return;
    }
    this.#events.push(args);
    if (!this.#paused && this.size > this.high) {
      this.#paused = true;
      this.#emitter.pause?.();
    }
  }

  next(): Promise<IteratorResult<unknown>> {
    if (this.#events.length > 0) {
      const value = this.#events.shift();
      if (this.#paused && this.size < this.low) {
        this.#emitter.resume?.();
        this.#paused = false;
      }
      return Promise.resolve({ done: false, value });
    }
    if (this.#failed) {
      this.#failed = false;
      const error = this.#error;
      this.#error = undefined;
      return Promise.reject(error as Error);
    }
    if (this.#finished) return this.close();
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  fail(error: unknown): void {
    const waiting = this.#waiting.shift();
    if (waiting === undefined) {
      this.#error = error;
      this.#failed = Boolean(error);
    } else {
      waiting.reject(error);
    }
    void this.close();
  }

  close(): Promise<IteratorResult<unknown>> {
    this.#disposable?.[Symbol.dispose]();
    for (let last = this.#listening.pop(); last !== undefined; last = this.#listening.pop()) unlisten(this.#emitter, ...last);
    this.#finished = true;
    this.#paused = false;
    const done: IteratorResult<unknown> = { done: true, value: undefined };
    for (const waiting of this.#waiting.splice(0)) waiting.resolve(done);
    return Promise.resolve(done);
  }
}

const AsyncIteratorPrototype = Object.getPrototypeOf(Object.getPrototypeOf(async function* none() {}).prototype) as object;

export function on(emitter: Source, event: Name, options: OnOptions = {}): AsyncIterableIterator<unknown[]> {
  validateObject(options, 'options');
  const { signal } = options;
  validateAbortSignal(signal, 'options.signal');
  throwIfAborted(signal);
  const high = options.highWaterMark ?? options.highWatermark ?? Number.MAX_SAFE_INTEGER;
  validateInteger(high, 'options.highWaterMark', 1);
  const low = options.lowWaterMark ?? options.lowWatermark ?? 1;
  validateInteger(low, 'options.lowWaterMark', 1);
  const queue = new EventQueue(emitter, high, low);
  const iterator = {
    next: () => queue.next(),
    return: () => queue.close(),
    throw(error: unknown) {
      if (!(error instanceof Error)) throw invalidArgType('EventEmitter.AsyncIterator', 'Error', error);
      queue.fail(error);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
    [Symbol.for('nodejs.watermarkData')]: queue,
  };
  Object.setPrototypeOf(iterator, AsyncIteratorPrototype);
  queue.start(event, options);
  return iterator as unknown as AsyncIterableIterator<unknown[]>;
}
