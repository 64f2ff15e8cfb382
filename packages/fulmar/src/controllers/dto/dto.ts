/**
 * `DTO`: schemas with the names of TypeBox's, as WynkJS has them: `DTO.Strict({ name: DTO.String({ minLength: 2 }) })`. What
 * it makes is plain JSON Schema, which routes, documents and other libraries read; a text in `error` becomes `x-error`.
 */
import type { DtoObjectOptions, DtoOptions, Members, ObjectOf, Static, TOptional, TSchema } from './dto-types.ts';

/** Marks a schema as that of a member that may be missing; no keyword. */
const MAYBE = Symbol('optional');

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** @throws TypeError for an error that is no text */
function made<T>(keywords: object, { error, errorMessage = error, ...options }: DtoOptions = {}): TSchema<T> {
  if (errorMessage !== undefined && typeof errorMessage !== 'string')
    throw new TypeError(`error of a DTO is the text that clients are told, and this is of type ${typeof errorMessage}.`);
  return { ...keywords, ...options, ...(errorMessage !== undefined && { 'x-error': errorMessage }) } as TSchema<T>;
}

const isOptional = (schema: TSchema): boolean => (schema as { [MAYBE]?: true })[MAYBE] === true;

function marked<T extends TSchema>(schema: T, isMissing: boolean): T {
  const copy = { ...schema };
  return isMissing ? Object.defineProperty(copy, MAYBE, { value: true }) : copy;
}

/** @throws TypeError for a member that is no schema */
function objectOf<M extends Members>(members: M, options: DtoObjectOptions = {}): TSchema<ObjectOf<M>> {
  if (!isObject(members)) throw new TypeError(`DTO.Object() takes an object of schemas by name, and this is of type ${typeof members}.`);
  const wrong = Object.entries(members).find(([, schema]) => !isObject(schema));
  if (wrong !== undefined)
    throw new TypeError(`DTO.Object(): ${wrong[0]} is a schema, such as DTO.String(), and this is of type ${typeof wrong[1]}.`);
  const required = Object.entries(members).flatMap(([name, schema]) => (isOptional(schema) ? [] : [name]));
  return made({ type: 'object', properties: { ...members }, ...(required.length > 0 && { required }) }, options);
}

/** Unknown members are left out, and no error. */
const strict = <M extends Members>(members: M, options: DtoObjectOptions = {}): TSchema<ObjectOf<M>> =>
  objectOf(members, { additionalProperties: false, 'x-unknown': 'strip', ...options });

/** The members of an object, changed. @throws TypeError for a schema that is of none */
function changed(who: string, schema: TSchema, change: (members: Members) => Members): TSchema<any> {
  const { properties, required, ...rest } = schema as { properties?: Members; required?: readonly string[] };
  if (!isObject(properties)) throw new TypeError(`DTO.${who}() takes a schema of DTO.Object(), and this one has no properties.`);
  const known = Object.entries(properties).map(([name, one]) => [name, marked(one, !(required ?? []).includes(name))] as const);
  const object = objectOf(change(Object.fromEntries(known)));
  return { ...rest, ...object };
}

const named = (members: Members, isKept: (name: string) => boolean): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => isKept(name)));
const each = (members: Members, isMissing: boolean): Members =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, marked(schema, isMissing)]));

type Literal = string | number | boolean;

/** Of TypeScript's enums of numbers the names are values, too. */
function enumValues(values: Readonly<Record<string, string | number>>): (string | number)[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof values[String(value)] === 'number' && String(Number(name)) === name ? [] : [value],
  );
}

export const DTO = {
  String: (options?: DtoOptions): TSchema<string> => made({ type: 'string' }, options),
  Number: (options?: DtoOptions): TSchema<number> => made({ type: 'number' }, options),
  /** The same: texts of paths and queries become numbers by themselves. */
  Numeric: (options?: DtoOptions): TSchema<number> => made({ type: 'number' }, options),
  Integer: (options?: DtoOptions): TSchema<number> => made({ type: 'integer' }, options),
  Boolean: (options?: DtoOptions): TSchema<boolean> => made({ type: 'boolean' }, options),
  /** The same, as `Numeric`. */
  BooleanString: (options?: DtoOptions): TSchema<boolean> => made({ type: 'boolean' }, options),
  Null: (options?: DtoOptions): TSchema<null> => made({ type: 'null' }, options),
  Any: (options?: DtoOptions): TSchema<any> => made({}, options),
  Unknown: (options?: DtoOptions): TSchema<unknown> => made({}, options),
  Literal: <const T extends Literal>(value: T, options?: DtoOptions): TSchema<T> => made({ const: value }, options),
  Enum: <T extends Readonly<Record<string, string | number>>>(values: T, options?: DtoOptions): TSchema<T[keyof T]> =>
    made({ enum: enumValues(values) }, options),
  UnionEnum: <const T extends readonly Literal[]>(values: T, options?: DtoOptions): TSchema<T[number]> =>
    made({ enum: [...values] }, options),
  Union: <T extends readonly TSchema[]>(members: readonly [...T], options?: DtoOptions): TSchema<Static<T[number]>> =>
    made({ anyOf: [...members] }, options),
  Intersect: (members: readonly TSchema[], options?: DtoOptions): TSchema<any> => made({ allOf: [...members] }, options),
  Nullable: <T>(schema: TSchema<T>, options?: DtoOptions): TSchema<T | null> => made({ anyOf: [schema, { type: 'null' }] }, options),
  Array: <T>(items: TSchema<T>, options?: DtoOptions): TSchema<T[]> => made({ type: 'array', items }, options),
  Tuple: (items: readonly TSchema[], options?: DtoOptions): TSchema<any[]> =>
    made({ type: 'array', prefixItems: [...items], items: false, minItems: items.length }, options),
  Record: <T>(_keys: TSchema, values: TSchema<T>, options?: DtoOptions): TSchema<Record<string, T>> =>
    made({ type: 'object', ...(Object.keys(_keys).length > 1 && { propertyNames: _keys }), additionalProperties: values }, options),
  Object: objectOf,
  Strict: strict,
  Optional: <T>(schema: TSchema<T>): TOptional<T> => marked(schema, true) as TOptional<T>,
  Partial: <T>(schema: TSchema<T>): TSchema<Partial<T>> => changed('Partial', schema, (members) => each(members, true)),
  Required: <T>(schema: TSchema<T>): TSchema<Required<T>> => changed('Required', schema, (members) => each(members, false)),
  Pick: <T, const K extends readonly (keyof T & string)[]>(schema: TSchema<T>, names: K): TSchema<Pick<T, K[number]>> =>
    changed('Pick', schema, (members) => named(members, (name) => (names as readonly string[]).includes(name))),
  Omit: <T, const K extends readonly (keyof T & string)[]>(schema: TSchema<T>, names: K): TSchema<Omit<T, K[number]>> =>
    changed('Omit', schema, (members) => named(members, (name) => !(names as readonly string[]).includes(name))),
} as const;
