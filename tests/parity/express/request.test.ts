/** Request: every property and method, and the trust proxy setting in all its forms. */
import type { ParityCase, RequestInput } from '../harness/case.ts';
import type { Req } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { handles, reads, serves, withHeaders, wrong } from './kit.ts';

const table: ParityCase[] = [];

const forwarded: readonly Record<string, string>[] = [
  {},
  { 'X-Forwarded-For': '203.0.113.7' },
  { 'X-Forwarded-For': '203.0.113.7, 10.0.0.1, 127.0.0.1' },
  { 'X-Forwarded-For': ' 203.0.113.7 ,10.0.0.2', 'X-Forwarded-Proto': 'https' },
  { 'X-Forwarded-For': 'unknown, 10.0.0.1' },
  { 'X-Forwarded-For': '', 'X-Forwarded-Proto': '' },
  { 'X-Forwarded-Proto': 'https, http' },
  { 'X-Forwarded-Proto': 'HTTPS ' },
  { 'X-Forwarded-Host': 'proxy.example.com' },
  { 'X-Forwarded-Host': 'a.b.example.com:8443 , other.example.com', 'X-Forwarded-For': '::1, fe80::1' },
  { 'X-Forwarded-Host': '' },
  { 'X-Forwarded-For': '2001:db8::1', 'X-Forwarded-Host': '[2001:db8::2]:8080', 'X-Forwarded-Proto': 'wss' },
];

const trusts: readonly (readonly [string, unknown])[] = [
  ['false', false],
  ['true', true],
  ['0', 0],
  ['1', 1],
  ['2', 2],
  ['"loopback"', 'loopback'],
  ['"127.0.0.1"', '127.0.0.1'],
  ['"127.0.0.0/8"', '127.0.0.0/8'],
  ['"10.0.0.0/8"', '10.0.0.0/8'],
  ['"loopback, 10.0.0.0/8"', 'loopback, 10.0.0.0/8'],
  ['["loopback", "uniquelocal"]', ['loopback', 'uniquelocal']],
  ['"127.0.0.0/255.0.0.0"', '127.0.0.0/255.0.0.0'],
  ['"linklocal"', 'linklocal'],
  ['a function', (address: string, hop: number) => hop < 1 && address === '127.0.0.1'],
];

for (const [label, trust] of trusts) {
  table.push(
    reads(
      `with trust proxy ${label} the request has upstream's ip, ips, protocol, host and subdomains`,
      (req) => [req.ip, req.ips, req.protocol, req.secure, req.host, req.hostname, req.subdomains],
      forwarded.map((headers) => withHeaders(headers)),
      { 'trust proxy': trust },
    ),
  );
}

const hosts = [
  'example.com',
  'example.com:8080',
  'a.b.example.com',
  '[::1]',
  '[::1]:8080',
  '127.0.0.1:80',
  'localhost',
  'EXAMPLE.com',
  'x',
  'a..b.c.d',
  'xn--bcher-kva.example',
];
table.push(
  reads(
    'req.host, hostname and subdomains of many Host fields',
    (req) => [req.host, req.hostname, req.subdomains],
    hosts.map((Host) => withHeaders({ Host })),
  ),
);

const urls = [
  '/',
  '/a?b=c',
  '/a/b/?',
  '/%20',
  '/a?b?c',
  '//x/y',
  '/a;b',
  '/?',
  'http://parity.test/abs?x=1',
  '/a?x=/../y',
  '/a%3Fb',
  '/a|b',
  '/a^`{}',
];
table.push(
  reads(
    'req.path, url, originalUrl and query of many targets',
    (req) => [req.path, req.url, req.originalUrl, req.baseUrl, req.query],
    urls.map((path) => ({ path })),
  ),
);

/** If-None-Match and If-Modified-Since against a fixed validator. */
const validators: readonly Record<string, string>[] = [
  {},
  { 'If-None-Match': '"v1"' },
  { 'If-None-Match': 'W/"v1"' },
  { 'If-None-Match': '"v2", "v1"' },
  { 'If-None-Match': '*' },
  { 'If-None-Match': '"v2"' },
  { 'If-None-Match': '' },
  { 'If-Modified-Since': 'Mon, 06 May 2024 07:08:09 GMT' },
  { 'If-Modified-Since': 'Sun, 05 May 2024 07:08:09 GMT' },
  { 'If-Modified-Since': 'nonsense' },
  { 'If-None-Match': '"v2"', 'If-Modified-Since': 'Mon, 06 May 2024 07:08:09 GMT' },
  { 'If-None-Match': '"v1"', 'If-Modified-Since': 'Sun, 05 May 2024 07:08:09 GMT' },
  { 'If-None-Match': '"v1"', 'Cache-Control': 'no-cache' },
  { 'If-None-Match': '"v1"', 'Cache-Control': 'max-age=0' },
  { 'If-None-Match': 'v1' },
  { 'If-None-Match': '"v1' },
];

for (const method of ['GET', 'HEAD', 'POST', 'QUERY']) {
  table.push(
    handles(
      `req.fresh and req.stale for ${method} with every kind of validator`,
      (req, res, ctx) => {
        res.set('ETag', '"v1"').set('Last-Modified', 'Mon, 06 May 2024 07:08:09 GMT');
        ctx.record(req.fresh, req.stale);
        res.status(404);
        ctx.record(req.fresh, req.stale);
        res.status(200).send('content');
      },
      validators.map((headers) => withHeaders(headers, '/', method)),
    ),
  );
}
table.push(
  handles(
    'req.fresh without validators on the reply',
    (req, res, ctx) => {
      ctx.record(req.fresh, req.stale);
      res.end();
    },
    validators.map((headers) => withHeaders(headers)),
  ),
);

const ranges = [
  'bytes=0-4',
  'bytes=-3',
  'bytes=5-',
  'bytes=0-0,5-6',
  'bytes=0-4,2-6',
  'bytes=9-99',
  'bytes=10-',
  'bytes=5-2',
  'bytes=',
  'bytes',
  'items=0-1',
  'bytes=a-b',
  'bytes=0-1,x',
  'bytes=-0',
  '',
  'bytes=-99',
  'bytes=1-1, 3-3 ,5-5',
  'bytes=0-9007199254740993',
];
for (const combine of [undefined, true]) {
  table.push(
    reads(
      `req.range of many Range fields${combine === true ? ' with combine' : ''}`,
      (req) => req.range(10, combine === undefined ? undefined : { combine }),
      [...ranges.map((Range) => withHeaders({ Range })), 'GET /'],
    ),
  );
}

const requestedWith = ['XMLHttpRequest', 'xmlhttprequest', 'fetch', ''];
table.push(
  reads('req.xhr by X-Requested-With', (req) => req.xhr, [
    'GET /',
    ...requestedWith.map((value): RequestInput => withHeaders({ 'X-Requested-With': value })),
  ]),
);

defineSuite([
  ...table,
  reads(
    'req.get and req.header ignore case and treat Referer and Referrer as one',
    (req) => [
      req.get('x-a'),
      req.get('X-A'),
      req.header('X-a'),
      req.get('referer'),
      req.get('Referrer'),
      req.get('missing'),
      req.get('set-cookie'),
      req.get('host'),
    ],
    [
      withHeaders({ 'X-A': '1', Referer: 'http://a/' }),
      withHeaders({ 'x-a': '', Referrer: 'http://b/' }),
      withHeaders({ Referrer: 'http://one/', Referer: 'http://two/' }),
      { headers: { 'X-A': ['1', '2'], 'Set-Cookie': ['a=1', 'b=2'] } },
      { headers: { Cookie: ['a=1', 'b=2'], 'User-Agent': ['one', 'two'] } },
    ],
  ),
  handles('req.get refuses a missing name and a name that is no string', (req, res, ctx) => {
    for (const name of [undefined, null, '', 42, {}, ['a']]) {
      ctx.attempt(`get ${String(name)}`, () => wrong(req)['get']?.(name));
      ctx.attempt(`header ${String(name)}`, () => wrong(req)['header']?.(name));
    }
    ctx.attempt('res.get', () => wrong(res)['get']?.(undefined));
    res.end();
  }),
  handles(
    'names of Object.prototype are not found among the header fields',
    (req, res, ctx) => {
      for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) ctx.attempt(name, () => req.get(name));
      res.end();
    },
    ['GET /', withHeaders({ constructor: 'x', toString: 'y' })],
  ),
  handles(
    'the getters of a request are enumerable on its prototype and not settable',
    (req, res, ctx) => {
      for (const name of ['query', 'protocol', 'secure', 'ip', 'ips', 'subdomains', 'path', 'host', 'hostname', 'fresh', 'stale', 'xhr']) {
        const found = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Object.getPrototypeOf(req)), name);
        ctx.record(name, found?.configurable, found?.enumerable, typeof found?.get, typeof found?.set, Object.hasOwn(req, name));
      }
      ctx.attempt('assign query', () => Reflect.set(req, 'query', { mine: 1 }));
      ctx.attempt('define query', () => Object.defineProperty(req, 'query', { value: { mine: 1 } }).query);
      ctx.attempt('assign ip', () => Reflect.set(req, 'ip', 'x'));
      res.end();
    },
    ['GET /?a=1'],
  ),
  handles(
    'req.query is parsed anew on every read',
    (req, res, ctx) => {
      const first = req.query;
      first['added'] = 1;
      ctx.record(first === req.query, req.query);
      req.url = '/?changed=1';
      ctx.record(req.query, req.path);
      res.end();
    },
    ['GET /?a=1'],
  ),
  handles(
    'req.body and req.cookies are undefined without a parser',
    (req, res, ctx) => {
      ctx.record(req.body, 'body' in req, Reflect.get(req, 'cookies'), Reflect.get(req, 'signedCookies'), req.secret);
      res.end();
    },
    ['GET /', { method: 'POST', path: '/', body: '{"a":1}', headers: { 'Content-Type': 'application/json', Cookie: 'a=1' } }],
  ),
  handles('the removed members of Express 4 are absent', (req, res, ctx) => {
    for (const name of ['param', 'acceptsCharset', 'acceptsEncoding', 'acceptsLanguage', 'files'])
      ctx.record(name, typeof Reflect.get(req, name));
    for (const name of ['sendfile', 'del', 'headerSent']) ctx.record(name, typeof Reflect.get(res, name));
    res.end();
  }),
  handles(
    'a request is an IncomingMessage with the raw fields in order',
    (req, res, ctx) => {
      ctx.record(req.httpVersion, req.httpVersionMajor, req.method, req.rawHeaders, req.headers, req.complete, req.aborted);
      ctx.record(
        Object.getPrototypeOf(req.headers) === null,
        req.socket === req.connection,
        typeof req.socket.remotePort,
        req.socket.remoteAddress,
      );
      res.end();
    },
    [{ headers: { 'B-Field': '1', 'a-field': ['2', '3'], Accept: '*/*' } }, { version: '1.0', path: '/' }],
  ),
  handles(
    'the host of an HTTP/1.0 request without Host is undefined',
    (req, res, ctx) => {
      ctx.record(req.host, req.hostname, req.subdomains, req.ip, req.protocol);
      res.end();
    },
    [
      { version: '1.0', noHost: true },
      { version: '1.0', noHost: true, headers: { 'X-Forwarded-Host': 'x' } },
    ],
  ),
  serves(
    'request members seen from a mounted app use the settings of that app',
    (app, express, ctx) => {
      const note = (req: Req): void => ctx.record(req.ip, req.query, req.subdomains, req.hostname);
      const sub = express();
      sub
        .set('trust proxy', 1)
        .set('query parser', 'extended')
        .set('subdomain offset', 1)
        .use((req, _res, next) => {
          note(req);
          next();
        });
      app.use(sub).use((req, res) => {
        note(req);
        res.end();
      });
    },
    [withHeaders({ 'X-Forwarded-For': '9.9.9.9', 'X-Forwarded-Host': 'a.b.c' }, '/?a[b]=1')],
  ),
  handles('req.socket, res.socket and req.next are the live objects', (req, res, ctx) => {
    ctx.record(req.socket === res.socket, typeof req.next, res.headersSent, res.writableEnded);
    res.send('x');
    ctx.record(res.headersSent, res.writableEnded, res.finished);
  }),
  handles('a trust function that throws ends in the error page', (req, res) => res.send(req.ip), ['GET /']),
  serves(
    'a trust function is asked for each hop until it refuses',
    (app, _express, ctx) => {
      app.set('trust proxy', (address: unknown, hop: unknown) => {
        ctx.record(address, hop);
        return address !== '10.0.0.9';
      });
      app.use((req, res) => res.json([req.ip, req.ips]));
    },
    [withHeaders({ 'X-Forwarded-For': '1.1.1.1, 10.0.0.9, 10.0.0.8' })],
  ),
  serves(
    'a trust function that throws reaches the error handler',
    (app) => {
      app
        .set('trust proxy', () => {
          throw new Error('no trust');
        })
        .use((req, res) => res.send(req.ip));
    },
    ['GET /'],
  ),
]);
