/**
 * `url.resolve`: where a link leads from a URL, as Node answered before the web's `URL`.
 */
import { HOSTLESS, SLASHED } from './legacy-parts.ts';
import type { Url } from './legacy.ts';

/** Parts that are data; methods are the prototype's. */
const PARTS = ['protocol', 'slashes', 'auth', 'host', 'port', 'hostname', 'hash', 'search', 'query', 'pathname', 'path', 'href'] as const;

function copyParts(from: Url, to: Url, except?: string): void {
  for (const part of PARTS) if (part !== except) to[part] = from[part] as never;
}

function finish(result: Url): Url {
  result.href = result.format();
  return result;
}

function setPath(result: Url): void {
  result.path = `${result.pathname ?? ''}${result.search ?? ''}`;
}

/** `relative` has another scheme than `result`. */
function otherScheme(result: Url, relative: Url): Url {
  const protocol = relative.protocol as string;
  if (!SLASHED.has(protocol)) {
    copyParts(relative, result);
    return finish(result);
  }
  result.protocol = protocol;
  if (!relative.host && !/^file:?$/.test(protocol) && !HOSTLESS.has(protocol)) {
    const path = (relative.pathname ?? '').split('/');
    while (path.length > 0 && !relative.host) relative.host = path.shift() ?? '';
    relative.host ||= '';
    relative.hostname ||= '';
    if (path[0] !== '') path.unshift('');
    if (path.length < 2) path.unshift('');
    result.pathname = path.join('/');
  } else {
    result.pathname = relative.pathname;
  }
  result.search = relative.search;
  result.query = relative.query;
  result.host = relative.host || '';
  result.auth = relative.auth;
  result.hostname = relative.hostname || relative.host;
  result.port = relative.port;
  if (result.pathname || result.search) setPath(result);
  result.slashes ||= relative.slashes;
  return finish(result);
}

/** The user's name stays in the host of schemes without slashes (`mailto:a@b`). */
function splitAuth(result: Url): void {
  const at = result.host?.indexOf('@') ?? -1;
  if (at <= 0 || result.host === null) return;
  const [auth, host] = result.host.split('@') as [string, string];
  result.auth = auth;
  result.host = host;
  result.hostname = host;
}

/** Without dots; `..` that lead above are kept unless the path is absolute. */
function withoutDots(path: string[], absolute: boolean): string[] {
  const kept: string[] = [];
  let up = 0;
  for (const part of path.toReversed()) {
    if (part === '.') continue;
    if (part === '..') up += 1;
    else if (up > 0) up -= 1;
    else kept.unshift(part);
  }
  return absolute ? kept : [...Array.from({ length: up }, () => '..'), ...kept];
}

interface Paths {
  source: string[];
  relative: string[];
  /** Schemes without slashes: the host is the path's first part. */
  bare: boolean;
  relativeIsAbsolute: boolean;
  mustEndAbsolute: boolean;
  removeAllDots: boolean;
}

function pathsOf(result: Url, relative: Url): Paths {
  const relativeIsAbsolute = Boolean(relative.host || relative.pathname?.startsWith('/'));
  const removeAllDots = Boolean(relativeIsAbsolute || result.pathname?.startsWith('/') || (result.host && relative.pathname));
  const paths: Paths = {
    source: result.pathname ? result.pathname.split('/') : [],
    relative: relative.pathname ? relative.pathname.split('/') : [],
    bare: Boolean(result.protocol && !SLASHED.has(result.protocol)),
    relativeIsAbsolute,
    mustEndAbsolute: removeAllDots,
    removeAllDots,
  };
  if (paths.bare) hostsToPaths(result, relative, paths);
  return paths;
}

function prepend(path: string[], host: string): void {
  if (path[0] === '') path[0] = host;
  else path.unshift(host);
}

function hostsToPaths(result: Url, relative: Url, paths: Paths): void {
  result.hostname = '';
  result.port = null;
  if (result.host) prepend(paths.source, result.host);
  result.host = '';
  if (relative.protocol) {
    relative.hostname = null;
    relative.port = null;
    result.auth = null;
    if (relative.host) prepend(paths.relative, relative.host);
    relative.host = null;
  }
  paths.mustEndAbsolute &&= paths.relative[0] === '' || paths.source[0] === '';
}

function takeAbsolute(result: Url, relative: Url): void {
  if (relative.host || relative.host === '') {
    if (result.host !== relative.host) result.auth = null;
    result.host = relative.host;
    result.port = relative.port;
  }
  if (relative.hostname || relative.hostname === '') {
    if (result.hostname !== relative.hostname) result.auth = null;
    result.hostname = relative.hostname;
  }
}

/** Only the query changes. */
function otherSearch(result: Url, relative: Url, paths: Paths): Url {
  if (paths.bare) {
    result.host = paths.source.shift() ?? null;
    result.hostname = result.host;
    splitAuth(result);
  }
  result.search = relative.search;
  result.query = relative.query;
  if (result.pathname !== null || result.search !== null) setPath(result);
  return finish(result);
}

function joinedPath(result: Url, relative: Url, paths: Paths): Url {
  let path = paths.source;
  if (path.length === 0) {
    result.pathname = null;
    result.path = result.search ? `/${result.search}` : null;
    return finish(result);
  }
  const last = path[path.length - 1];
  const dots = last === '.' || last === '..';
  const trailing = last === '' || (dots && Boolean(result.host || relative.host || path.length > 1));
  path = withoutDots(path, paths.mustEndAbsolute || paths.removeAllDots);
  if (paths.mustEndAbsolute && path[0] !== '' && !path[0]?.startsWith('/')) path.unshift('');
  if (trailing && !path.join('/').endsWith('/')) path.push('');
  const absolute = path[0] === '' || path[0]?.startsWith('/') === true;
  if (paths.bare) {
    result.host = absolute ? '' : (path.shift() ?? '');
    result.hostname = result.host;
    splitAuth(result);
  }
  const end = paths.mustEndAbsolute || Boolean(result.host && path.length > 0);
  if (end && !absolute) path.unshift('');
  result.pathname = path.length === 0 ? null : path.join('/');
  if (path.length === 0) result.path = null;
  if (result.pathname !== null || result.search !== null) setPath(result);
  result.auth = relative.auth || result.auth;
  result.slashes ||= relative.slashes;
  return finish(result);
}

/** `result` becomes the URL that `relative` leads to from `base`. */
export function resolvedObject(base: Url, relative: Url, result: Url): Url {
  copyParts(base, result);
  result.hash = relative.hash;
  if (relative.href === '') return finish(result);
  if (relative.slashes && !relative.protocol) {
    copyParts(relative, result, 'protocol');
    if (result.protocol !== null && SLASHED.has(result.protocol) && result.hostname && !result.pathname) {
      result.pathname = '/';
      result.path = '/';
    }
    return finish(result);
  }
  if (relative.protocol && relative.protocol !== result.protocol) return otherScheme(result, relative);
  const paths = pathsOf(result, relative);
  if (paths.relativeIsAbsolute) {
    takeAbsolute(result, relative);
    paths.source = paths.relative;
  } else if (paths.relative.length > 0) {
    paths.source = [...paths.source.slice(0, -1), ...paths.relative];
  } else if (relative.search !== null && relative.search !== undefined) {
    return otherSearch(result, relative, paths);
  }
  if (paths.relativeIsAbsolute || paths.relative.length > 0) {
    result.search = relative.search;
    result.query = relative.query;
  }
  return joinedPath(result, relative, paths);
}
