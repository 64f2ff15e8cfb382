/**
 * Files that are not kept in memory: what an application can tell of the way they take to the client. Ours
 * lets the engine send them when nobody looks; every case here looks in another way, or at the end of it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import fs, { closeSync, openSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { CaseContext, ClientContext, ParityCase, RequestInput } from '../harness/case.ts';
import type { Handler, Res } from '../harness/express-api.ts';
import { sharedFolder } from '../harness/shared-state.ts';
import { defineSuite } from '../harness/suite.ts';
import { publicFolder } from './fixture.ts';
import { handles, serves, withHeaders } from './kit.ts';

const require = createRequire(import.meta.url);
const MODIFIED = new Date('2024-05-06T07:08:09Z');
/** More than systems buffer for a connection, in bytes. */
const HUGE = 32 * 1024 * 1024;
const folder = sharedFolder('parity-large', (home) => {
  writeFileSync(join(home, 'text.txt'), 'large enough to be compressed. '.repeat(6_000));
  writeFileSync(join(home, 'huge.bin'), Buffer.alloc(HUGE, 'huge'));
  for (const name of ['text.txt', 'huge.bin']) utimesSync(join(home, name), MODIFIED, MODIFIED);
});
const big = join(publicFolder, 'big.bin');
const text = join(folder, 'text.txt');
const huge = join(folder, 'huge.bin');
/** A file that has been quiet for long, and is small: kept in memory when it is asked for again. */
const quietFile = createRequire(import.meta.url).resolve('express/package.json');

const ways: readonly RequestInput[] = [
  'GET /',
  'HEAD /',
  ...['bytes=0-9', 'bytes=-5', 'bytes=299999-', 'bytes=100-', 'bytes=0-0,5-6', 'bytes=400000-', 'bytes=5-2'].map((Range) =>
    withHeaders({ Range }),
  ),
  withHeaders({ 'If-Modified-Since': MODIFIED.toUTCString() }),
  withHeaders({ 'If-Match': '"x"' }),
  { path: '/', version: '1.0' },
  { path: '/', version: '1.0', headers: { Connection: 'keep-alive' } },
  withHeaders({ Connection: 'close' }),
];

/** Notes events of a response in their order, with what it says of itself by then. */
function watch(res: Res, ctx: CaseContext, events: readonly string[] = ['finish', 'close']): void {
  for (const event of events) {
    res.on(event, () => ctx.record(event, res.headersSent, res.writableEnded, res.writableFinished, res.writableLength, res.destroyed));
  }
}

const sent =
  (res: Res, ctx: CaseContext, end: () => void = ctx.pending()) =>
  (error?: Error): void => {
    ctx.record('callback', error, res.headersSent, res.writableEnded, res.destroyed);
    end();
  };

/** Asks for `/`, reads the first bytes of it, and no more until `path` is answered on another connection. */
async function meanwhile({ connect }: ClientContext, path: string): Promise<{ socket: Socket; first: number }> {
  const { socket } = await connect();
  const began = once(socket, 'data').then(([chunk]) => {
    socket.pause();
    return (chunk as Buffer).length;
  });
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const first = await began;
  const other = await connect();
  other.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
  await other.read('GET');
  return { socket, first };
}

const table: ParityCase[] = [
  serves(
    'a large file is sent with ranges, conditions and versions as upstream does, by sendFile, download and static',
    (app, express) => {
      app.get('/send', (_req, res) => res.sendFile(big));
      app.get('/download', (_req, res) => res.download(big, 'nämé.bin'));
      app.use('/static', express.static(publicFolder));
      app.get('/', (_req, res) => res.sendFile(big));
    },
    [
      ...ways,
      'GET /send',
      'GET /download',
      'GET /static/big.bin',
      'HEAD /static/big.bin',
      withHeaders({ Range: 'bytes=7-' }, '/static/big.bin'),
      'GET /static/big.bin?a',
    ],
  ),
  serves('pipelined requests for large files are answered in order', (app) => app.use((_req, res) => res.sendFile(big)), ways.slice(0, 5), {
    connection: 'pipelined',
  }),
  handles(
    'the callback and the events of the response come in order',
    (_req, res, ctx) => {
      watch(res, ctx);
      res.on('prefinish', () => ctx.record('prefinish', res.headersSent, res.writableEnded));
      const end = ctx.pending();
      const done = sent(res, ctx, () => undefined);
      res.on('close', end);
      res.sendFile(big, done);
    },
    ways.slice(0, 6),
  ),
  handles('what the callback does is seen by whoever listens to finish', (_req, res, ctx) => {
    const end = ctx.pending();
    res.sendFile(big, () => {
      res.on('finish', () => {
        ctx.record('finish', (res as Res & { mark?: number }).mark);
        end();
      });
      process.nextTick(() => ((res as Res & { mark?: number }).mark ??= 1));
      res.end('too late', (error?: Error | null) => ctx.record('end', error));
    });
  }),
  handles('asynchronous context reaches the callback and the listeners', (_req, res, ctx) => {
    const storage = new AsyncLocalStorage<string>();
    const [end, closed] = [ctx.pending(), ctx.pending()];
    storage.run('of the request', () => {
      res.on('close', () => {
        ctx.record('close', storage.getStore());
        closed();
      });
      res.sendFile(big, () => {
        ctx.record('callback', storage.getStore());
        end();
      });
    });
  }),
];

/** Each changes something that a piped stream meets on its way. */
const watchers: Readonly<Record<string, (res: Res, ctx: CaseContext) => void>> = {
  'listeners for pipe and unpipe': (res, ctx) => {
    for (const event of ['pipe', 'unpipe']) res.on(event, (source: object) => ctx.record(event, source.constructor.name));
  },
  'a listener for drain': (res, ctx) => {
    let count = 0;
    res.on('drain', () => (count += 1));
    res.on('finish', () => ctx.record('drained', count > 0));
  },
  'a replaced write': (res, ctx) => {
    const { write } = res;
    let bytes = 0;
    res.write = function counting(this: Res, chunk: unknown, ...rest: never[]): boolean {
      bytes += (chunk as Buffer).length;
      return Reflect.apply(write, this, [chunk, ...rest]) as boolean;
    } as Res['write'];
    res.on('finish', () => ctx.record('written', bytes));
  },
  'a replaced end': (res, ctx) => {
    const { end } = res;
    res.end = function noting(this: Res, ...args: never[]): Res {
      ctx.record('end', args.length);
      return Reflect.apply(end, this, args) as Res;
    } as Res['end'];
  },
  'a replaced writeHead': (res) => {
    const { writeHead } = res;
    res.writeHead = function adding(this: Res, ...args: never[]): Res {
      this.setHeader('X-Late', 'yes');
      return Reflect.apply(writeHead, this, args) as Res;
    } as Res['writeHead'];
  },
  'a replaced setHeader': (res, ctx) => {
    const { setHeader } = res;
    res.setHeader = function noting(this: Res, name: string, value: string): Res {
      ctx.record('setHeader', name);
      return Reflect.apply(setHeader, this, [name, value]) as Res;
    } as Res['setHeader'];
  },
  'a replaced emit': (res, ctx) => {
    const { emit } = res;
    res.emit = function noting(this: Res, event: string, ...args: never[]): boolean {
      // `close` follows later, with us perhaps behind the next request's handler.
      if (event !== 'drain' && event !== 'close') ctx.record('emit', event);
      return Reflect.apply(emit, this, [event, ...args]) as boolean;
    } as Res['emit'];
  },
  'a replaced on': (res, ctx) => {
    const { on } = res;
    const names = new Set<unknown>();
    res.on = function noting(this: Res, event: string, listener: never): Res {
      names.add(event);
      return Reflect.apply(on, this, [event, listener]) as Res;
    } as Res['on'];
    // Before the client can have the whole reply and ask for the next.
    Reflect.apply(on, res, ['finish', () => ctx.record('on', names.has('unpipe'))]);
  },
  'content before it': (res) => void res.write('before'),
  'the status 204': (res) => void res.status(204),
  'the status 304': (res) => void res.status(304),
  'the status 404': (res) => void res.status(404),
  'a status message': (res) => void (res.statusMessage = 'Fine'),
  'Transfer-Encoding chunked': (res) => void res.set('Transfer-Encoding', 'chunked'),
  'an own Content-Encoding': (res) => void res.set('Content-Encoding', 'x-own'),
  'a field that cannot be sent together with the others': (res) => void res.set('Connection', 'close'),
  'shouldKeepAlive = false': (res) => void (res.shouldKeepAlive = false),
  'sendDate = false': (res) => void (res.sendDate = false),
};
for (const [label, change] of Object.entries(watchers)) {
  table.push(
    handles(
      `${label} is met as upstream meets it`,
      (req, res, ctx) => {
        const end = ctx.pending();
        change(res, ctx);
        let left = 1;
        const over = (): void => void (left-- > 0 && setImmediate(end));
        res.on('close', over);
        res.sendFile(big, (error?: Error) => {
          ctx.record('callback', error?.message);
          if (error !== undefined && !res.writableEnded) res.end();
        });
        ctx.record(req.method);
      },
      ['GET /', 'HEAD /', withHeaders({ Range: 'bytes=10-' })],
    ),
  );
}

/** Functions of the file system, replaced as graceful-fs, mock-fs and instrumentation do. */
for (const name of ['createReadStream', 'open', 'read', 'close'] as const) {
  table.push(
    handles(`a replaced fs.${name} is called`, (_req, res, ctx) => {
      const end = ctx.pending();
      const own = fs[name] as (...args: never[]) => unknown;
      let called = false;
      Object.assign(fs, {
        [name](this: unknown, ...args: never[]): unknown {
          called ||= true;
          return Reflect.apply(own, this, args);
        },
      });
      res.on('close', () => {
        Object.assign(fs, { [name]: own });
        ctx.record('called', called);
        end();
      });
      res.sendFile(big);
    }),
  );
}

table.push(
  handles('a replaced Readable.prototype.pipe is called', (_req, res, ctx) => {
    const end = ctx.pending();
    const { pipe } = Readable.prototype;
    let called = false;
    Readable.prototype.pipe = function noting(this: Readable, ...args: never[]): never {
      called = true;
      return Reflect.apply(pipe, this, args) as never;
    };
    res.on('close', () => {
      Readable.prototype.pipe = pipe;
      ctx.record('called', called);
      end();
    });
    res.sendFile(big);
  }),
  ...[{ highWaterMark: 1024 }, { start: 10 }, { start: 10, end: 300 }, { end: 0 }, { start: 300_000 }, { flags: 'r+' }].map((options) =>
    handles(`options of the stream count: ${JSON.stringify(options)}`, (_req, res) => res.sendFile(big, options), [
      'GET /',
      withHeaders({ Range: 'bytes=3-' }),
    ]),
  ),
  serves(
    'whoever listens to the stream of express.static gets one',
    (app, express, ctx) => {
      const setHeaders = function setHeaders(this: NodeJS.EventEmitter, res: Res): void {
        res.setHeader('X-Set', 'here');
        this.on('stream', (stream: object) => ctx.record('stream', stream.constructor.name));
      };
      app.use(express.static(publicFolder, { setHeaders }));
    },
    ['GET /big.bin', 'HEAD /big.bin'],
  ),
  serves(
    'compression compresses a large file',
    (app) => {
      app.use((require('compression') as () => Handler)());
      app.get('/', (_req, res) => res.sendFile(text));
      app.get('/bin', (_req, res) => res.sendFile(big));
    },
    [withHeaders({ 'Accept-Encoding': 'gzip' }), 'GET /', withHeaders({ 'Accept-Encoding': 'gzip' }, '/bin')],
  ),
);

/** Asks for `target` and leaves with the first bytes that come. */
function leaves(target: string): NonNullable<ParityCase['client']> {
  return async ({ connect }) => {
    const { socket } = await connect();
    const gone = new Promise((resolve) => socket.once('close', resolve));
    socket.once('data', () => socket.resetAndDestroy());
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
    await gone;
  };
}

const aborts: readonly (readonly [string, (res: Res, done: (error?: Error) => void) => void])[] = [
  ['sendFile', (res, done) => res.sendFile(huge, done)],
  ['download', (res, done) => res.download(huge, done)],
  ['sendFile through a stream', (res, done) => res.on('pipe', () => undefined).sendFile(huge, done)],
];
for (const [label, send] of aborts) {
  table.push({
    name: `${label} to a client that leaves in the middle calls back with ECONNABORTED`,
    app: (express, ctx) =>
      express().get('/', (_req, res) => {
        const closed = ctx.pending();
        watch(res, ctx);
        res.on('close', closed);
        send(res, sent(res, ctx));
      }),
    client: leaves('/'),
  });
}

table.push(
  {
    name: 'express.static goes on after a client that leaves in the middle',
    app: (express, ctx) =>
      express()
        .use((_req, res, next) => {
          const closed = ctx.pending();
          watch(res, ctx);
          res.on('close', closed);
          next();
        })
        .use(express.static(folder)),
    client: leaves('/huge.bin'),
  },
  ...[quietFile, big, huge].map((path, index): ParityCase => ({
    name: `sendFile to a client that is gone calls back with ECONNABORTED: ${['a file in memory', 'a large file', 'a huge file'][index]}`,
    app: (express, ctx) =>
      express()
        .get('/warm', (_req, res) => res.sendFile(quietFile))
        .get('/gone', (_req, res) => {
          const done = sent(res, ctx);
          res.on('close', () => res.sendFile(path, done));
          res.writeProcessing();
        }),
    requests: Array.from({ length: 8 }, () => 'GET /warm' as const),
    client: leaves('/gone'),
  })),
  {
    name: 'a response destroyed in the middle of a file ends the connection and calls back',
    app: (express, ctx) => {
      let sending: Res | undefined;
      return express()
        .get('/', (_req, res) => {
          sending = res;
          watch(res, ctx);
          res.sendFile(huge, sent(res, ctx));
        })
        .get('/destroy', (_req, res) => {
          sending?.destroy();
          res.end();
        });
    },
    client: async (client) => {
      const { socket } = await meanwhile(client, '/destroy');
      const closed = new Promise((resolve) => socket.once('close', resolve));
      socket.resume();
      await closed;
    },
  },
  ...['', 'more'].map((rest): ParityCase => ({
    name: `a response that is ended${rest && ' with content'} in the middle of a file cuts it and calls back with ECONNABORTED`,
    app: (express, ctx) => {
      let sending: Res | undefined;
      return express()
        .get('/', (_req, res) => {
          sending = res;
          watch(res, ctx);
          res.sendFile(huge, sent(res, ctx));
        })
        .get('/end', (_req, res) => {
          const end = ctx.pending();
          sending?.end(rest, (error?: Error | null) => {
            ctx.record('ended', error);
            end();
          });
          ctx.record(sending?.writableEnded, sending?.destroyed);
          res.end();
        });
    },
    client: async (client) => {
      const { socket, first } = await meanwhile(client, '/end');
      let bytes = first;
      socket.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume();
      // Upstream leaves such a connection open.
      while (bytes < HUGE && !socket.readableEnded) {
        const before = bytes;
        await new Promise((resolve) => setTimeout(resolve, 100));
        if (bytes === before) break;
      }
      client.record('whole', bytes >= HUGE);
    },
  })),
  {
    name: 'a file that has grown since it was looked at is sent as long as it was',
    app: (express, ctx) => {
      const path = join(folder, `grows-${ctx.side}.bin`);
      writeFileSync(path, Buffer.alloc(1_000_000, 'a'));
      const setHeaders = (): void => truncateSync(path, 2_000_000);
      return express()
        .use((req, _res, next) => {
          req.url = `/grows-${ctx.side}.bin`;
          next();
        })
        .use(express.static(folder, { setHeaders, etag: false, lastModified: false }));
    },
    requests: ['GET /'],
  },
  handles('a file without a single byte is sent', (_req, res, ctx) => {
    const path = join(folder, 'nothing.bin');
    closeSync(openSync(path, 'w'));
    utimesSync(path, MODIFIED, MODIFIED);
    res.sendFile(path, sent(res, ctx));
  }),
);

defineSuite(table);
