/**
 * compression on both sides: codings, thresholds, filters, flush, streams, HEAD, validators, back-pressure.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import zlib from 'node:zlib';
import { same } from '../support/compare.ts';
import type { Bench } from '../support/compare.ts';
import type { Client } from '../support/client.ts';
import { field } from '../support/client.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

const compression = load<(options?: object) => Handler>('compression');

const LONG = 'northern fulmar, '.repeat(400);

function compressed(options: object = {}): (bench: Bench) => Application {
  return ({ express, note }) => {
    const app = express();
    app.use(compression(options));
    app.get('/text', (req, res) => res.type('text').send(LONG));
    app.get('/json', (req, res) => res.json({ list: Array.from({ length: 300 }, (_, index) => ({ index })) }));
    app.get('/short', (req, res) => res.send('short'));
    app.get('/image', (req, res) => res.type('image/png').send(Buffer.alloc(5000)));
    app.get('/no-transform', (req, res) => res.set('Cache-Control', 'no-transform').type('text').send(LONG));
    app.get('/encoded', (req, res) => res.set('Content-Encoding', 'x-custom').type('text').send(LONG));
    app.get('/stream', (req, res) => {
      res.type('text');
      Readable.from(Array.from({ length: 200 }, (_, index) => `${index} ${LONG.slice(0, 500)}\n`)).pipe(res);
    });
    app.get('/flushed', (req, res) => {
      res.type('text');
      res.write('first ');
      res.flush?.();
      setImmediate(() => res.end('last'));
    });
    app.get('/pressure', (req, res) => {
      res.type('text');
      let left = 200;
      const more = (): void => {
        while (left > 0) {
          left -= 1;
          if (!res.write(Buffer.alloc(20_000, 'ab'))) return;
        }
        if (left === 0) res.end();
        left = -1;
      };
      res.on('drain', more);
      res.once('finish', () => note('ended'));
      more();
    });
    app.get('/throw', (req, res) => {
      res.type('text');
      throw new Error('x'.repeat(3000));
    });
    app.use((error: Failure, req: Request, res: Response, _next: Next) => res.status(500).send(error.message));
    return app;
  };
}

const PATHS = ['/text', '/json', '/short', '/image', '/no-transform', '/encoded', '/stream', '/flushed', '/pressure', '/throw', '/missing'];

/** Asks for a path and keeps the content decoded next to what was on the wire. */
async function ask(client: Client, path: string, coding: string, note: (value: unknown) => void): Promise<void> {
  const reply = await client.get(path, { 'Accept-Encoding': coding });
  const decode = { gzip: zlib.gunzipSync, br: zlib.brotliDecompressSync, deflate: zlib.inflateSync }[
    field(reply, 'content-encoding') ?? ''
  ];
  note({ path, bytes: (decode?.(reply.content) ?? reply.content).length });
}

for (const coding of ['gzip', 'deflate', 'br', 'gzip;q=0.5, br;q=0.1', 'identity', '*', 'gzip;q=0']) {
  same(`codes replies for a client that accepts ${coding}`, {
    build: compressed(),
    talk: async ({ client, note }) => {
      for (const path of PATHS) await ask(client, path, coding, note);
    },
    check: ([first]) => assert.ok(first?.fields.includes('Vary: Accept-Encoding')),
  });
}

same('leaves HEAD without content and answers 304 for its own validator', {
  build: compressed(),
  talk: async ({ client }) => {
    const whole = await client.get('/text', { 'Accept-Encoding': 'gzip' });
    await client.send({ method: 'HEAD', path: '/text', headers: { 'Accept-Encoding': 'gzip' } });
    await client.get('/text', { 'Accept-Encoding': 'gzip', 'If-None-Match': field(whole, 'etag') ?? '' });
  },
  check: (replies) => assert.equal(replies[2]?.line, '304 Not Modified'),
});

same('obeys threshold, filter and level, and codes what has no Accept-Encoding when forced', {
  build: compressed({ threshold: 0, level: 1, filter: (req: { url: string }) => req.url !== '/json', enforceEncoding: 'gzip' }),
  talk: async ({ client, note }) => {
    for (const path of ['/short', '/json', '/text']) await ask(client, path, 'gzip', note);
    await client.get('/text');
  },
});

same('lets go of a stream whose client leaves', {
  build: ({ express, note }) => {
    const app = express();
    app.use(compression());
    app.get('/', (req, res) => {
      res.type('text');
      const source = new Readable({
        read: () => void source.push(Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7919) % 251))),
      });
      source.pipe(res);
      res.once('close', () => {
        source.destroy();
        note({ finished: res.writableFinished });
      });
    });
    return app;
  },
  talk: async ({ client, server }) => {
    const closed = once(server, 'request').then(([, res]) => once(res as NodeJS.EventEmitter, 'close'));
    await client.send({ path: '/', headers: { 'Accept-Encoding': 'gzip' }, stopAfterBytes: 50 });
    // How many bytes had arrived by then is the network's business.
    client.replies.pop();
    await closed;
  },
  check: (_replies, notes) => assert.deepEqual(notes, [{ finished: false }]),
});
