/**
 * A project that is a folder of routes, as its sources and as what `fulmar build` makes of it: the same requests, answered the
 * same. What modules do when they are loaded they say on standard output.
 */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { rawRequest, type Reply } from './routes-client.ts';
import { type Files, type Running, writeProject } from '../cli/support.ts';

const SERVING = /fulmar: serving .* on http:\/\/localhost:(\d+)/;

/** The workspace's packages, `fulmar` among them. */
const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

export function folderOf(files: Files): string {
  const folder = writeProject(files);
  symlinkSync(modules, join(folder, 'node_modules'));
  return folder;
}

export const project: Files = {
  'package.json': '{ "type": "module" }',
  'lib/db.ts': `console.log('LOADED db');
export const db: { count: number } = { count: 0 };`,
  'lib/late.ts': `console.log('LOADED late');
export default 'late';`,
  'lib/old.cjs': `seen = (typeof seen === 'undefined' ? 0 : seen) + 1; exports.seen = function () { return this === undefined ? 'strict' : 'sloppy ' + seen; };`,
  'middlewares/1-mark.ts': `import type { AnyContext } from 'fulmar';
export default (c: AnyContext, next: () => Promise<unknown>) => { c.header('x-mark', '1'); return next(); };`,
  'fulmar.config.ts': `import { db } from './lib/db.ts';
import { defineConfig } from 'fulmar/routes';
export default defineConfig(({ command }) => ({
  server: { port: Number(process.env.PORT ?? 0) },
  static: ['public', { dir: 'more', prefix: '/more', maxAge: 60 }],
  routes: { virtual: { '/count': () => db.count } },
  plugins: [
    {
      name: 'teller',
      buildStart: ({ native }) => console.log('HOOK buildStart', native),
      buildEnd: ({ output }) => console.log('HOOK buildEnd', output.length > 0),
      configResolved: () => console.log('HOOK configResolved', command),
      routeFound: ({ path }) => path !== '/hidden',
      onSend: (c, value) => (value === 'to be replaced' ? 'replaced' : undefined),
    },
  ],
}));`,
  'public/site.css': 'body { color: teal }',
  'public/deep/index.html': '<p>deep</p>',
  'more/data.txt': 'data',
  'routes/index.ts': `import { db } from '../lib/db.ts';
console.log('LOADED index');
export const GET = () => ({ count: (db.count += 1) });
export const POST = () => 'to be replaced';`,
  'routes/users/_middleware.ts': `console.log('LOADED users/_middleware');
export default (c, next) => { c.header('x-users', c.params.id ?? 'none'); return next(); };`,
  'routes/users/[id].ts': `import { db } from '../../lib/db.ts';
import type { AnyContext } from 'fulmar';
console.log('LOADED users/[id]');
export const GET = (c: AnyContext) => ({ id: c.params.id, count: (db.count += 1) });
export const PUT = async () => (await import('../../lib/late.ts')).default;
export const DELETE = () => { throw new Error('inner text'); };`,
  'routes/checked.ts': `export const config = { schema: { query: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } } };
export const GET = (c) => c.query.n + 1;`,
  'routes/files/[...path].js': `export const GET = (c) => c.params.path;`,
  'routes/hidden.ts': `export const GET = () => 'hidden';`,
  'routes/common.cjs': `const { seen } = require('../lib/old.cjs'); module.exports = { GET: () => (0, seen)() };`,
  'routes/also-common.cjs': `const { seen } = require('../lib/old.cjs'); exports.GET = () => seen.call(undefined);`,
  'routes/rules.html': '<p>rules</p>',
  'routes/data.json': '{"page":true}',
  'routes/_404.ts': `export default (c) => c.status(404).json({ nothing: c.pathname });`,
  'routes/made/index.ts': `export const prerender = true;
export const GET = (c) => { c.header('x-own', 'kept'); return c.html('<p>made by ' + process.pid); };
export const POST = () => 'posted';`,
  'routes/made/[slug].ts': `export const prerender = async () => [{ slug: 'a b' }, { slug: 'ü' }];
export const GET = (c) => ({ slug: c.params.slug, pid: process.pid });`,
  'routes/made/in/[...path].ts': `export const prerender = () => [{ path: ['x', 'y z'] }];
export const GET = (c) => ({ path: c.params.path, pid: process.pid });`,
};

export interface Form {
  readonly isBuilt: boolean;
  start(): Promise<Running>;
}

type Play = (ask: Ask, form: Form, running: Running) => Promise<void>;
type Ask = (method: string, path: string, headers?: Readonly<Record<string, string>>) => Promise<Reply>;

const loaded = async (running: Running): Promise<string[]> => {
  running.kill('SIGTERM');
  const { stdout, stderr, code } = await running.ended;
  assert.equal(code, 0, stdout + stderr);
  return [...stdout.matchAll(/^LOADED (.*)$/gm)].map(([, name]) => name as string);
};

const cases: readonly (readonly [name: string, play: Play])[] = [
  [
    'modules that routes share are there once, and a route’s own code runs with its first request, once',
    async (ask, { isBuilt }, running) => {
      assert.equal((await ask('GET', '/users/5')).text, '{"id":"5","count":1}');
      assert.equal((await ask('GET', '/')).text, '{"count":2}');
      assert.equal((await ask('GET', '/')).text, '{"count":3}');
      assert.equal((await ask('GET', '/count')).text, '3');
      const order = await loaded(running);
      assert.deepEqual(order.toSorted(), ['db', 'index', 'users/[id]', 'users/_middleware']);
      // What one request needs is loaded side by side.
      if (isBuilt) assert.deepEqual([order[0], order[3]], ['db', 'index']);
    },
  ],
  [
    'a module that a handler imports is loaded when it does',
    async (ask, _form, running) => {
      assert.equal((await ask('PUT', '/users/5')).text, 'late');
      assert.equal((await ask('PUT', '/users/5')).text, 'late');
      assert.equal((await loaded(running)).filter((name) => name === 'late').length, 1);
    },
  ],
  [
    'middleware of the project and of folders, hooks of plugins, schemas',
    async (ask) => {
      const user = await ask('GET', '/users/7');
      assert.deepEqual([user.headers['x-mark'], user.headers['x-users']], ['1', '7']);
      assert.equal((await ask('POST', '/')).text, 'replaced');
      assert.equal((await ask('GET', '/checked?n=4')).text, '5');
      assert.equal((await ask('GET', '/checked?n=x')).status, 422);
      assert.equal((await ask('GET', '/files/a/b%2Fc')).text, '["a","b/c"]');
      assert.deepEqual(await ask('GET', '/hidden').then(({ status, text }) => [status, text]), [404, '{"nothing":"/hidden"}']);
    },
  ],
  [
    'an error’s inner text stays inside',
    async (ask) => {
      const { status, text } = await ask('DELETE', '/users/1');
      assert.equal(status, 500);
      assert.doesNotMatch(text, /inner/);
    },
  ],
  [
    'CommonJS is as it was written, and what it shares is there once',
    async (ask) => {
      assert.equal((await ask('GET', '/common')).text, 'sloppy 1');
      assert.equal((await ask('GET', '/also-common')).text, 'sloppy 1');
    },
  ],
  [
    'pages and static files have a tag and ranges, and nothing beside them is there',
    async (ask) => {
      for (const [path, text] of [
        ['/rules', '<p>rules</p>'],
        ['/data.json', '{"page":true}'],
        ['/site.css', 'body { color: teal }'],
        ['/deep/', '<p>deep</p>'],
        ['/more/data.txt', 'data'],
      ] as const) {
        const page = await ask('GET', path);
        assert.deepEqual([page.status, page.text], [200, text], path);
        const { etag = '' } = page.headers;
        assert.equal((await ask('GET', path, { 'if-none-match': String(etag) })).status, 304, path);
        const part = await ask('GET', path, { range: 'bytes=1-2' });
        assert.deepEqual([part.status, part.text], [206, text.slice(1, 3)], path);
      }
      assert.match(String((await ask('GET', '/more/data.txt')).headers['cache-control']), /max-age=60/);
      for (const path of [
        '/../package.json',
        '/..%2fpackage.json',
        '/%2e%2e/fulmar.config.ts',
        '/more/../../lib/db.ts',
        '/_fulmar/pages/0',
      ])
        assert.equal((await ask('GET', path)).status, 404, path);
    },
  ],
  [
    'replies of prerender are files where the project was built, and made each time elsewhere',
    async (ask, { isBuilt }, { pid }) => {
      for (const [path, pattern] of [
        ['/made', /made by (\d+)$/],
        ['/made/a%20b', /^\{"slug":"a b","pid":(\d+)\}$/],
        ['/made/%C3%BC', /^\{"slug":"ü","pid":(\d+)\}$/],
        ['/made/in/x/y%20z', /^\{"path":\["x","y z"\],"pid":(\d+)\}$/],
      ] as const) {
        const { status, text, headers } = await ask('GET', path);
        assert.equal(status, 200, path);
        const made = pattern.exec(text)?.[1];
        assert.ok(made !== undefined, text);
        assert.equal(made !== String(pid), isBuilt, path);
        assert.equal(headers['x-mark'], '1', path);
        if (!isBuilt) continue;
        assert.equal((await ask('GET', path, { 'if-none-match': String(headers['etag']) })).status, 304, path);
        assert.equal((await ask('HEAD', path)).headers['content-length'], String(Buffer.byteLength(text)), path);
      }
      const made = await ask('GET', '/made');
      assert.deepEqual([made.headers['x-own'], made.headers['content-type']], ['kept', 'text/html; charset=utf-8']);
      assert.equal((await ask('POST', '/made')).text, 'posted');
      assert.equal((await ask('GET', '/made/c')).text, `{"slug":"c","pid":${pid}}`);
    },
  ],
];

/** The suite for one form; each case has a process of its own. */
export function defineRoutes(form: Form): void {
  for (const [name, play] of cases)
    it(name, { timeout: 60_000 }, async () => {
      const running = await form.start();
      const port = Number((await running.seen(SERVING))[1]);
      try {
        await play((method, path, headers) => rawRequest(port, { method, path, headers: headers ?? {} }), form, running);
      } finally {
        running.kill('SIGKILL');
        await running.ended;
      }
    });
}

/** An application of one's own that has folders of routes, each named as sources name them. */
export const ownServer: Files = {
  'package.json': '{ "type": "module" }',
  'src/server.ts': `import { createApp } from 'fulmar';
import { createRoutes } from 'fulmar/routes';
import { shared } from './shared.ts';
const app = createApp();
app.route('/url', createRoutes({ dir: new URL('routes', import.meta.url) }));
app.route('/text', createRoutes({ dir: 'pages', lazy: true }) as never);
app.get('/shared', () => shared.count);
const { url } = await app.listen({ port: 0, host: '127.0.0.1' });
console.log('PORT ' + new URL(url).port + ' ');`,
  'src/shared.ts': 'export const shared = { count: 0 };',
  'src/routes/x.ts': `import { shared } from '../shared.ts';
export const GET = () => (shared.count += 1);`,
  'src/routes/page.html': '<p>page</p>',
  'pages/p.cjs': `console.log('LOADED p'); exports.GET = () => 'of CommonJS';`,
};

/** The same for what is built of it. */
export async function playOwnServer(running: Running): Promise<void> {
  const port = await running.port();
  const ask = async (path: string): Promise<string> => (await rawRequest(port, { method: 'GET', path, headers: {} })).text;
  assert.deepEqual([await ask('/url/x'), await ask('/url/x'), await ask('/shared')], ['1', '2', '2']);
  assert.equal(await ask('/url/page'), '<p>page</p>');
  assert.equal(await ask('/text/p'), 'of CommonJS');
  assert.deepEqual(await loaded(running), ['p']);
}

const MANY = 1_000;

/** A project of as many routes, of which one request loads one. */
export const manyRoutes: Files = {
  'package.json': '{ "type": "module" }',
  'lib/loads.ts': 'export const loads: number[] = [];',
  'fulmar.config.ts': `import { loads } from './lib/loads.ts';
export default { server: { port: 0 }, routes: { virtual: { '/loads': () => loads } } };`,
  ...Object.fromEntries(
    Array.from({ length: MANY }, (_, at) => [
      `routes/group${at % 20}/item${at}.ts`,
      `import { loads } from '../../lib/loads.ts'; loads.push(${at}); export const GET = () => 'item ${at}';`,
    ]),
  ),
};

export async function playManyRoutes(running: Running): Promise<void> {
  const port = Number((await running.seen(SERVING))[1]);
  const ask = async (path: string): Promise<string> => (await rawRequest(port, { method: 'GET', path, headers: {} })).text;
  assert.equal(await ask('/loads'), '[]');
  const last = MANY - 1;
  assert.equal(await ask(`/group${last % 20}/item${last}`), `item ${last}`);
  assert.equal(await ask('/group7/item7'), 'item 7');
  assert.equal(await ask('/loads'), `[${last},7]`);
  running.kill('SIGTERM');
  assert.equal((await running.ended).code, 0);
}
