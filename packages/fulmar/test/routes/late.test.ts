/** `createRoutes({ lazy: true })`: files are loaded by the requests that they may be for, and nothing else changes. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createApp } from '../../src/app/index.ts';
import { serveOpenapi } from '../../src/app/openapi/index.ts';
import { createRoutes } from '../../src/routes/index.ts';
import { appOf, ask, type Files, folderWith } from './support.ts';

const loads = (name: string): string => `(globalThis.loadedRoutes ??= []).push(${JSON.stringify(name)});\n`;
const loaded = (): string[] => {
  const global = globalThis as { loadedRoutes?: string[] };
  const names = global.loadedRoutes ?? [];
  global.loadedRoutes = [];
  return names.toSorted();
};

const FILES: Files = {
  '_middleware.mjs': `${loads('root')}export default async (c, next) => { c.header('X-Root', '1'); return next(); };`,
  '_404.mjs': `${loads('404')}export default () => 'nothing here';`,
  'a.mjs': `${loads('a')}export const GET = () => 'a';`,
  'b.mjs': `${loads('b')}export const POST = () => 'b';`,
  '[id].mjs': `${loads('id')}export const GET = (c) => c.params.id; export const PUT = (c) => 'put ' + c.params.id;`,
  'admin/_middleware.mjs': `${loads('guard')}export default (c, next) => c.header('authorization') === undefined ? c.status(401).text('no') : next();`,
  'admin/_error.mjs': `${loads('error')}export default (error, c) => c.status(500).text('admin: ' + error.message);`,
  'admin/users.mjs': `${loads('users')}export const GET = () => 'users';`,
  'admin/broken.mjs': `${loads('broken')}throw new Error('not today');`,
  'admin/wrong.mjs': `export const GTE = () => 'x';`,
};

describe('files that are loaded when they are asked for', () => {
  it('are not loaded before, and once', async (t) => {
    loaded();
    const app = await appOf(t, FILES, { lazy: true });
    assert.deepEqual(loaded(), []);
    const answers = await Promise.all([ask(app, 'GET', '/a'), ask(app, 'GET', '/a'), ask(app, 'HEAD', '/a')]);
    assert.deepEqual(
      answers.map(({ status, text }) => [status, text]),
      [
        [200, 'a'],
        [200, 'a'],
        [200, ''],
      ],
    );
    assert.equal(answers[0]?.headers['x-root'], '1');
    assert.deepEqual(loaded(), ['404', 'a', 'id', 'root']);
    assert.equal((await ask(app, 'GET', '/a')).text, 'a');
    assert.deepEqual(loaded(), []);
  });
  it('answer methods as if all were loaded, whichever comes first', async (t) => {
    const app = await appOf(t, FILES, { lazy: true });
    assert.equal((await ask(app, 'GET', '/b')).text, 'b');
    assert.equal((await ask(app, 'PUT', '/a')).text, 'put a');
    const { status, headers } = await ask(app, 'OPTIONS', '/b');
    assert.deepEqual([status, headers['allow']], [204, 'GET, HEAD, OPTIONS, POST, PUT']);
    assert.equal((await ask(app, 'DELETE', '/zzz')).status, 405);
  });
  it('stand behind what guards them', async (t) => {
    const app = await appOf(t, FILES, { lazy: true });
    assert.equal((await ask(app, 'GET', '/admin/users')).status, 401);
    assert.equal((await ask(app, 'GET', '/%61dmin/users')).status, 401);
    assert.equal((await ask(app, 'GET', '/admin/users', { headers: { authorization: 'x' } })).text, 'users');
    assert.equal((await ask(app, 'GET', '/admin/nothing', { headers: { authorization: 'x' } })).text, 'nothing here');
    assert.equal((await ask(app, 'GET', '/no/such')).text, 'nothing here');
  });
  it('that cannot be loaded are an error of their own paths alone', async (t) => {
    const app = await appOf(t, FILES, { lazy: true });
    const headers = { authorization: 'x' };
    for (let times = 0; times < 2; times += 1) {
      const { status, text } = await ask(app, 'POST', '/admin/broken', { headers });
      assert.deepEqual([status, text], [500, 'admin: not today']);
      assert.match((await ask(app, 'GET', '/admin/wrong', { headers })).text, /admin: .*wrong\.mjs.*GTE/s);
      assert.equal((await ask(app, 'GET', '/admin/users', { headers })).text, 'users');
    }
  });
  it('that stand around others and cannot be loaded let nobody through', async (t) => {
    const app = await appOf(t, { ...FILES, 'admin/_middleware.mjs': `throw new Error('no guard');` }, { lazy: true });
    for (let times = 0; times < 2; times += 1) assert.equal((await ask(app, 'GET', '/admin/users')).status, 500);
    assert.equal((await ask(app, 'GET', '/a')).text, 'a');
  });
  it('are found below prefixes of other apps', async (t) => {
    const inner = createRoutes({ dir: folderWith(t, FILES), lazy: true });
    const app = createApp({ logger: { error: () => undefined } });
    app.get('/v1/own', () => 'own');
    app.route('/v1', inner);
    app.group('/:tenant/files', (group) => void group.route('/', inner as never));
    await app.ready();
    assert.equal((await ask(app, 'GET', '/v1/own')).text, 'own');
    assert.equal((await ask(app, 'GET', '/v1/a')).text, 'a');
    assert.equal((await ask(app, 'GET', '/x/files/7')).text, '7');
    assert.equal((await ask(app, 'GET', '/v1/admin/users')).status, 401);
  });
  it('are all in the document of the app', async (t) => {
    loaded();
    const app = createApp({ logger: { error: () => undefined } });
    app.route(
      '/v1',
      createRoutes({ dir: folderWith(t, { 'a.mjs': FILES['a.mjs'] as string, 'x/[id].mjs': FILES['[id].mjs'] as string }), lazy: true }),
    );
    serveOpenapi(app, { info: { title: 'Late', version: '1' } });
    await app.ready();
    assert.deepEqual(loaded(), []);
    const asked = await Promise.all([ask(app, 'GET', '/openapi.json'), ask(app, 'GET', '/openapi.yaml')]);
    const { paths } = JSON.parse(asked[0]?.text ?? '') as { paths: object };
    assert.deepEqual(Object.keys(paths).toSorted(), ['/v1/a', '/v1/x/{id}']);
    assert.match(asked[1]?.text ?? '', /\/v1\/x\/\{id\}/);
    assert.deepEqual(loaded(), ['a', 'id']);
  });
  it('refuses a `lazy` that is none', () => {
    assert.throws(() => createRoutes({ lazy: 'yes' as never }), /lazy of createRoutes\(\) is true or false/);
  });
});
