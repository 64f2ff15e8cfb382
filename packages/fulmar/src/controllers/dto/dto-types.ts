/**
 * Schemas of `DTO` as types: what a value is that fits.
 */
import type { JsonSchema } from '../../app/index.ts';

declare const VALUE: unique symbol;
declare const OPTIONAL: unique symbol;

/** A JSON Schema, with the type of what it is of. */
export interface TSchema<T = unknown> extends JsonSchema {
  readonly [VALUE]?: T;
}
/** Of a member that may be missing. */
export interface TOptional<T = unknown> extends TSchema<T> {
  readonly [OPTIONAL]: true;
}

/** What a value is that fits a schema: `type User = Static<typeof UserDTO>`. */
export type Static<S extends TSchema> = S extends TSchema<infer T> ? T : never;

export type Members = Readonly<Record<string, TSchema>>;
type OptionalNames<M extends Members> = { [Name in keyof M]: M[Name] extends TOptional ? Name : never }[keyof M];
type Flat<T> = { [Name in keyof T]: T[Name] };
export type ObjectOf<M extends Members> = Flat<
  { -readonly [Name in Exclude<keyof M, OptionalNames<M>>]: Static<M[Name]> } & {
    -readonly [Name in OptionalNames<M>]?: Static<M[Name]>;
  }
>;

/** Keywords of JSON Schema, and the text that a client is told. */
export interface DtoOptions {
  /** What a client is told where it does not fit. */
  readonly error?: string;
  /** The same. */
  readonly errorMessage?: string;
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
}
export interface DtoObjectOptions extends DtoOptions {
  /** False: unknown members are an error. Default: they are left out. */
  readonly additionalProperties?: boolean | TSchema;
}
