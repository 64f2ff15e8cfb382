/**
 * http-proxy-middleware on both sides: the proxy and what it proxies to are both of the side; HTTP,
 * rewriting, WebSocket, failure.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Handler } from '../support/express-types.ts';
import { load } from '../support/load.ts';
import { closeServer, listen } from '../support/sides.ts';

interface Proxy extends Handler {
  upgrade(req: IncomingMessage, socket: Socket, head: Buffer): void;
}
interface ProxyModule {
  createProxyMiddleware(options: object): Proxy;
  fixRequestBody(proxied: unknown, req: unknown): void;
  responseInterceptor(
    change: (content: Buffer, proxied: IncomingMessage, req: IncomingMessage, res: ServerResponse) => Promise<string>,
  ): unknown;
}
const { createProxyMiddleware, fixRequestBody, responseInterceptor } = load<ProxyModule>('http-proxy-middleware');

/** The server behind the proxy: an application of the same side that tells what reached it. */
async function target({ express, http, after }: Bench): Promise<string> {
  const app = express();
  // What is echoed holds ports: a validator of it would differ by nature.
  app.set('etag', false);
  app.use(express.text({ type: '*/*', limit: '1mb' }));
  app.get('/big', (req, res) => res.type('text').send('b'.repeat(500_000)));
  app.get('/cookie', (req, res) => res.cookie('a', 'b', { domain: 'target.example', path: '/' }).redirect('/api/elsewhere'));
  app.get('/cut', (req) => void req.socket.destroy());
  app.all('/{*rest}', (req, res) => {
    const { host: _host, ...headers } = req.headers;
    res.set('X-Target', 'yes').json({ method: req.method, url: req.url, headers, body: req.body ?? null });
  });
  const server = http.createServer(app);
  const sockets = new WebSocketServer({ server, path: '/socket' });
  sockets.on('connection', (socket, req) => {
    socket.send(`hello ${req.headers['x-added'] ?? ''}`);
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
  });
  const port = await listen(server);
  after(() => {
    for (const socket of sockets.clients) socket.terminate();
    return closeServer(server);
  });
  return `http://127.0.0.1:${port}`;
}

same('forwards methods, content, queries and headers, and rewrites paths', {
  build: async (bench) => {
    const app = bench.express();
    app.use(
      '/api',
      createProxyMiddleware({ target: await target(bench), changeOrigin: true, xfwd: true, pathRewrite: { '^/old': '/new' } }),
    );
    app.get('/', (req, res) => res.send('not proxied'));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/');
    await client.get('/api/old/x?q=1&r=%20', { 'X-One': 'two' });
    await client.post('/api/echo', 'content '.repeat(1000), { 'Content-Type': 'text/plain' });
    await client.send({ method: 'PUT', path: '/api/pieces', pieces: ['a', 'b', 'c'] });
    await client.send({ method: 'DELETE', path: '/api/one' });
    await client.send({ method: 'HEAD', path: '/api/one' });
    await client.get('/api/big');
  },
  masks: [{ pattern: /"x-forwarded-port":"\d+"/g, by: '"x-forwarded-port":"<port>"' }],
  check: (replies) => {
    assert.match(replies[1]?.content ?? '', /"url":"\/new\/x\?q=1&r=%20"/);
    assert.equal(replies[6]?.content.length, 500_000);
  },
});

same('rewrites redirects and cookies, sets headers, and changes replies', {
  build: async (bench) => {
    const app = bench.express();
    const to = await target(bench);
    app.use(
      '/plain',
      createProxyMiddleware({
        target: to,
        cookieDomainRewrite: 'proxy.example',
        cookiePathRewrite: { '/': '/plain' },
        headers: { 'x-set': 'by proxy' },
        autoRewrite: true,
      }),
    );
    const change = responseInterceptor(async (content, _proxied, _req, res) => {
      res.setHeader('X-Changed', String(content.length));
      return content.toString().toUpperCase();
    });
    app.use('/loud', createProxyMiddleware({ target: to, selfHandleResponse: true, on: { proxyRes: change } }));
    app.use('/parsed', bench.express.json(), createProxyMiddleware({ target: to, on: { proxyReq: fixRequestBody } }));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/plain/cookie');
    client.cookies.clear();
    await client.get('/plain/x');
    await client.get('/loud/x');
    await client.json('/parsed/x', { parsed: true });
  },
  check: (replies) => assert.match(replies[3]?.content ?? '', /parsed/),
});

same('answers 504 or its error handler when there is nobody behind it', {
  build: async (bench) => {
    // A port that nothing listens on: one that was free a moment ago may be the next server's.
    const app = bench.express();
    const options = { target: 'http://127.0.0.1:1', logger: undefined };
    app.use('/default', createProxyMiddleware(options));
    const error = (failure: NodeJS.ErrnoException, _req: unknown, res: ServerResponse): void => {
      bench.note(failure.code);
      res.writeHead(502, { 'Content-Type': 'text/plain' });
      res.end('nobody there');
    };
    app.use('/own', createProxyMiddleware({ ...options, on: { error } }));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/default/x');
    await client.get('/own/x');
  },
  check: (replies) => assert.equal(replies[1]?.line, '502 Bad Gateway'),
});

same('answers with an error when the server behind it cuts the connection', {
  build: async (bench) => {
    const app = bench.express();
    app.use(createProxyMiddleware({ target: await target(bench) }));
    return app;
  },
  talk: async ({ client }) => void (await client.get('/cut')),
  check: ([reply]) => assert.match(reply?.content ?? '', /Error occurred while trying to proxy/),
});

async function talkOverSocket(url: string, note: (value: unknown) => void): Promise<void> {
  const socket = new WebSocket(url, { headers: { 'X-Added': 'from client' } });
  const inbox: string[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data, isBinary) => {
    inbox.push(`${isBinary ? 'binary' : 'text'} ${(data as Buffer).length} ${(data as Buffer).toString('latin1').slice(0, 40)}`);
    waiting.shift()?.();
  });
  const received = (): Promise<void> => new Promise((resolve) => waiting.push(resolve));
  const hello = received();
  await once(socket, 'open');
  await hello;
  for (const message of ['ping', Buffer.from([0, 1, 255]), 'x'.repeat(200_000)]) {
    const answer = received();
    socket.send(message);
    await answer;
  }
  socket.close(1000, 'done');
  const [code] = (await once(socket, 'close')) as [number];
  note({ inbox, code });
}

same('proxies WebSockets that the application subscribed by a first request', {
  build: async (bench) => {
    const app = bench.express();
    app.use(createProxyMiddleware({ target: await target(bench), ws: true }));
    return app;
  },
  talk: async ({ client, port, note }) => {
    await client.get('/first');
    await talkOverSocket(`ws://127.0.0.1:${port}/socket`, note);
  },
  check: (_replies, notes) => assert.match(JSON.stringify(notes), /hello from client/),
});

same('proxies WebSockets through an upgrade listener of the server', {
  build: async (bench): Promise<Server> => {
    const app = bench.express();
    const proxy = createProxyMiddleware({ target: await target(bench) });
    app.use(proxy);
    const server = bench.http.createServer(app);
    server.on('upgrade', proxy.upgrade as never);
    return server;
  },
  talk: async ({ port, note }) => {
    await talkOverSocket(`ws://127.0.0.1:${port}/socket`, note);
    const refused = new WebSocket(`ws://127.0.0.1:${port}/elsewhere`);
    const [error] = (await once(refused, 'error')) as [Error];
    note(error.message);
  },
  check: (_replies, notes) => assert.match(JSON.stringify(notes), /Unexpected server response: 400/),
});
