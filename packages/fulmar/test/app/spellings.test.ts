/**
 * Middleware with a path, and other spellings of that path: what it guards is reached by none of them.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import express from '../../src/express/index.ts';
import Koa from '../../src/koa/index.ts';
import { createApp } from '../../src/app/index.ts';
import { staticFiles } from '../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from './case.ts';

const quiet = { logger: { error: () => {} } };
const REFUSED = 401;
const guard = (c: { status(code: number): { text(value: string): unknown } }): unknown => c.status(REFUSED).text('GUARD');

const guarded = (name: string, app: AppCase['app'], url: string): AppCase => ({
  name: `${name}: ${url}`,
  app,
  ask: url,
  expect: { status: REFUSED, text: 'GUARD' },
});

defineCases('middleware with a path is not passed by an escape', [
  guarded('before a parameter', (app) => void app.use('/u/admin', guard).get('/u/:id', (c) => c.params.id), '/u/%61dmin'),
  guarded('before the rest', (app) => void app.use('/u/admin', guard).get('/u/*rest', (c) => c.params.rest), '/u/adm%69n/x'),
  guarded('beyond ASCII', (app) => void app.use('/é', guard).get('/:x', (c) => c.params.x), '/%C3%A9'),
  guarded('beyond ASCII, in small letters', (app) => void app.use('/é', guard).get('/:x', (c) => c.params.x), '/%c3%a9'),
  guarded('written with an escape', (app) => void app.use('/%C3%A9', guard).get('/:x', (c) => c.params.x), '/%C3%A9'),
  guarded(
    'before a mounted function',
    (app) => void app.use('/api/admin', guard).mount('/api', { fetch: () => new Response('inside') }),
    '/%61pi/%61dmin',
  ),
  guarded('where there is no route', (app) => void app.use('/u/admin', guard), '/u/%61dmin'),
]);

defineCases('a star at the end of a path of use() stands for the path itself as well', [
  guarded('everything', (app) => void app.use('*', guard).get('/', () => 'open'), '/'),
  guarded('everything, with a slash', (app) => void app.use('/*', guard).get('/', () => 'open'), '/'),
  guarded('a prefix', (app) => void app.use('/api/*', guard).get('/api', () => 'open'), '/api'),
  guarded('what lies under it', (app) => void app.use('/api/*', guard).get('/api/:x', () => 'open'), '/api/x'),
  {
    name: 'and for nothing beside it',
    app: (app) => void app.use('/api/*', guard).get('/apis', () => 'open'),
    ask: '/apis',
    expect: { text: 'open' },
  },
]);

describe('use() takes paths alone', () => {
  for (const path of ['admin', '/*/x', '/a/*b/c', 'x/*']) {
    it(`not ${JSON.stringify(path)}`, () =>
      assert.throws(() => createApp().use(path, () => {}), /TypeError: use\(\) takes a path such as/));
  }
});

describe('a mounted fetch function sees the path that middleware has seen', () => {
  const app = createApp(quiet)
    .use('/api/admin', guard)
    .mount('/api', { fetch: (request: Request) => new Response(new URL(request.url).pathname) });
  for (const url of [
    '/api/x/../admin',
    '/api/./admin',
    '/api/x/%2e%2E/admin',
    '/api/../admin/secret',
    '/api/x/.%2e/admin',
    '/api/x\\admin',
  ]) {
    it(`or none: ${url}`, async () => assert.equal((await app.inject(url)).status, 400));
  }
  it('escapes included', async () => assert.equal((await app.inject('/api/a%2Fb"')).text, '/a%2Fb%22'));
  it('and is not asked by a method that no Request has', async () => {
    assert.equal((await app.inject({ method: 'TRACE', url: '/api/x' })).status, 501);
  });
});

describe('a target in absolute form', () => {
  const inner = express();
  inner.get('/cart', (req, res) => void res.json([req.url, req.baseUrl, req.originalUrl]));
  const koa = new Koa();
  koa.use((ctx) => {
    const { path, originalUrl } = ctx as unknown as { path: string; originalUrl: string };
    ctx.body = [path, originalUrl];
  });
  const app = createApp(quiet).mount('/shop', inner).mount('/koa', koa);
  it('reaches a mounted Express application', async () => {
    const reply = await app.inject('http://localhost/shop/cart?a=b');
    assert.deepEqual(reply.json(), ['/cart?a=b', '/shop', 'http://localhost/shop/cart?a=b']);
  });
  it('reaches a mounted Koa application', async () => {
    assert.deepEqual((await app.inject('http://localhost/koa/cart')).json(), ['/cart', '/cart']);
  });
});

describe('a mounted function (req, res)', () => {
  it('that throws is a 500', async () => {
    const app = createApp(quiet).mount('/fn', (_req: never, _res: never) => {
      throw new Error('x');
    });
    assert.equal((await app.inject('/fn')).status, 500);
  });
});

describe('files that are guarded by their folder', () => {
  const root = mkdtempSync(join(tmpdir(), 'fulmar-spellings-'));
  after(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'private'));
  writeFileSync(join(root, 'private', 'x.txt'), 'secret');
  writeFileSync(join(root, 'a.txt'), 'open');
  const app = createApp(quiet).use('/private', guard).use(staticFiles(root));
  for (const url of [
    '/private/x.txt',
    '/%70rivate/x.txt',
    '//private/x.txt',
    '/./private/x.txt',
    '/a/../private/x.txt',
    '/private%2fx.txt',
    '/%2e/private/x.txt',
    '/private%5cx.txt',
  ]) {
    it(`are not given out for ${url}`, async () => {
      const { status, text } = await app.inject(url);
      assert.ok([400, REFUSED, 403, 404].includes(status), String(status));
      assert.doesNotMatch(text, /secret/);
    });
  }
  it('as others are', async () => assert.equal((await app.inject('/a.txt')).text, 'open'));
});
