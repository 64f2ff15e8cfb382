/**
 * `compress()`: who gets what in which coding; content that leaves while its source makes a pause; a client
 * that leaves.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createConnection, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import zlib from 'node:zlib';
import { type App, createApp } from '../../../src/app/index.ts';
import { compress, type CompressOptions, etag, staticFiles } from '../../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from '../case.ts';
import { serverOf } from '../server.ts';
import { defineRefusals } from './refused.ts';

const TEXT = 'northern fulmar, '.repeat(400);
const LARGE = 'northern fulmar, '.repeat(40_000);
const HAS_ZSTD = typeof (zlib as { createZstdCompress?: unknown }).createZstdCompress === 'function';
const folder = mkdtempSync(join(tmpdir(), 'fulmar-compress-'));
writeFileSync(join(folder, 'a.txt'), LARGE);
writeFileSync(join(folder, 'a.png'), LARGE);
after(() => rmSync(folder, { recursive: true, force: true }));

const using =
  (options?: CompressOptions) =>
  (app: App): void => {
    app.use(compress(options));
    app.get('/text', () => TEXT);
    app.get('/large', () => LARGE);
    app.get('/json', () => ({ text: TEXT }));
    app.get('/html', (c) => c.html(TEXT));
    app.get('/bytes', () => new TextEncoder().encode(TEXT));
    app.get('/typed-bytes', (c) => c.send(new TextEncoder().encode(TEXT), 'application/wasm'));
    app.get('/short', () => 'short');
    app.get('/nothing', () => undefined);
    app.get('/empty', () => '');
    app.get('/picture', (c) => c.send(TEXT, 'image/png'));
    app.get('/svg', (c) => c.send(TEXT, 'image/svg+xml; charset=utf-8'));
    app.get('/coded', (c) => c.header('Content-Encoding', 'x-own').text(TEXT));
    app.get('/identity', (c) => c.header('Content-Encoding', 'identity').text(TEXT));
    app.get('/kept', (c) => c.header('Cache-Control', 'public, no-transform').text(TEXT));
    app.get('/part', (c) => c.status(206).header('Content-Range', 'bytes 0-1/9').text(TEXT));
    app.get('/strong', (c) => c.header('ETag', '"a"').text(TEXT));
    app.get('/weak', (c) => c.header('ETag', 'W/"a"').text(TEXT));
    app.get('/varies', (c) => c.header('Vary', 'Origin').text(TEXT));
    app.get('/varies-all', (c) => c.header('Vary', '*').text(TEXT));
    app.get('/error', () => {
      throw new Error('of the database');
    });
    app.get('/created', (c) => c.status(201).text(TEXT));
    app.get(
      '/response',
      () => new Response(TEXT, { status: 202, headers: { 'Content-Type': 'text/css', ETag: '"r"', Vary: 'Origin', 'Set-Cookie': 'a=b' } }),
    );
    app.get('/response-coded', () => new Response(TEXT, { headers: { 'Content-Type': 'text/css', 'Content-Encoding': 'x-own' } }));
    app.get('/response-nothing', () => new Response(null, { status: 204 }));
    app.get('/blob', () => new Blob([TEXT], { type: 'text/css' }));
    app.get('/blob-short', () => new Blob(['a'], { type: 'text/css' }));
    app.get('/pieces', (c) => c.send(pieces(), 'text/plain; charset=utf-8'));
    app.get('/no-pieces', (c) => c.send(none(), 'text/plain'));
    app.get('/events', (c) => c.sse([{ data: 'one' }, { data: 'two' }]));
    app.get('/broken', (c) => c.send(broken(), 'text/plain'));
    app.get('/tagged', etag(), () => TEXT);
    app.get('/files/*path', staticFiles(folder));
  };

async function* pieces(): AsyncGenerator<unknown> {
  yield 'first ';
  yield await Promise.resolve(Buffer.from('second '));
  yield { third: 3 };
}
async function* none(): AsyncGenerator<string> {}
// oxlint-disable-next-line require-yield -- it fails before
async function* broken(): AsyncGenerator<string> {
  throw new Error('of the source');
}

const get = (url: string, accepted: string | null = 'gzip', method = 'GET', headers: Record<string, string> = {}) => ({
  url,
  method,
  headers: { ...(accepted === null ? {} : { 'Accept-Encoding': accepted }), ...headers },
});
const one = (name: string, ask: AppCase['ask'], expect: AppCase['expect'], options?: CompressOptions): AppCase => ({
  name,
  app: using(options),
  ask,
  expect,
});
const coded = (
  coding: string | undefined,
  text: string | RegExp = TEXT,
  headers: Record<string, string | undefined> = {},
): AppCase['expect'] => ({
  text,
  headers: { 'content-encoding': coding, ...headers },
});
const VARIES = { vary: 'Accept-Encoding' };

defineCases('the coding', [
  one('is none where none is asked for', get('/text', null), coded(undefined, TEXT, VARIES)),
  one('is gzip', get('/text'), coded('gzip', TEXT, VARIES)),
  one('is deflate, as zlib has it', get('/text', 'deflate'), coded('deflate')),
  one('is br', get('/text', 'br'), coded('br')),
  one('is none that nobody knows', get('/text', 'compress, exi'), coded(undefined)),
  one('is zstd before br', get('/text', 'gzip, deflate, br, zstd'), coded(HAS_ZSTD ? 'zstd' : 'br')),
  one('is br before gzip', get('/text', 'gzip, deflate, br'), coded('br')),
  one('is what the client likes best', get('/text', 'br;q=0.5, gzip;q=0.8, deflate;q=0.1'), coded('gzip')),
  one('is none that is refused', get('/text', 'br;q=0, gzip'), coded('gzip')),
  one('is any for who takes any', get('/text', '*'), coded(HAS_ZSTD ? 'zstd' : 'br')),
  one('is another than the one refused', get('/text', '*, zstd;q=0, br;q=0'), coded('gzip')),
  one('is none where all are refused', get('/text', '*;q=0'), coded(undefined)),
  one('is none where none is liked better', get('/text', 'gzip;q=0.5, identity'), coded(undefined)),
  one('is one where none is liked less', get('/text', 'gzip, identity;q=0.5'), coded('gzip')),
  one('is written in any case', get('/text', 'GZIP;Q=1.0'), coded('gzip')),
  one('has an old name', get('/text', 'x-gzip'), coded('gzip')),
  one('has spaces around it', get('/text', ' br ; q=0 ,  gzip ; q=0.001 '), coded('gzip')),
  one('with a weight that is none is left out', get('/text', 'br;q=2, gzip;q=x, deflate'), coded('deflate')),
  one('of an empty field', get('/text', ''), coded(undefined)),
  one('of commas alone', get('/text', ',,,'), coded(undefined)),
  one('named __proto__', get('/text', '__proto__, constructor;q=1'), coded(undefined)),
  one('in the order that is given', get('/text', 'gzip, br'), coded('gzip'), { encodings: ['gzip', 'br'] }),
  one('that is not offered', get('/text', 'gzip'), coded(undefined), { encodings: ['br'] }),
]);

defineCases('a reply that is compressed', [
  one('JSON', get('/json'), coded('gzip', JSON.stringify({ text: TEXT }), { 'content-type': 'application/json; charset=utf-8' })),
  one('HTML', get('/html'), coded('gzip', TEXT, { 'content-type': 'text/html; charset=utf-8' })),
  one('bytes of a type', get('/typed-bytes'), coded('gzip', TEXT, { 'content-type': 'application/wasm' })),
  one('XML of another name', get('/svg'), coded('gzip')),
  one('of a status', get('/created'), { ...coded('gzip'), status: 201 }),
  one('more than the engine compresses at once', get('/large'), coded('gzip', LARGE)),
  one('more, by br', get('/large', 'br'), coded('br', LARGE)),
  one('of the web', get('/response'), {
    ...coded('gzip', TEXT, { 'content-type': 'text/css', etag: 'W/"r"', vary: 'Origin, Accept-Encoding', 'set-cookie': 'a=b' }),
    status: 202,
  }),
  one('a blob', get('/blob'), coded('gzip', TEXT, { 'content-type': 'text/css' })),
  one('in pieces', get('/pieces'), coded('gzip', 'first second {"third":3}')),
  one('in pieces, by br', get('/pieces', 'br'), coded('br', 'first second {"third":3}')),
  one('in pieces, by deflate', get('/pieces', 'deflate'), coded('deflate', 'first second {"third":3}')),
  one('in no pieces', get('/no-pieces'), coded('gzip', '')),
  one(
    'events',
    get('/events'),
    coded('gzip', 'data: one\n\ndata: two\n\n', { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' }),
  ),
  one('a file', get('/files/a.txt'), coded('gzip', LARGE, { 'accept-ranges': undefined, ...VARIES })),
  one('that says it is not coded', get('/identity'), coded('gzip')),
  one('with a strong tag, which becomes weak', get('/strong'), coded('gzip', TEXT, { etag: 'W/"a"' })),
  one('with a weak tag', get('/weak'), coded('gzip', TEXT, { etag: 'W/"a"' })),
  one('that varies already', get('/varies'), coded('gzip', TEXT, { vary: 'Origin, Accept-Encoding' })),
  one('that varies with everything', get('/varies-all'), coded('gzip', TEXT, { vary: '*' })),
  one('and tagged', get('/tagged'), coded('gzip', TEXT)),
  one('at any length', get('/short'), coded('gzip', 'short'), { threshold: 0 }),
  one('for who takes nothing else', get('/short', 'gzip, identity;q=0'), coded('gzip', 'short')),
  one('for who takes nothing else, in other words', get('/short', 'gzip, *;q=0'), coded('gzip', 'short')),
  one('by a filter', get('/picture'), coded('gzip'), { filter: (type) => type === 'image/png' }),
  one('at a level', get('/text'), coded('gzip'), { level: 9 }),
  one('at a level of its own', get('/text', 'br'), coded('br'), { level: { br: 11 } }),
]);

defineCases('a reply that stays as it is', [
  one('bytes of no type', get('/bytes'), coded(undefined, TEXT, { vary: undefined })),
  one('a picture', get('/picture'), coded(undefined, TEXT, { vary: undefined })),
  one('a picture of a file', get('/files/a.png'), coded(undefined, LARGE, { 'accept-ranges': 'bytes' })),
  one('a short one', get('/short'), coded(undefined, 'short', VARIES)),
  one('a short one of the web', get('/blob-short'), coded(undefined, 'a')),
  one('an empty one', get('/empty'), coded(undefined, '')),
  one('an empty one for who takes nothing else', get('/empty', 'gzip, identity;q=0'), coded(undefined, '')),
  one('none', get('/nothing'), { ...coded(undefined, '', { vary: undefined }), status: 204 }),
  one('none of the web', get('/response-nothing'), { ...coded(undefined, ''), status: 204 }),
  one('one that is coded', get('/coded'), coded('x-own', TEXT)),
  one('one of the web that is coded', get('/response-coded'), coded('x-own', TEXT)),
  one('one that nobody may transform', get('/kept'), coded(undefined, TEXT, { vary: undefined })),
  one('a part', get('/part'), { ...coded(undefined), status: 206 }),
  one('a part of a file', get('/files/a.txt', 'gzip', 'GET', { Range: 'bytes=0-7' }), { ...coded(undefined, 'northern'), status: 206 }),
  one('a file that is known', get('/files/a.txt', 'gzip', 'GET', { 'If-None-Match': '*' }), { ...coded(undefined, ''), status: 304 }),
  one('a head', get('/text', 'gzip', 'HEAD'), coded(undefined, '', VARIES)),
  one('an error', get('/error'), { ...coded(undefined, /Internal Server Error/), status: 500 }),
  one('an error of the source', get('/broken'), { ...coded(undefined, /Internal Server Error/), status: 500 }),
  one('a path without a route', get('/none'), { ...coded(undefined, /Not Found/), status: 404 }),
  one('by a filter', get('/text'), coded(undefined), { filter: () => false }),
]);

/** A connection that asks once, and what it gets, piece by piece. */
async function ask(app: App, path: string): Promise<{ socket: ReturnType<typeof createConnection>; received: () => Buffer }> {
  const { port } = (await serverOf(app)).address() as AddressInfo;
  const socket = createConnection(port, '127.0.0.1');
  const received: Buffer[] = [];
  socket.on('data', (piece: Buffer) => received.push(piece));
  socket.on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`);
  return { socket, received: () => Buffer.concat(received) };
}

/** What of a chunked, compressed reply can be read so far. */
function readable(all: Buffer): string {
  let at = all.indexOf('\r\n\r\n') + 4;
  const content: Buffer[] = [];
  for (;;) {
    const end = all.indexOf('\r\n', at);
    const size = end < 0 ? 0 : Number.parseInt(all.subarray(at, end).toString('latin1'), 16);
    if (size === 0 || Number.isNaN(size)) break;
    content.push(all.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return content.length === 0 ? '' : zlib.gunzipSync(Buffer.concat(content), { finishFlush: zlib.constants.Z_SYNC_FLUSH }).toString();
}

async function until(isTrue: () => boolean, socket: ReturnType<typeof createConnection>): Promise<void> {
  while (!isTrue()) await Promise.race([once(socket, 'data'), once(socket, 'close')]);
}

describe('pieces that are compressed', () => {
  for (const [what, path] of [
    ['text', '/slow'],
    ['an event', '/events'],
    ['a web stream', '/web'],
  ] as const) {
    it(`${what} arrives before the next one is there`, async (t) => {
      const app = createApp();
      t.after(() => app.close());
      let goOn: () => void = () => {};
      const waiting = (): Promise<void> => new Promise((resolve) => (goOn = resolve));
      app.use(compress());
      async function* source(): AsyncGenerator<string> {
        yield 'one';
        await waiting();
        yield 'two';
      }
      app.get('/slow', (c) => c.send(source(), 'text/plain'));
      app.get('/events', (c) => c.sse(source(), { heartbeatMs: 0 }));
      app.get(
        '/web',
        () =>
          new Response(ReadableStream.from(source()).pipeThrough(new TextEncoderStream()), { headers: { 'Content-Type': 'text/plain' } }),
      );
      const { socket, received } = await ask(app, path);
      await until(() => readable(received()).includes('one'), socket);
      assert.doesNotMatch(readable(received()), /two/);
      goOn();
      await until(() => readable(received()).includes('two'), socket);
      socket.destroy();
    });
  }

  it('wait for a client that does not read', { timeout: 20_000 }, async (t) => {
    const app = createApp();
    t.after(() => app.close());
    let given = 0;
    app.use(compress());
    app.get('/', (c) => {
      async function* source(): AsyncGenerator<Uint8Array> {
        for (;;) {
          given += 1;
          yield await Promise.resolve(randomBytes(65_536));
        }
      }
      return c.send(source(), 'text/plain');
    });
    const { port } = (await serverOf(app)).address() as AddressInfo;
    const socket = createConnection(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n');
    await once(socket, 'readable');
    // It has stopped when nothing was asked for in many turns of the loop that had time to.
    let last = -1;
    for (let still = 0; still < 200;) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      still = given === last ? still + 1 : 0;
      last = given;
    }
    assert.ok(given < 1000, `${given} pieces were asked for`);
    socket.destroy();
  });

  it('end their source when the client leaves, also one that gives nothing', { timeout: 20_000 }, async (t) => {
    const app = createApp({ logger: { error: () => {} } });
    t.after(() => app.close());
    app.use(compress());
    const ended = new Promise<void>((resolve) => {
      let isFirst = true;
      const source: AsyncIterableIterator<string> = {
        [Symbol.asyncIterator]: () => source,
        next: () => (isFirst ? Promise.resolve({ value: ((isFirst = false), 'one'), done: false }) : new Promise(() => {})),
        return: () => Promise.resolve(resolve()).then(() => ({ value: undefined, done: true as const })),
      };
      app.get('/', (c) => c.send(source, 'text/plain'));
    });
    const { socket, received } = await ask(app, '/');
    await until(() => readable(received()) === 'one', socket);
    socket.destroy();
    await ended;
  });

  it('break the connection off when their source fails', async (t) => {
    const logged: unknown[] = [];
    const app = createApp({ logger: { error: (...what) => logged.push(...what) } });
    t.after(() => app.close());
    app.use(compress());
    app.get('/', (c) => {
      async function* source(): AsyncGenerator<string> {
        yield 'one';
        await new Promise(setImmediate);
        await new Promise(setImmediate);
        throw new Error('of the source');
      }
      return c.send(source(), 'text/plain');
    });
    const { socket, received } = await ask(app, '/');
    await once(socket, 'close');
    assert.doesNotMatch(received().toString('latin1'), /\r\n0\r\n\r\n$/);
    assert.ok(logged.some((what) => what instanceof Error && what.message === 'of the source'));
  });
});

describe('types', () => {
  it('are compressed as the database has it, but for unknown bytes and virtual disks', async () => {
    const database = createRequire(import.meta.url)('mime-db') as Record<string, { compressible?: boolean }>;
    const app = createApp();
    app.use(compress());
    app.get('/', (c) => c.send(new TextEncoder().encode(TEXT), c.query['type'] as string));
    const differs: string[] = [];
    for (const [type, { compressible = false }] of Object.entries(database)) {
      const { headers } = await app.inject({ url: `/?type=${encodeURIComponent(type)}`, headers: { 'Accept-Encoding': 'gzip' } });
      if ((headers['content-encoding'] === 'gzip') !== compressible) differs.push(type);
    }
    const known = differs.filter(
      (type) => !/virtualbox|\+(?:json|xml|yaml)$|^text\/|octet-stream|application\/(?:graphql|ndjson|jsonl|yaml|toml)$/.test(type),
    );
    assert.deepEqual(known, []);
  });
});

defineRefusals('compress', [
  ['an option that is none', () => compress({ treshold: 1 } as never), /did you mean threshold/],
  ['an unknown coding', () => compress({ encodings: ['lzma'] as never }), /a list of zstd, br, gzip, deflate/],
  ['no coding', () => compress({ encodings: [] }), /encodings is a list/],
  ['a length that is none', () => compress({ threshold: -1 }), /threshold is a number of bytes/],
  ['a level that is none', () => compress({ level: 10 }), /level is 1 to 9/],
  ['a level of none', () => compress({ level: { lzma: 1 } as never }), /level has no encoding "lzma"/],
  ['a level beyond', () => compress({ level: { br: 12 } }), /level.br is 0 to 11, and this is 12/],
  ['a filter of text', () => compress({ filter: /text/ as never }), /filter is a function/],
]);
