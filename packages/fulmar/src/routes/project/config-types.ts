/**
 * What `fulmar.config.ts` may say, and what plugins of a project are. Types alone.
 */
import type { Middleware } from '../../app/chain.ts';
import type { AnyContext, App, AppOptions, ListenOptions } from '../../app/index.ts';
import type { ProxyOptions, StaticFilesOptions } from '../../app/middleware/index.ts';
import type { RouteStyle } from '../module/declared.ts';

/** What a project is opened for. */
export type ProjectCommand = 'run' | 'dev' | 'build' | 'start';

export interface ConfigEnvironment {
  readonly command: ProjectCommand;
  /** The project's folder. */
  readonly root: string;
}

export interface RoutesConfig {
  /** The folder. Default: `routes`, else `pages`. */
  readonly dir?: string;
  /** A path that all of them lie under. */
  readonly prefix?: string;
  /** Files are loaded by the first request that they may be for. Default: true in `dev` and in built projects. */
  readonly lazy?: boolean;
  /** `zely`: files are those of Zely, with its contexts. Default: `app`. */
  readonly style?: RouteStyle;
  /** `GET`, `POST`, `defineRoute` and the like are there without an import. Default: for `style: 'zely'`. */
  readonly globals?: boolean;
  /**
   * Routes without a file: what the file of that name would export, by its name without ending (`/users/[id]`); anything
   * else is as its default export.
   */
  readonly virtual?: Readonly<Record<string, unknown>>;
}

/** A folder whose files are served as they are. */
export interface StaticFolder extends Omit<StaticFilesOptions, 'root' | 'fallthrough'> {
  /** From the project's folder. */
  readonly dir: string;
}

export interface MiddlewaresConfig {
  /** A folder whose files are middleware for all routes, in the order of their names; false: none. Default: `middlewares`. */
  readonly dir?: string | false;
  /** Before those of the folder. */
  readonly global?: readonly Middleware[];
}

/** A route as plugins are told of it. */
export interface FoundRoute {
  /** Below the folder of routes; of a virtual route its name. */
  readonly file: string;
  /** As the app's routes are written: `/users/:id`. */
  readonly path: string;
  /** Upper case, `null`: its exports say. */
  readonly method: string | null;
  readonly kind: 'route' | 'page';
}

export interface BuildInfo {
  readonly root: string;
  /** The file or program that is made. */
  readonly output: string;
  readonly native: boolean;
}

type Awaitable<T> = T | Promise<T>;

/** Hooks around a project. Each is optional; they run in the order of the plugins. */
export interface ProjectPlugin {
  readonly name: string;
  /** What it returns is laid over what the config says; lists are joined. */
  readonly config?: (config: FulmarConfig, environment: ConfigEnvironment) => Awaitable<FulmarConfig | undefined | void>;
  readonly configResolved?: (config: ResolvedConfig) => Awaitable<void>;
  /** For each file of a route; false leaves it out. */
  readonly routeFound?: (route: FoundRoute) => boolean | undefined | void;
  /** All of them; what it returns are virtual routes to add. */
  readonly routes?: (routes: readonly FoundRoute[]) => Readonly<Record<string, unknown>> | undefined | void;
  /** The app, before it has routes: for middleware, routes and hooks of its own. */
  readonly serverCreated?: (app: App) => Awaitable<void>;
  readonly buildStart?: (build: BuildInfo) => Awaitable<void>;
  readonly buildEnd?: (build: BuildInfo) => Awaitable<void>;
  /** An error that nothing in the routes has answered: a value that is not `undefined` is the reply. */
  readonly handleError?: (error: unknown, c: AnyContext) => unknown;
  /** What a route has returned, before it becomes a reply: a value that is not `undefined` goes in its place. */
  readonly onSend?: (c: AnyContext, value: unknown) => unknown;
}

export interface FulmarConfig {
  /** Where the project listens; `PORT` of the environment goes before the port. */
  readonly server?: Omit<ListenOptions, 'signal'>;
  /** Options of the app: limits, the format of errors, proxies to trust … */
  readonly app?: AppOptions;
  /** The folder, or all about it. */
  readonly routes?: string | RoutesConfig;
  readonly middlewares?: readonly Middleware[] | MiddlewaresConfig;
  /** Folders whose files are served as they are. Default: `public`, where there is one. */
  readonly static?: string | StaticFolder | readonly (string | StaticFolder)[] | false;
  /** Upstreams by the prefix whose requests are theirs: `{ '/api': 'http://127.0.0.1:4000' }`. */
  readonly proxies?: Readonly<Record<string, string | ProxyOptions>>;
  /** An error that nothing else has answered. */
  readonly onError?: (error: unknown, c: AnyContext) => unknown;
  /** Plugins of projects, and those of apps that `definePlugin()` gives. */
  readonly plugins?: readonly (ProjectPlugin | object)[];
}

/** The config with what plugins have laid over it, and with all defaults. */
export interface ResolvedConfig {
  readonly root: string;
  readonly command: ProjectCommand;
  readonly server: Omit<ListenOptions, 'signal'>;
  readonly app: AppOptions;
  readonly routes: Required<RoutesConfig>;
  readonly middlewares: Required<MiddlewaresConfig>;
  readonly static: readonly StaticFolder[];
  readonly proxies: Readonly<Record<string, string | ProxyOptions>>;
  readonly onError: FulmarConfig['onError'] | null;
  readonly plugins: readonly (ProjectPlugin | object)[];
}

export type ConfigFunction = (environment: ConfigEnvironment) => Awaitable<FulmarConfig>;
