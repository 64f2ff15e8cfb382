/**
 * A route as an operation of a document: what its class and its method say, together.
 */
import type { DeclaredRoute } from '../application/routes.ts';
import { KEYS } from '../metadata/keys.ts';
import { read } from '../metadata/reflect.ts';
import { HttpStatus, RequestMethod } from '../enums.ts';
import type { Type } from '../nest-types.ts';
import { API } from './keys.ts';
import { type Given, only, resolved, said, typeName, without } from './given.ts';
import { parametersOfRoute } from './parameters.ts';
import { describedBy, optionsOf, responsesOfSchemas } from './route-schemas.ts';
import type { Schemas } from './schemas.ts';

const JSON_TYPE = 'application/json';
const BUILT_IN: ReadonlySet<unknown> = new Set([String, Number, Boolean, Object, Array]);

export interface OperationRules {
  /** A controller without tags has its own name for one. */
  readonly autoTagControllers: boolean;
}

export function operationOf({ wrapper, name }: DeclaredRoute, operationId: string, schemas: Schemas, rules: OperationRules): Given {
  const controller = wrapper.metatype as Type;
  const prototype = controller.prototype as Record<string, Function>;
  const method = prototype[name] as Function;
  const models = [...(read<unknown[]>(API.extraModels, controller) ?? []), ...(read<unknown[]>(API.extraModels, method) ?? [])];
  for (const model of models) schemas.add(model);
  const all = [...(read<Given[]>(API.headers, controller) ?? []), ...parametersOfRoute(prototype, name, schemas)];
  const body = all.find((one) => one['in'] === 'body');
  const types = (key: string): string[] => [...new Set([read<string[]>(key, controller) ?? [], read<string[]>(key, method) ?? []].flat())];
  const tags = [...tagsOf(controller, rules), ...(read<string[]>(API.tags, method) ?? [])];
  const security = [...(read<Given[]>(API.security, controller) ?? []), ...(read<Given[]>(API.security, method) ?? [])];
  return {
    operationId,
    parameters: all.filter((one) => one !== body),
    ...(body !== undefined && { requestBody: contentOf(body, types(API.consumes)) }),
    responses: responsesOf(controller, name, types(API.produces), schemas),
    ...(tags.length > 0 && { tags }),
    ...(security.length > 0 && { security }),
    // Its tags go before all others.
    ...describedBy(optionsOf(controller, name)),
    ...read<Given>(API.operation, method),
  };
}

function tagsOf(controller: Type, { autoTagControllers }: OperationRules): readonly string[] {
  const own = read<string[]>(API.tags, controller) ?? [];
  return own.length > 0 || !autoTagControllers ? own : [controller.name.replace(/Controller$/, '')];
}

function contentOf(body: Given, consumes: readonly string[]): Given {
  return {
    ...without(body, 'in', 'name', 'schema', 'examples', 'encoding'),
    content: wrapped(only(body, 'schema', 'examples', 'encoding'), consumes),
  };
}

const wrapped = (media: Given, types: readonly string[]): Given =>
  Object.fromEntries((types.length === 0 ? [JSON_TYPE] : types).map((type) => [type, media]));

function responsesOf(controller: Type, name: string, produces: readonly string[], schemas: Schemas): Given {
  const all = (target: Function): Given | undefined => {
    const found = read<Record<string, Given>>(API.responses, target);
    if (found === undefined) return undefined;
    return Object.fromEntries(Object.entries(found).map(([status, one]) => [status, responseOf(one, produces, schemas)]));
  };
  const method = (controller.prototype as Record<string, Function>)[name] as Function;
  const ofSchemas = responsesOfSchemas(controller, name, statusOf(method), schemas);
  const decorated = all(method);
  if (Object.keys(ofSchemas).length > 0) return { ...all(controller), ...ofSchemas, ...decorated };
  const own = decorated ?? { [statusOf(method)]: { description: '' } };
  return { ...all(controller), ...own };
}

function statusOf(method: Function): number {
  return (
    read<number>(KEYS.httpCode, method) ?? (read<number>(KEYS.method, method) === RequestMethod.POST ? HttpStatus.CREATED : HttpStatus.OK)
  );
}

function responseOf(given: Given, produces: readonly string[], schemas: Schemas): Given {
  const rest = said(without(given, 'type', 'isArray', 'schema', 'example', 'examples', 'nullable'));
  const examples = only(given, 'example', 'examples');
  const schema = schemaOf(given, schemas);
  if (schema === undefined && Object.keys(examples).length === 0) return rest;
  return { ...rest, content: wrapped(said({ schema, ...examples }), produces) };
}

function schemaOf(given: Given, schemas: Schemas): Given | undefined {
  const type = resolved(given['type']);
  if (type === undefined) return given['schema'] as Given | undefined;
  const isReference = typeof type === 'function' && !BUILT_IN.has(type);
  const one: Given = isReference ? schemas.reference(type) : { type: typeName(type) };
  const isNullable = given['nullable'] === true;
  if (given['isArray'] === true) return { type: 'array', items: one, ...(isNullable && { nullable: true }) };
  if (!isNullable) return one;
  return isReference ? { nullable: true, type: 'object', allOf: [one] } : { ...one, nullable: true };
}
