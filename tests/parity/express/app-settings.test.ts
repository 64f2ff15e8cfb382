/** app.set, app.get(setting), enable, disable, enabled, disabled and every documented setting. */
import type { ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { builds, echo, handles, reads, serves, wrong } from './kit.ts';

const table: ParityCase[] = [];

for (const value of [true, false, 'weak', 'strong', 'nonsense', 0, null, undefined, 42]) {
  table.push(
    serves(
      `the etag setting ${String(value)} of type ${typeof value} is accepted or refused alike`,
      (app, _express, ctx) => {
        ctx.attempt('set', () => typeof app.set('etag', value));
        ctx.record(app.get('etag'), typeof app.get('etag fn'));
        app.get('/', (_req, res) => res.send('tagged')).get('/buffer', (_req, res) => res.send(Buffer.alloc(2000, 'x')));
      },
      ['GET /', 'GET /buffer', { method: 'HEAD', path: '/' }],
    ),
  );
}

for (const value of [true, false, 'simple', 'extended', 'nonsense', null, undefined, 7]) {
  table.push(
    serves(
      `the query parser setting ${String(value)} of type ${typeof value} parses alike`,
      (app, _express, ctx) => {
        ctx.attempt('set', () => typeof app.set('query parser', value));
        app.get('/', (req, res) => {
          ctx.record(req.query);
          res.end();
        });
      },
      [
        'GET /',
        'GET /?a=1&b=2',
        'GET /?a[b]=c&d[]=1&d[]=2',
        'GET /?a=1&a=2',
        'GET /?a.b=1&__proto__[x]=1',
        'GET /?a=%zz&b=%20+c',
        'GET /?=&&a',
        'GET /?hasOwnProperty=1',
      ],
    ),
  );
}

for (const [name, value, body] of [
  ['json spaces', 2, { a: { b: [1] } }],
  ['json spaces', '\t', { a: 1 }],
  ['json replacer', (key: string, value: unknown) => (key === 'secret' ? undefined : value), { a: 1, secret: 2 }],
  ['json replacer', ['a'], { a: 1, b: 2 }],
  ['json escape', true, { html: '<script>&amp;</script>', '<key>': 1 }],
  ['json escape', false, { html: '<b>' }],
] as const) {
  table.push(
    serves(
      `the setting ${name} = ${String(value)} shapes res.json, res.jsonp and res.send alike`,
      (app) => {
        app.set(name, value);
        app
          .get('/json', (_req, res) => res.json(body))
          .get('/jsonp', (_req, res) => res.jsonp(body))
          .get('/send', (_req, res) => res.send(body));
        app.get('/undefined', (_req, res) => res.json(undefined));
      },
      ['GET /json', 'GET /jsonp', 'GET /jsonp?callback=cb', 'GET /send', 'GET /undefined'],
    ),
  );
}

for (const [sensitive, strict] of [
  [false, false],
  [true, false],
  [false, true],
  [true, true],
] as const) {
  table.push(
    serves(
      `case sensitive routing ${sensitive} with strict routing ${strict} decides which paths match`,
      (app) => {
        app.set('case sensitive routing', sensitive).set('strict routing', strict);
        app
          .get('/Foo', (_req, res) => res.send('Foo'))
          .get('/bar/', (_req, res) => res.send('bar/'))
          .use('/Mount', echo);
      },
      ['GET /Foo', 'GET /foo', 'GET /FOO/', 'GET /bar', 'GET /bar/', 'GET /BAR', 'GET /mount/x', 'GET /Mount', 'GET /Mount/', 'GET /Foo//'],
    ),
  );
}

for (const value of ['cb', 'x-y', '', 0]) {
  table.push(
    serves(
      `the jsonp callback name ${JSON.stringify(value)} is read from the query`,
      (app) => {
        app.set('jsonp callback name', value).get('/', (_req, res) => res.jsonp({ a: 1 }));
      },
      ['GET /', 'GET /?cb=one', 'GET /?callback=two', 'GET /?x-y=three', 'GET /?0=four'],
    ),
  );
}

for (const [env, setting] of [
  ['production', 'production'],
  ['test', 'test'],
  ['', 'development'],
  ['staging', 'staging'],
] as const) {
  table.push({
    name: `NODE_ENV ${JSON.stringify(env)} makes the env setting ${setting} and decides the view cache`,
    app: (express, ctx) => {
      const app = express();
      ctx.record(app.get('env'), app.get('view cache'), app.enabled('view cache'), Object.keys(app.settings));
      return app;
    },
    options: { env: { NODE_ENV: env } },
  });
}

for (const offset of [0, 1, 2, 3, 4, 10]) {
  table.push(
    reads(
      `subdomain offset ${offset} cuts the host from the right`,
      (req) => req.subdomains,
      ['a.b.c.example.com', 'example.com', 'com', '127.0.0.1', '[::1]:80', 'a.b.example.com:8080'].map((Host) => ({ headers: { Host } })),
      { 'subdomain offset': offset },
    ),
  );
}

defineSuite([
  ...table,
  builds('app.set returns the app, and with one argument the value', (express, ctx) => {
    const app = express();
    ctx.record(app.set('a', 1) === app, app.set('a'), app.get('a'), app.set('missing'), app.get('missing'));
    ctx.record(app.set('b', undefined) === app, Object.hasOwn(app.settings, 'b'), app.get('b'));
  }),
  builds('enable, disable, enabled and disabled go by truthiness', (express, ctx) => {
    const app = express();
    ctx.record(app.enable('a') === app, app.get('a'), app.enabled('a'), app.disabled('a'));
    ctx.record(app.disable('a') === app, app.get('a'), app.enabled('a'), app.disabled('a'));
    for (const value of [0, '', 'x', null, undefined, Number.NaN, {}]) {
      app.set('v', value);
      ctx.record(app.enabled('v'), app.disabled('v'));
    }
  }),
  builds('settings named like members of Object.prototype are plain settings', (express, ctx) => {
    const app = express();
    for (const name of ['hasOwnProperty', 'toString', '__proto__', 'constructor']) {
      ctx.record(name, app.get(name), app.enabled(name));
      ctx.attempt('set', () => app.set(name, 'mine').get(name));
    }
  }),
  builds('app.get without a path and app.set without a name do what upstream does', (express, ctx) => {
    const app = express();
    ctx.attempt('get()', () => wrong(app)['get']?.());
    ctx.attempt('set()', () => wrong(app)['set']?.() === app);
    ctx.attempt('get(null)', () => wrong(app)['get']?.(null));
    ctx.attempt('enabled()', () => wrong(app)['enabled']?.());
  }),
  builds('a setting assigned directly is seen by get', (express, ctx) => {
    const app = express();
    app.settings['direct'] = 5;
    ctx.record(app.get('direct'), Object.keys(app.locals['settings'] as object));
  }),
  serves(
    'a custom etag function gets the body and its encoding',
    (app, _express, ctx) => {
      app.set('etag', (body: unknown, encoding: unknown) => {
        ctx.record(Buffer.isBuffer(body), String(body), encoding);
        return '"custom"';
      });
      app
        .get('/s', (_req, res) => res.send('text'))
        .get('/b', (_req, res) => res.send(Buffer.from('bytes')))
        .get('/j', (_req, res) => res.json([1]));
    },
    ['GET /s', 'GET /b', 'GET /j', { path: '/s', headers: { 'If-None-Match': '"custom"' } }],
  ),
  serves(
    'a custom etag function that returns nothing leaves the field out',
    (app) => {
      app.set('etag', () => undefined).get('/', (_req, res) => res.send('x'));
    },
    ['GET /'],
  ),
  serves(
    'a custom etag function that throws ends in the error page',
    (app) => {
      app
        .set('etag', () => {
          throw new Error('no tag');
        })
        .get('/', (_req, res) => res.send('x'));
    },
    ['GET /'],
  ),
  serves(
    'a custom query parser gets the raw query string',
    (app, _express, ctx) => {
      app
        .set('query parser', (query: unknown) => {
          ctx.record(query);
          return { parsed: query };
        })
        .get('/', (req, res) => res.json(req.query));
    },
    ['GET /', 'GET /?', 'GET /?a=b%20c', 'GET /?x?y'],
  ),
  serves(
    'changing the query parser between requests takes effect',
    (app) => {
      app.get('/set/:parser', (req, res) => {
        app.set('query parser', req.params['parser']);
        res.json(req.query);
      });
    },
    ['GET /set/extended?a[b]=1', 'GET /set/simple?a[b]=1', 'GET /set/simple?a[b]=1'],
  ),
  serves(
    'changing the etag setting between requests takes effect',
    (app) => {
      app.get('/', (req, res) => {
        const body = 'same body';
        res.send(body);
        app.set('etag', req.query['next'] === 'off' ? false : String(req.query['next']));
      });
    },
    ['GET /?next=strong', 'GET /?next=off', 'GET /?next=weak', 'GET /?next=weak'],
  ),
  serves(
    'x-powered-by can be disabled and enabled again',
    (app) => {
      app.disable('x-powered-by').get('/:to', (req, res) => {
        app.set('x-powered-by', req.params['to'] === 'on');
        res.end('x');
      });
    },
    ['GET /on', 'GET /off', 'GET /off', 'GET /missing/path'],
  ),
  serves(
    'a handler can remove or replace X-Powered-By',
    (app) => {
      app.get('/remove', (_req, res) => res.removeHeader('X-Powered-By') ?? res.send('x'));
      app.get('/replace', (_req, res) => res.set('x-powered-by', 'PHP').send('x'));
    },
    ['GET /remove', 'GET /replace'],
  ),
  serves(
    'case sensitivity set after the router exists has no effect on it',
    (app) => {
      app.get('/Early', echo);
      app.enable('case sensitive routing').enable('strict routing');
      app.get('/Late', echo);
    },
    ['GET /early', 'GET /late', 'GET /late/'],
  ),
  handles('settings are visible through req.app and res.app', (req, res) =>
    res.json([req.app.get('env'), res.app.get('etag'), req.app.get('subdomain offset')]),
  ),
  builds('the trust proxy setting refuses what it cannot read', (express, ctx) => {
    for (const value of ['nonsense', '10.0.0.0/99', '300.1.1.1', {}, ['loopback', 'x'], Number.NaN, null, undefined, '']) {
      ctx.attempt(`trust ${String(value)}`, () => typeof express().set('trust proxy', value).get('trust proxy fn'));
    }
  }),
]);
