/**
 * `MemoryCache`: values by key in this process, for a time, as `cache-manager` has them: `get`, `set`, `del`, `clear`,
 * `wrap`. Bounded by entries and bytes; what was used longest ago goes first. One `wrap()` of a key runs at a time, and
 * the others wait for it.
 */
import { checkOptions, type Checks, isCount } from '../checked-options.ts';
import { copied, sizeOf } from './values.ts';

export interface MemoryCacheOptions {
  /** Milliseconds; 0: until it has to make room. Default: a minute. */
  readonly ttl?: number;
  /** Entries. Default: 1,000. */
  readonly max?: number;
  /** Of all values and keys together, roughly. Default: 32 MiB. */
  readonly maxBytes?: number;
}

export const CACHE_CHECKS: Checks<MemoryCacheOptions> = {
  ttl: [(value) => isCount(0, value), 'a number of milliseconds; 0: without an end'],
  max: [(value) => isCount(1, value), 'a number of entries, at least 1'],
  maxBytes: [(value) => isCount(1, value), 'a number of bytes'],
};

const TTL_MS = 60_000;
const ENTRIES_MAX = 1000;
const BYTES_MAX = 32 * 1024 * 1024;
/** A longer key is nobody's: its value is not kept. */
export const KEY_CHARACTERS_MAX = 8192;

interface Entry {
  readonly value: unknown;
  readonly endMs: number;
  readonly bytes: number;
}

export class MemoryCache {
  readonly #ttl: number;
  readonly #max: number;
  readonly #maxBytes: number;
  /** The one that was used longest ago first. */
  readonly #entries = new Map<string, Entry>();
  readonly #flights = new Map<string, Promise<unknown>>();
  #bytes = 0;

  /** @throws TypeError for options that are none */
  constructor(options: MemoryCacheOptions = {}) {
    checkOptions('MemoryCache', options, CACHE_CHECKS);
    this.#ttl = options.ttl ?? TTL_MS;
    this.#max = options.max ?? ENTRIES_MAX;
    this.#maxBytes = options.maxBytes ?? BYTES_MAX;
  }

  /** Of what there is, the one that was used longest ago first. */
  keys(): string[] {
    return [...this.#entries.keys()];
  }
  /** What runs for a key by `shared()` is nobody's who asks from now on. */
  forget(key: string): void {
    this.#flights.delete(key);
  }

  /** Entries that there are, also those that are over and not yet gone. */
  get size(): number {
    return this.#entries.size;
  }
  /** What they take, roughly. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Also `undefined` may be kept: null is what is not. */
  find(key: string): { readonly value: unknown } | null {
    const entry = this.#entries.get(key);
    if (entry === undefined) return null;
    if (entry.endMs <= performance.now()) {
      this.#remove(key, entry);
      return null;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return { value: copied(entry.value) };
  }

  /** False: it is too large. @throws TypeError for a time that is none */
  keep(key: string, value: unknown, ttl = this.#ttl): boolean {
    if (!isCount(0, ttl)) throw new TypeError(`A value is kept for a number of milliseconds, and this is ${String(ttl)}.`);
    const old = this.#entries.get(key);
    if (old !== undefined) this.#remove(key, old);
    const bytes = key.length > KEY_CHARACTERS_MAX ? Infinity : sizeOf(key, this.#maxBytes) + sizeOf(value, this.#maxBytes);
    if (bytes > this.#maxBytes) return false;
    for (const [other, entry] of this.#entries) {
      if (this.#entries.size < this.#max && this.#bytes + bytes <= this.#maxBytes) break;
      this.#remove(other, entry);
    }
    this.#entries.set(key, { value: copied(value), endMs: ttl === 0 ? Infinity : performance.now() + ttl, bytes });
    this.#bytes += bytes;
    return true;
  }

  #remove(key: string, { bytes }: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= bytes;
  }

  /** `undefined` where there is none. */
  get<T = unknown>(key: string): Promise<T | undefined> {
    return Promise.resolve(this.find(key)?.value as T | undefined);
  }
  async set<T>(key: string, value: T, ttl?: number): Promise<T> {
    this.keep(key, value, ttl);
    return Promise.resolve(value);
  }
  del(key: string): Promise<boolean> {
    const entry = this.#entries.get(key);
    if (entry !== undefined) this.#remove(key, entry);
    return Promise.resolve(entry !== undefined);
  }
  clear(): Promise<boolean> {
    this.#entries.clear();
    this.#bytes = 0;
    return Promise.resolve(true);
  }
  /** What there is, else what `make` gives, which is kept. */
  async wrap<T>(key: string, make: () => T | Promise<T>, ttl?: number): Promise<T> {
    const found = this.find(key);
    if (found !== null) return found.value as T;
    const made = await this.shared(key, async () => {
      const value = await make();
      this.keep(key, value, ttl);
      return { value };
    });
    return copied(made.value) as T;
  }

  /** What `run` gives to whoever asks for the key while it runs. With too many keys at a time each runs its own. */
  shared<T>(key: string, run: () => Promise<T>): Promise<T> {
    const flying = this.#flights.get(key);
    if (flying !== undefined) return flying as Promise<T>;
    const flight = run().finally(() => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key);
    });
    if (this.#flights.size < this.#max) this.#flights.set(key, flight);
    return flight;
  }
}
