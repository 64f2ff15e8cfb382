/**
 * What `config.cache` and `useCache()` are given, checked when a file is read.
 */
import type { AnyContext } from '../../app/index.ts';
import { checkOptions, type Checks, isBoolean, isCount, isFunction, isListOf, isToken } from '../../app/checked-options.ts';
import { Store } from '../store.ts';

export interface CacheOptions {
  /** Milliseconds that a reply is new; 0: until it has to make room. Default: a minute. */
  readonly ttl?: number;
  /** Milliseconds behind these in which it is given while a new one is made. Default: 0. */
  readonly stale?: number;
  /** Fields of the request that replies depend on, besides its method, origin, path and query. */
  readonly vary?: readonly string[];
  /** True: replies do not depend on who asks, also where a request says who it is. Default: false. */
  readonly shared?: boolean;
  /** Another key; `undefined`: not this request. It says alone who shares what. */
  readonly key?: (c: AnyContext) => string | undefined;
  /** Where replies are kept. Default: one of all routes, of 1,000 entries and 32 MiB. */
  readonly store?: Store;
}

const CHECKS: Checks<CacheOptions> = {
  ttl: [(value) => isCount(0, value), 'a number of milliseconds; 0: without an end'],
  stale: [(value) => isCount(0, value), 'a number of milliseconds'],
  vary: [(value) => isListOf(isToken, value), "a list of names of fields, ['accept-language']"],
  shared: isBoolean,
  key: isFunction('(c) that returns a text'),
  store: [(value) => value instanceof Store, 'what createStore() gives'],
};

/** @throws TypeError for an option that is none, or is something else than it may be */
export const checkCache = (who: string, options: CacheOptions): void => checkOptions(who, options, CHECKS);
