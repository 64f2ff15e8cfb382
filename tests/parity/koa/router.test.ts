/** @koa/router and koa-mount, unmodified, on Koa of both sides: matching, nesting, prefixes, methods, mounted apps. */
import type { Ctx, Middleware, Next } from './api.ts';
import { load, serves } from './kit.ts';
import { defineKoaSuite, type KoaCase } from './suite.ts';

type RouterContext = Ctx & {
  params: Record<string, string>;
  router: RouterLike;
  routerPath?: string;
  captures?: string[];
  _matchedRoute?: string | RegExp;
  _matchedRouteName?: string;
};
type Handler = (ctx: RouterContext, next: Next) => unknown;

interface RouterLike {
  get(...args: unknown[]): RouterLike;
  post(...args: unknown[]): RouterLike;
  put(...args: unknown[]): RouterLike;
  del(...args: unknown[]): RouterLike;
  all(...args: unknown[]): RouterLike;
  use(...args: unknown[]): RouterLike;
  param(name: string, handler: (value: string, ctx: RouterContext, next: Next) => unknown): RouterLike;
  prefix(path: string): RouterLike;
  redirect(from: string, to: string, status?: number): RouterLike;
  url(name: string, ...params: unknown[]): string;
  routes(): Middleware;
  allowedMethods(options?: object): Middleware;
}

const { Router } = load<{ Router: new (options?: object) => RouterLike }>('@koa/router');
const mount = load<(prefix: unknown, app?: unknown) => Middleware>('koa-mount');

const show: Handler = (ctx) => {
  ctx.body = { path: ctx.path, params: ctx.params, matched: String(ctx._matchedRoute), name: ctx._matchedRouteName ?? null };
};

/** An app with one router. */
function routed(name: string, build: (router: RouterLike) => void, requests: KoaCase['requests'] = [], options?: object): KoaCase {
  return serves(
    name,
    (app) => {
      const router = new Router(options);
      build(router);
      app.use(router.routes()).use(router.allowedMethods());
    },
    requests,
  );
}

defineKoaSuite([
  routed('routes match paths and give params', (r) => r.get('/', show).get('/users/:id', show).get('/users/:id/posts/:post', show), [
    'GET /',
    'GET /users/7',
    'GET /users/7/',
    'GET /users/a%20b/posts/%C3%A9',
    'GET /none',
    'HEAD /users/1',
    'GET /users/%zz',
    'GET /USERS/x?q=1',
  ]),
  routed('named routes know their name', (r) => r.get('user', '/user/:id', show), ['GET /user/1']),
  routed('a prefix stands before all routes', (r) => r.get('/', show).get('/a', show), ['GET /api', 'GET /api/', 'GET /api/a', 'GET /a'], {
    prefix: '/api',
  }),
  routed('a prefix may have params', (r) => r.get('/x', show), ['GET /t/acme/x'], { prefix: '/t/:tenant' }),
  routed('strict and sensitive options', (r) => r.get('/Path', show), ['GET /Path', 'GET /path', 'GET /Path/'], {
    strict: true,
    sensitive: true,
  }),
  routed(
    'several handlers run in order',
    (r) =>
      r.get(
        '/a',
        async (ctx: Ctx, next: Next) => {
          ctx.state['n'] = 1;
          await next();
          ctx.set('X-After', String(ctx.status));
        },
        (ctx: Ctx) => void (ctx.body = ctx.state),
      ),
    ['GET /a', 'HEAD /a'],
  ),
  routed(
    'two routes of one path both match',
    (r) =>
      r
        .get('/a', (ctx: Ctx, next: Next) => {
          ctx.set('X-First', '1');
          return next();
        })
        .get('/:any', show),
    ['GET /a'],
  ),
  routed(
    'middleware of the router runs for matched routes only',
    (r) =>
      r
        .use((ctx: Ctx, next: Next) => {
          ctx.set('X-Used', ctx.path);
          return next();
        })
        .get('/a', show),
    ['GET /a', 'GET /b'],
  ),
  routed(
    'middleware with a path',
    (r) =>
      r
        .use('/admin', (ctx: Ctx) => ctx.throw(403, 'no'))
        .get('/admin/x', show)
        .get('/open', show),
    ['GET /admin/x', 'GET /open'],
  ),
  routed(
    'nested routers',
    (r) => {
      const inner = new Router();
      inner.get('/', show).get('/:post', show);
      const middle = new Router({ prefix: '/posts' });
      middle.use('/deep', inner.routes(), inner.allowedMethods());
      r.use('/users/:user', middle.routes());
    },
    ['GET /users/1/posts/deep', 'GET /users/1/posts/deep/2', 'GET /users/1/posts', 'POST /users/1/posts/deep/2'],
  ),
  routed(
    'param handlers run before the route',
    (r) =>
      r
        .param('id', (value, ctx, next) => {
          if (value === '0') ctx.throw(404, 'no such thing');
          ctx.state['id'] = Number(value);
          return next();
        })
        .get('/things/:id', (ctx: Ctx) => void (ctx.body = ctx.state)),
    ['GET /things/4', 'GET /things/0'],
  ),
  routed('allowedMethods answers OPTIONS, 405 and 501', (r) => r.get('/a', show).put('/a', show).post('/b', show), [
    'OPTIONS /a',
    'POST /a',
    'DELETE /a',
    'GET /b',
    'OPTIONS /none',
    'PROPFIND /a',
    'HEAD /a',
    'PATCH /b',
  ]),
  serves(
    'allowedMethods can throw',
    (app) => {
      const router = new Router().get('/a', show);
      app.use(router.routes()).use(router.allowedMethods({ throw: true }));
    },
    ['POST /a', 'PROPFIND /a', 'OPTIONS /a'],
  ),
  routed(
    'all, del and methods of many kinds',
    (r) =>
      r
        .all('/all', show)
        .del('/gone', (ctx: Ctx) => void (ctx.status = 204))
        .put('/put', show),
    ['GET /all', 'POST /all', 'DELETE /gone', 'PUT /put', 'PATCH /all'],
  ),
  routed('redirects', (r) => r.redirect('/old', '/new').redirect('/tmp', '/other', 302).get('/new', show), [
    'GET /old',
    'GET /tmp',
    'POST /old',
    'GET /new',
  ]),
  routed('regular expressions and lists', (r) => r.get(/^\/re\/(\d+)(?:\/(\w+))?$/, show).get(['/one', '/two'], show), [
    'GET /re/42',
    'GET /re/42/x',
    'GET /re/x',
    'GET /one',
    'GET /two',
  ]),
  routed(
    'urls are made of names',
    (r) => r.get('user', '/user/:id', (ctx: Ctx) => void (ctx.body = r.url('user', { id: 'a b' }, { query: { q: 1 } }))),
    ['GET /user/1'],
  ),
  routed(
    'errors of routes are Koa errors',
    (r) =>
      r
        .get('/throw', () => {
          throw new Error('in a route');
        })
        .get('/reject', () => Promise.reject(Object.assign(new Error('rejected'), { status: 409, expose: true }))),
    ['GET /throw', 'GET /reject'],
  ),
  routed(
    'a handler that is not a function is refused',
    (r) => {
      try {
        r.get('/x', undefined);
      } catch (error) {
        r.get('/refused', (ctx: Ctx) => void (ctx.body = String(error)));
      }
    },
    ['GET /refused'],
  ),
  serves(
    'two routers side by side',
    (app) => {
      const [one, two] = [new Router({ prefix: '/1' }).get('/a', show), new Router({ prefix: '/2' }).get('/a', show)];
      app
        .use(one.routes())
        .use(two.routes())
        .use((ctx) => void (ctx.body = 'neither'));
    },
    ['GET /1/a', 'GET /2/a', 'GET /3/a'],
  ),
  serves(
    'a mounted app sees its own path',
    (app, t, Koa) => {
      const inner = new Koa();
      inner.use((ctx) => {
        t.record(ctx.app === inner, ctx.app === app, Reflect.get(ctx, 'mountPath'));
        ctx.body = { path: ctx.path, url: ctx.url, original: ctx.originalUrl };
      });
      app.use(async (ctx, next) => {
        await next();
        ctx.set('X-Outer-Path', ctx.path);
      });
      app.use(mount('/inner', inner));
      app.use((ctx) => void (ctx.body = 'outer'));
    },
    ['GET /inner', 'GET /inner/', 'GET /inner/a?b=1', 'GET /innermost', 'GET /', 'HEAD /inner/x'],
  ),
  serves(
    'an app mounted at the root, and mounts in mounts',
    (app, _t, Koa) => {
      const [deep, deeper] = [new Koa(), new Koa()];
      deeper.use((ctx) => void (ctx.body = [ctx.path, ctx.originalUrl]));
      deep.use(mount('/deeper', deeper)).use((ctx) => void (ctx.body = `deep ${ctx.path}`));
      app.use(mount('/deep', deep)).use(mount(deeper));
    },
    ['GET /deep/deeper/x', 'GET /deep/other', 'GET /else'],
  ),
  serves(
    'errors of mounted apps reach the outer app',
    (app, t, Koa) => {
      const inner = new Koa();
      inner.on('error', () => t.record('inner heard'));
      app.on('error', (error) => t.record('outer heard', error));
      inner.use((ctx) => ctx.throw(402, 'pay'));
      app.use(mount('/inner', inner));
    },
    ['GET /inner'],
  ),
  serves(
    'mounted middleware',
    (app) => {
      app.use(mount('/m', (ctx: Ctx) => void (ctx.body = `at ${ctx.path}`)));
      app.use((ctx) => void (ctx.body = `past ${ctx.path}`));
    },
    ['GET /m/x', 'GET /n'],
  ),
]);
