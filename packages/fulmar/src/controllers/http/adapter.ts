/**
 * The adapter of HTTP as filters and interceptors of applications use it: by `HttpAdapterHost`, on `req` and `res`.
 */
import type { Request, Response } from '../../express/index.ts';
import type { Environment } from './environment.ts';
import { replyBy } from './message-reply.ts';

export class HttpAdapter {
  readonly #environment: Environment;
  readonly #serverOf: () => unknown;

  constructor(environment: Environment, serverOf: () => unknown) {
    this.#environment = environment;
    this.#serverOf = serverOf;
  }

  /** The Express application that middleware stands in. */
  getInstance<T = any>(): T {
    return this.#environment.door.app as T;
  }
  getHttpServer<T = any>(): T {
    return this.#serverOf() as T;
  }
  getType(): string {
    return 'express';
  }
  reply(response: any, body: any, statusCode?: number): void {
    replyBy(response as Response, body, statusCode);
  }
  status(response: any, statusCode: number): any {
    return (response as Response).status(statusCode);
  }
  end(response: any, message?: string): any {
    return (response as Response).end(message);
  }
  redirect(response: any, statusCode: number, url: string): void {
    (response as Response).redirect(statusCode, url);
  }
  render(response: any, view: string, options: any): void {
    (response as Response).render(view, options as object);
  }
  isHeadersSent(response: any): boolean {
    return (response as Response).headersSent;
  }
  getHeader(response: any, name: string): any {
    return (response as Response).get(name);
  }
  setHeader(response: any, name: string, value: string): any {
    return (response as Response).set(name, value);
  }
  appendHeader(response: any, name: string, value: string): any {
    return (response as Response).append(name, value);
  }
  getRequestHostname(request: any): string {
    return (request as Request).hostname;
  }
  getRequestMethod(request: any): string {
    return (request as Request).method;
  }
  getRequestUrl(request: any): string {
    return (request as Request).originalUrl;
  }
}

export class HttpAdapterHost {
  /** There when the application has been made. */
  httpAdapter: HttpAdapter = null as unknown as HttpAdapter;
  listening = false;
}
