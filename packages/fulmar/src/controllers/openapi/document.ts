/**
 * The document of an application's controllers: its routes as they will answer, with prefix and versions.
 */
import { parse, type Token } from 'path-to-regexp';
import { type DeclaredRoute, declaredRoutes, methodName, type RouteRules } from '../application/routes.ts';
import type { Container } from '../container/container.ts';
import { KEYS } from '../metadata/keys.ts';
import { read } from '../metadata/reflect.ts';
import type { Type, VersioningOptions, VersionValue } from '../nest-types.ts';
import type { DocumentConfig } from './document-builder.ts';
import type { Given } from './given.ts';
import { API } from './keys.ts';
import { operationOf } from './operation.ts';
import { optionsOf } from './route-schemas.ts';
import { Schemas } from './schemas.ts';

export type OperationIdFactory = (controllerKey: string, methodKey: string, version?: string) => string;

export interface SwaggerDocumentOptions {
  /** Only controllers of these modules. Default: all. */
  include?: Function[];
  extraModels?: Function[];
  ignoreGlobalPrefix?: boolean;
  operationIdFactory?: OperationIdFactory;
  autoTagControllers?: boolean;
}
export interface OpenAPIObject extends DocumentConfig {
  paths: Record<string, Record<string, Given>>;
}

const ALL = ['get', 'post', 'put', 'delete', 'patch', 'options', 'head', 'search'];
const defaultId: OperationIdFactory = (controller, method, version) =>
  [controller, method, version].filter((one) => one !== undefined && one !== '').join('_');

export function documentOf(
  container: Container,
  rules: RouteRules,
  config: DocumentConfig,
  options: SwaggerDocumentOptions,
): OpenAPIObject {
  const { operationIdFactory = defaultId, autoTagControllers = true, extraModels = [], include = [] } = options;
  const schemas = new Schemas();
  const paths: OpenAPIObject['paths'] = {};
  const routes = declaredRoutes(container, rules).filter(
    (route) => !isExcluded(route) && (include.length === 0 || include.includes(route.wrapper.host.metatype)),
  );
  for (const [at, route] of routes.entries()) {
    const path = templateOf(route.path);
    const item = (paths[path] ??= {});
    const id = operationIdFactory(route.wrapper.name, keyOf(routes, at, rules.versioning), versionOf(route, path, rules.versioning));
    const name = methodName(route.method).toLowerCase();
    // OpenAPI has no word for a method that it does not know.
    if (name === 'query') continue;
    for (const one of name === '*' ? ALL : [name])
      item[one] = operationOf(route, name === '*' ? `${operationIdFactory(route.wrapper.name, route.name)}_${one}` : id, schemas, {
        autoTagControllers,
      });
  }
  for (const model of extraModels) schemas.add(model);
  const components = { ...config.components, schemas: { ...(config.components['schemas'] as Given | undefined), ...schemas.components() } };
  const used = Object.fromEntries(Object.entries(paths).filter(([, item]) => Object.keys(item).length > 0));
  return { ...config, paths: used, components };
}

function isExcluded({ wrapper, name }: DeclaredRoute): boolean {
  const controller = wrapper.metatype as Type;
  const method = (controller.prototype as Record<string, Function>)[name] as Function;
  if (read<boolean[]>(API.excludedController, controller)?.[0] === true) return true;
  return optionsOf(controller, name).hidden === true || read<{ disable: boolean }>(API.excludedEndpoint, method)?.disable === true;
}

const textOf = (token: Token): string =>
  token.type === 'text' ? token.value : token.type === 'group' ? token.tokens.map(textOf).join('') : `{${token.name}}`;

function templateOf(path: string): string {
  const text = parse(path).tokens.map(textOf).join('');
  return text.startsWith('/') ? text : `/${text}`;
}

const listed = (version: VersionValue | undefined): string[] =>
  [version ?? []].flat().filter((one): one is string => typeof one === 'string');

/** Of several paths that are not several versions, each has a name of its own. */
function keyOf(routes: readonly DeclaredRoute[], at: number, versioning: VersioningOptions | null): string {
  const { wrapper, name, version } = routes[at] as DeclaredRoute;
  const same = routes.flatMap((one, index) => (one.wrapper === wrapper && one.name === name ? [index] : []));
  const versions = versioning?.type === 0 ? listed(version).length : 0;
  return same.length > 1 && same.length !== versions ? `${name}[${same.indexOf(at)}]` : name;
}

function versionOf({ version, wrapper, name }: DeclaredRoute, path: string, versioning: VersioningOptions | null): string | undefined {
  if (versioning === null) return undefined;
  if (versioning.type !== 0) return listed(version)[0];
  const prefix = versioning.prefix === false ? '' : (versioning.prefix ?? 'v');
  const method = ((wrapper.metatype as Type).prototype as Record<string, Function>)[name] as Function;
  const own = read<VersionValue>(KEYS.version, method) ?? version;
  return listed(own)
    .map((one) => `${prefix}${one}`)
    .find((one) => path.includes(`/${one}/`) || path.endsWith(`/${one}`));
}
