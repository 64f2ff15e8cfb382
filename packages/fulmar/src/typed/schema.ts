/**
 * A compiled type as a Standard Schema, version 1 (standardschema.dev; the interface is made to be copied).
 * Takes values as they come out of JSON, and as an application has them.
 */
import type { ShapeDocument } from '../shape/shape.ts';
import { documents } from './lazy.ts';
import type { Issue } from '../shape/validate/rule-types.ts';
import { ValidationError } from './validation-error.ts';

export interface TypeSchema<T> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'fulmar';
    readonly validate: (value: unknown) => { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly Issue[] };
    /** Standard JSON Schema: what comes and what goes have one form. */
    readonly jsonSchema: Readonly<Record<'input' | 'output', (options: { readonly target: string }) => Record<string, unknown>>>;
    readonly types?: { readonly input: T; readonly output: T } | undefined;
  };
  /** What the compiler knows of the type. */
  readonly shape: ShapeDocument;
  /** @internal For routes: what a handler returns is judged and written by these. */
  readonly reply?: ReplyParts | undefined;
}

export interface SchemaParts<T> {
  readonly shape: ShapeDocument;
  readonly fits: (value: unknown) => boolean;
  readonly decode: (value: unknown) => T;
  readonly issues: (value: unknown) => readonly Issue[];
  /** Missing where only values that come in are meant. */
  readonly reply?: ReplyParts;
}

/** Of values as an application has them. */
export interface ReplyParts {
  readonly errors: (value: unknown) => readonly Issue[];
  readonly stringify: (value: never) => string;
}

export function toSchema<T>({ shape, fits, decode, issues, reply }: SchemaParts<T>): TypeSchema<T> {
  // What fits may still be too much to be read.
  const validate = (value: unknown): { readonly value: T } | { readonly issues: readonly Issue[] } => {
    try {
      return fits(value) ? { value: decode(value) } : { issues: issues(value) };
    } catch (error) {
      if (error instanceof ValidationError) return { issues: error.issues };
      throw error;
    }
  };
  const toDocument = ({ target }: { readonly target: string }): Record<string, unknown> => documents()(shape, target);
  return Object.freeze({
    '~standard': Object.freeze({
      version: 1 as const,
      vendor: 'fulmar' as const,
      validate,
      jsonSchema: Object.freeze({ input: toDocument, output: toDocument }),
    }),
    shape,
    ...(reply !== undefined && { reply }),
  });
}
