/** res.redirect: statuses, addresses, bodies by Accept, deprecated and wrong calls. */
import type { ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { handles, serves, withHeaders, wrong } from './kit.ts';

const addresses = [
  '/next',
  'http://example.com',
  '../up',
  './here',
  '//other.example/x',
  '/a?b=c&d="e"',
  '/<script>alert(1)</script>',
  '/ünï',
  '/a b',
  '/%7Buser%7D',
  '/a\r\nX-Injected: 1',
  'javascript:alert(1)',
  'back',
  '',
  "http://example.com/?x=<y>&z='w'",
  'https://google.com\\@apple.com',
  '/☃',
];
const table: ParityCase[] = addresses.map((address) =>
  handles(
    `a redirect to ${JSON.stringify(address)} is encoded, escaped and answered by Accept`,
    (_req, res, ctx) => ctx.attempt('redirect', () => res.redirect(address)) ?? (res.headersSent || res.end()),
    [
      'GET /',
      'HEAD /',
      ...['text/html', 'text/plain', 'application/json', '*/*', 'image/png', 'text/*;q=0.1, text/html;q=0'].map((Accept) =>
        withHeaders({ Accept }),
      ),
    ],
  ),
);

for (const status of [301, 302, 303, 307, 308, 300, 304, 200, 204, 404, 799, 99, 1000, '301', 'x', null, undefined, Number.NaN, 301.5]) {
  table.push(
    handles(
      `a redirect with the status ${typeof status} ${String(status)}`,
      (_req, res, ctx) => {
        ctx.attempt('redirect', () => wrong(res)['redirect']?.(status, '/to'));
        if (!res.headersSent) res.status(500).end('not redirected');
      },
      ['GET /', withHeaders({ Accept: 'text/html' }), 'HEAD /'],
    ),
  );
}

for (const address of [undefined, null, 7, 0, {}, [], ['/a'], true, Symbol('s'), new URL('http://example.com/a b')]) {
  table.push(
    handles(
      `a redirect to a ${typeof address}, ${String(Array.isArray(address) ? `[${address.join()}]` : (address as object)?.toString())}, warns or throws alike`,
      (_req, res, ctx) => {
        ctx.attempt('one', () => wrong(res)['redirect']?.(address));
        if (!res.headersSent) ctx.attempt('two', () => wrong(res)['redirect']?.(301, address));
        if (!res.headersSent) res.status(500).end('not redirected');
      },
    ),
  );
}

defineSuite([
  ...table,
  handles('a redirect without arguments', (_req, res, ctx) => {
    ctx.attempt('redirect', () => wrong(res)['redirect']?.());
    if (!res.headersSent) res.end();
  }),
  handles('a redirect keeps other fields and adds Vary', (_req, res) => res.set('X-A', '1').vary('Origin').type('json').redirect('/x')),
  handles('a redirect of the arguments in the wrong order', (_req, res, ctx) => {
    ctx.attempt('redirect', () => wrong(res)['redirect']?.('/x', 301));
    if (!res.headersSent) res.end();
  }),
  serves(
    'a redirect from a mounted router is not made relative to it',
    (app, express) =>
      app.use(
        '/m',
        express.Router().get('/x', (_req, res) => res.redirect('y')),
      ),
    ['GET /m/x'],
  ),
  handles('a redirect to "back" has no special meaning any more', (_req, res) => res.redirect('back'), [
    withHeaders({ Referer: 'http://from.example/' }),
  ]),
  handles('a redirect does not end the handler', (_req, res, ctx) => {
    res.redirect('/x');
    ctx.record(res.headersSent, res.writableEnded, res.statusCode, res.get('Location'));
  }),
]);
