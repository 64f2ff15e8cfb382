/**
 * The typed app: routes, middleware, errors, hooks. Where requests come from is no concern of this file:
 * `serve.ts` (a port), `fetch.ts` (a `Request`), `inject.ts` (a test) hand it exchanges.
 */
import type { Exchange } from '../exchange/types.ts';
import { noteApplication } from '../host/applications.ts';
import { chainOf, type Handler, type Middleware, type Run } from './chain.ts';
import { type AnyContext, Context } from './context.ts';
import { errorReply } from './errors.ts';
import { fetchThrough } from './fetch.ts';
import { HttpError } from './http-error.ts';
import { type InjectOptions, type InjectReply, injectInto } from './inject.ts';
import { serve as lazyServe } from './lazy.ts';
import { observe } from './observing.ts';
import { type AppOptions, type Settings, toSettings } from './options.ts';
import { isUnder, joinPaths, relationOf } from './prefix.ts';
import { sendValue } from './reply.ts';
import { callerPlace } from './place.ts';
import { ANSWERED, mounted, type Mountable } from './mount.ts';
import { MalformedPath } from './router/malformed-path.ts';
import { RouteTable } from './router/route-table.ts';
import type { ListenOptions, RunningServer } from './serve.ts';
import { splitRoute } from './route-options.ts';
import type { AddRoute, AddRouteOn, RouteOptions } from './route-types.ts';
import { withValidInput } from './validate-input.ts';
import { withValidReply } from './validate-reply.ts';

type ErrorHandler = (error: unknown, c: AnyContext) => unknown;

/** One middleware of an app, with what it is bound to. */
interface Used {
  readonly prefix: string;
  readonly middleware: Middleware;
}

/** A route as an app has it: everything around its handler included. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly place: string | undefined;
  readonly options: RouteOptions | null;
  readonly handler: Run;
  /** The handler as it was given. */
  readonly given: unknown;
  readonly around: readonly Used[];
  readonly onError: readonly App[];
  run: Run | null;
  /** Answers OPTIONS for this route, within what is around it. */
  preflight: Run | null;
}

/** What an app tells of itself to those who list routes. */
export interface DescribedApp {
  readonly routes: readonly Route[];
  /** Its routes are another app's as well. */
  readonly isPart: boolean;
  readonly settings: Settings;
}

interface Parent {
  readonly app: App;
  readonly prefix: string;
  readonly around: readonly Used[];
}

const METHODS_WITH_HEAD: ReadonlySet<string> = new Set(['GET']);

export interface RouteInfo {
  readonly method: string;
  readonly path: string;
  readonly place: string | undefined;
  /** Its schemas and what else stood between its path and its handlers. */
  readonly options?: RouteOptions;
}

export class App {
  readonly #settings: Settings;
  readonly #table: RouteTable<Route>;
  readonly #used: Used[] = [];
  readonly #parents: Parent[] = [];
  readonly #hooks = { start: [] as (() => unknown)[], stop: [] as (() => unknown)[], request: [] as Handler[], response: [] as Handler[] };
  #listening: Promise<RunningServer> | null = null;
  #closing: Promise<void> | null = null;
  #errorHandler: ErrorHandler | null = null;
  #notFound: Handler | null = null;
  /** For requests without a route, by the middleware there is now. */
  #fallback: Run | null = null;

  readonly get: AddRoute<this> = this.#adder('GET');
  readonly post: AddRoute<this> = this.#adder('POST');
  readonly put: AddRoute<this> = this.#adder('PUT');
  readonly patch: AddRoute<this> = this.#adder('PATCH');
  readonly delete: AddRoute<this> = this.#adder('DELETE');
  readonly options: AddRoute<this> = this.#adder('OPTIONS');
  readonly head: AddRoute<this> = this.#adder('HEAD');
  /** Every method that has no route of its own there. */
  readonly all: AddRoute<this> = this.#adder('*');
  /** Several methods, or one that has no function of its own. */
  readonly on: AddRouteOn<this> = (methods: string | readonly string[], path: string, ...given: unknown[]): this => {
    for (const method of [methods].flat()) this.#add(method.toUpperCase(), path, given);
    return this;
  };

  constructor(options: AppOptions = {}) {
    this.#settings = toSettings(options);
    this.#table = new RouteTable<Route>({ strict: this.#settings.strict });
    noteApplication(this);
  }

  /**
   * Middleware for the routes that are registered from now on, and for requests that have none; with a path
   * only for what lies under it.
   */
  use(...given: [path: string, ...middleware: Middleware[]] | Middleware[]): this {
    const [first, ...rest] = given;
    const prefix = typeof first === 'string' ? first : '/';
    const middleware = (typeof first === 'string' ? rest : given) as Middleware[];
    if (middleware.length === 0) throw new TypeError('use() takes a function (c, next), or a path and such functions.');
    for (const one of middleware) {
      if (typeof one !== 'function') throw new TypeError(`Middleware is a function (c, next), and this is ${describe(one)}.`);
      this.#used.push({ prefix, middleware: one });
    }
    this.#fallback = null;
    return this;
  }

  /** Puts the routes of another app under a prefix, those it gets later as well. */
  route(prefix: string, app: App): this {
    if (!(app instanceof App)) throw new TypeError(`route() takes an app, and this is ${describe(app)}. Others are taken by mount().`);
    const parent: Parent = { app: this, prefix, around: [...this.#used] };
    for (const { value } of app.#table.entries()) this.#adopt(value, app, parent);
    app.#parents.push(parent);
    return this;
  }

  /** An app of its own under a prefix: what is used within is for its routes alone. */
  group(prefix: string, define: (app: App) => void): this {
    const inner = new App({ strict: this.#settings.strict });
    this.route(prefix, inner);
    define(inner);
    return this;
  }

  /**
   * Everything below a prefix is answered by another application: an app of ours, an Express app, a Koa app,
   * a function `(req, res)`, a `fetch` function, an object with one. A function with one parameter is taken
   * for a `fetch` function; `style` says so where that is wrong.
   */
  mount(prefix: string, given: App | Mountable, style?: 'fetch' | 'messages'): this {
    if (given instanceof App) return this.route(prefix, given);
    const handler = mounted(given, style) as Handler;
    if (prefix !== '/') this.#add('*', prefix, [handler]);
    return this.#add('*', joinPaths(prefix, '/*'), [handler]);
  }

  onError(handler: ErrorHandler): this {
    this.#errorHandler = handler;
    return this;
  }
  /** Answers requests without a route. */
  notFound(handler: Handler): this {
    this.#notFound = handler;
    this.#fallback = null;
    return this;
  }
  /** Before the app listens. */
  onStart(hook: () => unknown): this {
    this.#hooks.start.push(hook);
    return this;
  }
  onStop(hook: () => unknown): this {
    this.#hooks.stop.push(hook);
    return this;
  }
  /** Before a request's route is looked for. A value that is not `undefined` is the reply. */
  onRequest(hook: Handler): this {
    this.#hooks.request.push(hook);
    return this;
  }
  /** When a reply has left. */
  onResponse(hook: Handler): this {
    this.#hooks.response.push(hook);
    return this;
  }

  /** Method, path and place of each route, in the order of their registration. */
  *routes(): Iterable<RouteInfo> {
    for (const { value } of this.#table.entries()) {
      const { method, path, place, options } = value;
      yield { method, path, place, ...(options === null ? {} : { options }) };
    }
  }

  /** @internal For lists of routes (`registry`) and documents (`openapi`): nothing is made before it is asked. */
  describeRoutes(): DescribedApp {
    return { routes: [...this.#table.entries()].map(({ value }) => value), isPart: this.#parents.length > 0, settings: this.#settings };
  }

  /**
   * Listens; resolves to the server when it does. `PORT` of the environment, else 3000, when no port is
   * given.
   */
  async listen(target?: number | ListenOptions): Promise<RunningServer> {
    if (this.#listening !== null) throw new Error('This app listens already: close() it first, or make another.');
    const listening = lazyServe()(this, target);
    this.#listening = listening;
    try {
      return await listening;
    } catch (error) {
      this.#listening = null;
      throw error;
    }
  }

  /**
   * Ends gracefully: no more connections, what is being answered is answered. Resolves when the last one is
   * gone.
   */
  close(): Promise<void> {
    return (this.#closing ??= this.#end().finally(() => (this.#closing = null)));
  }

  async #end(): Promise<void> {
    const listening = this.#listening;
    this.#listening = null;
    // Whoever listens is told what went wrong.
    const server = await listening?.catch(() => null);
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
    await this.runHooks('stop');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The app as a function of the web. */
  readonly fetch = (request: Request): Promise<Response> => fetchThrough(this.handle, request);

  /** A request without a socket. */
  inject(request: InjectOptions | string): Promise<InjectReply> {
    return injectInto(this.handle, request);
  }

  /** @internal Runs hooks of the start or the stop, one after the other. */
  async runHooks(which: 'start' | 'stop'): Promise<void> {
    for (const hook of this.#hooks[which]) await hook();
  }

  /** @internal Answers an exchange. Nothing it does throws. */
  readonly handle = (exchange: Exchange): void => {
    const c = new Context(exchange, this.#settings) as AnyContext;
    try {
      if (this.#hooks.response.length > 0) this.#watch(c);
      const value = this.#hooks.request.length > 0 ? this.#runWithHooks(c) : this.#runRoute(c);
      if (isThenable(value))
        value.then(
          (settled) => this.#send(c, settled),
          (error: unknown) => this.#fail(c, error),
        );
      else this.#send(c, value);
    } catch (error) {
      this.#fail(c, error);
    }
  };

  async #runWithHooks(c: AnyContext): Promise<unknown> {
    for (const hook of this.#hooks.request) {
      const value = await hook(c);
      if (value !== undefined) return value;
    }
    return this.#runRoute(c);
  }

  #runRoute(c: AnyContext): unknown {
    const { method } = c.exchange;
    const { pathname } = c;
    let found = this.#table.find(method, pathname);
    if (found === null && method === 'HEAD') found = this.#table.find('GET', pathname);
    if (found === null) return this.#runWithoutRoute(c);
    const { value: route } = found;
    c.params = found.params;
    c.route = route.path;
    c.entry = route;
    return (route.run ??= runOf(route))(c);
  }

  /**
   * A browser that asks whether it may send a request is answered within the middleware around that request's
   * route, of groups too: CORS is theirs.
   */
  #runWithoutRoute(c: AnyContext): unknown {
    const asked = c.method === 'OPTIONS' ? c.header('access-control-request-method')?.toUpperCase() : undefined;
    if (asked !== undefined) {
      const found = this.#table.find(asked, c.pathname) ?? (asked === 'HEAD' ? this.#table.find('GET', c.pathname) : null);
      if (found !== null) {
        const { value: route } = found;
        c.params = found.params;
        c.entry = route;
        return (route.preflight ??= runOf({ ...route, handler: this.#answerWithoutRoute }))(c);
      }
    }
    return (this.#fallback ??= runOf({ path: '/*', handler: this.#answerWithoutRoute, around: this.#used }))(c);
  }

  #send(c: AnyContext, value: unknown): void {
    if (value === ANSWERED) return;
    try {
      const sent = sendValue(c, value);
      if (sent !== undefined) sent.catch((error: unknown) => this.#fail(c, error));
    } catch (error) {
      this.#fail(c, error);
    }
  }

  /**
   * By the nearest app's handler, then by those around it. A reply that has begun cannot become another: the
   * connection is broken off.
   */
  #fail(c: AnyContext, error: unknown): void {
    if (c.isBegun) {
      if (!c.exchange.open) return;
      this.#settings.logger.error(`${c.method} ${c.pathname}: the reply was broken off`, error);
      c.exchange.abort();
      return;
    }
    const handlers = [...((c.entry as Route | null)?.onError ?? []), this].flatMap((app) => app.#errorHandler ?? []);
    const handler = handlers[c.failures++];
    if (handler === undefined) return this.#sendError(c, error);
    try {
      const value = handler(error, c);
      if (!isThenable(value)) return this.#sendHandled(c, value, error);
      value.then(
        (settled) => this.#sendHandled(c, settled, error),
        (second: unknown) => this.#fail(c, second),
      );
    } catch (second) {
      this.#fail(c, second);
    }
  }

  #sendHandled(c: AnyContext, value: unknown, error: unknown): void {
    if (value === undefined && c.statusCode === 0) return this.#sendError(c, error);
    if (c.statusCode === 0) c.status(500);
    this.#send(c, value);
  }

  /** The last word: what goes wrong here (fields or details that cannot be sent) is for the log, too. */
  #sendError(c: AnyContext, error: unknown): void {
    c.failures = Infinity;
    const known = error instanceof MalformedPath ? new HttpError(400, error.message) : error;
    try {
      void sendValue(c, errorReply(c, known, this.#settings));
    } catch (second) {
      c.lines = null;
      void sendValue(c, errorReply(c, new Error('The reply of an error could not be made.', { cause: second }), this.#settings));
    }
  }

  /** What a hook throws comes behind the reply: it is for the log. */
  #watch(c: AnyContext): void {
    const { sents } = observe(c.exchange);
    c.exchange.notifySent();
    sents.add(() => {
      for (const hook of this.#hooks.response) {
        void Promise.resolve(c)
          .then(hook)
          .catch((error: unknown) => this.#settings.logger.error(`onResponse of ${c.method} ${c.pathname}`, error));
      }
    });
  }

  #adder(method: string): AddRoute<this> {
    return (path: string, ...given: unknown[]): this => this.#add(method, path, given);
  }

  #add(method: string, path: string, given: readonly unknown[]): this {
    const place = callerPlace();
    const { options, handlers } = splitRoute(given, { method, path, place });
    const handler = handlers.at(-1);
    if (typeof handler !== 'function')
      throw new TypeError(`${method} ${path} needs a handler: a function (c) that returns the reply's value.`);
    const own = handlers.slice(0, -1).map((middleware) => ({ prefix: '/', middleware: middleware as Middleware }));
    const run = options === null ? (handler as Run) : withValidInput(withValidReply(handler as Run, options), options);
    this.#register({
      method,
      path,
      place,
      options,
      handler: run,
      given: handler,
      around: [...this.#used, ...own],
      onError: [],
      run: null,
      preflight: null,
    });
    return this;
  }

  #register(route: Route): void {
    this.#table.add(route.method, route.path, route, route.place);
    for (const parent of this.#parents) parent.app.#adopt(route, this, parent);
  }

  #adopt(route: Route, from: App, { prefix, around }: Parent): void {
    const own = route.around.map((used) => ({ ...used, prefix: joinPaths(prefix, used.prefix) }));
    this.#register({
      ...route,
      path: joinPaths(prefix, route.path),
      around: [...around, ...own],
      onError: [...route.onError, from],
      run: null,
      preflight: null,
    });
  }

  /** 404, 405 with `Allow`, and the answer to OPTIONS. */
  readonly #answerWithoutRoute: Run = (c) => {
    const methods = this.#methodsOf(c.pathname);
    if (methods.length > 0) {
      const allow = methods.join(', ');
      if (c.method === 'OPTIONS') return c.status(204).header('Allow', allow) && undefined;
      throw new HttpError(405, `${c.method} is not a method of ${c.pathname}; ${allow} are.`, { headers: { Allow: allow } });
    }
    if (this.#notFound !== null) {
      c.status(404);
      return this.#notFound(c);
    }
    throw new HttpError(404, `Nothing is at ${c.pathname}.`);
  };

  #methodsOf(pathname: string): string[] {
    const methods = new Set(this.#table.methods(pathname));
    if (methods.delete('*')) for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) methods.add(method);
    for (const method of METHODS_WITH_HEAD) if (methods.has(method)) methods.add('HEAD');
    if (methods.size > 0) methods.add('OPTIONS');
    return [...methods].toSorted();
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';

const describe = (value: unknown): string => (value === null ? 'null' : typeof value);

/** The chain of what is around a handler, without what can never apply to its path. */
function runOf({ path, handler, around }: Pick<Route, 'path' | 'handler' | 'around'>): Run {
  const middleware: Middleware[] = [];
  for (const used of around) {
    const relation = relationOf(path, used.prefix);
    if (relation === 'always') middleware.push(used.middleware);
    else if (relation === 'maybe') middleware.push((c, next) => (isUnder(c.pathname, used.prefix) ? used.middleware(c, next) : next()));
  }
  return middleware.length === 0 ? handler : chainOf(middleware, handler);
}

export function createApp(options?: AppOptions): App {
  return new App(options);
}
