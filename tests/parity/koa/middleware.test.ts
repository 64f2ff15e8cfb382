/**
 * Middleware of npm, unmodified, on Koa of both sides: content, files, sessions, fields, compression, logs,
 * limits, tokens.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { publicFolder, views } from '../express/fixture.ts';
import type { RequestInput } from '../harness/case.ts';
import type { App, Ctx, Failure, Middleware } from './api.ts';
import { load, once, plays, serves, showError, withHeaders, wrong } from './kit.ts';
import { defineKoaSuite, type KoaCase } from './suite.ts';

type Factory = (...args: unknown[]) => Middleware;
const factory = (name: string): Factory => {
  const found = load<Factory & { default?: Factory }>(name);
  return found.default ?? found;
};

const parsers = {
  '@koa/bodyparser': load<{ bodyParser: Factory }>('@koa/bodyparser').bodyParser,
  'koa-bodyparser': factory('koa-bodyparser'),
};
const serveStatic = factory('koa-static');
const send = load<(ctx: Ctx, path: string, options?: object) => Promise<string>>('koa-send');
const session = load<(options: object, app: App) => Middleware>('koa-session');
const cors = factory('@koa/cors');
const helmet = factory('koa-helmet');
const compress = factory('koa-compress');
const conditional = factory('koa-conditional-get');
const etag = factory('koa-etag');
const logger = factory('koa-logger');
const ratelimit = factory('koa-ratelimit');
const jwt = factory('koa-jwt');
const proxies = factory('koa-proxies');
const koaViews = factory('@ladjs/koa-views');
const multer = load<
  ((options?: object) => { single(n: string): Middleware; array(n: string, max?: number): Middleware; none(): Middleware }) & {
    memoryStorage(): object;
  }
>('@koa/multer');
// http-proxy uses what newer Nodes deprecate, and they say so once per process: not within one side's turn.
wrong(load('node:util'))['_extend']?.({}, {});
await new Promise((resolve) => setImmediate(resolve));

const { sign } = load<{ sign(payload: object, secret: string, options?: object): string }>('jsonwebtoken');

const post = (body: string, type?: string, headers: Record<string, string> = {}, path = '/'): RequestInput => ({
  method: 'POST',
  path,
  body,
  headers: type === undefined ? headers : { 'Content-Type': type, ...headers },
});

const BODIES: readonly RequestInput[] = [
  post('{"a":1,"b":[null,"ü"]}', 'application/json'),
  post('{bad json', 'application/json'),
  post('"text"', 'application/json'),
  post('', 'application/json'),
  post('{"a":1}', 'application/vnd.api+json'),
  post('a=1&b[c]=2&b[d]=3&e=%C3%BC', 'application/x-www-form-urlencoded'),
  post('plain', 'text/plain'),
  post('<a/>', 'application/xml'),
  post(`{"long":"${'x'.repeat(3_000)}"}`, 'application/json'),
  post('{"a":1}', 'application/json; charset=utf-16'),
  post('{"a":1}', 'application/json', { 'Content-Encoding': 'nonsense' }),
  'GET /',
  { method: 'DELETE', path: '/', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } },
];

const FILES: readonly RequestInput[] = [
  'GET /hello.txt',
  'HEAD /hello.txt',
  'GET /',
  'GET /sub/',
  'GET /sub',
  'GET /none.txt',
  'POST /hello.txt',
  'GET /.hidden',
  'GET /../outside.txt',
  'GET /%2e%2e/outside.txt',
  'GET /name%20with%20space.txt',
  'GET /%C3%BCn%C3%AF.txt',
  'GET /empty.txt',
  'GET /data.json',
  'GET /image.png',
  'GET /unknown.zzz',
  'GET /noext',
  'GET /big.bin',
  'GET /100%25.txt',
  'GET /%zz',
  'GET /hello.txt%00',
  'GET /both',
  'GET /other/',
];

const RANGES = ['bytes=0-4', 'bytes=5-', 'bytes=-3', 'bytes=99-', 'nonsense'].map((range) => withHeaders({ Range: range }, '/hello.txt'));

const CONDITIONS: readonly RequestInput[] = [
  'GET /',
  'HEAD /',
  withHeaders({ 'If-None-Match': '*' }),
  withHeaders({ 'If-None-Match': 'W/"17-IYpAaIMCxLLTHVc3TDlTiIvQMvs"' }),
  withHeaders({ 'If-None-Match': '"x"' }),
  withHeaders({ 'If-Modified-Since': 'Mon, 06 May 2024 07:08:09 GMT' }, '/modified'),
  'GET /stream',
  'GET /json',
  'GET /missing',
];

const boundary = 'parity-boundary';
const part = (head: string, content: string): string => `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const multipart = (parts: readonly string[], path: string): RequestInput =>
  post(`${parts.join('')}--${boundary}--\r\n`, `multipart/form-data; boundary=${boundary}`, {}, path);

const token = sign({ user: 'ada', iat: 1_700_000_000 }, 'secret');

/** Requests of one visitor, who sends back the cookies that were set, each recorded. */
function visits(name: string, build: (app: App) => void, paths: readonly string[]): KoaCase {
  return serves(name, build, [], {
    options: { frozenNow: true },
    client: async ({ connect, record }) => {
      const jar = new Map<string, string>();
      for (const path of paths) {
        const connection = await connect();
        const cookies = [...jar].map(([key, value]) => `${key}=${value}`).join('; ');
        connection.write(`GET ${path} HTTP/1.1\r\nHost: parity.test\r\n${cookies === '' ? '' : `Cookie: ${cookies}\r\n`}\r\n`);
        const reply = await connection.read('GET');
        record(
          path,
          reply.statusLine,
          reply.headers.filter(([field]) => field !== 'Date' && field !== 'Keep-Alive'),
          reply.body,
        );
        for (const [field, value] of reply.headers) {
          const found = field.toLowerCase() === 'set-cookie' ? /^([^=]+)=([^;]*)/.exec(value) : null;
          if (found !== null) jar.set(found[1] ?? '', found[2] ?? '');
        }
      }
    },
  });
}

type WithSession = Ctx & { session: (Record<string, unknown> & { isNew?: boolean; maxAge?: number }) | null };

const counts: Middleware = (context) => {
  const ctx = context as WithSession;
  if (ctx.path === '/out') ctx.session = null;
  else if (ctx.path === '/read') ctx.set('X-New', String(ctx.session?.isNew));
  else if (ctx.session !== null) ctx.session['views'] = Number(ctx.session['views'] ?? 0) + 1;
  if (ctx.path === '/fail') ctx.throw(400, 'after the session was changed');
  ctx.body = ctx.session;
};

const VISITS = ['/', '/', '/read', '/fail', '/', '/out', '/'];

defineKoaSuite([
  ...Object.entries(parsers).flatMap(([name, parser]) => [
    serves(
      `${name} parses JSON and forms`,
      (app) =>
        app
          .use(showError)
          .use(parser())
          .use((ctx) => void (ctx.body = { body: ctx.request.body ?? null, raw: ctx.request.rawBody ?? null })),
      BODIES,
    ),
    serves(
      `${name} with limits, types and its own error handler`,
      (app, t) =>
        app
          .use(showError)
          .use(
            parser({
              jsonLimit: '1kb',
              formLimit: '10b',
              enableTypes: ['json', 'form', 'text', 'xml'],
              onError: (error: Failure, ctx: Ctx) => {
                t.record(error);
                ctx.throw(422, 'cannot read that');
              },
            }),
          )
          .use((ctx) => void (ctx.body = { body: ctx.request.body ?? null })),
      BODIES,
    ),
  ]),
  serves('koa-static serves files', (app) => app.use(serveStatic(publicFolder)).use((ctx) => void (ctx.body = `past ${ctx.path}`)), [
    ...FILES,
    ...RANGES,
  ]),
  serves(
    'koa-static with options',
    (app) =>
      app
        .use(
          serveStatic(publicFolder, {
            maxage: 60_000,
            hidden: true,
            index: 'index.txt',
            defer: true,
            extensions: ['html', 'txt'],
            immutable: true,
          }),
        )
        .use(async (ctx, next) => {
          await next();
          if (ctx.path === '/hello.txt') ctx.set('X-Passed', '1');
        }),
    FILES,
  ),
  serves(
    'koa-static sets fields with setHeaders',
    (app) =>
      app.use(
        serveStatic(publicFolder, {
          setHeaders: (res: { setHeader(n: string, v: string): void }, path: string) =>
            res.setHeader('X-File', path.slice(publicFolder.length)),
        }),
      ),
    ['GET /hello.txt'],
  ),
  serves(
    'koa-send sends what it is told',
    (app) =>
      app.use(async (ctx) => {
        if (ctx.path === '/download') ctx.attachment('named.txt');
        await send(ctx, ctx.path === '/download' ? '/hello.txt' : ctx.path, { root: publicFolder });
      }),
    ['GET /hello.txt', 'GET /download', 'GET /none', 'GET /sub', 'HEAD /big.bin'],
  ),
  serves('koa-send with conditional requests', (app) => app.use(conditional()).use(etag()).use(serveStatic(publicFolder)), [
    'GET /hello.txt',
    withHeaders({ 'If-Modified-Since': 'Mon, 06 May 2024 07:08:09 GMT' }, '/hello.txt'),
    withHeaders({ 'If-Modified-Since': 'Mon, 06 May 2024 07:08:08 GMT' }, '/hello.txt'),
  ]),
  visits(
    'koa-session keeps a session in a cookie',
    (app) => {
      app.keys = ['k1', 'k2'];
      app.use(session({ key: 'sess', maxAge: 86_400_000 }, app)).use(counts);
    },
    VISITS,
  ),
  visits(
    'koa-session unsigned, rolling and with options of cookies',
    (app) =>
      app.use(session({ key: 'sess', signed: false, rolling: true, maxAge: 'session', httpOnly: false, sameSite: 'lax' }, app)).use(counts),
    VISITS,
  ),
  visits(
    'koa-session with a store',
    (app) => {
      const sessions = new Map<string, unknown>();
      let made = 0;
      app.keys = ['k'];
      const store = {
        get: (key: string) => sessions.get(key),
        set: (key: string, value: unknown) => void sessions.set(key, value),
        destroy: (key: string) => void sessions.delete(key),
      };
      app.use(session({ store, genid: () => `id-${++made}`, renew: true }, app)).use(counts);
    },
    VISITS,
  ),
  serves(
    'koa-session without keys is an error',
    (app) =>
      app
        .use(showError)
        .use(session({ key: 's' }, app))
        .use(counts),
    ['GET /'],
  ),
  ...[
    {},
    { origin: 'http://allowed.test', credentials: true, maxAge: 600, exposeHeaders: ['X-A', 'X-B'] },
    {
      origin: (ctx: Ctx) => (ctx.path === '/yes' ? ctx.get('Origin') : ''),
      allowMethods: 'GET,POST',
      allowHeaders: ['X-C'],
      keepHeadersOnError: true,
      secureContext: true,
      privateNetworkAccess: true,
    },
  ].map((options, i) =>
    serves(
      `@koa/cors with options ${i}`,
      (app) =>
        app.use(cors(options)).use((ctx) => {
          if (ctx.path === '/throw') ctx.throw(403, 'not yours', { headers: { vary: 'X-V' } });
          ctx.body = { a: 1 };
        }),
      [
        'GET /',
        withHeaders({ Origin: 'http://o.test' }, '/yes'),
        withHeaders({ Origin: 'http://o.test' }, '/throw'),
        withHeaders({ Origin: 'http://o.test' }, '/', 'OPTIONS'),
        withHeaders(
          {
            Origin: 'http://o.test',
            'Access-Control-Request-Method': 'PUT',
            'Access-Control-Request-Headers': 'X-Q',
            'Access-Control-Request-Private-Network': 'true',
          },
          '/yes',
          'OPTIONS',
        ),
      ],
    ),
  ),
  serves(
    'koa-helmet sets its fields',
    (app) => app.use(helmet()).use((ctx) => (ctx.path === '/e' ? ctx.throw(500) : void (ctx.body = 'safe'))),
    ['GET /', 'GET /e', 'HEAD /'],
  ),
  serves('koa-helmet with options', (app) =>
    app
      .use(helmet({ contentSecurityPolicy: { directives: { defaultSrc: ["'self'"] } }, frameguard: { action: 'deny' }, hsts: false }))
      .use((ctx) => void (ctx.body = 'safe')),
  ),
  serves(
    'koa-compress compresses what is worth it',
    (app) =>
      app.use(compress({ threshold: 100 })).use((ctx) => {
        const text = 'compress me '.repeat(200);
        if (ctx.path === '/off') Reflect.set(ctx, 'compress', false);
        if (ctx.path === '/image') ctx.type = 'png';
        if (ctx.path === '/encoded') ctx.set('Content-Encoding', 'identity');
        ctx.body =
          ctx.path === '/small'
            ? 'small'
            : ctx.path === '/json'
              ? { text }
              : ctx.path === '/buffer'
                ? Buffer.from(text)
                : ctx.path === '/stream'
                  ? load<typeof import('node:stream')>('node:stream').Readable.from([text])
                  : ctx.path === '/204'
                    ? null
                    : text;
        if (ctx.path === '/buffer') ctx.type = 'text';
        if (ctx.path === '/stream') ctx.type = 'html';
      }),
    ['/', '/small', '/json', '/buffer', '/stream', '/204', '/off', '/image', '/encoded']
      .flatMap((path) => [
        withHeaders({ 'Accept-Encoding': 'gzip' }, path),
        withHeaders({ 'Accept-Encoding': 'br;q=1, deflate;q=0.5' }, path),
      ])
      .concat([{ path: '/' }, withHeaders({ 'Accept-Encoding': 'gzip' }, '/', 'HEAD')]),
  ),
  serves(
    'koa-conditional-get and koa-etag answer 304',
    (app) =>
      app
        .use(conditional())
        .use(etag())
        .use((ctx) => {
          if (ctx.path === '/missing') return;
          if (ctx.path === '/modified') ctx.lastModified = new Date('2024-05-06T07:08:09Z');
          ctx.body =
            ctx.path === '/stream'
              ? load<typeof import('node:stream')>('node:stream').Readable.from(['streamed'])
              : ctx.path === '/json'
                ? { a: 1 }
                : 'text that is not changed';
        }),
    CONDITIONS,
  ),
  serves(
    'koa-logger reports requests, lengths and errors',
    (app, t) => {
      app.silent = true;
      app.use(logger({ transporter: (_text: string, args: unknown[]) => t.record(args[1], args[2], args[3] ?? '', args[5] ?? '') }));
      app.use((ctx) => {
        if (ctx.path === '/done') ctx.res.once('close', t.pending());
        if (ctx.path === '/throw') ctx.throw(418);
        if (ctx.path === '/fail') throw new Error('failed');
        if (ctx.path === '/204') ctx.status = 204;
        if (ctx.path === '/stream') ctx.body = load<typeof import('node:stream')>('node:stream').Readable.from(['12', '345']);
        if (ctx.path === '/text') ctx.body = 'text';
      });
    },
    ['GET /text', 'GET /204', 'GET /missing', 'GET /throw', 'GET /fail', 'GET /stream', 'HEAD /text', 'GET /done'],
  ),
  serves(
    'koa-ratelimit in memory refuses what is too much',
    (app) =>
      app
        .use(
          ratelimit({
            driver: 'memory',
            // Its clock is process.hrtime(), which never stands still: ada's window is set here, half a
            // second away from a full one.
            db: new Map([['limit:ada', { id: 'ada', reset: Date.now() / 1000 + 3600.5, remaining: 3, total: 2 }]]),
            duration: 3_600_000,
            max: 2,
            id: (ctx: Ctx) => ctx.get('X-Who'),
            disableHeader: true,
            errorMessage: 'slow down',
            whitelist: (ctx: Ctx) => ctx.path === '/free',
            blacklist: (ctx: Ctx) => ctx.path === '/never',
          }),
        )
        .use((ctx) => void (ctx.body = 'in time')),
    [
      ...Array.from({ length: 4 }, () => withHeaders({ 'X-Who': 'ada' })),
      withHeaders({ 'X-Who': 'eve' }),
      withHeaders({ 'X-Who': 'ada' }, '/free'),
      withHeaders({ 'X-Who': 'ada' }, '/never'),
    ],
    { options: { frozenNow: true } },
  ),
  serves(
    'koa-jwt lets in who has a token',
    (app) =>
      app
        .use(showError)
        .use(jwt({ secret: ['other', 'secret'], debug: true, passthrough: false }))
        .use((ctx) => void (ctx.body = ctx.state)),
    [
      'GET /',
      withHeaders({ Authorization: `Bearer ${token}` }),
      withHeaders({ Authorization: 'Bearer nonsense' }),
      withHeaders({ Authorization: 'Basic abc' }),
      withHeaders({ Authorization: 'Bearer' }),
    ],
  ),
  serves(
    'koa-jwt with its own errors, cookies and unless',
    (app) => {
      const guard = jwt({ secret: 'secret', cookie: 'jwt', key: 'who', tokenKey: 'raw' }) as Middleware & {
        unless(options: object): Middleware;
      };
      app.use(guard.unless({ path: ['/open'] })).use((ctx) => void (ctx.body = ctx.state));
    },
    ['GET /', 'GET /open', withHeaders({ Cookie: `jwt=${token}` })],
  ),
  serves(
    '@ladjs/koa-views renders EJS',
    (app) =>
      app
        .use(showError)
        .use(koaViews(views, { extension: 'ejs', autoRender: true }))
        .use(async (ctx) => {
          ctx.state = { title: '<state>', items: ['a'] };
          await wrong(ctx)['render']?.(ctx.path.slice(1), ctx.query['items'] === undefined ? {} : { items: ctx.query['items'] });
        }),
    ['GET /page', 'GET /page?items=1&items=2', 'GET /partial', 'GET /bad', 'GET /none', 'HEAD /page'],
  ),
  serves(
    '@koa/multer reads files and fields',
    (app) => {
      const upload = multer({ storage: multer.memoryStorage(), limits: { fileSize: 50 } });
      const kinds: Record<string, Middleware> = {
        '/single': upload.single('file'),
        '/array': upload.array('files', 2),
        '/none': upload.none(),
      };
      app.use(showError);
      app.use((ctx, next) => (kinds[ctx.path] ?? upload.none())(ctx, next));
      app.use((ctx) => {
        const files = [Reflect.get(ctx, 'file') as object | undefined, ...((Reflect.get(ctx, 'files') as object[] | undefined) ?? [])];
        ctx.body = {
          fields: ctx.request.body ?? null,
          files: files.map((file) => (file === undefined ? null : { ...file, buffer: String(Reflect.get(file, 'buffer')) })),
        };
      });
    },
    [
      multipart(
        [part('name="field"', 'value ü'), part('name="file"; filename="a.txt"\r\nContent-Type: text/plain', 'file content')],
        '/single',
      ),
      multipart([part('name="file"; filename="big.txt"', 'x'.repeat(100))], '/single'),
      multipart([part('name="files"; filename="1"', 'one'), part('name="files"; filename="2"', 'two')], '/array'),
      multipart(
        [1, 2, 3].map((n) => part(`name="files"; filename="${n}"`, 'x')),
        '/array',
      ),
      multipart([part('name="other"; filename="x"', 'x')], '/single'),
      multipart([part('name="a"', '1'), part('name="a"', '2')], '/none'),
      post('cut off', `multipart/form-data; boundary=${boundary}`, {}, '/single'),
      post('{"a":1}', 'application/json', {}, '/single'),
    ],
  ),
  plays('koa-proxies passes requests on', async (Koa, client) => {
    const target = createServer((req, res) => {
      let text = '';
      req
        .on('data', (chunk: Buffer) => (text += chunk.toString()))
        .on('end', () => {
          res.writeHead(req.url === '/e' ? 503 : 200, {
            'Content-Type': 'text/plain',
            'X-Target': String(req.method),
            'Set-Cookie': ['a=1', 'b=2'],
          });
          res.end(`${String(req.url)} ${text} ${String(req.headers['x-forwarded-for'] ?? '')}`);
        });
    }).listen(0, '127.0.0.1');
    await once(target, 'listening');
    const app = new Koa();
    const address = `http://127.0.0.1:${(target.address() as AddressInfo).port}`;
    app.use(proxies('/api', { target: address, changeOrigin: true, xfwd: false, rewrite: (path: string) => path.replace('/api', '') }));
    app.use((ctx) => void (ctx.body = 'not proxied'));
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    for (const [path, init] of [
      ['/api/x?q=1', {}],
      ['/api/e', {}],
      ['/api/p', { method: 'POST', body: 'y'.repeat(70_000) }],
      ['/own', {}],
    ] as const) {
      const reply = await fetch(base + path, init);
      client.record(
        path,
        reply.status,
        [...reply.headers].filter(([field]) => !['date', 'keep-alive'].includes(field)),
        await reply.text(),
      );
    }
    for (const one of [server, target]) {
      one.closeAllConnections();
      one.close();
      await once(one, 'close');
    }
  }),
  serves(
    'a usual stack of seven runs together',
    (app) => {
      app.keys = ['k'];
      app
        .use(conditional())
        .use(etag())
        .use(compress({ threshold: 10 }))
        .use(cors())
        .use(helmet())
        .use(parsers['koa-bodyparser']())
        .use(serveStatic(publicFolder))
        .use((ctx) => {
          ctx.cookies.set('seen', '1', { signed: true });
          ctx.body = { method: ctx.method, body: ctx.request.body };
        });
    },
    [
      'GET /hello.txt',
      'GET /api',
      post('{"a":1}', 'application/json'),
      withHeaders({ 'Accept-Encoding': 'gzip', Origin: 'http://o.test' }, '/style.css'),
      post('{bad', 'application/json'),
    ],
  ),
]);
