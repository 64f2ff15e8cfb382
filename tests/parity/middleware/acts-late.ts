/**
 * What packages, and tests of applications, do to an application that serves: routes, settings, prototypes.
 * Express and Koa.
 */
import type { App as ExpressApp, Handler } from '../harness/express-api.ts';
import type { App as KoaApp, Ctx, Middleware } from '../koa/api.ts';
import { type Bag, type Do, type Env, wrap, wrapForNow } from './env.ts';

const express = (env: Env): ExpressApp => env.app as ExpressApp;
const koa = (env: Env): KoaApp => env.app as KoaApp;
const bag = (value: unknown): Bag => value as Bag;

interface Stacked {
  readonly stack: { handle: Handler }[];
}

const stackOf = (env: Env): Stacked['stack'] => {
  const own = (env.app as { _router?: Stacked })._router;
  return own === undefined ? (express(env).router as unknown as Stacked).stack : own.stack;
};

const marks =
  (env: Env, mark: string): Handler =>
  (_req, res, next) => {
    env.tools.record('late', mark);
    if (!res.headersSent) res.setHeader(`X-Late-${mark}`, '1');
    next();
  };

/** Beyond the layers that Express 4 puts first. */
const FIRST = 2;

export const expressActs: Readonly<Record<string, Do>> = {
  use: (env, name) => void express(env).use(marks(env, name)),
  'use-first': (env, name) => {
    express(env).use(marks(env, name));
    const stack = stackOf(env);
    const last = stack.pop();
    if (last !== undefined) stack.splice(Math.min(FIRST, stack.length), 0, last);
  },
  'late-route': (env, name) => void express(env).get(`/${name}`, (_req, res) => void res.json(['late route', name])),
  'drop-layer': (env, _name, value) => void stackOf(env).splice(FIRST + (value as number), 1),
  'swap-layers': (env) => {
    const stack = stackOf(env);
    const [a, b] = stack.slice(-2);
    if (a !== undefined && b !== undefined && stack.length > FIRST + 1) stack.splice(-2, 2, b, a);
  },
  'wrap-layer': (env, _name, value) => {
    const layer = stackOf(env)[FIRST + (value as number)];
    if (layer === undefined || layer.handle.length > 3) return;
    const { handle } = layer;
    layer.handle = function wrapped(req, res, next) {
      env.tools.record('layer', req.url);
      return Reflect.apply(handle, this, [req, res, next]) as unknown;
    };
  },
  set: (env, name, value) => void express(env).set(name, value),
  setting: (env, name, value) => void (express(env).settings[name] = value),
  engine: (env) =>
    void express(env).engine('tpl', (_file: string, _options: object, done: (error: null, text: string) => void) => done(null, 'rendered')),
  'app-locals': (env, name) => void (express(env).locals[name] = 'late'),
  'response-member': (env, name) => wrap(express(env).response, name, env),
  'request-getter': (env, name, value) => void Object.defineProperty(express(env).request, name, { configurable: true, get: () => value }),
  'request-member': (env, name, value) => void (bag(express(env).request)[name] = value),
  'assign-response': (env) =>
    void (express(env).response = Object.create(express(env).response, { xAssigned: { value: 1 } }) as ExpressApp['response']),
  'assign-request': (env) =>
    void (express(env).request = Object.create(express(env).request, { xAssigned: { value: 1 } }) as ExpressApp['request']),
  'swap-prototype': (env) =>
    void Object.setPrototypeOf(env.res, Object.create(Object.getPrototypeOf(env.res) as object, { xSwapped: { value: 1 } }) as object),
  'look-app': (env) => env.tools.record(env.id, bag(env.res)['xAssigned'], bag(env.req)['xAssigned'], bag(env.res)['xSwapped']),
  param: (env) => void express(env).param('id', (_req, _res, next) => next()),
  'express-prototype': (env, name) => wrapForNow((env.framework as { response: object }).response, name, env),
  'http-prototype': (env, name) => wrapForNow(env.side.http.ServerResponse.prototype, name, env),
};

const koaMarks =
  (env: Env, mark: string): Middleware =>
  async (ctx, next) => {
    env.tools.record('late', mark);
    if (!ctx.headerSent) ctx.set(`X-Late-${mark}`, '1');
    await next();
  };

export const koaActs: Readonly<Record<string, Do>> = {
  use: (env, name) => void koa(env).use(koaMarks(env, name)),
  'use-first': (env, name) => void koa(env).middleware.unshift(koaMarks(env, name)),
  'drop-layer': (env, _name, value) => void koa(env).middleware.splice(value as number, 1),
  'swap-layers': (env) => void koa(env).middleware.reverse(),
  'replace-middleware': (env, name) => void (koa(env).middleware = [...koa(env).middleware, koaMarks(env, name)]),
  setting: (env, name, value) => void (bag(koa(env))[name] = value),
  'context-member': (env, name, value) => void (bag(koa(env).context)[name] = value),
  'response-member': (env, name) => wrap(koa(env).response, name, env),
  'request-getter': (env, name, value) => void Object.defineProperty(koa(env).request, name, { configurable: true, get: () => value }),
  'assign-context': (env) => void (koa(env).context = Object.create(koa(env).context, { xAssigned: { value: 1 } }) as Ctx),
  'assign-response': (env) =>
    void (koa(env).response = Object.create(koa(env).response, { xAssigned: { value: 1 } }) as KoaApp['response']),
  'look-app': (env) =>
    env.tools.record(env.id, bag(env.ctx)['xAssigned'], bag((env.ctx as Ctx).response)['xAssigned'], bag(env.ctx)['xMember']),
  'wrap-app': (env, name) => wrap(koa(env), name, env),
  'wrap-ctx': (env, name) => wrap(env.ctx as object, name, env),
  'on-error': (env) => void koa(env).on('error', (error: Error) => env.tools.record('error event', error.message)),
  'http-prototype': (env, name) => wrapForNow(env.side.http.ServerResponse.prototype, name, env),
};
