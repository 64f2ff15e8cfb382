/**
 * Requests of one client as `RateLimitInterceptor` and `ThrottlerGuard` count them: what `@Throttle()` and
 * `@SkipThrottle()` say goes before what the limit itself says. Counts stand in the app's stores, which are bounded.
 */
import { checkOptions, type Checks, isFunction } from '../../app/checked-options.ts';
import { memoryStore } from '../../app/middleware/memory-store.ts';
import type { RateLimitStore } from '../../app/middleware/index.ts';
import { networkOf, RateWindow } from '../../app/middleware/rate-window.ts';
import { HttpStatus } from '../enums.ts';
import { HttpException } from '../exceptions/http-exception.ts';
import { read } from '../metadata/reflect.ts';
import type { ExecutionContext } from '../nest-types.ts';
import { asked, setField } from '../pipeline/around.ts';
import { isLimit, isTtl, THROTTLER_LIMIT, THROTTLER_SKIP, THROTTLER_TTL } from './decorators.ts';

export interface ThrottlerOptions {
  /** By which `@Throttle({ name: … })` means it. Default: `default`. */
  readonly name?: string;
  /** Requests within `ttl`. */
  readonly limit: number;
  /** Milliseconds. */
  readonly ttl: number;
  readonly skipIf?: (context: ExecutionContext) => boolean;
  /** Who is asking. Default: the address, of IPv6 the network (/64), which one client has all of. */
  readonly getTracker?: (req: any, context: ExecutionContext) => string | Promise<string>;
  /** Default: this process's memory, of 100,000 clients. */
  readonly storage?: RateLimitStore;
}

const CHECKS: Checks<ThrottlerOptions> = {
  name: [(value) => typeof value === 'string' && /^[\w-]+$/.test(value), 'a word'],
  limit: [isLimit, 'a number of requests'],
  ttl: [isTtl, 'a number of milliseconds'],
  skipIf: isFunction('(context)'),
  getTracker: isFunction('(req, context) that returns a text'),
  storage: [(value) => typeof (value as RateLimitStore | null)?.hit === 'function', 'an object with hit(key, windowMs)'],
};

const MESSAGE = 'ThrottlerException: Too Many Requests';

export class ThrottlerException extends HttpException {
  constructor(message: string = MESSAGE) {
    super(message, HttpStatus.TOO_MANY_REQUESTS);
  }
}

export class Throttler {
  readonly #name: string;
  readonly #options: ThrottlerOptions;
  /** Each route for itself, as Nest's guard; else all together but for those with a limit of their own. */
  readonly #isByRoute: boolean;
  /** For each length of a window one: those of one store begin and end in one order. */
  readonly #stores = new Map<number, RateLimitStore>();
  /** By limit and length, of which there are as many as decorators say. */
  readonly #windows = new Map<string, RateWindow>();

  /** @throws TypeError for options that are none */
  constructor(who: string, options: ThrottlerOptions, isByRoute: boolean) {
    checkOptions(who, options, CHECKS);
    for (const needed of ['limit', 'ttl'] as const)
      if (options[needed] === undefined) throw new TypeError(`${who}() needs ${needed}: { limit, ttl } are requests within milliseconds.`);
    this.#name = options.name ?? 'default';
    this.#options = options;
    this.#isByRoute = isByRoute;
  }

  /** @throws ThrottlerException for one too many */
  async count(context: ExecutionContext): Promise<void> {
    const { skipIf, getTracker } = this.#options;
    if (this.#own<boolean>(THROTTLER_SKIP, context) === true || skipIf?.(context) === true) return;
    const [ownLimit, ownTtl] = [this.#own<number>(THROTTLER_LIMIT, context), this.#own<number>(THROTTLER_TTL, context)];
    const { limit, ttl } = { limit: ownLimit ?? this.#options.limit, ttl: ownTtl ?? this.#options.ttl };
    const client = getTracker === undefined ? networkOf(asked(context).ip) : await getTracker(context.getRequest(), context);
    const isOfRoute = this.#isByRoute || ownLimit !== undefined || ownTtl !== undefined;
    const counted = isOfRoute ? `${context.getClass().name}.${context.getHandler().name}:${client}` : client;
    // A store of the application's may be that of several limits.
    const key = this.#options.storage === undefined ? counted : `${this.#name}/${ttl}:${counted}`;
    const { isOver, fields, retryAfter } = await this.#windowOf(limit, ttl).count(key);
    const suffix = this.#name === 'default' ? '' : `-${this.#name}`;
    for (const [name, value] of Object.entries(fields)) setField(context, name + suffix, value);
    if (!isOver) return;
    setField(context, 'Retry-After', retryAfter);
    throw new ThrottlerException();
  }

  /** Of the method, else of the class. */
  #own<T>(key: string, context: ExecutionContext): T | undefined {
    return read<T>(key + this.#name, context.getHandler()) ?? read<T>(key + this.#name, context.getClass());
  }

  #windowOf(limit: number, ttl: number): RateWindow {
    const key = `${limit}/${ttl}`;
    let window = this.#windows.get(key);
    if (window === undefined) this.#windows.set(key, (window = new RateWindow(limit, ttl, this.#storeOf(ttl))));
    return window;
  }

  #storeOf(ttl: number): RateLimitStore {
    let store = this.#options.storage ?? this.#stores.get(ttl);
    if (store === undefined) this.#stores.set(ttl, (store = memoryStore()));
    return store;
  }
}
