/**
 * The app on a port: listening, closing, clients that leave, and what is wrong where it is registered.
 */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get as httpGet, type IncomingMessage, request as httpRequest, type Server, type ServerResponse } from 'node:http';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { type App, createApp, HttpError } from '../../src/app/index.ts';
import { serverOf } from './server.ts';

const quiet = { logger: { error: () => {} } };

async function raw(port: number, text: string): Promise<string> {
  const socket = createConnection(port, '127.0.0.1');
  const pieces: Buffer[] = [];
  socket.on('data', (piece: Buffer) => pieces.push(piece));
  socket.write(text);
  await once(socket, 'close');
  return Buffer.concat(pieces).toString();
}

const portOf = async (app: App): Promise<number> => Number(new URL((await serverOf(app)).url).port);

describe('listen', () => {
  it('resolves to a server that listens, with its URL', async () => {
    const app = createApp().get('/', () => 'x');
    const server = await app.listen({ port: 0, host: '127.0.0.1' });
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal(await (await fetch(server.url)).text(), 'x');
    await app.close();
    await assert.rejects(fetch(server.url));
  });

  it('takes a Unix socket', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fulmar-app-'));
    const path = join(folder, 's');
    const app = createApp().get('/', () => 'by socket');
    await app.listen({ path });
    const reply = await new Promise<string>((resolve, reject) => {
      httpGet({ socketPath: path, path: '/' }, (res) => res.on('data', (piece) => resolve(String(piece)))).on('error', reject);
    });
    assert.equal(reply, 'by socket');
    await app.close();
    rmSync(folder, { recursive: true });
  });

  it('rejects when the port is taken', async () => {
    const first = createApp();
    const port = await portOf(first);
    await assert.rejects(createApp().listen({ port, host: '127.0.0.1' }), { code: 'EADDRINUSE' });
    await first.close();
  });

  const wrong: readonly [unknown, RegExp][] = [
    [{ prot: 1 }, /listen\(\) has no option prot; it has port, host, path, fd, backlog, signal/],
    [70_000, /A port is 0 to 65535, and this is 70000/],
    [{ port: 'x' }, /A port is 0 to 65535, and this is x/],
  ];
  for (const [given, message] of wrong) {
    it(`says what is wrong with ${JSON.stringify(given)}`, () => assert.rejects(createApp().listen(given as never), message));
  }

  it('refuses to listen twice', async () => {
    const app = createApp();
    await serverOf(app);
    await assert.rejects(app.listen(0), /listens already/);
    await app.close();
  });

  it('closes when its signal fires', async () => {
    const controller = new AbortController();
    const app = createApp();
    const server = await app.listen({ port: 0, host: '127.0.0.1', signal: controller.signal });
    controller.abort();
    await once(server, 'close');
  });

  it('runs the hooks of the start before, and of the stop behind', async () => {
    const log: string[] = [];
    const app = createApp()
      .onStart(async () => void log.push('start'))
      .onStop(() => void log.push('stop'));
    await serverOf(app);
    log.push('listens');
    await app.close();
    assert.deepEqual(log, ['start', 'listens', 'stop']);
  });

  it('ends gracefully: what is being answered is answered', async () => {
    let isAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const app = createApp().get('/', async () => {
      isAsked();
      await delay(50);
      return 'late';
    });
    const { url } = await serverOf(app);
    const reply = fetch(url);
    await asked;
    await app.close();
    assert.equal(await (await reply).text(), 'late');
  });
});

describe('over a connection', () => {
  it('requests in a row are answered in order', async () => {
    const app = createApp()
      .get('/slow', () => delay(20).then(() => 'slow'))
      .get('/fast', () => 'fast');
    const port = await portOf(app);
    const text = await raw(port, 'GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /fast HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    assert.ok(text.indexOf('slow') < text.indexOf('fast'), text);
    await app.close();
  });

  it('a stream to HTTP/1.0 ends with the connection', async () => {
    const app = createApp().get('/', function* () {
      yield 'a';
      yield 'b';
    });
    const text = await raw(await portOf(app), 'GET / HTTP/1.0\r\n\r\n');
    assert.match(text, /^HTTP\/1\.1 200 OK\r\n(?:(?!Transfer-Encoding)[^\r]*\r\n)*\r\nab$/);
    await app.close();
  });

  it('content that is expected is asked for when it is read', async () => {
    const app = createApp().post('/', (c) => c.body.text());
    const port = await portOf(app);
    const req = httpRequest({ port, method: 'POST', headers: { Expect: '100-continue', 'Content-Length': 2 } });
    req.flushHeaders();
    await once(req, 'continue');
    req.end('ok');
    const [res] = (await once(req, 'response')) as [AsyncIterable<Buffer>];
    for await (const piece of res) assert.equal(String(piece), 'ok');
    await app.close();
  });

  it('content beyond the limit is refused while it comes', async () => {
    const app = createApp({ bodyLimit: 1000, ...quiet }).post('/', (c) => c.body.bytes());
    const port = await portOf(app);
    const text = await raw(
      port,
      `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${'3e8\r\n'}${'x'.repeat(1000)}\r\n1\r\nx\r\n`,
    );
    assert.match(text, /^HTTP\/1\.1 413 /);
    await app.close();
  });

  it('the signal fires when the client leaves, and not when it is answered', async () => {
    const fired: string[] = [];
    let isAsked: () => void = () => {};
    const asked = new Promise<void>((resolve) => (isAsked = resolve));
    const app = createApp(quiet)
      .get('/left', async (c) => {
        isAsked();
        await new Promise((resolve) => c.signal.addEventListener('abort', resolve));
        fired.push('left');
      })
      .get('/done', (c) => {
        c.signal.addEventListener('abort', () => fired.push('done'));
        return 'x';
      });
    const { url } = await serverOf(app);
    await (await fetch(`${url}/done`)).text();
    const controller = new AbortController();
    const leaving = fetch(`${url}/left`, { signal: controller.signal });
    await asked;
    controller.abort();
    await assert.rejects(leaving);
    for (let tries = 0; fired.length === 0 && tries < 100; tries += 1) await delay(10);
    assert.deepEqual(fired, ['left']);
    await app.close();
  });

  it('the signal has fired for who asks for it when the client has left already', async () => {
    let answer: (value: boolean) => void = () => {};
    const isFired = new Promise<boolean>((resolve) => (answer = resolve));
    const app = createApp(quiet).get('/', async (c) => {
      connection.destroy();
      for (let turns = 0; turns < 100 && c.exchange.open; turns += 1) await delay(5);
      answer(c.signal.aborted);
    });
    const connection = createConnection(await portOf(app), '127.0.0.1', () => connection.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
    assert.equal(await isFired, true);
    await app.close();
  });

  it('a source is read no faster than its client takes it, and ended when that leaves', async () => {
    const seen = { given: 0, ended: false };
    const app = createApp(quiet).get('/', async function* () {
      try {
        for (;;) {
          seen.given += 1;
          yield new Uint8Array(65_536);
        }
      } finally {
        seen.ended = true;
      }
    });
    const port = await portOf(app);
    const socket = createConnection(port, '127.0.0.1');
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    let before = -1;
    for (let tries = 0; seen.given !== before && tries < 100; tries += 1) {
      before = seen.given;
      await delay(50);
    }
    assert.ok(seen.given < 1000, `${seen.given} pieces for nobody`);
    socket.destroy();
    for (let tries = 0; !seen.ended && tries < 100; tries += 1) await delay(10);
    assert.equal(seen.ended, true);
    await app.close();
  });

  it('a stream that fails in the middle breaks the connection off, and the log is told', async () => {
    const told: unknown[] = [];
    const app = createApp({ logger: { error: (...what) => told.push(what) } }).get('/', async function* () {
      yield 'begin';
      await delay(10);
      throw new Error('in the middle');
    });
    const { url } = await serverOf(app);
    await assert.rejects(fetch(url).then((reply) => reply.text()));
    assert.match(String((told[0] as unknown[])[1]), /in the middle/);
    await app.close();
  });

  it('what a request enters stays with it', async () => {
    const storage = new AsyncLocalStorage<number>();
    const app = createApp().get('/:n', async (c) => {
      const before = storage.getStore() ?? null;
      storage.enterWith(Number(c.params.n));
      await delay(Number(c.params.n) % 3);
      return [before, storage.getStore()];
    });
    const { url } = await serverOf(app);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => fetch(`${url}/${n}`).then((reply) => reply.json())));
    assert.deepEqual(
      replies,
      Array.from({ length: 20 }, (_, n) => [null, n]),
    );
    await app.close();
  });

  it('hooks behind the reply are told its status, whoever has sent it', async () => {
    const told = new Map<string, number>();
    const app = createApp({ logger: { error: () => {} } })
      .onResponse((c) => void told.set(c.path, c.replyStatus))
      .get('/value', () => 'x')
      .get('/none', () => undefined)
      .get('/set', (c) => c.status(201).text('x'))
      .get('/response', () => new Response('x', { status: 202 }))
      .get('/stream', () => ['x'].values())
      .get('/error', () => Promise.reject(new Error('it')))
      .group('/group', (inner) => inner.onResponse((c) => void told.set('inner', c.replyStatus)).get('/', (c) => c.status(203).text('x')))
      .mount('/mounted', (_req: IncomingMessage, res: ServerResponse) => void res.writeHead(418).end('x'));
    const { url } = await serverOf(app);
    const paths = ['/value', '/none', '/set', '/response', '/stream', '/error', '/group', '/mounted', '/nothing'];
    for (const path of paths) await (await fetch(url + path)).arrayBuffer();
    for (let tries = 0; told.size < paths.length + 1 && tries < 100; tries += 1) await delay(5);
    assert.deepEqual(Object.fromEntries(told), {
      '/value': 200, '/none': 204, '/set': 201, '/response': 202, '/stream': 200, '/error': 500,
      inner: 203, '/group': 203, '/mounted': 418, '/nothing': 404,
    }); // prettier-ignore
    await app.close();
  });

  it('hooks see each request before its route, and behind its reply', async () => {
    const log: string[] = [];
    const app = createApp()
      .onRequest((c) => (c.path === '/closed' ? c.status(403).text('closed') : void log.push(`request ${c.path}`)))
      .onResponse((c) => void log.push(`response ${c.path}`))
      .get('/a', () => 'a');
    const { url } = await serverOf(app);
    assert.equal(await (await fetch(`${url}/a`)).text(), 'a');
    assert.equal((await fetch(`${url}/closed`)).status, 403);
    for (let tries = 0; log.length < 3 && tries < 100; tries += 1) await delay(5);
    assert.deepEqual(log, ['request /a', 'response /a', 'response /closed']);
    await app.close();
  });
});

describe('where somebody else sees requests first', () => {
  const watchers: readonly [string, (server: Server) => () => void][] = [
    [
      'a listener of connections',
      (server) => {
        server.on('connection', () => {});
        return () => {};
      },
    ],
    [
      'a subscriber of diagnostics',
      () => {
        const watch = (): void => {};
        subscribe('http.server.request.start', watch);
        return () => void unsubscribe('http.server.request.start', watch);
      },
    ],
  ];
  for (const [name, begin] of watchers) {
    it(`${name}: content passes as it comes, and a client that leaves is noticed`, async () => {
      let isEnded = false;
      const app = createApp(quiet)
        .post('/echo', (c) => c.body.text())
        .get('/', async function* () {
          try {
            for (let n = 0; ; n += 1) {
              yield `${n};`;
              await delay(2);
            }
          } finally {
            isEnded = true;
          }
        });
      const server = await serverOf(app);
      const end = begin(server);
      const echo = await fetch(`${server.url}/echo`, { method: 'POST', body: 'ü'.repeat(50_000) });
      assert.equal(await echo.text(), 'ü'.repeat(50_000));
      const controller = new AbortController();
      const reply = await fetch(server.url, { signal: controller.signal });
      const { value } = await (reply.body as ReadableStream<Uint8Array>).getReader().read();
      assert.match(new TextDecoder().decode(value), /^0;/);
      controller.abort();
      for (let tries = 0; !isEnded && tries < 100; tries += 1) await delay(10);
      assert.equal(isEnded, true);
      end();
      await app.close();
    });
  }
});

describe('what goes wrong at the end', () => {
  it('an error whose reply cannot be made is a bare 500, for the log with its cause', async () => {
    const told: unknown[] = [];
    const app = createApp({ logger: { error: (...what) => told.push(what[1]) } })
      .get('/fields', () => {
        throw new HttpError(400, 'x', { headers: { 'Content-Length': '7' } });
      })
      .get('/details', () => {
        throw new HttpError(400, 'x', { details: { n: 1n } });
      });
    for (const url of ['/fields', '/details']) assert.equal((await app.inject(url)).status, 500);
    assert.equal(told.length, 2);
    assert.ok(told.every((error) => (error as Error).cause instanceof TypeError));
  });

  it('an onResponse that throws or rejects is told to the log', async () => {
    const told: unknown[] = [];
    const app = createApp({ logger: { error: (...what) => told.push(String(what[1])) } })
      .onResponse(() => {
        throw new Error('thrown');
      })
      .onResponse(() => Promise.reject(new Error('rejected')))
      .get('/', () => 'x');
    assert.equal((await app.inject('/')).text, 'x');
    await delay(5);
    assert.deepEqual(told, ['Error: thrown', 'Error: rejected']);
  });

  it('close while it is about to listen, and twice, ends once', async () => {
    let stops = 0;
    const app = createApp().onStop(() => void (stops += 1));
    const listening = app.listen({ port: 0, host: '127.0.0.1' });
    await assert.rejects(app.listen(0), /listens already/);
    await Promise.all([app.close(), app.close()]);
    assert.equal((await listening).listening, false);
    assert.equal(stops, 1);
  });

  it('`await using` closes', async () => {
    const app = createApp();
    const server = await serverOf(app);
    await app[Symbol.asyncDispose]();
    assert.equal(server.listening, false);
  });
});

describe('what is wrong is said where it is registered', () => {
  const cases: readonly [string, () => unknown, RegExp][] = [
    ['an option that is none', () => createApp({ bodylimit: 1 } as never), /createApp\(\) has no option bodylimit; did you mean bodyLimit/],
    ['an option of another kind', () => createApp({ bodyLimit: '1mb' } as never), /bodyLimit is a number of bytes, and this is "1mb"/],
    ['a route without a handler', () => (createApp() as unknown as { get(path: string): unknown }).get('/'), /GET \/ needs a handler/],
    ['a path without a slash', () => createApp().get('a', () => 1), /begin with '\/'|must begin|\//],
    [
      'two routes alike',
      () =>
        createApp()
          .get('/a/:x', () => 1)
          .get('/a/:y', () => 2),
      /serve\.test\.ts:\d+.*serve\.test\.ts:\d+/s,
    ],
    [
      'middleware that is none',
      () => createApp().use('/x', 1 as never),
      /Middleware is a function \(c, next\), and this is of type number/,
    ],
    [
      'a router of Express',
      () =>
        createApp().use(
          '/x',
          Object.assign(() => {}, { handle: () => {} }),
        ),
      /app\.mount\(path, application\)/,
    ],
    [
      'middleware of Express',
      () => createApp().use(((_req: unknown, _res: unknown, _next: unknown) => {}) as never),
      /has 3 parameters, as \(req, res, next\)/,
    ],
    ['a plugin', () => createApp().use({ setup: () => {} } as never), /this is a plugin: app\.register/],
    ['a path that is none', () => createApp().get(/x/ as never, () => 1), /takes a path such as '\/birds\/:id', and this is \/x\//],
    ['options behind the handler', () => createApp().get('/x', (() => 1) as never, { summary: 'x' } as never), /its options before it/],
    [
      'an app with options of its own within another',
      () => createApp().route('/in', createApp({ bodyLimit: 1 })),
      /was made with bodyLimit: within another app the options of that one hold/,
    ],
    [
      'a logger of its own within another',
      () => createApp({ logger: { error: () => {} } }).route('/in', createApp({ logger: { error: () => {} } })),
      /was made with logger/,
    ],
    ['use without middleware', () => createApp().use('/x'), /use\(\) takes a function/],
    ['an app that is none', () => createApp().route('/', {} as never), /route\(\) takes an app, and this is of type object/],
    ['a mount that is none', () => createApp().mount('/', 7 as never), /mount\(\) takes an app/],
  ];
  for (const [name, run, message] of cases) it(name, () => assert.throws(run, message));
});
