/**
 * The routes of a Koa application: those of every router of `@koa/router` or `koa-router` among its middleware,
 * known by what they show. An application without one is a subtree.
 */
import type { FoundRoute } from './entry-types.ts';

export interface KoaLike {
  readonly middleware: readonly unknown[];
  callback(): unknown;
}

interface KoaLayer {
  readonly path: unknown;
  readonly methods: readonly string[];
  readonly stack?: unknown;
  readonly regexp?: unknown;
}

/** More methods than anybody names one by one: `router.all()` registers each that there is. */
const ALL_FROM = 25;

export const isKoa = (app: unknown): app is KoaLike =>
  typeof app === 'object' &&
  app !== null &&
  Array.isArray((app as Partial<KoaLike>).middleware) &&
  typeof (app as Partial<KoaLike>).callback === 'function';

export function routesOfKoa({ middleware }: KoaLike, base: string, around: readonly string[]): FoundRoute[] {
  const before = [...around];
  const found: FoundRoute[] = [];
  for (const one of middleware) {
    const layers = (one as { router?: { stack?: unknown } }).router?.stack;
    if (!Array.isArray(layers)) before.push(nameOf(one));
    // `allowedMethods()` of some versions shows its router as well: each is read once.
    else if (nameOf(one) !== 'allowedMethods') found.push(...routesOfRouter(layers as KoaLayer[], base, before));
  }
  if (found.length > 0 || middleware.length === 0) return found;
  const fn = middleware.at(-1);
  const path = `${base}/*`;
  return [{ method: '*', path, style: 'koa', handler: nameOf(fn), schemas: [], middleware: before.slice(0, -1), place: undefined, fn }];
}

const nameOf = (fn: unknown): string => (typeof fn === 'function' ? fn.name : '');

/** A layer without methods is middleware of the router, for what its pattern matches behind it. */
function routesOfRouter(layers: readonly KoaLayer[], base: string, around: readonly string[]): FoundRoute[] {
  return layers.flatMap((layer, at) => {
    const before = layers.slice(0, at).filter(({ methods, regexp }) => methods.length === 0 && matches(regexp, layer.path));
    return routesOf(layer, base, [...around, ...before.flatMap(({ stack }) => handlersOf(stack).map(nameOf))]);
  });
}

/** Parameters of a path are text like any other to a prefix. */
const matches = (regexp: unknown, path: unknown): boolean =>
  regexp instanceof RegExp && typeof path === 'string' && path.search(regexp) >= 0;

const handlersOf = (stack: unknown): readonly unknown[] => (Array.isArray(stack) ? stack : []);

function routesOf({ path, methods, stack }: KoaLayer, base: string, around: readonly string[]): FoundRoute[] {
  const handlers = handlersOf(stack);
  const fn = handlers.at(-1);
  const text = String(path);
  const full = text === '' || text === '/' ? base || '/' : base + text;
  const middleware = [...around, ...handlers.slice(0, -1).map(nameOf)];
  const names = methods.length >= ALL_FROM ? ['*'] : methods.filter((method) => method !== 'HEAD' || !methods.includes('GET'));
  return names.map((method) => ({ method, path: full, style: 'koa', handler: nameOf(fn), schemas: [], middleware, place: undefined, fn }));
}
