/**
 * `configure(consumer)` of modules: Express's middleware for some routes, by functions or by classes with `use()`.
 */
import type { Container } from '../container/container.ts';
import { inject } from '../container/container.ts';
import { ContextIdFactory } from '../container/context-id.ts';
import { instanceOf } from '../container/injector.ts';
import type { ModuleRecord } from '../container/module-record.ts';
import { RequestMethod, VERSION_NEUTRAL, VersioningType } from '../enums.ts';
import { KEYS } from '../metadata/keys.ts';
import { has } from '../metadata/reflect.ts';
import type {
  MiddlewareConfigProxy,
  MiddlewareConsumer,
  NestMiddleware,
  NestModule,
  RouteInfo,
  Type,
  VersioningOptions,
  VersionValue,
} from '../nest-types.ts';
import { convertLegacy } from '../routing/path-cover.ts';
import { type Excluded, isExcluded, type Prefix, toExcluded, withoutEnd, withSlash } from '../routing/paths.ts';
import { targetWithin } from '../routing/standing.ts';
import { versionPaths } from '../routing/version-match.ts';
import { isThenable } from '../../host/thenable.ts';
import { pathToRegexp } from 'path-to-regexp';
import type { DeclaredRoute } from './routes.ts';

type Request = { method: string; originalUrl: string; url: string };
export type ExpressMiddleware = (req: Request, res: unknown, next: (error?: unknown) => void) => unknown;

/** Where one is put: a path and what is below it, and with a method that path alone. */
export interface Place {
  readonly path: string;
  readonly method: number | null;
}
export interface Placed extends Place {
  readonly use: ExpressMiddleware;
}

export interface MiddlewareParts {
  readonly container: Container;
  readonly prefix: Prefix;
  readonly versioning: VersioningOptions | null;
  /** As they are served. */
  readonly routes: readonly DeclaredRoute[];
}

/** Of all modules: global ones first, then by their distance from the root. @throws what a module throws */
export async function configured(parts: MiddlewareParts): Promise<Placed[]> {
  const found: { readonly module: ModuleRecord; readonly placed: Placed[] }[] = [];
  for (const module of parts.container.modules.values()) {
    const instance = module.providers.get(module.metatype)?.holder.value as Partial<NestModule> | undefined;
    if (typeof instance?.configure !== 'function') continue;
    const consumer = new Consumer(module, parts);
    await instance.configure(consumer);
    found.push({ module, placed: await consumer.build() });
  }
  const rank = ({ module: { isGlobal, distance } }: (typeof found)[number]): number => (isGlobal ? 0 : distance);
  return found.toSorted((one, other) => rank(one) - rank(other)).flatMap(({ placed }) => placed);
}

class Consumer implements MiddlewareConsumer {
  readonly #module: ModuleRecord;
  readonly #parts: MiddlewareParts;
  readonly #applied: (() => Promise<Placed[]>)[] = [];

  constructor(module: ModuleRecord, parts: MiddlewareParts) {
    this.#module = module;
    this.#parts = parts;
  }

  async build(): Promise<Placed[]> {
    const all: Placed[] = [];
    for (const make of this.#applied) all.push(...(await make()));
    return all;
  }

  apply(...given: (Type<any> | Function | (Type<any> | Function)[])[]): MiddlewareConfigProxy {
    const middleware = given.flat() as (Type | Function)[];
    for (const one of middleware)
      if (typeof one !== 'function')
        throw new TypeError(
          `apply() in configure() of ${this.#module.name} takes functions and classes with use(), and this is of type ${typeof one}.`,
        );
    const excluded: Excluded[] = [];
    const proxy: MiddlewareConfigProxy = {
      exclude: (...routes) => {
        excluded.push(...routes.flat().flatMap((route) => this.#excluded(route)));
        return proxy;
      },
      forRoutes: (...routes) => {
        const places = routes.flat().flatMap((route) => this.#placesOf(route as string));
        this.#applied.push(async () => {
          const functions = await Promise.all(middleware.map((one) => this.#toFunction(one)));
          return functions.flatMap((use) => onceFor(withoutExcluded(use, excluded), places));
        });
        return this;
      },
    };
    return proxy;
  }

  #excluded(route: string | RouteInfo): Excluded[] {
    const { path, method, version } = typeof route === 'string' ? { path: route, method: RequestMethod.ALL } : route;
    return this.#served(path, method, version).map((served) => toExcluded({ method, path: served }));
  }

  /** With the version, which stands in paths alone. @throws TypeError where requests tell it otherwise */
  #served(path: string, method: number, version: VersionValue | undefined): string[] {
    if (version === undefined) return [this.#prefixed(path, method)];
    const { versioning } = this.#parts;
    if (versioning?.type !== VersioningType.URI)
      throw new TypeError(
        `configure() of ${this.#module.name} names a version of ${path}: middleware tells versions by paths, VersioningType.URI, alone.`,
      );
    return versionPaths(version, versioning).map((part) => this.#prefixed(path, method, part));
  }

  #prefixed(path: string, method: number, version = ''): string {
    const { path: prefix, excluded } = this.#parts.prefix;
    const isOutside = prefix === '' || isExcluded(excluded, path, method);
    return (isOutside ? '' : prefix) + version + withSlash(path);
  }

  #placesOf(route: string | RouteInfo | Type): readonly Place[] {
    if (typeof route === 'string') {
      const path = convertLegacy(withSlash(route) || '/');
      return /^\/(?:\{?\*\w+\}?)?$/.test(path) ? this.#everywhere(path) : this.#below(path);
    }
    if (typeof route === 'function') {
      if (!has(KEYS.path, route))
        throw new TypeError(`forRoutes() of ${this.#module.name} was given ${route.name}, which is no controller: has it @Controller()?`);
      return this.#parts.routes.filter(({ wrapper }) => wrapper.metatype === route).map(placeOf);
    }
    const { path, method, version } = (route ?? {}) as Partial<RouteInfo>;
    if (typeof path !== 'string' || typeof method !== 'number')
      throw new TypeError(
        `forRoutes() of ${this.#module.name} takes paths, controllers and { path, method }, whose method is RequestMethod's.`,
      );
    return this.#at(path, method, version ?? this.#unversioned());
  }

  /**
   * All of it, also what no route takes, and the routes that stand outside of the prefix. Of `*path` Express makes the whole
   * path `req.baseUrl`, by which middleware written for Nest knows it.
   */
  #everywhere(path: string): Place[] {
    const { prefix, routes } = this.#parts;
    const outside = routes.filter(({ isOutside }) => isOutside).map((route) => ({ path: route.path, method: null }));
    if (prefix.path === '') return [{ path, method: null }, ...outside];
    const below = path === '/' ? [] : [{ path: prefix.path + path, method: null }];
    return [...below, { path: prefix.path, method: path === '/' ? null : RequestMethod.ALL }, ...outside];
  }

  #below(path: string): Place[] {
    const served = this.#served(path, RequestMethod.ALL, this.#unversioned());
    const places = served.map((one) => ({ path: withoutEnd(one), method: null }));
    return [...places, ...this.#beyond(path, RequestMethod.ALL, false)];
  }

  #at(path: string, method: number, version: VersionValue | undefined): Place[] {
    const places = this.#served(path, method, version).map((served) => ({ path: convertLegacy(served), method }));
    return [...places, ...this.#beyond(convertLegacy(withSlash(path)), method, true)];
  }

  /**
   * The routes that a path means and that are served on the other side of the prefix than the path itself: `exclude` is
   * asked about each route, and about the path of `forRoutes()`, as texts.
   */
  #beyond(path: string, method: number, isWhole: boolean): Place[] {
    const { prefix, routes } = this.#parts;
    if (prefix.excluded.length === 0) return [];
    const isOutside = isExcluded(prefix.excluded, path, method);
    const { regexp } = pathToRegexp(path, { end: isWhole });
    const isMeant = (route: DeclaredRoute): boolean =>
      route.isOutside !== isOutside && isAlso(method, route.method) && regexp.test(route.own);
    return routes.filter(isMeant).map((route) => (method === RequestMethod.ALL ? placeOf(route) : { path: route.path, method }));
  }

  /** What routes are served under that name no version; in paths alone it makes a difference. */
  #unversioned(): VersionValue | undefined {
    const { versioning } = this.#parts;
    if (versioning?.type !== VersioningType.URI || versioning.defaultVersion === undefined) return undefined;
    return [VERSION_NEUTRAL, ...[versioning.defaultVersion].flat().filter((one) => one !== VERSION_NEUTRAL)];
  }

  async #toFunction(given: Type | Function): Promise<ExpressMiddleware> {
    if (typeof (given.prototype as Partial<NestMiddleware> | undefined)?.use !== 'function') return given as unknown as ExpressMiddleware;
    const { linker } = this.#parts.container;
    const wrapper = inject(this.#module, given as Type);
    linker.linkOne(wrapper);
    if (!wrapper.isRequestScoped) {
      const instance = (await instanceOf(wrapper)) as NestMiddleware;
      return (req, res, next) => instance.use(req, res, next) as unknown;
    }
    return async (req, res, next) => {
      const context = ContextIdFactory.getByRequest(req);
      context.setRequest(() => req);
      const made = instanceOf(wrapper, context);
      const instance = (isThenable(made) ? await made : made) as NestMiddleware;
      return instance.use(req, res, next) as unknown;
    };
  }
}

/** What is put before requests of one method meets routes of the other. */
function isAlso(method: number, ofRoute: number): boolean {
  if (method === ofRoute || method === RequestMethod.ALL || ofRoute === RequestMethod.ALL) return true;
  return method === RequestMethod.GET && ofRoute === RequestMethod.HEAD;
}

const placeOf = ({ path, method }: DeclaredRoute): Place => ({ path, method });

function withoutExcluded(use: ExpressMiddleware, excluded: readonly Excluded[]): ExpressMiddleware {
  if (excluded.length === 0) return use;
  return (req, res, next) => {
    const path = targetWithin(req).split(/[?#]/)[0] ?? '';
    const method = (RequestMethod as unknown as Record<string, number>)[req.method] ?? -1;
    return isExcluded(excluded, path.length > 1 ? withoutEnd(path) : path, method) ? next() : use(req, res, next);
  };
}

/** Where several of its places take one request, it runs once. */
function onceFor(use: ExpressMiddleware, places: readonly Place[]): Placed[] {
  if (places.length === 1) return places.map((place) => ({ ...place, use }));
  const seen = new WeakSet<object>();
  const once: ExpressMiddleware = (req, res, next) => {
    if (seen.has(req)) return next();
    seen.add(req);
    return use(req, res, next);
  };
  return places.map((place) => ({ ...place, use: once }));
}
