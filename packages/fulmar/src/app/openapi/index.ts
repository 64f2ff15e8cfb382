/**
 * `fulmar/openapi`: what an app can do, as a document of OpenAPI 3.1, as routes that serve it, and as a list.
 */
import { openapi } from './document.ts';
import { listRoutes } from './list-routes.ts';
import { serveOpenapi } from './serve-openapi.ts';

export default { listRoutes, openapi, serveOpenapi };
export { openapi } from './document.ts';
export type {
  Components,
  InfoObject,
  JsonSchema,
  MediaType,
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  PathItem,
  RequestBody,
  ResponseObject,
  SecurityScheme,
  ServerObject,
  TagObject,
} from './document-types.ts';
export { listRoutes } from './list-routes.ts';
export type { OpenApiOptions } from './options.ts';
export type { ListedRoute, RouteStyle, SchemaPlace } from '../registry/index.ts';
export type { Side, ToJsonSchema } from './schema-source.ts';
export { serveOpenapi, type ServeOpenApiOptions } from './serve-openapi.ts';
