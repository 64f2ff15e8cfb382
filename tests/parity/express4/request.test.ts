/**
 * The request of Express 4: param, the deprecated accepts methods, host, an own and writable query, the
 * extended parser, trust.
 */
import type { ParityCase, RequestInput } from '../harness/case.ts';
import type { Handler } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { handles, onError, reads, serves, withHeaders, wrong } from '../express/kit.ts';
import { v4, where } from './kit.ts';

const table: ParityCase[] = [];

const QUERIES = [
  '',
  '?',
  '?a',
  '?a=',
  '?=b',
  '?a=1&a=2',
  '?a=1&b=2&c=3',
  '?a[b]=1&a[c]=2',
  '?a[]=1&a[]=2',
  '?a[0]=x&a[5]=y',
  '?a[1001]=x',
  '?a[b][c][d][e][f][g][h]=1',
  '?a.b=1',
  '?a%5Bb%5D=1',
  '?a=%zz',
  '?a=%C3%28',
  '?a=b+c%20d',
  '?a=b=c',
  '?a;b',
  '?__proto__=1',
  '?__proto__[x]=1',
  '?a[__proto__]=1',
  '?constructor=1',
  '?toString=1',
  '?hasOwnProperty=1',
  '?a[hasOwnProperty]=1',
  '?a[constructor][prototype]=1',
  '?length=1',
  '?a[length]=3',
  '?a=1&a[b]=2',
  '?a[b]=1&a=2',
  '?a[]=1&a[b]=2',
  '?a[]',
  '?a[',
  '?a]=1',
  '?[a]=1',
  '?[]=1',
  '?a[b]c=1',
  '?%61=b',
  '?a=%00',
  '?\u00fc=1'.replace('\u00fc', '%C3%BC'),
  '??a=1',
  '?a=?',
  '?&&a=1&&',
  '?a=true&b=null&c=undefined',
  `?${Array.from({ length: 30 }, (_, i) => `a=${i}`).join('&')}`,
  `?${Array.from({ length: 30 }, (_, i) => `a[]=${i}`).join('&')}`,
  `?${Array.from({ length: 30 }, (_, i) => `a[${i}]=${i}`).join('&')}`,
  `?${Array.from({ length: 1005 }, (_, i) => `k${i}=`).join('&')}`,
  `?${Array.from({ length: 1002 }, () => 'a=').join('&')}`,
];
for (const parser of ['extended', 'simple', false, true, 'a function'] as const)
  for (const query of QUERIES)
    table.push(
      serves(
        `the query ${query.length > 60 ? `${query.slice(0, 20)}... of ${query.length} characters` : query} with the parser ${String(parser)} is upstream's`,
        (app, _express, ctx) => {
          app.set('query parser', parser === 'a function' ? (text: unknown) => ({ given: text, type: typeof text }) : parser);
          app.use((req, res) => {
            ctx.record(req.query, Object.getPrototypeOf(req.query) === null, Object.keys(req.query).length);
            res.end();
          });
        },
        [`GET /${query}`, `GET http://parity.test/x${query}`],
      ),
    );

const BODY: RequestInput = {
  method: 'POST',
  path: '/q/1?name=query&toString=q',
  body: '{"name":"body","zero":0,"no":null}',
  headers: { 'Content-Type': 'application/json' },
};
for (const name of [
  'id',
  'name',
  'zero',
  'no',
  'missing',
  'toString',
  'hasOwnProperty',
  '__proto__',
  'constructor',
  '0',
  '',
  undefined,
  null,
  7,
])
  table.push(
    serves(
      `req.param of ${typeof name} ${String(name)} looks into params, body and query in this order`,
      (app, express, ctx) => {
        const read: Handler = (req, res) => {
          ctx.attempt('one', () => v4(req).param(name));
          ctx.attempt('two', () => v4(req).param(name, 'default'));
          ctx.attempt('undefined default', () => v4(req).param(name, undefined));
          ctx.attempt('three', () => v4(req).param(name, 'default', 'more'));
          res.end();
        };
        app.use(express.json()).all('/q/:id', read).all('/name/:name', read).all('/star/*', read).use(read);
      },
      [BODY, 'GET /q/2', 'GET /name/n?name=q', 'GET /star/x?0=y', 'GET /none?missing=here&zero=0', 'GET /?id=&name=1&name=2'],
    ),
  );

const ACCEPTS: readonly Record<string, string>[] = [
  {},
  { Accept: 'text/html' },
  { Accept: 'application/json;q=0.5, text/*' },
  { Accept: '' },
  { Accept: 'nonsense' },
  { 'Accept-Encoding': 'gzip, br;q=0.5' },
  { 'Accept-Encoding': 'identity;q=0' },
  { 'Accept-Encoding': '*' },
  { 'Accept-Charset': 'utf-8, iso-8859-1;q=0.5' },
  { 'Accept-Charset': '*;q=0' },
  { 'Accept-Language': 'de, en-US;q=0.8, *;q=0.1' },
  { 'Accept-Language': 'EN' },
];
for (const [name, old, values] of [
  ['acceptsEncodings', 'acceptsEncoding', ['gzip', 'br', 'identity']],
  ['acceptsCharsets', 'acceptsCharset', ['utf-8', 'iso-8859-1', 'x']],
  ['acceptsLanguages', 'acceptsLanguage', ['en', 'de', 'en-us']],
  ['accepts', 'accepts', ['html', 'json', 'text/plain', '.html', 'nonsense']],
] as const)
  table.push(
    reads(
      `req.${old} and req.${name} choose alike, with none, one, several and a list of values`,
      (req) => {
        const target = wrong(req);
        return [
          target[name]?.(),
          target[old]?.(),
          target[name]?.(values[0]),
          target[old]?.(values[0]),
          target[name]?.(...values),
          target[old]?.(...values),
          target[old]?.([...values]),
          target[name]?.([]),
        ];
      },
      ACCEPTS.map((headers) => withHeaders(headers)),
    ),
  );

// Malformed `Host` fields and `#` in a target are refused by Fulmar before an app sees them, so none is sent
// here.
const FORWARDED: readonly Record<string, string>[] = [
  { Host: 'a.b.example.com:8080' },
  { Host: '[::1]:80' },
  { Host: '127.0.0.1' },
  { Host: 'x.' },
  { Host: 'UPPER.Example.com' },
  { 'X-Forwarded-Host': 'f.example:1, g.example' },
  { 'X-Forwarded-Host': 'f.example , g' },
  { 'X-Forwarded-Host': ' f ' },
  { 'X-Forwarded-Host': ',x' },
  { 'X-Forwarded-Host': '[2001:db8::1]:99' },
  { 'X-Forwarded-Host': '' },
  { 'X-Forwarded-Proto': 'https' },
  { 'X-Forwarded-Proto': ' https , http' },
  { 'X-Forwarded-Proto': 'HTTPS' },
  { 'X-Forwarded-Proto': ',' },
  { 'X-Forwarded-Proto': '' },
  { 'X-Forwarded-For': '1.1.1.1, 2.2.2.2' },
  { 'X-Forwarded-For': 'bad' },
  { 'X-Forwarded-For': ',' },
];
for (const trust of [false, true, 1, 2, 'loopback', '10.0.0.0/8', ['loopback', '2.2.2.2']])
  for (const offset of [0, 2])
    table.push(
      reads(
        `host, hostname, protocol, ip and subdomains with trust ${JSON.stringify(trust)} and offset ${offset}`,
        (req) => [req.host, req.hostname, req.protocol, req.secure, req.ip, req.ips, req.subdomains, req.xhr],
        FORWARDED.map((headers) => withHeaders(headers)),
        { 'trust proxy': trust, 'subdomain offset': offset },
      ),
    );

const TYPES = [
  'text/html',
  'text/html; charset=utf-8',
  'application/json',
  'application/vnd.api+json',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'nonsense',
  '',
  'text/html;bad',
  'TEXT/HTML',
  'image/svg+xml',
];
table.push(
  reads(
    'req.is of many types, as arguments and as a list, is what type-is 1 says',
    (req) => {
      const is = (...types: unknown[]): unknown => wrong(req)['is']?.(...types);
      return [
        is('html'),
        is('json', 'html'),
        is(['text', 'text/*', '+json']),
        is('multipart'),
        is('urlencoded'),
        is('*/*'),
        is('application/*'),
        is('+json'),
        is('nonsense'),
        is(),
        is([]),
        is(false),
        is('text/html; charset=utf-8'),
        is('*/html'),
      ];
    },
    [
      ...TYPES.map((type): RequestInput => ({ method: 'POST', path: '/', body: 'x', headers: { 'Content-Type': type } })),
      withHeaders({ 'Content-Type': 'text/html' }),
      { method: 'POST', path: '/', headers: { 'Content-Type': 'text/html', 'Transfer-Encoding': 'chunked' }, body: '0\r\n\r\n' },
    ],
  ),
  reads(
    'req.range is what range-parser says',
    (req) => [wrong(req)['range']?.(10), wrong(req)['range']?.(10, { combine: true }), wrong(req)['range']?.(0), wrong(req)['range']?.()],
    ['bytes=0-1', 'bytes=-1', 'bytes=5-,0-1', 'bytes=20-', 'bytes=1-0', 'bytes', 'items=1-2', '', 'bytes=a-', 'bytes=0-0,0-5,3-9'].map(
      (Range) => withHeaders({ Range }),
    ),
  ),
);

for (const url of [
  '/a?b=1',
  '//a',
  '/a//b?',
  'http://h/p?q=1',
  '*',
  '/%zz?x',
  '/a;b?c',
  '/?a?b',
  '/a\\b',
  "/a'b",
  '/a|b^{}',
  '/~',
  '/..',
  'a',
])
  table.push(
    handles(
      `path, url and query of the target ${url} are upstream's`,
      (req, res, ctx) => {
        ctx.record(req.path, req.url, req.originalUrl, req.baseUrl, req.query, req.params);
        res.end();
      },
      [{ method: url === '*' ? 'OPTIONS' : 'GET', path: url }],
    ),
  );

defineSuite(
  [
    ...table,
    handles(
      'req.query is an own property that may be written, deleted and kept',
      (req, res, ctx) => {
        const found = Object.getOwnPropertyDescriptor(req, 'query');
        ctx.record(found, req.query === req.query, 'query' in req, JSON.stringify(req.query));
        req.query['added'] = 'x';
        ctx.record(req.query);
        req.url = '/?changed=1';
        ctx.record(req.query);
        ctx.attempt('assign', () => Reflect.set(req, 'query', { mine: 1 }));
        ctx.record(req.query);
        ctx.attempt('delete', () => Reflect.deleteProperty(req, 'query'));
        ctx.record(req.query, 'query' in req);
        res.end();
      },
      ['GET /?a=1', 'GET /'],
    ),
    serves(
      'a query set before the app, by an outer app or by hand, is kept',
      (app, express, ctx) => {
        const inner = express();
        inner.set('query parser', 'simple').use((req, res) => {
          ctx.record(req.query);
          res.end();
        });
        app.use('/mounted', inner);
        app.use('/called', (req, res) => {
          Reflect.set(req, 'query', { before: 1 });
          inner(req, res);
        });
        app.use('/empty', (req, res) => {
          Reflect.set(req, 'query', null);
          inner(req, res);
        });
      },
      ['GET /mounted?a[b]=1', 'GET /called?a[b]=1', 'GET /empty?a[b]=1'],
    ),
    serves(
      'a query parser that throws reaches the error handler',
      (app) => {
        app.set('query parser', () => {
          throw Object.assign(new Error('parser'), { status: 400 });
        });
        // Upstream has not made the reply an Express reply yet, so the handler uses what Node gives it.
        app.use(where).use(
          onError((error, _req, res, _next) => {
            res.statusCode = error.status ?? 500;
            res.end(error.message);
          }),
        );
      },
      ['GET /?a', 'GET /'],
    ),
    serves(
      'a query parser changed after the first route has no effect',
      (app) => {
        app.use((req, _res, next) => {
          Reflect.set(req, 'xSeen', req.query);
          next();
        });
        app.set('query parser', 'simple').use((req, res) => res.json(req.query));
      },
      ['GET /?a[b]=1'],
    ),
    handles('the getters of a request are configurable, enumerable and without a setter, and may be shadowed', (req, res, ctx) => {
      for (const name of ['protocol', 'secure', 'ip', 'ips', 'subdomains', 'path', 'hostname', 'host', 'fresh', 'stale', 'xhr']) {
        const found = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Object.getPrototypeOf(req)), name);
        ctx.record(name, found?.configurable, found?.enumerable, typeof found?.get, typeof found?.set);
        ctx.attempt(`assign ${name}`, () => Reflect.set(req, name, 'x'));
        ctx.attempt(`define ${name}`, () => Reflect.get(Object.defineProperty(req, name, { value: 'mine', configurable: true }), name));
      }
      res.end();
    }),
    handles(
      'fresh and stale for every method and status',
      (req, res, ctx) => {
        res.set('ETag', '"v"').set('Last-Modified', 'Mon, 06 May 2024 07:08:09 GMT');
        for (const status of [200, 204, 299, 300, 304, 404, 199, '200', Number.NaN]) {
          Reflect.set(res, 'statusCode', status);
          ctx.record(status, req.fresh, req.stale);
        }
        res.statusCode = 200;
        res.end();
      },
      ['GET', 'HEAD', 'POST', 'QUERY', 'OPTIONS'].flatMap((method) =>
        [
          { 'If-None-Match': '"v"' },
          { 'If-None-Match': 'W/"v", "w"' },
          { 'If-None-Match': '*' },
          { 'If-Modified-Since': 'Tue, 07 May 2024 07:08:09 GMT' },
          { 'If-None-Match': '"v"', 'Cache-Control': 'no-cache' },
          { 'If-None-Match': '"x"', 'If-Modified-Since': 'Tue, 07 May 2024 07:08:09 GMT' },
        ].map((headers) => withHeaders(headers as unknown as Record<string, string>, '/', method)),
      ),
    ),
    handles('req.get refuses what is no name', (req, res, ctx) => {
      for (const name of [undefined, null, '', 7, {}, ['host'], true])
        for (const method of ['get', 'header']) ctx.attempt(`${method} ${String(name)}`, () => wrong(req)[method]?.(name));
      ctx.record(req.get('Referrer'), req.get('referer'), req.get('HOST'), req.header('x-none'));
      res.end();
    }),
    handles(
      'req.get of Referer and Referrer',
      (req, res, ctx) => {
        ctx.record(req.get('Referer'), req.get('referrer'));
        res.end();
      },
      [
        withHeaders({ Referer: 'a' }),
        withHeaders({ Referrer: 'b' }),
        withHeaders({ Referer: 'a', Referrer: 'b' }),
        withHeaders({ Referer: '', Referrer: '' }),
      ],
    ),
  ],
  'express4',
);
