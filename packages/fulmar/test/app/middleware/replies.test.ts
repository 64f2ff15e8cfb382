/**
 * `etag()` and `accessLog()`: what is said of replies.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { type App, createApp } from '../../../src/app/index.ts';
import { accessLog, type AccessLogFormat, etag, requestId } from '../../../src/app/middleware/index.ts';
import { defineCases } from '../case.ts';
import { serverOf } from '../server.ts';
import { defineRefusals } from './refused.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
/** 27 characters of the SHA-256 of `x` in base64. */
const X_TAG = '"LXEWQrcmsEQBYnyp+6wy9chTD7G"';

const withTags =
  (options?: Parameters<typeof etag>[0]) =>
  (app: App): void => {
    app.use(etag(options));
    app.get('/', () => 'x');
    app.post('/', () => 'x');
    app.get('/json', () => ({ a: 1 }));
    app.get('/html', (c) => c.html('<p>'));
    app.get('/typed', (c) => c.send({ a: 1 }, 'application/vnd.a+json'));
    app.get('/bytes', () => new Uint8Array([120]));
    app.get('/own', (c) => c.header('ETag', '"own"').text('x'));
    app.get('/created', (c) => c.status(201).text('x'));
    app.get('/nothing', () => undefined);
    app.get('/cached', (c) => c.header('Cache-Control', 'max-age=5').text('x'));
    app.get('/response', () => new Response('x'));
    app.get('/pieces', async function* () {
      yield await Promise.resolve('x');
    });
  };
const known = (tag: string, url = '/', method = 'GET') => ({ url, method, headers: { 'If-None-Match': tag } });

defineCases('etag', [
  { name: 'of text', app: withTags(), ask: '/', expect: { text: 'x', headers: { etag: `W/${X_TAG}` } } },
  { name: 'a strong one', app: withTags({ weak: false }), ask: '/', expect: { text: 'x', headers: { etag: X_TAG } } },
  { name: 'of bytes, alike', app: withTags(), ask: '/bytes', expect: { text: 'x', headers: { etag: `W/${X_TAG}` } } },
  {
    name: 'JSON stays what it is',
    app: withTags(),
    ask: '/json',
    expect: { text: '{"a":1}', headers: { 'content-type': JSON_TYPE } },
  },
  {
    name: 'a type stays what it is',
    app: withTags(),
    ask: '/typed',
    expect: { text: '{"a":1}', headers: { 'content-type': 'application/vnd.a+json' } },
  },
  {
    name: 'HTML stays what it is',
    app: withTags(),
    ask: '/html',
    expect: { text: '<p>', headers: { 'content-type': 'text/html; charset=utf-8' } },
  },
  { name: 'the same for HEAD', app: withTags(), ask: { url: '/', method: 'HEAD' }, expect: { text: '', headers: { etag: `W/${X_TAG}` } } },
  {
    name: '304 for who has it',
    app: withTags(),
    ask: known(`W/${X_TAG}`),
    expect: { status: 304, text: '', headers: { etag: `W/${X_TAG}`, 'content-type': undefined } },
  },
  { name: '304 for HEAD', app: withTags(), ask: known(`W/${X_TAG}`, '/', 'HEAD'), expect: { status: 304 } },
  { name: '304 by the weak comparison', app: withTags({ weak: false }), ask: known(`"a, b", W/${X_TAG}`), expect: { status: 304 } },
  { name: '304 for any', app: withTags(), ask: known('*'), expect: { status: 304 } },
  {
    name: '304 of typed text is without its type',
    app: withTags(),
    ask: known('*', '/html'),
    expect: { status: 304, headers: { 'content-type': undefined } },
  },
  {
    name: '304 keeps what caches need',
    app: withTags(),
    ask: known('*', '/cached'),
    expect: { status: 304, headers: { 'cache-control': 'max-age=5' } },
  },
  { name: 'another one is no match', app: withTags(), ask: known('"a"'), expect: { text: 'x' } },
  { name: 'one’s own is taken', app: withTags(), ask: known('"own"', '/own'), expect: { status: 304, headers: { etag: '"own"' } } },
  { name: 'not for other methods', app: withTags(), ask: known('*', '/', 'POST'), expect: { text: 'x', headers: { etag: undefined } } },
  { name: 'not for other statuses', app: withTags(), ask: known('*', '/created'), expect: { status: 201, headers: { etag: undefined } } },
  { name: 'not for nothing', app: withTags(), ask: '/nothing', expect: { status: 204, headers: { etag: undefined } } },
  { name: 'not for what comes in pieces', app: withTags(), ask: '/pieces', expect: { text: 'x', headers: { etag: undefined } } },
  { name: 'not for a Response', app: withTags(), ask: '/response', expect: { text: 'x', headers: { etag: undefined } } },
  {
    name: 'of what middleware makes of a value',
    app: (app) => {
      app.use(etag());
      app.use(async (_c, next) => `${String(await next())}x`);
      app.get('/', () => '');
    },
    ask: '/',
    expect: { text: 'x', headers: { etag: `W/${X_TAG}` } },
  },
]);

/** The lines of an app with a log, and a promise of the first. */
function logged(format?: AccessLogFormat): { app: App; line: Promise<string> } {
  const app = createApp({ logger: { error: () => {} } });
  let write: (line: string) => void = () => {};
  const line = new Promise<string>((resolve) => (write = resolve));
  app.use(requestId({ generate: () => 'id-1' }));
  app.use(accessLog({ write: (text) => write(text), ...(format === undefined ? {} : { format }) }));
  app.get('/a', () => 'grüße');
  app.get('/b"c', () => 'x');
  app.get('/pieces', function* () {
    yield 'ab';
    yield 'ü';
  });
  app.get('/nothing', () => null);
  app.get('/error', () => {
    throw new Error('secret');
  });
  app.get('/waits', (c) => new Promise((resolve) => c.signal.addEventListener('abort', () => resolve('late'))));
  app.mount('/old', (_req: never, res: { writeHead(status: number): void; end(text: string): void }) => {
    res.writeHead(202);
    res.end('four');
  });
  return { app, line };
}

const SHORT: readonly (readonly [name: string, method: string, url: string, line: RegExp])[] = [
  ['method, path, status, time and bytes, without the query', 'GET', '/a?token=secret', /^GET \/a 200 \d+\.\d ms 7 B$/],
  ['no bytes for HEAD', 'HEAD', '/a', /^HEAD \/a 200 \d+\.\d ms 0 B$/],
  ['no bytes for nothing', 'GET', '/nothing', /^GET \/nothing 204 \d+\.\d ms 0 B$/],
  ['what came piece by piece', 'GET', '/pieces', /^GET \/pieces 200 \d+\.\d ms 4 B$/],
  ['errors', 'GET', '/error', /^GET \/error 500 \d+\.\d ms [1-9]\d* B$/],
  ['what is not found', 'GET', '/none', /^GET \/none 404 \d+\.\d ms [1-9]\d* B$/],
  ['what a mounted application says', 'GET', '/old/x', /^GET \/old\/x 202 \d+\.\d ms 4 B$/],
];

describe('accessLog tells', () => {
  for (const [name, method, url, expected] of SHORT) {
    it(`${name}, over a socket`, async () => {
      const { app, line } = logged();
      const { port } = (await serverOf(app)).address() as AddressInfo;
      await (await fetch(`http://127.0.0.1:${port}${url}`, { method })).arrayBuffer();
      assert.match(await line, expected);
      await app.close();
    });
    it(`${name}, through inject`, async () => {
      const { app, line } = logged();
      await app.inject({ method, url });
      assert.match(await line, expected);
    });
  }
  it('who did not wait', async () => {
    const { app, line } = logged();
    const leaving = new AbortController();
    const asked = app.fetch(new Request('http://localhost/waits', { signal: leaving.signal }));
    leaving.abort();
    await assert.rejects(asked);
    assert.match(await line, /^GET \/waits - \d+\.\d ms 0 B$/);
  });
  it('JSON, with the id of the request', async () => {
    const { app, line } = logged('json');
    await app.inject('/a?b');
    const { time, ms, ...rest } = JSON.parse(await line) as Record<string, unknown>;
    assert.deepEqual(rest, { method: 'GET', path: '/a', status: 200, bytes: 7, ip: '127.0.0.1', requestId: 'id-1' });
    assert.ok(Math.abs(Date.parse(String(time)) - Date.now()) < 60_000);
    assert.ok(typeof ms === 'number' && ms >= 0);
  });
  it('the common format', async () => {
    const { app, line } = logged('common');
    await app.inject('/a?b');
    assert.match(await line, /^127\.0\.0\.1 - - \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET \/a\?b HTTP\/1\.1" 200 7$/);
  });
  for (const hook of [false, true])
    it(`the address of a client that has left, ${hook ? 'to onResponse' : 'in the line'}`, async () => {
      const { app, line } = logged(hook ? 'short' : 'json');
      let tell: (ip: string) => void = () => {};
      const told = new Promise<string>((resolve) => (tell = resolve));
      if (hook) app.onResponse((c) => tell(c.ip));
      const { port } = (await serverOf(app)).address() as AddressInfo;
      const asking = request({ port, host: '127.0.0.1', path: '/a', agent: false, headers: { Connection: 'close' } });
      asking.on('response', (reply) => reply.resume()).end();
      await once(asking, 'close');
      const ip = hook ? await told : (JSON.parse(await line) as { ip: string }).ip;
      assert.equal(ip, '127.0.0.1');
      await app.close();
    });
  it('no quote as the client has sent it', async () => {
    const { app, line } = logged('common');
    await app.inject('/b"c\\d');
    assert.match(await line, /"GET \/b\\x22c\\x5cd HTTP\/1\.1" 404 /);
  });
});

defineRefusals('etag', [
  ['an option that is none', () => etag({ week: true } as never), /no option week; did you mean weak/],
  ['a word', () => etag({ weak: 'yes' as never }), /weak is true or false, and this is "yes"/],
]);

defineRefusals('accessLog', [
  [
    'a format that is none',
    () => accessLog({ format: 'combined' as never }),
    /format is 'short', 'common' or 'json', and this is "combined"/,
  ],
  ['a stream', () => accessLog({ write: process.stdout as never }), /write is a function \(line\)/],
]);
