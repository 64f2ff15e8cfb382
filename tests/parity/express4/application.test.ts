/**
 * The application of Express 4: its members, the lazy router and its stack, removed and deprecated members,
 * settings, mounting.
 */
import type { ParityCase } from '../harness/case.ts';
import type { App, ExpressModule, Handler } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { builds, onError, serves, withHeaders, wrong } from '../express/kit.ts';
import { failed, layerShape, notFound, v4, where } from './kit.ts';

const table: ParityCase[] = [];
const OF_EVERY_FUNCTION = ['length', 'name', 'prototype', 'arguments', 'caller', 'constructor'];
/**
 * The names of the public members. Their order, attributes and arity, and what is kept under names with `_`,
 * are nobody's promise; `locals` is an own property of each reply upstream, and made when first read by ours.
 */
const members = (value: object): unknown =>
  Object.getOwnPropertyNames(value)
    .filter((name) => !name.startsWith('_') && name !== 'locals' && !OF_EVERY_FUNCTION.includes(name))
    .sort();

const REMOVED = [
  'bodyParser',
  'compress',
  'cookieSession',
  'session',
  'logger',
  'cookieParser',
  'favicon',
  'responseTime',
  'errorHandler',
  'timeout',
  'methodOverride',
  'vhost',
  'csrf',
  'directory',
  'limit',
  'multipart',
  'staticCache',
];
for (const name of REMOVED) {
  table.push(
    builds(`express.${name} throws and says what to install`, (express, ctx) => {
      ctx.attempt('read', () => Reflect.get(express, name));
      const found = Object.getOwnPropertyDescriptor(express, name);
      ctx.record(name in express, found?.enumerable, found?.configurable, typeof found?.set);
      ctx.attempt('assign', () => Reflect.set(express, name, 1));
    }),
  );
}

for (const method of [
  'get',
  'post',
  'del',
  'delete',
  'all',
  'head',
  'options',
  'm-search',
  'use',
  'route',
  'param',
  'copy',
  'query',
  'source',
  'configure',
  'dynamicHelpers',
]) {
  table.push(
    builds(`app.${method}, router.${method} and route.${method} exist and refuse wrong calls as in Express 4`, (express, ctx) => {
      const app = wrong(express());
      const targets = { app, router: wrong(express.Router()), route: wrong(v4(express.Router()).route('/r')) };
      for (const [label, target] of Object.entries(targets)) {
        const fn = target[method];
        ctx.record(label, typeof fn, fn?.length);
        if (fn === undefined) continue;
        for (const args of [
          [],
          ['/x'],
          ['/x', undefined],
          ['/x', 'text'],
          ['/x', []],
          ['/x', [where, 7]],
          [where],
          [undefined, where],
          ['/x', {}],
          ['/x', null, where],
        ]) {
          // Its deprecation is told once for each place of the program; upstream takes its own application.js
          // for one, a bundle cannot.
          if (label === 'app' && method === 'param' && args[0] === where) continue;
          ctx.attempt(`${label}.${method}(${args.map((arg) => typeof arg).join()})`, () => typeof target[method]?.(...args));
        }
      }
    }),
  );
}

for (const [setting, values] of Object.entries({
  etag: ['weak', 'strong', true, false, 'x', 0, 1, null, undefined, '', {}, () => 'own'],
  'query parser': ['simple', 'extended', true, false, 'x', 0, null, undefined, '', {}, () => ({ own: 1 })],
  'trust proxy': [true, false, 1, 0, -1, '', '10.0.0.0/8', ['loopback'], [], 'nonsense', null, undefined, {}, Number.NaN],
  'subdomain offset': [0, 1, 3, -1, '2', null, undefined],
  'jsonp callback name': ['cb', '', 'a b', null, undefined, 7],
  'json escape': [true, 1, 'no', null],
  'json spaces': [2, '  ', '--', null, 20],
  'json replacer': [['a'], null, (_key: string, value: unknown) => (value === 1 ? 'one' : value)],
  'x-powered-by': [false, 0, '', 'x', null],
  'case sensitive routing': [1, 'x', null],
  'strict routing': [1, '', undefined],
  env: ['production', '', null, 7],
})) {
  values.forEach((value, index) => {
    table.push(
      serves(
        `the setting ${setting} as ${typeof value} ${typeof value === 'function' ? 'fn' : (JSON.stringify(value) ?? 'undefined')} (${index}) works as upstream's`,
        (app, _express, ctx) => {
          ctx.attempt('set', () => app.set(setting, value) === app);
          ctx.record(app.get(setting), app.set(setting), app.enabled(setting), app.disabled(setting), typeof app.get(`${setting} fn`));
          app.get('/Case', where).get('/jsonp', (_req, res) => res.jsonp({ a: 1, b: ['<&>\u2028'] }));
          app.use((req, res) => {
            ctx.attempt('query', () => req.query);
            ctx.attempt('from', () => [req.ip, req.ips, req.protocol, req.hostname, req.subdomains]);
            res.send({ a: 1, b: ['<&>\u2028'] });
          });
          app.use(onError(failed));
        },
        [
          withHeaders(
            {
              Host: 'one.two.example.com',
              'X-Forwarded-For': '1.2.3.4, 10.0.0.1',
              'X-Forwarded-Host': 'f.example',
              'X-Forwarded-Proto': 'https',
            },
            '/?a[b]=1&c=d&c=e',
          ),
          'GET /jsonp?callback=f&cb=g&undefined=h&7=i&=j&null=k',
          'GET /case/',
        ],
      ),
    );
  });
}

for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'nothing', '', 'etag fn', '@@symbol:trust_proxy_default'])
  table.push(
    builds(`app.get and app.set of the setting ${JSON.stringify(name)} ignore what objects inherit`, (express, ctx) => {
      const [app, sub] = [express(), express()];
      app.use(sub);
      for (const target of [app, sub]) {
        ctx.attempt('get', () => typeof target.get(name));
        ctx.attempt('enabled', () => target.enabled(name));
        ctx.attempt('set', () => target.set(name, 'mine') === target);
        ctx.attempt('get again', () => target.get(name));
      }
    }),
  );

const shape = (app: App): unknown => v4(app)._router?.stack.map(layerShape);

/** What makes the router come into being, and what its stack holds then. */
const STARTS: Record<string, (app: App, express: ExpressModule) => unknown> = {
  nothing: () => undefined,
  'app.use': (app) => app.use(where),
  'app.use with an app': (app, express) => app.use('/sub', express()),
  'app.get with a path': (app) => app.get('/x', where),
  'app.get of a setting': (app) => app.get('etag'),
  'app.all': (app) => app.all('/x', where),
  'app.route': (app) => app.route('/x'),
  'app.param': (app) => app.param('id', (_q, _s, next) => next()),
  'app.lazyrouter': (app) => v4(app).lazyrouter(),
  'app.lazyrouter twice': (app) => [v4(app).lazyrouter(), v4(app).lazyrouter()],
  'a refused app.use': (app) => wrong(app)['use']?.(),
  'a refused handler': (app) => wrong(app)['get']?.('/x', 7),
  'app.handle': (app) => v4(app).handle({ url: '/', method: 'GET' }, {}, () => undefined),
  'app.defaultConfiguration': (app) => v4(app).defaultConfiguration(),
};
for (const [label, start] of Object.entries(STARTS))
  table.push(
    builds(`after ${label} the router and its stack are what upstream has`, (express, ctx) => {
      const app = express();
      ctx.record(Object.hasOwn(app, '_router'), '_router' in app, v4(app)._router === undefined);
      ctx.attempt('start', () => typeof start(app, express));
      ctx.record(Object.hasOwn(app, '_router'), shape(app), Object.keys((app as { _events?: object })._events ?? {}));
      ctx.attempt('router', () => app.router);
    }),
  );

defineSuite(
  [
    ...table,
    builds('the module has the members of Express 4', (express, ctx) => {
      ctx.record(Object.keys(express).sort(), typeof express, express.length, express.name);
      ctx.record(members(express.application));
      ctx.record(members(express.request), Object.getPrototypeOf(express.request) !== Object.prototype);
      ctx.record(members(express.response));
      ctx.record(members(express.Router as unknown as object), members(express.Route), members(express.Route.prototype as object));
      ctx.record(Object.keys(express.static), typeof Reflect.get(express.static, 'mime'));
    }),
    builds('an app has the members of Express 4', (express, ctx) => {
      const app = express();
      ctx.record(Object.keys(app).sort(), app.name, app.length);
      const plain = Object.entries(app.settings).filter(([, value]) => typeof value !== 'function');
      ctx.record(Object.keys(app.settings), plain, Object.keys(app.locals), app.mountpath, app.parent, app.cache, app.engines, app.path());
      ctx.record(Object.getOwnPropertyDescriptor(app, 'router')?.configurable, Object.keys(app.request), Object.keys(app.response));
      ctx.record(Object.getPrototypeOf(app.request) === express.request, Object.getPrototypeOf(app.response) === express.response);
      ctx.attempt('assign router', () => Reflect.set(app, 'router', 1));
    }),
    builds('a router and a route have the members of Express 4', (express, ctx) => {
      const router = express.Router();
      ctx.record(Object.keys(router).sort(), router.name, router.length, Object.getPrototypeOf(router) === (express.Router as unknown));
      ctx.record(members(express.Router({ mergeParams: true, strict: true, caseSensitive: true })));
      ctx.record(
        typeof Reflect.construct(express.Router as unknown as new () => unknown, []),
        Object.keys(v4(router).route('/x') as object),
      );
      const route = new express.Route('/y');
      ctx.record(Object.keys(route).sort(), route.path, route.stack);
      for (const name of ['_handles_method', '_options', 'dispatch']) ctx.record(name, typeof Reflect.get(route, name));
      for (const options of [null, 7, 'x', undefined])
        ctx.attempt(String(options), () => Object.keys(wrong(express)['Router']?.(options) as object).sort());
    }),
    builds('layers show handlers, keys and flags to tools', (express, ctx) => {
      const app = express();
      const router = express.Router().get('/:a', where).use('/m', where);
      const sub = express();
      sub.get('/s', where);
      app.get('/x/:id', where, where).use('/r', router).use('/s', sub).all('*', where).use(/^\/re/, where).use(['/p', '/q'], where);
      app.route('/chain').get(where).all(where).post(where);
      app.use(onError((_error, _req, _res, _next) => undefined));
      ctx.record(shape(app));
      const layer = v4(app)._router?.stack[2] as unknown as Record<string, unknown> & {
        constructor: { prototype: object; name: string; length: number };
      };
      ctx.record(
        ['match', 'handle_request', 'handle_error'].map((name) => typeof Reflect.get(layer.constructor.prototype, name)),
        layer.constructor.name,
        layer.constructor.length,
      );
    }),
    serves(
      'handle_request and handle_error of the layer prototype may be replaced by a tool',
      (app, _express, ctx) => {
        app.get('/a', (_req, _res, next) => next(new Error('x'))).use(onError((_error, _req, res, _next) => void res.end('error')));
        const layer = v4(app)._router?.stack[0] as unknown as {
          constructor: { prototype: Record<string, (...args: unknown[]) => unknown> };
        };
        const proto = layer.constructor.prototype;
        const originals = { handle_request: proto['handle_request'], handle_error: proto['handle_error'], match: proto['match'] };
        for (const [name, original] of Object.entries(originals)) {
          proto[name] = function patched(this: { name: string }, ...args: unknown[]): unknown {
            ctx.record(name, this.name, args.length);
            return original === undefined ? undefined : Reflect.apply(original, this, args);
          };
        }
        app.use('/restore', (_req, res) => {
          Object.assign(proto, originals);
          res.end('restored');
        });
      },
      ['GET /a', 'GET /restore', 'GET /a'],
    ),
    serves(
      'a layer whose handle was replaced calls the new one, as tools rely on',
      (app, _express, ctx) => {
        app.get('/x/:id', where).use('/u', where);
        for (const layer of v4(app)._router?.stack ?? []) {
          const original = layer.handle as unknown as Handler;
          layer.handle = ((req, res, next) => {
            ctx.record('wrapped', layer.name, req.url);
            return original(req, res, next);
          }) as Handler as never;
        }
        for (const layer of v4(app)._router?.stack[2]?.route?.stack ?? []) {
          const original = layer.handle as unknown as Handler;
          layer.handle = ((req, res, next) => {
            ctx.record('wrapped in the route', req.params);
            return original(req, res, next);
          }) as Handler as never;
        }
      },
      ['GET /x/1', 'GET /u/v', 'GET /none'],
    ),
    serves(
      'layers may be taken out of the stack, moved and put in',
      (app, _express, ctx) => {
        app.get('/a', (_req, res) => void res.end('first')).get('/a', (_req, res) => void res.end('second'));
        app.use('/cut', (_req, res) => {
          v4(app)._router?.stack.splice(2, 1);
          res.end(`now ${v4(app)._router?.stack.length}`);
        });
        app.use('/swap', (_req, res) => {
          v4(app)._router?.stack.reverse();
          res.end('reversed');
        });
        ctx.record(v4(app)._router?.stack.map((layer) => layer.name));
      },
      ['GET /a', 'GET /cut', 'GET /a', 'GET /swap', 'GET /a'],
    ),
    serves(
      'without the query layer there is no req.query, and without the init layer no X-Powered-By',
      (app, _express, ctx) => {
        app.use((req, res) => {
          ctx.record(req.query, Object.hasOwn(req, 'query'), res.getHeader('X-Powered-By'));
          res.end('plain');
        });
        app.use('/never', where);
        v4(app)._router?.stack.splice(0, 2);
      },
      ['GET /?a=1'],
    ),
    serves(
      'lazyrouter may be replaced by a tool',
      (app, _express, ctx) => {
        const original = v4(app).lazyrouter;
        v4(app).lazyrouter = function patched(this: unknown): unknown {
          ctx.record('lazyrouter', v4(this)._router === undefined);
          return Reflect.apply(original, this, []);
        };
        app.use(where).get('/x', where);
        app.route('/y');
      },
      ['GET /'],
    ),
    serves(
      'express.query is middleware that parses once',
      (app, express, ctx) => {
        const query = v4(express).query;
        for (const options of [
          undefined,
          {},
          { allowPrototypes: false },
          { depth: 1 },
          { parameterLimit: 1 },
          (text: unknown) => ({ text }),
        ]) {
          ctx.attempt('make', () => [typeof query(options), (query(options) as { name: string; length: number }).name]);
        }
        app.use('/again', query({ depth: 1 }) as Handler).use('/anew', (req, res, next) => {
          Reflect.deleteProperty(req, 'query');
          (query({ depth: 1, allowPrototypes: false }) as Handler)(req, res, next);
        });
        app.use('/own', (req, res, next) => {
          Reflect.set(req, 'query', undefined);
          (query((text: unknown) => ({ text })) as Handler)(req, res, next);
        });
        app.use((req, res) => res.json(req.query));
      },
      ['/again?a[b][c]=1', '/anew?a[b][c]=1&toString=x', '/own?a=1', '/own', '/x?hasOwnProperty=1&toString=y'].map((path) => `GET ${path}`),
    ),
    serves(
      'app.del answers DELETE and is deprecated',
      (app) => {
        v4(app).del('/x', where);
        v4(app).del('/y/:id', [where]);
      },
      [
        { method: 'DELETE', path: '/x' },
        { method: 'DELETE', path: '/y/1' },
        { method: 'GET', path: '/x' },
        { method: 'OPTIONS', path: '/x' },
      ],
    ),
    serves('an app without routes answers 404 without X-Powered-By', () => undefined, [
      'GET /',
      'HEAD /x',
      { method: 'OPTIONS', path: '/' },
      { method: 'POST', path: '/', body: 'x' },
    ]),
    serves('an app with a router answers 404 with X-Powered-By', (app) => v4(app).lazyrouter(), [
      'GET /',
      { method: 'OPTIONS', path: '/' },
    ]),
    serves(
      'X-Powered-By may be switched off and on while requests come',
      (app) => {
        app.use('/off', (_req, res) => {
          app.disable('x-powered-by');
          res.end('off');
        });
        app.use('/on', (_req, res) => {
          app.enable('x-powered-by');
          res.end('on');
        });
        app.use(where);
      },
      ['GET /', 'GET /off', 'GET /', 'GET /on', 'GET /'],
    ),
    serves(
      'a mounted app sees its own settings, and its parent is back afterwards',
      (app, express, ctx) => {
        const sub = express();
        const note: (label: string) => Handler = (label) => (req, res, next) => {
          ctx.record(label, req.app === app, res.app === app, req.app === sub, Object.getPrototypeOf(req) === req.app.request);
          ctx.record(req.baseUrl, req.url, req.originalUrl, req.app.mountpath, req.app.path(), req.query, res.get('X-Powered-By'));
          next();
        };
        sub.on('mount', ((parent: App) => ctx.record('mounted', parent === app, sub.parent === app, sub.mountpath)) as never);
        sub.set('query parser', 'simple').disable('x-powered-by').use(note('in'));
        app.use(note('before')).use('/sub', sub).use(note('after')).use(notFound);
      },
      ['GET /sub/x?a[b]=1', 'GET /other?a[b]=1'],
    ),
    serves(
      'mounting under several paths and more than once keeps the last mount path',
      (app, express, ctx) => {
        const sub = express();
        sub.use((req, res) => res.json([req.app.mountpath, req.baseUrl, req.app.path()]));
        app.use(['/a', '/b'], sub);
        ctx.record(sub.mountpath, sub.path());
        app.use('/c', sub);
        ctx.record(sub.mountpath, sub.path());
      },
      ['GET /a', 'GET /b/x', 'GET /c'],
    ),
    serves(
      'settings, engines and trust are inherited at mount time unless set before',
      (app, express, ctx) => {
        const [plain, trusting, late] = [express(), express(), express()];
        trusting.set('trust proxy', false);
        app.set('trust proxy', true).set('shared', 'from the parent').engine('x', where);
        for (const sub of [plain, trusting, late])
          sub.get('/', (req, res) => res.json([req.ip, req.app.get('shared'), req.app.get('trust proxy')]));
        app.use('/plain', plain).use('/trusting', trusting).use('/late', late);
        late.set('trust proxy', 'loopback').set('shared', 'own');
        ctx.record(Object.keys(plain.settings), Object.keys(trusting.settings), Object.getPrototypeOf(plain.settings) === app.settings);
        ctx.record(Object.getPrototypeOf(plain.engines) === app.engines, Object.getPrototypeOf(plain.request) === app.request);
      },
      ['/plain', '/trusting', '/late'].map((path) => withHeaders({ 'X-Forwarded-For': '9.9.9.9' }, path)),
    ),
    serves(
      'members put on app.request, express.response and express.application are found',
      (app, express, ctx) => {
        Object.defineProperty(app.request, 'mine', { value: 'request', configurable: true });
        Reflect.set(express.response, 'xTeapot', function teapot(this: { status(code: number): { end(text: string): void } }) {
          this.status(418).end('teapot');
        });
        Reflect.set(express.application, 'xShared', 'shared');
        ctx.record(Reflect.get(express(), 'xShared'));
        app.use((req, res) => {
          ctx.record(Reflect.get(req, 'mine'));
          wrong(res)['xTeapot']?.();
          Reflect.deleteProperty(express.response, 'xTeapot');
          Reflect.deleteProperty(express.application, 'xShared');
        });
      },
      ['GET /'],
    ),
    serves(
      'res.locals, req.next and the prototypes are set by the first layer',
      (app, _express, ctx) => {
        app.use((req, res) => {
          ctx.record(Object.keys(req).includes('query'), Object.getPrototypeOf(res.locals) === null);
          ctx.record(req.res === res, res.req === req, typeof req.next, Object.hasOwn(req, 'params'), req.params, req.route);
          Reflect.set(res, 'locals', { replaced: true });
          res.json(res.locals);
        });
      },
      ['GET /'],
    ),
    serves(
      'locals of the prototypes, when they are read, are of no request',
      (app, express, ctx) => {
        const localsOf = (response: unknown): unknown => (response as { locals?: unknown }).locals;
        ctx.record(localsOf(express.response), localsOf(app.response), localsOf(Object.getPrototypeOf(express.response)));
        app.use((req, res) => {
          (Object.create(res) as typeof res).locals[req.path] = true;
          res.json(res.locals);
        });
      },
      ['GET /a', 'GET /b'],
    ),
    serves(
      'locals set before the app are kept',
      (app, express) => {
        const outer = express();
        app.use((_req, res) => res.json(res.locals));
        outer.use((_req, res, next) => {
          res.locals['outer'] = 1;
          next();
        });
        const inner = app.handle.bind(app);
        Reflect.set(app, 'handle', (req: never, res: never, next: never) => {
          Reflect.set(res, 'locals', { before: true });
          return inner(req, res, next);
        });
      },
      ['GET /'],
    ),
  ],
  'express4',
);
