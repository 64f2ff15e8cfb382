/**
 * The part of Express that the applications of these tests use, typed: npm's package brings no types of its
 * own.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

export interface Request extends IncomingMessage {
  [extra: string]: unknown;
  readonly app: Application;
  body: Record<string, unknown>;
  cookies: Record<string, string>;
  signedCookies: Record<string, string | false>;
  secret?: string;
  session: Session;
  sessionID: string;
  readonly params: Record<string, string>;
  readonly query: Record<string, unknown>;
  readonly path: string;
  readonly baseUrl: string;
  originalUrl: string;
  url: string;
  readonly ip: string;
  readonly protocol: string;
  readonly hostname: string;
  method: string;
  timedout?: boolean;
  file?: UploadedFile;
  files?: UploadedFile[] | Record<string, UploadedFile[]>;
  user?: { readonly id: number; readonly name: string };
  get(name: string): string | undefined;
  is(types: string | string[]): string | false | null;
  accepts(types: string | string[]): string | false;
  login(user: unknown, done: (error?: unknown) => void): void;
  logout(done: (error?: unknown) => void): void;
  isAuthenticated(): boolean;
}

export interface Session {
  [key: string]: unknown;
  readonly id: string;
  views?: number;
  cookie: { maxAge: number | null; originalMaxAge: number | null };
  regenerate(done: (error?: unknown) => void): void;
  destroy(done: (error?: unknown) => void): void;
  reload(done: (error?: unknown) => void): void;
  save(done: (error?: unknown) => void): void;
  touch(): void;
}

export interface UploadedFile {
  readonly fieldname: string;
  readonly originalname: string;
  readonly encoding: string;
  readonly mimetype: string;
  readonly size: number;
  readonly buffer: Buffer;
  readonly path: string;
}

export interface Response extends ServerResponse {
  [extra: string]: unknown;
  readonly app: Application;
  locals: Record<string, unknown>;
  status(code: number): this;
  sendStatus(code: number): this;
  set(name: string, value: string | string[]): this;
  set(fields: Record<string, string>): this;
  type(type: string): this;
  vary(name: string): this;
  append(name: string, value: string | string[]): this;
  get(name: string): string | undefined;
  send(body?: unknown): this;
  json(body?: unknown): this;
  jsonp(body?: unknown): this;
  sendFile(path: string, options?: object, done?: (error?: Error) => void): void;
  download(path: string, name?: string): void;
  redirect(to: string): void;
  redirect(status: number, to: string): void;
  render(view: string, locals?: object, done?: (error: Error | null, html: string) => void): void;
  cookie(name: string, value: unknown, options?: object): this;
  clearCookie(name: string, options?: object): this;
  flush?(): void;
}

export type Next = (error?: unknown) => void;
export type Handler = (req: Request, res: Response, next: Next) => unknown;
export type ErrorHandler = (error: Failure, req: Request, res: Response, next: Next) => unknown;

export interface Failure extends Error {
  readonly status?: number;
  readonly statusCode?: number;
  readonly code?: string;
  readonly type?: string;
  readonly field?: string;
}

/** Middleware from a package that brings no types, or types of another express. */
export type Foreign = (...args: never[]) => unknown;
type Stack = readonly (Handler | ErrorHandler | Router | Foreign | readonly (Handler | Foreign)[])[];

export interface Router {
  (req: IncomingMessage, res: ServerResponse, next?: Next): void;
  use(path: string, ...stack: Handler[]): this;
  use(...stack: Handler[]): this;
  use(path: string, ...stack: Stack): this;
  use(...stack: Stack): this;
  all(path: string, ...stack: Handler[]): this;
  all(path: string, ...stack: Stack): this;
  get(path: string, ...stack: Handler[]): this;
  get(path: string, ...stack: Stack): this;
  head(path: string, ...stack: Handler[]): this;
  head(path: string, ...stack: Stack): this;
  post(path: string, ...stack: Handler[]): this;
  post(path: string, ...stack: Stack): this;
  put(path: string, ...stack: Handler[]): this;
  put(path: string, ...stack: Stack): this;
  patch(path: string, ...stack: Handler[]): this;
  patch(path: string, ...stack: Stack): this;
  delete(path: string, ...stack: Handler[]): this;
  delete(path: string, ...stack: Stack): this;
}

export interface Application extends Omit<Router, 'get'> {
  (req: IncomingMessage, res: ServerResponse, next?: Next): void;
  locals: Record<string, unknown>;
  get(path: string, ...stack: Handler[]): this;
  get(path: string, ...stack: Stack): this;
  set(name: string, value: unknown): this;
  enable(name: string): this;
  disable(name: string): this;
  engine(extension: string, render: Foreign): this;
  render(view: string, locals: object, done: (error: Error | null, html: string) => void): void;
  listen(...args: unknown[]): Server;
}

export interface Express {
  (): Application;
  Router(options?: object): Router;
  json(options?: object): Handler;
  urlencoded(options?: object): Handler;
  raw(options?: object): Handler;
  text(options?: object): Handler;
  static(root: string, options?: object): Handler;
}
