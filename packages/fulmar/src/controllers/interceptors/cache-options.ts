/**
 * Options of `CacheInterceptor`, checked when it is made.
 */
import { checkOptions, type Checks, isBoolean, isFunction, isListOf, isToken } from '../../app/checked-options.ts';
import { CACHE_CHECKS, type MemoryCacheOptions } from '../../app/caching/memory-cache.ts';
import type { ExecutionContext } from '../nest-types.ts';

export interface CacheInterceptorOptions extends MemoryCacheOptions {
  /** Methods whose replies are kept. Default: GET. */
  readonly methods?: readonly string[];
  /** Fields of the request that replies depend on: parts of the key. */
  readonly headers?: readonly string[];
  /** Another key; `undefined`: not this one. It says alone who shares what. */
  readonly keyOf?: (context: ExecutionContext) => string | undefined | Promise<string | undefined>;
  /** True: replies do not depend on who asks, also where a request says who it is. Default: false. */
  readonly shared?: boolean;
}

const areTokens = (value: unknown): boolean => isListOf(isToken, value);

const CHECKS: Checks<CacheInterceptorOptions> = {
  ...CACHE_CHECKS,
  methods: [areTokens, "a list of methods, ['GET']"],
  headers: [areTokens, "a list of names of fields, ['accept-language']"],
  keyOf: isFunction('(context) that returns a text'),
  shared: isBoolean,
};

/** @throws TypeError for an option that is none, or is something else than it may be */
export const checkCache = (who: string, options: CacheInterceptorOptions): void => checkOptions(who, options, CHECKS);
