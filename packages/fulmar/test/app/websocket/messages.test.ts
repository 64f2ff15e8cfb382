/**
 * Handlers of a WebSocket: their order, what they are given, what becomes of their errors, and messages read in
 * a `for await`.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import { z } from 'zod';
import { closeFrame, frame, Opcode, Peer, served, until } from './peer.ts';

const { text, binary, close } = Opcode;

describe('handlers of one socket', () => {
  it('run one after the other, whatever each takes', async (t) => {
    const log: string[] = [];
    const { port } = await served(t, (app) =>
      app.websocket('/', {
        async open() {
          await delay(20);
          log.push('open');
        },
        async message(_socket, message) {
          await delay(message === 'a' ? 20 : 0);
          log.push(String(message));
        },
        close: (_socket, code, reason) => void log.push(`${code} ${reason}`),
      }),
    );
    const peer = await Peer.open(port, '/');
    peer.send(text, 'a').send(text, 'b').send(text, 'c').send(close, closeFrame(4000, 'bye'));
    await until(() => log.length === 5);
    assert.deepEqual(log, ['open', 'a', 'b', 'c', '4000 bye']);
    peer.socket.destroy();
  });

  it('do not wait for those of another', async (t) => {
    const { port } = await served(t, (app) =>
      app.websocket('/', {
        message: (socket, message) => (message === 'stay' ? new Promise(() => {}) : void socket.send(message)),
      }),
    );
    const [stuck, free] = await Promise.all([Peer.open(port, '/'), Peer.open(port, '/')]);
    stuck.send(text, 'stay').send(text, 'x');
    assert.equal(await free.send(text, 'y').text(), 'y');
    stuck.socket.destroy();
    free.socket.destroy();
  });

  it('beyond queueMax the connection is not read, and nothing is lost', async (t) => {
    let release: () => void = () => {};
    const gate = new Promise<void>((resolve) => (release = resolve));
    let handled = 0;
    const { port } = await served(t, (app) =>
      app.websocket(
        '/',
        {
          async message() {
            await gate;
            handled += 1;
          },
        },
        { queueMax: 4 },
      ),
    );
    const peer = await Peer.open(port, '/');
    let sent = 0;
    const big = frame(binary, Buffer.alloc(100_000));
    // As long as the server takes them.
    while (peer.socket.writableLength < 4_000_000 && sent < 1000) {
      peer.socket.write(big);
      sent += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(peer.socket.writableLength >= 4_000_000, `${sent} messages were taken for a handler that takes none`);
    assert.equal(handled, 0);
    release();
    await until(() => handled === sent);
    peer.socket.destroy();
  });

  it('of a message that was sent before the end still runs', async (t) => {
    const log: unknown[] = [];
    const { port, app } = await served(t, (of) =>
      of.websocket('/', {
        async message(socket, message) {
          await delay(10);
          log.push(message, await socket.send('too late'));
        },
        close: (_socket, code) => void log.push(code),
      }),
    );
    const peer = await Peer.open(port, '/');
    peer.send(text, 'a').send(text, 'b');
    peer.socket.end();
    await until(() => log.length === 5);
    assert.deepEqual(log, ['a', false, 'b', false, 1006]);
    assert.equal(app.socketCount, 0);
  });

  for (const [name, fails] of [
    ['throws', () => assert.fail('of the handler')],
    ['rejects', () => Promise.reject(new Error('of the handler'))],
  ] as const) {
    it(`that ${name} is logged, and the socket closed with 1011`, async (t) => {
      const codes: number[] = [];
      let messages = 0;
      const { port, logged } = await served(t, (app) =>
        app.websocket('/', {
          message() {
            messages += 1;
            return fails();
          },
          close: (_socket, code) => void codes.push(code),
        }),
      );
      const peer = await Peer.open(port, '/');
      peer.send(text, 'a').send(text, 'b');
      assert.equal(await peer.closeCode(), 1011);
      peer.send(close, closeFrame(1011));
      await until(() => codes.length === 1);
      assert.deepEqual(codes, [1011]);
      assert.equal(messages, 1);
      assert.equal(logged.length, 1);
      assert.match(String(logged[0]), /^WebSocket \/,\w*Error.*of the handler/);
    });
  }

  it('that fails is told to error instead of the log', async (t) => {
    const told: unknown[] = [];
    const { port, logged } = await served(t, (app) =>
      app.websocket('/', {
        open() {
          throw new Error('of open');
        },
        error: (_socket, error) => void told.push(error),
      }),
    );
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.closeCode(), 1011);
    assert.match(String(told), /of open/);
    assert.deepEqual(logged, []);
    peer.socket.destroy();
  });

  it('an error handler that fails is logged', async (t) => {
    const { port, logged } = await served(t, (app) =>
      app.websocket('/', {
        open: () => Promise.reject(new Error('of open')),
        error() {
          throw new Error('of error');
        },
      }),
    );
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.closeCode(), 1011);
    assert.match(String(logged), /of error/);
    peer.socket.destroy();
  });

  it('a close handler that fails is logged', async (t) => {
    const { port, logged } = await served(t, (app) =>
      app.websocket('/', {
        close() {
          throw new Error('of close');
        },
      }),
    );
    const peer = await Peer.open(port, '/');
    peer.socket.destroy();
    await until(() => logged.length === 1);
  });

  it('what the peer does wrong is told to error and not to the log', async (t) => {
    const told: unknown[] = [];
    const { port, logged } = await served(t, (app) =>
      app.websocket('/', { message: () => {}, error: (_socket, error) => void told.push(error) }),
    );
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.send(text, Buffer.from([0xff])).closeCode(), 1007);
    await until(() => told.length === 1);
    assert.deepEqual(logged, []);
    peer.socket.destroy();
  });

  it('the signal of the context fires when the socket is closed', async (t) => {
    let isFired = false;
    const { port } = await served(t, (app) =>
      app.websocket('/', { open: (socket) => socket.c.signal.addEventListener('abort', () => (isFired = true)) }),
    );
    const peer = await Peer.open(port, '/');
    await delay(10);
    assert.equal(isFired, false);
    peer.socket.destroy();
    await until(() => isFired);
  });
});

describe('what is sent', () => {
  const values: readonly [string, () => unknown, string][] = [
    ['text', () => 'ö', 'ö'],
    ['an object', () => ({ a: [1] }), '{"a":[1]}'],
    ['null', () => null, 'null'],
    ['a number', () => 5, '5'],
    ['bytes', () => new Uint8Array([97, 98]), 'ab'],
    ['a part of bytes', () => new Uint8Array([0, 97, 0]).subarray(1, 2), 'a'],
    ['a buffer', () => new Uint8Array([97]).buffer, 'a'],
    ['a view', () => new DataView(new Uint8Array([97, 98, 99]).buffer, 1), 'bc'],
    ['nothing', () => '', ''],
    ['a megabyte', () => 'x'.repeat(1024 ** 2), 'x'.repeat(1024 ** 2)],
    // More than the engine holds of a reply.
    ['17 megabytes', () => Buffer.alloc(17 * 1024 ** 2, 'y'), 'y'.repeat(17 * 1024 ** 2)],
  ];
  for (const [name, value, expected] of values) {
    it(name, async (t) => {
      let isTaken: unknown;
      const { port } = await served(t, (app) => app.websocket('/', { open: async (socket) => (isTaken = await socket.send(value())) }));
      const peer = await Peer.open(port, '/');
      assert.ok((await peer.text()) === expected);
      await until(() => isTaken === true);
      peer.socket.destroy();
    });
  }

  const wrong: readonly [string, () => unknown, RegExp][] = [
    ['undefined', () => undefined, /no form of a undefined/],
    ['a function', () => () => 5, /no form of a function/],
    ['a bigint', () => ({ n: 5n }), /\$\.n is one/],
    [
      'a circle',
      () => {
        const circle: Record<string, unknown> = {};
        circle['self'] = circle;
        return circle;
      },
      /contains it/,
    ],
    ['a promise', () => Promise.resolve('x'), /send\(await …\)/],
    ['a Blob', () => new Blob(['x']), /arrayBuffer\(\)/],
  ];
  for (const [name, value, message] of wrong) {
    it(`${name} is refused, and the socket stays`, async (t) => {
      const { port } = await served(t, (app) =>
        app.websocket('/', {
          open(socket) {
            assert.throws(() => void socket.send(value()), message);
            socket.subscribe('topic');
            assert.throws(() => app.publish('topic', value()), message);
            void socket.send('still here');
          },
        }),
      );
      const peer = await Peer.open(port, '/');
      assert.equal(await peer.text(), 'still here');
      peer.socket.destroy();
    });
  }
});

describe('close()', () => {
  const wrong: readonly [unknown, unknown, RegExp][] = [
    [999, '', /code is 1000 to 1003, 1007 to 1014 or 3000 to 4999/],
    [1005, '', /and this is 1005/],
    [1006, '', /and this is 1006/],
    [5000, '', /and this is 5000/],
    [1000.5, '', /and this is 1000.5/],
    ['1000', '', /and this is "1000"/],
    [1000, 5, /reason is a text, and this is 5/],
    [1000, 'ö'.repeat(62), /at most 123 bytes, and this one has 124/],
  ];
  for (const [code, reason, message] of wrong) {
    it(`refuses ${JSON.stringify([code, reason]).slice(0, 30)}`, async (t) => {
      const { port } = await served(t, (app) =>
        app.websocket('/', {
          open(socket) {
            assert.throws(() => socket.close(code as never, reason as never), message);
            socket.close(4999, 'ö'.repeat(61));
          },
        }),
      );
      const peer = await Peer.open(port, '/');
      assert.equal(await peer.closeCode(), 4999);
      peer.socket.destroy();
    });
  }

  it('twice is once, and what was sent before goes out', async (t) => {
    const { port, app } = await served(t, (of) =>
      of.websocket('/', {
        open(socket) {
          void socket.send('last');
          socket.close(4000, 'first');
          socket.close(4001, 'second');
          assert.equal(socket.isOpen, false);
          socket.ping();
        },
      }),
    );
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.text(), 'last');
    assert.equal(await peer.closeCode(), 4000);
    peer.send(close, closeFrame(4000));
    await peer.closed;
    await until(() => app.socketCount === 0);
  });

  it('both sides at the same time', async (t) => {
    const codes: number[] = [];
    const { port } = await served(t, (app) =>
      app.websocket('/', { message: (socket) => socket.close(4001), close: (_socket, code) => void codes.push(code) }),
    );
    const peer = await Peer.open(port, '/');
    peer.socket.write(Buffer.concat([frame(text, 'x'), frame(close, closeFrame(4002))]));
    await peer.closed;
    await until(() => codes.length === 1);
  });

  it('a peer that does not answer is dropped', async (t) => {
    const codes: number[] = [];
    const { port } = await served(t, (app) =>
      app.websocket('/', { open: (socket) => socket.close(), close: (_socket, code) => void codes.push(code) }, { closeTimeoutMs: 50 }),
    );
    const peer = await Peer.open(port, '/');
    await peer.closed;
    await until(() => codes.length === 1);
    assert.deepEqual(codes, [1006]);
  });

  it('is answered while messages wait for their handler', async (t) => {
    const codes: number[] = [];
    const { port } = await served(t, (app) =>
      app.websocket(
        '/',
        {
          async message(socket) {
            if (socket.isOpen) await delay(20);
            socket.close(4000);
          },
          close: (_socket, code) => void codes.push(code),
        },
        { queueMax: 1 },
      ),
    );
    const peer = await Peer.open(port, '/');
    for (let at = 0; at < 100; at += 1) peer.send(text, 'x'.repeat(2000));
    assert.equal(await peer.closeCode(), 4000);
    peer.send(close, closeFrame(4000));
    await peer.closed;
    await until(() => codes.length === 1);
    assert.deepEqual(codes, [4000]);
  });

  it('terminate() ends the connection without a word', async (t) => {
    const { port } = await served(t, (app) => app.websocket('/', { open: (socket) => socket.terminate() }));
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.closeCode(), 0);
  });
});

describe('messages in a for await', () => {
  it('come in their order, none is lost, and the loop ends with the socket', async (t) => {
    const log: unknown[] = [];
    const { port } = await served(t, (app) =>
      app.websocket('/', {
        async open(socket) {
          await delay(20);
          for await (const message of socket) {
            await delay(1);
            log.push(message);
          }
          log.push('over');
        },
        close: (_socket, code) => void log.push(code),
      }),
    );
    const peer = await Peer.open(port, '/', {}, frame(text, '0'));
    for (let at = 1; at < 100; at += 1) peer.send(text, String(at));
    peer.send(close, closeFrame(1000));
    await until(() => log.length === 102);
    // `close` may come while the last one is being worked on.
    assert.deepEqual(
      log.filter((entry) => entry !== 1000),
      [...Array.from({ length: 100 }, (_, at) => String(at)), 'over'],
    );
  });

  it('who leaves the loop gets no more, and the socket stays', async (t) => {
    const { port } = await served(t, (app) =>
      app.websocket(
        '/',
        {
          async open(socket) {
            for await (const message of socket) {
              void socket.send(`got ${String(message)}`);
              break;
            }
            await delay(20);
            await socket.send('still here');
          },
        },
        { queueMax: 2 },
      ),
    );
    const peer = await Peer.open(port, '/');
    for (let at = 0; at < 50; at += 1) peer.send(text, 'x'.repeat(5000));
    peer.send(text, 'x');
    assert.match(await peer.text(), /^got x/);
    assert.equal(await peer.text(), 'still here');
    peer.send(Opcode.ping, 'p');
    assert.equal(await peer.text(), 'p');
    peer.socket.destroy();
  });

  it('an error in the loop closes with 1011', async (t) => {
    const { port, logged } = await served(t, (app) =>
      app.websocket('/', {
        async open(socket) {
          for await (const message of socket) throw new Error(`of ${String(message)}`);
        },
      }),
    );
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.send(text, 'a').closeCode(), 1011);
    assert.match(String(logged), /of a/);
    peer.socket.destroy();
  });

  it('whose open neither reads nor ends: nothing piles up, and the end is noticed', async (t) => {
    let isOver = false;
    const { port } = await served(t, (app) =>
      app.websocket(
        '/',
        {
          open: (socket) =>
            new Promise<void>((resolve) => socket.c.signal.addEventListener('abort', () => resolve((isOver = true) as never))),
        },
        { queueMax: 2 },
      ),
    );
    const peer = await Peer.open(port, '/');
    for (let at = 0; at < 20; at += 1) peer.send(text, 'x');
    await delay(20);
    peer.socket.resetAndDestroy();
    await until(() => isOver);
  });

  it('a socket that nobody reads takes what comes and forgets it', async (t) => {
    const { port } = await served(t, (app) => app.websocket('/', { open: (socket) => void socket.subscribe('news') }, { queueMax: 2 }));
    const peer = await Peer.open(port, '/');
    for (let at = 0; at < 200; at += 1) peer.send(text, 'x'.repeat(10_000));
    peer.send(Opcode.ping, 'p');
    assert.equal(await peer.text(), 'p');
    peer.socket.destroy();
  });

  it('is refused next to a handler of messages', async (t) => {
    const { port, logged } = await served(t, (app) =>
      app.websocket('/', { open: (socket) => void socket[Symbol.asyncIterator](), message: () => {} }),
    );
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.closeCode(), 1011);
    assert.match(String(logged), /go to its handler `message`/);
    peer.socket.destroy();
  });
});

describe('messages with a schema', () => {
  const schema = z.object({ say: z.string().min(1), at: z.coerce.date().optional() });

  it('are what the schema makes of them', async (t) => {
    const { port } = await served(t, (app) =>
      app.websocket('/', { message: (socket, { say, at }) => void socket.send({ say, year: at?.getUTCFullYear() }) }, { message: schema }),
    );
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.send(text, '{"say":"hi","at":"2026-01-01","__proto__":{"x":1}}').text(), '{"say":"hi","year":2026}');
    peer.socket.destroy();
  });

  for (const [name, message] of [
    ['of another shape', '{"say":""}'],
    ['that is no JSON', '{"say":'],
    ['that is empty', ''],
  ] as const) {
    it(`${name}: the socket closes with 1007`, async (t) => {
      const seen: unknown[] = [];
      const { port, logged } = await served(t, (app) =>
        app.websocket('/', { message: (_socket, given) => void seen.push(given) }, { message: schema }),
      );
      const peer = await Peer.open(port, '/');
      assert.equal(await peer.send(text, message).closeCode(), 1007);
      assert.deepEqual([seen, logged], [[], []]);
      peer.socket.destroy();
    });

    it(`${name}: told to its handler, and the socket stays`, async (t) => {
      const { port } = await served(t, (app) =>
        app.websocket(
          '/',
          { message: (socket, { say }) => void socket.send(say), invalid: (socket, errors) => void socket.send({ errors: errors.length }) },
          { message: schema },
        ),
      );
      const peer = await Peer.open(port, '/');
      assert.equal(await peer.send(text, message).text(), '{"errors":1}');
      assert.equal(await peer.send(text, '{"say":"x"}').text(), 'x');
      peer.socket.destroy();
    });
  }

  it('that take their time keep the order', async (t) => {
    const slow = v.pipeAsync(
      v.number(),
      v.transformAsync((ms) => delay(ms, ms)),
    );
    const { port } = await served(t, (app) => app.websocket('/', { message: (socket, ms) => void socket.send(ms) }, { message: slow }));
    const peer = await Peer.open(port, '/');
    peer.send(text, '20').send(text, '0');
    assert.equal(await peer.text(), '20');
    assert.equal(await peer.text(), '0');
    peer.socket.destroy();
  });

  it('read in a for await', async (t) => {
    const { port } = await served(t, (app) =>
      app.websocket(
        '/',
        {
          async open(socket) {
            for await (const { say } of socket) await socket.send(say);
          },
          invalid: (socket) => void socket.send('no'),
        },
        { message: schema },
      ),
    );
    const peer = await Peer.open(port, '/');
    peer.send(text, '{"say":"a"}').send(text, '5').send(text, '{"say":"b"}');
    assert.equal(await peer.text(), 'a');
    assert.equal(await peer.text(), 'no');
    assert.equal(await peer.text(), 'b');
    peer.socket.destroy();
  });

  it('bytes are given to it as they are', async (t) => {
    const { port } = await served(t, (app) =>
      app.websocket('/', { message: (socket, bytes) => void socket.send(bytes.byteLength) }, { message: z.instanceof(Uint8Array) }),
    );
    const peer = await Peer.open(port, '/');
    assert.equal(await peer.send(binary, 'abc').text(), '3');
    peer.socket.destroy();
  });
});
