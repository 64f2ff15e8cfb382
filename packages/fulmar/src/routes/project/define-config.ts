/**
 * `defineConfig()`, and what is wrong with a config: told when it is read, with the name that is meant.
 */
import { checkOptions, type Checks, isBoolean, isFunction, isListOf, shown, suggestion } from '../../app/checked-options.ts';
import { isStyle } from '../module/declared.ts';
import type { ConfigFunction, FulmarConfig, MiddlewaresConfig, ProjectPlugin, RoutesConfig } from './config-types.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const isMiddlewareList = (value: unknown): boolean => isListOf((one) => typeof one === 'function', value);
const isPath = (value: unknown): boolean => typeof value === 'string' && /^\/[^?#*]*$/.test(value);

const CHECKS: Checks<FulmarConfig> = {
  server: [isRecord, 'an object { port, host }'],
  app: [isRecord, 'an object of options of an app'],
  routes: [(value) => isText(value) || isRecord(value), 'a folder, or an object { dir, prefix, lazy, virtual, style, globals }'],
  middlewares: [(value) => isMiddlewareList(value) || isRecord(value), 'a list of functions (c, next), or an object { dir, global }'],
  static: [
    (value) => value === false || [value].flat().every((one) => isText(one) || (isRecord(one) && isText(one['dir']))),
    "a folder, an object { dir, prefix }, a list of these, or false: static: ['public']",
  ],
  proxies: [
    (value) => isRecord(value) && Object.entries(value).every(([prefix, one]) => isPath(prefix) && (isText(one) || isRecord(one))),
    "upstreams by their prefix: { '/api': 'http://127.0.0.1:4000' }",
  ],
  onError: isFunction('(error, c)'),
  plugins: [(value) => isListOf((one) => isRecord(one) || typeof one === 'function', value), 'a list of plugins'],
};

const ROUTES: Checks<RoutesConfig> = {
  dir: [isText, 'a folder'],
  prefix: [isPath, "a path, such as '/api'"],
  lazy: isBoolean,
  style: [isStyle, "'app' or 'zely'"],
  globals: isBoolean,
  virtual: [isRecord, "an object of exports by name: { '/health': () => 'ok' }"],
};

const MIDDLEWARES: Checks<MiddlewaresConfig> = {
  dir: [(value) => value === false || isText(value), 'a folder or false'],
  global: [isMiddlewareList, 'a list of functions (c, next)'],
};

const PLUGIN_HOOKS: readonly (keyof ProjectPlugin)[] = [
  'config',
  'configResolved',
  'routeFound',
  'routes',
  'serverCreated',
  'buildStart',
  'buildEnd',
  'handleError',
  'onSend',
];

/** For types and checks: gives back what it is given. @throws TypeError for what is no config */
export function defineConfig(config: FulmarConfig): FulmarConfig;
export function defineConfig(config: ConfigFunction): ConfigFunction;
export function defineConfig(config: FulmarConfig | ConfigFunction): FulmarConfig | ConfigFunction {
  if (typeof config !== 'function') checkConfig(config);
  return config;
}

/** @throws TypeError that names what was expected and what was found */
export function checkConfig(config: FulmarConfig): void {
  checkOptions('defineConfig', config, CHECKS);
  const { routes, middlewares, plugins } = config;
  if (isRecord(routes)) within('routes', () => checkOptions('routes', routes, ROUTES as never));
  if (isRecord(middlewares)) within('middlewares', () => checkOptions('middlewares', middlewares, MIDDLEWARES as never));
  for (const plugin of plugins ?? []) if (!isAppPlugin(plugin)) checkPlugin(plugin as ProjectPlugin);
}

/** The members are of an object, not of a function. */
function within(name: string, check: () => void): void {
  try {
    check();
  } catch (cause) {
    throw new TypeError((cause as Error).message.replace(`${name}()`, `${name} of the config`), { cause });
  }
}

/** One of `definePlugin()`, or a function (app, options), for the app. */
export const isAppPlugin = (plugin: object): boolean =>
  typeof plugin === 'function' || typeof (plugin as { setup?: unknown }).setup === 'function';

function checkPlugin(plugin: ProjectPlugin): void {
  if (!isText(plugin.name)) throw new TypeError(`A plugin of the config needs a name, a text, and this one's is ${shown(plugin.name)}.`);
  for (const [key, hook] of Object.entries(plugin)) {
    if (key === 'name') continue;
    if (!(PLUGIN_HOOKS as readonly string[]).includes(key))
      throw new TypeError(`Plugin ${plugin.name} has no hook ${key}${suggestion(key, PLUGIN_HOOKS)}.`);
    if (hook !== undefined && typeof hook !== 'function')
      throw new TypeError(`${key} of plugin ${plugin.name} is a function, and this is ${shown(hook)}.`);
  }
}
