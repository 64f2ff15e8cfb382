/**
 * The end: of an app with open sockets, of peers that are gone without a word, of many at a time.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { createApp } from '../../../src/app/index.ts';
import { serverOf } from '../server.ts';
import { closeFrame, handshakeOf, Opcode, Peer, served, until } from './peer.ts';

const { close, ping, pong, text } = Opcode;
const quiet = { message: (): void => {} };

describe('the end of an app', () => {
  it('tells its sockets, gives them time, and resolves behind them', async (t) => {
    const codes: number[] = [];
    const { port, app } = await served(t, (of) => of.websocket('/', { close: (_socket, code) => void codes.push(code) }));
    const peer = await Peer.open(port, '/');
    const closed = app.close();
    assert.equal(await peer.closeCode(), 1001);
    peer.send(close, closeFrame(1001));
    await closed;
    assert.deepEqual(codes, [1001]);
    assert.equal(app.socketCount, 0);
  });

  it('is that of the sockets of a host, and of a version, as well', async (t) => {
    const { port, app } = await served(t, (of) => void of.host('localhost', (inner) => void inner.websocket('/', quiet)));
    const versioned = await served(t, (of) => void of.version('1', (inner) => void inner.websocket('/', quiet)), {
      versioning: { type: 'uri' },
    });
    const peers = [await Peer.open(port, '/'), await Peer.open(versioned.port, '/v1')];
    const closed = [app.close(), versioned.app.close()];
    for (const peer of peers) {
      assert.equal(await peer.closeCode(), 1001);
      peer.send(close, closeFrame(1001));
    }
    await Promise.all(closed);
  });

  it('does not wait for a peer that does not answer', async (t) => {
    const { port, app } = await served(t, (of) => of.websocket('/', quiet, { closeTimeoutMs: 50 }));
    const peer = await Peer.open(port, '/');
    await app.close();
    await peer.closed;
  });

  it('of its server by drain(), as a signal brings it about', async () => {
    const app = createApp().websocket('/', quiet);
    const server = await serverOf(app);
    const peer = await Peer.open(Number(new URL(server.url).port), '/');
    const closed = once(server, 'close');
    (server as unknown as { drain(): void }).drain();
    assert.equal(await peer.closeCode(), 1001);
    peer.send(close, closeFrame(1001));
    await closed;
  });

  it('lets no new socket in, on a connection that is open', async (t) => {
    let release: ((text: string) => void) | undefined;
    const { port, app } = await served(t, (of) => {
      of.websocket('/', quiet);
      of.get('/slow', () => new Promise<string>((resolve) => (release = resolve)));
    });
    const first = await Peer.open(port, '/');
    const waiting = fetch(`http://127.0.0.1:${port}/slow`);
    const late = new Peer(port);
    // In use: an idle connection would be closed.
    late.socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n');
    await until(() => release !== undefined);
    const closed = app.close();
    assert.equal(await first.closeCode(), 1001);
    late.socket.write(handshakeOf('/').slice('GET / HTTP/1.1\r\nHost: localhost\r\n'.length));
    await late.readHead();
    assert.equal(late.status, 503);
    first.socket.destroy();
    late.socket.destroy();
    release?.('late');
    await (await waiting).text();
    await closed;
  });

  it('and a begin: it listens again', async () => {
    const app = createApp().websocket('/', { message: (socket, message) => void socket.send(message) });
    for (let times = 0; times < 2; times += 1) {
      const { url } = await serverOf(app);
      const peer = await Peer.open(Number(new URL(url).port), '/');
      assert.equal(await peer.send(text, 'x').text(), 'x');
      peer.socket.destroy();
      await app.close();
    }
  });

  it('hooks before the end are waited for, while requests are answered', async (t) => {
    let release: () => void = () => {};
    const { port, app, logged } = await served(t, (of) => {
      of.get('/', () => 'as ever');
      of.onDrain(() => new Promise<void>((resolve) => (release = resolve)));
      of.onDrain(() => {
        throw new Error('of a hook');
      });
    });
    const closed = app.close();
    await until(() => logged.length === 1);
    assert.match(String(logged), /onDrain,Error: of a hook/);
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'as ever');
    release();
    await closed;
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`));
  });
});

describe('a peer', () => {
  it('that answers pings stays', async (t) => {
    const { port, app } = await served(t, (of) => of.websocket('/', quiet, { heartbeatMs: 20, timeoutMs: 200 }));
    const peer = await Peer.open(port, '/');
    for (let pings = 0; pings < 15; pings += 1) {
      assert.equal((await peer.next())?.opcode, ping);
      peer.send(pong);
    }
    assert.equal(app.socketCount, 1);
    peer.socket.destroy();
  });

  it('that says nothing is dropped', async (t) => {
    const codes: number[] = [];
    const { port } = await served(t, (of) =>
      of.websocket('/', { close: (_socket, code) => void codes.push(code) }, { heartbeatMs: 20, timeoutMs: 60 }),
    );
    const peer = await Peer.open(port, '/');
    await peer.closed;
    await until(() => codes.length === 1);
    assert.deepEqual(codes, [1006]);
  });

  it('whose message takes longer than that stays', async (t) => {
    let length = 0;
    const { port } = await served(t, (of) =>
      of.websocket('/', { message: (_socket, message) => void ({ length } = message) }, { heartbeatMs: 20, timeoutMs: 300 }),
    );
    const peer = await Peer.open(port, '/');
    for (let at = 0; at < 40; at += 1) {
      peer.send(at === 0 ? text : Opcode.continuation, 'x'.repeat(10), { fin: at === 39 });
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await until(() => length === 400);
    peer.socket.destroy();
  });

  it('that is half open is dropped', async (t) => {
    const { port, app } = await served(t, (of) => of.websocket('/', quiet, { heartbeatMs: 20, timeoutMs: 100 }));
    const peer = await Peer.open(port, '/');
    // Reads and writes nothing more, and keeps the connection.
    peer.socket.pause();
    await until(() => app.socketCount === 0);
    peer.socket.destroy();
  });

  it('that shuts down its side is gone', async (t) => {
    const { port, app } = await served(t, (of) => of.websocket('/', quiet));
    const peer = await Peer.open(port, '/');
    peer.socket.end();
    await peer.closed;
    await until(() => app.socketCount === 0);
  });
});

describe('many', () => {
  it('2,000 sockets that come and go in every way leave nothing', async (t) => {
    const seen = { opened: 0, closed: 0 };
    const { port, app, logged } = await served(t, (of) =>
      of.websocket('/', {
        open(socket) {
          seen.opened += 1;
          socket.subscribe('all');
        },
        message: (socket, message) => void socket.send(message),
        close: () => void (seen.closed += 1),
      }),
    );
    const ways: ((at: number) => Promise<void>)[] = [
      // Aborted in the handshake.
      async () => {
        const peer = new Peer(port);
        peer.socket.write(handshakeOf('/').slice(0, 40));
        await once(peer.socket, 'connect');
        peer.socket.resetAndDestroy();
      },
      // Right behind it.
      async () => {
        const peer = new Peer(port);
        await once(peer.socket, 'connect');
        peer.socket.write(handshakeOf('/'), () => peer.socket.resetAndDestroy());
        await peer.closed;
      },
      async () => (await Peer.open(port, '/')).socket.resetAndDestroy() && undefined,
      async () => {
        const peer = await Peer.open(port, '/');
        peer.send(close, closeFrame(1000));
        await peer.closed;
      },
      async (at) => {
        const peer = await Peer.open(port, '/');
        assert.equal(await peer.send(text, String(at)).text(), String(at));
        peer.socket.end();
        await peer.closed;
      },
    ];
    for (let at = 0; at < 2000; at += 100) {
      await Promise.all(Array.from({ length: 100 }, (_, more) => ways[(at + more) % ways.length]?.(at + more)));
    }
    await until(() => app.socketCount === 0 && seen.opened === seen.closed);
    assert.ok(seen.opened >= 1200, String(seen.opened));
    assert.equal(app.subscriberCount('all'), 0);
    assert.deepEqual(logged, []);
  });
});
