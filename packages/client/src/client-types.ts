/** What a client looks like that knows its server's types. Types only: nothing of a server is loaded. */
import type { ClientError } from './client-error.ts';

/** What stands for a procedure, as the server's type has it. */
interface ProcedureLike<K> {
  readonly kind: K;
  readonly run: (c: never, ...args: never) => unknown;
}

interface FailureLike {
  readonly type: string;
  readonly status: number;
  readonly publicMessage: string;
  readonly data: unknown;
}

/** The API of `typeof api`. */
export type ApiOf<App> = App extends { readonly '~rpc'?: infer Api } ? NonNullable<Api> : never;

type ArgsOf<Run> = Run extends (c: never, ...args: infer Args) => unknown ? Args : never;
type Given<Run> = Run extends (c: never, ...args: never) => infer Result ? Awaited<Result> : never;
type Failures<Value> = Extract<Value, FailureLike>;
type FailureErrors<Failure> = Failure extends { readonly type: infer Type extends string; readonly data: infer Data }
  ? ClientError<Type, Data>
  : never;

/** What every call may fail with, whatever its procedure says. */
export type CommonError = ClientError<
  | 'aborted'
  | 'bad-request'
  | 'dependency'
  | 'forbidden'
  | 'http'
  | 'internal'
  | 'invalid-params'
  | 'method-not-allowed'
  | 'network'
  | 'not-found'
  | 'protocol'
  | 'timeout'
  | 'too-large'
  | 'too-many-requests'
  | 'unauthorized'
  | 'unavailable'
  | 'unsupported-type'
  | 'unsupported-version',
  unknown
>;

export type Outcome<Value, Failure> = readonly [value: Value, error: undefined] | readonly [value: undefined, error: Failure];

type ValueOf<Run> = Exclude<Given<Run>, FailureLike>;
type ErrorOf<Run> = FailureErrors<Failures<Given<Run>>> | CommonError;
type ResultOf<Run> = ValueOf<Run> extends AsyncIterable<infer Item> ? AsyncIterable<Exclude<Item, FailureLike>> : ValueOf<Run>;

export interface Form {
  readonly pair: 'pair';
  readonly value: 'value';
}

type Returned<Run, F extends keyof Form> = F extends 'pair' ? Promise<Outcome<ResultOf<Run>, ErrorOf<Run>>> : Promise<ResultOf<Run>>;

/** Parts of an API that have procedures of this kind. */
export type Calls<Api, K, F extends keyof Form> = {
  readonly [Name in keyof Api as Has<Api[Name], K> extends true ? Name : never]: Leaf<Api[Name], K> extends infer Run
    ? [Run] extends [never]
      ? Calls<Api[Name], K, F>
      : (...args: ArgsOf<Run>) => Returned<Run, F>
    : never;
};

/** The function of a procedure; a function alone is a mutation. */
type Leaf<Node, K> = Node extends (...args: never) => unknown
  ? K extends 'mutation'
    ? Node
    : never
  : Node extends ProcedureLike<K>
    ? Node['run']
    : never;

type Has<Node, K> = Node extends (...args: never) => unknown
  ? K extends 'mutation'
    ? true
    : false
  : Node extends ProcedureLike<unknown>
    ? Node extends ProcedureLike<K>
      ? true
      : false
    : true extends { [Name in keyof Node]: Has<Node[Name], K> }[keyof Node]
      ? true
      : false;

/** A call that a batch sends: its result, or a part of it, may be another call's parameter. */
export type Planned<Value, Failure = unknown> = Part<Value> & { readonly '~planned'?: readonly [Value, Failure] };
export type Part<Value> = (Value extends object ? { readonly [Name in keyof Value]-?: Part<Value[Name]> } : unknown) & {
  readonly '~part'?: Value;
};

type OrParts<Args> = { [At in keyof Args]: Args[At] | { readonly '~part'?: Args[At] } };

export type Plan<Api> = {
  readonly [Name in keyof Api]: PlanLeaf<Api[Name]> extends infer Run
    ? [Run] extends [never]
      ? Plan<Api[Name]>
      : (
          ...args: OrParts<ArgsOf<Run>> extends infer Given extends readonly unknown[] ? Given : never
        ) => Planned<ValueOf<Run>, ErrorOf<Run>>
    : never;
};

type PlanLeaf<Node> = Leaf<Node, 'query'> | Leaf<Node, 'mutation'>;

export type Results<Planneds extends readonly unknown[]> = {
  -readonly [At in keyof Planneds]: Planneds[At] extends { readonly '~planned'?: readonly [infer Value, infer Failure] }
    ? Outcome<Value, Failure>
    : never;
};

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds until the call is given up, on both sides. Default: the client's. */
  readonly timeout?: number;
}

/** What goes out, as interceptors see it: they may change it, answer in its place, ask twice. */
export interface Outgoing {
  readonly url: string;
  readonly init: Omit<RequestInit, 'headers'> & { headers: Record<string, string> };
}

export type Interceptor = (outgoing: Outgoing, next: (outgoing: Outgoing) => Promise<Response>) => Promise<Response>;

/** What `fulmar/client/binary` gives. */
export interface BinaryCodec {
  /** As `Content-Type` and `Accept` have it. */
  readonly type: string;
  /** @throws TypeError for what cannot be sent */
  readonly encode: (value: unknown) => Uint8Array<ArrayBuffer>;
  /** @throws Error for bytes that are none of this form */
  readonly decode: (bytes: Uint8Array) => unknown;
}

export interface ClientOptions extends CallOptions {
  /** `binary` of `fulmar/client/binary`: servers that have the binary form are spoken to in it, others in JSON. Default: JSON. */
  readonly binary?: BinaryCodec;
  /** Default: the host's own. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Of every request; a function is asked for each. */
  readonly headers?:
    | Readonly<Record<string, string>>
    | (() => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>);
  readonly credentials?: 'include' | 'omit' | 'same-origin';
  readonly interceptors?: readonly Interceptor[];
  /** How often a query is asked again when nobody answered, or 502, 503, 504. Default: 2. */
  readonly retries?: number;
  /** Milliseconds before the first repetition, doubled for each; half of it is by chance. Default: 200. */
  readonly retryDelay?: number;
  /** As the server's options are. */
  readonly suffix?: string;
  readonly basePath?: string;
  readonly pathTransform?: (names: readonly string[]) => string;
}

export interface Client<App> {
  /** Queries, by GET: `[value, error]`. */
  readonly query: Calls<ApiOf<App>, 'query', 'pair'>;
  /** Mutations, by POST. */
  readonly mutate: Calls<ApiOf<App>, 'mutation', 'pair'>;
  /** The same, with the value alone: what failed is thrown. */
  readonly orThrow: {
    readonly query: Calls<ApiOf<App>, 'query', 'value'>;
    readonly mutate: Calls<ApiOf<App>, 'mutation', 'value'>;
  };
  /** The client with other options for the calls made by it. */
  with(options: CallOptions): Client<App>;
  /** Sends a value with every call from now on, until it is removed by `undefined`. */
  set(name: string, value: unknown): void;
  /** Several calls in one request. */
  batch<const Planneds extends readonly unknown[]>(plan: (api: Plan<ApiOf<App>>) => Planneds): Promise<Results<Planneds>>;
}
