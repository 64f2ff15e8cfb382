/**
 * Every route of this process, or of one application, in one list: apps of ours, Express and Koa applications,
 * plain listeners of servers. They are noted when they are made (`host/applications.ts`) and read here, when
 * somebody asks: by `fulmar routes`, by `fulmar bench`, by documents of OpenAPI. Never runs a handler.
 */
import { knownApplications } from '../../host/applications.ts';
import { readGlobal } from '../../host/globals.ts';
import { isApp, routesOfApp } from './app-routes.ts';
import type { FoundRoute } from './entry-types.ts';
import { isExpress, mountOf, routesOfExpress } from './express-routes.ts';
import { isKoa, routesOfKoa } from './koa-routes.ts';

export type { FoundRoute, ListedRoute, RouteStyle, SchemaPlace } from './entry-types.ts';

/** The routes of one application with all that is mounted in it. @throws TypeError for what is none */
export function routesOf(app: unknown): FoundRoute[] {
  const others = knownApplications();
  if (isApp(app)) return routesOfApp(app, others, new Set());
  if (isKoa(app)) return routesOfKoa(app, '', []);
  if (!isExpress(app)) throw new TypeError('Routes are those of an app, an Express application or a Koa application.');
  const inner = others.filter((one) => one !== app && isExpress(one) && mountOf(one).root === app);
  return [...routesOfExpress(app, '', []), ...inner.flatMap((one) => (isExpress(one) ? routesOfExpress(one, mountOf(one).base, []) : []))];
}

/** Those of all applications there are, in the order in which these were made. `more`: those that are not noted. */
export function allRoutes(more: readonly object[] = []): FoundRoute[] {
  const all = [...new Set([...knownApplications(), ...more, ...((readGlobal('fulmar.servers') ?? []) as Iterable<object>)])];
  const mounted = new Set<unknown>();
  // First, as they tell what is mounted in them.
  const ofApps = new Map(
    all.filter(isApp).flatMap((app) => (app.describeRoutes().isPart ? [] : [[app as unknown, routesOfApp(app, all, mounted)] as const])),
  );
  return all.flatMap((app) => {
    if (mounted.has(app)) return [];
    if (isExpress(app)) return routesOfExpress(app, mountOf(app).base, []);
    if (isKoa(app)) return routesOfKoa(app, '', []);
    return ofApps.get(app) ?? (isServer(app) ? routesOfServer(app, all) : []);
  });
}

interface ServerLike {
  listeners(event: string): unknown[];
}

const isServer = (app: object): app is ServerLike =>
  typeof (app as { listeners?: unknown }).listeners === 'function' &&
  typeof (app as { listen?: unknown }).listen === 'function' &&
  !isKoa(app);

/** Listeners that are not one of the applications: what they do with a request nobody can tell. */
function routesOfServer(server: ServerLike, apps: readonly object[]): FoundRoute[] {
  const isKoas = (fn: Function): boolean => fn.name === 'handleRequest' && apps.some(isKoa);
  // The app's own listener is marked by a symbol, and nothing else is.
  const isApps = (fn: Function): boolean =>
    Object.getOwnPropertySymbols(fn).some(({ description }) => description === 'fulmar.exchangeListener');
  return server.listeners('request').flatMap((fn) => {
    if (typeof fn !== 'function' || isExpress(fn) || isKoas(fn) || isApps(fn)) return [];
    return [{ method: '*', path: '/*', style: 'http', handler: fn.name, schemas: [], middleware: [], place: undefined, fn }];
  });
}
