/** `style: 'zely'` and `globals`: what is installed, what is refused; how pages of Zely answer is in tests/migration. */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { createProject, createRoutes, defineRoute, GET, middleware, POST, zelyMiddleware } from '../../src/routes/index.ts';
import { appOf, ask, folderWith } from './support.ts';

const NAMES = ['ALL', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'defineRoute', 'middleware'];
afterEach(() => {
  for (const name of NAMES) Reflect.deleteProperty(globalThis, name);
});

test('globals are there where the option says so, and for pages of Zely', async (t) => {
  const files = { 'a.mjs': "export default [GET('got'), POST((c) => 'posted')];" };
  await assert.rejects(appOf(t, files), /GET is not defined/);
  const app = await appOf(t, files, { globals: true });
  assert.equal((await ask(app, 'GET', '/a')).text, 'got');
  assert.deepEqual([Reflect.get(globalThis, 'GET'), Reflect.get(globalThis, 'defineRoute')], [GET, defineRoute]);
  // Nothing that loops over globals meets them.
  assert.ok(!Object.keys(globalThis).includes('GET'));
});

test('two apps that ask for globals share them', async (t) => {
  const one = await appOf(t, { 'a.mjs': "export default GET('one');" }, { globals: true });
  const other = await appOf(t, { 'a.mjs': "export default GET('other');" }, { style: 'zely' });
  assert.equal((await ask(one, 'GET', '/a')).text, 'one');
  assert.equal((await ask(other, 'GET', '/a')).status, 200);
  assert.deepEqual([Reflect.get(globalThis, 'POST'), Reflect.get(globalThis, 'middleware')], [POST, middleware]);
});

test("a global that is somebody else's stays, and is told", () => {
  Object.assign(globalThis, { GET: () => 'mine' });
  assert.throws(() => createRoutes({ globals: true }), /makes ALL, .* globals, and GET of globalThis is something else already/);
  assert.equal((Reflect.get(globalThis, 'GET') as () => string)(), 'mine');
  assert.equal(Reflect.get(globalThis, 'POST'), undefined);
});

test('style says what handlers are given, also without globals', async (t) => {
  const app = await appOf(t, { 'a.mjs': 'export const get = (ctx) => { ctx.send(ctx.pathname); };' }, { style: 'zely', globals: false });
  const { status, text } = await ask(app, 'GET', '/a/');
  assert.deepEqual([status, text], [200, '/a/']);
  assert.equal(Reflect.get(globalThis, 'GET'), undefined);
});

test('options that are none are told', () => {
  assert.throws(() => createRoutes({ style: 'nitro' as never }), /style of createRoutes\(\) is 'app' or 'zely', and this is "nitro"/);
  assert.throws(() => createRoutes({ globals: 1 as never }), /globals of createRoutes\(\) is true or false, and this is 1/);
});

test('pages of Zely that say nothing right are told with their file', async (t) => {
  for (const [text, message] of [
    ["export const $page = { path: '/b' }; export const get = 1;", /a\.mjs: has \$page\.path/],
    ['export const $page = 5; export const get = 1;', /a\.mjs: \$page is an object/],
    ['export const $page = { befor() {} }; export const get = 1;', /a\.mjs: page has no befor/],
    ['export const config = { cache: {} }; export const get = () => 1;', /a\.mjs: has config\.cache, .* handlers of Zely/],
    ['export const helper = 1;', /a\.mjs: exports helper, and no route/],
  ] as const)
    await assert.rejects(appOf(t, { 'a.mjs': text }, { style: 'zely' }), message);
});

test('a page of Zely in a folder has what stands around it', async (t) => {
  const app = await appOf(
    t,
    {
      '_middleware.mjs': "export default (c, next) => { c.header('X-Around', 'yes'); return next(); };",
      '_error.mjs': "export default (error, c) => c.text('caught ' + error.message, 500);",
      'sub/_404.mjs': "export default [GET((ctx) => { ctx.send('nothing at ' + ctx.pathname); })];",
      'sub/a.mjs': "export const get = (ctx) => ctx.send('a');",
      'sub/bad.mjs': "export const get = () => { throw new Error('bad'); };",
    },
    { style: 'zely' },
  );
  const found = [];
  for (const path of ['/sub/a', '/sub/bad', '/sub/none', '/none']) {
    const { status, text, headers } = await ask(app, 'GET', path);
    found.push([status, text, headers['x-around']]);
  }
  assert.deepEqual(found, [
    [200, 'a', 'yes'],
    [500, 'caught bad', 'yes'],
    [404, 'nothing at /sub/none', 'yes'],
    [500, 'caught Nothing is at /none.', 'yes'],
  ]);
});

test('middleware of Zely stands before its pages, and what it leaves on the request is there', async (t) => {
  const app = createRoutes({
    dir: folderWith(t, {
      'a.mjs': "export const get = async (ctx) => ctx.request.message + ' ' + (await ctx.request.later);",
      'b.mjs': 'export const get = (req, res) => res.end(req.message);',
    }),
    style: 'zely',
  });
  app.use(
    zelyMiddleware((ctx: any, next: () => void) => {
      ctx.request.message = 'hello';
      ctx.request.later = new Promise((resolve) => setImmediate(resolve, 'later'));
      ctx.set('X-First', ctx.pathname);
      next();
    }),
    zelyMiddleware((req: any, res: any, next: () => void) => {
      if (req.query?.who === 'no') res.statusCode = 403;
      if (res.statusCode === 403) res.end('no');
      else next();
    }),
  );
  const found = [];
  for (const path of ['/a', '/b', '/a?who=no']) {
    const { status, text, headers } = await ask(app, 'GET', path);
    found.push([status, text, headers['x-first']]);
  }
  assert.deepEqual(found, [
    [200, 'hello later', '/a'],
    [200, 'hello', '/b'],
    [403, 'no', '/a'],
  ]);
  assert.throws(() => zelyMiddleware(5 as never), /zelyMiddleware\(\) takes a function \(ctx, next\), and this is of type number/);
});

test('an error of middleware of Zely is answered', async (t) => {
  const app = createRoutes({ dir: folderWith(t, { 'a.mjs': 'export const get = 1;' }), style: 'zely', logger: { error: () => undefined } });
  app.use(
    zelyMiddleware((_ctx: unknown, next: (error: Error) => void) => {
      next(new Error('secret'));
    }),
  );
  const { status, text } = await ask(app, 'GET', '/a');
  assert.equal(status, 500);
  assert.doesNotMatch(text, /secret/);
});

test('a project has pages and middleware of Zely', async (t) => {
  const root = folderWith(t, {
    'pages/[name].mjs': "export default [GET((ctx) => ctx.request.greeting + ' ' + ctx.params.name)];",
    'middlewares/greet.mjs': "export default (ctx, next) => { ctx.request.greeting = 'hello'; next(); };",
  });
  const { app } = await createProject({ root, config: { routes: { style: 'zely' } } });
  const { status, text } = await ask(app, 'GET', '/ada/');
  assert.deepEqual([status, text], [200, 'hello ada']);
});

test('a path that begins with two slashes is no host', async (t) => {
  const app = await appOf(t, { '_404.mjs': 'export const get = (ctx) => [ctx.url.host, ctx.pathname];' }, { style: 'zely' });
  const { status, text } = await ask(app, 'GET', '//evil.example/a', { headers: { host: 'own.example' } });
  assert.deepEqual([status, text], [404, '["own.example","//evil.example/a"]']);
});
