/**
 * From the file `fulmar.config.ts` to what holds: found, loaded, laid over by plugins, checked, with all defaults.
 */
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { LoadModule } from '../loading/source.ts';
import type { ConfigEnvironment, FulmarConfig, MiddlewaresConfig, ProjectPlugin, ResolvedConfig, RoutesConfig } from './config-types.ts';
import { checkConfig, isAppPlugin } from './define-config.ts';

const CONFIG_NAMES: readonly string[] = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((ending) => `fulmar.config.${ending}`);

/** The config file of a folder. */
export const findConfig = (root: string): string | undefined => CONFIG_NAMES.map((name) => join(root, name)).find(existsSync);

/** What a config file exports. @throws Error that names the file, for one that throws and for what is no config */
export async function loadConfig(file: string, environment: ConfigEnvironment, load: LoadModule): Promise<FulmarConfig> {
  const name = relative(environment.root, file);
  let exports: Readonly<Record<string, unknown>>;
  try {
    exports = await load(file);
  } catch (cause) {
    throw new Error(`${name} could not be loaded: ${messageOf(cause)}`, { cause });
  }
  return configOf(exports['default'], name, environment);
}

/** @throws Error that names the file */
export async function configOf(given: unknown, name: string, environment: ConfigEnvironment): Promise<FulmarConfig> {
  try {
    const config: unknown = typeof given === 'function' ? await (given as (of: ConfigEnvironment) => unknown)(environment) : given;
    if (typeof config !== 'object' || config === null) throw new TypeError('needs a default export, defineConfig({ … })');
    checkConfig(config as FulmarConfig);
    return config as FulmarConfig;
  } catch (cause) {
    throw new Error(`${name}: ${messageOf(cause)}`, { cause });
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs the hooks `config` and `configResolved`. @throws what plugins throw, TypeError for what they make of it */
export async function resolveConfig(
  given: FulmarConfig,
  environment: ConfigEnvironment,
  defaults: ConfigDefaults = defaultsOf(environment),
): Promise<ResolvedConfig> {
  let config = given;
  for (const plugin of projectPlugins(given.plugins)) {
    const more = await plugin.config?.(config, environment);
    if (more === undefined || more === null) continue;
    checkConfig(more);
    config = merged(config, more);
  }
  const resolved = withDefaults(config, environment, defaults);
  for (const plugin of projectPlugins(resolved.plugins)) await plugin.configResolved?.(resolved);
  return resolved;
}

export const projectPlugins = (plugins: FulmarConfig['plugins'] = []): ProjectPlugin[] =>
  plugins.filter((one): one is ProjectPlugin => !isAppPlugin(one));

function merged(config: FulmarConfig, more: FulmarConfig): FulmarConfig {
  const base = { ...config, routes: routesOf(config), middlewares: middlewaresOf(config) };
  const other = {
    ...more,
    ...(more.routes !== undefined && { routes: routesOf(more) }),
    ...(more.middlewares !== undefined && { middlewares: middlewaresOf(more) }),
  };
  const keys = new Set([...Object.keys(base), ...Object.keys(other)]) as Set<keyof FulmarConfig>;
  return Object.fromEntries([...keys].map((key) => [key, laidOver(base[key], other[key])]));
}

/** Objects are joined by name, lists one behind the other. */
function laidOver(base: unknown, more: unknown): unknown {
  if (more === undefined) return base;
  if (base === undefined) return more;
  if (Array.isArray(base) || Array.isArray(more)) return [base, more].flat();
  if (!isPlain(base) || !isPlain(more)) return more;
  return Object.fromEntries([...new Set([...Object.keys(base), ...Object.keys(more)])].map((key) => [key, laidOver(base[key], more[key])]));
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const routesOf = ({ routes }: FulmarConfig): RoutesConfig => (typeof routes === 'string' ? { dir: routes } : (routes ?? {}));
const middlewaresOf = ({ middlewares }: FulmarConfig): MiddlewaresConfig =>
  Array.isArray(middlewares) ? { global: middlewares } : ((middlewares ?? {}) as MiddlewaresConfig);

/** What holds where the config says nothing, by the folders that are there. */
export interface ConfigDefaults {
  readonly routes: string;
  readonly static: readonly string[];
}

export const defaultsOf = ({ root }: ConfigEnvironment): ConfigDefaults => ({
  routes: !existsSync(join(root, 'routes')) && existsSync(join(root, 'pages')) ? 'pages' : 'routes',
  static: existsSync(join(root, 'public')) ? ['public'] : [],
});

function withDefaults(config: FulmarConfig, { root, command }: ConfigEnvironment, defaults: ConfigDefaults): ResolvedConfig {
  const { dir, prefix = '/', virtual = {}, lazy = command !== 'run', style = 'app' } = routesOf(config);
  const { globals = style === 'zely' } = routesOf(config);
  const middlewares = middlewaresOf(config);
  const folders = config.static ?? defaults.static;
  return {
    root,
    command,
    server: config.server ?? {},
    // Paths of Zely may end with a slash.
    app: style === 'zely' ? { strict: false, ...config.app } : (config.app ?? {}),
    routes: { dir: resolve(root, dir ?? defaults.routes), prefix, virtual, lazy, style, globals },
    middlewares: {
      dir: middlewares.dir === false ? false : resolve(root, middlewares.dir ?? 'middlewares'),
      global: middlewares.global ?? [],
    },
    static: (folders === false ? [] : [folders].flat()).map((one) =>
      typeof one === 'string' ? { dir: resolve(root, one) } : { ...one, dir: resolve(root, one.dir) },
    ),
    proxies: config.proxies ?? {},
    onError: config.onError ?? null,
    plugins: config.plugins ?? [],
  };
}
