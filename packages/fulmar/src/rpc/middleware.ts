/**
 * `middleware()`: a function around procedures with what it declares of values, fields and results, judged
 * before it runs. What nobody knows the types of is told here, at the start.
 */
import { type Checks, checkOptions, isBoolean, shown } from '../app/checked-options.ts';
import { BY_COMPILER } from '../shape/compiling.ts';
import { type CompiledDeclared, declaredOf, type Judge } from './declared.ts';
import type { AddsOf, CallWith, Declared, FailuresOf, Middleware, MiddlewareOptions, Next } from './middleware-types.ts';
import type { InputOf, OutputOf } from './schema-types.ts';
import { isSchemaLike } from './standard.ts';

const isSchema = [isSchemaLike, 'a schema of an object'] as const;
const CHECKS: Checks<MiddlewareOptions> = {
  values: isSchema,
  headers: isSchema,
  results: isSchema,
  replyHeaders: isSchema,
  alwaysRun: isBoolean,
};

/** What schemas among the options declare, as the middleware has it. */
type FromOptions<Options> = {
  readonly [Name in keyof Options & keyof Declared]: OutputOf<Options[Name]> extends infer Type extends object ? Type : never;
};
/** As clients have it, who set what the schema of values takes. */
type ForClients<Options> = {
  readonly [Name in keyof Options & keyof Declared]: (
    Name extends 'values' ? InputOf<Options[Name]> : OutputOf<Options[Name]>
  ) extends infer Type extends object
    ? Type
    : never;
};

/** Options without schemas. */
type NoSchemas = { readonly [Name in keyof Declared]?: undefined } & { readonly alwaysRun?: boolean };

export interface MakeMiddleware {
  /** Types of the signature count: the compiler reads them. @throws TypeError where it has not */
  <Wants extends Declared = Readonly<Record<never, never>>, Ctx = unknown, Result = unknown>(
    run: (call: CallWith<Wants, Ctx>, next: Next) => Result,
  ): Middleware<Wants, Ctx, AddsOf<Result>, FailuresOf<Result>>;
  <Wants extends Declared = Readonly<Record<never, never>>, Ctx = unknown, Result = unknown>(
    options: NoSchemas,
    run: (call: CallWith<Wants, Ctx>, next: Next) => Result,
  ): Middleware<Wants, Ctx, AddsOf<Result>, FailuresOf<Result>>;
  /** Schemas count. @throws TypeError for options that are none */
  <const Options extends MiddlewareOptions, Ctx = unknown, Result = unknown>(
    options: Options,
    run: (call: CallWith<FromOptions<Options>, Ctx>, next: Next) => Result,
  ): Middleware<ForClients<Options>, Ctx, AddsOf<Result>, FailuresOf<Result>>;
}

export class Made {
  readonly options: MiddlewareOptions;
  readonly run: (call: never, next: never) => unknown;
  readonly judge: Judge;

  constructor(options: MiddlewareOptions, run: Made['run'], judge: Judge) {
    this.options = options;
    this.run = run;
    this.judge = judge;
  }
}

function make(...given: unknown[]): Made {
  const [options, run, compiled] = typeof given[0] === 'function' ? [undefined, ...given] : given;
  if (typeof run !== 'function')
    throw new TypeError(`middleware() takes a function (call, next), or options and such a function, and this is ${shown(run)}.`);
  if (options === undefined && compiled === undefined) {
    throw new TypeError(
      `middleware(): nothing is known of what this function declares. ${BY_COMPILER}: it reads its types. ` +
        'Or give schemas: middleware({ values: schema }, …), and middleware({}, …) for none.',
    );
  }
  const own = (options ?? {}) as MiddlewareOptions;
  checkOptions('middleware', own, CHECKS);
  return new Made(Object.freeze({ ...own }), run as Made['run'], declaredOf(own, compiled as CompiledDeclared | undefined));
}

/** Around procedures: typed values and fields, results for the client, more context. */
export const middleware = make as unknown as MakeMiddleware;
