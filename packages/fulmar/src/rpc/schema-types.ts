/**
 * The types that a schema stands for. What it takes and what it makes of that differ where it converts or fills in:
 * clients send the one, procedures are given the other. Types only.
 */
import type { FromSchema, StandardSchemaV1 } from '../app/index.ts';

type Side<Schema, Name extends 'input' | 'output'> = Schema extends StandardSchemaV1
  ? NonNullable<Schema['~standard']['types']>[Name]
  : FromSchema<Schema>;

/** What it takes. */
export type InputOf<Schema> = Side<Schema, 'input'>;
/** What it makes of what comes. */
export type OutputOf<Schema> = Side<Schema, 'output'>;

type InputOfEach<Schemas extends readonly object[]> = { -readonly [At in keyof Schemas]: InputOf<Schemas[At]> };

/** Parameters as their clients give them: the last ones may be left out where their schemas take `undefined`. */
export type InputsOf<Schemas extends readonly object[]> = Omissible<InputOfEach<Schemas>>;
/** Parameters as the procedure is given them. */
export type OutputsOf<Schemas extends readonly object[]> = { -readonly [At in keyof Schemas]: OutputOf<Schemas[At]> };

/** `unknown` has `undefined` in it, and says nothing of whether the schema does. */
type Omissible<Args extends readonly unknown[]> = Args extends [...infer Before, infer Last]
  ? unknown extends Last
    ? Args
    : undefined extends Last
      ? [...Omissible<Before>, Last?]
      : Args
  : Args extends unknown[]
    ? Args
    : never;
