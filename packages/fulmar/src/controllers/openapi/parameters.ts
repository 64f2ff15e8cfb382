/**
 * The parameters of a controller's method in a document: those that decorators of parameters take, with what decorators
 * of documents say of them, and those that only the latter name.
 */
import { ParameterKind, parametersOf } from '../decorators/parameters.ts';
import { KEYS } from '../metadata/keys.ts';
import { read } from '../metadata/reflect.ts';
import { API } from './keys.ts';
import { type Given, only, resolved, said, typeName, unlisted, without } from './given.ts';
import type { Type } from '../nest-types.ts';
import { parametersOfSchemas } from './route-schemas.ts';
import { propertyNames, propertyOf, type Schemas } from './schemas.ts';

const PLACES = new Map<unknown, string>([
  [ParameterKind.body, 'body'],
  [ParameterKind.param, 'path'],
  [ParameterKind.query, 'query'],
  [ParameterKind.headers, 'header'],
]);
/** What of a parameter stands in its schema. */
const OF_SCHEMA = [
  'properties',
  'patternProperties',
  'additionalProperties',
  'minimum',
  'maximum',
  'maxProperties',
  'minItems',
  'minProperties',
  'maxItems',
  'minLength',
  'maxLength',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'uniqueItems',
  'multipleOf',
  'title',
  'format',
  'pattern',
  'nullable',
  'default',
  'example',
  'oneOf',
  'anyOf',
  'type',
  'items',
];
const OF_ITEMS = ['format', 'maximum', 'minimum', 'pattern'];

export function parametersOfRoute(prototype: object, name: string, schemas: Schemas): Given[] {
  const explicit = read<readonly Given[]>(API.parameters, (prototype as Record<string, Function>)[name] as Function) ?? [];
  const hasBody = explicit.some((one) => one['in'] === 'body');
  const ofSchemas = parametersOfSchemas(prototype.constructor as Type, name, schemas);
  const reflected = [...reflectedOf(prototype, name).filter((one) => !ofSchemas.some((other) => isSame(one, other))), ...ofSchemas]
    .filter((one) => !hasBody || one['in'] !== 'body')
    .map((one) => ({ ...one, ...explicit.find((other) => isSame(one, other)) }));
  const others = explicit.filter(
    (one, at) => !reflected.some((other) => isSame(one, other)) && explicit.findIndex((other) => isSame(one, other)) === at,
  );
  return [...reflected, ...others].map((one) => documented(one, schemas, name));
}

const isSame = (one: Given, other: Given): boolean => one['in'] === other['in'] && (one['in'] === 'body' || one['name'] === other['name']);

function reflectedOf(prototype: object, member: string): Given[] {
  const types = read<readonly unknown[]>(KEYS.parameterTypes, prototype, member) ?? [];
  // In the order of the method, the other way round than decorators run.
  return parametersOf(prototype, member)
    .toReversed()
    .flatMap(({ kind, index, data }) => {
      const place = PLACES.get(kind);
      const type = types[index];
      const name = typeof data === 'string' && data !== '' ? data : undefined;
      // One member of the content says nothing of the content; of an interface there is nothing at run time.
      if (place === undefined || type === undefined || type === Object || (place === 'body' && name !== undefined)) return [];
      if (name !== undefined || place === 'body') return [{ type, name: name ?? (type as Function).name, required: true, in: place }];
      const model = (type as Function).prototype as object;
      return propertyNames(model).map((key) => {
        const property = propertyOf(model, key);
        return { in: place, required: true, ...property, name: property['name'] ?? key };
      });
    });
}

function documented(given: Given, schemas: Schemas, member: string): Given {
  const { type, isArray } = unlisted(resolved(given['type']), given['isArray']);
  const one: Given = { ...given, type, isArray };
  if (typeof one['enumName'] === 'string') return withNamedEnum(one, one['enumName'], schemas);
  if (one['schema'] !== undefined || one['content'] !== undefined) return bare(one);
  const where = `${String(one['name'])} of ${member}()`;
  const isClass = typeof type === 'function' && ![String, Number, Boolean, Array, Object].includes(type as never);
  if (isClass && type !== Date && type !== BigInt) return { ...bare(one), schema: classSchema(one, schemas) };
  if (type === Array) return { ...bare(one), schema: { type: 'array', items: { type: 'string' } } };
  const schema = schemas.property(only(one, 'isArray', 'enum', ...OF_SCHEMA), where);
  if (isArray !== true) return { ...bare(one), schema: said({ ...without(schema, 'required'), type: typeName(schema['type']) }) };
  return { ...bare(one), schema: said({ ...without(schema, 'required') }) };
}

const bare = (one: Given): Given => said(without(one, 'isArray', 'enum', 'enumName', ...OF_SCHEMA.filter((name) => name !== 'schema')));

function classSchema(one: Given, schemas: Schemas): Given {
  const reference = schemas.reference(one['type']);
  if (one['isArray'] === true) return { type: 'array', items: { ...reference, ...only(one, ...OF_ITEMS) } };
  const more = one['in'] === 'body' ? {} : only(without(one, 'type', 'items'), ...OF_SCHEMA);
  return Object.keys(more).length === 0 ? reference : { ...more, allOf: [reference] };
}

function withNamedEnum(one: Given, enumName: string, schemas: Schemas): Given {
  const own = (one['schema'] ?? one) as Given;
  const items = own['items'] as Given | undefined;
  const { type = 'string', enum: values } = items ?? own;
  schemas.addEnum(enumName, { type, enum: values });
  const reference = { $ref: `#/components/schemas/${enumName}` };
  return { ...bare(one), schema: items === undefined ? reference : { type: 'array', items: reference } };
}
