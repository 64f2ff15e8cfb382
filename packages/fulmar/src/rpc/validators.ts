/**
 * How parameters are judged and results written, of one procedure: by what the compiler made of its types, by
 * its schemas, or as they come where it was said so. Made at the start; a missing schema is told there.
 */
import { isThenable } from '../host/thenable.ts';
import { hintsOf } from './hints.ts';
import { standardOf } from './standard.ts';
import type { StandardSchemaV1 } from '../app/index.ts';
import { fromJsonSchema } from '../shape/from-json-schema.ts';
import { partsOf, type Shape, type ShapeDocument } from '../shape/shape.ts';
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
}

/** Kinds that JSON has no form for. */
const SPECIAL: ReadonlySet<Shape['kind']> = new Set<Shape['kind']>(['date', 'bigint', 'url', 'bytes', 'map', 'set', 'undefined', 'any']);

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
  return { params: paramsOf(judged), encode: encoderOf(judged) };
}

function paramsOf({ name, options, compiled, validateParams, strictTypes }: Judged): Validators['params'] {
  if (!validateParams) return (given) => given;
  if (options.params !== undefined)
    return bySchemas(options.params.map((schema, at) => schemaOf(schema, `params[${at}] of ${name}`, 'value')));
  if (compiled === undefined) {
    throw new TypeError(
      `rpc(): nothing is known of the parameters of ${name}. Install fulmar-compiler, which reads their types (npm install -D fulmar-compiler), ` +
        'give schemas (query({ params: [schema] }, …)), or say validateParams: false.',
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
type Written = Pick<Judged, 'name' | 'options' | 'compiled' | 'validateReturn'> & Partial<Pick<Judged, 'serializer'>>;

export function encoderOf({ name, options, compiled, validateReturn, serializer = 'declared' }: Written): Validators['encode'] {
  const write = typeof serializer === 'function' ? ownMembers(name, serializer) : membersOf;
  if (options.returns !== undefined && validateReturn) {
    const validate = schemaOf(options.returns, `returns of ${name}`, 'value');
    return async (value) => {
      const result = await validate(value);
      if (result.issues !== undefined)
        throw new TypeError(`the result of ${name} does not fit its schema: ${JSON.stringify(result.issues)}`);
      return write(result.value);
    };
  }
  if (compiled === undefined) return write;
  return compiledEncoder(name, compiled, { validateReturn, write: serializer === 'declared' ? undefined : write });
}

interface Writing {
  readonly validateReturn: boolean;
  /** Undefined: as the type says. */
  readonly write: ((value: unknown) => string) | undefined;
}

function compiledEncoder(
  name: string,
  { stringify, errors, shape }: CompiledProcedure,
  { validateReturn, write }: Writing,
): Validators['encode'] {
  const hints = hasSpecial(shape) ? hintsOf(shape) : undefined;
  return (value) => {
    const issues = validateReturn ? errors(value) : [];
    if (issues.length > 0) throw new TypeError(`the result of ${name} does not fit its type: ${JSON.stringify(issues)}`);
    if (write !== undefined) return write(value);
    if (value === undefined) return '';
    const json = stringify(value as never);
    const as = hints?.(value, json);
    return `,"value":${json}${as === undefined ? '' : `,"as":${as}`}`;
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

function hasSpecial({ root, definitions }: ShapeDocument): boolean {
  const waiting: Shape[] = [root, ...Object.values(definitions)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (SPECIAL.has(next.kind)) return true;
    waiting.push(...partsOf(next));
  }
  return false;
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
