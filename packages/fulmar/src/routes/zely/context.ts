/**
 * The context of Zely's handlers, with its members: Node's request and response, and short ways to answer through the
 * latter. Written anew from what Zely 4 does; made for apps that say `style: 'zely'` alone.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendFile, sendValue } from './send.ts';

export type ZelyRequest = IncomingMessage & { params: unknown; query: unknown };

interface Given {
  readonly request: ZelyRequest;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: unknown;
  readonly url: URL;
}

export class ZelyContext {
  readonly request: ZelyRequest;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: unknown;
  readonly url: URL;
  readonly pathname: string;
  readonly #response: ServerResponse;
  /** Who has the response may end it later. */
  #isTaken = false;

  constructor({ request, response, params, query, url }: Given) {
    this.request = request;
    this.params = params;
    this.query = query;
    this.url = url;
    this.pathname = url.pathname;
    this.#response = response;
  }

  get response(): ServerResponse {
    this.#isTaken = true;
    return this.#response;
  }

  /** Whether somebody else may still answer. */
  static isTaken(ctx: ZelyContext): boolean {
    return ctx.#isTaken;
  }

  send(value: unknown, status?: number): this {
    sendValue(this.#response, value, status);
    return this;
  }
  html(text: unknown): this {
    return this.set('Content-Type', 'text/html').send(text);
  }
  json(value: unknown): this {
    return this.set('Content-Type', 'application/json').send(value);
  }
  text(value: unknown): this {
    return this.set('Content-Type', 'text/plain').send(value);
  }
  redirect(location: string, status = 302): void {
    this.set('Location', location);
    this.#response.statusCode = status;
    this.#response.end();
  }
  set(name: string, value: string | number | readonly string[]): this {
    if (!this.#response.writableEnded) this.#response.setHeader(name, value);
    return this;
  }
  headers(fields: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(fields)) this.set(name, value);
  }
  status(code: number): this {
    this.#response.statusCode = code;
    return this;
  }
  sendFile(file: string): this {
    this.#isTaken = true;
    sendFile(this.#response, file);
    return this;
  }
}
