/**
 * The routes of a Koa application: those of every `@koa/router` (or koa-router) whose `routes()` is among its
 * middleware.
 */
import type { FoundRoute } from './probe-result.ts';

export interface KoaApp {
  readonly middleware: readonly KoaMiddleware[];
}

interface KoaMiddleware {
  readonly router?: { readonly stack?: readonly KoaLayer[] };
}

interface KoaLayer {
  readonly path: unknown;
  readonly methods: readonly string[];
}

export function routesOfKoa({ middleware }: KoaApp): FoundRoute[] {
  return middleware.flatMap(({ router }) => (Array.isArray(router?.stack) ? router.stack.flatMap(routesOf) : []));
}

/** A layer without methods is middleware of the router. */
function routesOf({ path, methods }: KoaLayer): FoundRoute[] {
  const text = String(path);
  const needsValues = typeof path !== 'string' || /[:*(){}[\]?+]/.test(text);
  return methods.map((method) => ({ method, path: text === '' ? '/' : text, needsValues }));
}
