/**
 * What is published, in the runtimes of edge platforms: an app where there is nothing of Node's (`workerd`,
 * and a context with nothing but the web's globals), on Deno and on Bun.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { promisify } from 'node:util';
import { edge, edgeModule, packages, runtime, workers } from './runtimes.ts';

const timeout = 60_000;
const modules = () => readdirSync(edge).filter((name) => name.endsWith('.mjs'));

const WORKER = `import { createApp, HttpError } from './app.mjs';
import { cors, etag, jwt, requestId, securityHeaders, session, signJwt } from './middleware.mjs';
import { cloudflare, platform } from './adapters-cloudflare.mjs';
const app = createApp({ logger: { error: () => {} } });
app.use(cors(), securityHeaders(), requestId());
const secret = 'a secret of more than thirty-two characters';
const sessions = session({ secret, store: 'cookie' });
const tokens = jwt({ secret, algorithms: ['HS256'] });
app.get('/visits', sessions, async (c) => { const { data } = await sessions.of(c); return (data.visits = (data.visits ?? 0) + 1); });
app.get('/token', () => signJwt({ sub: 'ada' }, { algorithm: 'HS256', secret, expiresIn: 60 }));
app.get('/claims', tokens, (c) => tokens.of(c).sub);
app.get('/', (c) => ({ name: platform(c).env.NAME, process: typeof process, buffer: typeof Buffer }));
app.get('/tagged', etag(), () => 'tagged');
app.post('/echo', (c) => c.body.json());
app.get('/pieces', async function* () { yield 'one '; yield 'two'; });
app.get('/events', (c) => c.sse(async ({ send }) => { await send({ data: 'seen' }); }));
app.get('/cookies', (c) => c.cookie('a', '1').cookie('b', '2').text('two'));
app.get('/taken', () => { throw new HttpError(409, 'taken'); });
app.get('/crash', () => { throw new Error('secret'); });
app.get('/upload', (c) => c.request.url);
app.mount('/inner', { fetch: (request) => Response.json(new URL(request.url).pathname) });
app.get('/listen', async () => { try { await createApp().listen(1); } catch (error) { return error.message; } });
app.get('/mount', () => { try { createApp().mount('/x', (req, res) => res.end()); return 'late'; } catch (error) { return error.message; } });
export default cloudflare(app);`;

const makeWorker = workers();

describe('workerd', { skip: makeWorker === undefined ? 'miniflare is not installed in tests/runtimes' : false, timeout }, () => {
  type Started = ReturnType<NonNullable<typeof makeWorker>>;
  let worker: Started;
  before(async () => {
    worker = (makeWorker as NonNullable<typeof makeWorker>)(
      [{ type: 'ESModule', path: join(edge, 'worker.mjs'), contents: WORKER }, ...modules().map(edgeModule)],
      { NAME: 'fulmar' },
    );
    await worker.ready;
  });
  after(() => worker?.dispose());
  const ask = (path: string, init?: object) => worker.dispatchFetch(`http://localhost${path}`, init);

  it('there is nothing of Node’s', async () =>
    assert.deepEqual(await (await ask('/')).json(), { name: 'fulmar', process: 'undefined', buffer: 'undefined' }));
  it('middleware', async () => {
    const { headers } = await ask('/');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.match(headers.get('x-request-id') ?? '', /^[\da-f-]{36}$/);
  });
  it('an entity tag, and 304', async () => {
    const tag = (await ask('/tagged')).headers.get('etag') ?? '';
    assert.match(tag, /^W\/"/);
    assert.equal((await ask('/tagged', { headers: { 'if-none-match': tag } })).status, 304);
  });
  it('a session in its cookie', async () => {
    const first = await ask('/visits');
    const [cookie = ''] = (first.headers.getSetCookie()[0] ?? '').split(';');
    assert.deepEqual([await first.text(), await (await ask('/visits', { headers: { cookie } })).text()], ['1', '2']);
  });
  it('tokens', async () => {
    const token = await (await ask('/token')).text();
    assert.equal(await (await ask('/claims', { headers: { authorization: `Bearer ${token}` } })).text(), 'ada');
    assert.equal((await ask('/claims', { headers: { authorization: `Bearer ${token}x` } })).status, 401);
  });
  it('content of a request', async () => {
    const init = { method: 'POST', body: '{"a":"ü"}', headers: { 'content-type': 'application/json' } };
    assert.deepEqual(await (await ask('/echo', init)).json(), { a: 'ü' });
    assert.equal((await ask('/echo', { ...init, body: 'x'.repeat(1024 * 1024 + 1) })).status, 413);
  });
  it('pieces and events', async () => {
    assert.equal(await (await ask('/pieces')).text(), 'one two');
    assert.equal(await (await ask('/events')).text(), 'data: seen\n\n');
  });
  it('several cookies', async () => assert.equal((await ask('/cookies')).headers.getSetCookie().length, 2));
  it('errors', async () => {
    assert.deepEqual([(await ask('/taken')).status, (await ask('/none')).status], [409, 404]);
    assert.doesNotMatch(await (await ask('/crash')).text(), /secret/);
  });
  it('a mounted fetch function', async () => assert.equal(await (await ask('/inner/a')).json(), '/a'));
  it('what needs Node says so', async () =>
    assert.match(await (await ask('/listen')).text(), /^An app cannot listen on a port here: export what an adapter makes of it/));
  it('many requests at once', async () => {
    const replies = await Promise.all(Array.from({ length: 50 }, () => ask('/pieces').then((reply) => reply.text())));
    assert.deepEqual(new Set(replies), new Set(['one two']));
  });
});

/** Fulfilled by every runtime with the web's interfaces. */
const WEB = [
  'AbortController',
  'Blob',
  'Headers',
  'ReadableStream',
  'Request',
  'Response',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  // Of the realm whose bytes `TextEncoder` gives.
  'Uint8Array',
  'atob',
  'btoa',
  'console',
  'crypto',
  'performance',
  'queueMicrotask',
  'setTimeout',
  'structuredClone',
  'clearTimeout',
  'setInterval',
  'clearInterval',
];

test('with the globals of the web alone, every module loads and an app answers', { timeout }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--experimental-vm-modules',
    '--no-warnings',
    '--input-type=module',
    '--eval',
    `import vm from 'node:vm';
    import { readFileSync } from 'node:fs';
    const context = vm.createContext(Object.fromEntries(${JSON.stringify(WEB)}.map((name) => [name, globalThis[name]])));
    const known = new Map();
    const load = (name) => {
      if (!known.has(name)) known.set(name, new vm.SourceTextModule(readFileSync(${JSON.stringify(edge)} + '/' + name, 'utf8'), { context, identifier: name }));
      return known.get(name);
    };
    const link = (specifier) => { if (!specifier.startsWith('./')) throw new Error('imports ' + specifier); return load(specifier.slice(2)); };
    const names = ${JSON.stringify(modules())};
    for (const name of names) { const module = load(name); if (module.status === 'unlinked') await module.link(link); await module.evaluate(); }
    const { createApp } = load('app.mjs').namespace;
    const answers = [];
    for (const name of ['cloudflare', 'netlify', 'vercel']) {
      const app = createApp();
      app.post('/', async (c) => [await c.body.text(), c.ip]);
      const made = load('adapters-' + name + '.mjs').namespace[name](app);
      const reply = await (made.fetch ?? made)(new Request('http://localhost/', { method: 'POST', body: 'ü' }), {});
      answers.push(await reply.json());
    }
    const { jwt, session, signJwt } = load('middleware.mjs').namespace;
    const secret = 'a secret of more than thirty-two characters';
    const tokens = jwt({ secret, algorithms: ['HS256'] });
    const sessions = session({ secret });
    const app = createApp();
    app.get('/', tokens, sessions, async (c) => ((await sessions.of(c)).data.user = tokens.of(c).sub));
    const authorization = 'Bearer ' + (await signJwt({ sub: 'ada' }, { algorithm: 'HS256', secret, expiresIn: 60 }));
    const reply = await app.inject({ url: '/', headers: { authorization } });
    answers.push([reply.text, [reply.headers['set-cookie']].flat().length]);
    console.log(JSON.stringify(answers));`,
  ]);
  assert.deepEqual(JSON.parse(stdout), [
    ['ü', ''],
    ['ü', ''],
    ['ü', ''],
    ['ada', 1],
  ]);
});

const APP = `import { createApp } from 'fulmar';
import { cors } from 'fulmar/middleware';
export const app = createApp();
app.use(cors());
app.get('/', (c) => ({ ip: c.ip, path: new URL(c.request.url).pathname }));
app.post('/echo', async (c) => (await c.body.json()).a);
app.get('/pieces', async function* () { yield 'one '; yield 'two'; });
export async function ask(url) {
  const lines = [];
  const echo = { method: 'POST', body: '{"a":"ü"}', headers: { 'content-type': 'application/json' } };
  for (const [path, init] of [['/'], ['/echo', echo], ['/pieces'], ['/none']]) {
    const reply = await fetch(url + path, init);
    lines.push([reply.status, await reply.text()]);
  }
  return lines;
}`;

const ANSWERS = [
  [200, '{"ip":"127.0.0.1","path":"/"}'],
  [200, 'ü'],
  [200, 'one two'],
  [404, '{"title":"Not Found","status":404,"detail":"Nothing is at /none."}'],
];

const EXPRESS = `import express from 'fulmar/express';
const shop = express();
shop.use(express.json());
shop.get('/', (req, res) => res.json({ ip: req.ip }));
shop.post('/echo', (req, res) => res.send(req.body.a));
shop.get('/pieces', (req, res) => { res.write('one '); res.end('two'); });
shop.use((req, res) => res.status(404).send('none'));`;

const EXPRESS_ANSWERS = [
  [200, '{"ip":"127.0.0.1"}'],
  [200, 'ü'],
  [200, 'one two'],
  [404, 'none'],
];

async function runIn(file: string, args: readonly string[], program: string): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-edge-'));
  try {
    symlinkSync(packages, join(folder, 'node_modules'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(folder, 'app.js'), APP);
    writeFileSync(join(folder, 'main.js'), program);
    const { stdout } = await promisify(execFile)(file, [...args, 'main.js'], { cwd: folder });
    return JSON.parse(stdout) as unknown;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const denoRuntime = runtime('deno');
const DENO_ARGS = ['run', '--allow-all', '--node-modules-dir=manual', '--no-lock'];
const onDeno = (imports: string, application: string): string => `import { deno } from 'fulmar/adapters/deno';
import { app, ask } from './app.js';
${imports}
const server = Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, deno(${application}));
console.log(JSON.stringify(await ask('http://127.0.0.1:' + server.addr.port)));
await server.shutdown();`;

test('Deno.serve with an app', { skip: denoRuntime.missing, timeout }, async () => {
  assert.deepEqual(await runIn(denoRuntime.file, DENO_ARGS, onDeno('', 'app')), ANSWERS);
});

test('Deno.serve with an Express application', { skip: denoRuntime.missing, timeout }, async () => {
  assert.deepEqual(await runIn(denoRuntime.file, DENO_ARGS, onDeno(EXPRESS, 'shop')), EXPRESS_ANSWERS);
});

const bunRuntime = runtime('bun');

test('Bun.serve with an app', { skip: bunRuntime.missing, timeout }, async () => {
  const program = `import { bun } from 'fulmar/adapters/bun';
import { app, ask } from './app.js';
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', ...bun(app) });
console.log(JSON.stringify(await ask('http://127.0.0.1:' + server.port)));
await server.stop(true);`;
  assert.deepEqual(await runIn(bunRuntime.file, [], program), ANSWERS);
});

test('Bun.serve with an Express application', { skip: bunRuntime.missing, timeout }, async () => {
  const program = `import { bun } from 'fulmar/adapters/bun';
import { ask } from './app.js';
${EXPRESS}
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', ...bun(shop) });
console.log(JSON.stringify(await ask('http://127.0.0.1:' + server.port)));
await server.stop(true);`;
  assert.deepEqual(await runIn(bunRuntime.file, [], program), EXPRESS_ANSWERS);
});
