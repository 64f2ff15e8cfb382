/**
 * `CacheInterceptor`: what handlers return is kept for a time and given to who asks for the same. Of several requests
 * that ask at once one runs, and the others wait for it. Nobody is given what was made for another: a request that says
 * who it is (`Authorization`, `Cookie`, `X-Api-Key`, a user that a guard has found) passes by, unless the application says otherwise.
 * Never keeps errors, files, streams, events, and replies whose handler sets a status or fields by itself.
 */
import { CACHE_KEY_METADATA, CACHE_MANAGER, CACHE_MODULE_OPTIONS, CACHE_TTL_METADATA } from '../caching/decorators.ts';
import { CREDENTIALS } from '../../app/caching/credentials.ts';
import { KEY_CHARACTERS_MAX, MemoryCache } from '../../app/caching/memory-cache.ts';
import { copied } from '../../app/caching/values.ts';
import { Inject, Injectable, Optional } from '../decorators/modules.ts';
import { read } from '../metadata/reflect.ts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '../nest-types.ts';
import { asked, headOf, isEventRoute, isSentAsIs, ownsReply, routeField, setField } from '../pipeline/around.ts';
import { Host } from '../pipeline/host.ts';
import { type CacheInterceptorOptions, checkCache } from './cache-options.ts';

const GET: readonly string[] = ['GET'];
/** What a route says of its replies by `@Header()`. */
const NOT_KEPT = /\b(?:no-store|no-cache|private)\b/i;

type Factory<T> = (context: ExecutionContext) => T | Promise<T>;

/** What one request has come to, for all that have waited. */
interface Outcome {
  readonly value: unknown;
  /** A copy, which the one that ran does not have in its hands; null: each has to ask for its own. */
  readonly kept: { readonly value: unknown } | null;
}

/** Two handlers of one URL, as of two versions, are two; also one that two classes inherit. */
const numbers = new WeakMap<Function, number>();
let count = 0;
function numberOf(one: Function): number {
  let number = numbers.get(one);
  if (number === undefined) numbers.set(one, (number = count += 1));
  return number;
}

const resolved = <T>(given: T | Factory<T>, context: ExecutionContext): T | Promise<T> =>
  typeof given === 'function' ? (given as Factory<T>)(context) : given;

const isGone = (context: ExecutionContext): boolean => context instanceof Host && context.c.exchange.gone;

export class CacheInterceptor implements NestInterceptor {
  protected readonly cacheManager: MemoryCache;
  /** Methods whose replies are kept. */
  protected allowedMethods: readonly string[];
  readonly #fields: readonly string[];
  readonly #keyOf: CacheInterceptorOptions['keyOf'];
  readonly #isShared: boolean;

  /**
   * Milliseconds, options, or a cache that services have, too, and options: those of `CacheModule` where it is injected.
   *
   * @throws TypeError for options that are none
   */
  constructor(given: number | CacheInterceptorOptions | MemoryCache = {}, more: CacheInterceptorOptions = {}) {
    const own = typeof given === 'number' ? { ttl: given } : given instanceof MemoryCache ? more : given;
    if (typeof (given as { set?: unknown }).set === 'function' && !(given instanceof MemoryCache))
      throw new TypeError(
        'CacheInterceptor keeps replies in a MemoryCache, which CacheModule of fulmar/controllers provides as CACHE_MANAGER, and this is another cache. That of cache-manager goes with CacheInterceptor of @nestjs/cache-manager.',
      );
    checkCache('CacheInterceptor', own);
    const { methods = GET, headers = [], keyOf, shared = false, ...bounds } = own;
    this.cacheManager = given instanceof MemoryCache ? given : new MemoryCache(bounds);
    this.allowedMethods = methods.map((method) => method.toUpperCase());
    this.#fields = headers.map((name) => name.toLowerCase()).toSorted();
    this.#keyOf = keyOf;
    this.#isShared = shared;
  }

  intercept(context: ExecutionContext, next: CallHandler): Promise<unknown> | object {
    if (isEventRoute(context)) return next.handle();
    return ownsReply(context) ? next() : this.#through(context, next);
  }

  async #through(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    const key = await this.trackBy(context);
    if (key === undefined || key.length > KEY_CHARACTERS_MAX) return next();
    const found = this.cacheManager.find(key);
    if (found !== null) return this.#hit(context, found.value);
    let isMine = false;
    const outcome = await this.cacheManager
      .shared(key, () => {
        isMine = true;
        return this.#run(context, next, key);
      })
      .catch((error: unknown) => {
        if (isMine || !(error instanceof Left)) throw error instanceof Left ? error.cause : error;
        return null;
      });
    if (outcome === null) return this.#through(context, next);
    if (isMine) return outcome.value;
    // What cannot be kept is each one's own.
    return outcome.kept === null ? next() : this.#hit(context, copied(outcome.kept.value));
  }

  #hit(context: ExecutionContext, value: unknown): unknown {
    setField(context, 'X-Cache', 'HIT');
    return value;
  }

  async #run(context: ExecutionContext, next: CallHandler, key: string): Promise<Outcome> {
    setField(context, 'X-Cache', 'MISS');
    const before = headOf(context);
    try {
      const value = await next();
      if (!isKeepable(value, context) || before === null || headOf(context) !== before) return { value, kept: null };
      const ttl = await this.#ttlOf(context);
      return { value, kept: this.cacheManager.keep(key, value, ttl) ? { value: copied(value) } : null };
    } catch (error) {
      // Its failure may be that nobody has waited for it.
      throw isGone(context) ? new Left(error) : error;
    }
  }

  #ttlOf(context: ExecutionContext): number | undefined | Promise<number | undefined> {
    const ttl =
      read<number | Factory<number>>(CACHE_TTL_METADATA, context.getHandler()) ??
      read<number | Factory<number>>(CACHE_TTL_METADATA, context.getClass());
    return resolved<number | undefined>(ttl, context);
  }

  /** `undefined`: the reply is neither looked for nor kept. */
  protected trackBy(context: ExecutionContext): string | undefined | Promise<string | undefined> {
    if (!this.isRequestCacheable(context) || routeField(context, 'vary') === '*') return undefined;
    if (this.#keyOf !== undefined) return this.#keyOf(context);
    const named = read<string | Factory<string | undefined>>(CACHE_KEY_METADATA, context.getHandler());
    if (typeof named === 'function') return named(context);
    if (this.#isPersonal(context) || NOT_KEPT.test(routeField(context, 'cache-control') ?? '')) return undefined;
    if (named !== undefined) return this.#withFields(context, named);
    const { method, host, url } = asked(context);
    return this.#withFields(
      context,
      `${numberOf(context.getClass())}.${numberOf(context.getHandler())} ${method} ${host.toLowerCase()} ${url}`,
    );
  }

  protected isRequestCacheable(context: ExecutionContext): boolean {
    return this.allowedMethods.includes(asked(context).method);
  }

  #withFields(context: ExecutionContext, key: string): string {
    const vary = routeField(context, 'vary');
    if (this.#fields.length === 0 && vary === undefined) return key;
    const { header } = asked(context);
    const fields = [...this.#fields, ...(vary ?? '').split(',').map((name) => name.trim().toLowerCase())];
    return `${key}\n${JSON.stringify(fields.map((name) => header(name) ?? null))}`;
  }

  #isPersonal(context: ExecutionContext): boolean {
    if (this.#isShared) return false;
    const { header } = asked(context);
    if (CREDENTIALS.some((name) => header(name) !== undefined && !this.#fields.includes(name))) return true;
    return this.#hasUser(context) && !this.#fields.some((name) => CREDENTIALS.includes(name));
  }

  /** By a guard or by middleware, whatever they have known it by. */
  #hasUser(context: ExecutionContext): boolean {
    if (context instanceof Host && !context.hasMessages) return false;
    const { user } = context.getRequest<{ user?: unknown }>();
    return user !== undefined && user !== null;
  }
}

/** The client of the one that ran has left. */
class Left {
  readonly cause: unknown;
  constructor(cause: unknown) {
    this.cause = cause;
  }
}

function isKeepable(value: unknown, context: ExecutionContext): boolean {
  return typeof value !== 'function' && typeof value !== 'symbol' && !isSentAsIs(value, context);
}

Injectable()(CacheInterceptor);
Inject(CACHE_MANAGER)(CacheInterceptor, undefined as never, 0);
Optional()(CacheInterceptor, undefined as never, 0);
Inject(CACHE_MODULE_OPTIONS)(CacheInterceptor, undefined as never, 1);
Optional()(CacheInterceptor, undefined as never, 1);
