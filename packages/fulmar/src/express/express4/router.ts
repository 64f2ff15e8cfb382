/**
 * `express.Router` of version 4 (R4): a function whose prototype is `express.Router` itself, so that a member
 * replaced there is replaced in every router. Registers layers; requests go to dispatch.ts.
 */
import depd from 'depd';
import type { ExpressRequest, ExpressResponse, Handler, Next } from '../message-types.ts';
import { methods } from '../router/methods.ts';
import type { ParamCalls } from '../router/params.ts';
import type { ParamHandler } from '../router/promises.ts';
import { defineStack, splitPath } from '../router/router.ts';
import type { RouterOptions, RouterState } from '../router/router-types.ts';
import { dispatch } from './dispatch.ts';
import type { RouterEntry } from './entry.ts';
import { Layer } from './layer.ts';
import { ownProcessParams } from './params.ts';
import { ownDispatch, Route } from './route.ts';

const deprecate = depd('express');

/** `router.param(fn)`: makes the callback that a name gets. */
type ParamFactory = (name: string, fn: unknown) => unknown;

export interface RouterInstance extends RouterState {
  (req: unknown, res: unknown, next: Next): void;
  _params: ParamFactory[];
  /** @internal The layers every application starts with, when this is an application's router. */
  _entry: RouterEntry | undefined;
  handle(req: unknown, res: unknown, out?: Next): void;
  process_params(layer: Layer, called: ParamCalls, req: ExpressRequest, res: ExpressResponse, done: Next): void;
  param(name: unknown, fn?: unknown): RouterInstance | undefined;
  use(...args: unknown[]): RouterInstance;
  route(path: unknown): Route;
}

export interface RouterConstructor extends Omit<RouterInstance, 'prototype'> {
  new (options?: RouterOptions): RouterInstance;
  (options?: RouterOptions): RouterInstance;
}

export const Router = function (options?: RouterOptions): RouterInstance {
  const settings = options || {};
  function router(req: ExpressRequest, res: ExpressResponse, next: Next): void {
    self.handle(req, res, next);
  }
  const self = router as unknown as RouterInstance;
  Object.setPrototypeOf(router, Router);
  self.params = {};
  self._params = [];
  self.caseSensitive = settings.caseSensitive;
  self.mergeParams = settings.mergeParams;
  self.strict = settings.strict;
  defineStack(self);
  Object.defineProperty(self, '_entry', { value: undefined, writable: true, enumerable: false });
  return self;
} as unknown as RouterConstructor;

// Upstream's has no name: it is assigned to `module.exports`.
Object.defineProperty(Router, 'name', { value: '', configurable: true });

Router.param = function param(this: RouterInstance, given: unknown, fn?: unknown) {
  if (typeof given === 'function') {
    deprecate('router.param(fn): Refactor to use path params');
    this._params.push(given as ParamFactory);
    return undefined;
  }
  let name = given as string;
  if (name[0] === ':') {
    const bare = name.slice(1);
    deprecate(`router.param(${JSON.stringify(name)}, fn): Use router.param(${JSON.stringify(bare)}, fn) instead`);
    name = bare;
  }
  let callback = fn;
  for (const create of this._params) callback = create(name, callback) || callback;
  // oxlint-disable-next-line typescript/restrict-template-expressions, typescript/no-base-to-string -- shown as it prints itself
  if (typeof callback !== 'function') throw new Error(`invalid param() call for ${name}, got ${callback}`);
  // Assigned in any case: names that objects inherit something for fail after that.
  this.params[name] = this.params[name] || [];
  (this.params[name] as ParamHandler[]).push(callback as ParamHandler);
  return this;
};

Router.handle = function handle(this: RouterInstance, req: unknown, res: unknown, out?: Next) {
  dispatch(this, req as ExpressRequest, res as ExpressResponse, out);
};

Router.process_params = ownProcessParams;

Router.use = function use(this: RouterInstance, first: unknown, ...rest: unknown[]) {
  const { path, offset } = splitPath(first);
  const callbacks = (offset === 0 ? [first, ...rest] : rest).flat(Infinity);
  if (callbacks.length === 0) throw new TypeError('Router.use() requires a middleware function');
  for (const fn of callbacks) {
    if (typeof fn !== 'function') throw new TypeError(`Router.use() requires a middleware function but got a ${typeName(fn)}`);
    const layer = new Layer(path, { sensitive: this.caseSensitive, strict: false, end: false }, fn as Handler);
    layer.route = undefined;
    this._stack.push(layer);
  }
  return this;
};

function typeName(value: unknown): string {
  return typeof value === 'object' ? Object.prototype.toString.call(value).replace(/^\[object (\S+)\]$/, '$1') : typeof value;
}

Router.route = function route(this: RouterInstance, path: unknown): Route {
  const created = new Route(path);
  const handle = created.dispatch.bind(created) as unknown as Handler;
  const layer = new Layer(path, { sensitive: this.caseSensitive, strict: this.strict, end: true }, handle);
  layer.route = created;
  if (created.dispatch === ownDispatch) layer._dispatch = handle;
  this._stack.push(layer);
  return created;
};

type Register = (...handlers: unknown[]) => unknown;

for (const method of [...methods, 'all']) {
  (Router as unknown as Record<string, unknown>)[method] = function (this: RouterInstance, path: unknown, ...handlers: unknown[]) {
    const route = this.route(path) as unknown as Record<string, Register>;
    (route[method] as Register)(...handlers);
    return this;
  };
}
