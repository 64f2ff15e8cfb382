/**
 * JSON Schemas of 2020-12, as libraries and types give them, in the words of OpenAPI 3.0, which documents of controllers
 * are written in. Where 3.0 has no word for it, the document takes more than the schema; it never takes less.
 */
import type { Given } from './given.ts';

/** What 3.0 has as it is; all else is rewritten or left out: 3.0 knows no further words. */
const KEPT: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'format',
  'pattern',
  'multipleOf',
  'maxLength',
  'minLength',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'required',
  'enum',
  'nullable',
  'discriminator',
  'readOnly',
  'writeOnly',
  'externalDocs',
  'deprecated',
  'xml',
]);

type Schema = Readonly<Given>;

const isObject = (value: unknown): value is Given => typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export function toOlder(given: unknown): Given {
  if (given === false) return { not: {} };
  if (!isObject(given)) return {};
  const { $ref, ...schema } = given;
  const own = rewritten(schema);
  if (typeof $ref !== 'string') return own;
  // Beside a reference 3.0 reads nothing.
  return Object.keys(own).length === 0 ? { $ref } : { ...own, allOf: [{ $ref }, ...listOf(own['allOf'])] };
}

function rewritten(schema: Schema): Given {
  const kept = Object.entries(schema).filter(([word]) => KEPT.has(word) || word.startsWith('x-'));
  return withTypes(schema, {
    ...Object.fromEntries(kept),
    ...examplesOf(schema),
    ...valuesOf(schema),
    ...boundOf(schema, 'minimum', 'exclusiveMinimum', (one, other) => one >= other),
    ...boundOf(schema, 'maximum', 'exclusiveMaximum', (one, other) => one <= other),
    ...itemsOf(schema),
    ...membersOf(schema),
    ...choicesOf(schema),
  });
}

const examplesOf = ({ example, examples }: Schema): Given =>
  example === undefined && listOf(examples).length > 0 ? { example: listOf(examples)[0] } : {};

function valuesOf(schema: Schema): Given {
  const values = 'const' in schema ? [schema['const']] : listOf(schema['enum']);
  if (values.length === 0) return {};
  return { enum: values, ...(values.includes(null) && { nullable: true }) };
}

/** `exclusiveMinimum: 5` is `minimum: 5, exclusiveMinimum: true`. */
function boundOf(schema: Schema, word: string, exclusive: string, isStricter: (one: number, other: number) => boolean): Given {
  const { [word]: limit, [exclusive]: open } = schema;
  if (typeof open !== 'number') return { ...(limit !== undefined && { [word]: limit }), ...(open === true && { [exclusive]: true }) };
  const isOpen = typeof limit !== 'number' || isStricter(open, limit);
  return isOpen ? { [word]: open, [exclusive]: true } : { [word]: limit };
}

/** A tuple is a list of what any of its places takes. */
function itemsOf(schema: Schema): Given {
  const isOldTuple = Array.isArray(schema['items']);
  const places = isOldTuple ? listOf(schema['items']) : listOf(schema['prefixItems']);
  const others = isOldTuple ? schema['additionalItems'] : schema['items'];
  if (places.length === 0) return others === undefined ? {} : { items: toOlder(others) };
  if (others === false) return { maxItems: schema['maxItems'] ?? places.length, items: anyOf(places) };
  return { items: isObject(others) ? anyOf([...places, others]) : {} };
}

const anyOf = (schemas: readonly unknown[]): Given => {
  const distinct = new Map(schemas.map(toOlder).map((one) => [JSON.stringify(one), one]));
  const [only, ...more] = distinct.values();
  return more.length === 0 && only !== undefined ? only : { anyOf: [...distinct.values()] };
};

function membersOf({ properties, patternProperties, additionalProperties }: Schema): Given {
  const patterns = isObject(patternProperties) ? Object.values(patternProperties) : [];
  const others = isObject(additionalProperties) ? [...patterns, additionalProperties] : patterns;
  const isClosed = additionalProperties === false && patterns.length === 0;
  return {
    ...(isObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, toOlder(one)])),
    }),
    ...(isClosed && { additionalProperties: false }),
    // Without a word for the others, whatever their names, they may be anything.
    ...(others.length > 0 && (additionalProperties === false || isObject(additionalProperties)) && { additionalProperties: anyOf(others) }),
  };
}

function choicesOf(schema: Schema): Given {
  const made: Given = {};
  if (schema['not'] !== undefined) made['not'] = toOlder(schema['not']);
  if (Array.isArray(schema['allOf'])) made['allOf'] = schema['allOf'].map(toOlder);
  for (const word of ['anyOf', 'oneOf']) {
    const all = listOf(schema[word]);
    if (all.length === 0) continue;
    const others = all.filter((one) => !isNull(one)).map(toOlder);
    if (others.length < all.length) made['nullable'] = true;
    if (others.length > 0) made[word] = others;
  }
  return made;
}

const isNull = (schema: unknown): boolean => isObject(schema) && (schema['type'] === 'null' || schema['const'] === null);

/** One type, and `nullable` in the place of `null`; of several types there is a choice. */
function withTypes(schema: Schema, made: Given): Given {
  const given = [schema['type'] ?? []].flat();
  const types = given.filter((type) => type !== 'null');
  const nullable = given.length > types.length ? { nullable: true } : {};
  if (given.length === 0) return made;
  if (types.length === 0) return { enum: [null], ...made, nullable: true };
  const { items, ...rest } = made;
  const ofType = (type: unknown): Given => ({ type, ...(type === 'array' && { items: items ?? {} }) });
  if (types.length === 1) return { ...rest, ...ofType(types[0]), ...nullable };
  const choice = { anyOf: types.map((type) => ({ ...ofType(type), ...nullable })) };
  return made['anyOf'] === undefined ? { ...rest, ...choice } : { ...rest, allOf: [...listOf(made['allOf']), choice] };
}
