/**
 * ws on both sides: on a server of `app.listen()`, with paths, with `noServer` and a manual upgrade,
 * refusals, large frames, many sockets.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { ServerOptions } from 'ws';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import { closeServer } from '../support/sides.ts';

/** A socket whose messages can be awaited one by one. */
class Probe {
  readonly socket: WebSocket;
  readonly #inbox: string[] = [];
  #wake: (() => void) | undefined;

  constructor(url: string, protocols: string[] = [], options: object = {}) {
    this.socket = new WebSocket(url, protocols, options);
    this.socket.on('message', (data, isBinary) => {
      const bytes = data as Buffer;
      this.#inbox.push(`${isBinary ? 'binary' : 'text'} ${bytes.length}: ${bytes.toString('latin1').slice(0, 60)}`);
      this.#wake?.();
    });
  }

  async next(): Promise<string> {
    while (this.#inbox.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    return this.#inbox.shift() ?? '';
  }

  async close(code: number, reason: string): Promise<unknown> {
    this.socket.close(code, reason);
    const [sent, text] = (await once(this.socket, 'close')) as [number, Buffer];
    return { code: sent, reason: text.toString() };
  }
}

function open(bench: Bench, options: ServerOptions): WebSocketServer {
  const sockets = new WebSocketServer(options);
  bench.after(() => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  });
  sockets.on('connection', (socket, req) => {
    socket.send(
      `hello ${req.url} ${req.method} ${socket.protocol} ${req.headers['x-one'] ?? '-'} ${req.socket.remoteAddress !== undefined}`,
    );
    socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
    socket.on('close', (code, reason) => bench.note({ closed: code, reason: reason.toString() }));
  });
  return sockets;
}

async function refusal(url: string, options: object = {}): Promise<string> {
  const socket = new WebSocket(url, options);
  const [error] = (await once(socket, 'error')) as [Error];
  return error.message;
}

same('shares a server made by app.listen() with the application', {
  build: async (bench): Promise<Server> => {
    const app = bench.express();
    app.get('/', (req, res) => res.send('page'));
    const server = bench.http.createServer(app);
    open(bench, { server, path: '/socket' });
    return server;
  },
  talk: async ({ client, port, note }) => {
    await client.get('/');
    const probe = new Probe(`ws://127.0.0.1:${port}/socket?x=1`, [], { headers: { 'X-One': 'two' } });
    note(await probe.next());
    for (const message of ['text', '', 'ü☃', Buffer.from([0, 128, 255]), 'x'.repeat(300_000), Buffer.alloc(1_000_000, 7)]) {
      probe.socket.send(message);
      note(await probe.next());
    }
    probe.socket.ping('are you there');
    const [pong] = (await once(probe.socket, 'pong')) as [Buffer];
    note(pong.toString());
    await client.get('/');
    const serverSaw = probe.close(4001, 'enough');
    note(await serverSaw);
    note(await refusal(`ws://127.0.0.1:${port}/elsewhere`));
    await client.get('/socket');
  },
  check: (replies, notes) => {
    assert.equal(replies[0]?.content, 'page');
    assert.match(String(notes[0]), /^text .* hello \/socket\?x=1 GET {2}two true$/);
  },
});

same('listens through app.listen() and takes sockets there', {
  build: async (bench) => {
    const app = bench.express();
    app.get('/', (req, res) => res.send('outer'));
    const inner = bench.express();
    inner.get('/', (req, res) => res.send('inner'));
    // `app.listen` makes its server from the http module of its side.
    const server = inner.listen(0, '127.0.0.1');
    await once(server, 'listening');
    bench.after(() => closeServer(server));
    open(bench, { server });
    const { port } = server.address() as net.AddressInfo;
    const probe = new Probe(`ws://127.0.0.1:${port}/any`);
    bench.note(await probe.next());
    probe.socket.send('over app.listen');
    bench.note(await probe.next());
    bench.note(await probe.close(1000, ''));
    return app;
  },
  talk: async ({ client }) => void (await client.get('/')),
});

same('upgrades by hand with noServer, chooses among servers and refuses', {
  build: async (bench): Promise<Server> => {
    const app = bench.express();
    app.use((req, res) => res.send(`request ${req.url} ${req.get('Upgrade') ?? ''}`));
    const server = bench.http.createServer(app);
    const one = open(bench, { noServer: true, handleProtocols: (offered) => [...offered].at(-1) ?? false });
    const two = open(bench, { noServer: true, perMessageDeflate: { threshold: 0 } });
    server.on('upgrade', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
      bench.note({ url: req.url, upgrade: req.headers.upgrade, head: head.length });
      if (req.headers['authorization'] === undefined) {
        socket.write('HTTP/1.1 401 Unauthorized\r\nX-Why: no token\r\n\r\n');
        socket.destroy();
        return;
      }
      const target = req.url === '/one' ? one : two;
      target.handleUpgrade(req, socket, head, (ws) => target.emit('connection', ws, req));
    });
    return server;
  },
  talk: async ({ client, port, note }) => {
    const headers = { Authorization: 'token' };
    note(await refusal(`ws://127.0.0.1:${port}/one`));
    const first = new Probe(`ws://127.0.0.1:${port}/one`, ['alpha', 'beta'], { headers });
    note([await first.next(), first.socket.protocol]);
    const second = new Probe(`ws://127.0.0.1:${port}/two`, [], { headers, perMessageDeflate: true });
    note([await second.next(), second.socket.extensions]);
    second.socket.send('compress me '.repeat(10_000));
    note(await second.next());
    note([await first.close(1000, 'bye'), await second.close(1001, 'going')]);
    await client.get('/plain');
  },
  check: (_replies, notes) => assert.match(JSON.stringify(notes), /Unexpected server response: 401/),
});

same('passes bytes that came with the upgrade request, and notices a peer that vanishes', {
  build: async (bench): Promise<Server> => {
    const server = bench.http.createServer(bench.express());
    open(bench, { server });
    return server;
  },
  talk: async ({ port, server, note }) => {
    const accepted = once(server, 'connection');
    const socket = net.connect(port, '127.0.0.1');
    const head =
      'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
    // A masked text frame "hi" in the same packet as the head.
    socket.write(Buffer.concat([Buffer.from(head), Buffer.from([0x81, 0x82, 1, 2, 3, 4, 0x68 ^ 1, 0x69 ^ 2])]));
    const [peer] = (await accepted) as [net.Socket];
    const gone = once(peer, 'close');
    let seen = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      seen += chunk.toString('latin1');
      if (seen.endsWith('\x81\x02hi')) break;
    }
    note(seen);
    await gone;
  },
  check: (_replies, notes) => {
    assert.match(String(notes[0]), /^HTTP\/1.1 101 Switching Protocols\r\n/);
    assert.match(JSON.stringify(notes), /1006/);
  },
});

same('broadcasts to many sockets', {
  build: async (bench): Promise<Server> => {
    const server = bench.http.createServer(bench.express());
    const sockets = new WebSocketServer({ server });
    bench.after(() => {
      for (const socket of sockets.clients) socket.terminate();
    });
    sockets.on('connection', (socket) => {
      socket.on('message', (data) => {
        for (const other of sockets.clients) other.send(`all: ${String(data)}`);
      });
      socket.send('ready');
    });
    return server;
  },
  talk: async ({ port, note }) => {
    const probes = Array.from({ length: 50 }, () => new Probe(`ws://127.0.0.1:${port}/`));
    note(await Promise.all(probes.map((probe) => probe.next())));
    probes[7]?.socket.send('birds');
    note(await Promise.all(probes.map((probe) => probe.next())));
    note(await Promise.all(probes.map((probe) => probe.close(1000, ''))));
  },
});

same('answers requests that ask for an upgrade when nobody listens for one', {
  build: (bench) => {
    const app = bench.express();
    app.get('/', (req, res) => res.json({ upgrade: req.get('Upgrade') ?? null }));
    return app;
  },
  talk: async ({ client }) => {
    await client.get('/', {
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    });
    await client.get('/', { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c' });
  },
  check: ([reply]) => assert.equal(reply?.content, '{"upgrade":"websocket"}'),
});
