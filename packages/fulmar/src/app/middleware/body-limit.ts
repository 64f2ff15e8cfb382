/**
 * `bodyLimit()`: how long a request's content may be here, instead of what the app says: longer for uploads,
 * shorter for a form. Content that is declared longer is refused before the handler runs, any other while it
 * is read, as a whole or piece by piece.
 */
import type { Middleware } from '../chain.ts';
import { named } from './named.ts';
import { isCount, shown } from '../checked-options.ts';

/** `bytes`: at most so many. @throws TypeError for what is no number of bytes */
export function bodyLimit(bytes: number): Middleware {
  if (!isCount(0, bytes)) throw new TypeError(`bodyLimit() takes a number of bytes, and this is ${shown(bytes)}.`);
  return named('bodyLimit', (c, next) => {
    c.body.limitTo(bytes);
    return next();
  });
}
