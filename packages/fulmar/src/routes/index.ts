/**
 * `fulmar/routes`: the files of a folder as routes of an app.
 */
import { useCache } from './cache/use-cache.ts';
import { createRoutes } from './create-routes.ts';
import { createProject } from './project/create-project.ts';
import { defineConfig } from './project/define-config.ts';
import { createStore, store } from './store.ts';
import { zelyMiddleware } from './zely/middleware.ts';
import { RouteFileError } from './files/route-file-error.ts';
import { ALL, defineRoute, DELETE, GET, HEAD, middleware, OPTIONS, PATCH, POST, PUT } from './module/define.ts';

export default {
  ALL,
  DELETE,
  GET,
  HEAD,
  OPTIONS,
  PATCH,
  POST,
  PUT,
  RouteFileError,
  createProject,
  createRoutes,
  createStore,
  defineConfig,
  defineRoute,
  middleware,
  store,
  useCache,
  zelyMiddleware,
};
export {
  ALL,
  createProject,
  createRoutes,
  createStore,
  defineConfig,
  defineRoute,
  DELETE,
  GET,
  HEAD,
  middleware,
  OPTIONS,
  PATCH,
  POST,
  PUT,
  RouteFileError,
  store,
  useCache,
  zelyMiddleware,
};
export type { RoutesOptions } from './create-routes.ts';
export type { Project, ProjectOptions } from './project/create-project.ts';
export type {
  BuildInfo,
  ConfigEnvironment,
  ConfigFunction,
  FoundRoute,
  FulmarConfig,
  MiddlewaresConfig,
  ProjectCommand,
  ProjectPlugin,
  ResolvedConfig,
  RoutesConfig,
  StaticFolder,
} from './project/config-types.ts';
export type { KeepOptions, LoadOptions, Store, StoreOptions } from './store.ts';
export type { CacheOptions } from './cache/options.ts';
export type { ZelyMiddleware } from './zely/middleware.ts';
export type { RouteContext, RouteParams } from './module/context-types.ts';
export type { PageHooks, ReplyFields, RouteConfig, RouteDefinition, RouteHandler, RouteMethod } from './module/define.ts';
