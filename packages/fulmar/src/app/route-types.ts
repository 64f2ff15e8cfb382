/**
 * What the type checker knows of a route: its options, and what its middleware and its handler are given.
 * Nothing of it is there at run time.
 */
import type { BodyReader } from './body-reader.ts';
import type { Handler, Middleware } from './chain.ts';
import type { Context, RawContext } from './context.ts';
import type { FromSchema, JsonSchema } from './json-schema-types.ts';
import type { Query } from './query.ts';
import type { ReplyOf } from './reply-types.ts';
import type { ParamsOf } from './router/params-types.ts';
import type { InferOutput, StandardSchemaV1 } from './standard-schema.ts';

/** Of the request beside its parameters, as a context has it. */
export interface InputTypes {
  readonly query: unknown;
  readonly headers: unknown;
  readonly cookies: unknown;
  readonly body: unknown;
}

/** The same without schemas. */
export interface RawInput extends InputTypes {
  readonly query: Query;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: Readonly<Record<string, string>>;
  readonly body: BodyReader;
}

/** What stands between a route's path and its handlers. */
export interface RouteOptions {
  /** Schemas of the request: the handler is given what they make of it. */
  readonly params?: RouteSchema | undefined;
  readonly query?: RouteSchema | undefined;
  readonly headers?: RouteSchema | undefined;
  readonly cookies?: RouteSchema | undefined;
  /** Of JSON or of a form. With it the content is read, and `c.body` is what the schema makes of it. */
  readonly body?: RouteSchema | undefined;
  /** Of what the handler returns: for statuses of success, or one for each status. */
  readonly response?: RouteSchema | ResponseSchemas | undefined;
  /** The only host that it answers: `api.example.com`. */
  readonly host?: string | undefined;
  /** The versions that it answers, as the app's option `versioning` tells them. */
  readonly version?: string | readonly string[] | undefined;
  /** For people and programs that read what the app can do. */
  readonly summary?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly deprecated?: boolean | undefined;
  readonly description?: string | undefined;
  /** Its name in a document of OpenAPI and in clients that are made of one. Default: of method and path. */
  readonly operationId?: string | undefined;
  /** What a request needs, by names of security schemes: one of these. Default: as its middleware tells. */
  readonly security?: readonly SecurityRequirement[] | undefined;
  /** Not in documents. */
  readonly hidden?: boolean | undefined;
}

/** Names of security schemes that are needed together, each with its scopes. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>;

/** Of a library with Standard Schema, of TypeBox, or JSON Schema as it is. */
export type RouteSchema = StandardSchemaV1 | JsonSchema;

export type ResponseSchemas = Readonly<Record<number, RouteSchema>>;

export type OutputOr<Options, Key extends string, Raw> = Options extends { readonly [K in Key]: infer Schema extends object }
  ? Schema extends StandardSchemaV1
    ? InferOutput<Schema>
    : FromSchema<Schema>
  : Raw;

interface ValidInput<Options> extends InputTypes {
  readonly query: OutputOr<Options, 'query', RawInput['query']>;
  readonly headers: OutputOr<Options, 'headers', RawInput['headers']>;
  readonly cookies: OutputOr<Options, 'cookies', RawInput['cookies']>;
  readonly body: OutputOr<Options, 'body', BodyReader>;
}

type Raw<Path extends string, C> = Middleware<RawContext<ParamsOf<Path>> & C>;
export type ValidContext<Path extends string, Options> = Context<
  OutputOr<Options, 'params', ParamsOf<Path>>,
  Record<string, unknown>,
  ValidInput<Options>
>;
/** `Value` is inferred with its literals, and then held against `response`. */
type Valid<Path extends string, Options, C, Value> = (c: ValidContext<Path, Options> & C) => Value | PromiseLike<Value>;

/** A member that options have not is never right. */
type Known<Options> = Options & { readonly [Key in Exclude<keyof Options, keyof RouteOptions>]: never };

type Handlers<Path extends string, C> = readonly [...Raw<Path, C>[], Handler<RawContext<ParamsOf<Path>> & C>];

/**
 * `app.get(path, handler)`, with middleware and options before the handler. Beside options the number of
 * middleware is spelt out: where middleware and handler are given different contexts, TypeScript finds no
 * type of `c` through a list of unknown length. `C` is what plugins have added to contexts.
 *
 * The ways with options stand first: what a function without parameters returns is inferred once, by the first way
 * that it may be for. The one with a handler alone stands last as well: TypeScript tells of the last what is wrong.
 */
export interface AddRoute<Self, C> {
  <Path extends string, const Options extends RouteOptions, const Value extends ReplyOf<Options>>(
    path: Path,
    options: Known<Options>,
    handler: Valid<Path, Options, C, Value>,
  ): Self;
  <Path extends string, const Options extends RouteOptions, const Value extends ReplyOf<Options>>(
    path: Path,
    options: Known<Options>,
    ...handlers: [Raw<Path, C>, Valid<Path, Options, C, Value>]
  ): Self;
  <Path extends string, const Options extends RouteOptions, const Value extends ReplyOf<Options>>(
    path: Path,
    options: Known<Options>,
    ...handlers: [Raw<Path, C>, Raw<Path, C>, Valid<Path, Options, C, Value>]
  ): Self;
  <Path extends string, const Options extends RouteOptions, const Value extends ReplyOf<Options>>(
    path: Path,
    options: Known<Options>,
    ...handlers: [Raw<Path, C>, Raw<Path, C>, Raw<Path, C>, Valid<Path, Options, C, Value>]
  ): Self;
  <Path extends string>(path: Path, ...handlers: Handlers<Path, C>): Self;
  <Path extends string, const Options extends RouteOptions, const Value extends ReplyOf<Options>>(
    path: Path,
    options: Known<Options>,
    handler: Valid<Path, Options, C, Value>,
  ): Self;
}

/** The same for methods that are given; beside options one middleware at most has its types. */
export interface AddRouteOn<Self, C> {
  <Path extends string, const Options extends RouteOptions, const Value extends ReplyOf<Options>>(
    methods: string | readonly string[],
    path: Path,
    options: Known<Options>,
    handler: Valid<Path, Options, C, Value>,
  ): Self;
  <Path extends string, const Options extends RouteOptions, const Value extends ReplyOf<Options>>(
    methods: string | readonly string[],
    path: Path,
    options: Known<Options>,
    ...handlers: [Raw<Path, C>, Valid<Path, Options, C, Value>]
  ): Self;
  <Path extends string>(methods: string | readonly string[], path: Path, ...handlers: Handlers<Path, C>): Self;
  <Path extends string, const Options extends RouteOptions, const Value extends ReplyOf<Options>>(
    methods: string | readonly string[],
    path: Path,
    options: Known<Options>,
    handler: Valid<Path, Options, C, Value>,
  ): Self;
}
