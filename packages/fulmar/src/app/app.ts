/**
 * The typed app as an application sees it: routes, middleware, plugins, hooks, and the ways in. What it consists
 * of is its scope (`scope.ts`), requests are answered by `answer.ts`; it does neither itself.
 */
import type { Exchange } from '../exchange/types.ts';
import { noteApplication } from '../host/applications.ts';
import { answer } from './answer.ts';
import { kindText } from './checked-options.ts';
import type { Handler, Middleware, Run } from './chain.ts';
import type { AnyContext, RawContext } from './context.ts';
import { decorate, decorateContext, exposeOf, inheritDecorations } from './decorations.ts';
import { type Bounds, boundsOf, toVersions } from './bounds.ts';
import { toHostPattern } from './host.ts';
import type { ParamsOf } from './router/params-types.ts';
import { closeGently, stop } from './ending.ts';
import { fetchThrough } from './fetch.ts';
import { runHooks } from './hooks.ts';
import { type InjectReply, injectInto } from './inject.ts';
import type { InjectOptions } from './inject-options.ts';
import { serve as lazyServe, sockets, websocket } from './lazy.ts';
import { checkMiddleware, checkPath } from './middleware-check.ts';
import { mounted, type Mountable } from './mount.ts';
import { type AppOptions, checkWithin, type Settings, toSettings } from './options.ts';
import { callerPlace } from './place.ts';
import type { AppWith, Getter, OptionsOf, Plugin, PluginFunction } from './plugin-types.ts';
import { ready, register, waitFor } from './plugins.ts';
import { joinPaths, toPrefix } from './prefix.ts';
import { splitRoute } from './route-options.ts';
import type { AddRoute, AddRouteOn, RouteOptions } from './route-types.ts';
import { type ErrorHandler, NO_SCOPES, type Route, Scope } from './scope.ts';
import type { ListenOptions, RunningServer } from './serve.ts';
import { withValidInput } from './validate-input.ts';
import { withValidReply } from './validate-reply.ts';
import type { AddSocketRoute, PublishOptions } from './websocket/socket-types.ts';
import type { SubscribeOptions, Subscription } from './websocket/subscription.ts';

/** What an app tells of itself to those who list routes. */
export interface DescribedApp {
  readonly routes: readonly Route[];
  /** Its routes are another app's as well. */
  readonly isPart: boolean;
  readonly settings: Settings;
}

export interface RouteInfo {
  readonly method: string;
  readonly path: string;
  readonly place: string | undefined;
  /** Its schemas and what else stood between its path and its handlers. */
  readonly options?: RouteOptions;
}

/**
 * `OfContexts` is what plugins have added to its contexts, `OfApp` what they have added to the app: the second is
 * told beside it, as in `App<A, B> & B`.
 */
export class App<OfContexts = unknown, OfApp = unknown> {
  /** @internal */
  readonly scope: Scope;
  #listening: Promise<RunningServer> | null = null;
  #closing: Promise<void> | null = null;

  readonly get: AddRoute<this, OfContexts> = this.#adder('GET');
  readonly post: AddRoute<this, OfContexts> = this.#adder('POST');
  readonly put: AddRoute<this, OfContexts> = this.#adder('PUT');
  readonly patch: AddRoute<this, OfContexts> = this.#adder('PATCH');
  readonly delete: AddRoute<this, OfContexts> = this.#adder('DELETE');
  readonly options: AddRoute<this, OfContexts> = this.#adder('OPTIONS');
  readonly head: AddRoute<this, OfContexts> = this.#adder('HEAD');
  /** Every method that has no route of its own there. */
  readonly all: AddRoute<this, OfContexts> = this.#adder('*');
  /** Several methods, or one that has no function of its own. */
  readonly on: AddRouteOn<this, OfContexts> = (methods: string | readonly string[], path: string, ...given: unknown[]): this => {
    for (const method of [methods].flat()) this.#add(method.toUpperCase(), path, given, this.on);
    return this;
  };

  /** A WebSocket at a path: handlers for it, then its options. */
  readonly websocket: AddSocketRoute<this, OfContexts> = (path, handlers, options) =>
    this.#add('GET', path, sockets().socketRoute(handlers as never, options as never, websocket), this.websocket, sockets().hubOf);

  constructor(options?: AppOptions);
  /** @internal One within another. */
  constructor(scope: Scope);
  constructor(given: AppOptions | Scope = {}) {
    this.scope = given instanceof Scope ? given : new Scope(toSettings(given));
    this.scope.face = this;
    inheritDecorations(this.scope);
    noteApplication(this);
  }

  /**
   * Middleware for the routes that are registered from now on, and for requests that have none; with a path
   * only for what lies under it.
   */
  use(...given: [path: string, ...middleware: Middleware<RawContext & OfContexts>[]] | Middleware<RawContext & OfContexts>[]): this {
    const [first, ...rest] = given;
    const prefix = typeof first === 'string' ? toPrefix(first) : '/';
    const middleware = (typeof first === 'string' ? rest : given) as Middleware[];
    if (middleware.length === 0) throw new TypeError('use() takes a function (c, next), or a path and such functions.');
    for (const one of middleware) {
      checkMiddleware(one, 'use()');
      this.scope.use(prefix, one);
    }
    return this;
  }

  /** Puts the routes of another app under a prefix, those it gets later as well. */
  route(prefix: string, app: App): this {
    if (!(app instanceof App)) throw new TypeError(`route() takes an app, and this is ${kindText(app)}. Others are taken by mount().`);
    if (app.scope.settings !== this.scope.settings) checkWithin(app.scope.settings, this.scope.settings);
    this.scope.adopt(prefix, app.scope);
    exposeOf(this.scope, app.scope);
    if (app.scope.isWaiting) waitFor(this.scope);
    return this;
  }

  /** An app of its own under a prefix: what is used within is for its routes alone. */
  group(prefix: string, define: (app: AppWith<OfContexts, OfApp>) => void): this {
    const inner = new App(new Scope(this.scope.settings, { within: this.scope, isShared: false, plugin: null }));
    this.route(prefix, inner);
    define(inner as AppWith<OfContexts, OfApp>);
    return this;
  }

  /**
   * An app of its own for one host: `api.example.com`, or `:tenant.example.com` with `c.params.tenant`. What is for a
   * host goes before what is for all.
   */
  host<const Name extends string>(
    name: Name,
    define: (app: AppWith<OfContexts & { readonly params: ParamsOf<`/${Name}`> }, OfApp>) => void,
  ): this {
    return this.#bound({ host: toHostPattern(name) }, define as never);
  }

  /** An app of its own for some versions, told as the option `versioning` says. */
  version(version: string | readonly string[], define: (app: AppWith<OfContexts, OfApp>) => void): this {
    return this.#bound({ versions: toVersions(version, this.scope.settings.versioning) }, define);
  }

  #bound(bounds: Bounds, define: (app: AppWith<OfContexts, OfApp>) => void): this {
    const inner = new App(new Scope(this.scope.settings, { within: this.scope, isShared: false, plugin: null, ...bounds }));
    this.route('/', inner);
    define(inner as AppWith<OfContexts, OfApp>);
    return this;
  }

  /**
   * A plugin: a function that is given an app of its own within this one, and options, or what `definePlugin()`
   * gives; `prefix` among the options is where its routes lie. What takes its time is waited for by `ready()`,
   * `listen()`, `inject()` and `fetch()`. @throws Error for a plugin that may not stand here, and for a set-up that
   * throws at once
   */
  register<Options, C = unknown, A = unknown>(
    plugin: Plugin<Options, C, A>,
    ...options: OptionsOf<Options>
  ): AppWith<OfContexts & C, OfApp & A>;
  register<Options>(plugin: PluginFunction<Options, AppWith<OfContexts, OfApp>>, ...options: OptionsOf<Options>): this;
  register(plugin: Promise<unknown>, options?: unknown): this;
  register(plugin: unknown, options?: unknown): unknown {
    register(this.scope, plugin, options, (within, { name, encapsulate }, prefix) => {
      const inner = new App(new Scope(within.settings, { within, isShared: !encapsulate, plugin: name }));
      within.adopt(prefix, inner.scope);
      return inner.scope;
    });
    return this;
  }

  /** Adds a member to this app and the apps within it. @throws TypeError for a name that is taken */
  decorate<const Name extends string, Value>(name: Name, value: Getter<Value>): AppWith<OfContexts, OfApp & Readonly<Record<Name, Value>>>;
  decorate<const Name extends string, Value>(name: Name, value: Value): AppWith<OfContexts, OfApp & Readonly<Record<Name, Value>>>;
  decorate(name: string, value: unknown): unknown {
    decorate(this.scope, name, value);
    return this;
  }

  /**
   * Adds a member to the contexts of this app and the apps within it: a value, or a function that makes one for
   * each context that is asked for it. @throws TypeError for a name that is taken
   */
  decorateContext<const Name extends string, Value>(
    name: Name,
    value: (c: AnyContext & OfContexts) => Value,
  ): AppWith<OfContexts & Record<Name, Value>, OfApp>;
  decorateContext<const Name extends string, Value>(name: Name, value: Value): AppWith<OfContexts & Record<Name, Value>, OfApp>;
  decorateContext(name: string, value: unknown): unknown {
    decorateContext(this.scope, name, value);
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
    if (prefix !== '/') this.#add('*', prefix, [handler], this.mount);
    return this.#add('*', joinPaths(prefix, '/*'), [handler], this.mount);
  }

  /** Answers errors of this app's routes; those that it throws are answered by the apps around it. */
  onError(handler: (error: unknown, c: AnyContext & OfContexts) => unknown): this {
    this.scope.owner.errorHandler = handler as ErrorHandler;
    return this;
  }
  /** Answers requests without a route; in an app within another those under its prefix. */
  notFound(handler: Handler<RawContext & OfContexts>): this {
    this.scope.owner.notFound = handler as Handler;
    this.scope.owner.forget();
    return this;
  }
  /** Before the app listens. */
  onStart(hook: () => unknown): this {
    return this.#hook('start', hook);
  }
  /** When all plugins are set up, before the first request. */
  onReady(hook: () => unknown): this {
    this.#hook('ready', hook);
    waitFor(this.scope.owner);
    return this;
  }
  /**
   * When the app has closed, or a signal has ended its servers; the last one that was registered comes first.
   */
  onStop(hook: () => unknown): this {
    return this.#hook('stop', hook);
  }
  /**
   * Before a request's route is looked for; in an app within another when its route is found. A value that is not
   * `undefined` is the reply.
   */
  onRequest(hook: Handler<RawContext & OfContexts>): this {
    return this.#hook('request', hook as Handler);
  }
  /**
   * Before the app stops to listen, by `close()` or by a signal. What it returns is waited for: until then the
   * app answers as ever.
   */
  onDrain(hook: () => unknown): this {
    return this.#hook('drain', hook);
  }
  /** When a reply has left. */
  onResponse(hook: Handler<RawContext & OfContexts>): this {
    return this.#hook('response', hook as Handler);
  }

  #hook(which: keyof Scope['hooks'], hook: Handler | (() => unknown)): this {
    const name = `on${which[0]?.toUpperCase()}${which.slice(1)}`;
    if (typeof hook !== 'function') throw new TypeError(`${name}() takes a function, and this is ${kindText(hook)}.`);
    const { owner } = this.scope;
    (owner.hooks[which] as unknown[]).push(hook);
    owner.forgetChains();
    return this;
  }

  /**
   * Sends a message to all sockets and subscriptions of a topic, of this process; how many they are. An app that
   * is part of another publishes there.
   */
  publish(topic: string, message: unknown, options?: PublishOptions): number {
    return sockets().publish(this.scope, topic, message, options);
  }

  /** What is published, in a `for await`, as for `c.sse()`. */
  subscribe<Message = unknown>(topics: string | readonly string[], options: SubscribeOptions = {}): Subscription<Message> {
    return sockets().subscribe(this.scope, topics, options) as Subscription<Message>;
  }

  /** Sockets and subscriptions of a topic. */
  subscriberCount(topic: string): number {
    return sockets().subscriberCount(this.scope, topic);
  }

  /** WebSockets that are open. */
  get socketCount(): number {
    return sockets().socketCount(this.scope);
  }

  /** Method, path and place of each route, in the order of their registration. */
  *routes(): Iterable<RouteInfo> {
    for (const { method, path, place, options } of this.scope.routes) {
      yield { method, path, place: place?.text, ...(options === null ? {} : { options }) };
    }
  }

  /** @internal For lists of routes (`registry`) and documents (`openapi`): nothing is made before it is asked. */
  describeRoutes(): DescribedApp {
    const { scope } = this;
    // One that several hosts or versions find is one.
    return { routes: [...new Set(scope.entries())], isPart: scope.parents.length > 0, settings: scope.settings };
  }

  /** Resolves when all plugins are set up and the hooks for that have run. @throws what a set-up throws */
  ready(): Promise<void> {
    this.#refuseWithin('ready');
    return ready(this.scope);
  }

  /** @internal Before the first request of whatever serves the app. @throws what a set-up or a hook throws */
  async start(): Promise<void> {
    await ready(this.scope);
    this.scope.stopping = null;
    await runHooks(this.scope, 'start');
  }

  /** A plugin that waits for its app would wait for itself. */
  #refuseWithin(what: string): void {
    const plugin = this.scope.origin?.plugin ?? null;
    if (plugin !== null) throw new Error(`${what}() is for the app that plugin ${plugin} is registered in: call it there.`);
  }

  /**
   * Listens; resolves to the server when it does. `PORT` of the environment, else 3000, when no port is
   * given.
   */
  async listen(target?: number | ListenOptions): Promise<RunningServer> {
    this.#refuseWithin('listen');
    if (arguments.length > 1) throw new TypeError('listen() takes a port or options, and no more: it gives a promise, await it.');
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

  /** Also when it is about to. */
  get isListening(): boolean {
    return this.#listening !== null;
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
    if (server) await closeGently(this.scope, server);
    await stop(this.scope);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** The app as a function of the web. */
  readonly fetch = (request: Request): Promise<Response> => {
    if (!this.scope.isWaiting) return fetchThrough(this.handle, request);
    return ready(this.scope).then(() => fetchThrough(this.handle, request));
  };

  /** A request without a socket. */
  async inject(request: InjectOptions | string): Promise<InjectReply> {
    if (this.scope.isWaiting) await ready(this.scope);
    return injectInto(this.handle, request);
  }

  /** @internal Answers an exchange. Nothing it does throws. */
  readonly handle = (exchange: Exchange): void => answer(this.scope, exchange);

  #adder(method: string): AddRoute<this, OfContexts> {
    const add = (path: string, ...given: unknown[]): this => this.#add(method, path, given, add);
    return add as AddRoute<this, OfContexts>;
  }

  /** @internal A route that no line of the application's registers: there is no place to be told. */
  addUnplaced(method: string, path: string, handler: Handler): this {
    return this.#add(method, path, [handler], null);
  }

  /** `by` is the function that the application has called. */
  #add(
    method: string,
    path: string,
    given: readonly unknown[],
    by: ((...given: never[]) => unknown) | null,
    hubOf: Route['hubOf'] = null,
  ): this {
    const place = by === null ? undefined : callerPlace(by);
    checkPath(path, 'A route');
    const { options, handlers } = splitRoute(given, { method, path, place });
    const handler = handlers.at(-1);
    if (typeof handler !== 'function') {
      const isTurned = typeof handlers[0] === 'function';
      throw new TypeError(
        `${method} ${path} needs a handler: a function (c) that returns the reply's value${isTurned ? '; it stands last, its options before it' : ''}.`,
      );
    }
    for (const one of handlers.slice(0, -1)) checkMiddleware(one, `${method} ${path}`);
    const used = this.scope.around();
    const own =
      handlers.length === 1 ? null : handlers.slice(0, -1).map((middleware) => ({ prefix: '/', middleware: middleware as Middleware }));
    const run = options === null ? (handler as Run) : withValidInput(withValidReply(handler as Run, options), options);
    const { host, versions } = boundsOf(this.scope, options, { method, path, place });
    this.scope.add({
      method,
      path,
      base: '',
      host,
      versions,
      place,
      options,
      handler: run,
      given: handler,
      around: own === null ? used : [...used, ...own],
      scopes: NO_SCOPES,
      hubOf,
      run: null,
      preflight: null,
    });
    return this;
  }
}

export function createApp(options?: AppOptions): App {
  return new App(options);
}
