/**
 * Server-sent events: what is written, when, and what becomes of a source whose client leaves.
 */
import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { describe, it } from 'node:test';
import { createApp, type EventSender, type ServerEvent } from '../../src/app/index.ts';
import { defineCases } from './case.ts';
import { served, until } from './websocket/peer.ts';

const texts: readonly [string, ServerEvent | string, string][] = [
  ['a text', 'one', 'data: one\n\n'],
  ['an empty text', '', 'data: \n\n'],
  ['lines', 'a\nb\r\nc\rd', 'data: a\ndata: b\ndata: c\ndata: d\n\n'],
  ['an object', { data: { a: 'ö\n' } }, 'data: {"a":"ö\\n"}\n\n'],
  ['null', { data: null }, 'data: null\n\n'],
  ['all fields', { comment: 'c', event: 'e', id: '7', retry: 5, data: 'd' }, ': c\nevent: e\nid: 7\nretry: 5\ndata: d\n\n'],
  ['an event without data', { event: 'e' }, 'event: e\ndata:\n\n'],
  ['a comment alone', { comment: 'a\nb' }, ': a\n: b\n\n'],
  ['an empty id', { id: '', data: 'x' }, 'id: \ndata: x\n\n'],
];

const wrong: readonly [string, unknown][] = [
  ['an id of two lines', { id: 'a\nb', data: '' }],
  ['an id that is a number', { id: 7, data: '' }],
  ['a name with a NUL', { event: 'a\0', data: '' }],
  ['a time that is none', { retry: -1, data: '' }],
  ['a time that is no number', { retry: Number.NaN, data: '' }],
  ['data that JSON has no form of', { data: 5n }],
  ['a number', 5],
  ['null', null],
];

defineCases('events', [
  ...texts.map(([name, event, text]) => ({
    name,
    app: (app: ReturnType<typeof createApp>) => void app.get('/', (c) => c.sse([event])),
    ask: '/',
    expect: {
      text,
      headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' },
    },
  })),
  {
    name: 'a time to connect again stands first',
    app: (app) => void app.get('/', (c) => c.sse(['x'], { retryMs: 500 })),
    ask: '/',
    expect: { text: 'retry: 500\n\ndata: x\n\n' },
  },
  {
    name: 'of a function, with what the client had last',
    app: (app) => void app.get('/', (c) => c.sse(async ({ send, lastEventId }) => send({ id: '8', data: `behind ${lastEventId}` }))),
    ask: { url: '/', headers: { 'Last-Event-ID': '7' } },
    expect: { text: 'id: 8\ndata: behind 7\n\n' },
  },
  {
    name: 'of a function that does not wait',
    app: (app) =>
      void app.get('/', (c) =>
        c.sse(({ send }) => {
          for (let at = 0; at < 3; at += 1) void send(String(at));
        }),
      ),
    ask: '/',
    expect: { text: 'data: 0\n\ndata: 1\n\ndata: 2\n\n' },
  },
  {
    name: 'of a function that sends nothing',
    app: (app) => void app.get('/', (c) => c.sse(() => {})),
    ask: '/',
    expect: { text: '' },
  },
  {
    name: 'of a generator',
    app: (app) =>
      void app.get('/', (c) =>
        c.sse(
          (async function* () {
            yield 'a';
            yield { data: 'b' };
          })(),
        ),
      ),
    ask: '/',
    expect: { text: 'data: a\n\ndata: b\n\n' },
  },
  {
    name: 'asked for by HEAD',
    app: (app) => void app.get('/', (c) => c.sse(['x'])),
    ask: { method: 'HEAD', url: '/' },
    expect: { text: '', headers: { 'content-type': 'text/event-stream; charset=utf-8' } },
  },
  ...[-1, 0.5, 2 ** 31, '5'].map((heartbeatMs) => ({
    name: `a heartbeat of ${JSON.stringify(heartbeatMs)}`,
    app: (app: ReturnType<typeof createApp>) => void app.get('/', (c) => c.sse(['x'], { heartbeatMs: heartbeatMs as never })),
    ask: '/',
    expect: { status: 500 },
  })),
]);

describe('events that are none', () => {
  for (const [name, event] of wrong) {
    it(`${name}: the reply is broken off, and the log is told why`, async (t) => {
      const { port, logged } = await served(t, (app) => app.get('/', (c) => c.sse([event as never])));
      await assert.rejects(fetch(`http://127.0.0.1:${port}/`).then((reply) => reply.text()));
      await until(() => logged.length === 1);
      assert.match(String(logged[0]?.[1]), /TypeError/);
    });
  }
});

describe('a stream of events', () => {
  it('of a generator is ended where an event of it cannot be sent', async (t) => {
    let isEnded = false;
    const { port } = await served(t, (app) =>
      app.get('/', (c) =>
        c.sse(
          (async function* () {
            try {
              yield 'a';
              yield 5 as never;
            } finally {
              isEnded = true;
            }
          })(),
        ),
      ),
    );
    await assert.rejects(fetch(`http://127.0.0.1:${port}/`).then((reply) => reply.text()));
    await until(() => isEnded);
  });

  it('has a comment as often as that, and none where events come', async (t) => {
    const { port } = await served(t, (app) =>
      app.get('/', (c) =>
        c.sse(({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())), { heartbeatMs: 10 }),
      ),
    );
    const reader = ((await fetch(`http://127.0.0.1:${port}/`)).body as ReadableStream<Uint8Array>).getReader();
    for (let beats = 0; beats < 3; beats += 1) assert.match(new TextDecoder().decode((await reader.read()).value), /^(?::\n\n)+$/);
    await reader.cancel();
  });

  it('is ended when its client leaves, also where it has nothing to send', async (t) => {
    const ended: string[] = [];
    const never = new Promise<never>(() => {});
    const source = (name: string): AsyncIterableIterator<string> => ({
      next: () => never,
      return: () => {
        ended.push(name);
        return Promise.resolve({ done: true, value: undefined });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    });
    const { port } = await served(t, (app) => {
      app.get('/source', (c) => c.sse(source('source')));
      app.get('/function', (c) =>
        c.sse(
          async ({ signal }) =>
            new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(void ended.push('function')))),
        ),
      );
    });
    for (const name of ['source', 'function']) {
      const controller = new AbortController();
      const reply = await fetch(`http://127.0.0.1:${port}/${name}`, { signal: controller.signal });
      assert.equal(reply.status, 200);
      controller.abort();
      await until(() => ended.includes(name));
    }
  });

  it('that nobody takes holds no more than a number of events; who waits has no such limit', async (t) => {
    const refused: unknown[] = [];
    let sender: EventSender | undefined;
    const { port } = await served(t, (app) =>
      app.get('/', (c) =>
        c.sse(async (given) => {
          sender = given;
          await new Promise((resolve) => given.signal.addEventListener('abort', resolve));
        }),
      ),
    );
    const socket = createConnection(port, '127.0.0.1').on('error', () => {});
    socket.pause();
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => sender !== undefined);
    const event = 'x'.repeat(100_000);
    for (let at = 0; at < 17_000; at += 1) sender?.send(event).catch((error: unknown) => refused.push(error));
    await until(() => refused.length > 0);
    assert.match(String(refused[0]), /RangeError: 16384 pieces wait to be taken: await each/);
    socket.destroy();
    await until(() => refused.length > 1000);
    await assert.rejects(sender?.send('late') as Promise<void>);
  });
});
