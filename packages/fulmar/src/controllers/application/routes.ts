/**
 * The routes that the controllers of an application have, in their order.
 */
import type { Container } from '../container/container.ts';
import { refuseForeignMethod } from '../container/foreign.ts';
import type { ModuleRecord } from '../container/module-record.ts';
import type { Wrapper } from '../container/wrapper.ts';
import { declaresParameters } from '../decorators/parameters.ts';
import { RequestMethod } from '../enums.ts';
import { KEYS } from '../metadata/keys.ts';
import { methodNames } from '../metadata/methods.ts';
import { placesOf } from '../metadata/place.ts';
import { read, readOwn } from '../metadata/reflect.ts';
import type { Type, VersioningOptions, VersionValue } from '../nest-types.ts';
import { convertLegacy, coversOf } from '../routing/path-cover.ts';
import { type HostMatch, PathMatcher } from '../routing/route-match.ts';
import { modulePaths, ROUTES, RouterModule, type Routes } from './router-module.ts';
import { pathsOf, type Prefix, withSlash } from '../routing/paths.ts';
import { versionPaths } from '../routing/version-match.ts';
import { pathToRegexp } from 'path-to-regexp';

/** A method of a controller under one of its paths. */
export interface DeclaredRoute {
  readonly wrapper: Wrapper;
  readonly name: string;
  readonly method: number;
  readonly path: string;
  /** Without prefix and version. */
  readonly own: string;
  /** The prefix of the application is not before it. */
  readonly isOutside: boolean;
  readonly version: VersionValue | undefined;
  readonly host: HostMatch | null;
}

export interface RouteRules {
  readonly prefix: Prefix;
  readonly versioning: VersioningOptions | null;
}
type AllRules = RouteRules & { readonly modules: ReadonlyMap<Type, string> };

export function declaredRoutes(container: Container, given: RouteRules): DeclaredRoute[] {
  const modules = new Map<Type, string>();
  for (const { metatype, providers } of container.modules.values())
    if (metatype === RouterModule) modulePaths(providers.get(ROUTES)?.holder.value as Routes, '', modules);
  const rules: AllRules = { ...given, modules };
  return [...container.modules.values()].flatMap((module) =>
    [...module.controllers.values()].flatMap((wrapper) => routesOf(wrapper, module, rules)),
  );
}

const listOf = (given: string | readonly string[] | undefined): readonly string[] => [given ?? ''].flat();

function routesOf(wrapper: Wrapper, module: ModuleRecord, { prefix, versioning, modules }: AllRules): DeclaredRoute[] {
  const controller = wrapper.metatype as Type;
  const prototype = controller.prototype as Record<string, Function>;
  const ofClass = versioning === null ? undefined : (read<VersionValue>(KEYS.version, controller) ?? versioning.defaultVersion);
  const host = hostOf(controller);
  const moduleOf = modules.get(module.metatype) ?? '';
  const names = methodNames(prototype).filter((name) => isRoute(controller, prototype, name));
  return listOf(read<string | string[]>(KEYS.path, controller)).flatMap((base) =>
    names.flatMap((name) => {
      const method = prototype[name] as Function;
      const requestMethod = readOwn<number>(KEYS.method, method) ?? RequestMethod.GET;
      const version = readOwn<VersionValue>(KEYS.version, method) ?? ofClass;
      return listOf(readOwn<string | string[]>(KEYS.path, method)).flatMap((given) => {
        const parts = { versions: versionPaths(version, versioning), module: moduleOf, controller: slashed(base), method: slashed(given) };
        const { own, isOutside, paths } = pathsOf(parts, prefix, requestMethod);
        const route = { wrapper, name, method: requestMethod, own, isOutside, version, host };
        return paths.map((path) => ({ ...route, path: convertLegacy(path) }));
      });
    }),
  );
}

const slashed = (path: string): string => (path === '/' ? '' : withSlash(path));

/** What says how a method is called without saying that it is a route says nothing. @throws TypeError */
function isRoute(controller: Type, prototype: Record<string, Function>, name: string): boolean {
  const method = prototype[name] as Function;
  if (readOwn(KEYS.path, method) !== undefined) return true;
  refuseForeignMethod(controller, name, method);
  const decorated = [KEYS.httpCode, KEYS.headers, KEYS.redirect, KEYS.render].some((key) => readOwn(key, method) !== undefined);
  if (decorated || declaresParameters(prototype, name))
    throw new TypeError(
      `${controller.name}.${name}() has decorators of routes and is none: it needs @Get(), @Post() or another that says how it is asked for.${placesOf([controller])}`,
    );
  return false;
}

/** @throws TypeError for what is no host */
function hostOf(controller: Type): HostMatch | null {
  const given = read<string | RegExp | (string | RegExp)[]>(KEYS.host, controller);
  if (given === undefined) return null;
  const patterns = [given].flat().map((one) => (typeof one === 'string' ? pathToRegexp(one) : { regexp: one, keys: [] }));
  return (hostname) => {
    for (const { regexp, keys } of patterns) {
      const found = regexp.exec(hostname);
      if (found === null) continue;
      const named = keys.flatMap(({ name }, at) => (found[at + 1] === undefined ? [] : [[name, found[at + 1] as string] as const]));
      return { ...found.groups, ...Object.fromEntries(named) };
    }
    return null;
  };
}

/** @throws TypeError that names the route whose path is none */
export function entryParts({ path, wrapper, name }: Pick<DeclaredRoute, 'path' | 'wrapper' | 'name'>): {
  readonly covers: ReturnType<typeof coversOf>;
  readonly isExact: boolean;
  readonly matcher: PathMatcher;
} {
  try {
    const covers = coversOf(path);
    return { covers, isExact: covers.every((one) => one.isExact), matcher: new PathMatcher(path) };
  } catch (cause) {
    throw new TypeError(
      `${wrapper.name}.${name}() has the path ${JSON.stringify(path)}, which is none: ${(cause as Error).message}${placesOf([wrapper.metatype])}`,
      {
        cause,
      },
    );
  }
}

export const methodName = (method: number): string => (method === RequestMethod.ALL ? '*' : (nameOfMethod(method) ?? 'GET'));

function nameOfMethod(method: number): string | undefined {
  return (RequestMethod as unknown as Readonly<Record<number, string>>)[method];
}
