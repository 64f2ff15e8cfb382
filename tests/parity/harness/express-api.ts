/**
 * The part of Express's API that parity programs use, typed loosely enough for both sides and for wrong
 * arguments. Declarations only; stands in for `@types/express`, which describes neither Express 5.3 nor
 * Fulmar.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export type Next = (error?: unknown) => void;
export type Handler = (req: Req, res: Res, next: Next) => unknown;
export type ErrorHandler = (error: Failure, req: Req, res: Res, next: Next) => unknown;
export type ParamHandler = (req: Req, res: Res, next: Next, value: string, name: string) => unknown;
export type Path = string | RegExp | readonly Path[];
export type Use = Path | Handler | ErrorHandler | RouterLike | App | readonly Use[];

export type Failure = Error & { status?: number; statusCode?: number; code?: string; type?: string; [key: string]: unknown };

/** A bag of methods, for calls with arguments that no type would allow. */
export type Wrong = Record<string, (...values: unknown[]) => unknown>;

export interface Req extends IncomingMessage {
  app: App;
  res: Res;
  route: { path: Path; methods: Record<string, boolean>; stack: unknown[] };
  params: Record<string, string | string[]>;
  body: unknown;
  query: Record<string, unknown>;
  secret?: string;
  next: Next;
  baseUrl: string;
  originalUrl: string;
  url: string;
  method: string;
  readonly path: string;
  readonly protocol: string;
  readonly secure: boolean;
  readonly ip: string | undefined;
  readonly ips: string[];
  readonly subdomains: string[];
  readonly host: string | undefined;
  readonly hostname: string | undefined;
  readonly fresh: boolean;
  readonly stale: boolean;
  readonly xhr: boolean;
  get(name: string): string | undefined;
  header(name: string): string | undefined;
  accepts(...types: (string | readonly string[])[]): unknown;
  acceptsEncodings(...types: (string | readonly string[])[]): unknown;
  acceptsCharsets(...types: (string | readonly string[])[]): unknown;
  acceptsLanguages(...types: (string | readonly string[])[]): unknown;
  is(...types: (string | readonly string[])[]): unknown;
  range(size: number, options?: { combine?: boolean }): unknown;
  [key: `x${string}`]: unknown;
}

export type Callback = (error?: Error & { code?: string }, text?: string) => void;

export interface Res extends ServerResponse<IncomingMessage> {
  app: App;
  req: Req & IncomingMessage;
  locals: Record<string, unknown>;
  status(code: number): this;
  sendStatus(code: number): this;
  send(body?: unknown): this;
  json(body?: unknown): this;
  jsonp(body?: unknown): this;
  links(links: Record<string, string | string[]>): this;
  sendFile(path: string, options?: object | Callback, done?: Callback): void;
  download(path: string, name?: string | object | Callback, options?: object | Callback, done?: Callback): void;
  type(type: string): this;
  contentType(type: string): this;
  format(handlers: Record<string, Handler>): this;
  attachment(name?: string): this;
  append(name: string, value: string | readonly string[]): this;
  set(name: string | Record<string, unknown>, value?: unknown): this;
  header(name: string | Record<string, unknown>, value?: unknown): this;
  get(name: string): unknown;
  cookie(name: string, value: unknown, options?: object): this;
  clearCookie(name: string, options?: object): this;
  location(url: string): this;
  redirect(status: number | string, url?: string): void;
  vary(field: string | readonly string[]): this;
  render(view: string, options?: object | Callback, done?: Callback): void;
}

type AnyHandler = Handler | ErrorHandler | readonly AnyHandler[];

interface Verb<Self> {
  (path: Path, ...handlers: Handler[]): Self;
  (path: Path, ...handlers: AnyHandler[]): Self;
}

interface RouteVerb<Self> {
  (...handlers: Handler[]): Self;
  (...handlers: AnyHandler[]): Self;
}

export interface RouteLike {
  path: Path;
  stack: unknown[];
  all: RouteVerb<this>;
  get: RouteVerb<this>;
  post: RouteVerb<this>;
  put: RouteVerb<this>;
  delete: RouteVerb<this>;
}

interface Routing<Self> {
  use(...handlers: Handler[]): Self;
  use(path: Path, ...handlers: Handler[]): Self;
  use(...args: Use[]): Self;
  param(name: string | readonly string[], fn: ParamHandler): Self;
  route(path: Path): RouteLike;
  all: Verb<Self>;
  post: Verb<Self>;
  put: Verb<Self>;
  patch: Verb<Self>;
  delete: Verb<Self>;
  head: Verb<Self>;
  options: Verb<Self>;
}

export interface RouterLike extends Routing<RouterLike> {
  (req: Req, res: Res, next: Next): void;
  get: Verb<RouterLike>;
  stack: unknown[];
  handle(req: unknown, res: unknown, next: Next): void;
  listRoutes(): unknown[];
}

export interface App extends Routing<App> {
  (req: IncomingMessage, res: ServerResponse, next?: Next): void;
  get(path: Path, ...handlers: [Handler, ...Handler[]]): App;
  get(path: Path, ...handlers: [AnyHandler, ...AnyHandler[]]): App;
  get(setting: string): unknown;
  set(setting: string, value: unknown): App;
  set(setting: string): unknown;
  enable(setting: string): App;
  disable(setting: string): App;
  enabled(setting: string): boolean;
  disabled(setting: string): boolean;
  engine(extension: string, fn: unknown): App;
  render(name: string, options: object | Callback | undefined, done?: Callback): void;
  path(): string;
  on(event: string, listener: (...args: never[]) => void): App;
  listen(...args: unknown[]): Server;
  handle(req: unknown, res: unknown, next?: Next): void;
  locals: Record<string, unknown>;
  settings: Record<string, unknown>;
  engines: Record<string, unknown>;
  cache: Record<string, unknown>;
  mountpath: string | string[];
  parent?: App;
  router: RouterLike;
  request: Req;
  response: Res;
}

export interface ExpressModule {
  (): App;
  Router(options?: { caseSensitive?: boolean; mergeParams?: boolean; strict?: boolean }): RouterLike;
  Route: new (path: string) => RouteLike;
  json(options?: object): Handler;
  raw(options?: object): Handler;
  text(options?: object): Handler;
  urlencoded(options?: object): Handler;
  static(root: string, options?: object): Handler;
  application: App;
  request: Req;
  response: Res;
}
