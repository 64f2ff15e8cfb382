/**
 * The adapter of HTTP as filters and interceptors of applications use it: by `HttpAdapterHost`, on `req` and `res`.
 */
import type { Request, Response } from '../../express/index.ts';
import type { Environment } from './environment.ts';
import { replyBy } from './message-reply.ts';

export class HttpAdapter {
  readonly #environment: Environment;
  #serverOf: (() => unknown) | null = null;

  /** Before there is an application: its providers are given it as they are made. */
  constructor(environment: Environment) {
    this.#environment = environment;
  }

  /** @internal By the application, of which there is one for each. Null: it is another's already. */
  belongTo(serverOf: () => unknown): Environment | null {
    if (this.#serverOf !== null) return null;
    this.#serverOf = serverOf;
    return this.#environment;
  }

  /** The Express application that middleware stands in; once routes are made, one behind them. */
  getInstance<T = any>(): T {
    return this.#environment.instance as T;
  }
  getHttpServer<T = any>(): T {
    if (this.#serverOf === null)
      throw new Error('getHttpServer() is for an application that has been made: call it from onModuleInit() on.');
    return this.#serverOf() as T;
  }
  /** Express's own middleware and routes: before those of controllers, and behind them once these are made. */
  use(...given: any[]): void {
    this.#environment.instance.use(...(given as [never]));
  }
  get(...given: any[]): void {
    this.#route('get', given);
  }
  post(...given: any[]): void {
    this.#route('post', given);
  }
  put(...given: any[]): void {
    this.#route('put', given);
  }
  patch(...given: any[]): void {
    this.#route('patch', given);
  }
  delete(...given: any[]): void {
    this.#route('delete', given);
  }
  all(...given: any[]): void {
    this.#route('all', given);
  }
  #route(method: 'get' | 'post' | 'put' | 'patch' | 'delete' | 'all', given: any[]): void {
    (this.#environment.instance as unknown as Record<string, (...args: any[]) => unknown>)[method]?.(...given);
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
  /** In what is only a context, and in tests before an application is made: none. */
  httpAdapter: HttpAdapter = null as unknown as HttpAdapter;
  listening = false;
}
