/**
 * How parameters are judged and results written, of one procedure: by what the compiler made of its types, by
 * its schemas, or as they come where it was said so. Made at the start; a missing schema is told there.
 */
import { isThenable } from '../host/thenable.ts';
import { hintsOf, mayHaveHints } from './hints.ts';
import { standardOf } from './standard.ts';
import type { StandardSchemaV1 } from '../app/index.ts';
import { BY_COMPILER } from '../shape/compiling.ts';
import { fromJsonSchema } from '../shape/from-json-schema.ts';
import { compileShape } from '../shape/validate/compile.ts';
import { ofParameter, tooMany } from '../shape/validate/parameters.ts';
import type { Mode } from '../shape/validate/rule-types.ts';
import { toWire } from '../shape/wire-hints.ts';
import type { CompiledProcedure, ProcedureOptions, Serializer } from './api-types.ts';
import { InvalidParams, type RpcIssue } from './errors.ts';
import { withParts } from './parts/compiled.ts';

type Result = { readonly value: unknown; readonly issues?: undefined } | { readonly issues: readonly RpcIssue[] };
export type Validate = (value: unknown) => Result | Promise<Result>;

export interface Validators {
  /** @throws InvalidParams */
  readonly params: (given: readonly unknown[]) => readonly unknown[] | Promise<readonly unknown[]>;
  /** The members `value` and `as` of a reply, as text; nothing for `undefined`. @throws TypeError for what cannot be sent */
  readonly encode: (value: unknown) => string | Promise<string>;
  /** What is sent of a result in bytes; where its text is the procedure's own, nothing is. @throws TypeError for a result that does not fit */
  readonly result: ((value: unknown) => unknown) | undefined;
}

type Results = Pick<Validators, 'encode' | 'result'>;

export interface Judged {
  readonly name: string;
  readonly options: ProcedureOptions;
  readonly compiled: CompiledProcedure | undefined;
  readonly validateParams: boolean;
  readonly validateReturn: boolean;
  readonly strictTypes: boolean;
  readonly serializer: Serializer | undefined;
}

/** @throws TypeError for a procedure whose parameters nothing is known of, and for what is no schema */
export function validatorsOf(judged: Judged): Validators {
  return { params: paramsOf(judged), ...resultsOf(judged) };
}

function paramsOf({ name, options, compiled, validateParams, strictTypes }: Judged): Validators['params'] {
  if (!validateParams) return (given) => given;
  if (options.params !== undefined)
    return bySchemas(options.params.map((schema, at) => schemaOf(schema, `params[${at}] of ${name}`, 'value')));
  if (compiled === undefined) {
    throw new TypeError(
      `rpc(): nothing is known of the parameters of ${name}. ${BY_COMPILER}: it reads their types. ` +
        'Or give schemas (query({ params: [schema] }, …)), or say validateParams: false.',
    );
  }
  if (strictTypes && compiled.isStrict !== true) {
    throw new TypeError(
      `rpc(): the parameters of ${name} were compiled without strictTypes. Write strictTypes: true at rpc() or at the procedure, where the compiler reads it.`,
    );
  }
  const { validate } = compiled.params['~standard'] as { validate: Validate };
  const { parts } = compiled;
  return (given) => {
    const result = validate(given) as Result;
    if (result.issues !== undefined) throw new InvalidParams(result.issues);
    const values = result.value as readonly unknown[];
    return parts === undefined ? values : withParts(values, parts);
  };
}

function bySchemas(schemas: readonly Validate[]): Validators['params'] {
  return async (given) => {
    const issues: RpcIssue[] = [];
    if (given.length > schemas.length) issues.push(tooMany(given.length, schemas.length));
    const values: unknown[] = [];
    for (const [at, validate] of schemas.entries()) {
      const result = await validate(given[at]);
      if (result.issues === undefined) values.push(result.value);
      else issues.push(...ofParameter(at, result.issues));
    }
    if (issues.length > 0) throw new InvalidParams(issues);
    return values;
  };
}

/** What of a procedure says how its result is written. */
type Written = Pick<Judged, 'name' | 'options' | 'validateReturn'> & {
  readonly compiled: Omit<CompiledProcedure, 'params'> | undefined;
  readonly serializer?: Serializer | undefined;
};

export function resultsOf({ name, options, compiled, validateReturn, serializer = 'declared' }: Written): Results {
  const isOwnText = typeof serializer === 'function';
  const write = isOwnText ? ownMembers(name, serializer) : membersOf;
  if (options.returns !== undefined && validateReturn) {
    const validate = schemaOf(options.returns, `returns of ${name}`, 'value');
    const result = async (value: unknown): Promise<unknown> => {
      const judged = await validate(value);
      if (judged.issues !== undefined)
        throw new TypeError(`the result of ${name} does not fit its schema: ${JSON.stringify(judged.issues)}`);
      return judged.value;
    };
    return { encode: async (value) => write(await result(value)), result: isOwnText ? undefined : result };
  }
  if (compiled === undefined) return { encode: write, result: isOwnText ? undefined : (value) => value };
  // A type that says nothing leaves it to the value, which may be a map.
  const isDeclared = serializer === 'declared' && compiled.shape.root.kind !== 'any';
  const results = compiledResults(name, compiled, { validateReturn, write: isDeclared ? undefined : write });
  return isOwnText ? { ...results, result: undefined } : results;
}

interface Writing {
  readonly validateReturn: boolean;
  /** Undefined: as the type says. */
  readonly write: ((value: unknown) => string) | undefined;
}

function compiledResults(
  name: string,
  { stringify, errors, declared, shape }: Omit<CompiledProcedure, 'params'>,
  { validateReturn, write }: Writing,
): Results {
  const hints = mayHaveHints(shape) ? hintsOf(shape) : undefined;
  const judge = (value: unknown): void => {
    const issues = validateReturn ? errors(value) : [];
    if (issues.length > 0) throw new TypeError(`the result of ${name} does not fit its type: ${JSON.stringify(issues)}`);
  };
  return {
    encode: (value) => {
      judge(value);
      if (write !== undefined) return write(value);
      if (value === undefined) return '';
      const text = stringify(value as never);
      const as = hints?.(value);
      return `,"value":${text}${as === undefined ? '' : `,"as":${as}`}`;
    },
    result: (value) => {
      judge(value);
      return write !== undefined || value === undefined ? value : declared(value as never);
    },
  };
}

function membersOf(value: unknown): string {
  if (value === undefined) return '';
  const { json, as } = toWire(value);
  return `,"value":${JSON.stringify(json)}${as === undefined ? '' : `,"as":${JSON.stringify(as)}`}`;
}

/** Trusted to be JSON: to parse it would cost what it is to save. @throws TypeError for what is no text */
function ownMembers(name: string, serialize: (value: unknown) => string): (value: unknown) => string {
  return (value) => {
    if (value === undefined) return '';
    const text: unknown = serialize(value);
    if (typeof text !== 'string' || text === '')
      throw new TypeError(`the serializer of ${name} gives JSON text, and this is ${JSON.stringify(text) ?? typeof text}`);
    return `,"value":${text}`;
  };
}

/** A Standard Schema as it is, anything else as JSON Schema. @throws TypeError */
export function schemaOf(given: object, where: string, mode: Mode): Validate {
  const standard = standardOf(given);
  if (standard !== undefined) return (value) => settle(standard.validate(value));
  try {
    return compileShape(fromJsonSchema(given), mode).parse;
  } catch (error) {
    throw new TypeError(`rpc(): ${where} is no schema: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

type StandardResult = Awaited<ReturnType<StandardSchemaV1['~standard']['validate']>>;

function settle(given: StandardResult | Promise<StandardResult>): Result | Promise<Result> {
  return isThenable(given) ? given.then(toResult) : toResult(given);
}

function toResult(result: StandardResult): Result {
  if (result.issues === undefined) return result;
  return {
    issues: result.issues.map(({ message, path = [], ...more }) => {
      const { expected, received } = more as { readonly expected?: unknown; readonly received?: unknown };
      const steps = path
        .map((step) => (typeof step === 'object' ? step.key : step))
        .map((key) => (typeof key === 'symbol' ? String(key) : key));
      return {
        path: steps,
        message,
        ...(typeof expected === 'string' ? { expected } : {}),
        ...(typeof received === 'string' ? { received } : {}),
      };
    }),
  };
}
