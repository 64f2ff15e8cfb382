/**
 * The paths of a route: prefix of the application, version, module, controller and method.
 */
import { pathToRegexp } from 'path-to-regexp';
import { RequestMethod } from '../enums.ts';
import type { RouteInfo } from '../nest-types.ts';
import { convertLegacy } from './path-cover.ts';

export const withSlash = (path: string): string => (path.startsWith('/') || path === '' ? path : `/${path}`);
export const withoutEnd = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : path);

/** Routes outside of the prefix, which `exclude` names. */
export interface Excluded {
  readonly regexp: RegExp;
  readonly method: number;
}

export interface Prefix {
  readonly path: string;
  /** Of all that is below it; null: that is everything. */
  readonly below: RegExp | null;
  readonly excluded: readonly Excluded[];
}

export const NO_PREFIX: Prefix = { path: '', below: null, excluded: [] };

/** @throws TypeError for what is no path */
export function toPrefix(prefix: string, exclude: readonly (string | RouteInfo)[] = []): Prefix {
  if (typeof prefix !== 'string')
    throw new TypeError(`setGlobalPrefix() takes a path such as 'api', and this is of type ${typeof prefix}.`);
  const path = withoutEnd(withSlash(prefix));
  return { path, below: path === '' ? null : pathToRegexp(path, { end: false }).regexp, excluded: exclude.map(toExcluded) };
}

export function toExcluded(given: string | RouteInfo): Excluded {
  const { path, method, version } = typeof given === 'string' ? { path: given, method: RequestMethod.ALL } : given;
  if (version !== undefined) throw new TypeError(`The route ${path} is excluded for all of its versions: leave out its version.`);
  if (typeof path !== 'string' || typeof method !== 'number')
    throw new TypeError("An excluded route is a path or { path, method }, whose method is RequestMethod's.");
  return { regexp: pathToRegexp(convertLegacy(withSlash(path))).regexp, method };
}

export function isExcluded(excluded: readonly Excluded[], path: string, method: number): boolean {
  return excluded.some((one) => (one.method === RequestMethod.ALL || one.method === method) && one.regexp.test(withSlash(path)));
}

export interface PathParts {
  readonly versions: readonly string[];
  readonly module: string;
  readonly controller: string;
  readonly method: string;
}

export interface ServedPaths {
  /** Without prefix and version: what `exclude` of a prefix is asked about, and `forRoutes()` means. */
  readonly own: string;
  /** `exclude` of the prefix names it. */
  readonly isOutside: boolean;
  /** One for each version. */
  readonly paths: readonly string[];
}

export function pathsOf({ versions, module, controller, method }: PathParts, prefix: Prefix, requestMethod: number): ServedPaths {
  const own = [module, controller, method].reduce((path, part) => (part === '' ? path : withoutEnd(path) + withSlash(part)), '');
  const isOutside = prefix.path !== '' && isExcluded(prefix.excluded, own, requestMethod);
  const paths = versions.map((version) => {
    const whole = withoutEnd(version) + own;
    const path = withSlash(isOutside ? whole : prefix.path + whole) || '/';
    return path === '/' ? path : withoutEnd(path);
  });
  return { own: withSlash(own) || '/', isOutside, paths };
}
