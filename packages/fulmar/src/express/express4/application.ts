/**
 * `express.application` of version 4: version 5's members, then what differs (A… in
 * docs/internals/express4.md).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import depd from 'depd';
import { noteApplication } from '../../host/applications.ts';
import http from '../../http/index.ts';
import { application as application5, assign, configure, useAll } from '../application.ts';
import type { Application as Application5, RenderCallback } from '../application-types.ts';
import { finalHandle } from '../final-handler.ts';
import type { ExpressRequest, ExpressResponse, Handler, Next } from '../message-types.ts';
import { renderView } from '../render-view.ts';
import { copyMembers, moveAfter } from './copy-members.ts';
import { createEntry, isFirst, middleware } from './entry.ts';
import type { Layer } from './layer.ts';
import { merge } from './merge.ts';
import { query } from './query.ts';
import type { Route } from './route.ts';
import { Router, type RouterInstance } from './router.ts';
import { compileQueryParser } from './settings.ts';
import { View } from './view.ts';

const deprecate = depd('express');

export interface Application extends Application5 {
  _router?: RouterInstance;
  lazyrouter(): void;
  route(path: unknown): Route;
  del(...args: unknown[]): this;
  delete(...args: unknown[]): this;
}

export const application = copyMembers(application5, Object.prototype) as Application;

// A1: plain objects with the usual prototype.
application.init = function init(this: Application) {
  this.cache = {};
  this.engines = {};
  this.settings = {};
  this.defaultConfiguration();
  noteApplication(this);
};

application.defaultConfiguration = function defaultConfiguration(this: Application) {
  configure(this, { queryParser: 'extended', view: View });
  Object.defineProperty(this, 'router', {
    get() {
      throw new Error("'app.router' is deprecated!\nPlease see the 3.x to 4.x migration guide for details on how to update your app.");
    },
  });
};

// A2: the router is made by the first registration, with the settings of that moment.
application.lazyrouter = function lazyrouter(this: Application) {
  if (this._router) return;
  const router = new Router({
    caseSensitive: this.enabled('case sensitive routing'),
    strict: this.enabled('strict routing'),
  });
  this._router = router;
  const handles = { query: query(this.get('query parser fn')) as Handler, init: middleware.init(this) as Handler };
  router.use(handles.query);
  router.use(handles.init);
  router._entry = createEntry(this, router._stack.layers as Layer[], handles);
};

// A3: without a router nothing is done to the messages.
application.handle = function handle(this: Application, incoming: IncomingMessage, outgoing: ServerResponse, callback?: Next) {
  const router = this._router;
  let done = callback;
  if (!done) {
    const env = this.get('env');
    done = (err) => finalHandle(this, incoming as ExpressRequest, outgoing as ExpressResponse, { err, env, log: logError });
  }
  if (router) router.handle(incoming, outgoing, done);
  else done();
};

// A8
function logError(app: Application5, err: unknown): void {
  if (app.get('env') === 'test') return;
  const { stack } = err as { stack?: unknown };
  // oxlint-disable-next-line no-console -- upstream's behaviour: errors nobody handles are printed
  console.error(stack || (err as { toString(): string }).toString());
}

application.use = function use(this: Application, first: unknown, ...rest: unknown[]) {
  useAll(this, [first, ...rest], () => lazyRouterOf(this));
  return this;
} as Application['use'];

function lazyRouterOf(app: Application): RouterInstance {
  app.lazyrouter();
  return app._router as RouterInstance;
}

application.route = function route(this: Application, path: unknown) {
  return lazyRouterOf(this).route(path);
};

application.param = function param(this: Application, name: unknown, fn: unknown) {
  const router = lazyRouterOf(this);
  if (Array.isArray(name)) for (const item of name) this.param(item, fn);
  else router.param(name, fn);
  return this;
} as Application['param'];

// A4: a setting is looked for in parents as far as `Object.prototype`, and only as an own property.
application.set = function set(this: Application, setting: string, value?: unknown) {
  if (arguments.length !== 1) {
    assign(this, setting, value, compileQueryParser);
    return this;
  }
  let settings: Record<string, unknown> | null = this.settings;
  while (settings && settings !== Object.prototype) {
    if (Object.hasOwn(settings, setting)) return settings[setting];
    settings = Object.getPrototypeOf(settings) as Record<string, unknown> | null;
  }
  return undefined;
};

// A5
application.del = deprecate.function(application.delete, 'app.del: Use app.delete instead');

// A6: options are merged with their inherited members, and must be there.
application.render = function render(this: Application, name: string, options?: unknown, callback?: RenderCallback) {
  const isCallback = typeof options === 'function';
  const done = (isCallback ? options : callback) as RenderCallback;
  const given = (isCallback ? {} : options) as { _locals?: object };
  const merged: Record<string, unknown> = merge({}, this.locals);
  if (given._locals) merge(merged, given._locals);
  merge(merged, given);
  renderView(this, name, merged, done);
};

// A7: a callback of `listen` does not get errors.
application.listen = function listen(this: Application, ...args: unknown[]): Server {
  const server = http.createServer(this as unknown as (req: IncomingMessage, res: ServerResponse) => void);
  return (server.listen as (...values: unknown[]) => Server).apply(server, args);
};

// In upstream's order: tools copy members.
moveAfter(application, 'defaultConfiguration', 'lazyrouter');
moveAfter(application, 'all', 'del');

/** Layers in front of `expressInit` see messages without Express's members. */
export function ownsMessages(app: Application5): boolean {
  const router = (app as Application)._router;
  return router === undefined || (router._entry !== undefined && isFirst(router._entry, router._stack));
}
