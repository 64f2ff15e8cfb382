/**
 * The types that a schema stands for. What it takes and what it makes of that differ where it converts or fills in:
 * clients send the one, procedures are given the other. Types only.
 */
import type { FromSchema, StandardSchemaV1 } from '../app/index.ts';
import type { RpcFailure } from './failure.ts';

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

/**
 * What clients are given of a result that a schema is said for: what the schema makes of it, of each item of a stream,
 * and errors as they are. JSON Schema makes nothing else of a value, and knows less of it than the function does.
 */
export type ReturnedOf<Returns, Result> = Returns extends StandardSchemaV1
  ?
      | Extract<Awaited<Result>, RpcFailure>
      | (Awaited<Result> extends infer Value ? Made<OutputOf<Returns>, Exclude<Value, RpcFailure>> : never)
  : Result;
type Made<Output, Value> = [Value] extends [never] ? never : Value extends AsyncIterable<unknown> ? AsyncIterable<Output> : Output;
