/**
 * The request that becomes a WebSocket: what runs around it, what is refused and how, what the reply says.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { type App, createApp, HttpError, type SocketOptions } from '../../../src/app/index.ts';
import { accessLog, basicAuth, requestId } from '../../../src/app/middleware/index.ts';
import { defineCases } from '../case.ts';
import { frame, handshakeOf, Opcode, Peer, served, until } from './peer.ts';

interface Refusal {
  readonly name: string;
  readonly app: (app: App) => unknown;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly head: RegExp;
}

const echo = { message: (socket: { send(message: unknown): unknown }, message: unknown) => void socket.send(message) };
const plain = (app: App): unknown => app.websocket('/', echo);

const refusals: readonly Refusal[] = [
  { name: 'another path', app: plain, path: '/none', head: /^HTTP\/1\.1 404 / },
  { name: 'a path that cannot be decoded', app: (app) => app.websocket('/:a', echo), path: '/%ff', head: /^HTTP\/1\.1 400 / },
  { name: 'a route that is none', app: (app) => app.get('/', () => 'plain'), head: /^HTTP\/1\.1 200 / },
  { name: 'no key', app: plain, headers: { 'Sec-WebSocket-Key': '' }, head: /^HTTP\/1\.1 400 / },
  { name: 'a key that is none', app: plain, headers: { 'Sec-WebSocket-Key': 'x' }, head: /^HTTP\/1\.1 400 / },
  { name: 'no version', app: plain, headers: { 'Sec-WebSocket-Version': '' }, head: /^HTTP\/1\.1 426 [^]*Sec-WebSocket-Version: 13/ },
  { name: 'another version', app: plain, headers: { 'Sec-WebSocket-Version': '8' }, head: /^HTTP\/1\.1 426 [^]*Sec-WebSocket-Version: 13/ },
  { name: 'another protocol to upgrade to', app: plain, headers: { Upgrade: 'h2c' }, head: /^HTTP\/1\.1 426 [^]*Upgrade: websocket/ },
  { name: 'content that is announced', app: plain, headers: { 'Content-Length': '5' }, head: /^HTTP\/1\.1 400 / },
  { name: 'a page of another host', app: plain, headers: { Origin: 'https://evil.example' }, head: /^HTTP\/1\.1 403 / },
  { name: 'a page of another port', app: plain, headers: { Origin: 'http://localhost:81' }, head: /^HTTP\/1\.1 403 / },
  { name: 'a page of no origin', app: plain, headers: { Origin: 'null' }, head: /^HTTP\/1\.1 403 / },
  { name: 'an origin that is none', app: plain, headers: { Origin: '://' }, head: /^HTTP\/1\.1 403 / },
  {
    name: 'a page that is not listed',
    app: (app) => app.websocket('/', echo, { origin: ['https://a.example', /^https:\/\/b\./] }),
    headers: { Origin: 'https://c.example' },
    head: /^HTTP\/1\.1 403 /,
  },
  {
    name: 'a page that a function does not want',
    app: (app) => app.websocket('/', echo, { origin: (origin, c) => Promise.resolve(origin === c.header('x-never')) }),
    headers: { Origin: 'https://c.example' },
    head: /^HTTP\/1\.1 403 /,
  },
  {
    name: 'subprotocols of which none is spoken',
    app: (app) => app.websocket('/', echo, { protocols: ['chat'] }),
    headers: { 'Sec-WebSocket-Protocol': 'other, another' },
    head: /^HTTP\/1\.1 400 /,
  },
  {
    name: 'a hook that throws',
    app: (app) =>
      plain(
        app.onRequest(() => {
          throw new HttpError(429);
        }),
      ),
    head: /^HTTP\/1\.1 429 /,
  },
  { name: 'a hook that answers', app: (app) => plain(app.onRequest((c) => c.status(503).text('later'))), head: /^HTTP\/1\.1 503 / },
  {
    name: 'middleware that answers',
    app: (app) => plain(app.use((c) => c.status(401).text('who?'))),
    head: /^HTTP\/1\.1 401 /,
  },
  {
    name: 'basicAuth()',
    app: (app) => plain(app.use(basicAuth({ users: { a: 'b' } }))),
    head: /^HTTP\/1\.1 401 [^]*WWW-Authenticate: Basic/,
  },
  {
    name: "a route's own middleware",
    app: (app) =>
      app.websocket('/', echo, {
        use: [
          () => {
            throw new HttpError(402);
          },
        ],
      }),
    head: /^HTTP\/1\.1 402 /,
  },
  {
    name: 'upgrade() that throws',
    app: (app) =>
      app.websocket('/', {
        ...echo,
        upgrade() {
          throw new HttpError(403, 'not you');
        },
      }),
    head: /^HTTP\/1\.1 403 /,
  },
  {
    name: 'upgrade() that rejects',
    app: (app) => app.websocket('/', { ...echo, upgrade: () => Promise.reject(new HttpError(409)) }),
    head: /^HTTP\/1\.1 409 /,
  },
  {
    name: 'upgrade() that fails',
    app: (app) =>
      app.websocket('/', {
        ...echo,
        upgrade() {
          throw new Error('secret');
        },
      }),
    head: /^HTTP\/1\.1 500 (?![^]*secret)/,
  },
  {
    name: 'a query that does not fit',
    app: (app) => app.websocket('/', echo, { query: z.object({ room: z.string() }) }),
    head: /^HTTP\/1\.1 422 /,
  },
  {
    name: 'parameters that do not fit',
    app: (app) => app.websocket('/:id', echo, { params: z.object({ id: z.coerce.number() }) }),
    path: '/x',
    head: /^HTTP\/1\.1 422 /,
  },
];

describe('a handshake that is refused', () => {
  for (const { name, app, path = '/', headers, head } of refusals) {
    it(name, async (t) => {
      const { port, app: made } = await served(t, app);
      const peer = await Peer.open(port, path, headers);
      assert.match(peer.head, head);
      assert.equal(made.socketCount, 0);
      peer.socket.destroy();
    });
  }

  it('leaves the connection open for another try', async (t) => {
    const { port } = await served(t, (app) => {
      let tries = 0;
      app.websocket('/', {
        ...echo,
        upgrade() {
          tries += 1;
          if (tries < 3) throw new HttpError(401);
        },
      });
    });
    const peer = await Peer.open(port, '/');
    assert.equal(peer.status, 401);
    const length = Number(/Content-Length: (\d+)/.exec(peer.head)?.[1]);
    await peer.skip(length);
    peer.socket.write(handshakeOf('/'));
    await peer.readHead();
    assert.equal(peer.status, 401);
    await peer.skip(length);
    peer.socket.write(handshakeOf('/'));
    await peer.readHead();
    assert.equal(peer.status, 101);
    assert.equal(await peer.send(Opcode.text, 'x').text(), 'x');
    peer.socket.destroy();
  });

  it('a client that leaves before the answer is forgotten', async (t) => {
    let isLeft = false;
    let release: (() => void) | undefined;
    const { port, app, logged } = await served(t, (of) => {
      of.websocket('/', {
        ...echo,
        async upgrade(c) {
          c.signal.addEventListener('abort', () => (isLeft = true));
          await new Promise<void>((resolve) => (release = resolve));
        },
      });
    });
    const peer = new Peer(port);
    peer.socket.write(handshakeOf('/'));
    await until(() => release !== undefined);
    peer.socket.destroy();
    await until(() => isLeft);
    release?.();
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(app.socketCount, 0);
    assert.deepEqual(logged, []);
  });

  it('a client that shuts down its side before the answer gets none', async (t) => {
    const { port, app } = await served(t, (of) =>
      of.websocket('/', { ...echo, upgrade: () => new Promise((resolve) => setImmediate(resolve)) }),
    );
    const peer = new Peer(port);
    peer.socket.end(handshakeOf('/'));
    await peer.closed;
    await until(() => app.socketCount === 0);
  });
});

const client = (port: number, path: string, protocols: string[] = [], options = {}): WebSocket =>
  new WebSocket(`ws://127.0.0.1:${port}${path}`, protocols, options);

describe('a handshake that is accepted', () => {
  it('has what middleware says of the reply', async (t) => {
    const { port } = await served(t, (app) => {
      app.use(requestId());
      app.use(async (c, next) => {
        const value = await next();
        c.cookie('session', 'of this socket');
        return value;
      });
      app.websocket('/', echo);
    });
    const peer = await Peer.open(port, '/');
    assert.match(peer.head, /^HTTP\/1\.1 101 [^]*X-Request-Id: [^]*Set-Cookie: session=of%20this%20socket/);
    assert.match(peer.head, /Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/);
    peer.socket.destroy();
  });

  it('has parameters, query and what upgrade() returns', async (t) => {
    const { port } = await served(t, (app) => {
      app.group('/rooms', (rooms) => {
        rooms.use((c, next) => {
          c.state['who'] = 'ada';
          return next();
        });
        rooms.websocket(
          '/:room',
          {
            upgrade: (c) => ({ room: c.params.room, page: c.query.page, who: c.state['who'] }),
            open: (socket) => void socket.send({ ...socket.data, route: socket.c.route, ip: socket.remoteAddress }),
          },
          { query: z.object({ page: z.coerce.number() }) },
        );
      });
    });
    const peer = await Peer.open(port, '/rooms/caf%C3%A9?page=7');
    assert.deepEqual(JSON.parse(await peer.text()), { room: 'café', page: 7, who: 'ada', route: '/rooms/:room', ip: '127.0.0.1' });
    peer.socket.destroy();
  });

  const origins: readonly [string, Pick<SocketOptions, 'origin'>, string][] = [
    ['the same host', {}, 'http://localhost'],
    ['the same host behind TLS of a proxy', {}, 'https://localhost'],
    ['any', { origin: '*' }, 'https://a.example'],
    ['true', { origin: true }, 'null'],
    ['one', { origin: 'https://a.example' }, 'https://a.example'],
    ['a pattern with a memory', { origin: /^https:\/\/a\./g }, 'https://a.example'],
    ['a function', { origin: (origin: string) => origin.endsWith('.example') }, 'https://a.example'],
  ];
  for (const [name, options, Origin] of origins) {
    it(`of a page: ${name}`, async (t) => {
      const { port } = await served(t, (app) => app.websocket('/', echo, options));
      for (let times = 0; times < 2; times += 1) {
        const peer = await Peer.open(port, '/', { Origin });
        assert.equal(peer.status, 101);
        peer.socket.destroy();
      }
    });
  }

  it('of a page of the host that a trusted proxy tells', async (t) => {
    const { port } = await served(t, (app) => app.websocket('/', echo), { trustProxy: true });
    const peer = await Peer.open(port, '/', { Origin: 'https://birds.example', 'X-Forwarded-Host': 'birds.example' });
    assert.equal(peer.status, 101);
    peer.socket.destroy();
  });

  it('of a host, and of a version', async (t) => {
    const { port } = await served(
      t,
      (app) => {
        app.websocket('/', { open: (socket) => void socket.send('one') }, { host: 'birds.example', description: 'of birds', hidden: true });
        app.websocket('/', { open: (socket) => void socket.send('two') }, { version: ['1', '2'] });
      },
      { versioning: { type: 'header', header: 'X-V' } },
    );
    for (const [headers, text] of [
      [{ Host: 'birds.example' }, 'one'],
      [{ 'X-V': '2' }, 'two'],
    ] as const) {
      const peer = await Peer.open(port, '/', headers);
      assert.equal(await peer.text(), text);
      peer.socket.destroy();
    }
    const other = await Peer.open(port, '/');
    assert.equal(other.status, 404);
    other.socket.destroy();
  });

  it('agrees on the first subprotocol of ours', async (t) => {
    const { port } = await served(t, (app) =>
      app.websocket('/', { open: (socket) => void socket.send(socket.protocol) }, { protocols: ['b', 'a'] }),
    );
    const both = client(port, '/', ['a', 'b']);
    assert.equal(await nextText(both), 'b');
    assert.equal(both.protocol, 'b');
    both.terminate();
    const none = client(port, '/');
    assert.equal(await nextText(none), '');
    none.terminate();
  });

  it('of a client of this Node', { skip: typeof globalThis.WebSocket === 'function' ? false : 'this Node has none' }, async (t) => {
    const { port } = await served(t, (app) => app.websocket('/', echo, { perMessageDeflate: true }));
    const socket = new globalThis.WebSocket(`ws://127.0.0.1:${port}/`);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const came = new Promise((resolve) => socket.addEventListener('message', ({ data }) => resolve(data)));
    socket.send('x'.repeat(10_000));
    assert.equal(await came, 'x'.repeat(10_000));
    const closed = new Promise<CloseEvent>((resolve) => socket.addEventListener('close', resolve as never));
    socket.close(4000, 'bye');
    assert.equal((await closed).code, 4000);
  });

  it('with permessage-deflate, both ways', async (t) => {
    const { port } = await served(t, (app) => app.websocket('/', echo, { perMessageDeflate: { threshold: 0 } }));
    const socket = client(port, '/');
    await new Promise((resolve) => socket.once('open', resolve));
    assert.match(socket.extensions, /permessage-deflate/);
    socket.send('x'.repeat(100_000));
    assert.equal(await nextText(socket), 'x'.repeat(100_000));
    socket.terminate();
  });

  it('without permessage-deflate unless it is asked for', async (t) => {
    const { port } = await served(t, (app) => app.websocket('/', echo));
    const socket = client(port, '/');
    await new Promise((resolve) => socket.once('open', resolve));
    assert.equal(socket.extensions, '');
    socket.terminate();
  });

  it('a message that is long when it is decompressed is refused', async (t) => {
    const { port } = await served(t, (app) => app.websocket('/', echo, { perMessageDeflate: true, maxPayload: 1000 }));
    const socket = client(port, '/', [], { perMessageDeflate: { threshold: 0 } });
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send('x'.repeat(100_000));
    assert.equal(await new Promise((resolve) => socket.once('close', resolve)), 1009);
  });

  it('is one line of the access log, and one reply to onResponse', async (t) => {
    const lines: string[] = [];
    let replies = 0;
    const { port } = await served(t, (app) => {
      app.use(accessLog({ write: (line) => lines.push(line) }));
      app.onResponse(() => void (replies += 1));
      app.websocket('/', echo);
    });
    const peer = await Peer.open(port, '/');
    await until(() => replies === 1);
    peer.socket.destroy();
    assert.match(lines.join('\n'), /^GET \/ 101 /);
  });

  it('several on one path, next to a page', async (t) => {
    const { port } = await served(t, (app) => app.websocket('/', { ...echo, request: (c) => c.html('<p>page') }));
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), '<p>page');
    const peers = await Promise.all(Array.from({ length: 10 }, () => Peer.open(port, '/')));
    for (const [at, peer] of peers.entries()) peer.send(Opcode.text, String(at));
    for (const [at, peer] of peers.entries()) assert.equal(await peer.text(), String(at));
    for (const peer of peers) peer.socket.destroy();
  });

  it('whose path has a schema of replies', async (t) => {
    const { port } = await served(t, (app) =>
      app.websocket('/', { ...echo, request: () => ({ ok: true }) }, { response: { type: 'object', required: ['ok'] } }),
    );
    const peer = await Peer.open(port, '/', {}, frame(Opcode.text, 'x'));
    assert.equal(await peer.text(), 'x');
    peer.socket.destroy();
  });

  it('in an app within an app, registered while the server listens', async (t) => {
    const inner = createApp();
    const { port } = await served(t, (app) => app.route('/inner', inner));
    inner.websocket('/late', echo);
    const peer = await Peer.open(port, '/inner/late', {}, frame(Opcode.text, 'x'));
    assert.equal(await peer.text(), 'x');
    peer.socket.destroy();
  });
});

const nextText = (socket: WebSocket): Promise<string> =>
  new Promise((resolve, reject) => {
    socket.once('message', (data) => resolve(String(data)));
    socket.once('error', reject);
  });

defineCases('a request at the path of a WebSocket', [
  {
    name: 'that is plain is told to upgrade',
    app: (app) => app.websocket('/chat', echo),
    ask: '/chat',
    expect: {
      status: 426,
      headers: { upgrade: 'websocket' },
      json: { title: 'Upgrade Required', status: 426, detail: 'A WebSocket is at /chat: ask for an upgrade.' },
    },
  },
  {
    name: 'that is plain is answered by its handler',
    app: (app) => app.websocket('/chat/:room', { ...echo, request: (c) => `the page of ${c.params.room}` }),
    ask: '/chat/a',
    expect: { text: 'the page of a' },
  },
  {
    name: 'that is plain is answered as the schema of replies says',
    app: (app) =>
      app.websocket(
        '/chat',
        { ...echo, request: () => ({ ok: true, secret: 1 }) },
        { response: { type: 'object', properties: { ok: { type: 'boolean' } }, additionalProperties: false } },
      ),
    ask: '/chat',
    expect: { json: { ok: true } },
  },
  {
    name: 'of another method',
    app: (app) => app.websocket('/chat', echo),
    ask: { method: 'POST', url: '/chat' },
    expect: { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } },
  },
  {
    name: 'of OPTIONS',
    app: (app) => app.websocket('/chat', echo),
    ask: { method: 'OPTIONS', url: '/chat' },
    expect: { status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } },
  },
  { name: 'of HEAD', app: (app) => app.websocket('/chat', echo), ask: { method: 'HEAD', url: '/chat' }, expect: { status: 426 } },
  {
    name: 'runs the middleware around it',
    app: (app) => void app.use(basicAuth({ users: { a: 'b' } })).websocket('/chat', echo),
    ask: '/chat',
    expect: { status: 401 },
  },
]);
