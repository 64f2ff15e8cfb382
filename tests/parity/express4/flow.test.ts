/**
 * The way through a router of Express 4: next in every form, throws, rejected promises, OPTIONS, rewriting,
 * long stacks.
 */
import type { ParityCase } from '../harness/case.ts';
import type { App, Handler, Next } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { onError, serves } from '../express/kit.ts';
import { failed, notFound, v4, where } from './kit.ts';

const table: ParityCase[] = [];

const VALUES: readonly (readonly [string, () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['false', () => false],
  ['zero', () => 0],
  ['an empty string', () => ''],
  ['a string', () => 'text'],
  ['a number', () => 7],
  ['true', () => true],
  ['the word route', () => 'route'],
  ['the word router', () => 'router'],
  ['an error', () => Object.assign(new Error('e'), { stack: 'stack of e' })],
  ['an error with a status', () => Object.assign(new Error('s'), { status: 418, stack: 'stack of s' })],
  ['an error whose message is route', () => Object.assign(new Error('route'), { stack: 'stack' })],
  ['an object', () => ({ status: 410 })],
  ['an array', () => []],
  ['a function', () => function thrown() {}],
  ['a String object', () => Object('route') as unknown],
];

/**
 * The places of an app where a handler may stand, each followed by handlers that note whether they are
 * reached.
 */
function places(app: App, express: { Router(): object }, handler: Handler, note: (label: string) => Handler): void {
  const router = v4(express.Router());
  app.use('/use', handler, note('next of use'));
  app.get('/route', handler, note('same route')).get('/route', note('next route'));
  app.all('/all', handler).all('/all', note('next all'));
  router.use('/in', handler, note('next in router'));
  router.get('/get', handler, note('same route in router'));
  router.get('/get', note('next route in router'));
  app.use('/router', router as unknown as Handler, note('after router'));
  app.use(note('end of app')).use(
    onError((error, _req, res, _next) => {
      res.status(500).end(`error handler: ${typeof error} ${String(error)}`);
    }),
  );
}

const PLACES = ['GET /use', 'GET /route', 'POST /all', 'GET /router/in', 'GET /router/get', 'HEAD /route'];

for (const [label, make] of VALUES) {
  for (const way of ['passed to next', 'thrown', 'passed to next later'] as const) {
    const handler: Handler = (_req, _res, next) => {
      if (way === 'thrown') throw make();
      if (way === 'passed to next') next(make());
      else setImmediate(next, make());
    };
    table.push(
      serves(
        `${label} ${way} goes where upstream sends it`,
        (app, express, ctx) =>
          places(app, express, handler, (name) => (_req, _res, next) => {
            ctx.record(name);
            next();
          }),
        PLACES.map((text) => ({ method: text.split(' ')[0] ?? '', path: text.split(' ')[1] ?? '' })),
      ),
    );
  }
  table.push(
    serves(
      `${label} given up by an error handler, by next and by throw, goes on as upstream`,
      (app, _express, ctx) => {
        const fails: Handler = (_req, _res, next) => next(new Error('first'));
        app.use(
          '/next',
          fails,
          onError((_error, _req, _res, next) => next(make())),
        );
        app.use(
          '/throw',
          fails,
          onError((_error, _req, _res, _next) => {
            throw make();
          }),
        );
        v4(app).get(
          '/route',
          fails,
          onError((_error, _req, _res, next) => next(make())),
          (_req: unknown, _res: unknown, next: Next) => {
            ctx.record('went on in the route');
            next();
          },
        );
        app.use((_req, res) => void res.end('recovered')).use(onError(failed));
      },
      ['GET /next', 'GET /throw', 'GET /route'],
    ),
  );
}

/**
 * A handler that returns a rejected promise is left alone; the handler answers afterwards, so that nothing
 * has to be waited for.
 */
for (const [label, make] of VALUES.filter(([name]) => name.startsWith('an ') || name === 'undefined' || name === 'the word route')) {
  table.push(
    serves(
      `a promise rejected with ${label} is an unhandled rejection, and the reply is still the handler's`,
      (app, _express, ctx) => {
        const rejects: Handler = (_req, res) => {
          setImmediate(() => setImmediate(() => res.end('answered later')));
          return Promise.reject(make());
        };
        app.get('/get', rejects).use('/use', rejects);
        v4(app).get(
          '/error',
          (_req: unknown, _res: unknown, next: Next) => next(new Error('x')),
          onError((_error, req, res, next) => rejects(req, res, next)),
        );
        app.param('p', (req, res, next) => rejects(req, res, next));
        app.get('/param/:p', () => ctx.record('never'));
        app.use(onError(() => ctx.record('never an error handler')));
      },
      ['GET /get', 'GET /use', 'GET /error', 'GET /param/1'],
    ),
  );
}

const routes = (app: App, express: { Router(): object }): void => {
  const router = v4(express.Router());
  router.get('/r', where);
  router.use('/u', where);
  v4(router.route('/both')).get(where);
  app.get('/get', where).post('/get', where).put('/put', where).all('/all', where);
  app.route('/chain').get(where).delete(where);
  app.head('/head', where).use('/m', router as unknown as Handler);
  app.options('/own', (_req, res) => void res.set('Allow', 'MINE').end());
};
for (const path of ['/get', '/put', '/all', '/chain', '/head', '/m/r', '/m/u', '/m/both', '/own', '/none', '*', '/m']) {
  table.push(
    serves(`OPTIONS ${path} is answered with the methods upstream lists`, routes, [
      { method: 'OPTIONS', path },
      { method: 'OPTIONS', path, headers: { Accept: 'application/json' } },
    ]),
  );
}

for (const url of ['/other', 'other', '', '?x=1', '/a?y=2', 'http://host/other?z=1', '//double', '/%zz', 'ftp://h']) {
  table.push(
    serves(
      `a handler that rewrites req.url to ${JSON.stringify(url)} is followed as upstream does`,
      (app, express, ctx) => {
        const rewrite: Handler = (req, _res, next) => {
          req.url = url;
          next();
        };
        app.use('/top', rewrite).get('/deep/x', rewrite);
        app.use('/m', express.Router().use('/n', rewrite).get('/other', where));
        app.get('/other', where).get('/a', where);
        app.use((req, res) => {
          ctx.record(req.url, req.originalUrl, req.baseUrl);
          ctx.attempt('path', () => req.path);
          res.end('end');
        });
      },
      ['GET /top', 'GET /deep/x', 'GET /m/n', 'GET /m/n/more?q=1'],
    ),
  );
}

/** Notes the moments at which handlers run, to see which of them are deferred. */
function longStack(count: number, kind: 'use' | 'route' | 'handlers'): ParityCase {
  return serves(
    `${count} ${kind === 'handlers' ? 'handlers of one route' : `layers by ${kind}`} without a reply are walked with upstream's pauses`,
    (app, _express, ctx) => {
      let depth = 0;
      const pass = (_req: unknown, _res: unknown, next: Next): void => {
        depth += 1;
        next();
        depth -= 1;
      };
      const note: Handler = (_req, res) => {
        ctx.record('synchronous calls open:', depth);
        res.end();
      };
      const passes = Array.from({ length: count }, () => pass);
      if (kind === 'use') for (const one of passes) app.use(one);
      if (kind === 'route') for (const one of passes) app.get('/', one);
      if (kind === 'handlers') v4(app).get('/', ...passes);
      app.get('/', note);
    },
    ['GET /'],
  );
}
for (const count of [1, 97, 98, 99, 100, 101, 102, 250, 3000])
  for (const kind of ['use', 'route', 'handlers'] as const) table.push(longStack(count, kind));

defineSuite(
  [
    ...table,
    serves(
      'next of a handler is req.next in a router and not in a route',
      (app, express, ctx) => {
        app.use((req, _res, next) => {
          ctx.record('use', req.next === next);
          next();
        });
        app.get('/', (req, _res, next) => {
          ctx.record('route', req.next === next, next.length);
          next();
        });
        app.use(
          express.Router().use((req, _res, next) => {
            ctx.record('router', req.next === next);
            next();
          }),
        );
        app.use((req, res, next) => {
          ctx.record('after', req.next === next);
          res.end();
        });
      },
      ['GET /'],
    ),
    serves(
      'next called twice runs the rest twice',
      (app, _express, ctx) => {
        app.use((_req, _res, next) => {
          next();
          next();
        });
        app.use((_req, res) => {
          ctx.record('reached', res.headersSent);
          if (!res.headersSent) res.end('once');
        });
      },
      ['GET /'],
    ),
    serves(
      'a handler that answers and calls next is followed by the final handler',
      (app, _express, ctx) => {
        app.get('/sent', (_req, res, next) => {
          res.send('x');
          next();
        });
        app.get('/error', (_req, res, next) => {
          res.send('x');
          next(Object.assign(new Error('late'), { stack: 'late stack' }));
        });
        app.use((_req, res, next) => {
          ctx.record('after', res.headersSent);
          next();
        });
      },
      ['GET /sent', 'GET /error', 'GET /sent'],
      // Whether a next request on the connection is still answered is a race with its end, which the final
      // handler brings about later.
      { connection: 'each', probe: false },
    ),
    serves(
      'functions with four and more parameters are error handlers, all others are not',
      (app, _express, ctx) => {
        const of = (length: number): Handler =>
          Object.defineProperty(
            (...args: unknown[]) => {
              ctx.record(`length ${length} with ${args.length}`);
              (args.at(-1) as Next)(args.length === 4 ? args[0] : undefined);
            },
            'length',
            { value: length },
          ) as Handler;
        for (const length of [0, 1, 2, 3, 4, 5]) app.use(of(length)).get('/', of(length));
        app
          .use((_req, _res, next) => next(new Error('then')))
          .use(of(3), of(5), of(4))
          .use(onError(failed));
      },
      ['GET /', 'GET /x'],
    ),
    serves(
      'error handlers of a route see errors of their own route only',
      (app, _express, ctx) => {
        v4(app).get(
          '/a',
          (_req: unknown, _res: unknown, next: Next) => next(new Error('one')),
          (_req: unknown, _res: unknown, next: Next) => {
            ctx.record('skipped');
            next();
          },
          onError((error, _req, _res, next) => {
            ctx.record('inside', error);
            next(error);
          }),
        );
        app.get(
          '/a',
          onError((_error, _req, _res, next) => {
            ctx.record('other route');
            next();
          }),
        );
        app.use(onError(failed));
      },
      ['GET /a'],
    ),
    serves(
      "next('router') leaves a router, also from a route, from a param and with an error handler behind",
      (app, express, ctx) => {
        const router = express.Router();
        router.param('stop', (_req, _res, next) => next('router'));
        router
          .get('/route', (_req, _res, next) => next('router'))
          .use('/use', (_req, _res, next) => next('router'))
          .get('/param/:stop', where)
          .use((_req, _res, next) => {
            ctx.record('rest of the router');
            next();
          })
          .use(
            onError((error, _req, _res, next) => {
              ctx.record('error handler in the router', error);
              next(error);
            }),
          );
        app
          .use('/m', router)
          .get('/app', (_req, _res, next) => next('router'))
          .use(where)
          .use(onError(failed));
      },
      ['GET /m/route', 'GET /m/use', 'GET /m/param/1', 'GET /m/x', 'GET /app'],
    ),
    serves(
      'a HEAD request uses GET handlers unless there is a HEAD route',
      (app, _express, ctx) => {
        const note =
          (label: string): Handler =>
          (req, res) => {
            ctx.record(label, req.method);
            res.send(label);
          };
        app.get('/get', note('get')).head('/head', note('head')).get('/head', note('get'));
        app.get('/late', note('get')).head('/late', note('head')).post('/post', note('post'));
        app.route('/both').get(note('get of both'));
        v4(app.route('/two')).head(note('head of two'));
        app.use(notFound);
      },
      ['/get', '/head', '/late', '/post', '/both', '/two', '/none'].map((path) => ({ method: 'HEAD', path })),
    ),
    serves(
      'a request whose method is changed on the way is routed by the new one',
      (app) => {
        app.use('/over', (req, _res, next) => {
          req.method = String(req.query['_method'] ?? req.method);
          next();
        });
        app.put('/over', where).get('/over', where).use(notFound);
      },
      ['GET /over', 'GET /over?_method=PUT', 'GET /over?_method=put', 'GET /over?_method=', 'GET /over?_method=OPTIONS'],
    ),
    serves(
      'req.route stays what the last matching route made it',
      (app, _express, ctx) => {
        app
          .use((req, _res, next) => {
            ctx.record('before', req.route === undefined);
            next();
          })
          .get('/a', (_req, _res, next) => next())
          .use((req, _res, next) => {
            ctx.record('between', req.route?.path);
            next();
          })
          .post('/:x', where)
          .all('/:y', (req, res) => {
            ctx.record('in', req.route.path, req.route.methods, req.route.stack.length);
            res.end();
          });
      },
      ['GET /a', 'GET /b', 'HEAD /b'],
    ),
    serves(
      'routes and mounts added while a request is under way are reached',
      (app, _express, ctx) => {
        app.get('/', (_req, _res, next) => {
          app.get('/', (_q, res) => void res.end('added'));
          ctx.record('adding');
          next();
        });
      },
      ['GET /', 'GET /'],
    ),
    serves(
      'a router called by hand uses the callback it is given',
      (app, express, ctx) => {
        const router = express.Router().get('/x', (_req, _res, next) => next());
        app.use((req, res) => {
          router(req, res, (error) => {
            ctx.record('out', error, req.url, req.baseUrl, req.params);
            res.end();
          });
        });
      },
      ['GET /x', 'GET /y', { method: 'OPTIONS', path: '/x' }],
    ),
    serves(
      'router.handle without a callback answers what it can',
      (app, express, ctx) => {
        const router = express.Router().get('/x', where);
        app.use((req, res) => {
          ctx.attempt('handle', () => void v4(router).handle(req, res));
          if (req.url !== '/x') res.end('by hand');
        });
      },
      ['GET /x'],
    ),
    serves(
      'an app called with a callback hands on what it does not answer',
      (app, express, ctx) => {
        const inner = express();
        inner.get('/x', where).get('/e', (_req, _res, next) => next(new Error('inner')));
        app.use((req, res, next) => {
          inner(req, res, (error?: unknown) => {
            ctx.record('callback', error, Object.getPrototypeOf(req) === app.request);
            next();
          });
        });
        app.use(notFound);
      },
      ['GET /x', 'GET /y', 'GET /e'],
    ),
  ],
  'express4',
);
