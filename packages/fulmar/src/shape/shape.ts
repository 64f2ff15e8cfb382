/**
 * The intermediate form of types: what JSON Schema, TypeBox and TypeScript types become, and what validators,
 * coercion, serialisers and JSON Schema are made of. Plain data: it can be written to a file, compared and
 * emitted as code. It never holds a function and never knows where it came from.
 */

/** A shape together with the shapes that are referred to by name in it: types that contain themselves, and shared ones. */
export interface ShapeDocument {
  readonly root: Shape;
  /** Own members alone count. */
  readonly definitions: Readonly<Record<string, Shape>>;
}

export type Shape =
  | SimpleShape
  | LiteralShape
  | EnumShape
  | EqualShape
  | StringShape
  | TemplateShape
  | NumberShape
  | BigIntShape
  | ArrayShape
  | TupleShape
  | ObjectShape
  | MapShape
  | SetShape
  | DateShape
  | BytesShape
  | UnionShape
  | IntersectionShape
  | NotShape
  | ConditionShape
  | ReferenceShape
  | CodecShape;

/** What every shape may say besides. None of it accepts or refuses a value. */
export interface ShapeBase {
  /** Stands where a value is missing or `undefined`; each use gets a copy. */
  readonly default?: { readonly value: unknown } | undefined;
  readonly notes?: Notes | undefined;
}

/** For people and documents. */
export interface Notes {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly deprecated?: boolean | undefined;
  readonly examples?: readonly unknown[] | undefined;
  readonly readOnly?: boolean | undefined;
  readonly writeOnly?: boolean | undefined;
  /** A name for the shape in documents (`$id`, a TypeScript alias); not what `reference` looks for. */
  readonly id?: string | undefined;
}

/**
 * `any` takes everything (TypeScript's `unknown`, too), `never` nothing. `regexp` and `url` are instances of
 * `RegExp` and `URL`.
 */
export interface SimpleShape extends ShapeBase {
  readonly kind: 'any' | 'never' | 'undefined' | 'null' | 'boolean' | 'regexp' | 'url';
}

export type LiteralValue = string | number | boolean | bigint | null | undefined;

/** One value, by `===`. */
export interface LiteralShape extends ShapeBase {
  readonly kind: 'literal';
  readonly value: LiteralValue;
}

/** One of several, each by `===`; at least one. */
export interface EnumShape extends ShapeBase {
  readonly kind: 'enum';
  readonly values: readonly LiteralValue[];
}

/** A JSON value by depth (`const` of an object or an array); the order of members does not count. */
export interface EqualShape extends ShapeBase {
  readonly kind: 'equal';
  readonly value: unknown;
}

/** As `new RegExp(source, flags)` takes it; found anywhere in a text unless it is anchored. Neither `g` nor `y`. */
export interface PatternText {
  readonly source: string;
  readonly flags: string;
}

/** Lengths are counted in code points, bounds are inclusive. */
export interface StringShape extends ShapeBase {
  readonly kind: 'string';
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** All of them are to be found. */
  readonly patterns?: readonly PatternText[] | undefined;
  /** A name of JSON Schema's, or one of ours. */
  readonly format?: string | undefined;
}

/** A template literal type: texts and, between them, shapes of texts, numbers, bigints, booleans, literals, enums and unions of these. */
export interface TemplateShape extends ShapeBase {
  readonly kind: 'template';
  readonly parts: readonly (string | Shape)[];
}

export interface NumberShape extends ShapeBase {
  readonly kind: 'number';
  readonly integer?: boolean | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
  /** NaN and infinities are refused unless this says otherwise: JSON has no form of them. */
  readonly allowsNonFinite?: boolean | undefined;
}

export interface BigIntShape extends ShapeBase {
  readonly kind: 'bigint';
  readonly minimum?: bigint | undefined;
  readonly maximum?: bigint | undefined;
  readonly multipleOf?: bigint | undefined;
}

export interface ArrayShape extends ShapeBase {
  readonly kind: 'array';
  readonly items: Shape;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** No two equal by depth. */
  readonly unique?: boolean | undefined;
  readonly contains?: ContainsRule | undefined;
}

/** How many items are of a shape: at least `min`, at most `max`. */
export interface ContainsRule {
  readonly shape: Shape;
  readonly min: number;
  readonly max?: number | undefined;
}

/** Items by place; `rest` for those behind, without which there are none. Optional items stand last. */
export interface TupleShape extends ShapeBase {
  readonly kind: 'tuple';
  readonly items: readonly TupleItem[];
  readonly rest?: Shape | undefined;
  /** Items between `rest` and the end: `[...string[], number]`. */
  readonly last?: readonly TupleItem[] | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly unique?: boolean | undefined;
  readonly contains?: ContainsRule | undefined;
}

export interface TupleItem {
  readonly shape: Shape;
  readonly optional?: boolean | undefined;
  /** Of a labelled tuple, for messages. */
  readonly name?: string | undefined;
}

/**
 * An object that is no array. Each member is looked at by its property and by every index rule whose key it
 * fits; one that has neither is unknown. A record is an object without properties and with one index rule.
 */
export interface ObjectShape extends ShapeBase {
  readonly kind: 'object';
  /** In the order in which they are written and told of. */
  readonly properties: readonly Property[];
  /** Index signatures and `patternProperties`. */
  readonly index?: readonly IndexRule[] | undefined;
  /** What becomes of unknown members: they stay, are left out, are an error, or are of a shape. */
  readonly unknown: 'keep' | 'strip' | 'reject' | Shape;
  readonly minProperties?: number | undefined;
  readonly maxProperties?: number | undefined;
  /** What every own name is. */
  readonly names?: Shape | undefined;
  /** Where the first is there, the others are too. */
  readonly requires?: readonly RequiresRule[] | undefined;
  /** Where the member is there, the whole object is of the shape. */
  readonly whenPresent?: readonly { readonly name: string; readonly shape: Shape }[] | undefined;
}

export interface Property {
  readonly name: string;
  readonly shape: Shape;
  /**
   * `required`: an own or inherited member is there (`undefined` only where the shape takes it); `optional`: it
   * may be missing or `undefined`; `exact`: it may be missing, and if it is there it is of the shape.
   */
  readonly presence: 'required' | 'optional' | 'exact';
}

export interface IndexRule {
  /** Of texts: `string`, `template`, `enum`, `literal`, or `number` for names that are numbers. */
  readonly key: Shape;
  readonly value: Shape;
}

export interface RequiresRule {
  readonly name: string;
  readonly others: readonly string[];
}

export interface MapShape extends ShapeBase {
  readonly kind: 'map';
  readonly key: Shape;
  readonly value: Shape;
  readonly minSize?: number | undefined;
  readonly maxSize?: number | undefined;
}

export interface SetShape extends ShapeBase {
  readonly kind: 'set';
  readonly items: Shape;
  readonly minSize?: number | undefined;
  readonly maxSize?: number | undefined;
}

/** A `Date` with a time (no `Invalid Date`); bounds in milliseconds of its epoch, inclusive. */
export interface DateShape extends ShapeBase {
  readonly kind: 'date';
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

/** An instance of a class of bytes, by name; lengths in bytes. */
export interface BytesShape extends ShapeBase {
  readonly kind: 'bytes';
  readonly type: BytesType;
  readonly minBytes?: number | undefined;
  readonly maxBytes?: number | undefined;
}

export type BytesType =
  | 'ArrayBuffer'
  | 'SharedArrayBuffer'
  | 'DataView'
  | 'Buffer'
  | 'Uint8Array'
  | 'Uint8ClampedArray'
  | 'Uint16Array'
  | 'Uint32Array'
  | 'Int8Array'
  | 'Int16Array'
  | 'Int32Array'
  | 'Float16Array'
  | 'Float32Array'
  | 'Float64Array'
  | 'BigInt64Array'
  | 'BigUint64Array';

export interface UnionShape extends ShapeBase {
  readonly kind: 'union';
  readonly members: readonly Shape[];
  /** Exactly one of them fits (`oneOf`); else the first that does. */
  readonly one?: boolean | undefined;
  /** The member of an object that tells which shape it is of: one look-up, and errors of that shape alone. */
  readonly discriminator?: Discriminator | undefined;
}

export interface Discriminator {
  readonly key: string;
  /** A value of the key, and which of `members` it tells, by index. */
  readonly cases: readonly (readonly [value: LiteralValue, member: number])[];
}

/** All of them fit. */
export interface IntersectionShape extends ShapeBase {
  readonly kind: 'intersection';
  readonly members: readonly Shape[];
}

export interface NotShape extends ShapeBase {
  readonly kind: 'not';
  readonly shape: Shape;
}

/** `if`, and what follows when it fits and when it does not; what is missing takes everything. */
export interface ConditionShape extends ShapeBase {
  readonly kind: 'condition';
  readonly when: Shape;
  readonly then?: Shape | undefined;
  readonly else?: Shape | undefined;
}

/** A shape of the document's definitions. */
export interface ReferenceShape extends ShapeBase {
  readonly kind: 'reference';
  readonly name: string;
}

/** A type that the application says how to check and to write, by the name under which it does so. */
export interface CodecShape extends ShapeBase {
  readonly kind: 'codec';
  readonly name: string;
  /** What it is on the wire. */
  readonly wire: Shape;
}

export const ANY: Shape = { kind: 'any' };
export const NEVER: Shape = { kind: 'never' };

/** The shapes directly within one, in their order. */
export function partsOf(shape: Shape): readonly Shape[] {
  switch (shape.kind) {
    case 'template':
      return shape.parts.filter((part) => typeof part !== 'string');
    case 'array':
      return [shape.items, ...some(shape.contains?.shape)];
    case 'tuple':
      return [...shape.items, ...(shape.last ?? [])].map((item) => item.shape).concat(some(shape.rest), some(shape.contains?.shape));
    case 'object':
      return partsOfObject(shape);
    case 'map':
      return [shape.key, shape.value];
    case 'set':
      return [shape.items];
    case 'union':
    case 'intersection':
      return shape.members;
    case 'not':
      return [shape.shape];
    case 'condition':
      return [shape.when, ...some(shape.then), ...some(shape.else)];
    case 'codec':
      return [shape.wire];
    default:
      return [];
  }
}

const some = (shape: Shape | undefined): readonly Shape[] => (shape === undefined ? [] : [shape]);

function partsOfObject({ properties, index = [], unknown, names, whenPresent = [] }: ObjectShape): readonly Shape[] {
  return [
    ...properties.map(({ shape }) => shape),
    ...index.flatMap(({ key, value }) => [key, value]),
    ...(typeof unknown === 'string' ? [] : [unknown]),
    ...some(names),
    ...whenPresent.map(({ shape }) => shape),
  ];
}

/** Names that are referred to and not defined: a document that has some is broken. */
export function undefinedNames({ root, definitions }: ShapeDocument): string[] {
  const found = new Set<string>();
  const waiting: Shape[] = [root, ...Object.values(definitions)];
  for (let shape = waiting.pop(); shape !== undefined; shape = waiting.pop()) {
    if (shape.kind === 'reference' && !Object.hasOwn(definitions, shape.name)) found.add(shape.name);
    waiting.push(...partsOf(shape));
  }
  return [...found];
}
