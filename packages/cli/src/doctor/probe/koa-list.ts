/**
 * A Koa application as a list of middleware in order, and the routes of its `@koa/router` (or koa-router).
 */
import type { ApplicationFacts, MiddlewareFacts, RouteFacts } from '../protocol-types.ts';
import { recordOf, toHandlerFacts } from './handlers.ts';
import type { KoaApp } from './koa-watch.ts';

interface KoaLayer {
  readonly path: unknown;
  readonly methods: readonly string[];
}

export function describeKoa(app: KoaApp, id: string): ApplicationFacts {
  const middleware = app.middleware.map((fn, index): MiddlewareFacts => {
    const record = recordOf(fn, `${id}.${index}`);
    const kind = fn.router === undefined ? 'middleware' : 'router';
    return { ...toHandlerFacts(record), kind, path: '/', matching: { way: 'every path' } };
  });
  const routes = app.middleware.flatMap(({ router }) =>
    Array.isArray(router?.stack) ? (router.stack as KoaLayer[]).flatMap(toRoutes) : [],
  );
  const implementation = 'npm';
  return { id, framework: 'Koa', implementation, mountPath: '', routes, middleware, exposedStacks: [], settings: [] };
}

/** A layer without methods is middleware of the router. */
function toRoutes({ path, methods }: KoaLayer): RouteFacts[] {
  if (methods.length === 0) return [];
  const text = String(path);
  const needsValues = typeof path !== 'string' || /[:*(){}[\]?+]/.test(text);
  const matching = { way: 'tested', reason: 'the router is npm’s' } as const;
  return [{ methods, path: text === '' ? '/' : text, matching, handlers: [], needsValues }];
}
