/**
 * `query()` and `mutation()`: a function with what is said of it. Judged here as far as it can be alone; what is
 * to be known of the whole API is judged by `rpc()`.
 */
import type { AnyContext, FromSchema, StandardSchemaV1 } from '../app/index.ts';
import { type Checks, checkOptions, isBoolean, isCount, isFieldText, shown } from '../app/checked-options.ts';
import type { Kind, Procedure, ProcedureOptions } from './api-types.ts';

/** The longest that a timer can be set to. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

const isSchemaLike = (value: unknown): boolean =>
  (typeof value === 'object' && value !== null && !Array.isArray(value)) || typeof value === 'function';

function isUploadLimits(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(([name, limit]) => (name === 'files' || name === 'fileSize') && isCount(0, limit));
}

const CHECKS: Checks<ProcedureOptions> = {
  params: [(value) => Array.isArray(value) && value.every(isSchemaLike), 'a list with a schema for each parameter'],
  returns: [isSchemaLike, 'a schema'],
  validateParams: isBoolean,
  validateReturn: isBoolean,
  timeout: [(value) => isCount(0, value) && (value as number) <= TIMER_MS_MAX, `milliseconds, 0 to ${TIMER_MS_MAX}`],
  cacheControl: [isFieldText, 'what stands in a Cache-Control field'],
  description: [(value) => typeof value === 'string', 'a text'],
  upload: [isUploadLimits, 'limits of files, as in { files: 10, fileSize: 16 * 2 ** 20 }'],
};

/** What a schema makes of what comes. */
type OutputOf<Schema> = Schema extends StandardSchemaV1 ? NonNullable<Schema['~standard']['types']>['output'] : FromSchema<Schema>;
type OutputsOf<Schemas extends readonly object[]> = { -readonly [At in keyof Schemas]: OutputOf<Schemas[At]> };

/** A function alone, whose types the compiler reads, or options with schemas before it. */
export interface MakeProcedure<K extends Kind, Ctx> {
  <Args extends unknown[], Result>(run: (c: Ctx, ...args: Args) => Result): Procedure<K, Ctx, Args, Result>;
  <const Schemas extends readonly object[], Result>(
    options: ProcedureOptions & { readonly params: Schemas },
    run: (c: Ctx, ...args: OutputsOf<Schemas>) => Result,
  ): Procedure<K, Ctx, OutputsOf<Schemas>, Result>;
  <Args extends unknown[], Result>(options: ProcedureOptions, run: (c: Ctx, ...args: Args) => Result): Procedure<K, Ctx, Args, Result>;
}

class Made {
  readonly kind: Kind;
  readonly options: ProcedureOptions;
  readonly run: (...args: never) => unknown;

  constructor(kind: Kind, options: ProcedureOptions, run: Made['run']) {
    this.kind = kind;
    this.options = options;
    this.run = run;
  }
}

export const isProcedure = (value: unknown): value is Procedure<Kind, unknown, readonly unknown[], unknown> => value instanceof Made;

function maker(kind: Kind): (...given: unknown[]) => Made {
  return (...given) => {
    const [options, run] = given.length === 1 ? [{}, given[0]] : given;
    if (typeof run !== 'function')
      throw new TypeError(`${kind}() takes a function (c, …parameters), or options and such a function, and this is ${shown(run)}.`);
    checkOptions(kind, options as ProcedureOptions, CHECKS);
    if (kind === 'mutation' && (options as ProcedureOptions).cacheControl !== undefined)
      throw new TypeError('mutation(): cacheControl is for queries; a mutation is never cached.');
    return new Made(kind, Object.freeze({ ...(options as ProcedureOptions) }), run as Made['run']);
  };
}

/** Changes nothing: may be asked by GET, cached and asked again. @throws TypeError for options that are none */
export const query = maker('query') as unknown as MakeProcedure<'query', AnyContext>;
/** Asked by POST, once. @throws TypeError for options that are none */
export const mutation = maker('mutation') as unknown as MakeProcedure<'mutation', AnyContext>;

/** The two for procedures with a context of their own, which the option `context` makes. */
export const procedures = <Ctx>(): { readonly query: MakeProcedure<'query', Ctx>; readonly mutation: MakeProcedure<'mutation', Ctx> } =>
  ({ query, mutation }) as never;
