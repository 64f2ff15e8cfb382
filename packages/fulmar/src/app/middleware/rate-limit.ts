/**
 * `rateLimit()`: so many requests of one client within a time, then 429. What is left is told in
 * `RateLimit-…` fields (draft-ietf-httpapi-ratelimit-headers-06, which clients know).
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { named } from './named.ts';
import { networkOf, RateWindow, seconds } from './rate-window.ts';
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
  const { max, windowMs = MINUTE_MS, key = ({ ip }) => networkOf(ip), store } = options;
  if (max === undefined) throw new TypeError('rateLimit() needs max, the number of requests within a window.');
  const window = new RateWindow(max, windowMs, store);
  return named('rateLimit', async (c, next) => {
    const client = await key(c);
    if (client === undefined) return next();
    const { isOver, fields, retryAfter } = await window.count(client);
    c.set(fields);
    if (isOver)
      throw new HttpError(429, `${max} requests are answered in ${seconds(windowMs)} s.`, { headers: { 'Retry-After': retryAfter } });
    return next();
  });
}
