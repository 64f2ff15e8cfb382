/**
 * What files of routes write beside plain functions: `defineRoute()`, and entries of a list that is the default export,
 * `GET(handler | value, fields)`, `POST(…)`, `ALL(…)`, `middleware(…)`.
 */
import type { Middleware } from '../../app/chain.ts';
import type { AnyContext, SocketOptions } from '../../app/index.ts';
import type { RouteOptions } from '../../app/route-types.ts';
import type { CacheOptions } from '../cache/options.ts';

export const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'ALL'] as const;
export type RouteMethod = (typeof METHODS)[number];

/** With one parameter the app's context; with two `(req, res)` as of Node. */
export type RouteHandler = ((c: any) => unknown) | ((req: any, res: any) => unknown);
/** Fields of the reply. */
export type ReplyFields = Readonly<Record<string, string>>;

/** Around each handler of a file. */
export interface PageHooks {
  /** What one returns, but for `undefined`, is the reply. */
  readonly before?: ((c: AnyContext) => unknown) | readonly ((c: AnyContext) => unknown)[];
  /** Given what the handler has returned; what one returns, but for `undefined`, goes in its place. */
  readonly after?: ((c: AnyContext, value: unknown) => unknown) | readonly ((c: AnyContext, value: unknown) => unknown)[];
}

/** What holds for a file. */
export interface RouteConfig {
  /** Of its requests and replies, and what documents say: what routes of the app take. */
  readonly schema?: Omit<RouteOptions, 'host' | 'version'>;
  readonly middleware?: Middleware | readonly Middleware[];
  /** Replies of GET and HEAD are kept for a time, and given to who asks for the same. */
  readonly cache?: CacheOptions;
  /** Of the WebSocket that the file exports: its limits, subprotocols, origins, the schema of its messages. */
  readonly websocket?: Omit<SocketOptions, keyof RouteOptions | 'use'>;
}

/** A handler, or a value that is the reply, by method; `handler` for all that have none. */
export type RouteDefinition = Omit<RouteConfig, 'websocket'> &
  PageHooks & { readonly handler?: RouteHandler } & Readonly<Partial<Record<RouteMethod, unknown>>>;

/** One of a list. */
export class RouteEntry {
  /** Null: middleware. */
  readonly method: RouteMethod | null;
  readonly given: unknown;
  readonly fields: ReplyFields | undefined;

  constructor(method: RouteMethod | null, given: unknown, fields?: ReplyFields) {
    this.method = method;
    this.given = given;
    this.fields = fields;
  }
}

/** What `defineRoute()` gives. */
export class DefinedRoute {
  readonly definition: RouteDefinition;

  constructor(definition: RouteDefinition) {
    this.definition = definition;
  }
}

const entry =
  (method: RouteMethod) =>
  (given: unknown, fields?: ReplyFields): RouteEntry => {
    if (given === undefined) throw new TypeError(`${method}() takes a handler or a value, and this is undefined.`);
    return new RouteEntry(method, given, fields);
  };

export const GET = entry('GET');
export const POST = entry('POST');
export const PUT = entry('PUT');
export const PATCH = entry('PATCH');
export const DELETE = entry('DELETE');
export const OPTIONS = entry('OPTIONS');
export const HEAD = entry('HEAD');
export const ALL = entry('ALL');

/** Before the entries behind it. @throws TypeError for what is no function */
export function middleware(...given: Middleware[]): RouteEntry {
  for (const one of given)
    if (typeof one !== 'function')
      throw new TypeError(`middleware() takes functions (c, next), and this is ${one === null ? 'null' : `of type ${typeof one}`}.`);
  return new RouteEntry(null, given);
}

const KEYS: readonly string[] = [...METHODS, 'handler', 'schema', 'middleware', 'cache', 'before', 'after'];

/** A route as one object: `defineRoute({ schema, GET: (c) => … })`. @throws TypeError for members that are none */
export function defineRoute(definition: RouteDefinition): DefinedRoute {
  if (typeof definition !== 'object' || definition === null) throw new TypeError('defineRoute() takes an object, { GET: (c) => … }.');
  for (const key of Object.keys(definition))
    if (!KEYS.includes(key)) throw new TypeError(`defineRoute() has no member ${key}. There are ${KEYS.join(', ')}.`);
  return new DefinedRoute(definition);
}
