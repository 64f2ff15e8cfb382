/**
 * `store`: data by key, loaded once and kept for a time, for all files of routes. Bounded by entries and bytes; whoever asks
 * for a key that is being loaded waits for that. A value that is over may be given for a while yet, while a new one is
 * loaded behind it. Also `undefined`, `null` and `0` are values.
 */
import { MemoryCache, type MemoryCacheOptions } from '../app/caching/memory-cache.ts';
import { checkOptions, type Checks, isCount, isFunction } from '../app/checked-options.ts';

export interface StoreOptions extends Omit<MemoryCacheOptions, 'ttl'> {
  /** Told of a value that could not be loaded behind one that is over. Default: nobody, the old one stays for its time. */
  readonly onError?: (error: unknown, key: string) => void;
}

export interface KeepOptions {
  /** Milliseconds that a value is new; 0: until it has to make room. Default: a minute. */
  readonly ttl?: number;
  /** Milliseconds behind these in which it is given while a new one is loaded. Default: 0. */
  readonly stale?: number;
}

export interface LoadOptions<T = unknown> extends KeepOptions {
  /** False: who waits is given the value, and it is not kept; an older one is gone. Default: each is kept. */
  readonly keep?: (value: T) => boolean;
  /** In the place of the store's. */
  readonly onError?: (error: unknown, key: string) => void;
}

const KEEP_CHECKS: Checks<KeepOptions> = {
  ttl: [(value) => isCount(0, value), 'a number of milliseconds; 0: without an end'],
  stale: [(value) => isCount(0, value), 'a number of milliseconds'],
};
const LOAD_CHECKS: Checks<LoadOptions> = {
  ...KEEP_CHECKS,
  keep: isFunction('(value) that says whether it is kept'),
  onError: isFunction('(error, key)'),
};
const TTL_MS = 60_000;

interface Kept {
  readonly value: unknown;
  readonly newUntilMs: number;
}

export class Store {
  readonly #cache: MemoryCache;
  readonly #onError: NonNullable<StoreOptions['onError']>;
  /** What is being loaded, by a mark of its own: of a key that is set or taken out meanwhile, what comes is not kept. */
  readonly #loading = new Map<string, object>();

  /** @throws TypeError for options that are none */
  constructor({ onError = () => undefined, ...bounds }: StoreOptions = {}) {
    if (typeof onError !== 'function') throw new TypeError('onError of a store is a function (error, key).');
    this.#cache = new MemoryCache(bounds);
    this.#onError = onError;
  }

  /** What is kept, else what `load` gives. What `load` throws is kept by nobody. */
  async get<T>(key: string, load: () => T | Promise<T>, options: LoadOptions<T> = {}): Promise<T> {
    checkGet(key, load, options);
    const found = this.#cache.find(key)?.value as Kept | undefined;
    if (found === undefined) return this.#load(key, load, options);
    // Of those who are given what is over, the first has it loaded, and told what fails.
    if (found.newUntilMs <= performance.now() && !this.#loading.has(key))
      this.#load(key, load, options).catch((error: unknown) => (options.onError ?? this.#onError)(error, key));
    return found.value as T;
  }

  /** Loaded anew, whatever is kept or being loaded, as after a change; whoever asks meanwhile is given the same. */
  async refresh<T>(key: string, load: () => T | Promise<T>, options: LoadOptions<T> = {}): Promise<T> {
    checkGet(key, load, options);
    this.#supersede(key);
    return this.#load(key, load, options);
  }

  #load<T>(key: string, load: () => T | Promise<T>, options: LoadOptions<T>): Promise<T> {
    return this.#cache.shared(key, async () => {
      const mark = {};
      this.#loading.set(key, mark);
      try {
        const value = await load();
        if (this.#loading.get(key) !== mark) return value;
        if (options.keep === undefined || options.keep(value)) this.#keep(key, value, options);
        else void this.#cache.del(key);
        return value;
      } finally {
        if (this.#loading.get(key) === mark) this.#loading.delete(key);
      }
    });
  }

  /** @throws TypeError for a time that is none */
  set(key: string, value: unknown, options: KeepOptions = {}): void {
    checkOptions('store.set', options, KEEP_CHECKS);
    this.#supersede(key);
    this.#keep(key, value, options);
  }

  /** Of one key, of all that a function names, or of all. */
  invalidate(keys?: string | ((key: string) => boolean)): void {
    const isMeant = (key: string): boolean => keys === undefined || (typeof keys === 'string' ? key === keys : keys(key));
    for (const key of new Set([...this.#cache.keys(), ...this.#loading.keys()].filter(isMeant))) {
      this.#supersede(key);
      void this.#cache.del(key);
    }
  }

  get size(): number {
    return this.#cache.size;
  }

  #keep(key: string, value: unknown, { ttl = TTL_MS, stale = 0 }: KeepOptions): void {
    const kept: Kept = { value, newUntilMs: ttl === 0 ? Infinity : performance.now() + ttl };
    this.#cache.keep(key, kept, ttl === 0 ? 0 : ttl + stale);
  }

  /** What is being loaded is of before. */
  #supersede(key: string): void {
    this.#loading.delete(key);
    this.#cache.forget(key);
  }
}

function checkGet(key: unknown, load: unknown, options: LoadOptions<never>): void {
  if (typeof key !== 'string' || key === '') throw new TypeError('A key of the store is a text that is not empty.');
  if (typeof load !== 'function')
    throw new TypeError(`store.get(${JSON.stringify(key)}) takes a function that loads the value behind the key.`);
  checkOptions('store.get', options, LOAD_CHECKS);
}

/** Makes one of its own: with other bounds, or for one part of an application. */
export const createStore = (options?: StoreOptions): Store => new Store(options);

/** That of all files. */
export const store = new Store();
