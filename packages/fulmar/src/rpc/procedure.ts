/**
 * `query()` and `mutation()`: a function with what is said of it. Judged here as far as it can be alone; what is
 * to be known of the whole API is judged by `rpc()`.
 */
import type { AnyContext } from '../app/index.ts';
import { type Check, type Checks, checkOptions, isBoolean, isCount, isFieldText, shown } from '../app/checked-options.ts';
import type { Kind, Procedure, ProcedureOptions } from './api-types.ts';
import { Made as MadeMiddleware, middleware } from './middleware.ts';
import type { AddsIn, AddsOf, CallWith, FailureIn, FailuresOf, Middleware, Next, UsesOf } from './middleware-types.ts';
import type { InputsOf, OutputsOf, ReturnedOf } from './schema-types.ts';
import { isSchemaLike } from './standard.ts';

/** The longest that a timer can be set to. */
export const TIMER_MS_MAX = 2 ** 31 - 1;

export const isSerializer: Check = [
  (value) => value === 'declared' || value === 'whole' || typeof value === 'function',
  "'declared', 'whole' or a function (value) that gives JSON text",
];

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
  strictTypes: isBoolean,
  serializer: isSerializer,
};

/** A function alone, whose types the compiler reads, or options with schemas before it. */
export interface MakeProcedure<K extends Kind, Base, Ctx = Base, Uses = never, Failure = never> {
  <Args extends unknown[], Result>(run: (c: Ctx, ...args: Args) => Result): Procedure<K, Base, Args, Result | Failure, Uses>;
  <const Schemas extends readonly object[], Result, Returns extends object = object>(
    options: ProcedureOptions & { readonly params: Schemas; readonly returns?: Returns },
    run: (c: Ctx, ...args: OutputsOf<Schemas>) => Result,
  ): Procedure<K, Base, InputsOf<Schemas>, ReturnedOf<Returns, Result> | Failure, Uses>;
  <Args extends unknown[], Result, Returns extends object = object>(
    options: ProcedureOptions & { readonly returns?: Returns },
    run: (c: Ctx, ...args: Args) => Result,
  ): Procedure<K, Base, Args, ReturnedOf<Returns, Result> | Failure, Uses>;
}

/** `query` and `mutation` for a context, which `use()` makes others of. */
export interface Procedures<Base, Ctx = Base, Uses = never, Failure = never> {
  readonly query: MakeProcedure<'query', Base, Ctx, Uses, Failure>;
  readonly mutation: MakeProcedure<'mutation', Base, Ctx, Uses, Failure>;
  /** The same with middleware around each, behind that of the API, the first one outermost. @throws TypeError for what is none */
  use<M extends Middleware>(
    middleware: M & Middleware<object, Ctx>,
  ): Procedures<Base, Ctx & AddsIn<M>, Uses | UsesOf<M>, Failure | FailureIn<M>>;
  /** A function alone declares nothing: it reads no values and no fields. */
  use<Result>(
    run: (call: CallWith<Readonly<Record<never, never>>, Ctx>, next: Next) => Result,
  ): Procedures<Base, Ctx & AddsOf<Result>, Uses, Failure | FailuresOf<Result>>;
}

class Made {
  readonly kind: Kind;
  readonly options: ProcedureOptions;
  readonly run: (...args: never) => unknown;
  readonly middleware: readonly MadeMiddleware[];

  constructor(kind: Kind, options: ProcedureOptions, run: Made['run'], middleware: Made['middleware']) {
    this.kind = kind;
    this.options = options;
    this.run = run;
    this.middleware = middleware;
  }
}

export const isProcedure = (value: unknown): value is Made => value instanceof Made;

function maker(kind: Kind, around: Made['middleware'] = []): (...given: unknown[]) => Made {
  return (...given) => {
    const [options, run] = given.length === 1 ? [{}, given[0]] : given;
    if (typeof run !== 'function')
      throw new TypeError(`${kind}() takes a function (c, …parameters), or options and such a function, and this is ${shown(run)}.`);
    checkOptions(kind, options as ProcedureOptions, CHECKS);
    if (kind === 'mutation' && (options as ProcedureOptions).cacheControl !== undefined)
      throw new TypeError('mutation(): cacheControl is for queries; a mutation is never cached.');
    return new Made(kind, Object.freeze({ ...(options as ProcedureOptions) }), run as Made['run'], around);
  };
}

/** Changes nothing: may be asked by GET, cached and asked again. @throws TypeError for options that are none */
export const query = maker('query') as unknown as MakeProcedure<'query', AnyContext>;
/** Asked by POST, once. @throws TypeError for options that are none */
export const mutation = maker('mutation') as unknown as MakeProcedure<'mutation', AnyContext>;

/** The two for procedures with a context of their own, which the option `context` makes, and for those with middleware. */
export const procedures = <Ctx = AnyContext>(): Procedures<Ctx> => proceduresWith([]) as unknown as Procedures<Ctx>;

function proceduresWith(around: Made['middleware']): object {
  return {
    query: maker('query', around),
    mutation: maker('mutation', around),
    use(given: unknown) {
      if (typeof given !== 'function' && !(given instanceof MadeMiddleware))
        throw new TypeError(`use() takes what middleware() makes, or a function (call, next), and this is ${shown(given)}.`);
      const one = given instanceof MadeMiddleware ? given : (middleware({}, given as never) as unknown as MadeMiddleware);
      return proceduresWith([...around, one]);
    },
  };
}
