/** What a client looks like that knows its server's types. Types only: nothing of a server is loaded. */
import type { ClientError, ClientIssue, ErrorParts } from './client-error.ts';

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

type Used<App> = App extends { readonly '~uses'?: infer Uses } ? NonNullable<Uses> : never;
/** All members of a union at once. */
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer Both) => void ? Both : never;

/** What middleware of the API reads of `set()`; of an API that is not known, anything. */
export type ValuesOf<App> = unknown extends App ? Readonly<Record<string, unknown>> : MemberOf<Used<App>, 'values'>;
/** What middleware of the API may tell beside results. */
export type AddedOf<App> = unknown extends App ? Readonly<Record<string, unknown>> : Partial<MemberOf<Used<App>, 'results'>>;
type MemberOf<Uses, Name extends string> = [Uses] extends [never]
  ? Nothing
  : All<Uses extends { readonly [Key in Name]: infer One } ? One : never>;
type Nothing = Readonly<Record<never, never>>;

export type ArgsOf<Run> = Run extends (c: never, ...args: infer Args) => unknown ? Args : never;
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
  | 'error'
  | 'forbidden'
  | 'http'
  | 'internal'
  | 'invalid-headers'
  | 'invalid-params'
  | 'invalid-values'
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

/** The third is there where middleware has told something beside the result. */
export type Outcome<Value, Failure, Added = Nothing> = [keyof Added] extends [never]
  ? readonly [value: Value, error: undefined] | readonly [value: undefined, error: Failure]
  : readonly [value: Value, error: undefined, added?: Added] | readonly [value: undefined, error: Failure, added?: Added];

export type ValueOf<Run> = Exclude<Given<Run>, FailureLike>;
export type ErrorOf<Run> = FailureErrors<Failures<Given<Run>>> | CommonError;
/** A procedure that never returns gives everything, by the rules of types, and so a stream. */
export type ResultOf<Run> = [ValueOf<Run>] extends [never]
  ? never
  : ValueOf<Run> extends AsyncIterable<infer Item>
    ? AsyncIterable<Exclude<Item, FailureLike>>
    : ValueOf<Run>;
export type IsStream<Run> = [ResultOf<Run>] extends [never] ? false : ResultOf<Run> extends AsyncIterable<unknown> ? true : false;

/** What becomes of a procedure: `out`, of the type of its function, `run`. */
export interface Maker {
  readonly run: unknown;
  readonly out: unknown;
}

/** Parts of an API that have procedures of this kind, each made into something. */
export type TreeOf<Api, K, M extends Maker> = {
  readonly [Name in keyof Api & string as Has<Api[Name], K> extends true ? Name : never]: Leaf<Api[Name], K> extends infer Run
    ? [Run] extends [never]
      ? TreeOf<Api[Name], K, M>
      : (M & { readonly run: Run })['out']
    : never;
};

interface PairCall<Added> extends Maker {
  readonly out: (...args: ArgsOf<this['run']>) => Promise<Outcome<ResultOf<this['run']>, ErrorOf<this['run']>, Added>>;
}

interface ValueCall extends Maker {
  readonly out: (...args: ArgsOf<this['run']>) => Promise<ResultOf<this['run']>>;
}

/** The function of a procedure; a function alone is a mutation. */
type Leaf<Node, K> = Node extends (...args: never) => unknown
  ? 'mutation' extends K
    ? Node
    : never
  : Node extends ProcedureLike<K>
    ? Node['run']
    : never;

type Has<Node, K> = Node extends (...args: never) => unknown
  ? 'mutation' extends K
    ? true
    : false
  : Node extends ProcedureLike<unknown>
    ? Node extends ProcedureLike<K>
      ? true
      : false
    : true extends { [Name in keyof Node & string]: Has<Node[Name], K> }[keyof Node & string]
      ? true
      : false;

/** A call that a batch sends: its result, or a part of it, may be another call's parameter. */
export type Planned<Value, Failure = unknown, Added = Nothing> = Part<Value> & { readonly '~planned'?: readonly [Value, Failure, Added] };
export type Part<Value> = (Value extends object ? { readonly [Name in keyof Value]-?: Part<Value[Name]> } : unknown) & {
  readonly '~part'?: Value;
};

/** A value, or what stands for one, or for something in it. */
type OrPart<Value> = Value | { readonly '~part'?: Value } | OrPartsIn<Value>;
type OrPartsIn<Value> = Value extends Date | URL | Uint8Array | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
  ? never
  : Value extends object
    ? { [Name in keyof Value]: OrPart<Value[Name]> }
    : never;
type OrParts<Args> = { [At in keyof Args]: OrPart<Args[At]> };

export type Plan<Api, Added = Nothing> = {
  readonly [Name in keyof Api & string]: PlanLeaf<Api[Name]> extends infer Run
    ? [Run] extends [never]
      ? Plan<Api[Name], Added>
      : (
          ...args: OrParts<ArgsOf<Run>> extends infer Given extends readonly unknown[] ? Given : never
        ) => Planned<ValueOf<Run>, ErrorOf<Run>, Added>
    : never;
};

type PlanLeaf<Node> = Leaf<Node, 'query'> | Leaf<Node, 'mutation'>;

export type Results<Planneds extends readonly unknown[]> = {
  -readonly [At in keyof Planneds]: Planneds[At] extends { readonly '~planned'?: readonly [infer Value, infer Failure, infer Added] }
    ? Outcome<Value, Failure, Added>
    : never;
};

/** What a call of a client may fail with: `CallError<typeof client.query.users.get>`. */
export type CallError<Call extends (...args: never) => Promise<readonly [unknown, unknown]>> = Exclude<
  Awaited<ReturnType<Call>>[1],
  undefined
>;

/** A step of a pipe: what it plans, of what its call gives and may fail with. */
interface PlannedBy<Value, Failure> {
  readonly '~planned'?: readonly [Value, Failure, unknown];
}

type NextStep<Api, From, Value, Failure> = (given: Part<From>, api: Plan<Api>) => PlannedBy<Value, Failure>;

/** Each step is given the result of the one before, as something whose parts can be named; the last one's comes. */
export interface Pipe<Api, F extends 'pair' | 'value'> {
  <A, AE>(first: (api: Plan<Api>) => PlannedBy<A, AE>): Piped<A, AE, F>;
  <A, AE, B, BE>(first: (api: Plan<Api>) => PlannedBy<A, AE>, second: NextStep<Api, A, B, BE>): Piped<B, AE | BE, F>;
  <A, AE, B, BE, C, CE>(
    first: (api: Plan<Api>) => PlannedBy<A, AE>,
    second: NextStep<Api, A, B, BE>,
    third: NextStep<Api, B, C, CE>,
  ): Piped<C, AE | BE | CE, F>;
  <A, AE, B, BE, C, CE, D, DE>(
    first: (api: Plan<Api>) => PlannedBy<A, AE>,
    ...more: [second: NextStep<Api, A, B, BE>, third: NextStep<Api, B, C, CE>, fourth: NextStep<Api, C, D, DE>]
  ): Piped<D, AE | BE | CE | DE, F>;
}

type Piped<Value, Failure, F> = Promise<F extends 'pair' ? Outcome<Value, Failure> : Value>;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds until the call is given up, on both sides. Default: the client's. */
  readonly timeout?: number;
  /** Sends files and streams, and takes files: `parts()` of `fulmar/client/parts`. Default: neither. */
  readonly parts?: Parts;
}

/** A value as JSON, with what it was. */
export type ToWire = (value: unknown) => { readonly json: unknown; readonly as: unknown };

/** What a client does with files and streams, in a module of its own, as few pages send any. */
export interface Parts {
  /** Of one call. */
  begin(toWire: ToWire): SentParts;
  /** The media type of such a reply. */
  readonly type: string;
  /** A result that is a file. @throws TypeError for a reply that is none */
  read(response: Response): Promise<Blob>;
}

/** What goes out, and what sends it where that is not `fetch`. */
export type Attached = Outgoing & Pick<ClientOptions, 'fetch'>;

/** The parts of one call. */
export interface SentParts {
  /** Notes what is no JSON, and gives its hint. */
  readonly special: (value: object) => unknown;
  /** Whether anything was noted. */
  isUsed(): boolean;
  /** Puts the parts behind the call. @throws what `failure` tells */
  attach(outgoing: Outgoing, options: ClientOptions): Promise<Attached>;
  /** Why it could not be sent, if that is why. */
  failure(): ErrorParts<string, undefined> | undefined;
  /** Ends streams that are not read to their end. */
  end(): void;
}

/** What goes out, as interceptors see it: they may change it, answer in its place, ask twice. */
export interface Outgoing {
  readonly url: string;
  readonly init: Omit<RequestInit, 'headers' | 'credentials'> & {
    headers: Record<string, string>;
    credentials?: ClientOptions['credentials'] | undefined;
  };
}

export type Interceptor = (outgoing: Outgoing, next: (outgoing: Outgoing) => Promise<Response>) => Promise<Response>;

/** What `fulmar/client/binary` gives. */
export interface Binary {
  /** As `Content-Type` and `Accept` have it. */
  readonly type: string;
  /** For one client: what its server speaks is known to it alone. */
  begin(): Speaking;
}

/** What one client says in bytes. */
export interface Speaking {
  readonly type: string;
  /** Of every request: that replies may be in bytes. */
  readonly headers: Readonly<Record<string, string>>;
  /** A call in bytes, where its server takes them and it is longer than that. @throws TypeError for what cannot be sent */
  encode(call: object, bytesMin: number): Uint8Array<ArrayBuffer> | undefined;
  /** What reads a reply in bytes, and throws for bytes that are none of this form; asked of every reply. */
  decoder(response: Response): ((content: ArrayBuffer) => unknown) | undefined;
}

export interface ClientOptions extends CallOptions {
  /** `binary` of `fulmar/client/binary`: servers that have the binary form are spoken to in it, others in JSON. Default: JSON. */
  readonly binary?: Binary;
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
  /** What is wrong with the parameters of a call, asked before it is sent; nothing: it is sent. `typeErrors()` gives one. */
  readonly check?: (names: readonly string[], args: readonly unknown[]) => readonly ClientIssue[] | Promise<readonly ClientIssue[]>;
  /** As the server's options are. */
  readonly suffix?: string;
  readonly basePath?: string;
  readonly pathTransform?: (names: readonly string[]) => string;
}

export interface Client<App> {
  /** Queries, by GET: `[value, error]`. */
  readonly query: TreeOf<ApiOf<App>, 'query', PairCall<AddedOf<App>>>;
  /** Mutations, by POST. */
  readonly mutate: TreeOf<ApiOf<App>, 'mutation', PairCall<AddedOf<App>>>;
  /** The same, with the value alone: what failed is thrown. */
  readonly orThrow: {
    readonly query: TreeOf<ApiOf<App>, 'query', ValueCall>;
    readonly mutate: TreeOf<ApiOf<App>, 'mutation', ValueCall>;
    readonly pipe: Pipe<ApiOf<App>, 'value'>;
  };
  /** The client with other options for the calls made by it. */
  with(options: CallOptions): Client<App>;
  /** Sends a value with every call from now on, until it is removed by `undefined`: names and types are those that middleware declares. */
  set<Name extends keyof ValuesOf<App> & string>(name: Name, value: ValuesOf<App>[Name] | undefined): void;
  /** One call with the result of another, in one request; only the last result comes back. */
  readonly pipe: Pipe<ApiOf<App>, 'pair'>;
  /** Several calls in one request. */
  batch<const Planneds extends readonly unknown[]>(plan: (api: Plan<ApiOf<App>, AddedOf<App>>) => Planneds): Promise<Results<Planneds>>;
}
