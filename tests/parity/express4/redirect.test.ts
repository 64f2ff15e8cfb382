/**
 * Where replies of Express 4 send a client: redirect and location in all their forms, `back`, and the fields
 * of vary.
 */
import type { ParityCase } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { handles, withHeaders } from '../express/kit.ts';
import { finish, text, v4 } from './kit.ts';

const table: ParityCase[] = [];

const REDIRECTS: readonly (readonly unknown[])[] = [
  ['/to'],
  [301, '/to'],
  ['/to', 301],
  ['/to', '301'],
  ['301', '/to'],
  [404, '/to'],
  [600, '/to'],
  [299, '/to'],
  [undefined],
  [null],
  [],
  [7],
  [true],
  [{}],
  [['/a', '/b']],
  ['back'],
  [301, 'back'],
  ['back', 307],
  ['BACK'],
  ['/a b?c=d e#f'],
  ['http://user@host/\u00fc'],
  ['https://google.com\\@apple.com'],
  ['//evil'],
  ['\\\\evil'],
  ['/%zz%41'],
  ['/<a>&"\''],
  [302, undefined],
  [undefined, 302],
  [null, '/x'],
  ['/x', undefined],
  ['?q=1'],
  ['#h'],
  ['.'],
  [''],
  ['javascript:alert(1)'],
  [308, 'http://[::1]:8080/x'],
  ['/x', 303, 'third'],
  ['/a|b^c`{}'],
];
for (const args of REDIRECTS)
  table.push(
    handles(
      `res.redirect(${args.map(text).join(', ')}) goes where Express 4 sends it`,
      (_req, res, ctx) => {
        ctx.attempt('redirect', () => v4(res).redirect(...args));
        ctx.record(res.statusCode, res.getHeaders());
        finish(res);
      },
      [
        'GET /',
        'HEAD /',
        withHeaders({ Accept: 'text/html', Referer: 'http://from.example/page?x=1' }),
        withHeaders({ Accept: 'text/plain', Referrer: '/referrer' }),
        withHeaders({ Accept: 'application/json' }),
      ],
    ),
  );

for (const url of [
  'back',
  '/x',
  '',
  undefined,
  null,
  7,
  {},
  ['/a'],
  '/\u2603',
  'http://a.b/c d',
  'http:\\\\x',
  '/a%b',
  new URL('http://u.r/l x'),
])
  table.push(
    handles(
      `res.location of ${typeof url} ${text(url)} sets what Express 4 sets`,
      (_req, res, ctx) => {
        ctx.attempt('location', () => v4(res).location(url) === res);
        ctx.record(res.get('Location'));
        res.end();
      },
      ['GET /', withHeaders({ Referer: 'http://r.example/' }), withHeaders({ Referrer: '/one two', Referer: '/other' })],
    ),
  );

for (const field of [
  undefined,
  null,
  '',
  [],
  'Accept',
  ['Accept', 'origin'],
  'Accept, Origin',
  '*',
  'a b',
  7,
  {},
  ['a\nb'],
  0,
  false,
  [undefined],
])
  table.push(
    handles(`res.vary of ${typeof field} ${text(field)} behaves as in Express 4`, (_req, res, ctx) => {
      ctx.attempt('vary', () => v4(res).vary(field) === res);
      ctx.attempt('again', () => v4(res).vary('accept') === res);
      ctx.record(res.get('Vary'));
      res.end();
    }),
  );

defineSuite(table, 'express4');
