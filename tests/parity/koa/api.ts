/**
 * The part of Koa's API that parity programs use, typed loosely enough for both versions, both sides and
 * wrong arguments. Declarations only; stands in for `@types/koa`, which describes neither Koa 2.16 nor Koa
 * 3.3 in full.
 */
import type { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Next = () => Promise<unknown>;
export type Middleware = (ctx: Ctx, next: Next) => unknown;
export type Composed = (ctx: Ctx, next?: Next) => Promise<unknown>;
export type Failure = Error & { status?: number; statusCode?: number; expose?: boolean; code?: string; headerSent?: boolean };
type Names = string | readonly string[];

export interface CookieOptions {
  readonly [name: string]: unknown;
}

export interface CookieJar {
  get(name: string, options?: CookieOptions): string | undefined;
  set(name: string, value?: string | null, options?: CookieOptions): CookieJar;
  secure?: boolean;
}

export interface Accepts {
  types(...names: Names[]): unknown;
}

/** What `ctx` and `ctx.request` have in common. */
interface RequestMembers {
  header: IncomingHttpHeaders;
  headers: IncomingHttpHeaders;
  url: string;
  method: string;
  path: string;
  query: Record<string, unknown>;
  querystring: string;
  search: string;
  accept: Accepts;
  ip: string;
  readonly origin: string | null;
  readonly href: string;
  readonly host: string;
  readonly hostname: string;
  readonly URL: URL;
  readonly fresh: boolean;
  readonly stale: boolean;
  readonly idempotent: boolean;
  readonly socket: Socket & { encrypted?: boolean };
  readonly protocol: string;
  readonly secure: boolean;
  readonly ips: string[];
  readonly subdomains: string[];
  accepts(...types: Names[]): unknown;
  acceptsEncodings(...names: Names[]): unknown;
  acceptsCharsets(...names: Names[]): unknown;
  acceptsLanguages(...names: Names[]): unknown;
  is(...types: Names[]): unknown;
  get(field: string): string;
}

/** What `ctx` and `ctx.response` have in common. */
interface ResponseMembers {
  status: number;
  message: string;
  body: unknown;
  etag: string;
  readonly headerSent: boolean;
  readonly writable: boolean;
  get lastModified(): Date | undefined;
  set lastModified(value: Date | string);
  attachment(filename?: string, options?: object): void;
  redirect(url: string, alt?: string): void;
  remove(field: string): void;
  vary(field: Names): void;
  has(field: string): boolean;
  set(field: string | Record<string, unknown>, value?: unknown): void;
  append(field: string, value: Names): void;
  flushHeaders(): void;
  back(alt?: string): void;
}

interface Links {
  app: App;
  req: IncomingMessage;
  res: ServerResponse;
}

export interface KoaRequest extends RequestMembers, Links {
  ctx: Ctx;
  response: KoaResponse;
  originalUrl: string;
  readonly charset: string;
  readonly length: number | undefined;
  readonly type: string;
  /** Set by body parsers. */
  body?: unknown;
  rawBody?: string;
  files?: unknown;
  toJSON(): unknown;
  inspect(): unknown;
}

export interface KoaResponse extends ResponseMembers, Links {
  ctx: Ctx;
  request: KoaRequest;
  readonly header: Record<string, unknown>;
  readonly headers: Record<string, unknown>;
  readonly socket: Socket;
  get length(): number | undefined;
  set length(value: number);
  type: string;
  get(field: string): unknown;
  is(...types: Names[]): unknown;
  toJSON(): unknown;
  inspect(): unknown;
  _explicitStatus?: boolean;
  _explicitNullBody?: boolean;
  _body?: unknown;
}

export interface Ctx extends RequestMembers, ResponseMembers, Links {
  request: KoaRequest;
  response: KoaResponse;
  state: Record<string, unknown>;
  cookies: CookieJar;
  originalUrl: string;
  respond: boolean;
  get length(): number | undefined;
  set length(value: number);
  type: string;
  throw(...args: unknown[]): never;
  assert: ((value: unknown, ...args: unknown[]) => void) & Record<string, (...args: unknown[]) => void>;
  onerror(error?: unknown): void;
  toJSON(): unknown;
  inspect(): unknown;
  /** Free for programs and middleware. */
  [key: `x${string}`]: unknown;
}

export interface AppOptions {
  readonly env?: string;
  readonly keys?: unknown;
  readonly proxy?: boolean;
  readonly proxyIpHeader?: string;
  readonly maxIpsCount?: number;
  readonly subdomainOffset?: number;
  readonly asyncLocalStorage?: boolean | AsyncLocalStorage<unknown>;
  readonly compose?: (middleware: readonly Middleware[]) => Composed;
}

export interface App extends EventEmitter {
  env: string;
  keys: unknown;
  proxy: boolean;
  proxyIpHeader: string;
  maxIpsCount: number;
  subdomainOffset: number;
  silent: boolean;
  middleware: Middleware[];
  context: Ctx;
  request: KoaRequest;
  response: KoaResponse;
  compose: (middleware: readonly Middleware[]) => Composed;
  ctxStorage: AsyncLocalStorage<unknown> | null;
  readonly currentContext: Ctx | undefined;
  use(middleware: Middleware): App;
  listen(...args: unknown[]): Server;
  callback(): (req: IncomingMessage, res: ServerResponse) => Promise<unknown>;
  handleRequest(ctx: Ctx, composed: Composed): Promise<unknown>;
  createContext(req: IncomingMessage, res: ServerResponse): Ctx;
  onerror(error: unknown): void;
  toJSON(): unknown;
  inspect(): unknown;
}

export interface KoaModule {
  new (options?: AppOptions | null): App;
  readonly prototype: App;
  readonly default: KoaModule;
  readonly HttpError: new (...args: unknown[]) => Failure;
  readonly createHttpError: (...args: unknown[]) => Failure;
  readonly isHttpError: (value: unknown) => boolean;
}

/** A bag of methods, for calls with arguments that no type would allow. */
export type Wrong = Record<string, (...values: unknown[]) => unknown>;
