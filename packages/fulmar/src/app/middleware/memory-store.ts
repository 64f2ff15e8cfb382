/**
 * Counts of requests in this process's memory, by key: at most `keysMax` of them, however many there are that
 * ask.
 */
import type { RateLimitHits, RateLimitStore } from './rate-limit.ts';
import { checkOptions, type Checks, isCount } from '../checked-options.ts';

export interface MemoryStoreOptions {
  /**
   * Keys that are counted at a time; beyond them the one whose window began first is forgotten. Default:
   * 100,000.
   */
  readonly keysMax?: number;
}

const CHECKS: Checks<MemoryStoreOptions> = { keysMax: [(value) => isCount(1, value), 'a number of keys, at least 1'] };

/** Some 10 MB of addresses. */
const KEYS_MAX = 100_000;

interface Window {
  count: number;
  readonly endMs: number;
}

export function memoryStore(options: MemoryStoreOptions = {}): RateLimitStore {
  checkOptions('memoryStore', options, CHECKS);
  return new MemoryStore(options.keysMax ?? KEYS_MAX);
}

class MemoryStore implements RateLimitStore {
  readonly #keysMax: number;
  /** In the order in which the windows began: with one length for all, that in which they end. */
  readonly #windows = new Map<string, Window>();

  constructor(keysMax: number) {
    this.#keysMax = keysMax;
  }

  hit(key: string, windowMs: number): RateLimitHits {
    const now = performance.now();
    this.#forget(now);
    const known = this.#windows.get(key);
    if (known !== undefined && known.endMs > now) {
      known.count += 1;
      return { count: known.count, resetMs: known.endMs - now };
    }
    this.#windows.delete(key);
    if (this.#windows.size >= this.#keysMax) this.#windows.delete(this.#windows.keys().next().value as string);
    this.#windows.set(key, { count: 1, endMs: now + windowMs });
    return { count: 1, resetMs: windowMs };
  }

  /** Windows that are over, from the oldest on: each is made once and so forgotten once. */
  #forget(now: number): void {
    for (const [key, { endMs }] of this.#windows) {
      if (endMs > now) return;
      this.#windows.delete(key);
    }
  }
}
