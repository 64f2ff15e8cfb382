/**
 * JSON Schema (2020-12, 2019-09, draft-07) and TypeBox's schemas become shapes. Everything a schema says is
 * either in the shape or an error with the place in the schema: nothing is left out in silence.
 */
import { ANY, type EnumShape, type LiteralValue, NEVER, type Notes, type Shape, type ShapeDocument } from './shape.ts';
import { checkKeywords, describe, isObject, readFlag, readList, readText, type SchemaObject } from './json-schema/keywords.ts';
import { Resources } from './json-schema/resources.ts';
import { SchemaError, step } from './json-schema/schema-error.ts';
import { arrayOf, objectOf, unevaluatedOf } from './json-schema/structured.ts';
import { compact, JSON_TYPES, scalarOf, typesOf } from './json-schema/typed.ts';

/** @throws SchemaError with the JSON pointer of what cannot be used */
export function fromJsonSchema(schema: unknown): ShapeDocument {
  const isOld = isOldDialect(schema);
  const reader = new Reader(new Resources(schema, isOld), isOld);
  const root = reader.read(schema, '#');
  return { root, definitions: reader.definitions };
}

const OLD = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/;
const NEW = /^https?:\/\/json-schema\.org\/draft\/20(?:19-09|20-12)\/schema#?$/;

/** Without `$schema` it is 2020-12. */
function isOldDialect(schema: unknown): boolean {
  const dialect = isObject(schema) ? schema['$schema'] : undefined;
  if (dialect === undefined) return false;
  if (typeof dialect === 'string' && OLD.test(dialect)) return true;
  if (typeof dialect === 'string' && NEW.test(dialect)) return false;
  throw new SchemaError('#/$schema', `the dialects are 2020-12, 2019-09 and draft-07, and this is ${JSON.stringify(dialect)}.`);
}

/** Keywords by the kind of value that they speak of, where `type` does not say it. */
const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'format'],
  array: ['items', 'prefixItems', 'additionalItems', 'minItems', 'maxItems', 'uniqueItems', 'contains'],
  object: [
    'properties',
    'patternProperties',
    'additionalProperties',
    'minProperties',
    'maxProperties',
    'propertyNames',
    'required',
    'dependentRequired',
    'dependentSchemas',
    'dependencies',
  ],
};

class Reader {
  readonly definitions: Record<string, Shape> = {};
  readonly #resources: Resources;
  readonly #isOld: boolean;
  readonly #begun = new Set<string>();

  constructor(resources: Resources, isOld: boolean) {
    this.#resources = resources;
    this.#isOld = isOld;
  }

  readonly read = (schema: unknown, pointer: string): Shape => {
    if (schema === true) return ANY;
    if (schema === false) return NEVER;
    if (!isObject(schema)) throw new SchemaError(pointer, `a schema is an object, true or false, and this is ${describe(schema)}.`);
    refuseFunctions(schema, pointer);
    checkKeywords(schema, pointer);
    if (this.#isOld && schema['$ref'] !== undefined) return this.#reference(schema, pointer);
    const parts = [...this.#values(schema, pointer), ...this.#combinations(schema, pointer)];
    const [first = ANY] = parts;
    const shape: Shape = parts.length > 1 ? { kind: 'intersection', members: parts } : first;
    const isNullable = readFlag(schema, 'nullable', pointer) === true && schema['type'] === undefined && parts.length > 0;
    return annotated(isNullable ? { kind: 'union', members: [shape, { kind: 'null' }] } : shape, schema, pointer);
  };

  #reference(schema: SchemaObject, pointer: string): Shape {
    const place = this.#resources.resolve(readText(schema, '$ref', pointer) ?? '', schema, pointer);
    if (!this.#begun.has(place.pointer)) {
      this.#begun.add(place.pointer);
      this.definitions[place.pointer] = this.read(place.schema, place.pointer);
    }
    return { kind: 'reference', name: place.pointer };
  }

  /** What `type`, `enum`, `const` and the keywords for one kind of value say. */
  #values(schema: SchemaObject, pointer: string): Shape[] {
    const types = typesOf(schema, pointer);
    const spoken = Object.keys(KEYWORDS_OF).filter((type) => KEYWORDS_OF[type]?.some((key) => schema[key] !== undefined));
    const listed = enumOf(schema, pointer);
    if (listed !== undefined && spoken.length === 0) return [types === undefined ? listed : withinTypes(listed, types)];
    const shapes = listed === undefined ? [] : [listed];
    if (types === undefined && spoken.length === 0) return shapes;
    const kinds = types ?? JSON_TYPES.filter((type) => type !== 'integer');
    const members = kinds.map((type) => this.#typed(type, schema, pointer));
    return [members.length === 1 ? (members[0] as Shape) : { kind: 'union', members }, ...shapes];
  }

  #typed(type: string, schema: SchemaObject, pointer: string): Shape {
    if (type === 'array') return arrayOf(schema, pointer, this.read);
    if (type === 'object') return objectOf(schema, pointer, this.read);
    return scalarOf(type, schema, pointer);
  }

  #combinations(schema: SchemaObject, pointer: string): Shape[] {
    const list = (key: string): Shape[] =>
      (readList(schema, key, pointer) ?? []).map((one, at) => this.read(one, pointer + step(key) + step(at)));
    const one = (key: string): Shape | undefined => (schema[key] === undefined ? undefined : this.read(schema[key], pointer + step(key)));
    const shapes: Shape[] = schema['$ref'] === undefined ? [] : [this.#reference(schema, pointer)];
    shapes.push(...list('allOf'));
    const [anyOf, oneOf] = [list('anyOf'), list('oneOf')];
    if (anyOf.length > 0) shapes.push({ kind: 'union', members: anyOf });
    if (oneOf.length > 0) shapes.push({ kind: 'union', members: oneOf, one: true });
    const [not, when] = [one('not'), one('if')];
    if (not !== undefined) shapes.push(not.kind === 'any' ? NEVER : { kind: 'not', shape: not });
    if (when !== undefined) shapes.push(compact({ kind: 'condition', when, then: one('then'), else: one('else') }));
    // Checked whether they are looked at or not.
    for (const key of ['$defs', 'definitions']) this.#definitions(schema, key, pointer);
    return [...shapes, ...this.#unevaluated(schema, pointer)];
  }

  #definitions(schema: SchemaObject, key: string, pointer: string): void {
    const map = schema[key];
    if (map === undefined) return;
    if (!isObject(map)) throw new SchemaError(pointer + step(key), `${key} is an object of schemas, and this is ${describe(map)}.`);
    for (const [name, one] of Object.entries(map)) this.read(one, pointer + step(key) + step(name));
  }

  #unevaluated(schema: SchemaObject, pointer: string): Shape[] {
    const { unevaluatedProperties, unevaluatedItems } = schema;
    const shapes: Shape[] = [];
    if (unevaluatedProperties !== undefined && unevaluatedProperties !== true) {
      const follow = (from: SchemaObject): unknown => this.#resources.resolve(readText(from, '$ref', pointer) ?? '', from, pointer).schema;
      const known = unevaluatedOf(schema, pointer, follow);
      if (known !== null) shapes.push(this.#onlyObjects(objectOf(known, pointer, this.read)));
    }
    if (unevaluatedItems !== undefined && unevaluatedItems !== true) {
      const beside = ['allOf', 'anyOf', 'oneOf', 'if', '$ref', 'contains'].find((key) => schema[key] !== undefined);
      if (beside !== undefined)
        throw new SchemaError(
          pointer + step('unevaluatedItems'),
          `beside ${beside} it depends on the value; write items behind prefixItems.`,
        );
      const { items, prefixItems } = schema;
      const key = Array.isArray(items) ? 'additionalItems' : 'items';
      const places = prefixItems === undefined ? {} : { prefixItems };
      const known = {
        ...(items === undefined ? {} : { items }),
        ...places,
        ...(schema[key] === undefined ? { [key]: unevaluatedItems } : {}),
      };
      shapes.push(this.#onlyArrays(arrayOf(known, pointer, this.read)));
    }
    return shapes;
  }

  readonly #onlyObjects = (shape: Shape): Shape => ({ kind: 'union', members: othersThan('object', shape) });
  readonly #onlyArrays = (shape: Shape): Shape => ({ kind: 'union', members: othersThan('array', shape) });
}

/** A shape for one kind of value, and everything of the other kinds. */
function othersThan(type: 'array' | 'object', shape: Shape): Shape[] {
  const others = JSON_TYPES.filter((one) => one !== type && one !== 'integer');
  return [
    shape,
    ...others.map((one): Shape => (one === 'array' ? { kind: 'array', items: ANY } : one === 'object' ? OBJECT : scalarOf(one, {}, '#'))),
  ];
}
const OBJECT: Shape = { kind: 'object', properties: [], unknown: 'keep' };

const isPrimitive = (value: unknown): value is LiteralValue => typeof value !== 'object' || value === null;

function enumOf(schema: SchemaObject, pointer: string): Shape | undefined {
  const values = readList(schema, 'enum', pointer);
  const fixed = 'const' in schema && schema['const'] !== undefined ? oneOfValues([schema['const']]) : undefined;
  const listed = values === undefined ? undefined : oneOfValues(values);
  if (fixed === undefined || listed === undefined) return fixed ?? listed;
  return { kind: 'intersection', members: [listed, fixed] };
}

function oneOfValues(values: readonly unknown[]): Shape {
  const simple = values.filter(isPrimitive);
  const members: Shape[] = values.filter((value) => !isPrimitive(value)).map((value) => ({ kind: 'equal', value }));
  if (simple.length === 1) members.unshift({ kind: 'literal', value: simple[0] as LiteralValue });
  else if (simple.length > 1) members.unshift({ kind: 'enum', values: simple });
  return members.length === 1 ? (members[0] as Shape) : { kind: 'union', members };
}

function typeOfJson(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** The values that `type` leaves, which then says nothing more. */
function withinTypes(listed: Shape, types: readonly string[]): Shape {
  const fits = (value: unknown): boolean => types.includes(typeOfJson(value)) || (types.includes('integer') && Number.isInteger(value));
  if (listed.kind === 'literal' || listed.kind === 'equal') return fits(listed.value) ? listed : NEVER;
  if (listed.kind === 'enum') return someOf(listed.values.filter(fits));
  if (listed.kind === 'union' || listed.kind === 'intersection')
    return { ...listed, members: listed.members.map((one) => withinTypes(one, types)) };
  return listed;
}

const someOf = (values: EnumShape['values']): Shape => (values.length === 0 ? NEVER : oneOfValues(values));

/** Code that TypeBox keeps beside a schema would not be run: that is said rather than left out. */
function refuseFunctions(schema: SchemaObject, pointer: string): void {
  const transform = Object.getOwnPropertySymbols(schema).find((symbol) => symbol.description === 'TypeBox.Transform');
  if (transform !== undefined || Object.hasOwn(schema, '~codec'))
    throw new SchemaError(pointer, 'transforms of TypeBox are not run here; convert the value in the handler.');
  if (Object.hasOwn(schema, '~refine'))
    throw new SchemaError(pointer, 'refinements of TypeBox are not run here; write a pattern or check in the handler.');
}

function annotated(shape: Shape, schema: SchemaObject, pointer: string): Shape {
  const { examples, example, $id } = schema;
  const notes: Notes = compact({
    title: readText(schema, 'title', pointer),
    description: readText(schema, 'description', pointer),
    deprecated: readFlag(schema, 'deprecated', pointer),
    examples: Array.isArray(examples) ? (examples as unknown[]) : example === undefined ? undefined : [example],
    readOnly: readFlag(schema, 'readOnly', pointer),
    writeOnly: readFlag(schema, 'writeOnly', pointer),
    id: typeof $id === 'string' ? $id : undefined,
  });
  const hasNotes = Object.keys(notes).length > 0;
  const { default: value } = schema;
  if (!hasNotes && value === undefined) return shape;
  return { ...shape, ...(hasNotes ? { notes } : {}), ...(value === undefined ? {} : { default: { value } }) };
}
