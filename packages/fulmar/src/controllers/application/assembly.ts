/**
 * Routes, middleware and the reply to what has none, put into the app: once, when the application is initialised. What
 * is wrong with a controller is told here, before anything listens.
 */
import type { AnyContext, App } from '../../app/index.ts';
import type { Container } from '../container/container.ts';
import { ParameterKind, parametersOf } from '../decorators/parameters.ts';
import { NotFoundException } from '../exceptions/family.ts';
import type { Environment } from '../http/environment.ts';
import { Logger } from '../logging/logger.ts';
import { KEYS } from '../metadata/keys.ts';
import { placesOf } from '../metadata/place.ts';
import type { ExceptionFilter, Type, VersioningOptions } from '../nest-types.ts';
import { RequestMethod } from '../enums.ts';
import { allGlobals, type AllGlobals, type GlobalEnhancers, hasEnhancers } from '../pipeline/enhancers.ts';
import { type Catching, catching } from '../pipeline/filters.ts';
import { Host, type RouteFace } from '../pipeline/host.ts';
import { isToldEarly, planRoute } from '../pipeline/plan.ts';
import { runOf } from '../pipeline/run.ts';
import type { Entry } from '../routing/route-match.ts';
import { RouteSet } from '../routing/route-set.ts';
import { pathWithin } from '../routing/standing.ts';
import { versionMatch } from '../routing/version-match.ts';
import type { Prefix } from '../routing/paths.ts';
import { ANSWERED } from '../../app/mount.ts';
import { configured } from './middleware.ts';
import { type DeclaredRoute, declaredRoutes, entryParts, methodName } from './routes.ts';

export interface AssemblySettings {
  readonly prefix: Prefix;
  readonly versioning: VersioningOptions | null;
  readonly globals: GlobalEnhancers;
}

/** Of requests that no route takes. */
class Unmatched {}
const UNMATCHED: RouteFace = { controller: Unmatched, method: () => undefined, path: '', status: 404, headers: [], isNone: true };

const log = new Logger('Application');

/** It has `next()`, by which those behind it are asked. */
function handsOn({ wrapper, name }: DeclaredRoute): boolean {
  const { prototype } = wrapper.metatype as Type;
  return parametersOf(prototype as object, name).some(({ kind }) => kind === ParameterKind.next);
}

export class Assembly {
  readonly #app: App;
  readonly #container: Container;
  readonly #environment: Environment;
  readonly #settings: AssemblySettings;
  readonly #routes: RouteSet;
  readonly #around = new Map<Type, boolean>();
  readonly #declared: DeclaredRoute[] = [];
  #globals: AllGlobals | null = null;
  /** Those of all that are there without a request. */
  filters: readonly Catching[] = [];

  constructor(app: App, container: Container, environment: Environment, settings: AssemblySettings) {
    this.#app = app;
    this.#container = container;
    this.#environment = environment;
    this.#settings = settings;
    this.#routes = new RouteSet((c, host) => this.#notFound(c, host));
  }

  /** @throws what is wrong with controllers and modules */
  async build(): Promise<void> {
    this.#globals = allGlobals(this.#container, this.#settings.globals);
    const filters = this.#globals[KEYS.filters].toReversed();
    this.filters = filters.flatMap(({ instance }) => (instance === null ? [] : [catching(instance as ExceptionFilter)]));
    const declared = declaredRoutes(this.#container, this.#settings);
    await this.#addMiddleware(declared);
    for (const route of declared) this.#addRoute(route);
    const missed = [...(this.#routes.hasRest ? [] : ['/*']), ...(this.#routes.hasRoot ? [] : ['/'])];
    for (const pattern of missed) {
      const miss = (c: AnyContext): unknown => this.#routes.miss(c, pattern);
      this.#app.all(pattern, Object.assign(miss, { standsFor: null }));
    }
    // What the app itself refuses: a path that cannot be decoded.
    this.#app.onError((error, c) => this.#environment.fail(this.#hostFor(c), error));
  }

  async #addMiddleware(declared: readonly DeclaredRoute[]): Promise<void> {
    const { prefix, versioning } = this.#settings;
    const placed = await configured({ container: this.#container, prefix, versioning, routes: declared });
    if (placed.length === 0) return;
    this.#environment.addParsers();
    const { app } = this.#environment.door;
    for (const { path, method, use } of placed) {
      if (method === null) app.use(path, use as never);
      else if (method === RequestMethod.ALL) app.all(path, use as never);
      else {
        const name = methodName(method);
        app.all(path, ((req: { method: string }, res: unknown, next: () => void) =>
          req.method === name || (name === 'GET' && req.method === 'HEAD') ? use(req as never, res, next) : next()) as never);
      }
    }
    this.#environment.hasMiddleware = true;
  }

  /**
   * What answers is put together at its first request, so that an application of many routes starts soon; but where
   * something stands around it, or has schemas, whose mistakes are told at start.
   */
  #addRoute(declared: DeclaredRoute): void {
    const { wrapper, name, method, path, host, version } = declared;
    const index = this.#routes.entries.length;
    const compile = (): ReturnType<typeof runOf> => {
      const globals = this.#globals as AllGlobals;
      const compiled = runOf(planRoute({ wrapper, name, globals, rules: this.#environment }, path, method), {
        environment: this.#environment,
        onward: (before) => void this.#routes.search(before.c, index + 1, before),
        filters: () => this.filters,
      });
      return Object.assign(entry, compiled);
    };
    const entry: Entry = {
      index,
      method: methodName(method),
      path,
      name: `${wrapper.name}.${name}`,
      target: (wrapper.metatype as Type).prototype[name],
      host,
      version: versionMatch(version, this.#settings.versioning),
      run: (c, hosts) => compile().run(c, hosts),
      goOn: (c, before, hosts) => compile().goOn(c, before, hosts),
      ...entryParts(declared),
    };
    if (this.#isAround(wrapper.metatype as Type) || isToldEarly(wrapper.metatype as Type, name)) compile();
    const taker = this.#routes.add(this.#app, entry);
    this.#declared.push(declared);
    if (taker !== null) this.#tellTaken(declared, entry, taker);
  }

  /** Express takes the first, and so does Nest: it is not refused, and is hardly what was meant. */
  #tellTaken({ wrapper }: DeclaredRoute, { name, method, path }: Entry, taker: Entry): void {
    const first = this.#declared[taker.index] as DeclaredRoute;
    if (handsOn(first)) return;
    const routes = `${method} ${path} is taken by ${taker.name}(), ${taker.method} ${taker.path}, which stands before it`;
    log.warn(`${name}() is never asked: ${routes}.${placesOf([wrapper.metatype, first.wrapper.metatype])}`);
  }

  /** Asked of each class once: it has many methods. */
  #isAround(controller: Type): boolean {
    let found = this.#around.get(controller);
    if (found === undefined) this.#around.set(controller, (found = hasEnhancers(controller)));
    return found;
  }

  #hostFor(c: AnyContext): Host {
    return new Host(c, UNMATCHED, this.#environment, () => undefined);
  }

  /** Beside the prefix nothing is the application's: Express says so. */
  #isOutside(pathname: string): boolean {
    const { below, excluded } = this.#settings.prefix;
    if (below === null || below.test(pathname)) return false;
    return !excluded.some(({ regexp }) => regexp.test(pathname));
  }

  /** `before`: a handler has called `next()`. */
  #notFound(c: AnyContext, before: Host | null): unknown {
    const environment = this.#environment;
    const isOutside = before === null && this.#isOutside(pathWithin(c));
    if (isOutside && !environment.hasLate) return environment.leave(c);
    const host = before ?? this.#hostFor(c);
    const answer = (): unknown => environment.fail(host, new NotFoundException(`Cannot ${c.method} ${c.url}`));
    const late = (): unknown => (environment.hasLate ? this.#passLate(host, isOutside, answer) : answer());
    if (before !== null || !environment.hasMiddleware) return late();
    environment.through(
      c,
      (messages) => {
        host.take(messages);
        late();
      },
      (messages, error) => {
        host.take(messages);
        environment.fail(host, error);
      },
    );
    return ANSWERED;
  }

  /** Through what hooks have told Express, behind all routes. */
  #passLate(host: Host, isOutside: boolean, answer: () => unknown): typeof ANSWERED {
    const { door } = this.#environment;
    const { messages } = host;
    door.passLate(messages, (error) => {
      if (error !== undefined && error !== null) this.#environment.fail(host, error);
      else if (isOutside) door.end(messages);
      else answer();
    });
    return ANSWERED;
  }
}
