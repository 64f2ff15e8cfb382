/**
 * Middleware of procedures as its types have it: what it declares, what it adds to the context, which errors it
 * may answer, and how an API collects that for its clients. Types only.
 */
import type { Call, CallMiddleware } from './scoped.ts';
import type { RpcFailure } from './failure.ts';

/** What a middleware reads and writes beside parameters and results of procedures. */
export interface Declared {
  /** What clients send with every call, by `client.set(name, value)`. */
  readonly values?: object;
  /** Fields of the request, made of their texts what the type says. */
  readonly headers?: object;
  /** What it tells the client beside the procedure's result. */
  readonly results?: object;
  /** Fields of the reply that it sets. */
  readonly replyHeaders?: object;
}

type Nothing = Readonly<Record<never, never>>;
type Of<Wants, Name extends keyof Declared> = Wants extends { readonly [Key in Name]: infer Type extends object } ? Type : Nothing;

/**
 * A call as typed middleware sees it: `(call: CallWith<{ values: { token: string } }>, next) => next()`. The second is
 * the context that it needs; without, it may stand anywhere.
 */
export interface CallWith<Wants extends Declared = Nothing, Ctx = unknown> extends Omit<Call<Ctx>, 'values'> {
  readonly values: Readonly<Of<Wants, 'values'>>;
  readonly headers: Readonly<Of<Wants, 'headers'>>;
  /** The client has it beside the call's value or error. @throws TypeError for what does not fit */
  addResults(results: Of<Wants, 'results'>): void;
  /** @throws TypeError for what does not fit */
  setHeaders(fields: Of<Wants, 'replyHeaders'>): void;
}

declare const adds: unique symbol;
declare const uses: unique symbol;

/** What comes back from `next()`, which also says what was added to the context. */
export interface Went<Adds> {
  readonly [adds]: Adds;
}

/** Goes on, with more in the context of everything behind it where that is given. */
export type Next = <Adds extends object = Nothing>(additions?: Adds) => Promise<Went<Adds>>;

export interface MiddlewareOptions {
  /** Schemas in place of types, each of an object. */
  readonly values?: object;
  readonly headers?: object;
  readonly results?: object;
  readonly replyHeaders?: object;
  /** True: it stands around everything else of a call, so that nothing that fails is kept from it. Default: false. */
  readonly alwaysRun?: boolean;
}

/** What `middleware()` makes. */
export interface Middleware<Wants extends Declared = Declared, Ctx = never, Adds = object, Failure = unknown> {
  readonly options: MiddlewareOptions;
  readonly run: (call: never, next: never) => unknown;
  /** Of types alone: never there. */
  readonly '~types'?: { readonly takes: (context: Ctx) => void; readonly wants: Wants; readonly adds: Adds; readonly failure: Failure };
}

type WentIn<Result> = Awaited<Result> extends infer Value ? (Value extends Went<infer Adds> ? Adds : never) : never;
export type AddsOf<Result> = [WentIn<Result>] extends [never] ? Nothing : WentIn<Result>;
export type FailuresOf<Result> = Extract<Awaited<Result>, RpcFailure>;

export type WantsIn<M> = M extends Middleware<infer Wants, never, object, unknown> ? Wants : never;
export type AddsIn<M> = M extends Middleware<Declared, never, infer Adds, unknown> ? Adds : never;
export type FailureIn<M> = M extends Middleware<Declared, never, object, infer Failure> ? Failure : never;

/** What clients set and are told, for one middleware. A plain function takes whatever is sent. */
export interface Uses<Values = unknown, Results = unknown> {
  readonly values: Values;
  readonly results: Results;
}
export type UsesOf<M> = M extends readonly (infer One)[]
  ? UsesOf<One>
  : M extends CallMiddleware<never>
    ? Uses<Readonly<Record<string, unknown>>, Nothing>
    : M extends Middleware
      ? Uses<Of<WantsIn<M>, 'values'>, Of<WantsIn<M>, 'results'>>
      : never;

/** A part of an API, or a procedure, with middleware around it. No interface: trees have members of any name. */
export type UsedBy<U> = { readonly [uses]?: U };
type Own<Node> = typeof uses extends keyof Node ? (Node extends UsedBy<infer U> ? NonNullable<U> : never) : never;

/** All that middleware of an API uses, as a union. */
export type UsesIn<Node> =
  | Own<Node>
  | (Node extends ((...args: never) => unknown) | { readonly kind: unknown; readonly run: unknown }
      ? never
      : { [Name in keyof Node & string]: UsesIn<Node[Name]> }[keyof Node & string]);

/** Procedures with the errors of middleware around them among their own. */
export type Guarded<Tree, Failure> = [Failure] extends [never]
  ? Tree
  : Tree extends { readonly kind: unknown; readonly run: (c: infer Ctx, ...args: infer Args) => infer Result }
    ? Omit<Tree, 'run'> & { readonly run: (c: Ctx, ...args: Args) => Result | Failure }
    : Tree extends (c: infer Ctx, ...args: infer Args) => infer Result
      ? (c: Ctx, ...args: Args) => Result | Failure
      : { readonly [Name in keyof Tree]: Name extends string ? Guarded<Tree[Name], Failure> : Tree[Name] };

export type FailureOfAll<M> = M extends readonly (infer One)[] ? FailureIn<One> : FailureIn<M>;
export type Scoped<Tree, M> = Guarded<Tree, FailureOfAll<M>> & UsedBy<Own<Tree> | UsesOf<M>>;
