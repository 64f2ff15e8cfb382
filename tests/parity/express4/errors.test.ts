/**
 * Errors in Express 4: the pages of finalhandler 1, what is printed, replies that have begun, statuses of odd
 * errors, views.
 */
import type { ParityCase } from '../harness/case.ts';
import type { Handler } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { onError, serves, withHeaders } from '../express/kit.ts';
import { failed, v4, where } from './kit.ts';

const table: ParityCase[] = [];

const ERRORS: readonly (readonly [string, () => unknown])[] = [
  ['an Error', () => new Error('plain')],
  [
    'an Error with a stack of its own',
    () => Object.assign(new Error('m'), { stack: 'Error: <own> & "stack"\n\n  two  spaces\n    at nowhere' }),
  ],
  ['an Error without a stack', () => Object.assign(new Error('no stack'), { stack: undefined })],
  ['an Error with an empty stack', () => Object.assign(new Error('empty'), { stack: '' })],
  ['a TypeError', () => new TypeError('typed')],
  ['an error class of its own', () => new (class Own extends Error {})('own')],
  ...[200, 300, 399, 400, 404, 418, 429, 500, 502, 599, 600, 999, '404', 404.5, -1, null, Number.NaN, true].flatMap((status) =>
    (['status', 'statusCode'] as const).map(
      (key) =>
        [
          `an Error with the ${key} ${typeof status} ${String(status)}`,
          () => Object.assign(new Error('s'), { [key]: status, stack: 'stack' }),
        ] as const,
    ),
  ),
  ['an Error with both statuses', () => Object.assign(new Error('both'), { status: 402, statusCode: 403, stack: 'stack' })],
  [
    'an Error with a wrong status and a right statusCode',
    () => Object.assign(new Error('both'), { status: 200, statusCode: 403, stack: 'stack' }),
  ],
  [
    'an Error with headers and a status',
    () =>
      Object.assign(new Error('h'), {
        status: 401,
        headers: { 'WWW-Authenticate': 'Basic', 'X-N': 7, 'X-List': ['a', 'b'] },
        stack: 'stack',
      }),
  ],
  ['an Error with headers and no status', () => Object.assign(new Error('h'), { headers: { 'X-Lost': '1' }, stack: 'stack' })],
  ['an Error with headers of a wrong kind', () => Object.assign(new Error('h'), { status: 400, headers: 'X: y', stack: 'stack' })],
  ['an Error that hides its message', () => Object.assign(new Error('hidden'), { status: 404, expose: false, stack: 'stack' })],
  ['a string', () => 'text <b>'],
  ['a long string', () => 'x'.repeat(2000)],
  ['a number', () => 42],
  ['true', () => true],
  ['an object', () => ({ message: 'm', status: 410 })],
  ['an object with toString', () => ({ toString: () => 'printed' })],
  ['an object of null prototype', () => Object.assign(Object.create(null) as object, { status: 409, stack: 'null stack' })],
  ['an array', () => ['a']],
  ['a function', () => function named() {}],
  ['a symbol', () => Symbol('s')],
  ['a Date', () => new Date(0)],
];

const ENVIRONMENTS = ['development', 'production', 'test', '', 'staging'];

for (const [label, make] of ERRORS)
  table.push(
    serves(
      `${label} makes the page of finalhandler 1 in every environment`,
      (app, express) => {
        for (const env of ENVIRONMENTS) {
          const sub = express().set('env', env);
          sub.get('/next', (_req, _res, next) => next(make()));
          sub.use('/status', (_req, res, next) => {
            res.status(503).set({ 'X-Kept': '1', 'Content-Encoding': 'gzip', ETag: '"x"' });
            next(make());
          });
          sub.use(() => {
            throw make();
          });
          // The page is made by the outermost app, so each environment has one of its own.
          app.use(`/${env}`, (req, res) => sub(req, res));
        }
      },
      ENVIRONMENTS.filter((env) => env !== '')
        .flatMap((env) => [`GET /${env}`, `GET /${env}/next`, `GET /${env}/status`])
        .concat('HEAD /production', 'GET /'),
    ),
  );

for (const url of [
  '/',
  '/none?x=1',
  '/%3Cscript%3E',
  '/%zz',
  '//a',
  '/\'"&<>',
  '/a|b',
  '/\\',
  '/[x]',
  'http://parity.test/abs',
  '/%E2%98%83',
])
  table.push(
    serves(
      `the 404 page for ${url} is that of finalhandler 1`,
      (app, express) => {
        app.use('/sub', express.Router());
        app.use('/mounted', express());
      },
      [
        `GET ${url}`,
        { method: 'POST', path: url, body: 'content' },
        { method: 'HEAD', path: url },
        ...(url.startsWith('/') ? [`GET /sub${url}`, `GET /mounted${url}`] : []),
      ],
    ),
  );

const BROKEN: Record<string, Handler> = {
  'a message with a line break in the status text': (_req, res) => {
    res.statusMessage = 'a\nb';
    res.send('x');
  },
  'a field with a bad name': (_req, res) => void res.set('bad name', 'x').send('x'),
  'a field with a bad value': (_req, res) => void res.set('X-Bad', 'a\r\nb').send('x'),
  'JSON that cannot be made': (_req, res) => {
    const value: Record<string, unknown> = {};
    value['self'] = value;
    res.json(value);
  },
  'a missing view': (_req, res) => {
    res.app.engine('tpl', () => undefined).set('views', ['/nowhere', '/nowhere/else']);
    res.render('missing.tpl');
  },
  'a name without an engine': (_req, res) => res.render('missing'),
  'sendFile without a path': (_req, res) => void v4(res).sendFile(),
  'sendFile with a relative path': (_req, res) => void v4(res).sendFile('relative.txt'),
  'sendFile with a number': (_req, res) => void v4(res).sendFile(7),
  'sendFile of nothing': (_req, res) => void v4(res).sendFile('/nowhere/at/all'),
  'sendFile with a malformed option': (_req, res) => void v4(res).sendFile('/nowhere', { dotfiles: 'x' }),
  'download of nothing': (_req, res) => void v4(res).download('/nowhere/at/all', 'name.txt'),
  'format of nothing': (_req, res) => void v4(res).format({}),
  'format without arguments': (_req, res) => void v4(res).format(),
  'a cookie with a bad name': (_req, res) => void v4(res).cookie('bad name', 'x'),
  'a signed cookie without a secret': (_req, res) => void v4(res).cookie('a', 'x', { signed: true }),
  'a secret that is no string': (req, res) => {
    Reflect.set(req, 'secret', 7);
    v4(res).cookie('a', 'x', { signed: true });
  },
};
for (const [label, handler] of Object.entries(BROKEN))
  table.push(
    serves(
      `${label} ends in upstream's page and message`,
      (app) => {
        app.get('/page', handler).get('/text', handler, onError(failed));
        app.use('/text', onError(failed));
      },
      ['GET /page', 'GET /text', 'HEAD /page'],
    ),
  );

defineSuite(
  [
    ...table,
    serves(
      'an error after the head was sent ends the connection and is printed',
      (app) => {
        app.get('/throw', (_req, res) => {
          res.write('begun');
          throw Object.assign(new Error('late'), { stack: 'late stack' });
        });
        app.get('/next', (_req, res, next) => {
          res.write('begun');
          setImmediate(() => next(Object.assign(new Error('later'), { stack: 'later stack' })));
        });
        app.get('/nothing', (_req, res, next) => {
          res.write('begun');
          next();
          setImmediate(() => res.end(', ended later'));
        });
        app.get('/ended', (_req, res, next) => {
          res.end('ended');
          next(Object.assign(new Error('after the end'), { stack: 'ended stack' }));
        });
        app.get('/fine', where);
      },
      ['/throw', '/fine', '/next', '/fine', '/nothing', '/fine', '/ended', '/fine'].map((path) => `GET ${path}`),
      { connection: 'each', probe: false },
    ),
    serves(
      'the page waits for content that nobody has read, and keeps the connection',
      (app) => {
        app.post('/fail', () => {
          throw Object.assign(new Error('x'), { stack: 'stack' });
        });
      },
      [
        { method: 'POST', path: '/fail', body: 'x'.repeat(100_000) },
        { method: 'POST', path: '/none', body: 'y'.repeat(100_000) },
        'GET /after',
      ],
    ),
    serves(
      'console output of an error follows env at the time of the error',
      (app) => {
        app.use('/env', (req, res) => {
          app.set('env', req.path.slice(1));
          res.end('set');
        });
        app.use(() => {
          throw Object.assign(new Error('x'), { stack: 'stack' });
        });
      },
      ['GET /', 'GET /env/test', 'GET /', 'GET /env/production', 'GET /', 'GET /env/development', 'GET /'],
    ),
    serves(
      'an error in a mounted app goes to the handlers of its parent with url and params restored',
      (app, express, ctx) => {
        const [sub, deep] = [express(), express.Router()];
        deep.get('/x', (_req, _res, next) => next(new Error('deep')));
        sub.use('/:b', deep).use(
          onError((error, req, _res, next) => {
            ctx.record('sub', error, req.url, req.baseUrl, req.params, req.app === sub);
            next(error);
          }),
        );
        app.use('/:a', sub).use(
          onError((error, req, res, _next) => {
            ctx.record('app', error, req.url, req.baseUrl, req.params, req.app === app);
            res.status(500).end();
          }),
        );
      },
      ['GET /1/2/x'],
    ),
    serves(
      'a thrown value in an error handler replaces the error',
      (app) => {
        app
          .use((_req, _res, next) => next(new Error('first')))
          .use(
            onError((_error, _req, _res, _next) => {
              throw Object.assign(new Error('second'), { status: 418, stack: 'second stack' });
            }),
          );
      },
      ['GET /', withHeaders({ Accept: 'application/json' })],
    ),
    {
      name: 'NODE_ENV decides env when the app is made',
      app: (express, ctx) => {
        const app = express();
        ctx.record(app.get('env'), app.get('view cache'));
        return app.use(() => {
          throw Object.assign(new Error('x'), { stack: 'stack' });
        });
      },
      requests: ['GET /'],
      options: { env: { NODE_ENV: 'production' } },
    },
  ],
  'express4',
);
