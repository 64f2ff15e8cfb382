/**
 * `csrf()`: pages of other origins cannot make a browser change anything here. By what browsers say of where
 * a request comes from (`Sec-Fetch-Site`, else `Origin`), without tokens or cookies. What says neither comes
 * from no page and is let in.
 */
import type { Middleware } from '../chain.ts';
import type { AnyContext } from '../context.ts';
import { HttpError } from '../http-error.ts';
import { isOfHere, isOrigin } from '../origins.ts';
import { named } from './named.ts';
import { checkOptions, type Checks, isFunction, isListOf } from '../checked-options.ts';

export interface CsrfOptions {
  /** Other origins whose pages may send what they like: `https://admin.example.com`. */
  readonly origins?: readonly string[];
  /** Requests that are not looked at, such as those of a payment service. */
  readonly exempt?: (c: AnyContext) => boolean;
}

const CHECKS: Checks<CsrfOptions> = {
  origins: [(value) => isListOf(isOrigin, value), "a list of origins such as 'https://example.com', in lower case, without a path"],
  exempt: isFunction('(c) that returns true for what is not looked at'),
};

/** They change nothing (RFC 9110, 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

export function csrf(options: CsrfOptions = {}): Middleware {
  checkOptions('csrf', options, CHECKS);
  const trusted = new Set(options.origins);
  const { exempt } = options;
  return named('csrf', (c, next) => {
    if (isSafe(c) || isFromHere(c, trusted) || exempt?.(c) === true) return next();
    throw new HttpError(403, 'This request comes from a page of another origin.');
  });
}

/** A handshake of WebSocket is a GET behind which a page may say what it likes, with the user's cookies. */
const isSafe = (c: AnyContext): boolean => SAFE.has(c.method) && c.header('upgrade')?.toLowerCase() !== 'websocket';

function isFromHere(c: AnyContext, trusted: ReadonlySet<string>): boolean {
  const site = c.header('sec-fetch-site');
  const origin = c.header('origin');
  if (site === 'same-origin' || site === 'none') return true;
  if (origin !== undefined && trusted.has(origin)) return true;
  if (site !== undefined) return false;
  // No browser of the last years, or one that asks a plain http address.
  return origin === undefined || isOfHere(c, origin);
}
