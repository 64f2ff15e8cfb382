/**
 * What a schema is to the app: the Standard Schema interface, version 1, which zod, valibot, arktype and
 * others implement. These types follow its specification, `@standard-schema/spec` (MIT, standardschema.dev),
 * as far as they are needed: it is made to be copied, so that nobody depends on a package for it.
 */

import type { ShapeDocument } from '../shape/shape.ts';
import type { Issue } from '../shape/validate/rule-types.ts';

export interface StandardSchemaV1<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>;
}

export interface StandardProps<Input, Output> {
  readonly version: 1;
  readonly vendor: string;
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** For the type checker alone. */
  readonly types?: { readonly input: Input; readonly output: Output } | undefined;
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * What the app knows of schemas that it has made itself, of JSON Schemas and of compiled types: another schema
 * for forms, whose values are texts, and that a reply is sent as the schema makes it.
 */
export interface OwnSchema extends StandardSchemaV1 {
  readonly isOwn: true;
  readonly ofForms: StandardSchemaV1;
  /** As it was written, where that is JSON Schema. */
  readonly given?: object;
  /** Of a compiled type: the JSON of a value that fits. @throws TypeError */
  readonly stringify?: (value: never) => string;
}

/** What `schema<T>()` of `fulmar/types` becomes, as far as it is needed here. */
export interface TypedSchema extends StandardSchemaV1 {
  readonly shape: ShapeDocument;
  /** Missing where only values that come in are meant. */
  readonly reply?: { readonly errors: (value: unknown) => readonly Issue[]; readonly stringify: (value: never) => string } | undefined;
}

export const isTyped = (schema: StandardSchemaV1): schema is TypedSchema =>
  schema['~standard'].vendor === 'fulmar' && typeof (schema as Partial<TypedSchema>).shape === 'object';

export const isOwn = (schema: object): schema is OwnSchema => (schema as Partial<OwnSchema>).isOwn === true;

export type InferInput<Schema extends StandardSchemaV1> = NonNullable<Schema['~standard']['types']>['input'];
export type InferOutput<Schema extends StandardSchemaV1> = NonNullable<Schema['~standard']['types']>['output'];

export const isSchema = (value: unknown): value is StandardSchemaV1 => {
  const props = standardOf(value) as Partial<StandardProps<unknown, unknown>> | undefined;
  return props?.version === 1 && typeof props.validate === 'function';
};

/** What stands where a schema has what makes it one. Schemas of arktype are functions. */
export function standardOf(value: unknown): object | undefined {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return undefined;
  const props = (value as { '~standard'?: unknown })['~standard'];
  return typeof props === 'object' && props !== null ? props : undefined;
}

/** The path of an issue as JSON has it. */
export function pathOf({ path = [] }: StandardIssue): (string | number)[] {
  return path.map((step) => {
    const key = typeof step === 'object' ? step.key : step;
    return typeof key === 'symbol' ? String(key) : key;
  });
}
