/**
 * What an app consists of: its routes, what is around them, its hooks, and the apps it is part of. `App` is the
 * face of it, `answer.ts` answers by it. It never meets a request itself.
 */
import type { Handler, Middleware, Run } from './chain.ts';
import { type AnyContext, Context } from './context.ts';
import type { ContextDecoration } from './decorations.ts';
import type { HostPattern } from './host.ts';
import type { Settings } from './options.ts';
import type { Place } from './place.ts';
import { behindPrefix, joinPaths } from './prefix.ts';
import type { RouteOptions } from './route-types.ts';
import { RouteTable } from './router/route-table.ts';
import type { Unmatched } from './unmatched.ts';
import { type RouteVariant, variantTable } from './variants.ts';
import type { Hub } from './websocket/hub.ts';

export type ErrorHandler = (error: unknown, c: AnyContext) => unknown;
type Hook = () => unknown;

/** One middleware with what it is bound to, or all that a plugin uses there: the list may still grow. */
export type Used =
  | { readonly prefix: string; readonly middleware: Middleware; readonly group?: undefined; readonly isForUnmatched?: true }
  | { readonly prefix: string; readonly group: readonly Used[]; readonly isForUnmatched?: undefined };

/** A route as an app has it: everything around its handler included. */
export interface Route {
  readonly method: string;
  readonly path: string;
  /** The part of the path that stands for a version. */
  readonly base: string;
  /** Null: of all. */
  readonly host: HostPattern | null;
  readonly versions: readonly string[] | null;
  readonly place: Place | undefined;
  readonly options: RouteOptions | null;
  readonly handler: Run;
  /** The handler as it was given. */
  readonly given: unknown;
  readonly around: readonly Used[];
  /** The apps within this one that it came through, the innermost first. */
  readonly scopes: readonly Scope[];
  /** Of a WebSocket's route, whose upgrades are the app's: where its sockets are found. */
  readonly hubOf: ((settings: Settings) => Hub) | null;
  run: Run | null;
  /** Answers OPTIONS for this route, within what is around it. */
  preflight: Run | null;
}

/** Routes that are registered when a request may be for them. */
interface Deferred {
  readonly prefix: string;
  /** The part of a path behind the prefix; null: it does not lie below. */
  readonly behind: (pathname: string) => string | null;
  /** Null when all that a path needs is there; asked with null: all of any path. */
  readonly load: (pathname: string | null) => Promise<void> | null;
}

interface Parent {
  readonly scope: Scope;
  readonly prefix: string;
  readonly around: readonly Used[];
}

/** What a scope made within another one has of it. */
interface Origin {
  readonly within: Scope;
  /** What it uses, decorates and hooks is for the scope around it. */
  readonly isShared: boolean;
  /** The plugin's name. */
  readonly plugin: string | null;
  /** Its routes are for this host, for these versions. */
  readonly host?: HostPattern;
  readonly versions?: readonly string[];
}

/** Of a route that an app has itself. */
export const NO_SCOPES: readonly Scope[] = Object.freeze([]);

export class Scope {
  readonly settings: Settings;
  /** Of routes for all hosts and versions. */
  readonly table: RouteTable<Route>;
  variants: RouteVariant[] | null = null;
  /** As they were registered, in that order. */
  readonly routes: Route[] = [];
  readonly origin: Origin | null;
  /** The scope that has the hooks, decorations and handlers: this one, unless it shares all with another. */
  readonly owner: Scope;
  readonly used: Used[] = [];
  readonly parents: Parent[] = [];
  readonly children: Scope[] = [];
  readonly hooks = {
    start: [] as Hook[],
    ready: [] as Hook[],
    drain: [] as Hook[],
    stop: [] as Hook[],
    request: [] as Handler[],
    response: [] as Handler[],
  };
  /** Names of plugins that were registered here, with whether others see what they decorate. */
  readonly plugins = new Map<string, { readonly isShared: boolean }>();
  readonly decorations = new Map<string, PropertyDescriptor>();
  readonly contextDecorations = new Map<string, ContextDecoration>();
  /** The app that shows this scope. */
  face: object | null = null;
  contexts: typeof Context = Context;
  errorHandler: ErrorHandler | null = null;
  notFound: Handler | null = null;
  /** Where requests without a route may lie, by the apps and the middleware there are now. */
  unmatched: Unmatched[] | null = null;
  #around: readonly Used[] | null = null;
  /** Null: all routes are there. */
  deferred: Deferred[] | null = null;
  /** Some route has its chain. */
  isCompiled = false;
  /** The set-up of plugins that is under way. */
  queue: Promise<void> | null = null;
  /** Something has to be waited for before a request is answered. */
  isWaiting = false;
  readying: Promise<void> | null = null;
  /** The hooks before the end have been called. */
  draining: Promise<void> | null = null;
  /** The hooks of the end have been called, since the last start. */
  stopping: Promise<void> | null = null;
  failure: { readonly error: unknown } | null = null;

  constructor(settings: Settings, origin: Origin | null = null) {
    this.settings = settings;
    this.origin = origin;
    this.owner = origin?.isShared === true ? origin.within.owner : this;
    this.table = new RouteTable<Route>({ strict: settings.strict });
  }

  use(prefix: string, middleware: Middleware): void {
    this.used.push({ prefix, middleware });
    this.forget();
  }

  /** For requests without a route alone, behind what is used for all. */
  useForUnmatched(middleware: Middleware): void {
    this.used.push({ prefix: '/', middleware, isForUnmatched: true });
    this.forget();
  }

  /** What is used so far for routes, of all routes until more is used the same list. */
  around(): readonly Used[] {
    return (this.#around ??= this.used.filter(({ isForUnmatched }) => isForUnmatched !== true));
  }

  add(route: Route): void {
    this.#register(route);
  }

  /** Puts another scope's routes under a prefix, those it gets later as well. */
  adopt(prefix: string, child: Scope): void {
    const parent: Parent = { scope: this, prefix, around: this.around() };
    for (const route of child.routes) this.#take(route, child, parent);
    child.parents.push(parent);
    if (!this.children.includes(child)) this.children.push(child);
    for (const { prefix: inner, load } of child.deferred ?? []) this.defer(joinPaths(prefix, inner), load);
    this.#forgetUnmatched();
    // Behind what is around its own routes: middleware of a plugin that shares is for what comes later.
    if (child.origin?.isShared === true) {
      this.used.push({ prefix, group: child.used });
      this.forget();
    }
  }

  /** Has `load` asked before a route is looked for below a prefix. */
  defer(prefix: string, load: Deferred['load']): void {
    (this.deferred ??= []).push({ prefix, behind: behindPrefix(prefix), load });
    for (const parent of this.parents) parent.scope.defer(joinPaths(parent.prefix, prefix), load);
  }

  /** What has to be waited for before a route of this path is looked for; null: before all routes are listed. */
  loading(pathname: string | null): Promise<unknown> | null {
    let waiting: Promise<unknown> | null = null;
    for (const { behind, load } of this.deferred ?? []) {
      const path = pathname === null ? null : behind(pathname);
      const loading = pathname !== null && path === null ? null : load(path);
      if (loading !== null) waiting = waiting === null ? loading : Promise.all([waiting, loading]);
    }
    return waiting;
  }

  /** Chains are made anew at the next request: hooks have come. */
  forgetChains(): void {
    this.unmatched = null;
    if (this.isCompiled) {
      for (const route of this.entries()) route.run = route.preflight = null;
      this.isCompiled = false;
    }
    for (const { scope } of this.parents) scope.forgetChains();
  }

  /** The chains for requests without a route are made anew, those of apps around this one as well. */
  forget(): void {
    this.#forgetUnmatched();
    this.#around = null;
    if (this.origin?.isShared === true) this.origin.within.forget();
  }

  #forgetUnmatched(): void {
    this.unmatched = null;
    for (const { scope } of this.parents) scope.#forgetUnmatched();
  }

  /** All that requests find, those for hosts and versions included: one whose path tells its version is one for each. */
  *entries(): Iterable<Route> {
    for (const { table } of [this, ...(this.variants ?? [])]) for (const { value } of table.entries()) yield value;
  }

  /** This one and those within, each once, those outside first. */
  *all(seen = new Set<Scope>()): Iterable<Scope> {
    if (seen.has(this)) return;
    seen.add(this);
    yield this;
    for (const child of this.children) yield* child.all(seen);
  }

  #register(route: Route): void {
    if (route.host === null && route.versions === null) this.table.add(route.method, route.path, route, route.place);
    else this.#registerVariants(route);
    this.routes.push(route);
    for (const parent of this.parents) parent.scope.#take(route, this, parent);
  }

  #registerVariants(route: Route): void {
    const { versioning } = this.settings;
    for (const version of route.versions ?? [null]) {
      const base = versioning?.type === 'uri' && version !== null ? `/${versioning.prefix ?? 'v'}${version}` : '';
      const one = base === '' ? route : { ...route, base, path: joinPaths(base, route.path) };
      variantTable(this, route.host, base === '' ? version : null).add(route.method, one.path, one, route.place);
    }
  }

  #take(route: Route, from: Scope, { prefix, around }: Parent): void {
    const own = route.around.map((used) => ({ ...used, prefix: joinPaths(prefix, used.prefix) }));
    this.#register({
      ...route,
      path: joinPaths(prefix, route.path),
      host: route.host ?? from.origin?.host ?? null,
      versions: route.versions ?? from.origin?.versions ?? null,
      around: [...around, ...own],
      scopes: from.owner === from ? [...route.scopes, from] : route.scopes,
      run: null,
      preflight: null,
    });
  }
}
