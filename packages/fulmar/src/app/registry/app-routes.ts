/**
 * The routes of an app of ours, and what is mounted in it: Express and Koa applications with their own routes,
 * functions as a subtree. Asks the app; changes nothing of it.
 */
import type { DescribedApp } from '../app.ts';
import type { MountedHandler } from '../mount.ts';
import { middlewareOf } from '../route-run.ts';
import type { Route } from '../scope.ts';
import type { FoundRoute, RouteStyle, SchemaPlace } from './entry-types.ts';
import { isExpress, mountOf, routesOfExpress } from './express-routes.ts';
import { isKoa, routesOfKoa } from './koa-routes.ts';

export interface AppLike {
  describeRoutes(): DescribedApp;
}

const PLACES: readonly SchemaPlace[] = ['params', 'query', 'headers', 'cookies', 'body', 'response'];

/** A handler of ours in the place of a function of the application's; `null`: of none, and nothing to be listed. */
export interface Placeholder {
  readonly standsFor?: unknown;
}

/** In the place of a method. */
const WEBSOCKET = 'WS';

export const isApp = (app: unknown): app is AppLike =>
  typeof app === 'object' && app !== null && typeof (app as Partial<AppLike>).describeRoutes === 'function';

/** What is mounted, for whoever must not list it once more. */
export type Mounted = Set<unknown>;

/** `others`: applications of this process, among which are those that are mounted in a mounted one. */
export function routesOfApp(app: AppLike, others: readonly unknown[], mounted: Mounted): FoundRoute[] {
  return app.describeRoutes().routes.flatMap((route) => {
    const handler = route.given as (Partial<MountedHandler> & Placeholder) | undefined;
    if (handler?.standsFor === null) return [];
    return handler !== undefined && 'mounted' in handler ? routesOfMount(route, others, mounted) : [toFound(route)];
  });
}

function toFound(route: Route): FoundRoute {
  const { method, path, options, given, place, hubOf } = route;
  return {
    method: hubOf === null ? method : WEBSOCKET,
    path,
    ...boundsOf(route),
    style: 'app',
    handler: nameOf(given),
    schemas: PLACES.filter((name) => options?.[name] !== undefined),
    middleware: middlewareOf(route).map(nameOf),
    place: place?.text,
    fn: (given as Placeholder).standsFor ?? given,
    route,
  };
}

function boundsOf({ host, versions, base }: Route): Pick<FoundRoute, 'host' | 'versions'> {
  return { ...(host === null ? {} : { host: host.text }), ...(versions === null || base !== '' ? {} : { versions }) };
}

/** A prefix has two routes, one for what is at it and one for what is below: the second stands for both. */
function routesOfMount(route: Route, others: readonly unknown[], mounted: Mounted): FoundRoute[] {
  if (!route.path.endsWith('/*')) return [];
  const { mounted: target, style } = route.given as MountedHandler;
  const base = route.path.slice(0, -2);
  const around = middlewareOf(route).map(nameOf);
  mounted.add(target);
  if (isKoa(target)) return orSubtree(route, 'koa', routesOfKoa(target, base, around));
  if (isExpress(target)) {
    const inner = others.filter((one) => one !== target && isExpress(one) && mountOf(one).root === target);
    for (const one of inner) mounted.add(one);
    const nested = inner.flatMap((one) => (isExpress(one) ? routesOfExpress(one, base + mountOf(one).base, around) : []));
    return orSubtree(route, 'express', [...routesOfExpress(target, base, around), ...nested]);
  }
  return [subtree(route, style === 'fetch' ? 'fetch' : 'http')];
}

const orSubtree = (route: Route, style: RouteStyle, found: FoundRoute[]): FoundRoute[] =>
  found.length > 0 ? found : [subtree(route, style)];

function subtree(route: Route, style: RouteStyle): FoundRoute {
  const { mounted } = route.given as MountedHandler;
  const { method, path, place } = route;
  return {
    method,
    path,
    ...boundsOf(route),
    style,
    handler: nameOf(mounted),
    schemas: [],
    middleware: middlewareOf(route).map(nameOf),
    place: place?.text,
    fn: mounted,
  };
}

const nameOf = (fn: unknown): string => (typeof fn === 'function' ? fn.name : '');
