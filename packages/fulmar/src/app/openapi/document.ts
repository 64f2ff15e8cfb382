/**
 * `openapi(app, options)`: the document of an app's routes, made when it is asked for. Express and Koa
 * applications that are mounted in it are there with path and method; functions of which nobody knows the routes
 * are not, nor are paths and methods that OpenAPI cannot say.
 */
import type { App } from '../app.ts';
import type { Route } from '../scope.ts';
import type { SocketHandler } from '../websocket/socket-route.ts';
import { type FoundRoute, routesOf } from '../registry/index.ts';
import { SchemaComponents } from './components.ts';
import type { Components, OpenApiDocument, OperationObject, ParameterObject } from './document-types.ts';
import { type Named, operationOf, type Shared } from './operation.ts';
import { OperationIds } from './operation-ids.ts';
import { checkDocumentOptions, type OpenApiOptions } from './options.ts';
import { foreignTemplatesOf, type Template, templatesOf } from './path-templates.ts';
import { ErrorResponses, replyOf } from './responses.ts';
import { SecuritySchemes } from './security.ts';

/** Those that 3.1 knows. */
const METHODS = new Set(['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE']);
/** What `all()` is said as. */
const ALL = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const SUBTREES = new Set(['fetch', 'http']);

/** @throws TypeError for options that are none, names that are there twice, schemas that cannot be said */
export function openapi(app: App, options: OpenApiOptions): OpenApiDocument {
  checkDocumentOptions('openapi', options);
  if (typeof (app as Partial<App> | undefined)?.describeRoutes !== 'function') {
    throw new TypeError('openapi() takes an app of fulmar, as createApp() makes it. An Express or Koa application is mounted in one.');
  }
  return new DocumentBuilder(app, options).build();
}

const isSocket = ({ route }: FoundRoute): boolean => (route?.hubOf ?? null) !== null;

/** OpenAPI has no word for a WebSocket, but for what its path answers to other requests. */
const pageBeside = (found: FoundRoute): FoundRoute[] =>
  (found.route?.given as Partial<SocketHandler> | undefined)?.answersRequests === true ? [{ ...found, method: 'GET' }] : [];

class DocumentBuilder {
  readonly #options: OpenApiOptions;
  readonly #found: readonly FoundRoute[];
  readonly #ids = new OperationIds();
  readonly #shared: Shared;
  readonly #versioned = new Set<object>();
  /** By a template without its names: two that differ in those alone are one path to OpenAPI. */
  readonly #paths = new Map<string, { readonly template: Template; readonly operations: Map<string, OperationObject> }>();

  constructor(app: App, options: OpenApiOptions) {
    this.#options = options;
    const found = routesOf(app);
    this.#found = found
      .filter(({ route, style }) => route?.options?.hidden !== true && !SUBTREES.has(style))
      .flatMap((one) => (isSocket(one) ? pageBeside(one) : [one]));
    const components = new SchemaComponents();
    const { settings } = app.describeRoutes();
    const schemaName = settings.format === 'problem' ? 'Problem' : 'SimpleError';
    const errors = new ErrorResponses(settings, schemaName);
    components.define(schemaName, errors.schema);
    const security = new SecuritySchemes(options.securitySchemes);
    const isSecured = (options.security ?? []).some((one) => Object.keys(one).length > 0);
    this.#shared = { components, errors, security, isSecured, toJsonSchema: options.toJsonSchema };
  }

  build(): OpenApiDocument {
    const { info, servers, security, tags, externalDocs } = this.#options;
    for (const { route, method, path } of this.#found) {
      const { operationId } = route?.options ?? {};
      if (operationId === undefined || this.#isVersionOfAnother(route)) continue;
      this.#ids.reserve(operationId, `${method} ${path}`);
    }
    this.#versioned.clear();
    // What is registered for one method goes before what is for all.
    for (const found of this.#found) if (found.method !== '*') this.#add(found, [found.method]);
    for (const found of this.#found) if (found.method === '*') this.#add(found, ALL);
    if (security !== undefined) this.#shared.security.check(security, 'openapi()');
    const components = this.#components();
    return {
      openapi: '3.1.1',
      info,
      ...(servers === undefined ? {} : { servers }),
      paths: this.#pathItems(),
      ...(Object.keys(components).length === 0 ? {} : { components }),
      ...(security === undefined ? {} : { security }),
      ...(tags === undefined ? {} : { tags }),
      ...(externalDocs === undefined ? {} : { externalDocs }),
    };
  }

  #add({ path, route }: FoundRoute, methods: readonly string[]): void {
    const templates = route === undefined ? foreignTemplatesOf(path) : templatesOf(path);
    let ordinal = this.#isVersionOfAnother(route) ? 1 : 0;
    for (const template of templates) {
      const { template: first, operations } = this.#pathOf(template);
      for (const method of methods) {
        if (!METHODS.has(method) || operations.has(method)) continue;
        const operationId = this.#ids.idOf(method, template, route?.options?.operationId, ordinal);
        ordinal += 1;
        const operation = this.#operationOf(route, { method, template, operationId });
        operations.set(method, renamed(operation, template, first));
      }
    }
  }

  /** A route of several versions whose paths tell them is one for each, with one name for all. */
  #isVersionOfAnother(route: Route | undefined): boolean {
    if (route === undefined || route.base === '' || route.options === null) return false;
    if (this.#versioned.has(route.options)) return true;
    this.#versioned.add(route.options);
    return false;
  }

  #pathOf(template: Template): { template: Template; operations: Map<string, OperationObject> } {
    const shape = template.text.replaceAll(/\{[^{}]*\}/g, '{}');
    const path = this.#paths.get(shape) ?? { template, operations: new Map<string, OperationObject>() };
    this.#paths.set(shape, path);
    return path;
  }

  #operationOf(route: Route | undefined, named: Named): OperationObject {
    if (route !== undefined) return operationOf(route, named, this.#shared);
    const parameters = named.template.names.map((name): ParameterObject => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    return {
      operationId: named.operationId,
      ...(parameters.length === 0 ? {} : { parameters }),
      responses: { 200: replyOf('200', undefined) },
    };
  }

  #pathItems(): OpenApiDocument['paths'] {
    const paths = [...this.#paths.values()].filter(({ operations }) => operations.size > 0);
    return Object.fromEntries(
      paths.map(({ template, operations }) => [
        template.text,
        Object.fromEntries([...operations].map(([method, operation]) => [method.toLowerCase(), operation])),
      ]),
    );
  }

  #components(): Components {
    const { components, errors, security } = this.#shared;
    const responses = errors.toJSON();
    const schemas = components.toJSON();
    if (Object.keys(responses).length === 0) delete schemas[errors.schemaName];
    const schemes = security.toJSON();
    return {
      ...(Object.keys(schemas).length === 0 ? {} : { schemas }),
      ...(Object.keys(responses).length === 0 ? {} : { responses }),
      ...(Object.keys(schemes).length === 0 ? {} : { securitySchemes: schemes }),
    };
  }
}

/** Parameters have the names of the path that they stand under. */
function renamed(operation: OperationObject, template: Template, first: Template): OperationObject {
  if (template === first || operation.parameters === undefined) return operation;
  const names = new Map(template.names.map((name, at) => [name, first.names[at] as string]));
  const parameters = operation.parameters.map((one) => (one.in === 'path' ? { ...one, name: names.get(one.name) as string } : one));
  return { ...operation, parameters };
}
