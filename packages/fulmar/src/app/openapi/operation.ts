/**
 * One route of an app of ours as an operation of a document: its schemas as parameters, content and responses.
 */
import type { Route } from '../scope.ts';
import { middlewareOf } from '../route-run.ts';
import type { RouteOptions } from '../route-types.ts';
import type { SchemaComponents } from './components.ts';
import type { JsonSchema, OperationObject, ParameterObject, Reference, RequestBody, ResponseObject } from './document-types.ts';
import { parametersOf, pathParameters } from './parameters.ts';
import type { Template } from './path-templates.ts';
import { type ErrorResponses, replyOf, responseSchemas } from './responses.ts';
import { type Side, type ToJsonSchema, toJsonSchema } from './schema-source.ts';
import { isSchema } from '../standard-schema.ts';
import type { SecuritySchemes } from './security.ts';

/** What all operations of a document share. */
export interface Shared {
  readonly components: SchemaComponents;
  readonly errors: ErrorResponses;
  readonly security: SecuritySchemes;
  /** Is there something that all operations need? */
  readonly isSecured: boolean;
  readonly toJsonSchema: ToJsonSchema | undefined;
}

export interface Named {
  readonly method: string;
  readonly template: Template;
  readonly operationId: string;
}

export function operationOf(route: Route, { method, template, operationId }: Named, shared: Shared): OperationObject {
  const options = route.options ?? {};
  const where = `${method} ${route.path}${route.place === undefined ? '' : ` (${route.place})`}`;
  const schemaOf = (given: unknown, place: string, side: Side): JsonSchema | undefined => {
    if (given === undefined) return undefined;
    const name = operationId.charAt(0).toUpperCase() + operationId.slice(1) + place;
    const json = toJsonSchema(given, side, `${place.toLowerCase()} of ${where}`, shared.toJsonSchema);
    return shared.components.add(json, name, side === 'input' ? 'Input' : 'Output');
  };
  const parameters = allParameters(options, template, { schemaOf, components: shared.components });
  const body = schemaOf(options.body, 'Body', 'input');
  const security = securityOf(route, shared, where);
  const replies = responseSchemas(options).map(([status, given]): [string, ResponseObject] => [
    status,
    replyOf(status, schemaOf(given, `Reply${status === '200' ? '' : status}`, 'output')),
  ]);
  return {
    operationId,
    ...described(options),
    ...(security === undefined ? {} : { security }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: contentOf(options.body, body, shared.components) }),
    responses: allResponses(
      replies,
      options,
      shared,
      security === undefined ? shared.isSecured : security.some((one) => Object.keys(one).length > 0),
    ),
  };
}

function described({
  tags,
  summary,
  description,
  deprecated,
}: RouteOptions): Pick<OperationObject, 'tags' | 'summary' | 'description' | 'deprecated'> {
  return {
    ...(tags === undefined ? {} : { tags }),
    ...(summary === undefined ? {} : { summary }),
    ...(description === undefined ? {} : { description }),
    ...(deprecated === true ? { deprecated } : {}),
  };
}

interface Schemas {
  readonly schemaOf: (given: unknown, place: string, side: Side) => JsonSchema | undefined;
  readonly components: SchemaComponents;
}

function allParameters(
  { params, query, headers, cookies }: RouteOptions,
  template: Template,
  { schemaOf, components }: Schemas,
): ParameterObject[] {
  return [
    ...pathParameters(template, schemaOf(params, 'Params', 'input'), components),
    ...parametersOf('query', schemaOf(query, 'Query', 'input'), components),
    ...parametersOf('header', schemaOf(headers, 'Headers', 'input'), components),
    ...parametersOf('cookie', schemaOf(cookies, 'Cookies', 'input'), components),
  ];
}

/** A route's own word, else what its middleware needs. */
function securityOf(route: Route, { security }: Shared, where: string): OperationObject['security'] {
  const needed = security.needed(middlewareOf(route));
  const own = route.options?.security;
  if (own === undefined) return needed === undefined ? undefined : [needed];
  security.check(own, where);
  return own;
}

/** An object may come as a form, too. */
function contentOf(given: unknown, schema: JsonSchema, components: SchemaComponents): RequestBody {
  const { type, properties } = components.resolve(schema);
  const media = { schema };
  const isForm = type === 'object' || properties !== undefined;
  return {
    ...(isOptional(given) ? {} : { required: true }),
    content: { 'application/json': media, ...(isForm ? { 'application/x-www-form-urlencoded': media } : {}) },
  };
}

/** No content is `undefined` to the schema: JSON Schema has no word for what it says to that. */
function isOptional(schema: unknown): boolean {
  if (!isSchema(schema)) return false;
  try {
    const result = schema['~standard'].validate(undefined);
    if (result instanceof Promise) result.catch(() => undefined);
    return !(result instanceof Promise) && result.issues === undefined;
  } catch {
    return false;
  }
}

function allResponses(
  replies: readonly [string, ResponseObject][],
  { params, query, headers, cookies, body }: RouteOptions,
  { errors }: Shared,
  secured: boolean,
): Record<string, ResponseObject | Reference> {
  const input = [params, query, headers, cookies, body].some((schema) => schema !== undefined);
  const hasSuccess = replies.some(([status]) => status < '4');
  const success: [string, ResponseObject][] = hasSuccess ? [] : [['200', replyOf('200', undefined)]];
  // A status that the application has a schema for is its own.
  return Object.fromEntries([...success, ...errors.of({ input, body: body !== undefined, secured }), ...replies]);
}
