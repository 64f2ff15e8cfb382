/**
 * A request on its way through guards, interceptors and filters: their `ExecutionContext`. `req` and `res` are made
 * when somebody asks for them; from then on the reply is theirs.
 */
import type { AnyContext } from '../../app/index.ts';
import type { Messages } from '../http/express-door.ts';
import type { Environment } from '../http/environment.ts';
import type { ExecutionContext, HttpArgumentsHost, RpcArgumentsHost, Type, WsArgumentsHost } from '../nest-types.ts';
import { toRpc, toWs } from './transports.ts';

/** What of a route its host tells. */
export interface RouteFace {
  readonly controller: Type;
  readonly method: Function;
  readonly path: string;
  /** Of its reply, but for what the handler says. */
  readonly status: number;
  /** What comes of its handler are events. */
  readonly isSse?: boolean;
  readonly headers: readonly { readonly name: string; readonly value: string | (() => string) }[];
  /** Some of its fields only `res` takes. */
  readonly hasFieldsOfRes?: boolean;
  /** No route has taken the request. */
  readonly isNone?: true;
}

export class Host implements ExecutionContext, HttpArgumentsHost {
  readonly c: AnyContext;
  readonly route: RouteFace;
  readonly environment: Environment;
  /** What `req.body` is. */
  body: unknown;
  /** Guards have let it through: status and fields of the route are set. */
  isPrepared = false;
  /** Of `@Controller({ host })`. */
  hosts: Readonly<Record<string, string>> | null = null;
  #messages: Messages | null = null;
  #isChecked = false;
  #next: ((error?: unknown) => void) | null = null;
  /** What `next()` of a handler leads to. */
  readonly onward: (host: Host) => void;

  constructor(c: AnyContext, route: RouteFace, environment: Environment, onward: (host: Host) => void) {
    this.c = c;
    this.route = route;
    this.environment = environment;
    this.onward = onward;
    this.body = undefined;
  }

  /** As logs name it: `GET /cats/1 (Cats.one)`. */
  get title(): string {
    const { controller, method, isNone } = this.route;
    return `${this.c.method} ${this.c.pathname}${isNone === true ? '' : ` (${controller.name}.${method.name})`}`;
  }

  get hasMessages(): boolean {
    return this.#messages !== null;
  }

  /** `req.body`, which guards and interceptors may have set; what a schema has made of it goes before. */
  get content(): unknown {
    return this.#messages === null || this.#isChecked ? this.body : (this.#messages.req.body as unknown);
  }
  set content(body: unknown) {
    this.body = body;
    this.#isChecked = true;
  }

  get messages(): Messages {
    return (this.#messages ??= this.#furnished(this.environment.open(this.c), true));
  }

  /** Those that middleware has seen. */
  take(messages: Messages): void {
    this.#messages = this.#furnished(messages, false);
  }

  #furnished(messages: Messages, isNew: boolean): Messages {
    const { req, res } = messages;
    // Without a prototype, as Express's.
    req.params = Object.assign(Object.create(null) as object, this.c.params) as never;
    Object.assign(req, { route: { path: this.route.path }, next: this.getNext() });
    req.originalUrl ??= req.url;
    req.baseUrl ??= '';
    if (this.hosts !== null) req['hosts'] = this.hosts;
    if (isNew) {
      if (this.body !== undefined || !('body' in req)) req.body = this.body;
      for (const [name, value] of this.c.lines?.entries() ?? []) res.appendHeader(name, value);
      if (this.isPrepared) res.status(this.route.status);
    } else this.body = req.body;
    return messages;
  }

  /** Status and fields that decorators say. */
  prepare(): void {
    this.isPrepared = true;
    const { headers, status, hasFieldsOfRes = false } = this.route;
    const res = hasFieldsOfRes ? this.messages.res : this.#messages?.res;
    res?.status(status);
    for (const { name, value } of headers) {
      const text = typeof value === 'function' ? value() : value;
      if (res === undefined) this.c.header(name, text);
      else res.set(name, text);
    }
  }

  getClass<T = any>(): Type<T> {
    return this.route.controller;
  }
  getHandler(): Function {
    return this.route.method;
  }
  getContext(): AnyContext {
    return this.c;
  }
  getRequest<T = any>(): T {
    return this.messages.req as T;
  }
  getResponse<T = any>(): T {
    return this.messages.res as T;
  }
  getNext<T = any>(): T {
    return (this.#next ??= (error?: unknown) => {
      if (error === undefined || error === null || error === 'route' || error === 'router') this.onward(this);
      else this.environment.fail(this, error);
    }) as T;
  }
  getArgs<T extends any[] = any[]>(): T {
    return [this.getRequest(), this.getResponse(), this.getNext()] as any[] as T;
  }
  getArgByIndex<T = any>(index: number): T {
    return this.getArgs()[index] as T;
  }
  switchToHttp(): HttpArgumentsHost {
    return this;
  }
  switchToRpc(): RpcArgumentsHost {
    return toRpc(this);
  }
  switchToWs(): WsArgumentsHost {
    return toWs(this);
  }
  getType<T extends string = 'http'>(): T {
    return 'http' as T;
  }
}
