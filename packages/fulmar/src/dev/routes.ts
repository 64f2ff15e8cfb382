/**
 * The routes of this process as rows of the page, in the order in which applications registered them; where a
 * registration is not known, with the place of its handler.
 */
import { allRoutes } from '../app/registry/index.ts';
import { placesOf } from '../launch/function-places.ts';
import type { RouteRow } from './types.ts';

export function listRoutes(): RouteRow[] {
  const found = allRoutes();
  const places = placesOf(found.map(({ fn, place }) => (place === undefined ? fn : undefined)));
  return found.map(({ method, path, style, place, handler, schemas, middleware, host }, at) => {
    const of = places[at];
    return {
      method,
      path,
      style,
      place: place ?? (of === undefined ? undefined : `${of.file}:${of.line}`),
      handler,
      schemas,
      middleware,
      ...(host === undefined ? {} : { host }),
    };
  });
}
