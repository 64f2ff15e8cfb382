/**
 * `express.application`: settings, mounting, rendering and the way from the http server into the router. Its
 * members are copied onto every application function. Per request only `handle` runs.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import path from 'node:path';
import { noteApplication } from '../host/applications.ts';
import http from '../http/index.ts';
import type { Application, Engine, RenderCallback } from './application-types.ts';
import { setPoweredBy } from './fast-path.ts';
import { finalHandle, logError } from './final-handler.ts';
import type { ExpressRequest, ExpressResponse, Next } from './message-types.ts';
import { adopt } from './prototypes.ts';
import { renderView } from './render-view.ts';
import { methods } from './router/methods.ts';
import { dispatchInto } from './router/dispatch.ts';
import { Router, routerHandle, splitPath } from './router/router.ts';
import type { RouterInstance } from './router/router-types.ts';
import { compileEtag, compileQueryParser } from './settings.ts';
import { compileTrust } from '../web/trust.ts';
import { View } from './view.ts';

/** Marks a `trust proxy` nobody has set: a parent's is inherited then. */
const TRUST_PROXY_DEFAULT = '@@symbol:trust_proxy_default';

type Registered = Record<string, (...args: unknown[]) => unknown>;

export const application = {} as Application;

application.init = function init(this: Application) {
  let router: RouterInstance | null = null;
  this.cache = Object.create(null) as Application['cache'];
  this.engines = Object.create(null) as Application['engines'];
  // Without a prototype, as upstream's, yet an object the engine keeps in its fast form: settings are read
  // per request.
  this.settings = Object.setPrototypeOf({}, null) as Application['settings'];
  this.defaultConfiguration();
  noteApplication(this);
  Object.defineProperty(this, 'router', {
    configurable: true,
    enumerable: true,
    get: (): RouterInstance =>
      (router ??= new Router({
        caseSensitive: this.enabled('case sensitive routing'),
        strict: this.enabled('strict routing'),
      })),
  });
};

application.defaultConfiguration = function defaultConfiguration(this: Application) {
  configure(this, { queryParser: 'simple', view: View });
};

/** The settings every application starts with; what the versions of Express do not share is given. */
export function configure(app: Application, { queryParser, view }: { queryParser: string; view: unknown }): void {
  const env = process.env.NODE_ENV || 'development';
  app.enable('x-powered-by');
  app.set('etag', 'weak');
  app.set('env', env);
  app.set('query parser', queryParser);
  app.set('subdomain offset', 2);
  app.set('trust proxy', false);
  markTrustProxy(app, true);
  app.on('mount', (parent: Application) => inherit(app, parent));
  app.locals = Object.create(null) as Application['locals'];
  app.mountpath = '/';
  app.locals.settings = app.settings;
  app.set('view', view);
  app.set('views', path.resolve('views'));
  app.set('jsonp callback name', 'callback');
  if (env === 'production') app.enable('view cache');
}

function markTrustProxy(app: Application, value: boolean): void {
  Object.defineProperty(app.settings, TRUST_PROXY_DEFAULT, { configurable: true, value });
}

function inherit(app: Application, parent: Application): void {
  if (app.settings[TRUST_PROXY_DEFAULT] === true && typeof parent.settings['trust proxy fn'] === 'function') {
    delete app.settings['trust proxy'];
    delete app.settings['trust proxy fn'];
  }
  Object.setPrototypeOf(app.request, parent.request);
  Object.setPrototypeOf(app.response, parent.response);
  Object.setPrototypeOf(app.engines, parent.engines);
  Object.setPrototypeOf(app.settings, parent.settings);
}

application.handle = function handle(this: Application, incoming: IncomingMessage, outgoing: ServerResponse, callback?: Next) {
  const req = incoming as ExpressRequest;
  const res = outgoing as ExpressResponse;
  if (this.settings['x-powered-by']) setPoweredBy(res);
  req.res = res;
  res.req = req;
  adopt(this, req, res);
  // `res.locals` is made when it is first read, by the response prototype.
  const { router } = this;
  if (callback) router.handle(req, res, callback);
  else if (router.handle === routerHandle) dispatchInto(this, router, req, res);
  else {
    const { env } = this.settings;
    router.handle(req, res, (err) => finalHandle(this, req, res, { err, env, log: logError }));
  }
};

application.use = function use(this: Application, first: unknown, ...rest: unknown[]) {
  useAll(this, [first, ...rest], () => this.router);
  return this;
} as Application['use'];

interface Mountable {
  use(...args: unknown[]): unknown;
}

/** Adds middleware and mounts applications; `routerOf` is asked once the arguments are known to be right. */
export function useAll(app: Application, args: readonly unknown[], routerOf: () => Mountable): void {
  const { path: mountPath, offset } = splitPath(args[0]);
  const handlers = args.slice(offset).flat(Infinity);
  if (handlers.length === 0) throw new TypeError('app.use() requires a middleware function');
  const router = routerOf();
  for (const handler of handlers) {
    if (isApplication(handler)) mount(app, { router, mountPath, child: handler });
    else router.use(mountPath, handler);
  }
}

function isApplication(fn: unknown): fn is Application {
  const candidate = fn as { handle?: unknown; set?: unknown } | null | undefined;
  return Boolean(candidate && candidate.handle && candidate.set);
}

interface Mount {
  readonly router: Mountable;
  readonly mountPath: unknown;
  readonly child: Application;
}

function mount(parent: Application, { router, mountPath, child: app }: Mount): void {
  app.mountpath = mountPath;
  app.parent = parent;
  router.use(mountPath, function mounted_app(req: ExpressRequest, res: ExpressResponse, next: Next) {
    const original = req.app;
    app.handle(req, res, (err) => {
      adopt(original, req, res);
      next(err);
    });
  });
  app.emit('mount', parent);
}

application.route = function route(this: Application, routePath: unknown) {
  return this.router.route(routePath);
};

application.engine = function engine(this: Application, ext: string, fn: unknown) {
  if (typeof fn !== 'function') throw new Error('callback function required');
  this.engines[ext[0] === '.' ? ext : `.${ext}`] = fn as Engine;
  return this;
} as Application['engine'];

application.param = function param(this: Application, name: unknown, fn: unknown) {
  if (Array.isArray(name)) for (const item of name) this.param(item, fn);
  else this.router.param(name as string, fn);
  return this;
} as Application['param'];

application.set = function set(this: Application, setting: string, value?: unknown) {
  if (arguments.length === 1) return this.settings[setting];
  assign(this, setting, value, compileQueryParser);
  return this;
};

/** Sets a value, and the function that some values stand for. */
export function assign(app: Application, setting: string, value: unknown, compileQuery: (value: unknown) => unknown): void {
  app.settings[setting] = value;
  switch (setting) {
    case 'etag':
      app.set('etag fn', compileEtag(value));
      break;
    case 'query parser':
      app.set('query parser fn', compileQuery(value));
      break;
    case 'trust proxy':
      app.set('trust proxy fn', compileTrust(value));
      markTrustProxy(app, false);
      break;
    default:
  }
}

application.path = function path(this: Application): string {
  return this.parent ? this.parent.path() + String(this.mountpath) : '';
};

application.enabled = function enabled(this: Application, setting: string) {
  return Boolean(this.set(setting));
};

application.disabled = function disabled(this: Application, setting: string) {
  return !this.set(setting);
};

application.enable = function enable(this: Application, setting: string) {
  return this.set(setting, true);
} as Application['enable'];

application.disable = function disable(this: Application, setting: string) {
  return this.set(setting, false);
} as Application['disable'];

const members = application as unknown as Record<string, unknown>;
const routerMembers = Router.prototype as unknown as Record<string, unknown>;

// They need nothing of `this` but its `route()`.
for (const method of methods) members[method] = routerMembers[method];

members.get = function (this: Application, routePath: unknown, ...handlers: unknown[]) {
  if (arguments.length === 1) return this.set(routePath as string);
  (this.route(routePath) as unknown as Registered).get?.(...handlers);
  return this;
};

application.all = function all(this: Application, routePath: unknown, ...handlers: unknown[]) {
  const route = this.route(routePath) as unknown as Registered;
  for (const method of methods) route[method]?.(...handlers);
  return this;
} as Application['all'];

application.render = function render(this: Application, name: string, options?: unknown, callback?: RenderCallback) {
  const done = (typeof options === 'function' ? options : callback) as RenderCallback;
  const given = (typeof options === 'function' ? {} : options || {}) as { _locals?: object };
  renderView(this, name, { ...this.locals, ...given._locals, ...given }, done);
};

application.listen = function listen(this: Application, ...args: unknown[]): Server {
  const server = http.createServer(this as unknown as (req: IncomingMessage, res: ServerResponse) => void);
  const last = args.at(-1);
  if (typeof last === 'function') {
    const done = once(last as (...values: unknown[]) => unknown);
    args[args.length - 1] = done;
    server.once('error', done);
  }
  return (server.listen as (...values: unknown[]) => Server).apply(server, args);
};

/** `fn` as a function that calls it no more than once. */
function once(fn: (...values: unknown[]) => unknown): (...values: unknown[]) => unknown {
  let isCalled = false;
  let value: unknown;
  return function (this: unknown, ...values) {
    if (isCalled) return value;
    isCalled = true;
    value = Reflect.apply(fn, this, values);
    return value;
  };
}
