/**
 * `timeout()`: who has no reply after that time gets 503, and `c.signal` fires, so that what is still being
 * done for it can stop. What comes later is ignored. A reply that has begun, and one that streams, takes as
 * long as it takes.
 */
import type { Middleware } from '../chain.ts';
import { HttpError } from '../http-error.ts';
import { named } from './named.ts';
import { isMs, shown, TIMER_MS_MAX } from '../checked-options.ts';

/** @throws TypeError for what is no time */
export function timeout(ms: number): Middleware {
  if (!isMs(1, ms)) throw new TypeError(`timeout() takes milliseconds, 1 to ${TIMER_MS_MAX}, and this is ${shown(ms)}.`);
  return named(
    'timeout',
    (c, next) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          if (c.isBegun) return;
          const error = new HttpError(503, `No reply within ${ms} ms.`);
          reject(error);
          c.abort(error);
        }, ms);
        next()
          .then(resolve, reject)
          .finally(() => clearTimeout(timer));
      }),
  );
}
