/**
 * `rateLimit()`: so many requests of one client within a time, then 429. What is left is told in
 * `RateLimit-…` fields (draft-ietf-httpapi-ratelimit-headers-06, which clients know).
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { memoryStore } from './memory-store.ts';
import { named } from './named.ts';
import { checkOptions, type Checks, isCount, isFunction } from '../checked-options.ts';

/** What a store knows of a key after a request was counted. */
export interface RateLimitHits {
  /** Requests in this window, this one included. */
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly resetMs: number;
}

/**
 * Where requests are counted: several processes share one by a store of their own. An error of it is an error
 * of the request.
 */
export interface RateLimitStore {
  hit(key: string, windowMs: number): RateLimitHits | Promise<RateLimitHits>;
}

export interface RateLimitOptions {
  /** Requests within a window. */
  readonly max: number;
  /** Default: a minute. */
  readonly windowMs?: number;
  /**
   * Who is asking; `undefined` is not counted. Default: `c.ip`, of IPv6 the network (/64), which one client
   * has all of.
   */
  readonly key?: (c: AnyContext) => string | undefined | Promise<string | undefined>;
  /** Default: this process's memory. */
  readonly store?: RateLimitStore;
}

const CHECKS: Checks<RateLimitOptions> = {
  max: [(value) => isCount(0, value), 'a number of requests'],
  windowMs: [(value) => isCount(1, value), 'a number of milliseconds'],
  key: isFunction('(c) that returns a string'),
  store: [(value) => typeof (value as RateLimitStore | null)?.hit === 'function', 'an object with hit(key, windowMs)'],
};

const MINUTE_MS = 60_000;

export function rateLimit(options: RateLimitOptions): Middleware {
  checkOptions('rateLimit', options, CHECKS);
  const { max, windowMs = MINUTE_MS, key = networkOf, store = memoryStore() } = options;
  if (max === undefined) throw new TypeError('rateLimit() needs max, the number of requests within a window.');
  const policy = `${max};w=${seconds(windowMs)}`;
  return named('rateLimit', async (c, next) => {
    const client = await key(c);
    if (client === undefined) return next();
    const { count, resetMs } = await store.hit(client.length > KEY_MAX ? await digestOf(client) : client, windowMs);
    const reset = String(seconds(resetMs));
    c.set({
      'RateLimit-Policy': policy,
      'RateLimit-Limit': max,
      'RateLimit-Remaining': Math.max(0, max - count),
      'RateLimit-Reset': reset,
    });
    if (count > max)
      throw new HttpError(429, `${max} requests are answered in ${seconds(windowMs)} s.`, { headers: { 'Retry-After': reset } });
    return next();
  });
}

/** Stores are bounded by numbers of keys: a longer key is its hash, SHA-256. */
const KEY_MAX = 64;

async function digestOf(key: string): Promise<string> {
  const digest = await globalThis.crypto.subtle.digest('SHA-256', new TextEncoder().encode(key));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

const seconds = (ms: number): number => Math.max(1, Math.ceil(ms / 1000));

const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;

/** An address as it is counted. */
function networkOf({ ip }: AnyContext): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined) return mapped;
  if (!ip.includes(':')) return ip;
  const [head = '', tail] = (ip.split('%')[0] as string).split('::');
  const groupsOf = (text: string): string[] => text.split(':').filter((group) => group !== '');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const missing = Math.max(0, GROUPS - before.length - after.length);
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after].slice(0, GROUPS_OF_NETWORK);
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
}
