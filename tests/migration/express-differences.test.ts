/**
 * Every difference of Express that docs/migration/from-express.md lists under "Express" and that one process
 * can show: the same program on npm's Express 4 and on `fulmar/express4`. A test's name begins with the
 * entry's id.
 */
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { close, listen, sides } from './support.ts';

const require = createRequire(import.meta.url);

interface Exchange {
  readonly [member: string]: any;
}
type Handler = (req: Exchange, res: Exchange, next: () => void) => unknown;
interface App {
  (...args: unknown[]): void;
  readonly use: (...args: unknown[]) => App;
  readonly get: (path: string, handler: Handler) => App;
  readonly post: (path: string, ...handlers: unknown[]) => App;
  readonly _router: { readonly stack: { readonly path?: string; readonly route?: { readonly path: string } }[] };
}
interface Express {
  (): App;
  Router(): object;
  text(): Handler;
  static: ((root: string, options?: object) => Handler) & { readonly mime: { define(types: object): void } };
}

const expresses: Readonly<Record<'stock' | 'ours', Express>> = {
  stock: require('express4') as Express,
  ours: require('fulmar/express4') as Express,
};
const names = ['stock', 'ours'] as const;
const files = fileURLToPath(new URL('../parity/express4/', import.meta.url));

/** The replies to `paths` of a program, one after the other. */
async function replies(side: (typeof names)[number], app: App, paths: readonly (string | [string, RequestInit])[]): Promise<Response[]> {
  const server = sides[side].createServer(app as never);
  const port = await listen(server);
  try {
    const found: Response[] = [];
    for (const one of paths) {
      const [path, init] = typeof one === 'string' ? [one, {}] : one;
      const reply = await fetch(`http://127.0.0.1:${port}${path}`, init);
      found.push(new Response(await reply.arrayBuffer(), reply));
    }
    return found;
  } finally {
    await close(server);
  }
}

test('E2: a layer keeps the path of the last request that matched it', async () => {
  const kept: Record<string, unknown> = {};
  for (const side of names) {
    const app = expresses[side]();
    app.get('/a', (_req, res) => res.send('a')).get('/b', (_req, res) => res.send('b'));
    await replies(side, app, ['/a', '/b']);
    kept[side] = app._router.stack.find(({ route }) => route?.path === '/a')?.path;
  }
  assert.deepEqual(kept, { stock: undefined, ours: '/a' });
});

test('E3: router.stack is an accessor, whose array can be read and changed', () => {
  const kinds = names.map((side) => {
    const router = expresses[side].Router() as { stack: unknown[] };
    assert.ok(Array.isArray(router.stack));
    router.stack = [];
    return typeof Object.getOwnPropertyDescriptor(router, 'stack')?.get;
  });
  assert.deepEqual(kinds, ['undefined', 'function']);
});

test('E4: types defined on a mime package of the application’s own do not reach express.static; express.static.mime does', async () => {
  const types: Record<string, (string | null)[]> = {};
  const stockMime = createRequire(require.resolve('express4'))('send').mime as { define(map: object, force: boolean): void };
  stockMime.define({ 'text/x-own': ['ts'] }, true);
  for (const side of names) {
    const app = expresses[side]().use(expresses[side].static(files));
    const before = (await replies(side, app, ['/count.test.ts']))[0]?.headers.get('content-type') ?? null;
    (expresses[side].static.mime.define as (map: object, force: boolean) => void)({ 'text/x-static': ['ts'] }, true);
    const after = (await replies(side, app, ['/count.test.ts']))[0]?.headers.get('content-type') ?? null;
    types[side] = [before?.split(';')[0] ?? null, after?.split(';')[0] ?? null];
  }
  assert.deepEqual(types, { stock: ['text/x-own', 'text/x-static'], ours: ['video/mp2t', 'text/x-static'] });
});

test('E5: charset names of Object.prototype are unknown charsets', async () => {
  const statuses: Record<string, number | undefined> = {};
  for (const side of names) {
    const app = expresses[side]().post('/', expresses[side].text(), ((req, res) => res.send(req['body'])) as Handler);
    app.use(((_error: unknown, _req: Exchange, res: Exchange, _next: () => void) =>
      res['status']((_error as { status?: number }).status ?? 500).end()) as never);
    const init = { method: 'POST', body: 'x', headers: { 'Content-Type': 'text/plain; charset=constructor' } };
    statuses[side] = (await replies(side, app, [['/', init]]))[0]?.status;
  }
  assert.deepEqual(statuses, { stock: 400, ours: 415 });
});

test('E6: res.locals is made when it is first read', async () => {
  const own: Record<string, unknown> = {};
  for (const side of names) {
    const app = expresses[side]().get('/', (_req, res) => res['json']([Object.hasOwn(res, 'locals'), res['locals'] !== undefined]));
    own[side] = await (await replies(side, app, ['/']))[0]?.json();
  }
  assert.deepEqual(own, { stock: [true, true], ours: [false, true] });
});

test('E7: setHeaders has no methods of send’s stream as `this`', async () => {
  const methods: Record<string, unknown> = {};
  for (const side of names) {
    const setHeaders = function (this: { etag?: unknown } | undefined): void {
      methods[side] = typeof this?.etag;
    };
    const app = expresses[side]().use(expresses[side].static(files, { setHeaders }));
    await replies(side, app, ['/count.test.ts']);
  }
  assert.deepEqual(methods, { stock: 'function', ours: 'undefined' });
});
