/**
 * What docs/migration/from-zely.md says: a `pages/` of Zely answers here as it does on Zely 4, but for the differences
 * that are listed, of which each is seen on both.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createProject, createRoutes } from 'fulmar/routes';
import { PAGES } from './zely-pages.ts';

const NODE_MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const folders: string[] = [];
const ends: (() => unknown)[] = [];
after(async () => {
  for (const end of ends) await end();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function projectOf(pages: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-zely-'));
  folders.push(folder);
  for (const [name, text] of Object.entries(pages)) {
    const path = join(folder, name.startsWith('middlewares/') ? name : join('pages', name));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "dependencies": { "@zely-js/core": "4.0.0-next.1" } }\n');
  symlinkSync(NODE_MODULES, join(folder, 'node_modules'));
  return folder;
}

async function zelyOf(pages: Readonly<Record<string, string>>): Promise<number> {
  const folder = projectOf(pages);
  const child = fork(fileURLToPath(new URL('zely-peer.cjs', import.meta.url)), [folder], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [],
  });
  ends.push(async () => {
    const gone = once(child, 'exit');
    child.kill();
    await gone;
  });
  const [port] = (await once(child, 'message')) as [number];
  return port;
}

async function oursOf(pages: Readonly<Record<string, string>>): Promise<number> {
  const app = createRoutes({ dir: join(projectOf(pages), 'pages'), style: 'zely', logger: { error: () => undefined } });
  const server = await app.listen({ port: 0, host: '127.0.0.1' });
  ends.push(() => app.close());
  return (server.address() as AddressInfo).port;
}

interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}
type Asked = readonly [method: string, target: string, headers?: Readonly<Record<string, string>>, body?: string];

function ask(port: number, [method, path, headers = {}, body]: Asked): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: '127.0.0.1', method, path, headers, agent: false }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text: Buffer.concat(chunks).toString(), headers: reply.headers }));
    });
    asked.on('error', reject).end(body);
  });
}

/** What a client is told: all but what names the moment and the connection. */
function told({ status, text, headers }: Reply): object {
  const {
    date: _date,
    connection: _connection,
    'keep-alive': _keepAlive,
    'content-length': _length,
    'transfer-encoding': _coding,
    ...others
  } = headers;
  return { status, text, headers: others };
}

const SAME: readonly Asked[] = [
  ['GET', '/'],
  ['GET', '/hello'],
  ['POST', '/hello'],
  ['GET', '/hello/'],
  ['GET', '/animals'],
  ['POST', '/animals'],
  ['GET', '/values'],
  ['GET', '/text'],
  ['GET', '/number'],
  ['GET', '/list'],
  ['GET', '/yes'],
  ['GET', '/object'],
  ['POST', '/object'],
  ['PUT', '/object'],
  ['GET', '/function', { 'x-own': 'mine' }],
  ['POST', '/function', { 'x-own': 'mine' }],
  ['GET', '/mixed'],
  ['PUT', '/mixed'],
  ['GET', '/user/1'],
  ['GET', '/user/2'],
  ['GET', '/user/9'],
  ['GET', '/user/me'],
  ['GET', '/user/7/about'],
  ['GET', '/foo/a'],
  ['GET', '/foo/a/b/c'],
  ['GET', '/redirect'],
  ['POST', '/redirect'],
  ['GET', '/fields'],
  ['GET', '/response'],
  ['POST', '/response'],
  ['GET', '/node'],
  ['PUT', '/node', {}, 'content'],
  ['GET', '/url'],
  ['GET', '/guarded', { 'x-user': 'ada' }],
  ['GET', '/guarded'],
  ['GET', '/hooks'],
  ['GET', '/hooks'],
  ['GET', '/late'],
  ['GET', '/big'],
  ['GET', '/unicode'],
  ['GET', '/nowhere'],
  ['POST', '/nowhere'],
];

describe('a page of Zely answers as on Zely', () => {
  let ports: readonly [number, number];
  before(async () => {
    ports = await Promise.all([zelyOf(PAGES), oursOf(PAGES)]);
  });
  for (const asked of SAME)
    it(`${asked[0]} ${asked[1]}${asked[2] === undefined ? '' : ` ${JSON.stringify(asked[2])}`}`, async () => {
      const [theirs, ours] = [await ask(ports[0], asked), await ask(ports[1], asked)];
      assert.deepEqual(told(ours), told(theirs));
    });
});

const OTHER: Readonly<Record<string, string>> = {
  'index.ts': "export const get = () => 'index';",
  'hello.ts': "export const get = () => 'hello';",
  'silent.ts': 'export const get = () => {};',
  'user/[id].ts': 'export const get = (ctx) => ctx.params.id;',
  'rest/[...path].ts': "export const get = (ctx) => ctx.params['*'];",
  'order/[...path].ts': "export const get = () => 'rest';",
  'order/one.ts': "export const get = () => 'one';",
  'status.ts': "export default [GET((ctx) => { ctx.status(201); return 'made'; })];",
  'fields.ts': "export default [GET('a,b', { 'Content-Type': 'text/csv' })];",
  'error.ts': "export const get = () => { throw new Error('secret'); };",
  'guarded.ts': `import { middleware } from '@zely-js/core';
let runs = 0;
export default [
  middleware((ctx) => { if (ctx.query.who === undefined && ctx.request.method === 'GET') ctx.status(401).send('who?'); }),
  GET(() => { runs += 1; }),
  POST(() => 'ran ' + runs),
];`,
  '_hidden.ts': "export const get = () => 'hidden';",
};

describe('differs', () => {
  let zely = 0;
  let ours = 0;
  before(async () => {
    [zely, ours] = await Promise.all([zelyOf(OTHER), oursOf(OTHER)]);
  });
  const both = async (...asked: Asked): Promise<readonly [Reply, Reply]> => [await ask(zely, asked), await ask(ours, asked)];
  /** Of a reply that never comes: when others that were asked for later have, it has not. */
  const isSilent = async (port: number, [method, path]: Asked): Promise<boolean> => {
    let isAnswered = false;
    const asked = request({ port, host: '127.0.0.1', method, path, agent: false }, (reply) => {
      isAnswered = true;
      reply.resume();
    });
    asked.on('error', () => undefined).end();
    for (let more = 0; more < 5; more += 1) await ask(port, ['GET', '/']);
    asked.destroy();
    return !isAnswered;
  };

  test('Z1: a query', async () => {
    assert.equal(await isSilent(zely, ['GET', '/hello?a=1']), true);
    assert.equal((await ask(ours, ['GET', '/hello?a=1'])).text, 'hello');
  });

  test('Z2: nothing returned', async () => {
    assert.equal(await isSilent(zely, ['GET', '/silent']), true);
    assert.equal((await ask(ours, ['GET', '/silent'])).status, 204);
  });

  test('Z3: a path without a page', async () => {
    assert.equal(await isSilent(zely, ['GET', '/nowhere']), true);
    assert.equal((await ask(ours, ['GET', '/nowhere'])).status, 404);
  });

  test('Z4: a method without a handler', async () => {
    for (const method of ['POST', 'HEAD', 'OPTIONS']) assert.equal(await isSilent(zely, [method, '/hello']), true, method);
    assert.deepEqual([(await ask(ours, ['POST', '/hello'])).status, (await ask(ours, ['HEAD', '/hello'])).status], [405, 200]);
    const { status, headers } = await ask(ours, ['OPTIONS', '/hello']);
    assert.deepEqual([status, headers['allow']], [204, 'GET, HEAD, OPTIONS']);
  });

  test('Z5: parameters and the rest of a path', async () => {
    assert.deepEqual(
      (await both('GET', '/user/a%20b')).map(({ text }) => text),
      ['a%20b', 'a b'],
    );
    assert.deepEqual(
      (await both('GET', '/rest/a/b%20c')).map(({ text }) => text),
      ['a/b%20c', 'a/b c'],
    );
  });

  test('Z6: upper case', async () => {
    const [theirs, own] = await both('GET', '/HELLO');
    assert.deepEqual([theirs.text, own.status], ['hello', 404]);
  });

  test('Z7: a page beside [...path]', async () => {
    assert.deepEqual(
      (await both('GET', '/order/one')).map(({ text }) => text),
      ['rest', 'one'],
    );
  });

  test('Z8: a status that is set, and a value returned', async () => {
    assert.deepEqual(
      (await both('GET', '/status')).map(({ status, text }) => [status, text]),
      [
        [200, 'made'],
        [201, 'made'],
      ],
    );
  });

  test('Z9: fields of an entry', async () => {
    assert.deepEqual(
      (await both('GET', '/fields')).map(({ headers }) => headers['content-type']),
      [undefined, 'text/csv'],
    );
  });

  test('Z10: an error', async () => {
    const [theirs, own] = await both('GET', '/error');
    assert.deepEqual([theirs.status, theirs.text], [500, '500 Server Error']);
    assert.equal(own.status, 500);
    assert.match(own.text, /^\{"title":"Internal Server Error","status":500/);
    assert.doesNotMatch(own.text, /secret/);
  });

  test('Z11: middleware that answers', async () => {
    const found = [];
    for (const port of [zely, ours]) {
      const { status, text } = await ask(port, ['GET', '/guarded']);
      found.push([status, text, (await ask(port, ['POST', '/guarded'])).text]);
    }
    assert.deepEqual(found, [
      [401, 'who?', 'ran 1'],
      [401, 'who?', 'ran 0'],
    ]);
  });

  test('Z12: a page that answers what is not found', async () => {
    const pages = { 'index.ts': "export const get = () => 'index';", '_404.ts': "export const get = () => 'nothing here';" };
    const [theirs, own] = [await zelyOf(pages), await oursOf(pages)];
    const found = [];
    for (const port of [theirs, own]) {
      const { status, text } = await ask(port, ['GET', '/nowhere']);
      found.push([status, text]);
    }
    assert.deepEqual(found, [
      [200, 'nothing here'],
      [404, 'nothing here'],
    ]);
  });

  test('Z13: $page.path', async () => {
    const pages = { 'a.ts': "export const $page = { path: '/b' }; export const get = () => 'a';" };
    assert.equal((await ask(await zelyOf(pages), ['GET', '/a'])).text, 'a');
    await assert.rejects(oursOf(pages), /a\.ts: has \$page\.path, which Zely has deprecated/);
  });

  test('Z14: a file to be saved', async () => {
    const file = fileURLToPath(import.meta.url);
    const pages = { 'a.ts': `export const get = (ctx) => { ctx.sendFile(${JSON.stringify(file)}); };` };
    assert.equal((await ask(await zelyOf(pages), ['GET', '/a'])).status, 500);
    const { status, headers } = await ask(await oursOf(pages), ['GET', '/a']);
    assert.deepEqual([status, headers['content-disposition']], [200, "attachment; filename*=UTF-8''zely-differences.test.ts"]);
  });

  test('Z15: names that begin with _', async () => {
    const [theirs, own] = await both('GET', '/_hidden');
    assert.deepEqual([theirs.text, own.status], ['hidden', 404]);
  });
});

test('middleware of the folder stands before pages as on Zely', async () => {
  const pages = {
    'hello.ts': "export const get = (ctx) => 'hello ' + ctx.request.user;",
    'node.ts': 'export const get = (ctx) => { ctx.response.end(ctx.request.user); };',
    'middlewares/1.first.ts': `export default (ctx, next) => {
  ctx.request.user = ctx.query.user ?? ctx.request.headers['x-user'];
  ctx.set('X-First', ctx.pathname);
  next();
};`,
    'middlewares/2.guard.ts': `export default async function guard(ctx, next) {
  await new Promise(setImmediate);
  if (ctx.request.user === 'banned') ctx.status(403).json({ banned: true });
  else await next();
}`,
  };
  const project = await createProject({ root: projectOf(pages), config: { routes: { style: 'zely' } } });
  const server = await project.app.listen({ port: 0, host: '127.0.0.1' });
  ends.push(() => project.app.close());
  const ports = [await zelyOf(pages), (server.address() as AddressInfo).port] as const;
  for (const [path, user] of [
    ['/hello', 'ada'],
    ['/node', 'ada'],
    ['/hello', 'banned'],
    ['/node', 'banned'],
  ] as const) {
    const asked: Asked = ['GET', path, { 'x-user': user }];
    assert.deepEqual(told(await ask(ports[1], asked)), told(await ask(ports[0], asked)), `${path} ${user}`);
  }
});

test('a request that is answered by (req, res) has the short ways of Zely 2', async () => {
  const port = await oursOf({
    'json.ts': 'export function get(req, res) { res.json({ id: req.query.id }); }',
    'html.ts': "export function get(req, res) { res.html('<p>'); }",
    'send.ts': 'export function get(req, res) { res.send([1], 202); }',
    'user/$id.ts': 'export function get(req, res) { res.status(203).end(req.params.id); }',
    'hooks.ts': `export const $page = { before(req, res) { res.setHeader('X-Before', req.url); } };
export const get = (req, res) => { setImmediate(() => res.end('later')); };`,
  });
  const found = [];
  for (const path of ['/json?id=7', '/html', '/send', '/user/5', '/hooks']) {
    const { status, text, headers } = await ask(port, ['GET', path]);
    found.push([status, text, headers['content-type'] ?? headers['x-before'] ?? '']);
  }
  assert.deepEqual(found, [
    [200, '{"id":"7"}', ''],
    [200, '<p>', 'text/html'],
    [202, '[1]', ''],
    [203, '5', ''],
    [200, 'later', '/hooks'],
  ]);
});

test('what cannot be sent is an error of the server', async () => {
  const port = await oursOf({
    'function.ts': 'export const get = () => () => 1;',
    'cycle.ts': 'export const get = () => { const a = {}; a.a = a; return a; };',
    'bigint.ts': 'export const get = () => 5n;',
  });
  assert.equal((await ask(port, ['GET', '/function'])).status, 500);
  assert.equal((await ask(port, ['GET', '/cycle'])).status, 500);
  assert.equal((await ask(port, ['GET', '/bigint'])).text, '5');
});
