/**
 * `@Controller` and what says of a method that it answers requests. They write metadata; `application/routes.ts`
 * reads it.
 */
import { RequestMethod, type VERSION_NEUTRAL } from '../enums.ts';
import { KEYS } from '../metadata/keys.ts';
import { onClass, onClassOrMethod, onMethod, refuseUncalled } from '../metadata/placed.ts';
import { define, extend } from '../metadata/reflect.ts';
import type { RouteOptions } from '../../app/route-types.ts';
import type { ControllerOptions, VersionValue } from '../nest-types.ts';

type Paths = string | string[];

const isPaths = (value: unknown): value is Paths =>
  typeof value === 'string' || (Array.isArray(value) && value.every((one) => typeof one === 'string'));

function checkPaths(decorator: string, value: unknown): void {
  if (value !== undefined && !isPaths(value))
    throw new TypeError(`@${decorator}() takes a path or a list of them, and this is ${value === null ? 'null' : typeof value}.`);
}

const CONTROLLER_OPTIONS: readonly string[] = ['path', 'host', 'version', 'scope', 'durable'];

/** @throws TypeError for an option that is none */
export function Controller(given?: Paths | ControllerOptions): ClassDecorator {
  refuseUncalled('Controller', [given]);
  const options: ControllerOptions = given === undefined || isPaths(given) ? { ...(given !== undefined && { path: given }) } : given;
  for (const name of Object.keys(options))
    if (!CONTROLLER_OPTIONS.includes(name))
      throw new TypeError(`@Controller() has no option ${name}: there are ${CONTROLLER_OPTIONS.join(', ')}.`);
  checkPaths('Controller', options.path);
  const { path, host, version, scope, durable } = options;
  return onClass('Controller', (target) => {
    define(KEYS.controller, true, target);
    define(KEYS.path, path === undefined || path.length === 0 ? '/' : path, target);
    define(KEYS.host, host, target);
    define(KEYS.scope, scope === undefined && durable === undefined ? undefined : { scope, durable }, target);
    define(KEYS.version, Array.isArray(version) ? [...new Set(version)] : version, target);
  });
}

export function RequestMapping({ path, method = RequestMethod.GET }: { path?: Paths; method?: RequestMethod } = {}): MethodDecorator {
  return mapping('RequestMapping', method, path);
}

/**
 * What the app's routes take, but for what has decorators of its own (`@Controller({ host })`, `@Version()`): schemas of
 * the request and of the reply, and what documents say.
 */
export type RouteMethodOptions = Omit<RouteOptions, 'host' | 'version'>;
export type RouteMethodOptionsWithPath = RouteMethodOptions & { readonly path?: Paths };

const ELSEWHERE: Readonly<Record<string, string>> = { host: '@Controller({ host })', version: '@Version()' };

/** @throws TypeError for what is said by other decorators */
function checkOptions(decorator: string, options: object): void {
  for (const name of Object.keys(options))
    if (Object.hasOwn(ELSEWHERE, name)) throw new TypeError(`@${decorator}() has no option ${name}: write ${ELSEWHERE[name]}.`);
}

function mapping(
  decorator: string,
  method: RequestMethod,
  first?: Paths | RouteMethodOptionsWithPath,
  more?: RouteMethodOptions,
): MethodDecorator {
  const isGiven = typeof first === 'object' && first !== null && !Array.isArray(first);
  const { path, ...options } = isGiven ? first : { path: first, ...more };
  checkPaths(decorator, path);
  checkOptions(decorator, options);
  return onMethod(decorator, (target) => {
    define(KEYS.path, path === undefined || path.length === 0 ? '/' : path, target);
    define(KEYS.method, method, target);
    if (Object.keys(options).length > 0) define(KEYS.routeOptions, options, target);
  });
}

/** A path, or several; behind them, or with them, options: `@Post({ path: ':id', body: schema })`. */
export interface RouteDecorator {
  (path?: Paths, options?: RouteMethodOptions): MethodDecorator;
  (options: RouteMethodOptionsWithPath): MethodDecorator;
}
const mappingOf =
  (decorator: string, method: RequestMethod): RouteDecorator =>
  (...given: [first?: Paths | RouteMethodOptionsWithPath, more?: RouteMethodOptions]) => {
    refuseUncalled(decorator, given);
    return mapping(decorator, method, ...given);
  };

export const Get = mappingOf('Get', RequestMethod.GET);
export const Post = mappingOf('Post', RequestMethod.POST);
export const Put = mappingOf('Put', RequestMethod.PUT);
export const Patch = mappingOf('Patch', RequestMethod.PATCH);
export const Delete = mappingOf('Delete', RequestMethod.DELETE);
export const Options = mappingOf('Options', RequestMethod.OPTIONS);
export const Head = mappingOf('Head', RequestMethod.HEAD);
export const All = mappingOf('All', RequestMethod.ALL);
export const Search = mappingOf('Search', RequestMethod.SEARCH);
export const QueryMethod = mappingOf('QueryMethod', RequestMethod.QUERY);
export const Propfind = mappingOf('Propfind', RequestMethod.PROPFIND);
export const Proppatch = mappingOf('Proppatch', RequestMethod.PROPPATCH);
export const Mkcol = mappingOf('Mkcol', RequestMethod.MKCOL);
export const Copy = mappingOf('Copy', RequestMethod.COPY);
export const Move = mappingOf('Move', RequestMethod.MOVE);
export const Lock = mappingOf('Lock', RequestMethod.LOCK);
export const Unlock = mappingOf('Unlock', RequestMethod.UNLOCK);

export interface SseOptions {
  /** Default: `RequestMethod.GET`. */
  method?: RequestMethod;
}

/** Server-sent events: the method returns an Observable of them, or a promise of one. */
export function Sse(...given: [path?: Paths, options?: SseOptions]): MethodDecorator {
  refuseUncalled('Sse', given);
  const [path, { method = RequestMethod.GET, ...others } = {}] = given;
  checkPaths('Sse', path);
  for (const name of Object.keys(others)) throw new TypeError(`@Sse() has no option ${name}: there is method, of RequestMethod.`);
  return onMethod('Sse', (target) => {
    define(KEYS.path, path === undefined || path.length === 0 ? '/' : path, target);
    define(KEYS.method, method, target);
    define(KEYS.sse, true, target);
  });
}

/** @throws RangeError for what is no status */
export function HttpCode(statusCode: number): MethodDecorator {
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599)
    throw new RangeError(`@HttpCode() takes a status from 200 to 599, and this is ${String(statusCode)}.`);
  return onMethod('HttpCode', (target) => define(KEYS.httpCode, statusCode, target));
}

export interface HeaderMetadata {
  readonly name: string;
  readonly value: string | (() => string);
}

export function Header(name: string, value: string | (() => string)): MethodDecorator {
  if (typeof name !== 'string' || (typeof value !== 'string' && typeof value !== 'function'))
    throw new TypeError("@Header() takes a field's name and its value, a text or a function that gives one.");
  return onMethod('Header', (target) => extend(KEYS.headers, [{ name, value }], target));
}

/** 302 without a status; what the method returns, `{ url, statusCode }`, goes before. */
export const Redirect = (url = '', statusCode?: number): MethodDecorator =>
  onMethod('Redirect', (target) => define(KEYS.redirect, { statusCode, url }, target));

export const Render = (template: string): MethodDecorator => onMethod('Render', (target) => define(KEYS.render, template, target));

export const Version = (version: VersionValue | typeof VERSION_NEUTRAL): MethodDecorator & ClassDecorator =>
  onClassOrMethod('Version', (target) => define(KEYS.version, Array.isArray(version) ? [...new Set(version)] : version, target));
