/**
 * What the exports of a file of routes say: which methods it answers, by what. Judges forms, runs nothing.
 */
import type { Middleware } from '../../app/chain.ts';
import { nearest } from '../../host/suggest.ts';
import { checkCache } from '../cache/options.ts';
import type { FileRoute } from '../files/file-route.ts';
import { RouteFileError } from '../files/route-file-error.ts';
import { entryOf, zelyExports } from '../zely/exports.ts';
import { whyNoHandler, whyNotSent } from './sendable.ts';
import { type Prerender, prerenderOf } from './prerender.ts';
import { DefinedRoute, METHODS, type PageHooks, type ReplyFields, type RouteConfig, RouteEntry, type RouteHandler } from './define.ts';

export type ModuleExports = Readonly<Record<string, unknown>>;

/** One method of a file. */
export interface Declared {
  /** `*`: all that have none. */
  readonly method: string;
  readonly run: { readonly handler: RouteHandler } | { readonly value: unknown };
  readonly fields: ReplyFields;
  readonly middleware: readonly Middleware[];
}

/** What handlers are given: contexts of the app, or those of Zely. */
export type RouteStyle = 'app' | 'zely';

export const isStyle = (value: unknown): value is RouteStyle => value === 'app' || value === 'zely';

export interface DeclaredFile {
  readonly style: RouteStyle;
  readonly routes: readonly Declared[];
  readonly schema: RouteConfig['schema'];
  readonly page: PageHooks;
  /** Handlers of sockets; `routes` may have one of GET besides, for requests that ask for none. */
  readonly websocket: object | undefined;
  /** As `app.websocket()` takes them. */
  readonly socketOptions: RouteConfig['websocket'];
  readonly cache: RouteConfig['cache'];
  readonly prerender: Prerender | undefined;
  /** What stands around all handlers of the file. */
  readonly middleware: readonly Middleware[];
}

const CONFIG_KEYS = ['schema', 'middleware', 'cache', 'websocket'];
/** Of handlers whose replies may be kept. */
const CACHED = ['GET', 'HEAD', '*'];
const PAGE_KEYS = ['before', 'after'];
const NAMES: ReadonlyMap<string, string> = new Map(
  METHODS.flatMap(
    (name) =>
      [
        [name, name],
        [name.toLowerCase(), name],
      ] as [string, string][],
  ),
);
const KNOWN = [...NAMES.keys(), 'default', 'page', 'config', 'websocket', 'prerender'];
const NO_FIELDS: ReplyFields = {};

/** Does a module with this export mean a route? */
export const isRouteExport = (name: string): boolean => KNOWN.includes(name);

/** @throws RouteFileError that names the file and the export */
export function declaredBy(given: ModuleExports, route: FileRoute, style: RouteStyle = 'app'): DeclaredFile {
  const fail = (problem: string): never => {
    throw new RouteFileError(problem, [route.file]);
  };
  const exports = style === 'zely' ? zelyExports(given, fail) : given;
  const config = configOf(exports['config'], fail);
  const defined = exports['default'] instanceof DefinedRoute ? exports['default'].definition : undefined;
  const page = { ...pageOf(exports['page'], fail), ...(defined !== undefined && only(defined, PAGE_KEYS)) };
  const around = [...listOf(config.middleware), ...listOf(defined?.middleware)];
  const found = [...named(exports), ...(defined === undefined ? ofDefault(exports, route, fail) : ofDefinition(defined))];
  const routes = found.map((one) => ({ ...one, middleware: [...around, ...one.middleware] }));
  const { websocket } = exports;
  if (websocket !== undefined && (typeof websocket !== 'object' || websocket === null))
    fail('websocket is an object of handlers, { open, message, close }');
  if (websocket === undefined && config.websocket !== undefined)
    fail('has config.websocket, the options of a WebSocket, and exports none: export const websocket = { open, message, close }');
  if (routes.length === 0 && websocket === undefined) fail(nothingFound(exports));
  for (const name of Object.keys(exports)) suggest(name, fail);
  checkTwice(routes, fail);
  for (const { run, method } of routes) {
    const why = 'value' in run ? whyNotSent(run.value) : whyNoHandler(run.handler);
    if (why !== undefined) fail(`what it exports for ${method === '*' ? 'all methods' : method} ${why}`);
  }
  if (style === 'zely' && (defined?.cache ?? config.cache) !== undefined)
    fail('has config.cache, which keeps what handlers of the app return, and handlers of Zely, which write to a response');
  return {
    style,
    routes: ofMethod(routes, route, fail),
    schema: defined?.schema ?? config.schema,
    page,
    websocket: websocket as object | undefined,
    socketOptions: config.websocket,
    prerender: prerenderOf(exports['prerender'], { route, routes }, fail),
    cache: cacheOf(defined?.cache ?? config.cache, routes, fail),
    middleware: around,
  };
}

type Fail = (problem: string) => never;

const listOf = (given: Middleware | readonly Middleware[] | undefined): readonly Middleware[] =>
  given === undefined ? [] : ([given].flat() as Middleware[]);

const only = (from: object, keys: readonly string[]): object =>
  Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));

function declared(method: string, given: unknown, fields: ReplyFields = NO_FIELDS): Declared {
  const run = typeof given === 'function' ? { handler: given as RouteHandler } : { value: given };
  return { method: method === 'ALL' ? '*' : method, run, fields, middleware: [] };
}

function named(exports: ModuleExports): Declared[] {
  return Object.entries(exports).flatMap(([name, given]) => {
    const method = NAMES.get(name);
    if (method === undefined) return [];
    const entry = entryOf(given);
    return [entry === null ? declared(method, given) : declared(method, entry.given, entry.fields)];
  });
}

function ofDefinition(definition: object): Declared[] {
  return Object.entries(definition).flatMap(([name, given]) => {
    if (name === 'handler') return [declared('ALL', given)];
    return (METHODS as readonly string[]).includes(name) ? [declared(name, given)] : [];
  });
}

/** A handler, a value, an entry, or a list of entries. */
function ofDefault(exports: ModuleExports, { method }: FileRoute, fail: Fail): Declared[] {
  if (!Object.hasOwn(exports, 'default')) return [];
  const given = exports['default'];
  const entry = entryOf(given);
  if (entry !== null) return ofList([entry], fail);
  if (Array.isArray(given) && given.some((one) => entryOf(one) !== null))
    return ofList(
      given.map((one) => entryOf(one) ?? one),
      fail,
    );
  if (given === undefined) return fail('its default export is undefined: does its module import itself?');
  if (isMethods(given)) return Object.entries(given).map(([name, one]) => declared(name.toUpperCase(), one));
  // A value is looked at, a function may answer whatever is asked.
  return [declared(method ?? (typeof given === 'function' ? 'ALL' : 'GET'), given)];
}

/** `export default { get(c) {}, all(c) {} }`. */
function isMethods(given: unknown): given is Readonly<Record<string, Function>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const entries = Object.entries(given);
  return entries.length > 0 && entries.every(([name, one]) => NAMES.has(name) && typeof one === 'function');
}

function ofList(list: readonly unknown[], fail: Fail): Declared[] {
  const around: Middleware[] = [];
  const found: Declared[] = [];
  for (const [at, one] of list.entries()) {
    if (!(one instanceof RouteEntry))
      return fail(`item ${at + 1} of its default export is none of GET(), POST(), ALL(), middleware() and their like`);
    if (one.method === null) around.push(...(one.given as Middleware[]));
    else found.push({ ...declared(one.method, one.given, one.fields), middleware: [...around] });
  }
  return found;
}

function configOf(given: unknown, fail: Fail): RouteConfig {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null) return fail('config is an object, { schema, middleware }');
  for (const key of Object.keys(given)) {
    if (CONFIG_KEYS.includes(key)) continue;
    const meant = nearest(key, CONFIG_KEYS);
    fail(`config has no ${key}${meant === undefined ? '' : `; ${meant} is meant?`} There are ${CONFIG_KEYS.join(', ')}`);
  }
  const { middleware } = given as RouteConfig;
  if (listOf(middleware).some((one) => typeof one !== 'function')) fail('config.middleware is a function (c, next), or a list of them');
  return given as RouteConfig;
}

/** What is written to a response of Node's is gone before anybody could keep it. */
function cacheOf(cache: RouteConfig['cache'], routes: readonly Declared[], fail: Fail): RouteConfig['cache'] {
  if (cache === undefined) return undefined;
  const kept = routes.filter(({ method }) => CACHED.includes(method));
  if (kept.length === 0) fail('has config.cache, which keeps replies of GET, and answers no GET');
  if (kept.some(({ run }) => 'handler' in run && run.handler.length > 1))
    fail('has config.cache, which keeps what handlers (c) return, and a handler (req, res)');
  try {
    checkCache('config.cache', cache);
  } catch (error) {
    fail((error as Error).message.replace('config.cache()', 'config.cache'));
  }
  return cache;
}

function pageOf(given: unknown, fail: Fail): PageHooks {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null) return fail('page is an object, { before, after }');
  for (const [key, hook] of Object.entries(given)) {
    if (!PAGE_KEYS.includes(key)) fail(`page has no ${key}. There are ${PAGE_KEYS.join(', ')}`);
    if ([hook].flat().some((one) => typeof one !== 'function')) fail(`page.${key} is a function, or a list of them`);
  }
  return given as PageHooks;
}

/** A name that is nearly one of a method's answers nothing, and nobody would be told. */
function suggest(name: string, fail: Fail): void {
  if (KNOWN.includes(name)) return;
  const meant =
    METHODS.find((method) => method === name.toUpperCase()) ?? (name === name.toUpperCase() ? nearest(name, METHODS) : undefined);
  if (meant !== undefined) fail(`exports ${name}, which is no method; ${meant} is meant?`);
}

function nothingFound(exports: ModuleExports): string {
  const names = Object.keys(exports);
  const what = names.length === 0 ? 'exports nothing' : `exports ${names.slice(0, 10).join(', ')}, and no route`;
  return `${what}: export GET, POST or another method, or a default handler. A file that is none begins with _`;
}

function checkTwice(routes: readonly Declared[], fail: Fail): void {
  const twice = routes.find(({ method }, at) => routes.findIndex((other) => other.method === method) !== at);
  if (twice !== undefined) fail(`has two handlers of ${twice.method === '*' ? 'all methods' : twice.method}`);
}

/** A file of one method (`users.get.ts`) answers no other. */
function ofMethod(routes: readonly Declared[], { method }: FileRoute, fail: Fail): readonly Declared[] {
  if (method === null) return routes;
  const other = routes.find((one) => one.method !== method && one.method !== '*');
  if (other !== undefined) fail(`answers ${method} by its name, and exports ${other.method}`);
  return routes.map((one) => ({ ...one, method }));
}
