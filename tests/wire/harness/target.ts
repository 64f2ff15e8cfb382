/**
 * Which implementation the wire tests talk to: ours, or Node's and Express's own with `WIRE_TARGET=node`.
 *
 * Running against Node shows where it is laxer than `fulmar/http` means to be; those runs are expected to
 * fail there.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const isNode: boolean = process.env['WIRE_TARGET'] === 'node';

type Http = typeof import('node:http');

/** The engine's options that `node:http` has no name for. */
export interface WireServerOptions {
  headersTimeout?: number;
  requestTimeout?: number;
  keepAliveTimeout?: number;
  connectionsCheckingInterval?: number;
  maxHeaderSize?: number;
  requireHostHeader?: boolean;
  /** A reply that makes no progress for this long is reset. */
  writeTimeout?: number;
}

export const http: Http = require(isNode ? 'node:http' : 'fulmar/http') as Http;

/** The parts of Express the wire tests use; `@types/express` is not installed. */
export interface ExpressRequest extends InstanceType<Http['IncomingMessage']> {
  body: unknown;
  path: string;
  originalUrl: string;
  baseUrl: string;
  params: Record<string, string | string[]>;
  query: Record<string, unknown>;
  cookies?: Record<string, unknown>;
  hostname: string;
}
export interface ExpressResponse extends InstanceType<Http['ServerResponse']> {
  json(value: unknown): ExpressResponse;
  send(value: unknown): ExpressResponse;
  status(code: number): ExpressResponse;
  redirect(target: string): void;
  location(target: string): ExpressResponse;
  cookie(name: string, value: string, options?: object): ExpressResponse;
  set(name: string, value: string): ExpressResponse;
  sendFile(path: string, options?: object): void;
}
export type Next = (error?: unknown) => void;
export type ExpressHandler = (req: ExpressRequest, res: ExpressResponse, next: Next) => unknown;
type ExpressErrorHandler = (error: Error & { status?: number }, req: ExpressRequest, res: ExpressResponse, next: Next) => unknown;
export interface ExpressApp {
  (req: unknown, res: unknown): void;
  use(...layers: (string | ExpressHandler | ExpressErrorHandler)[]): ExpressApp;
  get(path: string | RegExp, ...handlers: ExpressHandler[]): ExpressApp;
  post(path: string, ...handlers: ExpressHandler[]): ExpressApp;
  all(path: string, ...handlers: ExpressHandler[]): ExpressApp;
  set(name: string, value: unknown): ExpressApp;
}
export interface Express {
  (): ExpressApp;
  json(options?: object): ExpressHandler;
  urlencoded(options?: object): ExpressHandler;
  text(options?: object): ExpressHandler;
  raw(options?: object): ExpressHandler;
  static(root: string, options?: object): ExpressHandler;
}

/** Express, loaded on demand: tests of the engine alone do not need it. */
export function loadExpress(): Express {
  return require(isNode ? 'express' : 'fulmar/express') as Express;
}
