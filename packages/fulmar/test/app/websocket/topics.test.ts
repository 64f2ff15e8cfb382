/**
 * Topics: who gets what is published, receivers that are slow, subscriptions without a socket, counts.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApp, type ServerEvent, type Socket } from '../../../src/app/index.ts';
import { Opcode, Peer, served, until } from './peer.ts';

const { text } = Opcode;
const { signal: never } = new AbortController();

describe('topics', () => {
  it('what is published goes to all sockets that have subscribed, once', async (t) => {
    const { port, app } = await served(t, (of) =>
      of.websocket('/:topic', { open: (socket) => void socket.subscribe(socket.c.params.topic).subscribe(socket.c.params.topic) }),
    );
    const peers = await Promise.all(['/a', '/a', '/b'].map((path) => Peer.open(port, path)));
    await until(() => app.subscriberCount('a') === 2 && app.subscriberCount('b') === 1);
    assert.equal(app.publish('a', { n: 1 }), 2);
    assert.equal(app.publish('a', 'two'), 2);
    assert.equal(app.publish('b', new Uint8Array([120])), 1);
    assert.equal(app.publish('c', 'nobody'), 0);
    assert.deepEqual(await Promise.all(peers.map((peer) => peer.text())), ['{"n":1}', '{"n":1}', 'x']);
    assert.equal(await peers[0]?.text(), 'two');
    for (const { socket } of peers) socket.destroy();
    await until(() => app.subscriberCount('a') === 0 && app.subscriberCount('b') === 0 && app.socketCount === 0);
    assert.equal(app.publish('a', 'gone'), 0);
  });

  it('is serialised once for all', async (t) => {
    const { port, app } = await served(t, (of) => of.websocket('/', { open: (socket) => void socket.subscribe('a') }));
    const peers = await Promise.all(Array.from({ length: 5 }, () => Peer.open(port, '/')));
    await until(() => app.subscriberCount('a') === 5);
    let times = 0;
    const message = { toJSON: () => (times += 1) };
    assert.equal(app.publish('a', message), 5);
    for (const peer of peers) assert.equal(await peer.text(), '1');
    assert.equal(times, 1);
    for (const { socket } of peers) socket.destroy();
  });

  it('except for one, and except for several', async (t) => {
    const sockets: Socket<never, never, never>[] = [];
    const { port, app } = await served(t, (of) =>
      of.websocket('/', {
        open: (socket) => void (socket.subscribe('a'), sockets.push(socket as never)),
        message: (socket, message) => void socket.publish('a', message),
      }),
    );
    const peers = await Promise.all(Array.from({ length: 3 }, () => Peer.open(port, '/')));
    await until(() => sockets.length === 3);
    assert.equal(app.publish('a', 'x', { except: sockets[0] as never }), 2);
    assert.equal(app.publish('a', 'y', { except: sockets.slice(0, 2) as never }), 1);
    peers[0]?.send(text, 'from the first');
    assert.equal(await peers[1]?.text(), 'x');
    assert.equal(await peers[1]?.text(), 'from the first');
    for (const { socket } of peers) socket.destroy();
  });

  it('unsubscribe() takes it back', async (t) => {
    const { port, app } = await served(t, (of) =>
      of.websocket('/', {
        open: (socket) => void socket.subscribe('a').subscribe('b'),
        message(socket) {
          socket.unsubscribe('a').unsubscribe('never');
          void socket.send({ topics: socket.topics, a: socket.isSubscribed('a'), b: socket.isSubscribed('b') });
        },
      }),
    );
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.send(text, 'x').text(), '{"topics":["b"],"a":false,"b":true}');
    assert.equal(app.publish('a', 'x'), 0);
    peer.socket.destroy();
  });

  it('a socket that is closed subscribes to nothing', async (t) => {
    const { port, app } = await served(t, (of) =>
      of.websocket('/', {
        close(socket) {
          socket.subscribe('a');
          assert.equal(socket.isSubscribed('a'), false);
        },
      }),
    );
    const peer = await Peer.open(port, '/');
    peer.socket.destroy();
    await until(() => app.socketCount === 0);
    assert.equal(app.subscriberCount('a'), 0);
  });

  it('an app within another publishes to the sockets of both', async (t) => {
    const inner = createApp();
    const { port, app } = await served(t, (of) => {
      of.route('/inner', inner);
      of.websocket('/outer', { open: (socket) => void socket.subscribe('a') });
    });
    inner.websocket('/', { open: (socket) => void socket.subscribe('a') });
    const peers = await Promise.all(['/inner', '/outer'].map((path) => Peer.open(port, path)));
    await until(() => app.subscriberCount('a') === 2);
    assert.equal(inner.publish('a', 'x'), 2);
    assert.equal(inner.socketCount, 2);
    for (const peer of peers) assert.equal(await peer.text(), 'x');
    for (const { socket } of peers) socket.destroy();
  });

  it('two apps have nothing in common', async (t) => {
    const { port, app } = await served(t, (of) => of.websocket('/', { open: (socket) => void socket.subscribe('a') }));
    const peer = await Peer.open(port, '/');
    await until(() => app.subscriberCount('a') === 1);
    assert.equal(createApp().publish('a', 'x'), 0);
    peer.socket.destroy();
  });

  it('names of objects are topics like others', async (t) => {
    const { port, app } = await served(t, (of) =>
      of.websocket('/', { open: (socket) => void socket.subscribe('__proto__').subscribe('constructor') }),
    );
    const peer = await Peer.open(port, '/');
    await until(() => app.subscriberCount('__proto__') === 1);
    assert.equal(app.publish('constructor', 'x'), 1);
    assert.equal(app.publish('toString', 'x'), 0);
    assert.equal(await peer.text(), 'x');
    peer.socket.destroy();
  });

  for (const topic of ['', 'x'.repeat(257), 5, null, undefined]) {
    it(`${JSON.stringify(topic)?.slice(0, 10)} is no topic`, () => {
      assert.throws(() => createApp().publish(topic as never, 'x'), /A topic is a text of 1 to 256 characters, and this is/);
      assert.throws(() => createApp().subscribe([topic] as never), /A topic is a text of 1 to 256 characters, and this is/);
    });
  }

  it('one socket has no more than topicsMax', async (t) => {
    const { port, logged } = await served(t, (app) =>
      app.websocket('/', { open: (socket) => void socket.subscribe('a').subscribe('b').subscribe('a').subscribe('c') }, { topicsMax: 2 }),
    );
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.closeCode(), 1011);
    assert.match(String(logged), /at most 2 topics/);
    peer.socket.destroy();
  });
});

describe('a receiver that is slow', () => {
  const MESSAGE = new Uint8Array(100_000);

  async function pressed(
    t: Parameters<typeof served>[0],
    slow: 'close' | 'drop',
  ): Promise<{ came: boolean[]; drains: number; codes: number[]; peer: Peer; buffered: number }> {
    const seen = { came: [] as boolean[], drains: 0, codes: [] as number[], buffered: 0 };
    let socket: Socket | undefined;
    const { port } = await served(t, (app) =>
      app.websocket(
        '/',
        {
          open: (opened) => void (socket = opened as never),
          drain: () => void (seen.drains += 1),
          close: (_socket, code) => void seen.codes.push(code),
        },
        { slow, backpressureLimit: 1_000_000, closeTimeoutMs: 100 },
      ),
    );
    const peer = await Peer.open(port, '/');
    peer.socket.pause();
    await until(() => socket !== undefined);
    const sending: Promise<unknown>[] = [];
    for (let at = 0; at < 300; at += 1) {
      sending.push((socket as Socket).send(MESSAGE).then((taken) => seen.came.push(taken)));
      seen.buffered = Math.max(seen.buffered, (socket as Socket).bufferedAmount);
      await new Promise((resolve) => setImmediate(resolve));
    }
    peer.socket.resume();
    await Promise.all(sending);
    return { ...seen, peer };
  }

  it('loses messages where that was asked for, and stays', async (t) => {
    const { came, peer, codes, buffered, drains } = await pressed(t, 'drop');
    assert.ok(came.includes(false) && came.includes(true));
    assert.ok(buffered <= 1_000_000 + 2 * MESSAGE.length, String(buffered));
    assert.ok(drains > 0);
    const taken = came.filter(Boolean).length;
    for (let at = 0; at < taken; at += 1) assert.equal((await peer.next())?.payload.length, MESSAGE.length);
    assert.deepEqual(codes, []);
    peer.socket.destroy();
  });

  it('is closed otherwise, and what it did not take is let go', async (t) => {
    const { came, peer, codes, buffered } = await pressed(t, 'close');
    assert.ok(came.includes(false));
    assert.ok(buffered <= 1_000_000 + 2 * MESSAGE.length, String(buffered));
    await until(() => codes.length === 1);
    peer.socket.destroy();
  });

  it('send() resolves when the connection has taken it', async (t) => {
    let isSent = false;
    const { port } = await served(t, (app) =>
      app.websocket(
        '/',
        {
          async open(socket) {
            for (let at = 0; at < 100; at += 1) await socket.send(MESSAGE);
            isSent = true;
          },
        },
        { backpressureLimit: 150_000 },
      ),
    );
    const peer = await Peer.open(port, '/');
    for (let at = 0; at < 100; at += 1) assert.equal((await peer.next())?.payload.length, MESSAGE.length);
    await until(() => isSent);
    peer.socket.destroy();
  });

  it('does not keep a publisher from the others', async (t) => {
    const { port, app } = await served(t, (of) =>
      of.websocket('/', { open: (socket) => void socket.subscribe('a') }, { backpressureLimit: 300_000 }),
    );
    const [slow, fast] = await Promise.all([Peer.open(port, '/'), Peer.open(port, '/')]);
    await until(() => app.subscriberCount('a') === 2);
    slow.socket.pause();
    for (let at = 0; at < 300; at += 1) {
      app.publish('a', MESSAGE);
      assert.equal((await fast.next())?.payload.length, MESSAGE.length);
    }
    // The slow one is about to be closed.
    slow.socket.destroy();
    fast.socket.destroy();
  });
});

describe('subscribe() of the app', () => {
  it('gives what is published, as it was published', async () => {
    const app = createApp();
    const message = { n: 1 };
    const given = app.subscribe(['a', 'b'], { signal: never });
    assert.equal(app.publish('a', message), 1);
    assert.equal(app.publish('b', 'two'), 1);
    assert.equal((await given.next()).value, message);
    assert.equal((await given.next()).value, 'two');
    const waiting = given.next();
    app.publish('a', 'three');
    assert.equal((await waiting).value, 'three');
    await given.return();
    assert.equal(app.subscriberCount('a') + app.subscriberCount('b'), 0);
    assert.deepEqual(await given.next(), { done: true, value: undefined });
  });

  it('ends with its signal, with what waits', async () => {
    const app = createApp();
    const controller = new AbortController();
    const given = app.subscribe('a', { signal: controller.signal });
    app.publish('a', 1);
    controller.abort();
    assert.equal(app.subscriberCount('a'), 0);
    const all: unknown[] = [];
    for await (const message of given) all.push(message);
    assert.deepEqual(all, [1]);
    const late = app.subscribe('a', { signal: controller.signal });
    assert.deepEqual(await late.next(), { done: true, value: undefined });
  });

  it('ends for who is too slow, or loses messages', async () => {
    const app = createApp();
    const ends = app.subscribe('a', { queueMax: 2 });
    const loses = app.subscribe('a', { queueMax: 2, slow: 'drop' });
    for (let at = 0; at < 3; at += 1) app.publish('a', at);
    assert.equal(app.subscriberCount('a'), 1);
    const all: unknown[] = [];
    for await (const message of ends) all.push(message);
    assert.deepEqual(all, [0, 1]);
    assert.equal((await loses.next()).value, 0);
    app.publish('a', 3);
    assert.equal((await loses.next()).value, 1);
    assert.equal((await loses.next()).value, 3);
    await loses.return();
  });

  for (const [options, message] of [
    [{ sgnal: never }, /subscribe\(\) has no option sgnal; did you mean signal/],
    [{ queueMax: 0 }, /queueMax is a number of messages, at least 1, and this is 0/],
    [{ slow: 'wait' }, /slow is 'close' or 'drop'/],
    [{ signal: 5 }, /signal is an AbortSignal/],
  ] as const) {
    it(`refuses ${Object.keys(options)[0]}`, () => assert.throws(() => createApp().subscribe('a', options as never), message));
  }
  it('refuses no topic at all', () => assert.throws(() => createApp().subscribe([]), /takes a topic or a list of them/));

  it('feeds server-sent events, and is taken back when the client leaves', async (t) => {
    const { port, app } = await served(t, (of) => {
      of.get('/events', (c) => c.sse(of.subscribe<ServerEvent>('news')));
      of.get('/named', (c) =>
        c.sse(
          (async function* () {
            for await (const message of of.subscribe<ServerEvent>('news', { signal: c.signal })) yield { ...message, event: 'news' };
          })(),
        ),
      );
    });
    for (const [path, expected] of [
      ['/events', 'data: {"n":1}\n\n'],
      ['/named', 'event: news\ndata: {"n":1}\n\n'],
    ] as const) {
      const controller = new AbortController();
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, { signal: controller.signal });
      const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
      await until(() => app.subscriberCount('news') === 1);
      app.publish('news', { data: { n: 1 } });
      assert.equal(new TextDecoder().decode((await reader.read()).value), expected);
      controller.abort();
      await until(() => app.subscriberCount('news') === 0);
    }
  });
});
