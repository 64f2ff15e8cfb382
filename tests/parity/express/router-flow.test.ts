/**
 * The way through a chain: next in all its forms, promises, HEAD, OPTIONS, routers used alone, error
 * middleware.
 */
import type { ParityCase } from '../harness/case.ts';
import type { Handler, Next, Req, Res } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { builds, echo, onError, serves, showError, wrong } from './kit.ts';

/** Values that handlers hand to next, throw or reject with. */
const failures: readonly (readonly [string, () => unknown])[] = [
  ['undefined', () => undefined],
  ['null', () => null],
  ['false', () => false],
  ['zero', () => 0],
  ['an empty string', () => ''],
  ['a string', () => 'text'],
  ['a number', () => 404],
  ['true', () => true],
  ['the word route', () => 'route'],
  ['the word router', () => 'router'],
  ['an error', () => new Error('an error')],
  ['an error with a status', () => Object.assign(new Error('with status'), { status: 418 })],
  ['an object', () => ({ status: 402, message: 'plain object' })],
  ['an error named route', () => new Error('route')],
  ['an array', () => [1]],
  ['a TypeError', () => new TypeError('typed')],
];

const table: ParityCase[] = failures.map(([label, make]) =>
  serves(
    `${label} passed to next, thrown and rejected with goes where upstream sends it`,
    (app, express, ctx) => {
      const ways: Record<string, Handler> = {
        next: (_req, _res, next) => next(make()),
        throw: () => {
          throw make();
        },
        reject: () => Promise.reject(make()),
        late: async () => {
          await Promise.resolve();
          throw make();
        },
      };
      for (const [way, handler] of Object.entries(ways)) {
        const router = express.Router();
        router.get('/route', handler, (_req, res) => res.send('same route'));
        router.use('/use', handler);
        router.get('/route', (_req, res) => res.send('next route'));
        router.use('/use', (_req, res) => res.send('next use'));
        app.use(`/${way}`, router, (_req, res) => res.send('after router'));
      }
      app.use(
        onError((error: unknown, _req, res, _next) => {
          ctx.record('error handler', error);
          res.status(500).send('failed');
        }),
      );
    },
    Object.keys({ next: 0, throw: 0, reject: 0, late: 0 }).flatMap((way) => [`GET /${way}/route`, `GET /${way}/use`]),
  ),
);

for (const [label, arity] of [
  ['no', 0],
  ['one', 1],
  ['two', 2],
  ['three', 3],
  ['four', 4],
  ['five', 5],
] as const) {
  table.push(
    serves(
      `a handler with ${label} declared parameters is taken for what upstream takes it for`,
      (app, _express, ctx) => {
        const handlers: Record<number, (...args: never[]) => unknown> = {
          0: (...args: unknown[]) => ctx.record('called', args.length) ?? (args[2] as Next)(),
          1: (req: { res: { end(): void } }) => ctx.record('called with one') ?? req.res.end(),
          2: (_req: unknown, res: { end(): void }) => ctx.record('called with two') ?? res.end(),
          3: (_req: unknown, _res: unknown, next: Next) => ctx.record('called with three') ?? next(),
          4: (error: unknown, _req: unknown, _res: unknown, next: Next) => ctx.record('called with four', error) ?? next(),
          5: (a: unknown, _b: unknown, _c: unknown, _d: unknown, _e: unknown) => ctx.record('called with five', typeof a),
        };
        wrong(app)['use']?.('/fine', handlers[arity]);
        wrong(app)['use']?.('/fail', (_req: unknown, _res: unknown, next: Next) => next(new Error('x')), handlers[arity]);
        wrong(app)['get']?.('/route', (_req: unknown, _res: unknown, next: Next) => next(), handlers[arity]);
        wrong(app)['get']?.('/route-fail', (_req: unknown, _res: unknown, next: Next) => next(new Error('x')), handlers[arity]);
        app.use((_req, res) => res.send('end')).use(showError);
      },
      ['GET /fine', 'GET /fail', 'GET /route', 'GET /route-fail'],
    ),
  );
}

for (const method of ['HEAD', 'OPTIONS', 'TRACE', 'DELETE', 'POST']) {
  table.push(
    serves(
      `${method} finds its handler, a fallback or none as upstream does`,
      (app, express) => {
        const router = express.Router().get('/r', echo).put('/r', echo).delete('/other', echo);
        app
          .get('/get', (_req, res) => res.set('X-From', 'get').send('body'))
          .head('/head', (_req, res) => res.set('X-From', 'head').end())
          .get('/head', echo);
        app.post('/post', echo).use('/router', router).all('/all', echo).route('/both').get(echo).post(echo).delete(echo);
        app.use('/opt', (req, res, next) => (req.method === 'OPTIONS' ? res.send('own') : next()));
      },
      ['/get', '/head', '/post', '/router/r', '/router/other', '/all', '/both', '/opt', '/none', '/'].map((path) => ({ method, path })),
    ),
  );
}

defineSuite([
  ...table,
  serves(
    "next('route') skips the rest of the route, also from its error handlers",
    (app, _express, ctx) => {
      app
        .get(
          '/a',
          (_req, _res, next) => next('route'),
          () => ctx.record('skipped'),
        )
        .get('/a', (_req, res) => res.send('second'));
      app
        .get(
          '/b',
          (_req: Req, _res: Res, next: Next) => next(new Error('b')),
          onError((_error, _req, _res, next) => next('route')),
        )
        .get('/b', (_req, res) => res.send('second b'));
    },
    ['GET /a', 'GET /b'],
  ),
  serves(
    "next('router') leaves the router, and the app when at its top",
    (app, express, ctx) => {
      const router = express
        .Router()
        .use((_req, _res, next) => next('router'))
        .use(() => ctx.record('skipped'));
      app
        .use('/a', router, (_req, res) => res.send('after router'))
        .use('/b', (_req, _res, next) => next('router'))
        .use('/b', () => ctx.record('skipped'));
    },
    ['GET /a', 'GET /b'],
  ),
  serves(
    "next('route') inside middleware continues with the next layer",
    (app) => {
      app.use((_req, _res, next) => next('route'), echo);
    },
    ['GET /'],
  ),
  serves(
    'error handlers run in order, pass on, replace and recover',
    (app) => {
      app.get('/:how', (req, _res, next) => next(new Error(String(req.params['how']))));
      app.use(onError((error, _req, _res, next) => (error.message === 'replace' ? next(new Error('replaced')) : next(error))));
      app.use(onError((error, _req, _res, next) => (error.message === 'recover' ? next() : next(error))));
      app.use(
        onError((error, _req, _res, next) => {
          if (error.message === 'throw') throw new Error('thrown in error handler');
          next(error);
        }),
      );
      app.use(
        onError(async (error, _req, _res, next) => {
          await Promise.resolve();
          if (error.message === 'reject') throw new Error('rejected in error handler');
          next(error);
        }),
      );
      app.use((_req, res) => res.send('recovered')).use(showError);
    },
    ['GET /replace', 'GET /recover', 'GET /throw', 'GET /reject', 'GET /pass'],
  ),
  serves(
    'error handlers with a path run only under it',
    (app, _express, ctx) => {
      app.use(() => {
        throw new Error('x');
      });
      app.use(
        '/a',
        onError((error, req, _res, next) => {
          ctx.record('a', req.url, req.baseUrl);
          next(error);
        }),
      );
      app.use(
        '/:id',
        onError((error, req, _res, next) => {
          ctx.record('id', req.params);
          next(error);
        }),
      );
      app.use(showError);
    },
    ['GET /a/x', 'GET /b'],
  ),
  serves(
    'error handlers inside a route see only errors of that route',
    (app, _express, ctx) => {
      app.get(
        '/x',
        () => {
          throw new Error('first');
        },
        echo,
        onError((error, _req, res, _next) => {
          ctx.record(error);
          res.send('in route');
        }),
      );
      app.get(
        '/y',
        onError((_error, _req, _res, _next) => ctx.record('never')),
        echo,
      );
    },
    ['GET /x', 'GET /y'],
  ),
  serves(
    'calling next twice runs the rest twice and ends as upstream ends',
    (app, _express, ctx) => {
      app.use((_req, _res, next) => {
        next();
        next();
      });
      app.get('/', (_req, res) => {
        ctx.record('handler', res.headersSent);
        if (!res.headersSent) res.send('once');
      });
    },
    ['GET /'],
  ),
  serves(
    'an async handler that answers and then rejects leaves the answer alone',
    (app, _express, ctx) => {
      app.get('/', async (_req, res) => {
        res.send('answered');
        throw new Error('too late');
      });
      app.use(
        onError((error, _req, res, next) => {
          ctx.record(error, res.headersSent);
          next(error);
        }),
      );
    },
    ['GET /'],
  ),
  serves(
    'a handler that throws after the head was sent loses its connection',
    (app) => {
      app.get('/', (_req, res) => {
        res.setHeader('Content-Length', 100);
        res.write('partial');
        throw new Error('after head');
      });
    },
    ['GET /'],
  ),
  serves(
    'a handler that calls next with nothing after the head was sent leaves the reply open for its end',
    (app) => {
      app.use((_req, res, next) => {
        res.write('a');
        setImmediate(() => res.end('b'));
        next();
      });
    },
    ['GET /'],
  ),
  serves(
    'thenables that are not promises are awaited with a deprecation note',
    (app) => {
      app.get('/reject', () => ({ then: (_ok: unknown, fail: (error: Error) => void) => fail(new Error('thenable')) }));
      app.get('/resolve', (_req, res) => {
        res.send('x');
        return { then: (ok?: () => void) => ok?.() };
      });
      app
        .use('/err', () => {
          throw new Error('x');
        })
        .use(
          onError((error, _req, res, _next) => {
            res.status(500).send(error.message);
            return { then: (ok?: () => void) => ok?.() };
          }),
        );
    },
    ['GET /reject', 'GET /resolve', 'GET /err'],
  ),
  serves(
    'a param callback that returns a thenable is awaited with a deprecation note',
    (app) => {
      app.param('id', () => ({ then: (_ok: unknown, fail: (error: unknown) => void) => fail(undefined) }));
      app.get('/:id', echo).use(showError);
    },
    ['GET /x'],
  ),
  serves(
    'a thenable whose then throws is a rejection',
    (app) => {
      app
        .get('/', () => ({
          then: () => {
            throw new Error('then throws');
          },
        }))
        .use(showError);
    },
    ['GET /'],
  ),
  serves(
    'OPTIONS collects the methods of all matching routes, sorted and once',
    (app, express) => {
      app.get('/x', echo).post('/x', echo).get('/:y', echo).all('/z', echo);
      app.use('/r', express.Router().put('/x', echo).get('/x', echo), express.Router().delete('/x', echo));
      app.use(
        '/o',
        express.Router().options('/x', (_req, res) => res.send('mine')),
      );
    },
    ['/x', '/y', '/z', '/r/x', '/o/x', '/none'].map((path) => ({ method: 'OPTIONS', path })),
  ),
  serves(
    'OPTIONS is answered by the app after an error handler has recovered',
    (app) => {
      app
        .get('/x', echo)
        .use((_req, _res, next) => next(new Error('x')))
        .use(onError((_error, _req, _res, next) => next()));
    },
    [{ method: 'OPTIONS', path: '/x' }],
  ),
  serves(
    'OPTIONS with a pending error shows the error and no Allow',
    (app) => {
      app.get('/x', echo).use((_req, _res, next) => next(new Error('x')));
    },
    [{ method: 'OPTIONS', path: '/x' }],
  ),
  serves(
    'OPTIONS passes on when the reply to it cannot be written',
    (app) => {
      app
        .get('/x', echo)
        .use((_req, res, next) => {
          res.write('sent already');
          next();
        })
        .use(onError((error, _req, res, _next) => res.end(error.message)));
    },
    [{ method: 'OPTIONS', path: '/x' }],
  ),
  serves(
    'a HEAD request for a get route that streams has no content',
    (app) => {
      app
        .get('/', (_req, res) => {
          res.write('a');
          res.end('b');
        })
        .get('/json', (_req, res) => res.json({ a: 1 }))
        .get('/end', (_req, res) => res.end('text'));
    },
    ['HEAD /', 'HEAD /json', 'HEAD /end', 'GET /'],
  ),
  {
    name: 'a router works as a plain listener with its own done function',
    app: (express, ctx) => {
      const router = express
        .Router()
        .get('/x', (_req, res) => res.end('from router'))
        .get('/fail', (_req, _res, next) => next(new Error('x')));
      return (req, res) =>
        router.handle(req, res, (error) => {
          ctx.record('done', error);
          res.end('fallback');
        });
    },
    requests: ['GET /x', 'GET /fail', 'GET /none', 'HEAD /x', 'OPTIONS /x', 'OPTIONS /none'],
  },
  builds('router.handle wants a callback', (express, ctx) => {
    ctx.attempt('handle', () => wrong(express.Router())['handle']?.({ url: '/', method: 'GET' }, {}));
    ctx.attempt('call', () => Reflect.apply(express.Router() as unknown as () => void, undefined, [{ url: '/', method: 'GET' }, {}]));
  }),
  builds('Router works with and without new, and routers are instances of it', (express, ctx) => {
    const Router = express.Router as unknown as new (options?: object) => object;
    const made = new Router({ strict: true });
    ctx.record(typeof made, made instanceof Router, express.Router() instanceof Router, made.constructor === express.Router().constructor);
    for (const name of ['strict', 'caseSensitive', 'mergeParams', 'stack', 'params']) ctx.record(name, Reflect.get(made, name));
  }),
  builds('Route can be built alone and dispatches by method', (express, ctx) => {
    const route = new express.Route('/alone');
    route
      .get((_req, _res, next) => {
        ctx.record('get');
        next();
      })
      .all((_req, _res, next) => {
        ctx.record('all');
        next();
      });
    for (const method of ['GET', 'POST', 'HEAD', undefined])
      wrong(route)['dispatch']?.({ method }, {}, (error: unknown) => ctx.record('done', method, error));
    ctx.record(route.path, route.stack.length, Reflect.get(route, 'methods'));
  }),
  builds('a router without options mutated after creation honours strict and mergeParams', (express, ctx) => {
    const router = express.Router();
    Reflect.set(router, 'strict', true);
    router.get('/x/', () => ctx.record('strict matched'));
    router.handle({ url: '/x', method: 'GET' }, {}, () => ctx.record('not matched'));
    router.handle({ url: '/x/', method: 'GET' }, {}, () => ctx.record('not matched'));
  }),
  serves(
    'middleware between routes runs in the order of registration',
    (app, express, ctx) => {
      const mark =
        (label: string): Handler =>
        (_req, _res, next) => {
          ctx.record(label);
          next();
        };
      const router = express.Router().use(mark('r1')).get('/x', mark('r2')).use(mark('r3'));
      app
        .use(mark('a1'))
        .get('/x', mark('a2'), [mark('a3'), [mark('a4')]])
        .use(router)
        .use(mark('a5'))
        .all('/x', mark('a6'))
        .get('/x', (_req, res) => res.end());
    },
    ['GET /x', 'GET /y'],
  ),
  serves(
    'asynchronous middleware keeps the order',
    (app, _express, ctx) => {
      for (const [i, wait] of [setImmediate, queueMicrotask, process.nextTick, setImmediate].entries()) {
        app.use((_req, _res, next) => {
          wait(() => {
            ctx.record(i);
            next();
          });
        });
      }
      app.use(async (_req, _res, next) => {
        await new Promise(setImmediate);
        next();
      }, echo);
    },
    ['GET /', 'GET /again'],
  ),
  serves(
    'pipelined requests to a slow and a fast handler are answered in order',
    (app) => {
      app.get('/slow', (_req, res) => void setTimeout(() => res.send('slow'), 5)).get('/fast', (_req, res) => res.send('fast'));
    },
    ['GET /slow', 'GET /fast', 'GET /slow', 'HEAD /fast', 'GET /none'],
    { connection: 'pipelined' },
  ),
  serves(
    'baseUrl, url and originalUrl at every depth',
    (app, express, ctx) => {
      const note =
        (label: string): Handler =>
        (req, _res, next) => {
          ctx.record(label, req.baseUrl, req.url, req.originalUrl, req.path);
          next();
        };
      const deep = express.Router().use(note('deep')).get('/x', note('deep route'));
      const mid = express.Router().use('/:m', note('mid'), deep);
      const sub = express().use('/s', note('sub'), mid);
      app.use('/t', note('top'), sub, note('after')).use(note('end'), (_req, res) => res.end());
    },
    ['GET /t/s/m/x?q=1', 'GET /t/s/m', 'GET /t/', 'GET /t//s//m//x', 'GET /x'],
  ),
  serves(
    'layers that are swapped while a request is between them count at its next step',
    (app, express, ctx) => {
      const router = express.Router();
      router.use((_req, _res, next) => {
        ctx.record('first');
        const [a, b, c] = router.stack;
        router.stack.splice(0, 3, a, c, b);
        next();
      });
      router.use((_req, _res, next) => {
        ctx.record('second');
        next();
      });
      router.use((_req, res) => void res.send('third'));
      app.use(router);
    },
    ['GET /', 'GET /', 'GET /'],
  ),
]);
