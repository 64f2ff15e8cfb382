/**
 * A shape as JSON Schema 2020-12, for documents. What JSON has no form of (dates, maps, bytes, undefined) is
 * told as what is sent for it.
 */
import type { NumberShape, ObjectShape, Shape, ShapeDocument, StringShape, TupleShape, ArrayShape, UnionShape } from './shape.ts';
import { setMember } from './validate/copy.ts';
import { templatePattern } from './template-pattern.ts';

export type JsonSchemaValue = boolean | Readonly<Record<string, unknown>>;

/** `definitions`: where shared schemas are, as in `#/components/schemas/`; they stand in `$defs` without. */
export interface JsonSchemaOptions {
  readonly definitions?: string | undefined;
}

const DEFINITIONS = '#/$defs/';

/** References lead to `$defs`, by names that can stand in a pointer. */
export function toJsonSchema({ root, definitions }: ShapeDocument, options: JsonSchemaOptions = {}): JsonSchemaValue {
  const names = namesOf(definitions);
  const writer = new Writer(names, options.definitions ?? DEFINITIONS);
  const schema = writer.write(root);
  if (names.size === 0 || options.definitions !== undefined) return schema;
  const $defs = {};
  for (const [name, shape] of Object.entries(definitions)) setMember($defs, names.get(name) as string, writer.write(shape));
  return { ...(typeof schema === 'boolean' ? asObject(schema) : schema), $defs };
}

/** Names for documents: what a shape is called, else the end of its pointer; each once. */
function namesOf(definitions: ShapeDocument['definitions']): ReadonlyMap<string, string> {
  const taken = new Set<string>();
  const names = new Map<string, string>();
  for (const [name, { notes }] of Object.entries(definitions)) {
    const plain = (notes?.id ?? name.slice(name.lastIndexOf('/') + 1)).replace(/[^\w.-]+/g, '_') || '_';
    let free = plain;
    for (let count = 2; taken.has(free); count += 1) free = `${plain}_${count}`;
    taken.add(free);
    names.set(name, free);
  }
  return names;
}

type Members = Record<string, unknown>;

const asObject = (schema: JsonSchemaValue): Members => (schema === true ? {} : schema === false ? { not: {} } : { ...schema });

class Writer {
  readonly #names: ReadonlyMap<string, string>;
  readonly #prefix: string;

  constructor(names: ReadonlyMap<string, string>, prefix: string) {
    this.#names = names;
    this.#prefix = prefix;
  }

  readonly write = (shape: Shape): JsonSchemaValue => {
    const schema = this.#bare(shape);
    const { notes = {}, default: given } = shape;
    const { id: _, ...told } = notes;
    if (Object.keys(told).length === 0 && given === undefined) return schema;
    return clean({ ...asObject(schema), ...told, default: given === undefined ? undefined : jsonOf(given.value) });
  };

  #bare(shape: Shape): JsonSchemaValue {
    switch (shape.kind) {
      case 'array':
        return clean({ type: 'array', items: shape.items.kind === 'any' ? undefined : this.write(shape.items), ...this.#list(shape) });
      case 'tuple':
        return this.#tuple(shape);
      case 'set':
        return clean({
          type: 'array',
          items: this.write(shape.items),
          uniqueItems: true,
          minItems: shape.minSize,
          maxItems: shape.maxSize,
        });
      case 'map':
        return {
          type: 'array',
          items: { type: 'array', prefixItems: [this.write(shape.key), this.write(shape.value)], items: false, minItems: 2 },
        };
      case 'object':
        return this.#object(shape);
      case 'union':
        return this.#union(shape);
      case 'intersection':
        return { allOf: shape.members.map(this.write) };
      case 'not':
        return { not: this.write(shape.shape) };
      case 'condition':
        return clean({ if: this.write(shape.when), then: this.#some(shape.then), else: this.#some(shape.else) });
      case 'reference':
        return { $ref: this.#prefix + (this.#names.get(shape.name) ?? shape.name) };
      case 'codec':
        return this.write(shape.wire);
      default:
        return scalar(shape);
    }
  }

  readonly #some = (shape: Shape | undefined): JsonSchemaValue | undefined => (shape === undefined ? undefined : this.write(shape));

  #list({ minItems, maxItems, unique, contains }: ArrayShape | TupleShape): Members {
    if (contains === undefined) return { minItems, maxItems, uniqueItems: unique };
    const { shape, min, max } = contains;
    return {
      minItems,
      maxItems,
      uniqueItems: unique,
      contains: this.write(shape),
      minContains: min === 1 ? undefined : min,
      maxContains: max,
    };
  }

  /** Items behind the rest cannot be told by place: there each is of the rest or one of them. */
  #tuple(shape: TupleShape): JsonSchemaValue {
    const { items, rest, last = [] } = shape;
    const behind = last.map((item) => this.write(item.shape));
    const more =
      rest === undefined
        ? last.length === 0
          ? false
          : { anyOf: behind }
        : last.length === 0
          ? this.write(rest)
          : { anyOf: [this.write(rest), ...behind] };
    const least = items.filter(({ optional }) => optional !== true).length + last.length;
    const { minItems = 0, maxItems, ...others } = this.#list(shape);
    const most = rest === undefined && last.length > 0 ? items.length + last.length : maxItems;
    return clean({
      type: 'array',
      prefixItems: items.length === 0 ? undefined : items.map((item) => this.write(item.shape)),
      items: more === true ? undefined : more,
      ...others,
      minItems: Math.max(least, minItems as number) || undefined,
      maxItems: most,
    });
  }

  #object(shape: ObjectShape): JsonSchemaValue {
    const { index = [], unknown, names, requires = [], whenPresent = [] } = shape;
    const patterned = index.map(({ key, value }): readonly [string, JsonSchemaValue] => [keyPattern(key), this.write(value)]);
    const required = shape.properties
      .filter(({ presence, shape: inner }) => presence === 'required' && !isUnsent(inner))
      .map(({ name }) => name);
    return clean({
      type: 'object',
      properties: mapOf(shape.properties.map((property) => [property.name, this.write(property.shape)])),
      required: required.length === 0 ? undefined : required,
      patternProperties: mapOf(patterned),
      // What is left out is taken all the same.
      additionalProperties: unknown === 'reject' ? false : typeof unknown === 'string' ? undefined : this.write(unknown),
      minProperties: shape.minProperties,
      maxProperties: shape.maxProperties,
      propertyNames: this.#some(names),
      dependentRequired: mapOf(requires.map(({ name, others }) => [name, others])),
      dependentSchemas: mapOf(whenPresent.map((one) => [one.name, this.write(one.shape)])),
    });
  }

  #union({ members, one, discriminator }: UnionShape): JsonSchemaValue {
    // A member that is missing is not sent: `undefined` has no part in JSON.
    const told = members.filter(({ kind }) => kind !== 'undefined').map(this.write);
    const hint = discriminator === undefined ? {} : { discriminator: { propertyName: discriminator.key } };
    return { [one === true ? 'oneOf' : 'anyOf']: told.length === 0 ? [{ not: {} }] : told, ...hint };
  }
}

/** A member that may be `undefined` may be missing from what is sent. */
const isUnsent = (shape: Shape): boolean =>
  shape.kind === 'undefined' ||
  (shape.kind === 'enum' && shape.values.includes(undefined)) ||
  (shape.kind === 'union' && shape.members.some(isUnsent));

function scalar(shape: Shape): JsonSchemaValue {
  switch (shape.kind) {
    case 'any':
      return true;
    case 'never':
    case 'undefined':
      return false;
    case 'null':
    case 'boolean':
      return { type: shape.kind };
    case 'literal':
      return { const: jsonOf(shape.value) };
    case 'enum':
      return { enum: shape.values.map(jsonOf) };
    case 'equal':
      return { const: shape.value };
    case 'string':
      return string(shape);
    case 'template':
      return clean({ type: 'string', pattern: templatePattern(shape) });
    case 'number':
      return number(shape);
    case 'bigint':
      return { type: 'string', pattern: '^(?:0|-?[1-9]\\d*)$' };
    case 'date':
      return { type: 'string', format: 'date-time' };
    case 'url':
      return { type: 'string', format: 'uri' };
    case 'bytes':
      return { type: 'string', format: 'byte', contentEncoding: 'base64' };
    default:
      return { type: 'string' };
  }
}

function number({ integer, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: NumberShape): JsonSchemaValue {
  return clean({ type: integer === true ? 'integer' : 'number', minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf });
}

/** Where the version of a UUID stands. JSON Schema has no names for them. */
const UUIDS: Readonly<Record<string, string | undefined>> = { uuidv4: '^.{14}4', uuidv7: '^.{14}7' };

function string({ minLength, maxLength, patterns = [], format: named = '' }: StringShape): JsonSchemaValue {
  const version = Object.hasOwn(UUIDS, named) ? UUIDS[named] : undefined;
  const format = version !== undefined ? 'uuid' : named === '' ? undefined : named;
  const [first, ...more] = [...patterns.map(({ source }) => source), ...(version === undefined ? [] : [version])];
  const others = more.length === 0 ? undefined : more.map((pattern) => ({ pattern }));
  return clean({ type: 'string', minLength, maxLength, pattern: first, format, allOf: others });
}

function keyPattern(key: Shape): string {
  if (key.kind === 'string') return key.patterns?.[0]?.source ?? '';
  return key.kind === 'number' ? '^-?\\d+(?:\\.\\d+)?$' : (templatePattern({ kind: 'template', parts: [key] }) ?? '');
}

function mapOf(entries: readonly (readonly [name: string, value: unknown])[]): Members | undefined {
  if (entries.length === 0) return undefined;
  const map = {};
  for (const [name, value] of entries) setMember(map, name, value);
  return map;
}

const clean = (members: Members): Members => Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** A value as it is sent. */
const jsonOf = (value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value instanceof Date ? value.toISOString() : value;
