/**
 * The part of a JSON Schema that speaks of arrays or of objects. What their members are is read by whoever
 * asks, so that this file knows nothing of references and combinations.
 */
import {
  ANY,
  type ArrayShape,
  type ContainsRule,
  type IndexRule,
  NEVER,
  type ObjectShape,
  type Property,
  type Shape,
  type TupleShape,
} from '../shape.ts';
import { describe, isObject, readCount, readFlag, readMap, readTexts, type SchemaObject } from './keywords.ts';
import { SchemaError, step } from './schema-error.ts';
import { compact, patternText } from './typed.ts';

/** Reads a schema that stands at a pointer. */
export type ReadSchema = (schema: unknown, pointer: string) => Shape;

export function arrayOf(schema: SchemaObject, pointer: string, read: ReadSchema): ArrayShape | TupleShape {
  const { items, prefixItems, additionalItems } = schema;
  const places = prefixItems ?? (Array.isArray(items) ? (items as unknown[]) : undefined);
  const rules = {
    minItems: readCount(schema, 'minItems', pointer),
    maxItems: readCount(schema, 'maxItems', pointer),
    unique: readFlag(schema, 'uniqueItems', pointer) === true ? true : undefined,
    contains: containsOf(schema, pointer, read),
  };
  const key = Array.isArray(items) ? 'additionalItems' : 'items';
  const others = Array.isArray(items) ? additionalItems : items;
  const rest = others === undefined ? ANY : read(others, pointer + step(key));
  if (places === undefined) return compact({ kind: 'array', items: rest, ...rules });
  const name = prefixItems === undefined ? 'items' : 'prefixItems';
  if (!Array.isArray(places)) throw new SchemaError(pointer + step(name), `${name} is a list of schemas, and this is ${describe(places)}.`);
  const found = places.map((place: unknown, at) => ({ shape: read(place, pointer + step(name) + step(at)), optional: true }));
  return compact({ kind: 'tuple', items: found, rest: rest.kind === 'never' ? undefined : rest, ...rules });
}

function containsOf(schema: SchemaObject, pointer: string, read: ReadSchema): ContainsRule | undefined {
  const { contains } = schema;
  const min = readCount(schema, 'minContains', pointer) ?? 1;
  const max = readCount(schema, 'maxContains', pointer);
  if (contains === undefined) return undefined;
  return compact({ shape: read(contains, pointer + step('contains')), min, max });
}

export function objectOf(schema: SchemaObject, pointer: string, read: ReadSchema): ObjectShape {
  const index = indexOf(schema, pointer, read);
  const { additionalProperties } = schema;
  const others = additionalProperties === undefined ? ANY : read(additionalProperties, pointer + step('additionalProperties'));
  const { requires, whenPresent } = dependenciesOf(schema, pointer, read);
  return compact({
    kind: 'object',
    properties: propertiesOf(schema, pointer, { read, index, others }),
    index: index.length === 0 ? undefined : index,
    unknown: others.kind === 'any' ? 'keep' : others.kind === 'never' ? unknownOf(schema, pointer) : others,
    minProperties: readCount(schema, 'minProperties', pointer),
    maxProperties: readCount(schema, 'maxProperties', pointer),
    names: schema['propertyNames'] === undefined ? undefined : read(schema['propertyNames'], pointer + step('propertyNames')),
    requires: requires.length === 0 ? undefined : requires,
    whenPresent: whenPresent.length === 0 ? undefined : whenPresent,
  });
}

/** `x-unknown: 'strip'` beside `additionalProperties: false`: unknown members are left out, and no error. */
function unknownOf(schema: SchemaObject, pointer: string): 'strip' | 'reject' {
  const given = schema['x-unknown'];
  if (given === undefined) return 'reject';
  if (given === 'strip') return 'strip';
  throw new SchemaError(pointer + step('x-unknown'), `x-unknown is 'strip', and this is ${describe(given)}.`);
}

interface Around {
  readonly read: ReadSchema;
  readonly index: readonly IndexRule[];
  /** What `additionalProperties` says: also of names that are required and have no schema of their own. */
  readonly others: Shape;
}

function propertiesOf(schema: SchemaObject, pointer: string, { read, index, others }: Around): Property[] {
  const given = readMap(schema, 'properties', pointer) ?? {};
  const required = new Set(readTexts(schema, 'required', pointer));
  const properties = Object.entries(given).map(([name, one]): Property => {
    const shape = read(one, pointer + step('properties') + step(name));
    return { name, shape, presence: required.has(name) ? 'required' : 'optional' };
  });
  const patterns = index.flatMap(({ key }) => (key.kind === 'string' ? (key.patterns ?? []) : []));
  for (const name of required) {
    if (Object.hasOwn(given, name)) continue;
    const isPatterned = patterns.some(({ source, flags }) => RegExp(source, flags).test(name));
    properties.push({ name, shape: isPatterned ? ANY : others.kind === 'never' ? NEVER : others, presence: 'required' });
  }
  return properties;
}

function indexOf(schema: SchemaObject, pointer: string, read: ReadSchema): IndexRule[] {
  return Object.entries(readMap(schema, 'patternProperties', pointer) ?? {}).map(([source, one]) => {
    const at = pointer + step('patternProperties') + step(source);
    return { key: { kind: 'string', patterns: [patternText(source, at)] }, value: read(one, at) };
  });
}

type Dependencies = Required<Pick<ObjectShape, 'requires' | 'whenPresent'>>;

/** `dependentRequired`, `dependentSchemas`, and draft-07's `dependencies`, which is both. */
function dependenciesOf(
  schema: SchemaObject,
  pointer: string,
  read: ReadSchema,
): { [Name in keyof Dependencies]: NonNullable<Dependencies[Name]> } {
  const requires: { name: string; others: readonly string[] }[] = [];
  const whenPresent: { name: string; shape: Shape }[] = [];
  for (const key of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    for (const [name, one] of Object.entries(readMap(schema, key, pointer) ?? {})) {
      const at = pointer + step(key) + step(name);
      const isList = Array.isArray(one);
      if (isList && key !== 'dependentSchemas')
        requires.push({ name, others: readTexts({ [name]: one }, name, pointer + step(key)) ?? [] });
      else if (key === 'dependentRequired') throw new SchemaError(at, `a list of names is expected, and this is ${describe(one)}.`);
      else whenPresent.push({ name, shape: read(one, at) });
    }
  }
  return { requires, whenPresent };
}

/** Keywords beside which nobody can tell, before there is a value, what is evaluated. */
const UNTOLD = ['anyOf', 'oneOf', 'if', 'dependentSchemas', 'dependencies'];

/**
 * `unevaluatedProperties` as an object that knows the names of all schemas beside it. @throws SchemaError
 * where these depend on the value
 */
export function unevaluatedOf(
  schema: SchemaObject,
  pointer: string,
  follow: (schema: SchemaObject, pointer: string) => unknown,
): SchemaObject | null {
  const names: Record<string, unknown> = {};
  const patterns: Record<string, unknown> = {};
  const waiting: unknown[] = [schema];
  const seen = new Set<unknown>();
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (!isObject(one) || seen.has(one)) continue;
    seen.add(one);
    const untold = UNTOLD.find((key) => (one as SchemaObject)[key] !== undefined);
    if (untold !== undefined)
      throw new SchemaError(
        pointer + step('unevaluatedProperties'),
        `beside ${untold} it depends on the value; write additionalProperties into the schemas there.`,
      );
    const { additionalProperties, unevaluatedProperties } = one;
    if (additionalProperties !== undefined || (one !== schema && unevaluatedProperties !== undefined)) return null;
    for (const name of Object.keys(readMap(one, 'properties', pointer) ?? {})) Object.defineProperty(names, name, ALWAYS);
    for (const source of Object.keys(readMap(one, 'patternProperties', pointer) ?? {})) Object.defineProperty(patterns, source, ALWAYS);
    if (Array.isArray(one['allOf'])) waiting.push(...(one['allOf'] as unknown[]));
    if (one['$ref'] !== undefined) waiting.push(follow(one, pointer));
  }
  return { properties: names, patternProperties: patterns, additionalProperties: schema['unevaluatedProperties'] };
}

/** A member that may be called `__proto__`. */
const ALWAYS: PropertyDescriptor = { value: true, enumerable: true, configurable: true, writable: true };
