/**
 * JSON Schemas as the type checker sees them: what may be written, and the type of the values that fit. What
 * it cannot tell is `unknown`, never a guess.
 */

/** Names of types: JSON Schema's, and those that TypeBox adds. */
export type JsonTypeName =
  | 'string'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'null'
  | 'array'
  | 'object'
  | 'Date'
  | 'Uint8Array'
  | 'RegExp'
  | 'bigint'
  | 'undefined'
  | 'void';

/** An object of JSON Schema, or one of TypeBox. Its keywords are checked where a route is registered. */
export interface JsonSchema {
  readonly $id?: string;
  readonly $ref?: string;
  readonly $schema?: string;
  readonly $anchor?: string;
  readonly $comment?: string;
  readonly $defs?: object;
  readonly definitions?: object;
  readonly type?: JsonTypeName | readonly JsonTypeName[];
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly items?: unknown;
  readonly prefixItems?: readonly unknown[];
  readonly additionalItems?: unknown;
  readonly unevaluatedItems?: unknown;
  readonly contains?: unknown;
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly properties?: object;
  readonly patternProperties?: object;
  readonly additionalProperties?: unknown;
  readonly unevaluatedProperties?: unknown;
  readonly propertyNames?: unknown;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: object;
  readonly dependentSchemas?: object;
  readonly dependencies?: object;
  readonly allOf?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
  readonly oneOf?: readonly unknown[];
  readonly not?: unknown;
  readonly if?: unknown;
  readonly then?: unknown;
  readonly else?: unknown;
  readonly discriminator?: object;
  readonly default?: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: boolean;
  readonly examples?: unknown;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  /** Of TypeBox. */
  readonly '~kind'?: string;
  readonly '~unsafe'?: unknown;
}

/** The type of the values that fit a JSON Schema which is written where it is used, or one of TypeBox. */
export type FromSchema<Schema> = Schema extends { readonly static: infer Type }
  ? Type
  : Schema extends { readonly '~unsafe': infer Type }
    ? Type
    : Schema extends { readonly '~kind': infer Kind }
      ? FromTypeBox<Schema, Kind>
      : FromJson<Schema>;

type Flat<Type> = { [Key in keyof Type]: Type[Key] } & {};
type Intersection<List> = List extends readonly [infer First, ...infer Rest] ? FromSchema<First> & Intersection<Rest> : unknown;
type Mutable<Value> = Value extends readonly unknown[] | object ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> } : Value;

type FromJson<Schema> = Schema extends true
  ? unknown
  : Schema extends false
    ? never
    : Schema extends { readonly const: infer Value }
      ? Mutable<Value>
      : Schema extends { readonly enum: readonly (infer Value)[] }
        ? Mutable<Value>
        : Schema extends { readonly $ref: string }
          ? unknown
          : WithNull<Schema, Combined<Schema>>;

type WithNull<Schema, Type> = Schema extends { readonly nullable: true } ? Type | null : Type;

/** Flat where it is an object, so that it reads as one. */
type Combined<Schema> = Schema extends
  | { readonly allOf: readonly unknown[] }
  | { readonly anyOf: readonly unknown[] }
  | { readonly oneOf: readonly unknown[] }
  ? Typed<Schema> & AllOf<Schema> & OneOf<Schema>
  : Typed<Schema>;
type AllOf<Schema> = Schema extends { readonly allOf: infer List } ? Intersection<List> : unknown;
type OneOf<Schema> = Schema extends { readonly anyOf: readonly (infer One)[] } | { readonly oneOf: readonly (infer One)[] }
  ? One extends unknown
    ? FromSchema<One>
    : never
  : unknown;

type Typed<Schema> = Schema extends { readonly type: infer Name }
  ? ByName<Name extends readonly (infer One)[] ? One : Name, Schema>
  : unknown;

interface Scalars {
  readonly string: string;
  readonly number: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly null: null;
  readonly undefined: undefined;
  readonly void: undefined;
  readonly bigint: bigint;
  readonly RegExp: string;
  readonly Date: Date;
  readonly Uint8Array: Uint8Array;
}

/** One name after the other. A `type` that is any text says nothing. */
type ByName<Name, Schema> = string extends Name
  ? unknown
  : Name extends keyof Scalars
    ? Scalars[Name]
    : Name extends 'array'
      ? ArrayOf<Schema>
      : Name extends 'object'
        ? ObjectOf<Schema>
        : unknown;

type ArrayOf<Schema> = Schema extends { readonly prefixItems: readonly unknown[] }
  ? unknown[]
  : Schema extends { readonly items: readonly unknown[] }
    ? unknown[]
    : Schema extends { readonly items: infer Items }
      ? FromSchema<Items>[]
      : unknown[];

type ObjectOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<Members<Properties, RequiredOf<Schema>>>
  : Schema extends { readonly additionalProperties: infer Value extends object }
    ? Record<string, FromSchema<Value>>
    : Record<string, unknown>;

type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

/** A member with a default is always there. */
type Present<Properties, Required> = {
  [Key in keyof Properties]: Key extends Required ? Key : Properties[Key] extends { readonly default: unknown } ? Key : never;
}[keyof Properties];
type Members<Properties, Required> = {
  -readonly [Key in Present<Properties, Required>]: FromSchema<Properties[Key]>;
} & { -readonly [Key in Exclude<keyof Properties, Present<Properties, Required>>]?: FromSchema<Properties[Key]> };

/** Of TypeBox 1, whose types name what they are; those of 0.34 carry the type itself. */
type FromTypeBox<Schema, Kind> = Kind extends keyof TypeBoxScalars
  ? TypeBoxScalars[Kind]
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends { readonly anyOf: readonly (infer One)[] }
        ? OfEach<One>
        : Schema extends { readonly allOf: infer List }
          ? Intersection<List>
          : FromTypeBoxParts<Schema, Kind>;

type OfEach<One> = One extends unknown ? FromSchema<One> : never;

type FromTypeBoxParts<Schema, Kind> = Kind extends 'Object'
  ? Schema extends { readonly properties: infer Properties }
    ? Flat<TypeBoxMembers<Properties>>
    : unknown
  : Kind extends 'Array'
    ? Schema extends { readonly items: infer Items }
      ? FromSchema<Items>[]
      : unknown
    : Kind extends 'Tuple'
      ? Schema extends { readonly items: infer Items extends readonly unknown[] }
        ? { -readonly [Key in keyof Items]: FromSchema<Items[Key]> }
        : unknown
      : Kind extends 'Record'
        ? Schema extends { readonly patternProperties: infer Values }
          ? Record<string, FromSchema<Values[keyof Values]>>
          : unknown
        : unknown;

interface TypeBoxScalars {
  readonly String: string;
  readonly TemplateLiteral: string;
  readonly Number: number;
  readonly Integer: number;
  readonly Boolean: boolean;
  readonly Null: null;
  readonly Undefined: undefined;
  readonly Void: undefined;
  readonly BigInt: bigint;
  readonly Never: never;
}

type OptionalNames<Properties> = {
  [Key in keyof Properties]: Properties[Key] extends { readonly '~optional': true } ? Key : never;
}[keyof Properties];
type TypeBoxMembers<Properties> = {
  -readonly [Key in Exclude<keyof Properties, OptionalNames<Properties>>]: FromSchema<Properties[Key]>;
} & { -readonly [Key in OptionalNames<Properties>]?: FromSchema<Properties[Key]> };
