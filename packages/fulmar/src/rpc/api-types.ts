/** What an API is made of, as its server writes it and its client reads it. Types only. */
import type { AnyContext, App } from '../app/index.ts';
import type { NodeMiddleware } from '../app/middleware/index.ts';
import type { ShapeDocument } from '../shape/shape.ts';
import type { Issue } from '../shape/validate/rule-types.ts';
import type { UsedBy } from './middleware-types.ts';

export type Kind = 'query' | 'mutation';

/** What a procedure is beside its function. */
export interface ProcedureOptions {
  /** A schema for each parameter: Standard Schema or JSON Schema. */
  readonly params?: readonly object[];
  /** A schema of the result; of each item, where it is a stream. */
  readonly returns?: object;
  /** False: parameters are handed on as they come. */
  readonly validateParams?: boolean;
  /** False: results are sent as they are. */
  readonly validateReturn?: boolean;
  /** How long it may take, in milliseconds; 0: any time. */
  readonly timeout?: number;
  /** `Cache-Control` of a query that is asked by GET. Default: `no-cache`, with an entity tag. */
  readonly cacheControl?: string;
  /** For lists of routes and documents. */
  readonly description?: string;
  /**
   * True, written as it is: members of parameters that their types do not have are refused, and types that take
   * anything are not compiled. Default: what `rpc()` says, else false.
   */
  readonly strictTypes?: boolean;
  readonly serializer?: Serializer;
  /** How many files one call may bring, and how long each may be, in bytes. Default: 10 of 16 MiB. */
  readonly upload?: UploadLimits;
}

export interface UploadLimits {
  readonly files?: number;
  readonly fileSize?: number;
}

/**
 * How a result becomes JSON. `declared`: by its schema, or by its type (which is read where that of the parameters
 * is), what that does not name is not sent; `whole`: all that is there, as it is; a function: the JSON text that it gives. Default: `declared`.
 */
export type Serializer = 'declared' | 'whole' | ((value: unknown) => string);

export interface Procedure<K extends Kind, Ctx, Args extends readonly unknown[], Result, Uses = never> extends UsedBy<Uses> {
  readonly kind: K;
  readonly options: ProcedureOptions;
  readonly run: (c: Ctx, ...args: Args) => Result;
}

/** Procedures by name; a function alone is a mutation. */
export interface ApiTree<Ctx> {
  readonly [name: string]: Procedure<Kind, Ctx, never[], unknown, unknown> | ((c: Ctx, ...args: never[]) => unknown) | ApiTree<Ctx>;
}

/** Of one procedure, by the compiler. */
export interface CompiledProcedure {
  /** Of all parameters as one list: a Standard Schema. */
  readonly params: { readonly '~standard': { readonly validate: (value: unknown) => unknown }; readonly shape: ShapeDocument };
  readonly stringify: (value: never) => string;
  readonly errors: (value: unknown) => readonly Issue[];
  /** A copy of the result, of declared members alone, in a form that is written in bytes. */
  readonly declared: (value: never) => unknown;
  readonly shape: ShapeDocument;
  /** The parameters were compiled for `strictTypes`. */
  readonly isStrict?: boolean;
  /** Parameters that are no JSON. */
  readonly parts?: readonly CompiledPart[];
}

/** A parameter that is a file or a stream, or a list of files. */
export interface CompiledPart {
  /** The number of the parameter. */
  readonly at: number;
  readonly kind: 'file' | 'stream';
  readonly isOptional?: boolean;
  /** `list`: files in an array; `rest`: all parameters from this one on. */
  readonly many?: 'list' | 'rest';
  /** Of an item of a stream. */
  readonly items?: CompiledProcedure['params'];
}

/** What the compiler writes behind the options: procedures by path, `users.get`. */
export type CompiledApi = Readonly<Record<string, CompiledProcedure>>;

/** An app that knows, for its clients, what it answers. */
export type RpcApp<Api, Uses = never> = App & { readonly '~rpc'?: Api; readonly '~uses'?: Uses };

export interface RpcOptions {
  /** Before each path. Default: none. */
  readonly basePath?: string;
  /** Behind each path, as in `.json`. Default: none. */
  readonly suffix?: string;
  /** Makes the path of a procedure of its names, as in `(names) => names.join('-')`. Default: joined by `/`. */
  readonly pathTransform?: (names: readonly string[]) => string;
  /** Calls in one request; 0: none, and no path for that. Default: 20. */
  readonly batchMax?: number;
  /** Of each procedure that says nothing itself, in milliseconds; 0: any time. Default: 0. */
  readonly timeout?: number;
  /** False: procedures that have no schemas take what comes. Default: true. */
  readonly validateParams?: boolean;
  readonly validateReturn?: boolean;
  /** As at a procedure, for all that do not say it themselves and have no schemas. Default: false. */
  readonly strictTypes?: boolean;
  /** As at a procedure, for all that do not say it themselves. */
  readonly serializer?: Serializer;
  /** Middleware of Express's kind, `(req, res, next)`, around every request of the API. */
  readonly raw?: NodeMiddleware | readonly NodeMiddleware[];
  /** True: `/~types` tells whoever asks the types of all parameters, for clients that judge them before they send. Default: false. */
  readonly types?: boolean;
  /** False: JSON alone. Default: the binary form as well, for clients that ask for it. */
  readonly binary?: boolean;
}

export type MakeContext<Ctx> = (c: AnyContext) => Ctx | Promise<Ctx>;

type Takes<Node> = Node extends (c: infer Ctx, ...args: never[]) => unknown
  ? (c: Ctx) => void
  : Node extends { readonly run: (c: infer Ctx, ...args: never[]) => unknown }
    ? (c: Ctx) => void
    : { [Name in keyof Node & string]: Takes<Node[Name]> }[keyof Node & string];

/** What all procedures of an API can be given first. */
export type ContextOf<Api> = [Takes<Api>] extends [(c: infer Ctx) => void] ? Ctx : never;
