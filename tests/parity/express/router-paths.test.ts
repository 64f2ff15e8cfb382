/**
 * Path patterns: parameters, wildcards, groups, regular expressions, arrays, encodings, and patterns that
 * throw.
 */
import type { ParityCase, RequestInput } from '../harness/case.ts';
import type { Req, Res } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { builds, echo, onError, serves, showError, wrong } from './kit.ts';

const get = (path: string): RequestInput => ({ method: 'GET', path });

/** A pattern and the paths tried against it, once as a route and once as a mount. */
const patterns: readonly (readonly [string | RegExp | readonly (string | RegExp)[], readonly string[]])[] = [
  ['/', ['/', '', '//', '/a', '/?a=1', '/.', '/%2F']],
  [
    '/user/:id',
    [
      '/user/1',
      '/user/',
      '/user',
      '/user/1/',
      '/user/1/2',
      '/user/a%20b',
      '/user/a%2Fb',
      '/user/%zz',

      '/user/%C3%A9',
      '/user//1',
      '/USER/1',
    ],
  ],
  ['/:a-:b', ['/1-2', '/1-2-3', '/-', '/1-', '/a.b-c']],
  ['/:a.:b', ['/x.y', '/x.y.z', '/.x', '/x.']],
  ['/flights/:from-:to', ['/flights/LAX-SFO', '/flights/LAX', '/flights/L-A-X']],
  ['/:"quoted name"', ['/x', '/']],
  ['/:naïve', ['/x']],
  ['/:a/:a', ['/1/2']],
  ['/:__proto__', ['/x']],
  ['/:constructor/:toString', ['/x/y']],
  ['/:0/:1', ['/x/y']],
  [
    '/files/*path',
    ['/files/a', '/files/a/b/c', '/files/', '/files', '/files/a//b', '/files/a%2Fb/c', '/files/%zz/x', '/files//', '/files/a/'],
  ],
  ['/*splat', ['/', '/a', '/a/b/', '//a', '/%20']],
  ['/{*splat}', ['/', '/a', '/a/b/', '', '//']],
  ['/a/*mid/z', ['/a/b/z', '/a/b/c/z', '/a/z', '/a//z', '/a/z/z']],
  ['/*one/x/*two', ['/a/x/b', '/a/b/x/c/d', '/x/x/x', '/x/x/x/x/x']],
  ['/pre*rest', ['/pre', '/prefix', '/pre/a', '/prex/a/b']],
  ['/opt{/:x}', ['/opt', '/opt/1', '/opt/', '/opt/1/2']],
  ['/opt{/:x}{/:y}', ['/opt', '/opt/1', '/opt/1/2', '/opt/1/2/3']],
  ['/opt{/:x{/:y}}', ['/opt', '/opt/1', '/opt/1/2']],
  ['/file{.:ext}', ['/file', '/file.txt', '/file.', '/file.a.b']],
  ['/:name{.:ext}', ['/file', '/file.txt', '/a.b.c', '/.env']],
  ['{/:lang}/about', ['/about', '/en/about', '/en/us/about']],
  ['/lit\\:x', ['/lit:x', '/litx', '/lit%3Ax']],
  ['/star\\*', ['/star*', '/starx', '/star%2A']],
  ['/paren\\(x\\)', ['/paren(x)', '/paren']],
  ['/a.b', ['/a.b', '/axb', '/a%2Eb']],
  ['/a b', ['/a%20b', '/a+b', '/ab']],
  ['/a%20b', ['/a%20b', '/a%2520b']],
  ['/ünï', ['/%C3%BCn%C3%AF', '/u']],
  ['/a$b^c|d', ['/a$b^c|d', '/a%24b']],
  ['/trailing/', ['/trailing', '/trailing/', '/trailing//']],
  ['//double', ['//double', '/double']],
  ['noslash', ['/noslash', 'noslash']],
  ['', ['/', '/a', '']],
  [/^\/re$/, ['/re', '/re/', '/RE', '/rex']],
  [/\/re/i, ['/re', '/a/re', '/REx', '/x']],
  [/^\/(\d+)(?:-(\d+))?$/, ['/12', '/12-34', '/a', '/12-']],
  [/^\/(?<year>\d{4})\/(?<slug>[^/]+)$/, ['/2024/post', '/24/post', '/2024/a%20b', '/2024/%zz']],
  [/^\/(?<a>x)?(y)?/, ['/x', '/y', '/xy', '/z', '/']],
  [/^\/g(.*)\/(.*)h$/g, ['/ga/bh', '/ga/bh', '/g/h']],
  [/^\/sticky/y, ['/sticky', '/sticky', '/x/sticky']],
  [/(?:)/, ['/', '/x']],
  [/.*fly$/, ['/butterfly', '/fly', '/flyer']],
  [/^\/(?:(a)|(b))$/, ['/a', '/b']],
  [/^\/\((x)\)$/, ['/(x)', '/x']],
  [/^\/(?!no)(\w+)$/, ['/yes', '/no', '/nope']],
  [
    ['/one', '/two/:x', /^\/three(\d)$/],
    ['/one', '/two/2', '/three3', '/four', '/two'],
  ],
  [['/same/:a', '/same/:b'], ['/same/1']],
  [[], ['/', '/x']],
];

const shown = (pattern: unknown): string =>
  Array.isArray(pattern) ? `[${pattern.map(shown).join(', ')}]` : typeof pattern === 'string' ? `"${pattern}"` : String(pattern);

const table: ParityCase[] = patterns.map(([pattern, paths]) =>
  serves(
    `the pattern ${shown(pattern)} matches, as a route and as a mount, what upstream matches`,
    (app, express, ctx) => {
      const route = express.Router();
      const mount = express.Router();
      ctx.attempt('route', () => typeof route.get(pattern, echo));
      ctx.attempt('mount', () => typeof mount.use(pattern, echo));
      app.use('/route', route).use('/mount', mount);
      app.use(onError((error, req, res, _next) => res.status(error.status ?? 500).json([error.message, error.name, req.url, req.params])));
    },
    paths.flatMap((path) => [get(`/route${path}`), get(`/mount${path}`)]),
  ),
);

for (const pattern of [
  '/user(s)?',
  '/ab?cd',
  '/ab+cd',
  '/ab*cd',
  '/*',
  '*',
  '/:',
  '/:/x',
  '/:id(\\d+)',
  '/{a',
  '/a}',
  '/(a|b)',
  '/[a]',
  '/a!',
  '/:"',
  '/:""',
  '/**',
  '/a\\',
  '/{/:x}?',
  '/x/:y*',
  '(.*)',
  '/{}',
  '/a{b}c',
  '/a;b',
  '/:a:b',
  '/*a*b',
  '/:a*b',
]) {
  table.push(
    builds(`the pattern ${JSON.stringify(pattern)} is accepted or refused with upstream's message, everywhere`, (express, ctx) => {
      for (const method of ['get', 'use', 'all', 'route']) {
        ctx.attempt(`app.${method}`, () => typeof wrong(express())[method]?.(pattern, echo));
        ctx.attempt(`router.${method}`, () => typeof wrong(express.Router())[method]?.(['/fine', pattern], echo));
      }
    }),
  );
}

for (const pattern of [undefined, null, 7, true, {}, { toString: () => '/object' }, [undefined], [7], Symbol('s')]) {
  table.push(
    builds(
      `a pattern of type ${typeof pattern}, ${Array.isArray(pattern) ? `[${String(pattern[0])}]` : pattern?.toString()}, is accepted or refused alike`,
      (express, ctx) => {
        for (const method of ['get', 'use', 'all', 'route', 'post']) {
          ctx.attempt(`app.${method}`, () => typeof wrong(express())[method]?.(pattern, echo));
          ctx.attempt(`router.${method}`, () => typeof wrong(express.Router())[method]?.(pattern, echo));
        }
      },
    ),
  );
}

for (const options of [
  {},
  { strict: true },
  { caseSensitive: true },
  { strict: true, caseSensitive: true },
  { strict: false, caseSensitive: false },
  undefined,
]) {
  table.push(
    serves(
      `express.Router(${JSON.stringify(options)}) decides case and trailing slashes for routes and mounts`,
      (app, express) => {
        const router = express.Router(options);
        router
          .get('/Foo', echo)
          .get('/bar/', echo)
          .use('/Mount/', echo)
          .get('/p/:x/', echo)
          .get(/^\/Re\/$/, echo);
        app.use(router);
      },
      [
        '/Foo',
        '/foo',
        '/Foo/',
        '/bar',
        '/bar/',
        '/Bar/',
        '/Mount',
        '/mount/',
        '/Mount/x',
        '/p/1',
        '/p/1/',
        '/P/1',
        '/Re/',
        '/re/',
        '/Foo//',
      ].map(get),
    ),
  );
}

defineSuite([
  ...table,
  serves(
    'a path that cannot be decoded becomes a 400 that error handlers see',
    (app) => {
      app.get('/:name', echo).use('/m/:x', echo).use(showError);
    },
    ['GET /%', 'GET /%E0%A4%A', 'GET /m/%FF', 'GET /ok', 'GET /%00'],
  ),
  serves('a path that cannot be decoded is a 400 on the default error page', (app) => app.get('/:name', echo), [
    'GET /%',
    'HEAD /%',
    'POST /%',
  ]),
  serves(
    'a failed decoding is held while later layers are tried',
    (app, _express, ctx) => {
      app.get('/:name', echo).get('/*rest', echo);
      app.use((_req, _res, next) => {
        ctx.record('plain middleware');
        next();
      });
      app.use(showError);
    },
    ['GET /%'],
  ),
  serves('double slashes, dots and encoded slashes reach handlers untouched', (app) => app.use(echo), [
    'GET //',
    'GET //a//b',
    'GET /../a',
    'GET /./a',
    'GET /a/../b',
    'GET /%2e%2e/a',
    'GET /a%2Fb',
    'GET /a%5Cb',
    'GET /a;b=c',
    'GET /a,b',
    'GET /~a',
    "GET /a'b",
    'GET /a"b',
  ]),
  serves(
    'absolute request targets are routed by their path',
    (app) => {
      app.use('/mount', echo).get('/a', echo).get('/', echo);
    },
    [
      'http://parity.test/a',
      'http://parity.test/mount/x?y=1',
      'http://parity.test',
      'http://parity.test/',
      'http://other.test/a',
      'http://parity.test/none',
    ].map(get),
  ),
  serves(
    'an asterisk request target is seen as upstream sees it',
    (app) => {
      app.use((req, res) => res.json([req.url, req.path, req.originalUrl]));
    },
    [{ method: 'OPTIONS', path: '*' }],
  ),
  serves('query strings of every shape stay out of the path', (app) => app.get('/p', echo), [
    'GET /p?',
    'GET /p?a',
    'GET /p??',
    'GET /p?a=/b/c',
    'GET /p?a=1%23frag',
    'GET /p/?x',
    'GET /?p',
  ]),
  serves(
    'mergeParams gives a router the parameters of its parents, and its own win',
    (app, express) => {
      const inner = express.Router({ mergeParams: true });
      inner.get('/:b', echo).get('/same/:a', echo).get('/', echo);
      const plain = express.Router().get('/:b', echo);
      const deep = express.Router({ mergeParams: true }).use('/d/:c', inner);
      app.use('/m/:a', inner).use('/p/:a', plain).use('/x/:x', deep);
    },
    ['/m/1/2', '/m/1/same/2', '/m/1', '/p/1/2', '/x/1/d/2/3', '/m/1%20/2%20'].map(get),
  ),
  serves(
    'mergeParams renumbers the groups of regular expressions',
    (app, express) => {
      const inner = express.Router({ mergeParams: true });
      inner
        .get(/^\/(\d)(\d)$/, echo)
        .get(/^\/n(?<n>\d)$/, echo)
        .get(/^\/o(\d)?(\d)?$/, echo);
      app.use(/^\/([a-z])(\w)/, inner).use('/:0', inner);
    },
    ['/ab/12', '/ab/n1', '/9/12', '/9/n3', '/ab/o', '/ab/o1'].map(get),
  ),
  serves(
    'params are restored after a nested router',
    (app, express, ctx) => {
      const inner = express.Router().get('/:b', (req, _res, next) => {
        ctx.record(req.params);
        next();
      });
      app.use('/:a', inner, (req, res) => {
        ctx.record(req.params, req.baseUrl, req.url);
        res.end();
      });
    },
    ['GET /1/2'],
  ),
  serves(
    'params objects have no prototype',
    (app, _express, ctx) => {
      app.get('/:a', (req, res) => {
        ctx.record(Object.getPrototypeOf(req.params), req.params['hasOwnProperty'], Object.keys(req.params));
        res.end();
      });
      app.use((req, res) => {
        ctx.record(req.params, Object.getPrototypeOf(req.params));
        res.end();
      });
    },
    ['GET /x', 'GET /x/y'],
  ),
  serves(
    'a handler may change req.url for the layers after it',
    (app) => {
      app.use('/m', (req, _res, next) => {
        req.url = '/changed?x=1';
        next();
      });
      app.use((req, _res, next) => {
        if (req.url === '/rewrite') req.url = '/target?y=2';
        if (req.url === '/empty') req.url = '';
        next();
      });
      app.get('/target', echo).use(echo);
    },
    ['GET /m/x', 'GET /rewrite', 'GET /m', 'GET /empty', 'GET /other'],
  ),
  serves(
    'a handler may change req.url under a mount to something without a slash',
    (app) => {
      app.use('/m', (req, _res, next) => {
        req.url = String(req.query['to']);
        next();
      });
      app.use(echo);
    },
    ['GET /m?to=x', 'GET /m/?to=/x', 'GET /m?to=', 'GET /m/a?to=//b', 'GET /m?to=/'],
  ),
  serves(
    'a handler may change req.method for the layers after it',
    (app) => {
      app.use((req, _res, next) => {
        req.method = String(req.query['as']);
        next();
      });
      app.get('/', echo).put('/', echo).all('/all', echo);
    },
    ['GET /?as=PUT', 'GET /?as=put', 'POST /?as=GET', 'GET /all?as=STRANGE', 'GET /?as=POST'],
  ),
  serves(
    'a unicode path pattern and encoded requests meet only after decoding by nobody',
    (app) => {
      app.get('/café/:x', echo).get(encodeURI('/naïve'), echo);
    },
    ['GET /caf%C3%A9/1', 'GET /na%C3%AFve', 'GET /na%c3%afve'],
  ),
  serves(
    'very long paths and many parameters are matched',
    (app) => {
      app.get(`/${Array.from({ length: 30 }, (_, i) => `:p${i}`).join('/')}`, echo).get('/long/:x', echo);
    },
    [`/${Array.from({ length: 30 }, (_, i) => i).join('/')}`, `/long/${'x'.repeat(4000)}`].map(get),
  ),
  serves(
    '120 layers and 120 routes are passed in order without overflowing',
    (app, _express, ctx) => {
      let seen = 0;
      for (let i = 0; i < 350; i++) {
        app.use((_req, _res, next) => {
          seen++;
          next();
        });
      }
      for (let i = 0; i < 120; i++) app.get('/x', (_req, _res, next) => next());
      app.get(
        '/x',
        Array.from({ length: 250 }, () => (_req: unknown, _res: unknown, next: () => void) => next()),
        (_req: Req, res: Res) => {
          ctx.record(seen);
          res.end();
        },
      );
    },
    ['GET /x'],
  ),
]);
