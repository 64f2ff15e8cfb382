/**
 * From the path that was asked for to the upstream's, and back again for what the upstream says of its own
 * paths. Pure.
 */
import { HttpError } from '../http-error.ts';

/** Steps up, in any form in which an upstream might read them: they would lead out of the target's path. */
const STEP = /(?:^|[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=$|[/\\;]|%2f|%5c)/i;

export interface Places {
  /** Of the request's path what stands for the upstream: `/api`, or empty. */
  readonly base: string;
  readonly target: URL;
}

/** `rest`: path and query behind the base. @throws HttpError 400 for a path with steps */
export function upstreamUrl({ target }: Places, rest: string): URL {
  const query = rest.indexOf('?');
  const path = query < 0 ? rest : rest.slice(0, query);
  if (STEP.test(path)) throw new HttpError(400, 'A path with steps (. and ..) is not passed on.');
  const url = new URL(target);
  url.pathname = joined(target.pathname, path);
  url.search = query < 0 ? '' : rest.slice(query);
  return url;
}

function joined(base: string, path: string): string {
  const start = base.replace(/\/+$/, '');
  if (path === '') return start === '' ? '/' : start;
  return start + (path.startsWith('/') ? path : `/${path}`);
}

/** A `Location` of the upstream's as the client has to see it; others stay as they are. */
export function clientLocation(location: string, { base, target }: Places): string {
  const isPath = location.startsWith('/') && !location.startsWith('//');
  if (!isPath && !URL.canParse(location)) return location;
  const url = isPath ? new URL(location, target) : new URL(location);
  if (url.origin !== target.origin) return location;
  const start = target.pathname.replace(/\/+$/, '');
  if (url.pathname !== start && !url.pathname.startsWith(`${start}/`))
    return isPath ? location : onePath(url.pathname) + url.search + url.hash;
  return onePath(`${base}/${url.pathname.slice(start.length).replace(/^\/+/, '')}`) + url.search + url.hash;
}

/** Several slashes at the begin would be a host to a browser. */
const onePath = (path: string): string => path.replace(/^\/{2,}/, '/');

export interface CookieRules {
  /** Instead of the upstream's `Domain`; false: none. */
  readonly domain?: string | false;
  /** Instead of the upstream's `Path`. */
  readonly path?: string;
}

export function clientCookie(cookie: string, { domain, path }: CookieRules): string {
  const kept: string[] = [];
  for (const [index, attribute] of cookie.split(';').entries()) {
    const name = attribute.split('=', 1)[0]?.trim().toLowerCase();
    if (index > 0 && name === 'domain' && domain !== undefined) {
      if (domain !== false) kept.push(` Domain=${domain}`);
    } else if (index > 0 && name === 'path' && path !== undefined) kept.push(` Path=${path}`);
    else kept.push(attribute);
  }
  return kept.join(';');
}
