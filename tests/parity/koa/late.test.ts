/**
 * Changes to an application that answers requests already: middleware added and removed, members of its
 * prototypes, settings. Whether middleware counts depends on the installed koa-compose.
 */
import type { App, Middleware } from './api.ts';
import { callbackWith, COMPOSE_VERSIONS, koaWith } from './compose-versions.ts';
import { serves, wrong } from './kit.ts';
import { defineKoaSuite, type KoaCase, type Tools } from './suite.ts';

const REQUESTS = ['GET /1', 'GET /2', 'GET /3', 'GET /4'];

/** Appends a mark to the body, on the way down. */
const marks =
  (mark: string): Middleware =>
  async (ctx, next) => {
    ctx.body = `${String(ctx.body ?? '')}${mark}`;
    await next();
  };

type Late = (app: App, request: number) => void;

const LATE: readonly (readonly [string, Late])[] = [
  ['adds middleware with use', (app, request) => void app.use(marks(`+${request}`))],
  ['adds middleware in front', (app, request) => void app.middleware.unshift(marks(`^${request}`))],
  ['removes the middleware behind', (app) => void app.middleware.splice(2, 1)],
  ['removes the middleware in front', (app, request) => void (request === 2 && app.middleware.shift())],
  ['replaces the middleware behind', (app, request) => void (app.middleware[2] = marks(`=${request}`))],
  ['removes all middleware', (app, request) => void (request === 3 && (app.middleware.length = 0))],
  ['puts something that is no function into the array', (app, request) => void (request === 2 && wrong(app.middleware)['push']?.('text'))],
  ['puts an array into the array', (app, request) => void (request === 2 && wrong(app.middleware)['push']?.([marks('nested')]))],
  ['replaces the array', (app, request) => void (request === 2 && (app.middleware = [marks('new')]))],
  ['leaves a hole', (app, request) => void (request === 2 && Reflect.deleteProperty(app.middleware, 2))],
];

function late([label, change]: readonly [string, Late]): KoaCase[] {
  return COMPOSE_VERSIONS.flatMap((compose) => [
    {
      name: `koa-compose ${compose}: a middleware that ${label}`,
      program: (Koa, tools) => listener(Koa, tools, compose, (app) => middle(app, change)),
      requests: REQUESTS,
    },
    {
      name: `koa-compose ${compose}: between callback() and the first request somebody ${label}`,
      program: (Koa, tools) =>
        listener(Koa, tools, compose, (app) => {
          app.use(marks('a')).use(marks('b')).use(marks('c'));
          return () => change(app, 2);
        }),
      requests: REQUESTS,
    },
  ]);
}

/** An app of three middleware, the second of which changes it at each request before it goes on. */
function middle(app: App, change: Late): void {
  let request = 0;
  app.use(marks('a'));
  app.use(async (ctx, next) => {
    ctx.body = `${String(ctx.body)}[`;
    change(app, ++request);
    await next();
    ctx.body = `${String(ctx.body)}]`;
  });
  app.use(marks('c')).use(marks('d'));
}

type Build = (app: App) => void | (() => void);

function listener(Koa: Parameters<KoaCase['program']>[0], tools: Tools, compose: (typeof COMPOSE_VERSIONS)[number], build: Build) {
  const app = new (koaWith(Koa, { ...tools, compose }))();
  app.silent = true;
  const then = build(app);
  const callback = callbackWith(app, compose);
  if (typeof then === 'function') then();
  return callback;
}

const nested = COMPOSE_VERSIONS.map((compose): KoaCase => ({
  name: `koa-compose ${compose}: an array among the middleware`,
  program: (Koa, tools) => {
    const app = new (koaWith(Koa, { ...tools, compose }))();
    wrong(app.middleware)['push']?.([marks('a'), [marks('b')]], marks('c'));
    tools.attempt('callback', () => typeof callbackWith(app, compose));
    return new Koa();
  },
  requests: ['GET /'],
}));

defineKoaSuite([
  ...LATE.flatMap(late),
  ...nested,
  serves(
    'members of app.context, request and response that are added, replaced and removed count from then on',
    (app, t) => {
      let request = 0;
      app.use(async (ctx, next) => {
        request++;
        if (request === 1) Object.assign(app.context, { xGreet: (): string => 'hello' });
        if (request === 2) Object.defineProperty(app.request, 'path', { configurable: true, get: () => '/replaced' });
        if (request === 3) Reflect.deleteProperty(app.request, 'path');
        if (request === 3) wrong(app.response)['set'] = () => undefined;
        if (request === 4) app.context = Object.create(app.context, { xOwn: { value: 'own' } }) as typeof app.context;
        t.record(typeof ctx['xGreet'], ctx.path, ctx['xOwn']);
        ctx.set('X-Set', 'yes');
        await next();
      });
      app.use((ctx) => void (ctx.body = [ctx.path, ctx['xOwn']]));
    },
    [...REQUESTS, 'GET /5'],
  ),
  serves(
    'settings that change while requests are answered count from then on',
    (app, t) => {
      let request = 0;
      app.use((ctx) => {
        request++;
        if (request === 2) app.proxy = true;
        if (request === 3) app.proxyIpHeader = 'X-Real-Ip';
        if (request === 4) app.subdomainOffset = 1;
        t.record(ctx.ips, ctx.host, ctx.protocol, ctx.subdomains);
        ctx.body = 'ok';
      });
    },
    REQUESTS.map((text) => ({
      path: text.slice(4),
      headers: { Host: 'a.b.c.test', 'X-Forwarded-For': '10.0.0.1, 10.0.0.2', 'X-Real-Ip': '10.0.0.3', 'X-Forwarded-Proto': 'https' },
    })),
  ),
  serves(
    'listeners for errors, and a replaced onerror, count from then on',
    (app, t) => {
      let request = 0;
      app.use(() => {
        request++;
        if (request === 2) app.on('error', (error: Error) => t.record('listener', error.message));
        if (request === 3)
          app.context.onerror = function replaced(this: typeof app.context) {
            this.res.end('replaced');
          };
        throw new Error(`failed ${request}`);
      });
    },
    REQUESTS,
  ),
]);
