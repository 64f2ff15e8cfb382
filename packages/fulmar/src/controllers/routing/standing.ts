/**
 * Where an application stands within another app (`outer.route('/api', inner.app)`): its routes, and middleware that is
 * Express's, know paths from there on. Never changes what a context tells.
 */
import type { AnyContext } from '../../app/index.ts';
import { targetBehind } from '../../app/mount.ts';

/** By context and by request: the part of the path that is the outer app's. */
const bases = new WeakMap<object, string>();
let isAnyWithin = false;

const depthOf = (pattern: string): number => pattern.split('/').filter((segment) => segment !== '').length;

/** `pattern` is the route's own; what the context says of it has the outer app's before it. */
export function noteBase(c: AnyContext, pattern: string): void {
  if (c.route === pattern) return;
  const depth = depthOf(c.route) - depthOf(pattern);
  if (depth <= 0) return;
  isAnyWithin = true;
  bases.set(c, c.pathname.split('/', depth + 1).join('/'));
}

/** Of a context, or of the request that stands for it. Empty where nothing is outside. */
const baseOf = (of: object): string => (isAnyWithin ? (bases.get(of) ?? '') : '');

export function pathWithin(c: AnyContext): string {
  const base = baseOf(c);
  return base === '' ? c.pathname : targetBehind(c.pathname, base);
}

type Req = { url: string; originalUrl?: string; baseUrl?: string };

/** As Express does with what it hands to a router. */
export function standWithin(c: AnyContext, req: Req): void {
  const base = baseOf(c);
  if (base === '') return;
  bases.set(req, base);
  Object.assign(req, { originalUrl: req.url, baseUrl: base, url: targetBehind(req.url, base) });
}

/** What the client has asked for, from there on. */
export function targetWithin(req: { readonly originalUrl: string }): string {
  const base = baseOf(req);
  return base === '' ? req.originalUrl : targetBehind(req.originalUrl, base);
}
