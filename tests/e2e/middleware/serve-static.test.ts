/**
 * serve-static on both sides: validators, ranges, redirects, index and extensions, dotfiles, headers,
 * fall-through, traversal.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { same } from '../support/compare.ts';
import { field } from '../support/client.ts';
import type { Bench } from '../support/compare.ts';
import type { Application, Failure, Handler, Next, Request, Response } from '../support/express-types.ts';
import { load } from '../support/load.ts';

const serveStatic = load<(root: string, options?: object) => Handler>('serve-static');

const root = mkdtempSync(join(tmpdir(), 'fulmar-static-'));
after(() => rmSync(root, { recursive: true, force: true }));
const STAMP = new Date('2026-01-02T03:04:05Z');
function put(path: string, content: string | Buffer): void {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), content);
  utimesSync(join(root, path), STAMP, STAMP);
}
put('hello.txt', 'Hello, static world.\n');
put('page.html', '<h1>page</h1>');
put('dir/index.html', '<h1>index</h1>');
put('dir/a b & ü.json', '{"odd":true}');
put('empty', '');
put('.secret', 'dot');
put('.well-known/probe', 'known');
put('large.bin', Buffer.from(Array.from({ length: 300_000 }, (_, at) => at % 251)));
put('no-extension', 'plain');
symlinkSync('/etc', join(root, 'outside'));

function served(options: object = {}): (bench: Bench) => Application {
  return ({ express }) => {
    const app = express();
    app.use(serveStatic(root, options));
    app.use('/mounted', serveStatic(root, options));
    app.use((req, res) => res.status(404).send(`fell through: ${req.method} ${req.url}`));
    app.use((error: Failure, req: Request, res: Response, _next: Next) =>
      res.status(error.status ?? 500).send(`caught ${error.status ?? ''}: ${error.name}`),
    );
    return app;
  };
}

const PATHS = [
  '/hello.txt',
  '/page.html',
  '/page',
  '/dir',
  '/dir/',
  '/dir/a%20b%20&%20%C3%BC.json',
  '/empty',
  '/large.bin',
  '/no-extension',
  '/missing',
  '/',
  '/mounted',
  '/mounted/',
  '/mounted/hello.txt',
  '/mounted/dir',
  '/.secret',
  '/.well-known/probe',
  '/hello.txt?query=1',
  '//dir',
  '//example.com/%2e%2e',
  '/../package.json',
  '/%2e%2e/package.json',
  '/dir/../hello.txt',
  '/dir/%2e%2e/hello.txt',
  '/..%2fpackage.json',
  '/hello.txt%00',
  '/%',
  '/%E0%A4',
  '/dir%5cindex.html',
  '/hello.txt/',
];

for (const [name, options] of [
  ['by default', {}],
  ['without fall-through', { fallthrough: false }],
  ['without redirects and indexes', { redirect: false, index: false }],
  ['with extensions, dotfiles and immutable caching', { extensions: ['html', 'txt'], dotfiles: 'allow', maxAge: '1d', immutable: true }],
  [
    'denying dotfiles, without validators or ranges',
    { dotfiles: 'deny', etag: false, lastModified: false, acceptRanges: false, cacheControl: false },
  ],
] as const) {
  same(`serves every kind of path ${name}`, {
    build: served(options),
    talk: async ({ client }) => {
      for (const path of PATHS) await client.get(path);
      await client.send({ method: 'HEAD', path: '/hello.txt' });
      await client.send({ method: 'POST', path: '/hello.txt', body: 'x' });
      await client.send({ method: 'OPTIONS', path: '/hello.txt' });
    },
    check: ([first]) => assert.equal(first?.content, 'Hello, static world.\n'),
  });
}

same('answers conditional requests', {
  build: served(),
  talk: async ({ client }) => {
    const etag = field(await client.get('/hello.txt'), 'etag') ?? '';
    for (const headers of [
      { 'If-None-Match': etag },
      { 'If-None-Match': `"x", ${etag}` },
      { 'If-None-Match': '*' },
      { 'If-None-Match': etag, 'Cache-Control': 'no-cache' },
      { 'If-Modified-Since': STAMP.toUTCString() },
      { 'If-Modified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
      { 'If-Modified-Since': 'garbage' },
      { 'If-Match': etag },
      { 'If-Match': '"other"' },
      { 'If-Unmodified-Since': 'Thu, 01 Jan 2015 00:00:00 GMT' },
    ]) {
      await client.get('/hello.txt', headers as Record<string, string>);
    }
  },
  check: (replies) => assert.equal(replies[1]?.line, '304 Not Modified'),
});

same('answers ranges', {
  build: served(),
  talk: async ({ client }) => {
    const etag = field(await client.get('/large.bin'), 'etag') ?? '';
    for (const range of [
      'bytes=0-9',
      'bytes=-5',
      'bytes=299990-',
      'bytes=0-0,5-6',
      'bytes=300000-',
      'bytes=9-3',
      'bytes=-0',
      'items=0-1',
      'bytes=x',
      'bytes=0-99999999999999999999',
      'bytes=10-20,15-30',
    ]) {
      await client.get('/large.bin', { Range: range });
    }
    await client.get('/large.bin', { Range: 'bytes=1-3', 'If-Range': etag });
    await client.get('/large.bin', { Range: 'bytes=1-3', 'If-Range': '"other"' });
    await client.get('/large.bin', { Range: 'bytes=1-3', 'If-Range': STAMP.toUTCString() });
    await client.send({ method: 'HEAD', path: '/large.bin', headers: { Range: 'bytes=1-3' } });
  },
  check: (replies) => assert.equal(replies[1]?.line, '206 Partial Content'),
});

same('lets setHeaders change what is sent', {
  build: served({
    setHeaders: (res: Response, path: string, stat: { size: number }) => {
      res.setHeader('X-Size', String(stat.size));
      if (path.endsWith('.txt')) res.setHeader('Content-Type', 'text/x-own');
    },
  }),
  talk: async ({ client }) => {
    await client.get('/hello.txt');
    await client.get('/page.html');
  },
});
