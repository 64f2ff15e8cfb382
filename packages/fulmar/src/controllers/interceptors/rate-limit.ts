/**
 * `RateLimitInterceptor`: so many requests of one client within a time, then 429. All routes that it stands on count
 * together, but for those with `@Throttle()`. It runs behind guards; `ThrottlerGuard` among them.
 */
import { Injectable } from '../decorators/modules.ts';
import type { CallHandler, ExecutionContext, NestInterceptor } from '../nest-types.ts';
import { isEventRoute } from '../pipeline/around.ts';
import { Throttler, type ThrottlerOptions } from '../throttling/throttler.ts';

const LIMIT = 100;
const TTL_MS = 60_000;

export class RateLimitInterceptor implements NestInterceptor {
  readonly #throttler: Throttler;

  /** Requests within milliseconds, or `{ limit, ttl, … }`. @throws TypeError for what is none */
  constructor(given: number | Partial<ThrottlerOptions> = {}, ttl = TTL_MS) {
    const options = typeof given === 'number' ? { limit: given, ttl } : { limit: LIMIT, ttl, ...given };
    this.#throttler = new Throttler('RateLimitInterceptor', options, false);
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<unknown> {
    await this.#throttler.count(context);
    return isEventRoute(context) ? next.handle() : next();
  }
}

Injectable()(RateLimitInterceptor);
