/**
 * The shapes this layer works with inside: Koa's application, context, request and response, and what a
 * version of Koa brings along. Types only; the public types are in types/koa.d.cts.
 */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

/** A value of a header field before Node has looked at it. */
export type FieldValue = number | string | readonly string[];

/** Calls the middleware behind this one. */
export type Next = () => Promise<unknown>;

export type Middleware = (ctx: KoaContext, next: Next) => unknown;

/** What `compose` makes of the middleware. */
export type Composed = (ctx: KoaContext, next?: Next) => Promise<unknown>;

/** Options of `new Koa()`, as given. */
export interface ApplicationOptions {
  readonly env?: string;
  readonly keys?: unknown;
  readonly proxy?: boolean;
  readonly subdomainOffset?: number;
  readonly proxyIpHeader?: string;
  readonly maxIpsCount?: number;
  readonly compose?: (middleware: Middleware[]) => Composed;
  readonly asyncLocalStorage?: unknown;
}

export interface KoaApplication extends EventEmitter {
  proxy: boolean;
  subdomainOffset: number;
  proxyIpHeader: string;
  maxIpsCount: number;
  env: string;
  keys?: unknown;
  silent?: boolean;
  compose: (middleware: Middleware[]) => Composed;
  middleware: Middleware[];
  context: object;
  request: object;
  response: object;
  ctxStorage?: AsyncLocalStorage<KoaContext> | null;
  onerror(error: unknown): void;
  callback(): (req: IncomingMessage, res: ServerResponse) => Promise<unknown>;
  createContext(req: IncomingMessage, res: ServerResponse): KoaContext;
  handleRequest(ctx: KoaContext, composed: Composed): Promise<unknown>;
  use(middleware: Middleware): KoaApplication;
  toJSON(): object;
}

export interface KoaContext {
  app: KoaApplication;
  request: KoaRequest;
  response: KoaResponse;
  req: IncomingMessage;
  res: ServerResponse;
  originalUrl: string;
  state: Record<PropertyKey, unknown>;
  respond?: boolean;
  body: unknown;
  status: number;
  message: string;
  length: number | undefined;
  type: string;
  readonly method: string;
  readonly href: string;
  readonly host: string;
  readonly headerSent: boolean;
  readonly writable: boolean;
  accepts(...types: string[]): unknown;
  get(field: string): string;
  set(field: string | object, value?: unknown): void;
  onerror(error: unknown): void;
  toJSON(): object;
}

/** node:url's parts of a target, as parseurl gives them. */
export interface KoaRequest {
  app: KoaApplication;
  req: IncomingMessage;
  res: ServerResponse;
  ctx: KoaContext;
  response: KoaResponse;
  originalUrl: string;
  header: Record<string, string | undefined>;
  headers: Record<string, string | undefined>;
  url: string;
  method: string;
  querystring: string;
  readonly origin: unknown;
  readonly socket: IncomingMessage['socket'] & { readonly encrypted?: boolean };
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly URL: Partial<URL>;
  readonly fresh: boolean;
  readonly secure: boolean;
  readonly ips: string[];
  accept: Accept;
  get(field: string): string;
  toJSON(): object;
  memoizedURL?: Partial<URL>;
  _accept?: Accept;
  _querycache?: Record<string, object>;
}

/** The part of `accepts` that is delegated to. */
export interface Accept {
  types(...types: unknown[]): unknown;
  encodings(...encodings: unknown[]): unknown;
  charsets(...charsets: unknown[]): unknown;
  languages(...languages: unknown[]): unknown;
}

export interface KoaResponse {
  app: KoaApplication;
  req: IncomingMessage;
  res: ServerResponse;
  ctx: KoaContext;
  request: KoaRequest;
  readonly header: OutgoingHttpHeaders;
  readonly headers: OutgoingHttpHeaders;
  readonly headerSent: boolean;
  status: number;
  message: string;
  body: unknown;
  length: number | undefined;
  type: string;
  has(field: string): boolean;
  get(field: string): unknown;
  set(field: string | object, value?: unknown): void;
  remove(field: string): void;
  redirect(url: string, alt?: string): void;
  toJSON(): object;
  _body?: unknown;
  _explicitStatus?: boolean;
  _explicitNullBody?: boolean;
}

/** An error as applications throw it. */
export interface ErrorLike extends Error {
  status?: number;
  statusCode?: number;
  expose?: boolean;
  headers?: Record<string, unknown>;
  code?: string;
  headerSent?: boolean;
}

/** The status codes a version of Koa knows. */
export interface Statuses {
  /** The reason phrase, or undefined for an unknown code. */
  readonly text: (code: number) => string | undefined;
  readonly empty: Readonly<Record<number, boolean | undefined>>;
  readonly redirect: Readonly<Record<number, boolean | undefined>>;
}

/**
 * What makes one version of Koa different from the other. One object per version, made when its entry is
 * loaded.
 */
export interface Edition {
  readonly major: 2 | 3;
  readonly statuses: Statuses;
  readonly createError: (...args: never[]) => Error;
  /** The content type of a name or a type without charset; false for none. */
  readonly contentType: (type: string) => string | false;
  readonly isStream: (value: unknown) => boolean;
  readonly encodeUrl: () => (url: string) => string;
  readonly contentDisposition: () => (filename?: string, options?: object) => string;
  /** Content type of a request against `types`. */
  readonly requestIs: () => (req: IncomingMessage, ...types: unknown[]) => unknown;
  /** A content type against `types`. */
  readonly typeIs: () => (type: string, ...types: unknown[]) => unknown;
  /** Announces `app.use` and `app.listen` to whoever debugs. */
  readonly debug: (format: string, ...args: unknown[]) => void;
  /** What `app.use` stores for old-style middleware; null for any other. */
  readonly convertOld: (middleware: Middleware) => Middleware | null;
  /** Makes `app.ctxStorage` from the option of that name. */
  readonly setStorage: (app: KoaApplication, option: unknown) => void;
  /** Ends a reply whose body is a stream. */
  readonly sendStream: (ctx: KoaContext, stream: NodeJS.ReadableStream) => unknown;
  /** The body as a stream, or null if it is none. */
  readonly toStream: (body: unknown) => NodeJS.ReadableStream | null;
}
