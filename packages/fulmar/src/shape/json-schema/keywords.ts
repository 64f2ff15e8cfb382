/**
 * The keywords of JSON Schema: which there are, which of them hold schemas, and what the rest may be. Tables,
 * and how a keyword's value is read and checked. It never looks into a value that is no schema.
 */
import { SchemaError, step } from './schema-error.ts';

/** A schema that is no `true` and no `false`, as it was given. */
export type SchemaObject = Readonly<Record<string, unknown>>;

/** Keywords whose value is a schema. */
const ONE = ['additionalItems', 'additionalProperties', 'contains', 'else', 'if', 'items', 'not', 'propertyNames', 'then'];
const ONE_UNEVALUATED = ['unevaluatedItems', 'unevaluatedProperties'];
const ALL_OF_ONE = [...ONE, ...ONE_UNEVALUATED];
/** Whose value is a list of schemas; `items` of draft-07 may be one. */
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items'];
/** Whose value has schemas by name; `dependencies` also has lists of names. */
const MAPS = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties', 'dependencies'];

const ASSERTIONS = [
  'const',
  'dependentRequired',
  'discriminator',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxContains',
  'maximum',
  'maxItems',
  'maxLength',
  'maxProperties',
  'minContains',
  'minimum',
  'minItems',
  'minLength',
  'minProperties',
  'multipleOf',
  'nullable',
  'pattern',
  'required',
  'type',
  'uniqueItems',
];
const ANNOTATIONS = [
  '$anchor',
  '$comment',
  '$id',
  '$ref',
  '$schema',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'default',
  'deprecated',
  'description',
  'example',
  'examples',
  'externalDocs',
  'readOnly',
  'title',
  'writeOnly',
  'xml',
];
/** Of values that JSON has not, as TypeBox writes them. */
const TYPEBOX = ['source', 'flags', 'minByteLength', 'maxByteLength', 'minimumTimestamp', 'maximumTimestamp'];

const KEYWORDS: readonly string[] = [...new Set([...ALL_OF_ONE, ...LISTS, ...MAPS, ...ASSERTIONS, ...ANNOTATIONS, ...TYPEBOX])];
const KNOWN: ReadonlySet<string> = new Set(KEYWORDS);

/** Keywords that cannot be compiled, and what to write instead. */
const REFUSED: Readonly<Record<string, string>> = {
  $dynamicRef: '$dynamicRef depends on the way by which a schema is reached; write $ref.',
  $dynamicAnchor: '$dynamicAnchor is for $dynamicRef; write $anchor, and $ref where it is meant.',
  $recursiveRef: '$recursiveRef depends on the way by which a schema is reached; write $ref.',
  $recursiveAnchor: '$recursiveAnchor is for $recursiveRef; write $anchor, and $ref where it is meant.',
  $vocabulary: '$vocabulary belongs to dialects of JSON Schema; leave it out.',
  id: "this is draft-04’s name of $id; write $id, or, for a member of that name, { type: 'object', properties: { id: … } }.",
  extends: 'extends is draft-03’s; write allOf.',
  divisibleBy: 'divisibleBy is draft-03’s; write multipleOf.',
};

export const isObject = (value: unknown): value is SchemaObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws SchemaError for a keyword that is none */
export function checkKeywords(schema: SchemaObject, pointer: string): void {
  for (const key of Object.keys(schema)) {
    if (KNOWN.has(key) || key.startsWith('x-') || schema[key] === undefined) continue;
    const why = Object.hasOwn(REFUSED, key) ? REFUSED[key] : undefined;
    if (why !== undefined) throw new SchemaError(pointer + step(key), why);
    throw new SchemaError(pointer + step(key), `JSON Schema has no keyword ${key}; a name of your own begins with x-.`, {
      found: key,
      known: KEYWORDS,
    });
  }
}

/** The schemas directly within one, with the pointers to them. */
export function* within(schema: SchemaObject, pointer: string): Iterable<readonly [schema: unknown, pointer: string]> {
  for (const key of ALL_OF_ONE) {
    const value = schema[key];
    if (isObject(value)) yield [value, pointer + step(key)];
  }
  for (const key of LISTS) {
    const list = schema[key];
    if (Array.isArray(list)) for (const [at, value] of list.entries()) yield [value, pointer + step(key) + step(at)];
  }
  for (const key of MAPS) {
    const map = schema[key];
    if (isObject(map)) for (const [name, value] of Object.entries(map)) yield [value, pointer + step(key) + step(name)];
  }
}

type Read<T> = (schema: SchemaObject, key: string, pointer: string) => T | undefined;

function reading<T>(isRight: (value: unknown) => value is T, what: string): Read<T> {
  return (schema, key, pointer) => {
    const value = schema[key];
    if (value === undefined || isRight(value)) return value;
    throw new SchemaError(pointer + step(key), `${key} is ${what}, and this is ${describe(value)}.`);
  };
}

const isCountValue = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === 'string');

export const readNumber = reading((value): value is number => typeof value === 'number' && Number.isFinite(value), 'a number');
export const readPositive = reading(
  (value): value is number => typeof value === 'number' && value > 0 && value < Infinity,
  'a number above 0',
);
export const readCount = reading(isCountValue, 'a whole number from 0 on');
export const readText = reading((value): value is string => typeof value === 'string', 'a text');
export const readFlag = reading((value): value is boolean => typeof value === 'boolean', 'true or false');
export const readTexts = reading(isTexts, 'a list of texts');
export const readList = reading(
  (value): value is readonly unknown[] => Array.isArray(value) && value.length > 0,
  'a list that is not empty',
);
export const readMap = reading(isObject, 'an object');

export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return typeof value === 'number' ? String(value) : `of type ${typeof value}`;
}
