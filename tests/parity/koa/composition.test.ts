/**
 * How middleware runs: order of effects, next(), what is thrown where, values returned, and what happens
 * after the answer.
 */
import type { Ctx, Middleware, Next } from './api.ts';
import { handles, load, serves, showError, wrong } from './kit.ts';
import { defineKoaSuite } from './suite.ts';

const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));
const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const compose = load<(list: readonly unknown[]) => Middleware>('koa-compose');

const waits: readonly (readonly [string, () => unknown])[] = [
  ['nothing', () => undefined],
  ['a resolved promise', () => Promise.resolve()],
  ['a tick', tick],
  ['an immediate', immediate],
  ['a thenable', () => ({ then: (go: () => void) => go() })],
];

const values: readonly (readonly [string, unknown])[] = [
  ['undefined', undefined],
  ['a string', 'returned'],
  ['a promise', Promise.resolve('resolved')],
  ['a function', () => undefined],
  ['a thenable', { then: (go: (value: string) => void) => go('then') }],
];

defineKoaSuite([
  ...waits.map(([label, wait]) =>
    serves(
      `middleware runs downstream and upstream in order, waiting for ${label}`,
      (app, t) => {
        for (const id of [1, 2, 3]) {
          app.use(async (ctx, next) => {
            t.record('down', id);
            await wait();
            await next();
            await wait();
            t.record('up', id);
            ctx.body = `${String(ctx.body ?? '')}${id}`;
          });
        }
      },
      ['GET /', 'HEAD /'],
    ),
  ),
  serves('an app without middleware answers 404', () => undefined, ['GET /', 'HEAD /', 'POST /', 'OPTIONS *', 'DELETE /x']),
  handles('middleware that sets nothing leaves 404', () => undefined, ['GET /', 'HEAD /', 'POST /']),
  handles('a synchronous middleware answers', (ctx) => void (ctx.body = 'sync')),
  ...values.map(([label, value]) =>
    handles(`what middleware returns is not the body: ${label}`, (ctx) => {
      ctx.status = 200;
      return value;
    }),
  ),
  serves('next returns a promise with the value of the rest', (app, t) => {
    app.use(async (ctx, next) => {
      const promise = next();
      t.record(promise instanceof Promise, next.length, typeof next);
      t.record(await promise);
      ctx.body = 'done';
    });
    app.use(() => 'value of the last');
  }),
  serves('next of the last middleware returns undefined', (app, t) => {
    app.use(async (ctx, next) => {
      t.record(await next());
      ctx.body = 'last';
    });
  }),
  serves('next takes no value to the others', (app, t) => {
    app.use(async (_ctx, next) => wrong({ next })['next']?.('value', 2));
    app.use((ctx, ...rest) => {
      t.record(rest.length, typeof rest[0]);
      ctx.body = 'ok';
    });
  }),
  serves('middleware gets the context and next only, without this', (app, t) => {
    app.use(function own(this: unknown, ...args: unknown[]) {
      t.record(this, args.length, typeof args[0], typeof args[1]);
      (args[0] as Ctx).body = 'ok';
    } as Middleware);
  }),
  serves(
    'calling next twice is an error',
    (app) => {
      app.use(async (_ctx, next) => {
        await next();
        await next();
      });
      app.use((ctx) => void (ctx.body = 'once'));
    },
    ['GET /', 'HEAD /'],
  ),
  serves('calling next twice at once is an error of the second call only', (app, t) => {
    app.use(async (_ctx, next) => {
      const results = await Promise.allSettled([next(), next(), next()]);
      t.record(results.map((result) => (result.status === 'rejected' ? result.reason : result.value)));
    });
    app.use((ctx) => {
      t.record('ran');
      ctx.body = 'once';
      return 'value';
    });
  }),
  serves('a next called again after the answer is an error nobody hears', (app, t) => {
    app.use(async (ctx, next) => {
      await next();
      const finished = t.pending();
      ctx.res.once('finish', () => {
        next().then(
          () => finished(),
          (error: unknown) => {
            t.record(error);
            finished();
          },
        );
      });
    });
    app.use((ctx) => void (ctx.body = 'answered'));
  }),
  serves(
    'a next that is not awaited lets the answer go before the rest',
    (app, t) => {
      app.use((ctx, next) => {
        ctx.body = 'early';
        const finished = t.pending();
        void next().then(() => {
          t.record('rest ended', ctx.headerSent, ctx.body);
          finished();
        });
      });
      app.use(async (ctx) => {
        await immediate();
        await immediate();
        ctx.body = 'late';
        ctx.set('X-Late', '1');
        ctx.status = 500;
      });
    },
    ['GET /', 'GET /'],
  ),
  serves('the rejection of a next that is not awaited is unhandled', (app) => {
    app.use((ctx, next) => {
      ctx.body = 'early';
      void next();
    });
    app.use(async () => {
      await Promise.resolve();
      throw new Error('nobody waits');
    });
  }),
  serves('the rejection of a next that is returned is handled', (app) => {
    app.use((_ctx, next) => next());
    app.use(() => Promise.reject(Object.assign(new Error('rejected'), { status: 409, expose: true })));
  }),
  serves(
    'an error can be caught upstream and replaced by an answer',
    (app, t) => {
      app.use(async (ctx, next) => {
        try {
          await next();
        } catch (error) {
          t.record(error, ctx.status, ctx.body);
          ctx.status = 503;
          ctx.body = 'caught';
        }
      });
      app.use((ctx) => {
        ctx.set('X-Before', 'stays');
        ctx.body = { half: 'done' };
        throw new Error('boom');
      });
    },
    ['GET /', 'HEAD /'],
  ),
  serves('a synchronous throw is a rejection for the middleware before it', (app, t) => {
    app.use((ctx, next) =>
      next().catch((error: unknown) => {
        t.record(error);
        ctx.body = 'recovered';
      }),
    );
    app.use(() => {
      throw new RangeError('sync');
    });
  }),
  serves('finally parts run on the way out of an error', (app, t) => {
    for (const id of [1, 2]) {
      app.use(async (_ctx, next) => {
        try {
          await next();
        } finally {
          t.record('finally', id);
        }
      });
    }
    app.use(() => Promise.reject(new Error('out')));
  }),
  serves('composed middleware is one middleware', (app, t) => {
    const part =
      (id: string): Middleware =>
      async (_ctx, next) => {
        t.record('down', id);
        await next();
        t.record('up', id);
      };
    app.use(compose([part('a'), compose([part('b'), part('c')]), part('d')]));
    app.use((ctx) => void (ctx.body = 'inside'));
  }),
  serves('an empty composition goes on', (app) => app.use(compose([])).use((ctx) => void (ctx.body = 'after nothing'))),
  serves('next twice inside a composition is told from next of the whole', (app) => {
    app.use(showError);
    app.use(
      compose([
        (_ctx: Ctx, next: Next) => next(),
        async (_ctx: Ctx, next: Next) => {
          await next();
          return next();
        },
      ]),
    );
    app.use((ctx) => void (ctx.body = 'end'));
  }),
  serves('fifty middleware in a row all run', (app) => {
    app.use(async (ctx, next) => {
      ctx.state['count'] = 0;
      await next();
      ctx.body = ctx.state['count'];
    });
    for (let i = 0; i < 50; i++) {
      app.use((ctx, next) => {
        ctx.state['count'] = Number(ctx.state['count']) + 1;
        return next();
      });
    }
  }),
  serves(
    'the answer is made of the last values set on the way up',
    (app) => {
      app.use(async (ctx, next) => {
        await next();
        ctx.status = 203;
        ctx.set('X-Order', `${String(ctx.response.get('X-Order'))},first`);
        ctx.body = { was: ctx.body };
      });
      app.use((ctx) => {
        ctx.set('X-Order', 'second');
        ctx.body = 'text';
      });
    },
    ['GET /', 'HEAD /'],
  ),
  serves('microtasks of two middleware interleave as promises do', (app, t) => {
    app.use(async (ctx, next) => {
      const rest = next();
      queueMicrotask(() => t.record('microtask of the first'));
      void Promise.resolve().then(() => t.record('promise of the first'));
      process.nextTick(() => t.record('tick of the first'));
      await rest;
      t.record('after the rest');
      ctx.body = 'ok';
    });
    app.use(async () => {
      t.record('second starts');
      await Promise.resolve();
      t.record('second goes on');
      await Promise.resolve();
      t.record('second ends');
    });
  }),
  serves(
    'middleware may wait for the content of the request',
    (app) => {
      app.use(async (ctx) => {
        const parts: Buffer[] = [];
        for await (const part of ctx.req) parts.push(part as Buffer);
        ctx.body = Buffer.concat(parts).toString('utf8').toUpperCase();
      });
    },
    [
      { method: 'POST', path: '/', body: 'content' },
      { method: 'POST', path: '/', body: '' },
      { raw: 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n' },
      { method: 'PUT', path: '/', body: 'x'.repeat(100_000) },
    ],
  ),
  serves('a request whose content nobody reads leaves the connection usable', (app) => app.use((ctx) => void (ctx.body = 'not read')), [
    { method: 'POST', path: '/', body: 'ignored' },
    'GET /',
  ]),
  serves(
    'pipelined requests are answered in order, however long each takes',
    (app) => {
      app.use(async (ctx) => {
        const steps = Number(ctx.query['steps'] ?? 0);
        for (let i = 0; i < steps; i++) await immediate();
        ctx.body = ctx.url;
      });
    },
    ['GET /a?steps=9', 'GET /b', 'HEAD /c?steps=3', 'GET /d?steps=1', 'GET /missing'],
    { options: { connection: 'pipelined' } },
  ),
]);
