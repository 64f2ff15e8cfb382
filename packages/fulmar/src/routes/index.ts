/**
 * `fulmar/routes`: the files of a folder as routes of an app.
 */
import { createRoutes } from './create-routes.ts';
import { RouteFileError } from './files/route-file-error.ts';
import { ALL, defineRoute, DELETE, GET, HEAD, middleware, OPTIONS, PATCH, POST, PUT } from './module/define.ts';

export default { ALL, DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, RouteFileError, createRoutes, defineRoute, middleware };
export { ALL, createRoutes, defineRoute, DELETE, GET, HEAD, middleware, OPTIONS, PATCH, POST, PUT, RouteFileError };
export type { RoutesOptions } from './create-routes.ts';
export type { PageHooks, ReplyFields, RouteConfig, RouteDefinition, RouteHandler, RouteMethod } from './module/define.ts';
