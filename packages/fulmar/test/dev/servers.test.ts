/** Every style of server under an inspector: its errors at the terminal and in the browser, its pages with the script. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs';
import { createServer as createNodeServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { WebSocket } from 'ws';
import { createApp } from '../../src/app/index.ts';
import { Controller, Get, Module, NestFactory } from '../../src/controllers/index.ts';
import express4 from '../../src/express/express4/index.ts';
import express from '../../src/express/index.ts';
import { createServer } from '../../src/http/index.ts';
import Koa from '../../src/koa/index.ts';
import Koa2 from '../../src/koa/koa2.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { query, rpc } from '../../src/rpc/index.ts';
import { ask, browse, folderWith, inspect, listen, onUncaught, stateOf } from './support.ts';

const SCRIPT = '<script src="/_fulmar/client.js"></script>';
const PAGE = '<html><body>hello</body></html>';

function fail(): never {
  throw new TypeError('no <b>birds</b>', { cause: new Error('the sea') });
}

interface Style {
  readonly name: string;
  /** Has `/page`, a page, and `/fail`, which fails. */
  start(t: TestContext): Promise<number>;
  /** What other clients are told of a failure. */
  readonly told: RegExp;
}

const quiet = { error: () => undefined };

function expressApp(make: typeof express): Server {
  const app = make();
  app.set('env', 'production');
  app.get('/page', (_req, res) => void res.send(PAGE));
  app.get('/fail', fail);
  return createServer(app as never);
}

function koaApp(Class: typeof Koa): Server {
  const app = new Class();
  app.use((ctx) => {
    const page = ctx as unknown as { path: string; body: unknown };
    if (page.path === '/fail') fail();
    page.body = PAGE;
  });
  return createServer(app.callback() as never);
}

async function appAt(t: TestContext, app: { listen(options: object): Promise<{ url: string }>; close(): Promise<void> }): Promise<number> {
  const { url } = await app.listen({ port: 0, host: '127.0.0.1' });
  t.after(() => app.close());
  return Number(new URL(url).port);
}

async function controllersAt(t: TestContext): Promise<number> {
  class Birds {
    page(): string {
      return PAGE;
    }
    fail(): never {
      return fail();
    }
  }
  for (const name of ['page', 'fail'] as const) {
    const descriptor = Object.getOwnPropertyDescriptor(Birds.prototype, name) as PropertyDescriptor;
    Get(name)(Birds.prototype, name, descriptor);
  }
  Controller()(Birds);
  class Root {}
  Module({ controllers: [Birds] })(Root);
  const app = await NestFactory.create(Root, { logger: false });
  await app.listen(0, '127.0.0.1');
  t.after(() => app.close());
  return (app.getHttpServer().address() as AddressInfo).port;
}

const styles: Style[] = [
  { name: 'Express 5', start: (t) => listen(t, expressApp(express)), told: /<pre>Internal Server Error<\/pre>/ },
  { name: 'Express 4', start: (t) => listen(t, expressApp(express4 as never)), told: /<pre>Internal Server Error<\/pre>/ },
  { name: 'Koa 3', start: (t) => listen(t, koaApp(Koa)), told: /^Internal Server Error$/ },
  { name: 'Koa 2', start: (t) => listen(t, koaApp(Koa2 as never)), told: /^Internal Server Error$/ },
  {
    name: 'node:http',
    start: (t) =>
      listen(
        t,
        createServer((req, res) => {
          if (req.url?.startsWith('/fail')) fail();
          res.setHeader('Content-Type', 'text/html');
          res.end(PAGE);
        }),
      ),
    told: /^Internal Server Error$/,
  },
  {
    name: 'the typed app',
    start: (t) => {
      const app = createApp({ logger: quiet });
      app.get('/page', (c) => c.html(PAGE));
      app.get('/fail', fail);
      return appAt(t, app as never);
    },
    told: /^\{"title":"Internal Server Error","status":500,"instance":"urn:error:\w+"\}$/,
  },
  { name: 'controllers', start: controllersAt, told: /^\{"statusCode":500,"message":"Internal server error"\}$/ },
  {
    name: 'routes of files',
    start: (t) => {
      const dir = folderWith(t, {
        'page.html': PAGE,
        'fail.mjs': "export const GET = () => { throw new TypeError('no <b>birds</b>', { cause: new Error('the sea') }); };",
      });
      return appAt(t, createRoutes({ dir, logger: quiet }) as never);
    },
    told: /"status":500/,
  },
];

for (const { name, start, told } of styles) {
  describe(name, () => {
    it('shows an error with its cause, its source and the request to a browser, and at the terminal', async (t) => {
      const { printed } = inspect(t);
      const port = await start(t);
      const { status, headers, text } = await browse(port, '/fail?a=%3Cscript%3E', {
        headers: {
          Authorization: 'Bearer kittiwake',
          Cookie: 'session=guillemot; theme=razorbill; puffin',
          'X-Html': '<img src=x>',
          'X-Session-Token': 'fulmarine',
          'Cf-Access-Jwt-Assertion': 'fulmarine',
          'X-Author': 'skua',
        },
      });
      assert.equal(status, 500);
      assert.match(text, /skua/);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(Number(headers['content-length']), Buffer.byteLength(text));
      assert.match(text, /<h1><span class="red">TypeError<\/span>: no &lt;b&gt;birds&lt;\/b&gt;<\/h1>/);
      assert.match(text, /Caused by<\/p><h2><span class="red">Error<\/span>: the sea/);
      assert.match(text, /&lt;img src=x&gt;/);
      assert.doesNotMatch(text, /kittiwake|guillemot|razorbill|puffin|fulmarine|<img|<b>birds/);
      assert.match(text, /Bearer ••••••/);
      assert.match(text, /session=••••••; theme=••••••;••••••/);
      assert.match(printed(), /✗ GET \/fail\?a=%3Cscript%3E\n {2}TypeError: no <b>birds<\/b>\n/);
      assert.match(printed(), /caused by\n {4}Error: the sea/);
      assert.match(text, name === 'routes of files' ? /class="frame"/ : /<details class="frame" open>[^]*class="line meant"/);
    });

    it('tells other clients what it told them before', async (t) => {
      inspect(t);
      const port = await start(t);
      const { status, text } = await ask(port, '/fail', { headers: { Accept: 'application/json' } });
      assert.equal(status, 500);
      assert.match(text.trim(), told);
      assert.equal(
        (await ask(port, '/fail', { headers: { Accept: '*/*' } })).text.trim().replace(/urn:error:\w+/, ''),
        text.trim().replace(/urn:error:\w+/, ''),
      );
    });

    it('has the script in its pages, for browsers', async (t) => {
      inspect(t);
      const port = await start(t);
      const { text, headers } = await browse(port, '/page');
      assert.equal(text, PAGE.replace('</body>', `${SCRIPT}</body>`));
      assert.equal(Number(headers['content-length']), text.length);
      assert.equal((await ask(port, '/page', { headers: { Accept: '*/*' } })).text, PAGE);
      const { etag } = headers;
      if (etag !== undefined) assert.equal((await browse(port, '/page', { headers: { 'If-None-Match': etag } })).status, 304);
      const head = await browse(port, '/page', { method: 'HEAD' });
      assert.equal(head.text, '');
    });

    it('is noted with what it answered', async (t) => {
      inspect(t);
      const port = await start(t);
      await browse(port, '/page');
      await browse(port, '/fail');
      const { requests } = await stateOf(port);
      const [page, failed] = requests;
      assert.deepEqual([page?.method, page?.target, page?.status, page?.state, page?.error], ['GET', '/page', 200, 'answered', null]);
      assert.equal(page?.bytes, PAGE.length + SCRIPT.length);
      assert.ok((page?.totalMs ?? 0) >= (page?.handlersMs ?? Infinity));
      assert.deepEqual([failed?.status, failed?.error], [500, 'TypeError: no <b>birds</b>']);
      const again = await browse(port, `/_fulmar/requests/${failed?.id}`);
      assert.equal(again.status, 200);
      assert.match(again.text, /no &lt;b&gt;birds&lt;\/b&gt;/);
    });

    it('is as it was when the inspector has closed', async (t) => {
      const { inspector, printed } = inspect(t);
      const port = await start(t);
      inspector.close();
      assert.equal((await browse(port, '/page')).text, PAGE);
      assert.equal((await browse(port, '/_fulmar')).text.includes('fulmar-token'), false);
      assert.equal(printed(), '');
    });
  });
}

describe('handlers of errors of the application’s own', () => {
  it('of Express answer, and nothing of ours is shown', async (t) => {
    const { printed } = inspect(t);
    const app = express();
    app.get('/', fail);
    app.use((_error: unknown, _req: unknown, res: { status(code: number): { send(text: string): void } }, _next: unknown) => {
      res.status(500).send('<p>mine</p>');
    });
    const port = await listen(t, createServer(app as never));
    assert.equal((await browse(port, '/')).text, '<p>mine</p>');
    assert.equal(printed(), '');
  });

  it('of Koa answer', async (t) => {
    inspect(t);
    const app = new Koa();
    app.use(async (ctx, next) => {
      try {
        await next();
      } catch {
        Object.assign(ctx, { status: 500, body: '<p>mine</p>' });
      }
    });
    app.use(fail);
    assert.equal((await browse(await listen(t, createServer(app.callback() as never)), '/')).text, '<p>mine</p>');
  });

  it('of the typed app answer', async (t) => {
    const { printed } = inspect(t);
    const app = createApp();
    app.get('/', fail);
    app.onError((_error, c) => c.html('<p>mine</p>', 500));
    assert.equal((await browse(await appAt(t, app as never), '/')).text, '<p>mine</p>');
    assert.equal(printed(), '');
  });
});

it('an error for the client is none of the server, and has its own reply', async (t) => {
  const { printed } = inspect(t);
  const app = express();
  app.get('/', () => {
    throw Object.assign(new Error('not here'), { status: 404 });
  });
  app.set('env', 'test');
  const { status, text } = await browse(await listen(t, createServer(app as never)), '/');
  assert.equal(status, 404);
  assert.match(text, /<pre>Error: not here/);
  assert.equal(printed(), '');
});

it('a call of RPC that throws is printed, and the request told of', async (t) => {
  const { printed } = inspect(t);
  const app = createApp({ logger: quiet });
  app.mount('/rpc', rpc({ birds: query({ params: [] }, () => fail()) }));
  const port = await appAt(t, app as never);
  const { status, text } = await browse(port, '/rpc/birds?rpc=1');
  const { requests } = await stateOf(port);
  assert.equal(status, 500, text);
  assert.match(printed(), /TypeError: no <b>birds<\/b>/);
  assert.equal(requests[0]?.error, 'TypeError: no <b>birds</b>');
});

describe('an error that nobody caught', () => {
  /** Ways in which a request listener fails, most of them behind its return. */
  const ways: [name: string, fail: () => unknown][] = [
    ['the listener itself', fail],
    ['a promise', () => Promise.resolve().then(fail)],
    ['a promise later', () => new Promise((_, reject) => void setTimeout(reject, 1, new TypeError('no <b>birds</b>')))],
    ['a timer', () => void setTimeout(fail, 1)],
    ['a file that is read', () => readFile('/nowhere', fail)],
    ['the next tick', () => process.nextTick(fail)],
  ];
  for (const [name, later] of ways) {
    it(`answers the request that it comes of: ${name}`, async (t) => {
      const { inspector, printed } = inspect(t);
      const told: boolean[] = [];
      onUncaught(t, (error) => void told.push(inspector.uncaught(error)));
      const port = await listen(
        t,
        createServer((req, res) => {
          if (req.url === '/fail') void later();
          else setTimeout(() => res.end('fine'), 50);
        }),
      );
      const others = [browse(port, '/a'), browse(port, '/b')];
      const { status, text } = await browse(port, '/fail');
      assert.equal(status, 500);
      assert.match(text, /TypeError<\/span>: no &lt;b&gt;birds/);
      assert.match(printed(), /✗ GET \/fail\n {2}TypeError/);
      assert.deepEqual(told, [true]);
      assert.deepEqual(
        (await Promise.all(others)).map((other) => other.text),
        ['fine', 'fine'],
      );
    });
  }

  it('of no request is printed alone', (t) => {
    const { inspector, printed } = inspect(t);
    assert.equal(inspector.uncaught(new RangeError('later')), false);
    assert.match(printed(), /✗ An error that nobody caught\n {2}RangeError: later/);
  });
});

it('parameters are shown where the framework tells them', async (t) => {
  inspect(t);
  const app = createApp({ logger: quiet });
  app.get('/birds/:id', fail);
  const { text } = await browse(await appAt(t, app as never), '/birds/%3Cb%3E7?sort=name');
  assert.match(text, /Parameters<\/caption><tr><th scope="row">id<\/th><td class="mono">&lt;b&gt;7</);
  assert.match(text, /Query<\/caption><tr><th scope="row">sort<\/th><td class="mono">name</);
});

it('pages get no script where that is switched off, and errors are shown still', async (t) => {
  inspect(t, { inject: false });
  const app = express();
  app.get('/page', (_req, res) => void res.send(PAGE));
  app.get('/fail', fail);
  const port = await listen(t, createServer(app as never));
  assert.equal((await browse(port, '/page')).text, PAGE);
  assert.match((await browse(port, '/fail')).text, /fulmar-error/);
});

it('a page in pieces with its length has the script, one of unknown length has none, neither loses anything', async (t) => {
  inspect(t);
  const server = createServer((req, res) => {
    res.setHeader('Content-Type', 'text/html');
    if (req.url === '/known') res.setHeader('Content-Length', PAGE.length);
    if (req.url === '/short') res.setHeader('Content-Length', PAGE.length + 1);
    res.write(PAGE.slice(0, 10));
    setImmediate(() => res.end(PAGE.slice(10)));
  });
  const port = await listen(t, server);
  assert.equal((await browse(port, '/known')).text, PAGE.replace('</body>', `${SCRIPT}</body>`));
  assert.equal((await browse(port, '/unknown')).text, PAGE);
  await assert.rejects(browse(port, '/short'), /aborted|hang up|ECONNRESET/);
});

it('an upgrade is the application’s, and noted', async (t) => {
  inspect(t);
  const server = createServer((_req, res) => void res.end('x'));
  server.on('upgrade', (_req, socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n'));
  const port = await listen(t, server);
  const { request } = await import('node:http');
  const asking = request({ port, host: '127.0.0.1', path: '/socket', headers: { Connection: 'upgrade', Upgrade: 'x' } });
  asking.end();
  const [, socket] = (await once(asking, 'upgrade')) as [unknown, { destroy(): void }];
  socket.destroy();
  const { requests } = await stateOf(port);
  assert.deepEqual([requests[0]?.target, requests[0]?.state, requests[0]?.status], ['/socket', 'upgraded', 101]);
});

it('Node’s own server, which is none of ours, is left alone', async (t) => {
  inspect(t);
  const port = await listen(
    t,
    createNodeServer((_req, res) => void res.end('node')),
  );
  assert.equal((await browse(port, '/_fulmar')).text, 'node');
});

it('a handler of a WebSocket that throws is printed, and its request told of', async (t) => {
  const { printed } = inspect(t);
  const app = createApp({ logger: quiet });
  app.websocket('/socket', { message: fail });
  const port = await appAt(t, app as never);
  const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
  await once(socket, 'open');
  socket.send('x');
  await once(socket, 'close');
  assert.match(printed(), /✗ GET \/socket\n {2}TypeError: no <b>birds<\/b>/);
  const { requests } = await stateOf(port);
  assert.deepEqual([requests[0]?.state, requests[0]?.error], ['upgraded', 'TypeError: no <b>birds</b>']);
});

it('parameters are found by the routes where the framework has put them away', async (t) => {
  inspect(t);
  const app = express();
  app.set('env', 'production');
  app.get('/birds/:id/:part', fail);
  const { text } = await browse(await listen(t, createServer(app as never)), '/birds/a%20b/wing/?x=1');
  assert.match(text, /Parameters<\/caption><tr><th scope="row">id<\/th><td class="mono">a b</);
  assert.match(text, /<th scope="row">part<\/th><td class="mono">wing</);
});

it('what a script of a page fetches gets no script, and a frame does', async (t) => {
  inspect(t);
  const app = express();
  app.get('/page', (_req, res) => void res.send(PAGE));
  const port = await listen(t, createServer(app as never));
  const has = async (to: string): Promise<boolean> =>
    (await browse(port, '/page', { headers: { 'Sec-Fetch-Dest': to } })).text.includes(SCRIPT);
  assert.deepEqual(await Promise.all(['document', 'iframe', 'empty', 'image'].map(has)), [true, true, false, false]);
});
