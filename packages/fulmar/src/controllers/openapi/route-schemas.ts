/**
 * What schemas say in a document: those of a route's options, those that parameters are given, and the types of a class with
 * `@typed()`. Decorators of documents go before.
 */
import { toJsonSchema } from '../../app/openapi/schema-source.ts';
import { INPUTS, type InputPlace, schemaOf } from '../../app/route-options.ts';
import type { RouteOptions } from '../../app/route-types.ts';
import { isSchema } from '../../app/standard-schema.ts';
import { isThenable } from '../../host/thenable.ts';
import { parametersOf } from '../decorators/parameters.ts';
import type { RouteMethodOptions } from '../decorators/routes.ts';
import { KEYS } from '../metadata/keys.ts';
import { read, readOwn } from '../metadata/reflect.ts';
import { typedParametersOf } from '../metadata/typed.ts';
import type { Type } from '../nest-types.ts';
import { SCHEMA_PLACES } from '../pipeline/arguments.ts';
import { routeOptionsOf } from '../pipeline/schemas.ts';
import type { Given } from './given.ts';
import type { Schemas } from './schemas.ts';

const IN: Readonly<Record<InputPlace, string>> = { params: 'path', query: 'query', headers: 'header', cookies: 'cookie', body: 'body' };

/** Options of a route, with its schemas as they are used. */
export function optionsOf(controller: Type, name: string): RouteOptions {
  const method = (controller.prototype as Record<string, Function>)[name] as Function;
  const given = readOwn<RouteMethodOptions>(KEYS.routeOptions, method);
  const place = { member: `${controller.name}.${name}`, method: read<number>(KEYS.method, method) ?? 0, path: name };
  return given === undefined ? {} : routeOptionsOf(given, place);
}

export function parametersOfSchemas(controller: Type, name: string, schemas: Schemas): Given[] {
  const where = `${controller.name}.${name}()`;
  const options = optionsOf(controller, name);
  const ofRoute = INPUTS.flatMap((place) => {
    const schema = options[place];
    return schema === undefined ? [] : entries(place, '', schema, { where, schemas });
  });
  const typed = typedParametersOf(controller, name);
  const own = parametersOf(controller.prototype as object, name).flatMap(({ kind, index, data, check }) => {
    const place = SCHEMA_PLACES.get(kind);
    const ofType = check === undefined ? typed?.[index] : undefined;
    const given = check ?? ofType?.schema;
    if (place === undefined || given === undefined) return [];
    const found = entries(place, typeof data === 'string' ? data : '', given, { where, schemas });
    return ofType?.isOptional === true ? found.map((one) => ({ ...one, required: place === 'params' })) : found;
  });
  return [...ofRoute, ...own.toReversed()];
}

interface Around {
  readonly where: string;
  readonly schemas: Schemas;
}

/** One for a body or a member that is named, else one for each member. */
function entries(place: InputPlace, name: string, given: unknown, { where, schemas }: Around): Given[] {
  const schema = schemaOf(given, place, (why) => new TypeError(`${place} of ${where} is no schema: ${why}`));
  const document = schemas.written(toJsonSchema(schema, 'input', where), `${toName(where)}_${name === '' ? place : name}`, 'Input');
  // Of one member of the content nothing is known of the rest.
  if (place === 'body') return name === '' ? [{ in: 'body', name: '', required: true, schema: document }] : [];
  if (name !== '') return [{ in: IN[place], name, required: place === 'params' || !takesNothing(schema), schema: document }];
  const { properties = {}, required = [] } = schemas.resolved(document) as {
    properties?: Readonly<Record<string, Given>>;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([member, { description, ...one }]) => ({
    in: IN[place],
    name: member,
    required: place === 'params' || required.includes(member),
    ...(description !== undefined && { description }),
    schema: one,
  }));
}

/** `Cats.add()` as part of a name. */
const toName = (where: string): string => where.replace('.', '_').replace('()', '');

/** A value that is not there fits. */
function takesNothing(schema: ReturnType<typeof schemaOf>): boolean {
  const result = schema['~standard'].validate(undefined);
  return !isThenable(result) && result.issues === undefined;
}

/** By status, of what the route says of its replies. */
export function responsesOfSchemas(controller: Type, name: string, status: number, schemas: Schemas): Record<string, Given> {
  const { response } = optionsOf(controller, name);
  if (response === undefined) return {};
  const all = isSchema(response) ? { [status]: response } : (response as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    Object.entries(all).map(([one, schema]) => {
      const where = `${controller.name}.${name}()`;
      const document = schemas.written(toJsonSchema(schema, 'output', where), `${toName(where)}_${one}`, 'Output');
      return [one, { description: '', content: { 'application/json': { schema: document } } }];
    }),
  );
}

/** What a document says of a route beside its schemas. */
export function describedBy({ summary, description, tags, deprecated, operationId, security }: RouteOptions): Given {
  const said = { summary, description, tags, deprecated, operationId, security };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}
