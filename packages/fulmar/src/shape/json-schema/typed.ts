/**
 * The part of a JSON Schema that speaks of one kind of value: of a number, a text, nothing and yes or no. Each
 * keyword is for its kind alone; values of other kinds are not touched by it.
 */
import { isFormat, rangeOfFormat } from '../validate/formats.ts';
import type { BytesShape, DateShape, NumberShape, PatternText, Shape, StringShape } from '../shape.ts';
import { describe, readCount, readNumber, readPositive, readText, type SchemaObject } from './keywords.ts';
import { SchemaError, step } from './schema-error.ts';

/** Kinds of JSON values, in the order in which they are told. */
export const JSON_TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** Types of values that JSON has not, as TypeBox names them. */
const OTHER_TYPES: Readonly<Record<string, (schema: SchemaObject, pointer: string) => Shape>> = {
  undefined: () => ({ kind: 'undefined' }),
  void: () => ({ kind: 'undefined' }),
  bigint: () => ({ kind: 'bigint' }),
  Date: (schema, pointer): DateShape => ({
    kind: 'date',
    minimum: readNumber(schema, 'minimumTimestamp', pointer),
    maximum: readNumber(schema, 'maximumTimestamp', pointer),
  }),
  Uint8Array: (schema, pointer): BytesShape => ({
    kind: 'bytes',
    type: 'Uint8Array',
    minBytes: readCount(schema, 'minByteLength', pointer),
    maxBytes: readCount(schema, 'maxByteLength', pointer),
  }),
  RegExp: (schema, pointer): StringShape => ({ kind: 'string', patterns: [patternOf(schema, 'source', pointer)] }),
};

/** What stands in `type`; undefined where nothing does. @throws SchemaError */
export function typesOf(schema: SchemaObject, pointer: string): readonly string[] | undefined {
  const { type } = schema;
  if (type === undefined) return undefined;
  const given = Array.isArray(type) ? (type as unknown[]) : [type];
  if (given.length === 0) throw new SchemaError(`${pointer}/type`, 'type is one or several types, and this is an empty list.');
  for (const one of given) {
    if (typeof one !== 'string')
      throw new SchemaError(`${pointer}/type`, `type is a text or a list of texts, and this is ${describe(one)}.`);
    if ((JSON_TYPES as readonly string[]).includes(one) || Object.hasOwn(OTHER_TYPES, one)) continue;
    throw new SchemaError(`${pointer}/type`, `there is no type ${JSON.stringify(one)}; types are ${JSON_TYPES.join(', ')}.`, {
      found: one,
      known: JSON_TYPES,
    });
  }
  const types = new Set(given as string[]);
  if (types.has('number')) types.delete('integer');
  if (schema['nullable'] === true) types.add('null');
  return [...types];
}

/** Everything but arrays and objects. */
export function scalarOf(type: string, schema: SchemaObject, pointer: string): Shape {
  if (type === 'null' || type === 'boolean') return { kind: type };
  if (type === 'number' || type === 'integer') return numberOf(type === 'integer', schema, pointer);
  if (type === 'string') return stringOf(schema, pointer);
  return (OTHER_TYPES[type] as (schema: SchemaObject, pointer: string) => Shape)(schema, pointer);
}

function numberOf(isInteger: boolean, schema: SchemaObject, pointer: string): NumberShape {
  const range = rangeOfFormat(readText(schema, 'format', pointer));
  const given = (key: string): number | undefined => readNumber(schema, key, pointer);
  return compact({
    kind: 'number',
    integer: isInteger || range?.integer === true ? true : undefined,
    minimum: higher(given('minimum'), range?.minimum),
    maximum: lower(given('maximum'), range?.maximum),
    exclusiveMinimum: given('exclusiveMinimum'),
    exclusiveMaximum: given('exclusiveMaximum'),
    multipleOf: readPositive(schema, 'multipleOf', pointer),
  });
}

const higher = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.max(one, other);
const lower = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);

function stringOf(schema: SchemaObject, pointer: string): StringShape {
  const format = readText(schema, 'format', pointer);
  if (format !== undefined && !isFormat(format) && rangeOfFormat(format) === undefined) {
    const why = `the format ${JSON.stringify(format)} is not known; write a pattern.`;
    throw new SchemaError(`${pointer}/format`, why, { found: format, known: isFormat.names });
  }
  return compact({
    kind: 'string',
    minLength: readCount(schema, 'minLength', pointer),
    maxLength: readCount(schema, 'maxLength', pointer),
    patterns: schema['pattern'] === undefined ? undefined : [patternOf(schema, 'pattern', pointer)],
    format: format !== undefined && isFormat(format) ? format : undefined,
  });
}

/** @throws SchemaError for a text that is no pattern */
export function patternText(source: string, pointer: string, flags = 'u'): PatternText {
  try {
    RegExp(source, flags);
  } catch (cause) {
    throw new SchemaError(pointer, `this is no pattern, with the flag u as JSON Schema asks for: ${(cause as Error).message}.`);
  }
  return { source, flags };
}

function patternOf(schema: SchemaObject, key: string, pointer: string): PatternText {
  const flags = key === 'source' ? readText(schema, 'flags', pointer)?.replace(/[gy]/g, '') : undefined;
  return patternText(readText(schema, key, pointer) ?? '', pointer + step(key), flags);
}

/** Without members that are `undefined`, so that shapes that mean the same are the same. */
export function compact<T extends object>(members: T): T {
  const kept: Partial<T> = {};
  for (const name of Object.keys(members) as (keyof T)[]) if (members[name] !== undefined) kept[name] = members[name];
  return kept as T;
}
