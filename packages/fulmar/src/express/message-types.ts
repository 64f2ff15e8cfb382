/**
 * The shapes this layer works with inside: node:http's messages plus what Express puts on them. Types only;
 * the public types are in types.ts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Application } from './application-types.ts';
import type { Routing } from './parsed-url.ts';

/** `next`: continue, or leave with an error, `'route'` or `'router'`. */
export type Next = (err?: unknown) => void;

/** Parameter values by name (or index, for regular expressions). */
export type Params = Record<string, unknown>;

/** A request as handlers see it. */
export interface ExpressRequest extends IncomingMessage {
  app: Application;
  res: ExpressResponse;
  next: Next | undefined;
  params: Params;
  baseUrl: string;
  originalUrl: string;
  route: unknown;
  /** The router that has looked at the target last. */
  _routing: Routing;
  secret?: string | string[];
  body?: unknown;
  readonly query: Record<string, unknown>;
  readonly protocol: string;
  readonly hostname: string | undefined;
  readonly host: string | undefined;
  readonly fresh: boolean;
  get(name: string): string | undefined;
  accepts(types: readonly string[]): string | false;
}

/** A response as handlers see it. */
export interface ExpressResponse extends ServerResponse {
  app: Application;
  req: ExpressRequest & IncomingMessage;
  locals: Record<string, unknown>;
  get(field: string): number | string | string[] | undefined;
  set(field: string, value: unknown): this;
  set(fields: object): this;
  header(field: string, value: unknown): this;
  type(type: string): this;
  status(code: number): this;
  send(body?: unknown): this;
  json(body?: unknown): this;
  append(field: string, value: string | string[]): this;
  cookie(name: string, value: unknown, options?: object): this;
  location(url: string): this;
  vary(field: string | string[]): this;
  format(formats: Record<string, (...args: unknown[]) => unknown>): this;
  sendFile(path: string, options?: unknown, callback?: unknown): void;
}

/** A request handler, an error handler, or a router: what a layer runs. */
export type Handler = ((...args: never[]) => unknown) & { readonly name: string; readonly length: number };
