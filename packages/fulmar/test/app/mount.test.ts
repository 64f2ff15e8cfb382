/**
 * Other applications in the app: over a socket, through `inject` and through `fetch`.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import npmExpress from 'express';
import express from '../../src/express/index.ts';
import Koa from '../../src/koa/index.ts';
import { createApp } from '../../src/app/index.ts';
import { type AppCase, defineCases } from './case.ts';

interface Req extends IncomingMessage {
  readonly baseUrl: string;
  readonly originalUrl: string;
  readonly body: unknown;
  readonly params: Record<string, string>;
}
interface Res extends ServerResponse {
  json(value: unknown): void;
  send(value: unknown): void;
  status(code: number): Res;
}
type Next = (error?: unknown) => void;

/** More than is kept in memory of a file, so that the engine would send it. */
const LARGE_BYTES = 65_536;
const LOCKFILE = fileURLToPath(new URL('../../../../package-lock.json', import.meta.url));

// The types that applications see are apart from the sources.
const createExpress = express as unknown as {
  (): Record<string, (...given: never[]) => unknown> & ((req: never, res: never) => void);
  json(): unknown;
  static(folder: string): unknown;
  Router(): never;
};

function shop(): never {
  const app = createExpress() as unknown as Record<'get' | 'post' | 'use', (...given: unknown[]) => void>;
  app.get('/', (_req: Req, res: Res) => res.send('shop'));
  app.get('/cart/:id', (req: Req, res: Res) => res.json([req.params['id'], req.url, req.baseUrl, req.originalUrl]));
  app.use('/files', createExpress.static(dirname(LOCKFILE)));
  app.post('/body', createExpress.json(), (req: Req, res: Res) => res.json(req.body));
  app.get('/fails', () => {
    throw new Error('of the shop');
  });
  app.get('/refuses', (_req: Req, _res: Res, next: Next) => next(Object.assign(new Error('no'), { status: 403, expose: true })));
  app.get('/late', (_req: Req, res: Res) => void setTimeout(() => res.status(202).send('late'), 10));
  app.get('/pieces', (_req: Req, res: Res) => {
    res.write('a');
    setTimeout(() => res.end('b'), 5);
  });
  return app as never;
}

function wiki(): never {
  const app = new (Koa as unknown as new () => { use(middleware: (ctx: Record<string, unknown>) => unknown): void })();
  app.use((ctx) => (ctx['body'] = { path: ctx['path'], method: ctx['method'] }));
  return app as never;
}

const withShop: AppCase['app'] = (app) => app.mount('/shop', shop());

it('has a large file to send', () => assert.ok(readFileSync(LOCKFILE).byteLength > LARGE_BYTES));

defineCases('an Express application', [
  {
    name: 'sends a large file',
    app: (app) => app.mount('/shop', shop()),
    ask: '/shop/files/package-lock.json',
    expect: { text: readFileSync(LOCKFILE, 'utf8') },
  },
  {
    name: 'is asked without the prefix',
    app: withShop,
    ask: '/shop/cart/7?a=b',
    expect: { json: ['7', '/cart/7?a=b', '/shop', '/shop/cart/7?a=b'] },
  },
  { name: 'is asked for the prefix itself', app: withShop, ask: '/shop', expect: { text: 'shop' } },
  { name: 'is not asked for what begins alike', app: withShop, ask: '/shopping', expect: { status: 404 } },
  {
    name: 'gets the content',
    app: withShop,
    ask: { url: '/shop/body', headers: { 'Content-Type': 'application/json' }, body: '{"a":["ü"]}' },
    expect: { json: { a: ['ü'] } },
  },
  {
    name: 'fails as the app does',
    app: withShop,
    ask: '/shop/fails',
    expect: { status: 500, headers: { 'content-type': 'application/problem+json; charset=utf-8' }, text: /^(?!.*of the shop)/ },
  },
  {
    name: 'refuses as the app does',
    app: withShop,
    ask: '/shop/refuses',
    expect: { status: 403, json: { title: 'Forbidden', status: 403, detail: 'no' } },
  },
  {
    name: 'does not know a path as the app does',
    app: withShop,
    ask: '/shop/none',
    expect: { status: 404, json: { title: 'Not Found', status: 404, detail: 'Nothing is at /shop/none.' } },
  },
  { name: 'may answer later', app: withShop, ask: '/shop/late', expect: { status: 202, text: 'late' } },
  { name: 'may answer in pieces', app: withShop, ask: '/shop/pieces', expect: { text: 'ab' } },
  {
    name: 'is within the app’s middleware',
    app: (app) => {
      app.use((c, next) => {
        c.header('X-Id', '7');
        return next();
      });
      withShop(app);
    },
    ask: '/shop',
    expect: { headers: { 'x-id': '7' }, text: 'shop' },
  },
  {
    name: 'at the root leaves routes that are the app’s own',
    app: (app) => {
      app.get('/mine', () => 'mine');
      app.mount('/', shop());
    },
    ask: '/mine',
    expect: { text: 'mine' },
  },
  {
    name: 'at the root gets all others',
    app: (app) => {
      app.get('/mine', () => 'mine');
      app.mount('/', shop());
    },
    ask: '/cart/7',
    expect: { json: ['7', '/cart/7', '', '/cart/7'] },
  },
  {
    name: 'within a group',
    app: (app) => app.group('/a', (inner) => inner.mount('/b', shop())),
    ask: '/a/b/cart/1',
    expect: { text: /^\["1","\/cart\/1","\/a\/b"/ },
  },
]);

defineCases('a Koa application', [
  {
    name: 'is asked without the prefix',
    app: (app) => app.mount('/wiki', wiki()),
    ask: '/wiki/a/b',
    expect: { json: { path: '/a/b', method: 'GET' } },
  },
  {
    name: 'is asked for the prefix itself',
    app: (app) => app.mount('/wiki', wiki()),
    ask: '/wiki',
    expect: { json: { path: '/', method: 'GET' } },
  },
]);

defineCases('functions', [
  {
    name: 'fetch, in an object',
    app: (app) =>
      app.mount('/f', { fetch: (request: Request) => new Response(`${request.method} ${new URL(request.url).pathname}`, { status: 201 }) }),
    ask: { method: 'PUT', url: '/f/x' },
    expect: { status: 201, text: 'PUT /x' },
  },
  {
    name: 'fetch, alone',
    app: (app) => app.mount('/f', async (request: Request) => new Response(await request.text())),
    ask: { url: '/f', body: 'content' },
    expect: { text: 'content' },
  },
  {
    name: '(req, res)',
    app: (app) => app.mount('/r', ((req: Req, res: Res) => res.end(req.url)) as never),
    ask: '/r/x?y',
    expect: { text: '/x?y' },
  },
  {
    name: 'another app',
    app: (app) =>
      app.mount(
        '/o',
        createApp().get('/x', () => 'other'),
      ),
    ask: '/o/x',
    expect: { text: 'other' },
  },
]);

describe('a mounted application', () => {
  const slow = (_req: Req, res: Res): void => void setTimeout(() => res.end('x'), 1);

  it('leaves onResponse to the app', async () => {
    const app = createApp();
    const told = new Promise<string>((resolve) => app.onResponse((c) => resolve(c.path)));
    app.mount('/r', slow as never);
    await app.inject('/r/x');
    assert.equal(await told, '/r/x');
  });

  it('leaves its listeners what it is told', async () => {
    const app = createApp();
    app.onResponse(() => {});
    const told = new Promise<string>((resolve) => {
      app.mount('/r', ((req: Req, res: Res) => {
        res.on('finish', () => resolve('finish'));
        slow(req, res);
      }) as never);
    });
    await app.inject('/r/x');
    assert.equal(await told, 'finish');
  });

  it('leaves the signal to who asked for it', async () => {
    const app = createApp();
    const leaving = new AbortController();
    const told = new Promise<string>((resolve) => {
      app.use((c, next) => {
        c.signal.addEventListener('abort', () => resolve('gone'));
        return next();
      });
    });
    app.mount('/r', ((_req: Req, _res: Res) => leaving.abort()) as never);
    await assert.rejects(app.fetch(new Request('http://localhost/r/x', { signal: leaving.signal })));
    assert.equal(await told, 'gone');
  });
});

describe('an Express application without a socket', () => {
  const app = createApp();
  const shop = express();
  const read: (string | undefined)[] = [];
  shop.get('/text', (_req, res) => void res.send('hello'));
  shop.get('/json', (_req, res) => void res.json({ a: 1 }));
  shop.get('/read', (_req, res) => {
    res.send('hello');
    read.push(res.get('ETag'));
  });
  shop.use('/files', express.static(import.meta.dirname));
  app.mount('/', shop as never);

  it('has the entity tags of its content', async () => {
    assert.equal((await app.inject('/text')).headers['etag'], 'W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"');
    assert.equal((await app.inject('/json')).headers['etag'], 'W/"7-n4nHQM60bXQYySSnisV5QdXpZSA"');
  });
  it('knows the tag of a reply that it has given', async () => {
    await app.inject('/read');
    assert.deepEqual(read, ['W/"5-qvTGHdzF6KLavt4PO0gs2a6pQ00"']);
  });
  it('sends files without a descriptor', async () => {
    const { status, text } = await app.inject('/files/mount.test.ts');
    assert.equal(status, 200);
    assert.equal(text, readFileSync(import.meta.filename, 'utf8'));
  });
});

describe('npm’s Express', () => {
  const shop = npmExpress();
  shop.get('/cart', (req, res) => void res.json([req.url, req.get('host')]));
  const app = createApp().mount('/shop', shop);
  it('is asked without a server before it', async () => {
    assert.deepEqual((await app.inject('/shop/cart')).json(), ['/cart', 'localhost']);
  });
  it('is asked through fetch', async () => {
    assert.deepEqual(await (await app.fetch(new Request('http://birds.test/shop/cart'))).json(), ['/cart', 'birds.test']);
  });
});
