/**
 * The default 404 and error pages, in development, production and test; what is printed; errors with odd
 * fields.
 */
import type { ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { echo, onError, serves } from './kit.ts';

const withStack = (error: Error, stack: unknown): Error => Object.assign(error, { stack });

/** Errors as applications make them. The stack is fixed where the page must be compared byte for byte. */
const errors: readonly (readonly [string, () => unknown])[] = [
  ['an Error', () => new Error('plain')],
  ['an Error with a fixed stack', () => withStack(new Error('x'), 'Error: <b>"x"</b>\n    at  one  &\n\n   two')],
  ['an Error without a stack', () => withStack(new Error('no stack'), undefined)],
  ['an Error with an empty stack', () => withStack(new Error('empty'), '')],
  ['an Error with an object stack', () => withStack(new Error('object'), { a: 1 })],
  ...[399, 400, 404, 418, 500, 503, 599, 600, 200, '404', null, 404.5, Number.NaN].flatMap((status) => [
    [
      `an Error with status ${typeof status} ${String(status)}`,
      () => withStack(Object.assign(new Error('s'), { status }), 'stack'),
    ] as const,
    [
      `an Error with statusCode ${typeof status} ${String(status)}`,
      () => withStack(Object.assign(new Error('s'), { statusCode: status }), 'stack'),
    ] as const,
  ]),
  ['an Error with status and statusCode', () => withStack(Object.assign(new Error('both'), { status: 402, statusCode: 403 }), 'stack')],
  [
    'an Error with headers',
    () => withStack(Object.assign(new Error('h'), { status: 401, headers: { 'WWW-Authenticate': 'Basic', 'X-N': 7 } }), 'stack'),
  ],
  ['an Error with headers but no status', () => withStack(Object.assign(new Error('h'), { headers: { 'X-Lost': '1' } }), 'stack')],
  ['an Error with headers that are a string', () => withStack(Object.assign(new Error('h'), { status: 400, headers: 'X: y' }), 'stack')],
  ['an Error with unicode', () => withStack(new Error('ü'), 'ünï ☃ 🎉 \u0000 \t tab')],
  ['a string', () => 'just text'],
  ['a number', () => 42],
  ['an object', () => ({ message: 'object', status: 410 })],
  ['an object with toString', () => ({ toString: () => 'printed <i>' })],
  ['a null-prototype object', () => Object.assign(Object.create(null) as object, { status: 409 })],
  ['true', () => true],
  ['a symbol', () => Symbol('sym')],
  ['an array', () => ['a', 'b']],
  ['a function', () => function failing() {}],
  ['a Date', () => new Date(0)],
  ['an AggregateError', () => withStack(new AggregateError([new Error('inner')], 'many'), 'aggregate')],
  ['an error with a cause', () => withStack(new Error('outer', { cause: 'inner' }), 'outer stack')],
  ['a frozen error', () => Object.freeze(withStack(new Error('frozen'), 'frozen'))],
];

const table: ParityCase[] = errors.map(([label, make]) =>
  serves(
    `${label} makes upstream's error page in every environment`,
    (app, express) => {
      for (const env of ['development', 'production', 'test', '']) {
        const sub = express()
          .set('env', env)
          .get('/', () => {
            throw make();
          });
        // The page is made by the outermost app, so each environment gets a listener of its own.
        app.use(`/${env}`, (req, res) => sub(req, res));
      }
    },
    [
      'GET /development',
      'GET /production',
      'HEAD /production',
      'GET /test',
      { method: 'POST', path: '/production', body: 'unread content' },
      'GET /',
    ],
  ),
);

const urls = [
  '/none',
  '/a?b=c',
  '/<script>',
  '/%3Cscript%3E',
  '/a b'.replace(' ', '%20'),
  '/%',
  '/%zz',
  '//a//b',
  '/a"b\'c&d',
  'http://parity.test/abs',
  '/',
  `/${'long/'.repeat(100)}`,
  '/%E2%98%83',
  '/\\x',
  '/a|b^c`',
  '/[x]{y}',
];
for (const method of ['GET', 'POST', 'HEAD', 'PUT', 'OPTIONS', 'PROPFIND'])
  table.push(
    serves(
      `a ${method} nobody answers gets upstream's 404 page`,
      () => undefined,
      urls.map((path) => ({ method, path })),
    ),
  );

defineSuite([
  ...table,
  serves(
    'an error whose headers cannot be set is an uncaught error and no answer',
    (app) =>
      app.use(() => {
        throw Object.assign(new Error('h'), { stack: 'stack', status: 400, headers: { 'bad name': 'x' } });
      }),
    ['GET /'],
    { deadlineMs: 300, probe: false },
  ),
  serves(
    'a 404 page replaces content fields and keeps others',
    (app) =>
      app.use((_req, res, next) => {
        res
          .set({
            'Content-Encoding': 'gzip',
            'Content-Language': 'de',
            'Content-Range': 'bytes 0-1/2',
            'X-Kept': '1',
            'Content-Type': 'image/png',
            ETag: '"x"',
            'Cache-Control': 'public',
            'Content-Length': '3',
          })
          .status(299);
        next();
      }),
    ['GET /', 'HEAD /'],
  ),
  serves(
    'an error page keeps the status of the reply when it is an error, else uses 500',
    (app) =>
      app.get('/:code', (req, res) => {
        res.status(Number(req.params['code']));
        throw Object.assign(new Error('x'), { stack: 'stack' });
      }),
    ['GET /200', 'GET /404', 'GET /499', 'GET /599', 'GET /600', 'GET /304', 'GET /399'],
  ),
  serves(
    'an error page replaces the reason phrase',
    (app) =>
      app.use((_req, res) => {
        res.statusMessage = 'Mine';
        throw Object.assign(new Error('x'), { stack: 'stack' });
      }),
    ['GET /'],
  ),
  serves(
    'error and 404 pages wait for unread content and keep the connection',
    (app) => {
      app.post('/fail', () => {
        throw Object.assign(new Error('x'), { stack: 'stack' });
      });
    },
    [
      { method: 'POST', path: '/fail', body: 'x'.repeat(100_000) },
      { method: 'POST', path: '/none', body: 'y'.repeat(100_000) },
      { method: 'POST', path: '/fail', headers: { 'Transfer-Encoding': 'chunked' }, body: '3\r\nabc\r\n0\r\n\r\n' },
      'GET /after',
    ],
  ),
  serves(
    'an error after the head ends the connection, prints, and the next connection works',
    (app) => {
      app
        .get('/late-sync', (_req, res) => {
          res.write('sent');
          throw Object.assign(new Error('late sync'), { stack: 'late stack' });
        })
        .get('/late', (_req, res, next) => {
          res.write('sent');
          setImmediate(() => next(Object.assign(new Error('late'), { stack: 'late stack' })));
        })
        .get('/late-async', async (_req, res) => {
          res.write('sent');
          await new Promise(setImmediate);
          throw Object.assign(new Error('late async'), { stack: 'late stack' });
        })
        .get('/fine', (_req, res) => res.send('fine'));
    },
    ['GET /late-sync', 'GET /fine', 'GET /late', 'GET /fine', 'GET /late-async', 'GET /fine'],
  ),
  serves(
    'an error handler that fails hands its error to the default page',
    (app) => {
      app
        .use(() => {
          throw new Error('first');
        })
        .use(onError(() => undefined))
        .use(
          onError((_error, _req, _res, _next) => {
            throw Object.assign(new Error('second'), { stack: 'second stack', status: 418 });
          }),
        );
    },
    ['GET /'],
  ),
  serves(
    'errors inside a mounted app are printed by the outermost app, by its env',
    (app, express) => {
      app.set('env', 'test').use(
        express()
          .set('env', 'development')
          .use(() => {
            throw Object.assign(new Error('inner'), { stack: 'inner stack' });
          }),
      );
    },
    ['GET /'],
  ),
  serves(
    'a stack with frames is shown up to its frames alike',
    (app) => {
      app.get('/', () => {
        throw new TypeError('multi\nline <message>  with  spaces');
      });
    },
    ['GET /'],
  ),
  serves(
    'a 404 under a mount shows the original address',
    (app, express) => app.use('/m', express.Router().get('/x', echo)).use('/s', express()),
    ['GET /m/none?x=1', 'GET /s/none', 'POST /m/x'],
  ),
  serves(
    'a 404 after req.url was changed shows the original address',
    (app) =>
      app.use((req, _res, next) => {
        req.url = '/changed';
        next();
      }),
    ['GET /original'],
  ),
  {
    name: 'NODE_ENV=production hides the stack',
    app: (express) =>
      express().use(() => {
        throw new Error('hidden');
      }),
    requests: ['GET /', 'HEAD /'],
    options: { env: { NODE_ENV: 'production' } },
  },
  {
    name: 'NODE_ENV=test shows the stack and prints nothing',
    app: (express) =>
      express().use(() => {
        throw Object.assign(new Error('quiet'), { stack: 'quiet stack' });
      }),
    requests: ['GET /'],
    options: { env: { NODE_ENV: 'test' } },
  },
]);
