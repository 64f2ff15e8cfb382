/**
 * `proxy()`: what goes to an upstream and what comes back, over a socket, `inject` and `fetch`; upstreams that
 * fail; sides that leave.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createConnection, createServer as createNetServer, type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import zlib from 'node:zlib';
import { type App, createApp } from '../../../src/app/index.ts';
import { bodyLimit, compress, proxy, type ProxyOptions, timeout } from '../../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from '../case.ts';
import { serverOf } from '../server.ts';
import { defineRefusals } from './refused.ts';

const LARGE = 'northern fulmar, '.repeat(20_000);

async function contentOf(req: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of req) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString();
}

/** Tells what it was asked. */
async function echo(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { method, url, headers } = req;
  const path = (url ?? '').replace(/^\/v1/, '').split('?')[0];
  if (path === '/large') return void res.setHeader('Content-Type', 'text/plain').end(LARGE);
  if (path === '/length') return void res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 5 }).end('hello');
  if (path === '/none') return void res.writeHead(204, { 'X-A': 'b' }).end();
  if (path === '/known') return void res.writeHead(304, { ETag: '"a"' }).end();
  if (path === '/missing') return void res.writeHead(404, 'Gone Fishing', { 'Content-Type': 'text/css' }).end('not here');
  if (path === '/fails') return void res.writeHead(503).end();
  if (path === '/untyped') return void res.writeHead(200).end('untyped');
  if (path === '/gzip')
    return void res.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' }).end(zlib.gzipSync('coded'));
  if (path === '/cookies')
    return void res.writeHead(200, { 'Set-Cookie': ['a=1; Domain=up.example; Path=/v1', 'b=2; HttpOnly'] }).end('cookies');
  if (path === '/hop')
    return void res
      .writeHead(200, { Connection: 'keep-alive, X-Secret', 'X-Secret': '1', 'Proxy-Authenticate': 'Basic', Trailer: 'X-T', 'X-Kept': '2' })
      .end('hop');
  if (path?.startsWith('/to'))
    return void res
      .writeHead(302, { Location: decodeURIComponent((url ?? '').split('?')[1] ?? '').replace('ORIGIN', `http://${headers.host}`) })
      .end();
  const body = await contentOf(req);
  res.setHeader('Content-Type', 'application/json').end(JSON.stringify({ method, url, headers, body }));
}

let origin = '';
const upstream = createServer((req, res) => void echo(req, res));
before(async () => {
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
});
after(() => {
  upstream.closeAllConnections();
  upstream.close();
});

type Options = Omit<ProxyOptions, 'target'> & { readonly base?: string };
const using =
  ({ base = '', ...options }: Options = {}, path = '/*path') =>
  (app: App): void => {
    app.all(path, proxy({ target: origin + base, ...options }));
  };

const one = (
  name: string,
  ask: AppCase['ask'],
  expect: AppCase['expect'],
  app: AppCase['app'] = using(),
  options?: AppCase['options'],
): AppCase => ({ name, app, ask, expect, ...(options === undefined ? {} : { options }) });
/** What the upstream was asked, by a part of its text. */
const asked = (name: string, ask: AppCase['ask'], text: RegExp, app?: AppCase['app'], options?: AppCase['options']): AppCase =>
  one(name, ask, { text }, app, options);
const get = (url: string, headers: Record<string, string> = {}, method = 'GET') => ({ url, headers, method });
const NO_FIELD = { fetch: 'a Request may not have this field' };

defineCases('what the upstream is asked', [
  asked('path and query', '/a/b%20c?d=%C3%A4&e', /"url":"\/a\/b%20c\?d=%C3%A4&e"/),
  asked('its own path goes before', '/a', /"url":"\/v1\/a"/, using({ base: '/v1/' })),
  asked('its own path alone', '/', /"url":"\/v1\/"/, using({ base: '/v1' })),
  asked('without the path of the route', '/api/birds?x', /"url":"\/birds\?x"/, using({}, '/api/*path')),
  asked('without the path of middleware', '/api/birds', /"url":"\/birds"/, (app) => void app.use('/api', proxy(origin))),
  asked('the path of middleware itself', '/api?x', /"url":"\/\?x"/, (app) => void app.use('/api', proxy(origin))),
  asked(
    'without the path of a group',
    '/g/api/birds',
    /"url":"\/birds"/,
    (app) => void app.group('/g', (inner) => inner.all('/api/*path', proxy(origin))),
  ),
  asked('in other words', '/birds/7?x', /"url":"\/v2\/seven"/, using({ rewrite: (path) => (path === '/birds/7?x' ? '/v2/seven' : path) })),
  asked('slashes', '//a//b/', /"url":"\/\/a\/\/b\/"/),
  asked('with its method', get('/', {}, 'DELETE'), /"method":"DELETE"/),
  asked('with content', { url: '/', body: 'hello' }, /"body":"hello"/),
  asked('with content of any letters', { url: '/', body: 'ä鷗' }, /"body":"ä鷗"/),
  asked('with long content', { url: '/', body: LARGE }, new RegExp(`"body":"${LARGE}"`)),
  asked('with no content', get('/', {}, 'POST'), /"content-length":"0".*"body":""/),
  asked(
    'with its fields',
    get('/', { 'X-A': 'b', Cookie: 'a=b; c=d', Authorization: 'Bearer x' }),
    /(?=.*"x-a":"b")(?=.*"cookie":"a=b; c=d").*"authorization":"Bearer x"/,
  ),
  asked('by its own name', '/', /"host":"127\.0\.0\.1:\d+"/),
  asked('by the client’s name', get('/', { Host: 'birds.example' }), /"host":"(?:birds\.example|localhost)"/, using({ host: 'client' })),
  asked('by another name', '/', /"host":"up\.example"/, using({ host: 'up.example' })),
  asked('with fields of ours', '/', /"x-key":"k"/, using({ headers: { 'X-Key': 'k' } })),
  asked('with fields of a function', '/abc', /"x-path":"\/abc"/, using({ headers: (c) => ({ 'X-Path': c.path }) })),
  asked('without a field', get('/', { 'X-A': 'b' }), /^(?!.*"x-a")/, using({ headers: { 'X-A': null } })),
  asked('that it is a proxy', '/', /"via":"1\.1 fulmar"/),
  asked('that it is another proxy', get('/', { Via: '1.0 other' }), /"via":"1\.0 other, 1\.1 mine"/, using({ via: 'mine' })),
  { ...asked('not that it is a proxy', '/', /^(?!.*"via")/, using({ via: false })) },
  one('a loop is broken', get('/', { Via: Array.from({ length: 10 }, () => '1.1 fulmar').join(', ') }), { status: 508 }),
]);

const FROM = {
  'X-Forwarded-For': '192.0.2.7',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'birds.example',
  Forwarded: 'for=192.0.2.7',
};
const NO_ADDRESS = { fetch: 'a Request has no address' };
const SOCKETLESS = { ...NO_ADDRESS };

defineCases('who asks', [
  {
    ...asked('is told', '/', /"x-forwarded-for":"127\.0\.0\.1","x-forwarded-host":"localhost","x-forwarded-proto":"http"/),
    not: SOCKETLESS,
  },
  {
    ...asked(
      'is not told by the client itself',
      get('/', FROM),
      /"x-forwarded-for":"127\.0\.0\.1","x-forwarded-host":"localhost","x-forwarded-proto":"http"/,
    ),
    not: { ...SOCKETLESS, lambda: 'its gateway says the protocol in that field' },
  },
  {
    ...asked(
      'is told by proxies that are trusted',
      get('/', FROM),
      /"x-forwarded-for":"192\.0\.2\.7, 127\.0\.0\.1","x-forwarded-host":"birds\.example","x-forwarded-proto":"https"/,
      using(),
      { trustProxy: 1 },
    ),
    not: SOCKETLESS,
  },
  {
    ...asked(
      'is told by a trusted proxy that says no address',
      get('/', { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'birds.example' }),
      /"x-forwarded-for":"127\.0\.0\.1","x-forwarded-host":"birds\.example","x-forwarded-proto":"https"/,
      using(),
      { trustProxy: 1 },
    ),
    not: SOCKETLESS,
  },
  {
    ...asked(
      'is told in the standard’s words',
      '/',
      /"forwarded":"for=127\.0\.0\.1;host=\\"localhost\\";proto=http"/,
      using({ forwarded: 'standard' }),
    ),
    not: SOCKETLESS,
  },
  {
    ...asked(
      'is told in the standard’s words behind others',
      get('/', FROM),
      /"forwarded":"for=192\.0\.2\.7, for=127\.0\.0\.1;/,
      using({ forwarded: 'both' }),
      { trustProxy: 1 },
    ),
    not: SOCKETLESS,
  },
  asked('is not told', get('/', FROM), /^(?!.*forwarded)/, using({ forwarded: false })),
]);

defineCases('what stays here of a request', [
  asked(
    'fields of the connection',
    get('/', { TE: 'trailers', 'Proxy-Authorization': 'x', 'Proxy-Connection': 'close', 'X-A': 'b' }),
    /^(?!.*(?:"te"|proxy-)).*"x-a":"b"/,
  ),
  { ...asked('Keep-Alive', get('/', { 'Keep-Alive': 'timeout=9' }), /^(?!.*timeout=9)/), not: NO_FIELD },
  { ...asked('an upgrade', get('/', { Upgrade: 'websocket' }), /^(?!.*websocket)/), not: NO_FIELD },
]);

const STEPS = [
  '/../a',
  '/a/../../b',
  '/%2e%2e/a',
  '/.%2e/a',
  '/a/..',
  '/a/%2E%2e',
  '/..%2fa',
  '/a%2f..%2fb',
  '/..%5ca',
  '/a/..;/b',
  '/./a',
];
defineCases(
  'paths that lead out of the target',
  STEPS.map((path) => ({
    ...one(path, path, { status: 400, text: /not passed on/ }, using({ base: '/v1' })),
    not: { fetch: 'a URL has no such path' },
  })),
);

defineCases('what comes back', [
  one('status, type, content', '/missing', { status: 404, text: 'not here', headers: { 'content-type': 'text/css' } }),
  one('long content', '/large', { text: LARGE }),
  one('content of a length', '/length', { text: 'hello' }),
  one('content of no type', '/untyped', { text: 'untyped', headers: { 'content-type': undefined } }),
  one('no content', '/none', { status: 204, text: '', headers: { 'x-a': 'b' } }),
  one('304', get('/known', { 'If-None-Match': '"a"' }), { status: 304, text: '', headers: { etag: '"a"' } }),
  one('an error of its own', '/fails', { status: 503, text: '' }),
  one('a head', get('/length', {}, 'HEAD'), { text: '', headers: { 'content-type': 'text/plain' } }),
  one('a coding', get('/gzip', { 'Accept-Encoding': 'gzip' }), { text: 'coded', headers: { 'content-encoding': 'gzip' } }),
  one('cookies', '/cookies', { headers: { 'set-cookie': 'a=1; Domain=up.example; Path=/v1, b=2; HttpOnly' } }),
  one(
    'cookies of this place',
    '/cookies',
    { headers: { 'set-cookie': 'a=1; Path=/api, b=2; HttpOnly' } },
    using({ cookies: { domain: false, path: '/api' } }),
  ),
  one(
    'cookies of another domain',
    '/cookies',
    { headers: { 'set-cookie': 'a=1; Domain=birds.example; Path=/v1, b=2; HttpOnly' } },
    using({ cookies: { domain: 'birds.example' } }),
  ),
  one('no fields of the connection', '/hop', {
    text: 'hop',
    headers: { 'x-secret': undefined, 'proxy-authenticate': undefined, trailer: undefined, 'x-kept': '2' },
  }),
  one(
    'with fields of ours',
    '/hop',
    { headers: { 'x-kept': undefined, 'x-own': '1' } },
    using({ replyHeaders: { 'X-Kept': null, 'X-Own': '1' } }),
  ),
  one('with fields of middleware', '/length', { text: 'hello', headers: { 'x-own': '1' } }, (app) => {
    app.use(async (c, next) => {
      await next();
      c.header('X-Own', '1');
    });
    using()(app);
  }),
  one('compressed here', get('/large', { 'Accept-Encoding': 'gzip' }), { text: LARGE, headers: { 'content-encoding': 'gzip' } }, (app) => {
    app.use(compress());
    using()(app);
  }),
  one(
    'not twice compressed',
    get('/gzip', { 'Accept-Encoding': 'gzip' }),
    { text: 'coded', headers: { 'content-encoding': 'gzip' } },
    (app) => {
      app.use(compress({ threshold: 0 }));
      using()(app);
    },
  ),
]);

const redirect = (name: string, location: string, expected: string, options?: Options): AppCase =>
  one(name, `/api/to?${encodeURIComponent(location)}`, { status: 302, headers: { location: expected } }, using(options, '/api/*path'));

defineCases('redirects', [
  redirect('to the upstream lead here', 'ORIGIN/login?a=1#b', '/api/login?a=1#b'),
  redirect('to a path of the upstream lead here', '/login', '/api/login'),
  redirect('to the upstream’s place lead here', 'ORIGIN/v1/login', '/api/login', { base: '/v1' }),
  redirect('to a path of the upstream’s place lead here', '/v1/login', '/api/login', { base: '/v1' }),
  redirect('to another place of the upstream stay', '/v2/login', '/v2/login', { base: '/v1' }),
  redirect('to what only begins so stay', '/v12', '/v12', { base: '/v1' }),
  redirect('to others stay', 'https://other.example/a', 'https://other.example/a'),
  redirect('to others of this scheme stay', '//other.example/a', '//other.example/a'),
  redirect('from here on stay', 'next', 'next'),
  redirect('stay where that is wanted', '/login', '/login', { redirects: false }),
  redirect('to another path of the upstream never names a host', 'ORIGIN//evil.example/x', '/evil.example/x', { base: '/v1' }),
  redirect('to many slashes never names a host', 'ORIGIN////evil.example', '/evil.example', { base: '/v1' }),
  redirect('with a backslash never names a host', 'ORIGIN/\\\\evil.example', '/evil.example', { base: '/v1' }),
]);

const byFetch = (options: Options = {}) => using({ ...options, fetch: (request) => fetch(request) });

defineCases('by fetch', [
  asked('path, query, fields', get('/a?b', { 'X-A': 'b' }), /"url":"\/a\?b".*"x-a":"b"/, byFetch()),
  asked('content', { url: '/', body: 'hello' }, /"body":"hello"/, byFetch()),
  asked('that it is a proxy', '/', /"via":"1\.1 fulmar"/, byFetch()),
  one('status, type, content', '/missing', { status: 404, text: 'not here', headers: { 'content-type': 'text/css' } }, byFetch()),
  one('long content', '/large', { text: LARGE }, byFetch()),
  one('no content', '/none', { status: 204, text: '' }, byFetch()),
  one(
    'a coding is undone',
    get('/gzip', { 'Accept-Encoding': 'gzip' }),
    { text: 'coded', headers: { 'content-encoding': undefined } },
    byFetch(),
  ),
  one('cookies', '/cookies', { headers: { 'set-cookie': 'a=1; Domain=up.example; Path=/v1, b=2; HttpOnly' } }, byFetch()),
  one('redirects', '/to?%2Flogin', { status: 302, headers: { location: '/login' } }, byFetch()),
  one('a head', get('/length', {}, 'HEAD'), { text: '' }, byFetch()),
  one('a function that fails', '/', { status: 502 }, using({ fetch: () => Promise.reject(new Error('of the network')) })),
]);

/** A server of any bytes; `answer` is told of each connection. */
async function listening(t: TestContext, answer: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createNetServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    answer(socket);
  });
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const REPLY = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Type: text/plain\r\n\r\n';

/** A place where nobody listens. */
async function nobody(): Promise<string> {
  const server = createNetServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}

function appWith(t: TestContext, options: ProxyOptions, logged: unknown[] = []): App {
  const app = createApp({ logger: { error: (...what) => logged.push(...what) } });
  t.after(() => app.close());
  app.all('/*path', proxy(options));
  return app;
}

describe('an upstream', () => {
  it('that is not there is 502, and the log knows why', async (t) => {
    const target = await nobody();
    const logged: unknown[] = [];
    const reply = await appWith(t, { target }, logged).inject('/');
    assert.equal(reply.status, 502);
    assert.doesNotMatch(reply.text, /127\.0\.0\.1/);
    assert.match(String(logged[1]), new RegExp(`${target}: connect ECONNREFUSED`));
  });

  it('that says nothing in time is 504', async (t) => {
    const closed = new Promise<void>(
      (resolve) => void listening(t, (socket) => socket.on('close', resolve).resume()).then((target) => start(target)),
    );
    let start: (target: string) => void = () => {};
    const target = await new Promise<string>((resolve) => (start = resolve));
    assert.equal((await appWith(t, { target, timeoutMs: 30 }).inject('/')).status, 504);
    await closed;
  });

  for (const [what, bytes] of [
    ['no HTTP', 'hello\r\n\r\n'],
    ['nothing, and an end', ''],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['a head without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: Upgrade\r\n\r\nhello'],
    ['a status that is none', 'HTTP/1.1 999 What\r\nContent-Length: 0\r\n\r\n'],
  ] as const) {
    it(`that says ${what} is 502`, async (t) => {
      const target = await listening(t, (socket) => socket.once('data', () => socket.end(bytes)));
      assert.equal((await appWith(t, { target, retries: 0 }).inject('/')).status, 502);
    });
  }

  it('that breaks its reply off breaks ours off', async (t) => {
    const target = await listening(t, (socket) =>
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello`)),
    );
    const app = appWith(t, { target });
    await assert.rejects(app.inject('/'), /broken off/);
    const { port } = (await serverOf(app)).address() as AddressInfo;
    const socket = createConnection(port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket.resume(), 'close');
  });

  it('is asked again where it has closed a connection that was kept', async (t) => {
    let connections = 0;
    let requests = 0;
    const target = await listening(t, (socket) => {
      connections += 1;
      socket.on('data', () => {
        requests += 1;
        if (connections === 1 && requests === 2) socket.destroy();
        else socket.write(`${REPLY}ok`);
      });
    });
    const app = appWith(t, { target, connections: 1 });
    assert.equal((await app.inject('/')).text, 'ok');
    assert.equal((await app.inject('/')).text, 'ok');
    assert.deepEqual([connections, requests], [2, 3]);
  });

  it('is not asked again for a POST that it may have seen', async (t) => {
    let requests = 0;
    const target = await listening(t, (socket) =>
      socket.on('data', () => {
        requests += 1;
        socket.destroy();
      }),
    );
    assert.equal((await appWith(t, { target, retries: 5 }).inject({ url: '/', body: 'x' })).status, 502);
    assert.equal(requests, 1);
  });

  it('takes turns with others', async (t) => {
    const named = (name: string) => listening(t, (socket) => socket.on('data', () => socket.write(REPLY + name)));
    const app = appWith(t, { upstreams: [await named('a1'), await named('b2'), await named('c3')] });
    const came: string[] = [];
    for (let times = 0; times < 6; times += 1) came.push((await app.inject('/')).text);
    assert.deepEqual(came, ['a1', 'b2', 'c3', 'a1', 'b2', 'c3']);
  });

  it('that is not there is passed over, content included', async (t) => {
    const target = await listening(t, (socket) =>
      socket.on('data', (data: Buffer) => data.includes('hello') && socket.write(`${REPLY}ok`)),
    );
    const app = appWith(t, { upstreams: [await nobody(), target] });
    for (let times = 0; times < 4; times += 1) assert.equal((await app.inject({ url: '/', body: 'hello' })).text, 'ok');
    const content = ReadableStream.from(['hel', 'lo']).pipeThrough(new TextEncoderStream());
    const target2 = new Request('http://localhost/', { method: 'POST', body: content, duplex: 'half' } as RequestInit);
    const echoing = appWith(t, { upstreams: [await nobody(), origin] });
    assert.equal(((await (await echoing.fetch(target2)).json()) as { body: string }).body, 'hello');
  });

  it('that fails rests, and is asked when all rest', async (t) => {
    let isUp = false;
    let asked_ = 0;
    const broken = await listening(t, (socket) =>
      socket.on('data', () => {
        asked_ += 1;
        if (isUp) socket.write(`${REPLY}up`);
        else socket.destroy();
      }),
    );
    const target = await listening(t, (socket) => socket.on('data', () => socket.write(`${REPLY}ok`)));
    const health = { failures: 2, restMs: 1_000_000 };
    const app = appWith(t, { upstreams: [broken, target], health, retries: 1 });
    for (let times = 0; times < 10; times += 1) assert.equal((await app.inject('/')).text, 'ok');
    assert.equal(asked_, 2);
    isUp = true;
    const alone = appWith(t, { target: broken, health, retries: 0 });
    assert.equal((await alone.inject('/')).text, 'up');
  });
});

describe('sides that leave', () => {
  it('the client: the upstream’s connection ends', { timeout: 20_000 }, async (t) => {
    let ended: () => void = () => {};
    const end = new Promise<void>((resolve) => (ended = resolve));
    const target = await listening(t, (socket) => {
      socket.on('close', ended);
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello'));
    });
    const { port } = (await serverOf(appWith(t, { target }))).address() as AddressInfo;
    const socket = createConnection(port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let received = '';
    for await (const piece of socket) {
      received += String(piece);
      if (received.includes('hello')) break;
    }
    socket.destroy();
    await end;
  });

  it('the client, before there is a reply', { timeout: 20_000 }, async (t) => {
    let socket: Socket | undefined;
    let ended: () => void = () => {};
    const end = new Promise<void>((resolve) => (ended = resolve));
    const target = await listening(t, (up) => {
      up.on('close', ended);
      up.once('data', () => socket?.destroy());
    });
    const { port } = (await serverOf(appWith(t, { target }))).address() as AddressInfo;
    socket = createConnection(port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await end;
  });

  it('the client, in the middle of its content: the upstream gets no whole request', { timeout: 20_000 }, async (t) => {
    let received = '';
    let socket: Socket | undefined;
    let ended: () => void = () => {};
    const end = new Promise<void>((resolve) => (ended = resolve));
    const target = await listening(t, (up) => {
      up.on('close', ended);
      up.on('data', (piece: Buffer) => {
        received += piece.toString('latin1');
        if (received.includes('half')) socket?.destroy();
      });
    });
    const { port } = (await serverOf(appWith(t, { target }))).address() as AddressInfo;
    socket = createConnection(port, '127.0.0.1').on('error', () => {});
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n');
    await end;
    assert.doesNotMatch(received, /\r\n0\r\n\r\n$/);
  });

  it('content that is too long ends the upstream’s request with 413', async (t) => {
    const app = createApp();
    t.after(() => app.close());
    app.post('/', bodyLimit(10_000), proxy(origin));
    const content = ReadableStream.from(Array.from({ length: 100 }, () => 'x'.repeat(1000))).pipeThrough(new TextEncoderStream());
    const reply = await app.fetch(new Request('http://localhost/', { method: 'POST', body: content, duplex: 'half' } as RequestInit));
    assert.equal(reply.status, 413);
  });

  it('a reply that another value took the place of is let go', { timeout: 20_000 }, async (t) => {
    let ended: () => void = () => {};
    const end = new Promise<void>((resolve) => (ended = resolve));
    const target = await listening(t, (socket) => {
      socket.on('close', ended);
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello'));
    });
    const app = createApp();
    t.after(() => app.close());
    app.use(async (_, next) => {
      await next();
      return 'mine';
    });
    app.all('/*path', proxy(target));
    assert.equal((await app.inject('/')).text, 'mine');
    await end;
  });

  it('a timeout ends the upstream’s request', { timeout: 20_000 }, async (t) => {
    const target = await listening(t, (socket) => socket.resume());
    const app = createApp({ logger: { error: () => {} } });
    t.after(() => app.close());
    app.use(timeout(20));
    app.all('/*path', proxy(target));
    assert.equal((await app.inject('/')).status, 503);
  });
});

describe('back-pressure', () => {
  const settled = async (value: () => number): Promise<number> => {
    for (let still = 0, last = -1; still < 100; still = value() === last ? still + 1 : 0) {
      last = value();
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    return value();
  };
  const SIZE = 128 * 1024 * 1024;

  it('an upstream waits for a client that does not read', { timeout: 30_000 }, async (t) => {
    let written = 0;
    const target = await listening(t, (socket) => {
      const piece = Buffer.alloc(65_536);
      const write = (): void => {
        while (written < SIZE) {
          written += piece.length;
          if (!socket.write(piece)) return void socket.once('drain', write);
        }
      };
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${SIZE}\r\n\r\n`);
        write();
      });
    });
    const { port } = (await serverOf(appWith(t, { target }))).address() as AddressInfo;
    const socket = createConnection(port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await once(socket, 'readable');
    assert.ok((await settled(() => written)) < SIZE);
    socket.destroy();
  });

  it('a client waits for an upstream that does not read', { timeout: 30_000 }, async (t) => {
    const target = await listening(t, (socket) => socket.pause());
    const { port } = (await serverOf(appWith(t, { target }))).address() as AddressInfo;
    const socket = createConnection(port, '127.0.0.1').on('error', () => {});
    socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${SIZE}\r\n\r\n`);
    let written = 0;
    const piece = Buffer.alloc(65_536);
    const write = (): void => {
      while (written < SIZE) {
        written += piece.length;
        if (!socket.write(piece)) return void socket.once('drain', write);
      }
    };
    write();
    assert.ok((await settled(() => written)) < SIZE);
    socket.destroy();
  });

  it('the head leaves before the content is there', { timeout: 20_000 }, async (t) => {
    let goOn: () => void = () => {};
    const target = await listening(t, (socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n');
        goOn = () => void socket.write('ok');
      }),
    );
    const { port } = (await serverOf(appWith(t, { target }))).address() as AddressInfo;
    const socket = createConnection(port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    const [head] = (await once(socket, 'data')) as [Buffer];
    assert.match(head.toString(), /^HTTP\/1\.1 200 OK\r\n[^]*Content-Length: 2\r\n\r\n$/);
    goOn();
    assert.match(String((await once(socket, 'data'))[0]), /^ok$/);
  });
});

defineRefusals('proxy', [
  ['no upstream', () => proxy({}), /needs one of target and upstreams/],
  ['both', () => proxy({ target: 'http://a', upstreams: ['http://b'] }), /needs one of target and upstreams/],
  ['an upstream without its scheme', () => proxy('127.0.0.1:3000'), /target is the origin of a server/],
  ['another scheme', () => proxy('ftp://a'), /target is the origin of a server/],
  ['a query', () => proxy('http://a/?b'), /target is the origin of a server/],
  ['a name and password', () => proxy('http://a:b@c'), /target is the origin of a server/],
  ['no upstreams', () => proxy({ upstreams: [] }), /upstreams is a list/],
  ['an option that is none', () => proxy({ target: 'http://a', rewrit: (path: string) => path } as never), /did you mean rewrite/],
  [
    'fields of the connection',
    () => proxy({ target: 'http://a', headers: { 'Transfer-Encoding': 'x' } }),
    /headers is fields by name that are not of the connection/,
  ],
  ['a Host among the fields', () => proxy({ target: 'http://a', headers: { host: 'x' } }), /headers is fields/],
  ['fields of two lines', () => proxy({ target: 'http://a', headers: { 'X-A': 'a\r\nb: c' } }), /headers is fields/],
  ['a time that is none', () => proxy({ target: 'http://a', timeoutMs: -1 }), /timeoutMs is a time in ms/],
  ['a time that no timer can wait for', () => proxy({ target: 'http://a', connectTimeoutMs: 2 ** 31 }), /connectTimeoutMs is a time in ms/],
  ['a time by another name', () => proxy({ target: 'http://a', timeout: 5 } as never), /did you mean timeoutMs/],
  ['health of another kind', () => proxy({ target: 'http://a', health: { fail: 1 } as never }), /health is an object/],
  ['cookies of two lines', () => proxy({ target: 'http://a', cookies: { path: '/a; b' } }), /cookies is an object/],
  ['a style that is none', () => proxy({ target: 'http://a', forwarded: 'y' as never }), /forwarded is 'x', 'standard', 'both' or false/],
]);
