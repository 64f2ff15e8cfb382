/**
 * `express.Router`: registers layers and hands requests to the dispatcher. A router is a function whose
 * prototype chain runs through `Router.prototype`, as upstream's. It compiles at registration and never while
 * a request runs.
 */
import type { ExpressRequest, ExpressResponse, Handler, Next } from '../message-types.ts';
import { dispatch } from './dispatch.ts';
import { Layer } from './layer.ts';
import { methods } from './methods.ts';
import { requireHandler, Route, toHandlers } from './route.ts';
import { RouteStack } from './route-stack.ts';
import type { ParamHandler } from './promises.ts';
import type { RouteListing, RouterConstructor, RouterInstance, RouterOptions, RouterState } from './router-types.ts';

function createRouter(this: unknown, options?: RouterOptions): RouterInstance {
  if (!(this instanceof (createRouter as unknown as RouterConstructor))) return new Router(options);
  const settings = options || {};
  const router = function router(req: ExpressRequest, res: ExpressResponse, next: Next): void {
    self.handle(req, res, next);
  };
  const self = router as unknown as RouterInstance;
  Object.setPrototypeOf(router, this);
  self.caseSensitive = settings.caseSensitive;
  self.mergeParams = settings.mergeParams;
  self.params = {};
  self.strict = settings.strict;
  defineStack(self);
  return self;
}

export function defineStack(router: RouterState): void {
  Object.defineProperty(router, '_stack', { value: new RouteStack(), writable: true, enumerable: false });
  Object.defineProperty(router, 'stack', {
    configurable: true,
    enumerable: true,
    get: () => router._stack.expose(),
    set: (layers: Layer[]) => {
      if (layers !== router._stack.layers) router._stack = new RouteStack(layers);
    },
  });
}

// A function, so that routers keep what functions have.
const prototype = function (): void {} as unknown as RouterInstance;

prototype.param = function param(this: RouterInstance, name: string, fn: unknown) {
  if (!name) throw new TypeError('argument name is required');
  if (typeof name !== 'string') throw new TypeError('argument name must be a string');
  if (!fn) throw new TypeError('argument fn is required');
  if (typeof fn !== 'function') throw new TypeError('argument fn must be a function');
  (this.params[name] ||= []).push(fn as ParamHandler);
  return this;
} as RouterInstance['param'];

prototype.handle = function handle(this: RouterInstance, req: ExpressRequest, res: ExpressResponse, callback: Next): void {
  if (!callback) throw new TypeError('argument callback is required');
  dispatch(this, req, res, callback);
} as RouterInstance['handle'];

/** The handle function no one has replaced: lets an application skip the argument check. */
export const routerHandle = prototype.handle;

prototype.use = function use(this: RouterInstance, handler: unknown, ...more: unknown[]) {
  const { path, offset } = splitPath(handler);
  for (const fn of toHandlers(offset === 0 ? [handler, ...more] : more)) {
    requireHandler(fn);
    this._stack.push(new Layer(path, { sensitive: this.caseSensitive, strict: false, end: false }, fn));
  }
  return this;
} as RouterInstance['use'];

prototype.route = function route(this: RouterInstance, path: unknown): Route {
  const created = new Route(path);
  const handle = function handle(req: ExpressRequest, res: ExpressResponse, next: Next): void {
    created.dispatch(req, res, next);
  } as Handler;
  const layer = new Layer(path, { sensitive: this.caseSensitive, strict: this.strict, end: true }, handle);
  layer.route = created;
  layer._dispatch = handle;
  this._stack.push(layer);
  return created;
};

prototype.listRoutes = function listRoutes(this: RouterInstance): RouteListing[] {
  const listings: RouteListing[] = [];
  for (const layer of this._stack.layers as Layer[]) {
    const { route } = layer;
    const isRouter = !route && Array.isArray((layer.handle as unknown as { stack?: unknown }).stack);
    const router = isRouter ? layer.handle : undefined;
    if (!route && !router) continue;
    const names = route?._methods(true);
    if (Array.isArray(layer.rawPath)) {
      for (const path of layer.rawPath) listings.push({ path, methods: names?.slice(), router });
    } else {
      listings.push({ path: layer.rawPath, methods: names, router });
    }
  }
  return listings;
};

type Register = (...handlers: unknown[]) => unknown;

for (const method of [...methods, 'all']) {
  (prototype as unknown as Record<string, unknown>)[method] = function (this: RouterInstance, path: unknown, ...handlers: unknown[]) {
    const route = this.route(path) as unknown as Record<string, Register>;
    (route[method] as Register)(...handlers);
    return this;
  };
}

/** Where a registration's handlers start, and the path before them. */
export function splitPath(first: unknown): { path: unknown; offset: number } {
  if (typeof first === 'function') return { path: '/', offset: 0 };
  let arg = first;
  while (Array.isArray(arg) && arg.length !== 0) arg = arg[0];
  return typeof arg === 'function' ? { path: '/', offset: 0 } : { path: first, offset: 1 };
}

Object.defineProperty(createRouter, 'name', { value: 'Router', configurable: true });
(createRouter as unknown as { prototype: unknown }).prototype = prototype;

export const Router = createRouter as unknown as RouterConstructor;
Router.Route = Route;
