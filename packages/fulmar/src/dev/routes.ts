/** The routes of this process as rows of the page, in the order in which applications registered them. */
import { allRoutes } from '../app/registry/index.ts';
import type { RouteRow } from './types.ts';

export function listRoutes(): RouteRow[] {
  return allRoutes().map(({ method, path, style, place, handler, schemas, middleware, host }) => ({
    method,
    path,
    style,
    place,
    handler,
    schemas,
    middleware,
    ...(host === undefined ? {} : { host }),
  }));
}
