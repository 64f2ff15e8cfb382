/**
 * `@Throttle()` and `@SkipThrottle()`: what of a limit holds for a class or a method, with the names and the metadata of
 * `@nestjs/throttler`.
 */
import { isCount, TIMER_MS_MAX } from '../../app/checked-options.ts';
import { onClassOrMethod } from '../metadata/placed.ts';
import { define } from '../metadata/reflect.ts';

export const THROTTLER_LIMIT = 'THROTTLER:LIMIT';
export const THROTTLER_TTL = 'THROTTLER:TTL';
export const THROTTLER_SKIP = 'THROTTLER:SKIP';

/** Requests (`limit`) within milliseconds (`ttl`). */
export interface ThrottleLimit {
  readonly limit?: number;
  readonly ttl?: number;
}

export const isLimit = (value: unknown): boolean => isCount(0, value);
export const isTtl = (value: unknown): boolean => isCount(1, value) && (value as number) <= TIMER_MS_MAX;

type Both = MethodDecorator & ClassDecorator;

/** By the name of the limit, which is `default` without one. @throws TypeError for what is no limit */
export function Throttle(limits: Readonly<Record<string, ThrottleLimit>>): Both {
  for (const [name, { limit, ttl }] of Object.entries(limits)) {
    if (limit !== undefined && !isLimit(limit))
      throw new TypeError(`@Throttle(): limit of ${name} is a number of requests, and this is ${String(limit)}.`);
    if (ttl !== undefined && !isTtl(ttl))
      throw new TypeError(`@Throttle(): ttl of ${name} is a number of milliseconds, and this is ${String(ttl)}.`);
  }
  return onClassOrMethod('Throttle', (target) => {
    for (const [name, { limit, ttl }] of Object.entries(limits)) {
      define(THROTTLER_LIMIT + name, limit, target);
      define(THROTTLER_TTL + name, ttl, target);
    }
  });
}

/** Where no limit holds: all that have no name, or those that are true. */
export const SkipThrottle = (skip: Readonly<Record<string, boolean>> = { default: true }): Both =>
  onClassOrMethod('SkipThrottle', (target) => {
    for (const [name, isSkipped] of Object.entries(skip)) define(THROTTLER_SKIP + name, isSkipped, target);
  });
