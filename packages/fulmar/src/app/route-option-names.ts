/** Names of all options of routes, for those who hand some of them on. What each may be is said in `route-options.ts`. */
import type { RouteOptions } from './route-types.ts';

/** One that is missing here does not compile. */
const NAMES: Readonly<Record<keyof RouteOptions, true>> = {
  params: true,
  query: true,
  headers: true,
  cookies: true,
  body: true,
  response: true,
  host: true,
  version: true,
  summary: true,
  tags: true,
  deprecated: true,
  description: true,
  operationId: true,
  security: true,
  hidden: true,
};

export const ROUTE_OPTIONS = Object.keys(NAMES) as readonly (keyof RouteOptions)[];
