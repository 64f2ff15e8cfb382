/**
 * A project: the app of a folder of routes with all that its config says around them. `fulmar run`, `dev` and built
 * projects are made by it.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkOptions, type Checks } from '../../app/checked-options.ts';
import type { Middleware } from '../../app/chain.ts';
import { type App, createApp, HttpError, type RunningServer } from '../../app/index.ts';
import type { AnyContext } from '../../app/index.ts';
import type { PrerenderedPage } from '../answer/prerendered.ts';
import { createRoutesOf } from '../create-routes.ts';
import { RouteFileError } from '../files/route-file-error.ts';
import { folderSource, type LoadModule, type RouteSource } from '../loading/source.ts';
import type { ModuleExports } from '../module/declared.ts';
import { loadModule } from '../module/load.ts';
import type { ConfigEnvironment, FulmarConfig, ProjectCommand, ResolvedConfig } from './config-types.ts';
import { isAppPlugin } from './define-config.ts';
import { type ConfigDefaults, configOf, findConfig, loadConfig, projectPlugins, resolveConfig } from './resolve-config.ts';
import { withVirtual } from './virtual-routes.ts';
import { installGlobals } from '../zely/globals.ts';
import { type ZelyMiddleware, zelyMiddleware } from '../zely/middleware.ts';

export interface ProjectOptions {
  /** The project's folder. Default: the working directory. */
  readonly root?: string | URL;
  /** What it is opened for, as configs and plugins are told. Default: run. */
  readonly command?: ProjectCommand;
  /** Instead of the folder's `fulmar.config.ts`. */
  readonly config?: FulmarConfig;
}

export interface Project {
  readonly app: App;
  readonly config: ResolvedConfig;
  /** Listens where the config says. */
  listen(): Promise<RunningServer>;
}

/** Where the parts of a project come from: its folder, or what was built of it. @internal */
export interface ProjectParts {
  config(environment: ConfigEnvironment): Promise<FulmarConfig>;
  routes(config: ResolvedConfig): RouteSource;
  /** In their order, with the names of their files. */
  middlewares(dir: string): Promise<readonly (readonly [name: string, exports: ModuleExports])[]>;
  /** What was looked up when the project was built. */
  readonly built?: BuiltFacts;
}

/** @internal What a built project knows, and one of a folder looks for. */
export interface BuiltFacts {
  readonly defaults: ConfigDefaults;
  /** The files of static folders, by their paths. */
  readonly staticFiles: ReadonlyMap<string, readonly string[]>;
  readonly pages: readonly PrerenderedPage[];
}

const CHECKS: Checks<ProjectOptions> = {
  root: [(value) => (typeof value === 'string' && value !== '') || value instanceof URL, 'a folder: its path or its file: URL'],
  command: [(value) => ['run', 'dev', 'build', 'start'].includes(value as string), "'run', 'dev', 'build' or 'start'"],
  config: [(value) => typeof value === 'object' && value !== null, 'a config, as defineConfig() takes it'],
};

/**
 * The project of a folder; its app is ready to listen, or to be put below another one.
 *
 * @throws Error for a config or a file of routes that is wrong; it names the file
 */
export async function createProject(options: ProjectOptions = {}): Promise<Project> {
  checkOptions('createProject', options, CHECKS);
  const { root = '.', command = 'run', config } = options;
  const environment = { root: root instanceof URL ? fileURLToPath(root) : resolve(root), command };
  const parts = partsOf(environment);
  return openProject(environment, config === undefined ? parts : { ...parts, config: () => configOf(config, 'config', environment) });
}

/** @internal The parts of a folder. */
export function partsOf({ root }: ConfigEnvironment, load: LoadModule = loadModule): ProjectParts {
  return {
    config: (environment) => {
      const file = findConfig(root);
      return file === undefined ? Promise.resolve({}) : loadConfig(file, environment, load);
    },
    routes: ({ routes }) => folderSource(routes.dir, load),
    middlewares: (dir) =>
      Promise.all(middlewareFiles(dir).map(async (name) => [relative(root, join(dir, name)), await load(join(dir, name))] as const)),
  };
}

/** Modules of a folder, in the order of their names. */
export const middlewareFiles = (dir: string): string[] =>
  existsSync(dir)
    ? readdirSync(dir)
        .filter((name) => /^[^._].*\.(?:[cm]?[jt]s)$/.test(name) && !/\.(?:d|test|spec)\.[cm]?[jt]s$/.test(name))
        .toSorted()
    : [];

/** @internal */
export async function openProject(environment: ConfigEnvironment, parts: ProjectParts): Promise<Project> {
  return openResolved(await resolveConfig(await parts.config(environment), environment, parts.built?.defaults), parts);
}

/** @internal The same of a config that is resolved. What plugins have opened is closed where it cannot be opened. */
export async function openResolved(config: ResolvedConfig, parts: ProjectParts): Promise<Project> {
  if (config.routes.globals) installGlobals();
  const app = createApp(config.app);
  try {
    await fill(app, config, parts);
  } catch (error) {
    // Plugins may have opened something by then; what went wrong first is what is told.
    await app.close().catch(() => undefined);
    throw error;
  }
  return { app, config, listen: () => app.listen(config.server) };
}

async function fill(app: App, config: ResolvedConfig, parts: ProjectParts): Promise<void> {
  addErrorHandlers(app, config);
  for (const middleware of await middlewaresOf(config, parts)) app.use(middleware);
  for (const plugin of config.plugins) if (isAppPlugin(plugin)) app.register(plugin as never);
  for (const plugin of projectPlugins(config.plugins)) await plugin.serverCreated?.(app);
  addSenders(app, config);
  await addProxies(app, config);
  const { style } = config.routes;
  const routes = createRoutesOf(
    () => ({ ...withVirtual(parts.routes(config), config.routes.virtual, projectPlugins(config.plugins)), style }),
    {
      ...config.app,
      isLazy: config.routes.lazy,
      folder: config.routes.dir,
      pages: parts.built?.pages ?? [],
      ...(config.static.length > 0 && {
        onSource: async (source) =>
          (await import('./static-folders.ts')).addStatic(app, { config, source, known: parts.built?.staticFiles }),
      }),
    },
  );
  // A root `_middleware.ts` stands around requests without a route, too, as where there is no app around.
  routes.notFound((c) => {
    throw new HttpError(404, `Nothing is at ${c.pathname}.`);
  });
  app.route(config.routes.prefix, routes);
  await app.ready();
}

async function middlewaresOf({ middlewares, routes }: ResolvedConfig, parts: ProjectParts): Promise<Middleware[]> {
  const { dir, global } = middlewares;
  const found = dir === false ? [] : await parts.middlewares(dir);
  const ofFolder = found.flatMap(([name, exports]) => ofFile(name, exports));
  return [...global, ...(routes.style === 'zely' ? ofFolder.map((one) => zelyMiddleware(one as ZelyMiddleware)) : ofFolder)];
}

function ofFile(name: string, exports: ModuleExports): Middleware[] {
  const list = [exports['default']].flat();
  if (list.length > 0 && list.every((one) => typeof one === 'function')) return list as Middleware[];
  throw new RouteFileError('needs a default export: a function (c, next), or a list of them', [name]);
}

/** Plugins first, then the config. */
function addErrorHandlers(app: App, { plugins, onError }: ResolvedConfig): void {
  const hooks = projectPlugins(plugins).flatMap(({ handleError }) => (handleError === undefined ? [] : [handleError]));
  const handlers = onError === null || onError === undefined ? hooks : [...hooks, onError];
  if (handlers.length === 0) return;
  app.onError(async (error, c) => {
    for (const handler of handlers) {
      const value = await handler(error, c as AnyContext);
      if (value !== undefined) return value;
    }
    throw error;
  });
}

function addSenders(app: App, { plugins }: ResolvedConfig): void {
  const hooks = projectPlugins(plugins).flatMap(({ onSend }) => (onSend === undefined ? [] : [onSend]));
  if (hooks.length === 0) return;
  app.use(async (c, next) => {
    let value = await next();
    for (const hook of hooks) {
      const other = await hook(c as AnyContext, value);
      if (other !== undefined) value = other;
    }
    return value;
  });
}

async function addProxies(app: App, { proxies }: ResolvedConfig): Promise<void> {
  const entries = Object.entries(proxies);
  if (entries.length === 0) return;
  const { proxy } = await import('../../app/middleware/index.ts');
  for (const [prefix, given] of entries) {
    const base = prefix.replace(/\/+$/, '');
    const handler = proxy(given as string);
    for (const path of base === '' ? ['/*'] : [base, `${base}/*`]) app.all(path as never, handler as never);
  }
}
