/**
 * Application methods: use, callback, createContext, handleRequest, listen, the error event, currentContext,
 * custom compose.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { AddressInfo } from 'node:net';
import type { Ctx, Failure, Middleware } from './api.ts';
import { builds, handles, load, once, only2, only3, plays, serves, wrong } from './kit.ts';
import { defineKoaSuite } from './suite.ts';

const hello: Middleware = (ctx) => {
  ctx.body = 'hello';
};

const CONTEXT_KEYS = ['request', 'response', 'app', 'req', 'res', 'originalUrl', 'state'] as const;

defineKoaSuite([
  builds('use refuses everything that is not a function', (Koa, t) => {
    const app = new Koa();
    for (const value of [undefined, null, 1, 'text', {}, [], [hello], true, Symbol('s')]) {
      t.attempt(String(Array.isArray(value) ? 'array' : String(value)), () => wrong(app)['use']?.(value));
    }
    t.record(app.middleware.length);
  }),
  builds('use returns the app and keeps the functions in order', (Koa, t) => {
    const app = new Koa();
    const other: Middleware = () => undefined;
    t.record(app.use(hello) === app, app.use(other).use(hello) === app);
    t.record(app.middleware.map((one) => (one === hello ? 'hello' : 'other')));
  }),
  builds(
    'use wraps a generator function and warns',
    (Koa, t) => {
      const app = new Koa();
      const old = function* old(): Generator {};
      wrong(app)['use']?.(old);
      t.record(app.middleware.length, wrong(app.middleware)[0] === (old as unknown), typeof app.middleware[0]);
      t.record(Reflect.get(app.middleware[0] ?? {}, '_name'));
    },
    only2,
  ),
  builds(
    'use takes a generator function as any other',
    (Koa, t) => {
      const app = new Koa();
      const old = function* old(): Generator {};
      wrong(app)['use']?.(old);
      t.record(Reflect.get(app.middleware, 0) === old);
    },
    only3,
  ),
  serves(
    'generator middleware runs upstream and downstream',
    (app, t) => {
      wrong(app)['use']?.(function* first(this: Ctx, next: unknown): Generator {
        t.record('down', this.path);
        yield next;
        t.record('up', this.status);
        this.set('X-Generator', 'yes');
      });
      app.use(async (ctx, next) => {
        await next();
        ctx.body = 'from async';
      });
      wrong(app)['use']?.(function* last(this: Ctx): Generator {
        const values = (yield [Promise.resolve(1), Promise.resolve(2)]) as number[];
        t.record(values);
      });
    },
    ['GET /a'],
    only2,
  ),
  serves(
    'an error thrown in generator middleware is a rejection',
    (app) => {
      wrong(app)['use']?.(function* failing(this: Ctx): Generator {
        yield Promise.resolve();
        this.throw(422, 'no');
      });
    },
    ['GET /'],
    only2,
  ),
  serves(
    'koa-convert middleware made beforehand works without a warning',
    (app, t) => {
      const convert = load<(fn: unknown) => Middleware>('koa-convert');
      app.use(
        convert(function* converted(this: Ctx, next: unknown): Generator {
          yield next;
          t.record(this.body);
        }),
      );
      app.use(hello);
    },
    ['GET /'],
  ),
  serves(
    'a function that returns an iterator is not run by Koa 3',
    (app, t) => {
      wrong(app)['use']?.(function* never(): Generator {
        t.record('ran');
        yield 1;
      });
    },
    ['GET /'],
    only3,
  ),
  builds('callback gives a function of two parameters and composes at once', (Koa, t) => {
    const app = new Koa().use(hello);
    const listener = app.callback();
    t.record(typeof listener, listener.length, listener === app.callback());
    app.middleware.push('not a function' as unknown as Middleware);
    t.attempt('callback', () => app.callback());
    Reflect.set(app, 'middleware', 'text');
    t.attempt('callback of no array', () => app.callback());
  }),
  {
    name: 'middleware added after callback() is not run by that callback',
    program: (Koa, t) => {
      const app = new Koa().use(async (ctx, next) => {
        await next();
        t.record('first', ctx.body);
      });
      const listener = app.callback();
      app.use(hello);
      return listener;
    },
    requests: ['GET /', 'GET /again'],
  },
  {
    name: 'nested arrays in app.middleware are flattened or refused when composing',
    program: (Koa, t) => {
      const app = new Koa();
      Reflect.set(app, 'middleware', [[async (_ctx: Ctx, next: () => Promise<void>) => next(), [hello]]]);
      t.attempt('callback', () => typeof app.callback());
      return app;
    },
    requests: ['GET /'],
  },
  builds('callback installs the default error listener only when there is none', (Koa, t) => {
    const [silent, heard] = [new Koa(), new Koa()];
    heard.on('error', () => undefined);
    silent.callback();
    silent.callback();
    heard.callback();
    t.record(silent.listenerCount('error'), silent.listeners('error')[0] === silent.onerror, heard.listenerCount('error'));
  }),
  {
    name: 'the listener returns a promise that is fulfilled with what the answer returned',
    program: (Koa, t) => {
      const app = new Koa().use(hello);
      const listener = app.callback();
      return (req, res) => {
        const finished = t.pending();
        void listener(req, res).then((value) => {
          t.record('fulfilled', value === res || value === undefined, typeof value);
          finished();
        });
      };
    },
    requests: ['GET /'],
  },
  {
    name: 'the promise of the listener is fulfilled after an error too',
    program: (Koa, t) => {
      const app = new Koa().use(() => {
        throw new Error('boom');
      });
      const listener = app.callback();
      return (req, res) => {
        const finished = t.pending();
        void listener(req, res).then((value) => {
          t.record('fulfilled', value);
          finished();
        });
      };
    },
    requests: ['GET /'],
  },
  handles('a context has its own properties and knows request, response and app', (ctx, t) => {
    t.record(Object.keys(ctx), Object.keys(ctx.request), Object.keys(ctx.response));
    for (const name of CONTEXT_KEYS) t.record(name, Object.hasOwn(ctx, name), name in ctx.request, name in ctx.response);
    const { request, response, app } = ctx;
    t.record(request.ctx === ctx, response.ctx === ctx, request.response === response, response.request === request);
    t.record(request.app === app, response.app === app, request.req === ctx.req, response.res === ctx.res, request.res === response.res);
    t.record(Object.getPrototypeOf(ctx) === app.context, Object.getPrototypeOf(request) === app.request);
    t.record(Object.getPrototypeOf(response) === app.response, ctx.state, Object.getPrototypeOf(ctx.state) === Object.prototype);
    ctx.body = 'ok';
  }),
  handles(
    'state belongs to one request',
    (ctx, t) => {
      t.record(ctx.state);
      ctx.state['seen'] = ctx.path;
      ctx.body = ctx.state;
    },
    ['GET /1', 'GET /2'],
  ),
  handles('a context can be given any property', (ctx, t) => {
    ctx['xUser'] = { name: 'ada' };
    Reflect.set(ctx, 'params', { id: '1' });
    Reflect.set(ctx.request, 'body', { a: 1 });
    t.record(Object.keys(ctx), Object.keys(ctx.request), ctx['xUser'], ctx.request.body, ctx.body);
    ctx.body = ctx['xUser'];
  }),
  {
    name: 'createContext makes a context from any request and response',
    program: (Koa, t) => {
      const app = new Koa();
      const req = { url: '/made?up=1', headers: { host: 'made.test' }, method: 'PATCH', socket: { remoteAddress: '::1' } };
      const res = { statusCode: 200, getHeaders: () => ({}), hasHeader: () => false };
      const ctx = wrong(app)['createContext']?.(req, res) as Ctx;
      t.record(ctx.url, ctx.originalUrl, ctx.query, ctx.host, ctx.method, ctx.ip, ctx.href, ctx.status, ctx.app === app);
      t.record(ctx.toJSON());
      return app;
    },
    requests: [],
  },
  serves(
    'an overridden createContext is called for every request',
    (app, t) => {
      const original = app.createContext.bind(app);
      app.createContext = (req, res) => {
        t.record('createContext', req.url);
        const ctx = original(req, res);
        ctx.state['early'] = true;
        return ctx;
      };
      app.use((ctx) => {
        ctx.body = ctx.state;
      });
    },
    ['GET /a', 'GET /b'],
  ),
  serves(
    'an overridden handleRequest gets the context and the composed middleware',
    (app, t) => {
      const original = app.handleRequest.bind(app);
      app.handleRequest = (ctx, composed) => {
        t.record('handleRequest', ctx.path, typeof composed, composed.length);
        ctx.set('X-Handled', 'yes');
        return original(ctx, composed);
      };
      app.use(hello);
    },
    ['GET /a'],
  ),
  {
    name: 'handleRequest can be called by hand with another function',
    program: (Koa, t) => {
      const app = new Koa();
      return (req, res) => {
        const ctx = app.createContext(req, res);
        void app.handleRequest(ctx, async (given) => {
          t.record(given === ctx, res.statusCode);
          given.body = 'by hand';
        });
      };
    },
    requests: ['GET /', 'HEAD /'],
  },
  serves(
    'a custom compose decides how middleware runs',
    (app, t) => {
      app.use((ctx) => void (ctx.body = `${String(ctx.body)} one`)).use((ctx) => void (ctx.body = `${String(ctx.body)} two`));
      t.record(app.middleware.length);
    },
    ['GET /'],
    {
      app: {
        compose: (list) => async (ctx) => {
          ctx.body = `${list.length} middleware:`;
          for (const one of list.toReversed()) await one(ctx, () => Promise.resolve());
        },
      },
    },
  ),
  serves(
    'handleRequest with a function that gives no promise throws',
    (app, t) => {
      const ctx = wrong(app)['createContext']?.({ url: '/', headers: {} }, { statusCode: 200, on: () => undefined });
      t.attempt('handleRequest', () => wrong(app)['handleRequest']?.(ctx, () => undefined));
    },
    [],
  ),
  builds('onerror refuses what is not an error', (Koa, t) => {
    const app = new Koa();
    for (const value of ['text', undefined, null, 0, { message: 'object' }, Symbol('s')]) {
      t.attempt(typeof value, () => app.onerror(value));
    }
  }),
  builds('onerror prints the stack, indented, unless the error is expected', (Koa, t) => {
    const app = new Koa();
    const error = (fields: object): Error => Object.assign(new Error('printed'), { stack: 'Error: printed\n  second line' }, fields);
    t.record('plain', app.onerror(error({})));
    t.record('404', app.onerror(error({ status: 404 })));
    t.record('exposed', app.onerror(error({ expose: true })));
    t.record('500', app.onerror(error({ status: 500, expose: false })));
    t.record('no stack', app.onerror(error({ stack: undefined })), app.onerror(error({ stack: '' })));
    t.record('ENOENT', app.onerror(error({ code: 'ENOENT' })));
    app.silent = true;
    t.record('silent', app.onerror(error({})));
  }),
  builds('onerror accepts errors of other realms', (Koa, t) => {
    const foreign = load<typeof import('node:vm')>('node:vm').runInNewContext('new TypeError("elsewhere")') as Error;
    Reflect.set(foreign, 'stack', 'TypeError: elsewhere');
    t.attempt('foreign', () => new Koa().onerror(foreign));
    t.attempt('tagged', () => new Koa().onerror({ [Symbol.toStringTag]: 'Error', stack: 'tagged stack' }));
    class Derived extends Error {}
    t.attempt('derived', () => new Koa().onerror(Object.assign(new Derived('d'), { stack: 'derived stack' })));
  }),
  serves(
    'silent keeps the default listener quiet',
    (app) => {
      app.silent = true;
      app.use(() => {
        throw new Error('quiet');
      });
    },
    ['GET /'],
  ),
  serves(
    'an error listener gets the error and the context',
    (app, t) => {
      app.on('error', (error: Failure, ctx: Ctx) => t.record(error, ctx.path, ctx.status, error.headerSent));
      app.use((ctx) => {
        ctx.status = 201;
        throw new Error('heard');
      });
    },
    ['GET /a', 'HEAD /b'],
  ),
  serves(
    'every error listener is called, in order',
    (app, t) => {
      app.on('error', () => t.record('first')).on('error', () => t.record('second'));
      app.use((ctx) => ctx.throw(400));
    },
    ['GET /'],
  ),
  {
    name: 'without any error listener the event throws and the reply is lost',
    program: (Koa, t) => {
      const app = new Koa().use(() => {
        throw new Error('unheard');
      });
      const listener = app.callback();
      app.removeAllListeners('error');
      return (req, res) => {
        listener(req, res).catch((error: unknown) => {
          t.record('rejected', error);
          res.end('by hand');
        });
      };
    },
    requests: ['GET /'],
  },
  serves(
    'an error listener that throws makes the request fail elsewhere',
    (app, t) => {
      app.on('error', () => {
        throw new Error('listener failed');
      });
      app.use((ctx) => {
        ctx.res.once('close', t.pending());
        setImmediate(() => ctx.res.end('late'));
        throw new Error('first');
      });
    },
    ['GET /'],
  ),
  serves(
    'currentContext is the context of the request under way',
    (app, t) => {
      app.use(async (ctx, next) => {
        t.record(app.currentContext === ctx);
        await Promise.resolve();
        await next();
        t.record(app.currentContext === ctx);
      });
      app.use(async (ctx) => {
        await new Promise((resolve) => setImmediate(resolve));
        t.record(app.currentContext?.path);
        ctx.body = app.currentContext === ctx;
      });
    },
    ['GET /a', 'GET /b'],
    { app: { asyncLocalStorage: true } },
  ),
  serves(
    'currentContext is undefined without asyncLocalStorage',
    (app) =>
      app.use((ctx) => {
        ctx.body = [app.currentContext === undefined, 'currentContext' in app];
      }),
    ['GET /'],
  ),
  serves(
    'currentContext is there in error listeners and after errors',
    (app, t) => {
      app.on('error', (_error, ctx) => t.record('listener', app.currentContext === ctx));
      app.use(async () => {
        await Promise.resolve();
        throw new Error('boom');
      });
    },
    ['GET /'],
    { app: { asyncLocalStorage: true } },
  ),
  serves(
    'currentContext of concurrent requests are kept apart',
    (app) => {
      const waiting: (() => void)[] = [];
      app.use(async (ctx) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length === 2) for (const go of waiting.splice(0)) go();
        });
        ctx.body = [ctx.path, app.currentContext?.path];
      });
    },
    [{ raw: 'GET /one HTTP/1.1\r\nHost: a\r\n\r\nGET /two HTTP/1.1\r\nHost: a\r\n\r\n', methods: ['GET', 'GET'] }],
    { app: { asyncLocalStorage: true } },
  ),
  {
    name: 'a given AsyncLocalStorage is used and shared',
    program: (Koa) => {
      const storage = new AsyncLocalStorage<Ctx>();
      const app = new Koa({ asyncLocalStorage: storage as AsyncLocalStorage<unknown> });
      return app.use((ctx) => {
        ctx.body = [storage.getStore() === ctx, app.currentContext === ctx];
      });
    },
    requests: ['GET /'],
    versions: [3],
  },
  serves(
    'createAsyncCtxStorageMiddleware runs the rest in the storage',
    (app) => {
      app.ctxStorage = new AsyncLocalStorage();
      app.use(wrong(app)['createAsyncCtxStorageMiddleware']?.() as Middleware);
      app.use((ctx) => {
        ctx.body = [app.currentContext === ctx, app.middleware[0]?.name];
      });
    },
    ['GET /'],
    only2,
  ),
  plays('listen gives a listening http.Server and calls back', async (Koa, client) => {
    const app = new Koa().use(hello);
    let called = false;
    const server = app.listen(0, '127.0.0.1', () => {
      called = true;
    });
    await once(server, 'listening');
    client.record(server instanceof client.http.Server, server.listening, called, server.listenerCount('request'));
    const { port } = server.address() as AddressInfo;
    const reply = await fetch(`http://127.0.0.1:${port}/`);
    client.record(reply.status, await reply.text(), app.listenerCount('error'));
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }),
  plays('listen takes the forms of server.listen and emits its errors', async (Koa, client) => {
    const app = new Koa().use(hello);
    const first = app.listen({ port: 0, host: '127.0.0.1' });
    await once(first, 'listening');
    const { port } = first.address() as AddressInfo;
    const second = app.listen(port, '127.0.0.1');
    const error = await new Promise<Failure>((resolve) => void second.once('error', resolve));
    client.record(error.code, second.listening);
    client.attempt('bad port', () => app.listen(70_000));
    first.close();
    await once(first, 'close');
  }),
  plays('the same app can listen several times and on several servers', async (Koa, client) => {
    const app = new Koa().use((ctx) => {
      ctx.body = ctx.path;
    });
    const starts = [() => app.listen(0, '127.0.0.1'), () => client.http.createServer(app.callback() as never).listen(0, '127.0.0.1')];
    for (const start of starts) {
      const server = start();
      await once(server, 'listening');
      const reply = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/p`);
      client.record(await reply.text());
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    }
  }),
]);
