/**
 * Application methods: all, METHOD, use, param, route, engine, listen, path; the mount event and mounted
 * apps.
 */
import type { ParityCase } from '../harness/case.ts';
import type { App } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { builds, echo, onError, serves, showError, wrong } from './kit.ts';

const table: ParityCase[] = [];

for (const method of [
  'GET',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'COPY',
  'LOCK',
  'MKCOL',
  'MOVE',
  'PURGE',
  'PROPFIND',
  'PROPPATCH',
  'UNLOCK',
  'REPORT',
  'MKACTIVITY',
  'CHECKOUT',
  'MERGE',
  'M-SEARCH',
  'NOTIFY',
  'SUBSCRIBE',
  'UNSUBSCRIBE',
  'SEARCH',
  'LINK',
  'UNLINK',
  'BIND',
  'ACL',
  'HEAD',
]) {
  table.push(
    serves(
      `app.${method.toLowerCase()} answers ${method} and nothing else`,
      (app) => {
        wrong(app)[method.toLowerCase()]?.('/x', echo);
        app.all('/all', echo);
      },
      [
        { method, path: '/x' },
        { method: method === 'GET' ? 'POST' : 'GET', path: '/x' },
        { method, path: '/all' },
        { method: 'OPTIONS', path: '/x' },
      ],
    ),
  );
}

const notHandlers: readonly unknown[] = [undefined, null, 'text', 7, {}, [], [[]], true, Symbol('s'), new Date(0)];

for (const value of notHandlers) {
  table.push(
    builds(
      `app.use, app.get and friends refuse ${typeof value} ${Array.isArray(value) ? JSON.stringify(value) : String(value)} as a handler alike`,
      (express, ctx) => {
        const [app, router] = [wrong(express()), wrong(express.Router())];
        for (const [name, target] of [
          ['app', app],
          ['router', router],
        ] as const) {
          ctx.attempt(`${name}.use(v)`, () => typeof target['use']?.(value));
          ctx.attempt(`${name}.use(path, v)`, () => typeof target['use']?.('/x', value));
          ctx.attempt(`${name}.use(path, fn, v)`, () => typeof target['use']?.('/x', echo, value));
          ctx.attempt(`${name}.post(path, v)`, () => typeof target['post']?.('/x', value));
          ctx.attempt(`${name}.all(path, v)`, () => typeof target['all']?.('/x', [echo, value]));
          ctx.attempt(`${name}.route(path).put(v)`, () => typeof wrong(target['route']?.('/x'))['put']?.(value));
          ctx.attempt(`${name}.param(id, v)`, () => typeof target['param']?.('id', value));
          ctx.attempt(`${name}.param(v, fn)`, () => typeof target['param']?.(value, echo));
        }
      },
    ),
  );
}

defineSuite([
  ...table,
  builds('app.use, app.route and app.METHOD without arguments throw what upstream throws', (express, ctx) => {
    for (const call of ['use', 'all', 'get', 'post', 'route', 'param', 'engine', 'render', 'enable', 'path']) {
      ctx.attempt(`app.${call}()`, () => typeof wrong(express())[call]?.());
      ctx.attempt(`router.${call}()`, () => typeof wrong(express.Router())[call]?.());
    }
  }),
  builds('app methods return the app so that calls can be chained', (express, ctx) => {
    const app = express();
    ctx.record(
      app.use(echo) === app,
      app.get('/', echo) === app,
      app.all('/', echo) === app,
      app.param('x', (_q, _s, next) => next()) === app,
    );
    ctx.record(
      app.param(['a', 'b'], (_q, _s, next) => next()) === app,
      app.engine('x', echo) === app,
      typeof app.route('/'),
      app.use('/', express()) === app,
    );
  }),
  builds('app.engine wants a function and adds the dot', (express, ctx) => {
    const app = express();
    ctx.attempt('no fn', () => typeof app.engine('a', undefined));
    ctx.attempt('string', () => typeof app.engine('a', 'ejs'));
    ctx.record(Object.keys(app.engine('a', echo).engine('.b', echo).engine('c.d', echo).engines));
    ctx.attempt('empty name', () => Object.keys(app.engine('', echo).engines));
  }),
  serves(
    'app.use takes functions, arrays of functions, nested arrays and several paths',
    (app, _express, ctx) => {
      const note =
        (label: string) =>
        (_req: unknown, _res: unknown, next: () => void): void => {
          ctx.record(label);
          next();
        };
      app
        .use(note('plain'), [note('array'), [note('nested')]])
        .use(['/a', /^\/b/], note('two paths'))
        .use([note('only array')])
        .use('/a', [[note('deep')]], note('after'));
      app.use(echo);
    },
    ['GET /a/x', 'GET /b', 'GET /c', 'GET /'],
  ),
  serves(
    'app.use strips the mount path from req.url and sets baseUrl',
    (app) => {
      app.use('/blog', echo).use('/p/:id', echo).use('/deep/er', echo);
    },
    [
      'GET /blog',
      'GET /blog/',
      'GET /blog/post?x=1',
      'GET /blog?x=1',
      'GET /blogger',
      'GET /p/7/rest',
      'GET /p/7',
      'GET /p/',
      'GET /deep/er/a/b',
      'GET /BLOG/x',
      'GET /deep//er',
    ],
  ),
  serves('app.use with a trailing slash matches with and without it', (app) => app.use('/blog/', echo), [
    'GET /blog',
    'GET /blog/',
    'GET /blog/x',
    'GET /blogx',
  ]),
  serves(
    'app.all runs for every method in order with the others',
    (app, _express, ctx) => {
      app
        .all('/x', (_req, _res, next) => {
          ctx.record('all');
          next();
        })
        .get('/x', (_req, res) => res.send('get'))
        .all('/x', (_req, res) => res.send('last'));
    },
    ['GET /x', 'POST /x', 'HEAD /x', 'OPTIONS /x', 'PROPFIND /x'],
  ),
  serves(
    'app.route collects handlers of one path',
    (app, _express, ctx) => {
      const route = app
        .route('/r')
        .all((_req, _res, next) => {
          ctx.record('all');
          next();
        })
        .get((_req, res) => res.send('get'))
        .post((_req, res) => res.send('post'))
        .post((_req, res) => res.send('never'));
      ctx.record(route.path, route.stack.length);
    },
    ['GET /r', 'POST /r', 'PUT /r', 'OPTIONS /r', 'HEAD /r'],
  ),
  serves(
    'a route without handlers is skipped',
    (app) => {
      app.route('/r');
      app.get('/r', echo);
    },
    ['GET /r', 'OPTIONS /r', 'POST /r'],
  ),
  serves(
    'req.route describes the matched route',
    (app, _express, ctx) => {
      const note = (req: { route?: { path: unknown; methods: object; stack: unknown[] } }): void =>
        ctx.record(req.route?.path, req.route?.methods, req.route?.stack.length);
      app.use((req, _res, next) => {
        note(req);
        next();
      });
      app
        .get('/a/:b', (req, _res, next) => {
          note(req);
          next();
        })
        .all('/a/:c', (req, res) => {
          note(req);
          res.end();
        });
    },
    ['GET /a/1', 'POST /a/1'],
  ),
  serves(
    'app.param runs once per value, before the handlers, with value and name',
    (app, _express, ctx) => {
      app.param('id', (req, _res, next, value, name) => {
        ctx.record('param', name, value, req.params);
        Reflect.set(req, 'xUser', `user ${value}`);
        next();
      });
      app
        .get('/u/:id', (_req, _res, next) => next())
        .get('/u/:id', (req, res) => res.send(req['xUser']))
        .get('/u/:id/:other', echo);
    },
    ['GET /u/1', 'GET /u/2/3', 'GET /none'],
  ),
  serves(
    'app.param with an array registers the callback for each name in path order',
    (app, _express, ctx) => {
      app.param(['b', 'a'], (_req, _res, next, value, name) => {
        ctx.record(name, value);
        next();
      });
      app.get('/:a/:b/:c', echo);
    },
    ['GET /1/2/3'],
  ),
  serves(
    'several param callbacks of one name run in order and may wait',
    (app, _express, ctx) => {
      app.param('id', (_req, _res, next, value) => {
        ctx.record('first', value);
        setImmediate(next);
      });
      app.param('id', async (req, _res, next) => {
        await Promise.resolve();
        req.params['id'] = 'changed';
        next();
      });
      app
        .get('/:id', (req, _res, next) => {
          ctx.record(req.params);
          next();
        })
        .get('/:id', echo);
    },
    ['GET /a', 'GET /b'],
  ),
  serves(
    'a param callback runs again for another value of the same name',
    (app, _express, ctx) => {
      app.param('id', (_req, _res, next, value) => {
        ctx.record(value);
        next();
      });
      app.get('/:id/*rest', (_req, _res, next) => next()).get('/x/:id', echo);
    },
    ['GET /x/y', 'GET /x/x'],
  ),
  serves(
    'an error in a param callback skips the routes and reaches the error handler once',
    (app, _express, ctx) => {
      app.param('id', (_req, _res, next, value) => {
        ctx.record('param', value);
        if (value === 'throw') throw new Error('thrown in param');
        next(value === 'route' ? 'route' : new Error('passed by param'));
      });
      app.get('/:id', echo).get('/:id', echo).use(showError);
    },
    ['GET /throw', 'GET /err', 'GET /route'],
  ),
  serves(
    'an async param callback that rejects reaches the error handler',
    (app) => {
      app.param('id', async (_req, _res, _next, value) => {
        await Promise.resolve();
        if (value === 'undefined') throw undefined;
        throw Object.assign(new Error('rejected'), { status: 409 });
      });
      app.get('/:id', echo).use(showError);
    },
    ['GET /x', 'GET /undefined'],
  ),
  serves(
    'param callbacks of an app do not run in its routers',
    (app, express, ctx) => {
      app.param('id', (_req, _res, next) => {
        ctx.record('app');
        next();
      });
      const router = express.Router().param('id', (_req, _res, next) => {
        ctx.record('router');
        next();
      });
      app.use('/r', router.get('/:id', echo)).use('/m/:id', echo);
    },
    ['GET /r/1', 'GET /m/1'],
  ),
  serves(
    'app.param for a wildcard gets the segments as an array',
    (app, _express, ctx) => {
      app.param('rest', (_req, _res, next, value, name) => {
        ctx.record(name, value);
        next();
      });
      app.get('/f/*rest', echo);
    },
    ['GET /f/a/b', 'GET /f/a', 'GET /f/'],
  ),
  serves(
    'mounting emits mount with the parent and sets mountpath, parent and path()',
    (app, express, ctx) => {
      const [admin, inner, patterns] = [express(), express(), express()];
      for (const sub of [admin, inner, patterns]) sub.on('mount', (parent: App) => ctx.record('mounted', parent === app, sub.mountpath));
      admin.use('/inner', inner);
      app.use('/admin', admin).use(['/one', '/two*rest'], patterns);
      ctx.record(app.path(), admin.path(), inner.path(), patterns.mountpath, admin.parent === app, inner.parent === admin, app.mountpath);
      ctx.attempt('array path', () => patterns.path());
      admin.get('/x', echo);
      inner.get('/y', echo);
      patterns.get('/z', echo);
    },
    ['GET /admin/x', 'GET /admin/inner/y', 'GET /one/z', 'GET /two/z', 'GET /twofold/z', 'GET /admin/none'],
  ),
  serves(
    'a mounted app inherits settings it did not set itself',
    (app, express, ctx) => {
      const sub = express();
      sub.set('own', 'sub').set('etag', false);
      app
        .set('parent only', 1)
        .set('own', 'parent')
        .set('json spaces', 2)
        .set('x-powered-by', false)
        .set('query parser', 'extended')
        .set('trust proxy', true);
      app.use('/sub', sub);
      for (const name of [
        'own',
        'parent only',
        'json spaces',
        'x-powered-by',
        'query parser',
        'trust proxy',
        'etag',
        'env',
        'jsonp callback name',
      ])
        ctx.record(name, sub.get(name));
      sub.get('/', (req, res) => res.json({ query: req.query, ip: req.ip, protocol: req.protocol }));
      app.get('/', (req, res) => res.json({ query: req.query, ip: req.ip }));
    },
    [
      { path: '/sub?a[b]=1', headers: { 'X-Forwarded-For': '9.9.9.9', 'X-Forwarded-Proto': 'https' } },
      { path: '/?a[b]=1', headers: { 'X-Forwarded-For': '9.9.9.9' } },
    ],
  ),
  serves(
    'a mounted app that set trust proxy itself keeps it',
    (app, express) => {
      const sub = express();
      sub.set('trust proxy', false).get('/', (req, res) => res.send(req.ip));
      app
        .set('trust proxy', true)
        .use('/sub', sub)
        .get('/', (req, res) => res.send(req.ip));
    },
    [
      { path: '/sub', headers: { 'X-Forwarded-For': '9.9.9.9' } },
      { path: '/', headers: { 'X-Forwarded-For': '9.9.9.9' } },
    ],
  ),
  serves(
    'engines and locals: engines are inherited by mounted apps, locals are not',
    (app, express, ctx) => {
      const sub = express();
      app.engine('x', echo).locals['title'] = 'parent';
      app.use(sub);
      ctx.record('.x' in sub.engines, sub.locals['title'], Object.hasOwn(sub.engines, '.x'));
    },
    ['GET /'],
  ),
  serves(
    'req.app and res.app are the mounted app inside and the parent again after it',
    (app, express, ctx) => {
      const sub = express();
      sub.use((req, res, next) => {
        ctx.record(req.app === sub, res.app === sub, req.app.mountpath);
        next();
      });
      app.use('/sub', sub).use((req, res) => {
        ctx.record(req.app === app, res.app === app);
        res.end();
      });
    },
    ['GET /sub/x'],
  ),
  serves(
    'req.app is the parent again when the mounted app fails',
    (app, express, ctx) => {
      const sub = express();
      sub.use(() => {
        throw new Error('inside');
      });
      app.use('/sub', sub).use(
        onError((error, req, res, _next) => {
          ctx.record(req.app === app, res.app === app, error, req.url, req.baseUrl);
          res.send('handled by parent');
        }),
      );
    },
    ['GET /sub/x'],
  ),
  serves(
    'the error handler of a mounted app runs before those of the parent',
    (app, express) => {
      const sub = express();
      sub
        .get('/a', () => {
          throw new Error('a');
        })
        .get('/b', () => {
          throw new Error('b');
        })
        .use(onError((error, _req, res, next) => (error.message === 'a' ? res.send('sub handled') : next(error))));
      app.use('/sub', sub).use(showError);
    },
    ['GET /sub/a', 'GET /sub/b'],
  ),
  serves(
    'one app mounted twice keeps the last mount path',
    (app, express, ctx) => {
      const sub = express();
      sub.get('/', (req, res) => res.json([sub.mountpath, sub.path(), req.baseUrl]));
      app.use('/one', sub).use('/two', sub);
      ctx.record(sub.mountpath);
    },
    ['GET /one', 'GET /two'],
  ),
  serves(
    'mounting on a route path with parameters keeps them out of the app unless merged',
    (app, express) => {
      const sub = express();
      sub.get('/x', echo);
      app.use('/:tenant', sub);
    },
    ['GET /acme/x'],
  ),
  serves(
    'routes added while serving are honoured',
    (app) => {
      app.get('/add/:name', (req, res) => {
        app.get(`/${String(req.params['name'])}`, (_q, s) => s.send('late'));
        res.send('added');
      });
    },
    ['GET /late', 'GET /add/late', 'GET /late'],
  ),
  serves(
    'app.router.stack lists the layers, and removing one is honoured',
    (app, _express, ctx) => {
      app.get('/a', (_req, res) => res.send('first')).get('/a', (_req, res) => res.send('second'));
      app.get('/drop', (_req, res) => {
        app.router.stack.shift();
        res.end();
      });
      ctx.record(app.router.stack.length, app.router === app.router, typeof app.router);
    },
    ['GET /a', 'GET /drop', 'GET /a', 'GET /drop', 'GET /a'],
  ),
  builds('the layers of a router have the names upstream gives them', (express, ctx) => {
    const router = express
      .Router()
      .use('/m', function named(_req, _res, next) {
        next();
      })
      .get('/r/:id', echo);
    for (const layer of router.stack as { name: string; route?: { path: string; methods: object } }[])
      ctx.record(layer.name, layer.route?.path, layer.route?.methods);
    ctx.record(router.listRoutes());
  }),
  builds('listRoutes lists routes, arrays of paths and mounted routers', (express, ctx) => {
    const inner = express.Router().get('/i', echo);
    const router = express.Router().get(['/a', '/b'], echo).all('/c', echo).use('/inner', inner).route('/d');
    router.get(echo).post(echo);
    const outer = express
      .Router()
      .get(['/a', ['/b']], echo)
      .all(/c/, echo)
      .use('/inner', inner)
      .use(echo);
    ctx.record(outer.listRoutes().map((route) => ({ ...(route as object), router: Reflect.get(route as object, 'router') === inner })));
  }),
  builds('the router setting of Express 4 is gone: app.router is the router, and can be replaced by definition', (express, ctx) => {
    const app = express();
    ctx.attempt('read', () => typeof app.router.handle);
    ctx.record(Object.getOwnPropertyDescriptor(app, 'router')?.configurable, Object.getOwnPropertyDescriptor(app, 'router')?.enumerable);
  }),
]);

defineSuite([
  {
    name: 'app.listen returns a listening server and calls back without an error',
    app: (express, ctx) =>
      express().get('/', (_req, res) => {
        const app = express();
        const done = ctx.pending();
        const server = app.listen(0, '127.0.0.1', (...args: unknown[]) => {
          ctx.record('listening', args.length, args[0], server.listening, typeof server.address());
          server.close((error) => {
            ctx.record('closed', error);
            done();
            res.end();
          });
        });
        ctx.record(typeof server.address, server.listeners('request').length);
      }),
    requests: ['GET /'],
  },
  {
    name: 'app.listen hands a taken port to its callback as an error, once',
    app: (express, ctx) =>
      express().get('/', (req, res) => {
        const done = ctx.pending();
        const server = express().listen(req.socket.localPort, '127.0.0.1', (error?: NodeJS.ErrnoException) => {
          ctx.record(error?.code, error?.syscall);
          server.close(() => done());
          res.end();
        });
      }),
    requests: ['GET /'],
  },
]);
