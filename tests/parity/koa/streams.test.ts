/**
 * Bodies that are streams: order and framing, replaced streams, errors before and after the first byte,
 * aborts, late ends.
 */
import { createReadStream } from 'node:fs';
import { connect } from 'node:net';
import { Duplex, PassThrough, Readable, Transform } from 'node:stream';
import { publicFolder } from '../express/fixture.ts';
import type { App, Ctx, Failure, KoaModule } from './api.ts';
import { comes, deferred, handles, once, only2, only3, plays, serves } from './kit.ts';
import { type Client, defineKoaSuite, type KoaCase } from './suite.ts';

const file = (name: string): string => `${publicFolder}/${name}`;
const requests = ['GET /', 'HEAD /'] as const;
const immediate = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A stream that gives `parts` and then fails. */
function failing(parts: readonly string[], error: Error): Readable {
  const left = [...parts];
  return new Readable({
    read() {
      const part = left.shift();
      if (part === undefined) this.destroy(error);
      else setImmediate(() => this.push(part));
    },
  });
}

/** Notes what the error listener hears. */
function listens(app: App, record: (...values: unknown[]) => void): void {
  app.on('error', (error: Failure, ctx: Ctx) => record('error event', error, error.headerSent, ctx.headerSent));
}

/** An app that listens while `play` runs; the port is given. */
async function listening(app: App, play: (port: number) => Promise<void>): Promise<void> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    await play((server.address() as { port: number }).port);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}

/** The client sends a request, reads some of the reply and goes away; notes what becomes of the stream. */
function aborts(name: string, make: (ctx: Ctx, ended: (what: string) => void) => void): KoaCase {
  return plays(name, async (Koa: KoaModule, client: Client) => {
    const app = new Koa();
    // Bytes that the client leaves unread make a reset of its end: whether the server reads that before it
    // writes again is the system's doing.
    listens(app, (what, ...rest) => {
      if ((rest[0] as NodeJS.ErrnoException | undefined)?.code !== 'ECONNRESET') client.record(what, ...rest);
    });
    const end = deferred<string>();
    app.use((ctx) => make(ctx, end.resolve));
    await listening(app, async (port) => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await new Promise<void>((resolve) => void socket.once('data', () => resolve()));
      socket.destroy();
      client.record(await comes(end.promise));
      await immediate();
    });
  });
}

/** A stream that never ends by itself. */
function endless(): Readable {
  return new Readable({
    read() {
      setImmediate(() => {
        if (!this.destroyed) this.push('x'.repeat(1_000));
      });
    },
  });
}

const makers: readonly (readonly [string, () => unknown])[] = [
  ['a Readable of texts', () => Readable.from(['one ', 'two ', 'three'])],
  [
    'a PassThrough that was written',
    () => {
      const stream = new PassThrough();
      stream.write('written ');
      stream.end('ended');
      return stream;
    },
  ],
  [
    'a PassThrough that is written later',
    () => {
      const stream = new PassThrough();
      setImmediate(() => {
        stream.write('later ');
        setImmediate(() => stream.end('and ended'));
      });
      return stream;
    },
  ],
  [
    'a Transform',
    () =>
      Readable.from(['up', 'per']).pipe(
        new Transform({ transform: (chunk: Buffer, _encoding, done) => done(null, String(chunk).toUpperCase()) }),
      ),
  ],
  [
    'a Duplex',
    () =>
      Duplex.from(async function* () {
        yield 'from ';
        yield 'duplex';
      }),
  ],
  ['a file', () => createReadStream(file('hello.txt'))],
  ['an empty file', () => createReadStream(file('empty.txt'))],
  ['a large file', () => createReadStream(file('big.bin'))],
  ['a range of a file', () => createReadStream(file('big.bin'), { start: 10, end: 29 })],
  ['an object stream of texts', () => Readable.from(['a', 'b'], { objectMode: true })],
  ['a stream with encoding', () => Readable.from([Buffer.from('ünï')]).setEncoding('utf8')],
  [
    'a stream that ended before',
    () => {
      const stream = Readable.from([]);
      stream.resume();
      return stream;
    },
  ],
  [
    'a stream larger than any buffer',
    () =>
      Readable.from(
        (function* parts() {
          for (let i = 0; i < 40; i++) yield String(i % 10).repeat(20_000);
        })(),
      ),
  ],
];

defineKoaSuite([
  ...makers.map(([label, make]) => handles(`${label} is sent`, (ctx) => void (ctx.body = make()), requests)),
  ...makers.slice(0, 6).map(([label, make]) =>
    handles(
      `${label} is sent with a type and a length`,
      (ctx) => {
        ctx.type = 'text';
        ctx.status = 203;
        if (label === 'a file') ctx.length = 13;
        ctx.body = make();
      },
      requests,
    ),
  ),
  handles(
    'a stream sets the type bin unless there is one',
    (ctx, t) => {
      ctx.body = createReadStream(file('hello.txt'));
      t.record(ctx.type, ctx.length, ctx.status);
    },
    requests,
  ),
  handles(
    'streams answer pipelined requests in order',
    (ctx) => void (ctx.body = Readable.from([ctx.path, ' ', ctx.path])),
    ['GET /1', 'GET /2', 'GET /3'],
    { options: { connection: 'pipelined' } },
  ),
  handles('a stream to HTTP/1.0 ends with the connection', (ctx) => void (ctx.body = createReadStream(file('hello.txt'))), [
    { version: '1.0' },
  ]),
  handles(
    'a stream after text replaces it and its length',
    (ctx, t) => {
      ctx.body = 'text first';
      ctx.body = Readable.from(['then a stream']);
      t.record({ ...ctx.response.headers });
    },
    requests,
  ),
  handles(
    'a stream replaced by text is destroyed',
    (ctx, t) => {
      const stream = createReadStream(file('hello.txt'));
      const done = t.pending();
      stream.once('close', () => {
        t.record('closed', stream.destroyed);
        done();
      });
      ctx.body = stream;
      ctx.body = 'instead';
      t.record(stream.destroyed, stream.listenerCount('error'));
      ctx.res.once('finish', () => stream.destroy());
    },
    ['GET /'],
  ),
  handles(
    'a stream replaced by null',
    (ctx, t) => {
      const stream = new PassThrough();
      ctx.body = stream;
      ctx.body = null;
      t.record(stream.destroyed, ctx.status, stream.listenerCount('error'));
    },
    requests,
  ),
  handles(
    'a stream replaced by a stream',
    (ctx, t) => {
      const [first, second] = [new PassThrough(), Readable.from(['second'])];
      ctx.body = first;
      ctx.body = second;
      t.record(first.destroyed, first.listenerCount('error'), second.listenerCount('error'));
      first.end();
    },
    requests,
  ),
  handles(
    'a stream given through another stream, as compression does',
    (ctx, t) => {
      const inner = Readable.from(['inner']);
      ctx.body = inner;
      ctx.body = inner.pipe(new PassThrough());
      t.record(inner.destroyed, inner.listenerCount('error'));
    },
    requests,
  ),
  handles(
    'the same stream assigned twice',
    (ctx, t) => {
      const stream = Readable.from(['same']);
      ctx.body = stream;
      ctx.set('Content-Length', '4');
      ctx.body = stream;
      t.record(stream.listenerCount('error'), ctx.length);
    },
    requests,
  ),
  handles(
    'an error of a replaced stream harms nobody',
    (ctx, t) => {
      const stream = new PassThrough();
      listens(ctx.app, t.record);
      ctx.body = stream;
      ctx.body = Readable.from(['fine']);
      stream.emit('error', new Error('of the old one'));
    },
    ['GET /'],
    only3,
  ),
  handles(
    'an error of a replaced stream is answered by Koa 2',
    (ctx, t) => {
      const stream = new PassThrough();
      ctx.app.removeAllListeners('error');
      listens(ctx.app, t.record);
      ctx.body = stream;
      ctx.body = 'fine';
      stream.emit('error', new Error('of the old one'));
    },
    ['GET /'],
    only2,
  ),
  handles(
    'a stream answered with 204 or HEAD is destroyed at the end',
    (ctx, t) => {
      const stream = new PassThrough();
      const done = t.pending();
      stream.once('close', () => {
        t.record('stream closed', stream.destroyed);
        done();
      });
      ctx.body = stream;
      if (ctx.path === '/204') ctx.status = 204;
    },
    ['HEAD /', 'GET /204'],
  ),
  handles('a destroyed stream as body', (ctx, t) => {
    listens(ctx.app, t.record);
    const stream = new PassThrough();
    stream.destroy();
    ctx.res.once('close', t.pending());
    ctx.body = stream;
    setImmediate(() => ctx.res.destroy());
  }),
  serves(
    'a stream that fails before its first byte',
    (app, t) => {
      listens(app, t.record);
      app.use((ctx) => {
        ctx.res.once('close', t.pending());
        ctx.body = failing([], Object.assign(new Error('at once'), { status: 502, expose: true }));
      });
    },
    ['GET /'],
    only3,
  ),
  serves(
    'a stream that fails before its first byte is answered by Koa 2',
    (app, t) => {
      listens(app, t.record);
      app.use((ctx) => {
        ctx.set('X-Before', '1');
        ctx.body = failing([], Object.assign(new Error('at once'), { status: 502, expose: true }));
      });
    },
    ['GET /'],
    only2,
  ),
  serves(
    'a file that does not exist',
    (app, t) => {
      listens(app, (...values) =>
        t.record(...values.map((value) => (value instanceof Error ? `${value.name} ${(value as Failure).code}` : value))),
      );
      app.use((ctx) => {
        ctx.res.once('close', t.pending());
        ctx.body = createReadStream(file('no-such-file'));
      });
    },
    ['GET /'],
    only3,
  ),
  serves(
    'a file that does not exist is 404 in Koa 2',
    (app, t) => {
      app.on('error', (error: Failure) => t.record(error.code));
      app.use((ctx) => void (ctx.body = createReadStream(file('no-such-file'))));
    },
    ['GET /'],
    only2,
  ),
  serves(
    'a stream that fails after its first byte cuts the reply off',
    (app, t) => {
      listens(app, t.record);
      app.use((ctx) => {
        ctx.res.once('close', t.pending());
        ctx.body = failing(['first part'], new Error('half way'));
      });
    },
    ['GET /'],
    only3,
  ),
  serves(
    'a stream that fails after its first byte is told to the listener of Koa 2',
    (app, t) => {
      listens(app, t.record);
      app.use((ctx) => {
        ctx.body = failing(['first part'], new Error('half way'));
        ctx.app.once('error', () => setImmediate(() => ctx.res.destroy()));
        ctx.res.once('close', t.pending());
      });
    },
    ['GET /'],
    only2,
  ),
  serves('an error thrown upstream after a stream was set', (app, t) => {
    listens(app, t.record);
    app.use(async (_ctx, next) => {
      await next();
      throw Object.assign(new Error('after the stream'), { status: 500 });
    });
    app.use((ctx) => {
      const stream = new PassThrough();
      const done = t.pending();
      stream.once('close', () => {
        t.record('stream closed');
        done();
      });
      ctx.body = stream;
    });
  }),
  aborts('a stream is destroyed when the client goes away', (ctx, ended) => {
    const stream = endless();
    stream.once('close', () => ended('stream closed'));
    ctx.body = stream;
  }),
  aborts('a file stream is closed when the client goes away', (ctx, ended) => {
    const stream = createReadStream(file('big.bin'), { highWaterMark: 16 });
    stream.once('close', () => ended('file closed'));
    ctx.body = stream;
  }),
  aborts('a stream that is fed by hand is closed when the client goes away', (ctx, ended) => {
    const stream = new PassThrough();
    stream.once('close', () => ended('events closed'));
    ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
    ctx.body = stream;
    stream.write('data: first\n\n');
  }),
  aborts('respond false sees the close of the reply', (ctx, ended) => {
    ctx.respond = false;
    ctx.res.once('close', () => ended(`closed, ${String(ctx.res.writableEnded)}`));
    ctx.res.write('never ended');
  }),
  handles('server-sent events arrive one by one', (ctx) => {
    ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache', Connection: 'keep-alive' });
    const stream = new PassThrough();
    ctx.status = 200;
    ctx.body = stream;
    void (async () => {
      for (let i = 0; i < 3; i++) {
        stream.write(`id: ${i}\ndata: event ${i}\n\n`);
        await immediate();
      }
      stream.end();
    })();
  }),
  handles(
    'the request itself as the body',
    (ctx) => {
      ctx.type = 'text';
      ctx.body = ctx.req;
    },
    [
      { method: 'POST', path: '/', body: 'echoed content' },
      { method: 'POST', path: '/', body: 'x'.repeat(150_000) },
    ],
  ),
  handles(
    'an async generator turned into a stream',
    (ctx) => {
      ctx.body = Readable.from(
        (async function* parts() {
          for (const part of ['a', 'b', 'c']) {
            await immediate();
            yield part;
          }
        })(),
      );
    },
    requests,
  ),
  handles(
    'a web stream that fails is told to the listener',
    (ctx, t) => {
      ctx.app.removeAllListeners('error');
      listens(ctx.app, t.record);
      ctx.res.once('close', t.pending());
      ctx.body = new ReadableStream({
        pull(controller) {
          controller.error(new Error('web stream failed'));
        },
      });
    },
    ['GET /'],
    only3,
  ),
  handles(
    'a web stream is cancelled for HEAD or not',
    (ctx, t) => {
      ctx.body = new ReadableStream({
        start: (controller) => controller.enqueue('kept'),
        cancel: () => t.record('cancelled'),
      });
      t.record(ctx.type, ctx.length);
    },
    ['HEAD /'],
    only3,
  ),
  handles(
    'a stream replaced by a Blob, a web stream or a Response',
    (ctx, t) => {
      const stream = new PassThrough();
      ctx.body = stream;
      const kind = ctx.path.slice(1);
      ctx.body = kind === 'blob' ? new Blob(['blob']) : kind === 'web' ? new Blob(['web']).stream() : new Response('response');
      t.record(stream.destroyed, ctx.status, ctx.type, { ...ctx.response.headers });
    },
    ['GET /blob', 'GET /web', 'GET /response'],
    only3,
  ),
]);
