/** Projects: what `fulmar.config` says around a folder of routes. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { type App, createApp, definePlugin } from '../../src/app/index.ts';
import { createProject, defineConfig, type FulmarConfig, type ProjectOptions } from '../../src/routes/index.ts';
import { ask, type Files, folderWith } from './support.ts';

const quiet = { logger: { error: () => undefined } };

async function projectOf(t: TestContext, files: Files, config?: FulmarConfig, more: ProjectOptions = {}) {
  const root = folderWith(t, files);
  const project = await createProject({ root, ...more, ...(config !== undefined && { config: { app: quiet, ...config } }) });
  return { ...project, root };
}

const HELLO: Files = {
  'routes/index.mjs': `export const GET = () => 'hello';`,
  'routes/[id].mjs': `export const GET = (c) => 'id ' + c.params.id;`,
};

describe('the config of a project', () => {
  it('is not needed', async (t) => {
    const { app } = await projectOf(t, HELLO);
    assert.equal((await ask(app, 'GET', '/')).text, 'hello');
  });
  it('is read from the folder, a function of it is told what for', async (t) => {
    const config = `export default ({ command, root }) => ({ routes: { dir: 'pages', prefix: '/v1', virtual: { '/about': () => ({ command, root: typeof root }) } } });`;
    const { app } = await projectOf(t, { 'pages/a.mjs': `export default () => 'a';`, 'fulmar.config.mjs': config }, undefined, {
      command: 'dev',
    });
    assert.equal((await ask(app, 'GET', '/v1/a')).text, 'a');
    assert.deepEqual(JSON.parse((await ask(app, 'GET', '/v1/about')).text), { command: 'dev', root: 'string' });
    assert.equal((await ask(app, 'GET', '/a')).status, 404);
  });
  it('takes `pages` where there is no `routes`', async (t) => {
    const { app } = await projectOf(t, { 'pages/a.mjs': `export default () => 'a';` });
    assert.equal((await ask(app, 'GET', '/a')).text, 'a');
  });
  const wrong: readonly (readonly [config: object, message: RegExp])[] = [
    [{ sever: {} }, /defineConfig\(\) has no option sever; did you mean server/],
    [{ routes: { dri: 'x' } }, /routes of the config has no option dri; did you mean dir/],
    [{ routes: 5 }, /routes is a folder, or an object/],
    [{ routes: { prefix: 'api' } }, /prefix is a path, such as '\/api'/],
    [{ middlewares: { global: [1] } }, /global is a list of functions/],
    [{ static: [{ prefix: '/a' }] }, /static is a folder, an object \{ dir, prefix \}/],
    [{ proxies: { api: 'http://x' } }, /proxies is upstreams by their prefix/],
    [{ plugins: [{ name: 'a', onSned() {} }] }, /Plugin a has no hook onSned; did you mean onSend/],
    [{ plugins: [{ onSend() {} }] }, /A plugin of the config needs a name/],
    [{ plugins: [{ name: 'a', onSend: 5 }] }, /onSend of plugin a is a function, and this is 5/],
    [{ onError: 'x' }, /onError is a function/],
    [{ app: { strcit: true } }, /createApp\(\) has no option strcit; did you mean strict/],
    [{ static: 'nowhere' }, /static of the config names nowhere, and there is no such folder/],
  ];
  for (const [config, message] of wrong)
    it(`refuses ${JSON.stringify(config)}`, async (t) => {
      await assert.rejects(projectOf(t, HELLO, config as FulmarConfig), message);
      if (!('app' in config) && config !== wrong.at(-1)?.[0]) assert.throws(() => defineConfig(config as FulmarConfig), message);
    });
  it('that throws, or says what is wrong, is told with the name of its file', async (t) => {
    await assert.rejects(
      projectOf(t, { ...HELLO, 'fulmar.config.mjs': `throw new Error('not today');` }),
      /fulmar\.config\.mjs could not be loaded: not today/,
    );
    await assert.rejects(
      projectOf(t, { ...HELLO, 'fulmar.config.mjs': `export default { sever: 1 };` }),
      /fulmar\.config\.mjs: .*did you mean server/,
    );
    await assert.rejects(
      projectOf(t, { ...HELLO, 'fulmar.config.mjs': `export const a = 1;` }),
      /fulmar\.config\.mjs: needs a default export/,
    );
  });
  it('may name a folder that is not there, which is told', async (t) => {
    await assert.rejects(projectOf(t, {}), /There is no folder of routes at .*routes/);
  });
});

describe('around routes', () => {
  it('stand middleware of the config, then of the folder in the order of names', async (t) => {
    const step = (name: string): string =>
      `export default (c, next) => { c.header('X-Steps', '${name}', { append: true }); return next(); };`;
    const files = {
      ...HELLO,
      'middlewares/2-b.mjs': step('b'),
      'middlewares/1-a.mjs': step('a'),
      'middlewares/_helper.mjs': 'throw 1',
      'middlewares/a.test.mjs': 'throw 1',
    };
    const first = (c: { header(name: string, value: string, more: object): unknown }, next: () => unknown): unknown => {
      c.header('X-Steps', 'config', { append: true });
      return next();
    };
    const { app } = await projectOf(t, files, { middlewares: { global: [first as never] } });
    assert.equal((await ask(app, 'GET', '/')).headers['x-steps'], 'config, a, b');
    assert.equal((await ask(app, 'GET', '/no/such')).headers['x-steps'], 'config, a, b');
    const without = await projectOf(t, files, { middlewares: { dir: false } });
    assert.equal((await ask(without.app, 'GET', '/')).headers['x-steps'], undefined);
    await assert.rejects(
      projectOf(t, { ...HELLO, 'middlewares/a.mjs': 'export default 5' }),
      /middlewares\/a\.mjs.*needs a default export: a function/,
    );
  });
  it('a root `_middleware` runs for requests without a route as well', async (t) => {
    const { app } = await projectOf(t, {
      ...HELLO,
      'routes/_middleware.mjs': `export default (c) => c.status(401).text('no ' + c.pathname);`,
    });
    assert.deepEqual([(await ask(app, 'GET', '/')).status, (await ask(app, 'GET', '/a/b')).text], [401, 'no /a/b']);
  });
  it('errors that nothing else answers are those of plugins, then of the config', async (t) => {
    const files = { ...HELLO, 'routes/fail.mjs': `export const GET = (c) => { throw new Error(c.query.why); };` };
    const seen: unknown[] = [];
    const plugin = {
      name: 'p',
      handleError: (error: unknown) => ((error as Error).message === 'mine' ? 'by the plugin' : void seen.push(error)),
    };
    const { app } = await projectOf(t, files, {
      plugins: [plugin],
      onError: (error, c) => ((error as Error).message === 'theirs' ? c.status(418).text('by the config') : undefined),
    });
    assert.equal((await ask(app, 'GET', '/fail?why=mine')).text, 'by the plugin');
    assert.deepEqual([(await ask(app, 'GET', '/fail?why=theirs')).status, seen.length], [418, 1]);
    assert.equal((await ask(app, 'GET', '/fail?why=nobody')).status, 500);
  });
});

describe('plugins', () => {
  it('are asked in their order: config, configResolved, routeFound, routes, serverCreated, onSend', async (t) => {
    const calls: string[] = [];
    const plugin: NonNullable<FulmarConfig['plugins']>[number] = {
      name: 'all',
      config: (config: FulmarConfig) => (calls.push(`config ${Object.keys(config).join()}`), { routes: { virtual: { '/late': 'late' } } }),
      configResolved: ({ routes }: { routes: { virtual: object } }) => void calls.push(`resolved ${Object.keys(routes.virtual).join()}`),
      routeFound: ({ file, path }: { file: string; path: string }) => (calls.push(`found ${file} ${path}`), !file.startsWith('hidden')),
      routes: (routes: readonly { file: string }[]) => (
        calls.push(`routes ${routes.map(({ file }) => file).join()}`),
        { '/more/[x]': { GET: (c: { params: object }) => c.params } }
      ),
      serverCreated: (app: ReturnType<typeof createApp>) => void app.get('/own', () => 'own'),
      onSend: (_c: unknown, value: unknown) => (value === 'hello' ? 'HELLO' : undefined),
    };
    const { app } = await projectOf(
      t,
      { ...HELLO, 'routes/hidden.mjs': 'throw 1' },
      { routes: { virtual: { '/early': 'early' } }, plugins: [plugin] },
    );
    assert.deepEqual(calls, [
      'config app,routes,plugins',
      'resolved /early,/late',
      'found [id].mjs /:id',
      'found hidden.mjs /hidden',
      'found index.mjs /',
      'routes [id].mjs,index.mjs,/early,/late',
    ]);
    const texts = await Promise.all(
      ['/', '/early', '/late', '/own', '/hidden', '/more/7'].map(async (url) => (await ask(app, 'GET', url)).text),
    );
    assert.deepEqual(texts, ['HELLO', 'early', 'late', 'own', 'id hidden', '{"x":"7"}']);
  });
  it('are told to stop where the project cannot be opened', async (t) => {
    const stopped: string[] = [];
    const plugins = [
      definePlugin({ name: 'of an app', setup: (app) => void app.onStop(() => void stopped.push('app')) }),
      { name: 'of a project', serverCreated: (app: App) => void app.onStop(() => void stopped.push('project')) },
    ];
    await assert.rejects(projectOf(t, { 'routes/a.mjs': `throw new Error('broken');` }, { plugins }), /a\.mjs.*broken/);
    assert.deepEqual(stopped.toSorted(), ['app', 'project']);
  });
  it('of apps, or functions (app), are registered', async (t) => {
    const plugin = definePlugin({
      name: 'app-plugin',
      encapsulate: false,
      setup: (app) => void app.use((c, next) => (c.header('X-Plugin', '1'), next())),
    });
    const { app } = await projectOf(t, HELLO, {
      plugins: [plugin, (within: ReturnType<typeof createApp>) => void within.get('/by-function', () => 'there')],
    });
    assert.equal((await ask(app, 'GET', '/')).headers['x-plugin'], '1');
    assert.equal((await ask(app, 'GET', '/by-function')).text, 'there');
  });
  it('that add what is there already are told both names', async (t) => {
    await assert.rejects(
      projectOf(t, HELLO, { routes: { virtual: { '/[name]': 1 } } }),
      /\[id\]\.mjs.*\/\[name\]|\/\[name\].*\[id\]\.mjs/s,
    );
  });
});

for (const lazy of [false, true])
  describe(`static folders beside routes ${lazy ? 'that are loaded late' : 'that are loaded before'}`, () => {
    const files: Files = {
      ...HELLO,
      'routes/about.mjs': `export const GET = () => 'about of the routes';`,
      'public/robots.txt': 'User-agent: *',
      'public/about': 'about of the folder',
      'public/docs/index.html': '<h1>docs</h1>',
      'public/.env': 'SECRET=1',
      'public/ü 100%.txt': 'odd',
      'assets/app.js': 'app()',
      'secret.txt': 'secret',
    };
    const config: FulmarConfig = { routes: { lazy }, static: ['public', { dir: 'assets', prefix: '/assets', maxAge: 60 }] };
    it('go before parameters, and behind files of routes', async (t) => {
      const { app } = await projectOf(t, files, config);
      const texts = await Promise.all(
        ['/robots.txt', '/about', '/docs/', '/docs/index.html', '/other', '/%C3%BC%20100%25.txt', '/assets/app.js'].map(
          async (url) => (await ask(app, 'GET', url)).text,
        ),
      );
      assert.deepEqual(texts, ['User-agent: *', 'about of the routes', '<h1>docs</h1>', '<h1>docs</h1>', 'id other', 'odd', 'app()']);
      const { headers } = await ask(app, 'GET', '/assets/app.js');
      assert.match(String(headers['cache-control']), /max-age=60/);
      const again = await ask(app, 'GET', '/assets/app.js', { headers: { 'if-none-match': headers['etag'] } });
      assert.equal(again.status, 304);
      assert.equal((await ask(app, 'GET', '/robots.txt', { headers: { range: 'bytes=0-3' } })).text, 'User');
      assert.equal((await ask(app, 'HEAD', '/robots.txt')).headers['content-length'], '13');
    });
    it('never leave their folder, nor show what is hidden', async (t) => {
      const { app } = await projectOf(t, { ...files, 'routes/[id].mjs': `export const POST = () => 1;` }, config);
      for (const url of [
        '/assets/../secret.txt',
        '/assets/..%2fsecret.txt',
        '/assets/%2e%2e/secret.txt',
        '/.env',
        '/assets/.%2e/secret.txt',
        '/assets//etc/passwd',
      ])
        assert.ok([400, 403, 404, 405].includes((await ask(app, 'GET', url)).status), url);
    });
    it('serve files that come later, where nothing else is', async (t) => {
      const { app, root } = await projectOf(t, { ...files, 'routes/[id].mjs': `export const PUT = () => 1;` }, config);
      writeFileSync(join(root, 'public', 'docs', 'late.txt'), 'late');
      const { status, text } = await ask(app, 'GET', '/docs/late.txt');
      assert.deepEqual([status, text], [200, 'late']);
      assert.equal((await ask(app, 'GET', '/docs/nothing.txt')).status, 404);
    });
    it('lie beside the prefix of the routes, not below it', async (t) => {
      const { app, root } = await projectOf(
        t,
        { ...files, 'public/v1/about': 'hidden', 'public/v1/more': 'more' },
        { ...config, routes: { lazy, prefix: '/v1' } },
      );
      const texts = await Promise.all(
        ['/robots.txt', '/v1/about', '/v1/more', '/assets/app.js', '/docs/'].map(async (url) => (await ask(app, 'GET', url)).text),
      );
      assert.deepEqual(texts, ['User-agent: *', 'about of the routes', 'more', 'app()', '<h1>docs</h1>']);
      assert.equal((await ask(app, 'GET', '/v1/robots.txt')).text, 'id robots.txt');
      writeFileSync(join(root, 'public', 'late.txt'), 'late');
      assert.equal((await ask(app, 'GET', '/late.txt')).text, 'late');
      assert.equal((await ask(app, 'GET', '/nothing.txt')).status, 404);
    });
    it('have middleware of the config around them, and none of the folder of routes, whenever they came', async (t) => {
      const more = {
        'routes/_middleware.mjs': `export default (c) => c.status(401).text('no');`,
        'routes/[id].mjs': `export const PUT = () => 1;`,
        'middlewares/mark.mjs': `export default (c, next) => { c.header('X-Mark', '1', { append: true }); return next(); };`,
      };
      const { app, root } = await projectOf(t, { ...files, ...more }, config);
      writeFileSync(join(root, 'public', 'late.txt'), 'late');
      for (const url of ['/robots.txt', '/late.txt', '/assets/app.js']) {
        const { status, headers } = await ask(app, 'GET', url);
        assert.deepEqual([status, headers['x-mark']], [200, '1'], url);
      }
      assert.deepEqual([(await ask(app, 'GET', '/a/b')).status, (await ask(app, 'PUT', '/x')).status], [401, 401]);
    });
    it('leave 404 to `_404`', async (t) => {
      const { app } = await projectOf(t, { ...files, 'routes/_404.mjs': `export default (c) => 'no ' + c.pathname;` }, config);
      const { status, text } = await ask(app, 'GET', '/a/b/c');
      assert.deepEqual([status, text], [404, 'no /a/b/c']);
    });
  });

describe('proxies', () => {
  it('answer for their prefix', async (t) => {
    const upstream = createApp().all('/*rest', (c) => `upstream ${c.pathname}`);
    const server = await upstream.listen(0);
    t.after(() => upstream.close());
    const { app } = await projectOf(t, HELLO, { proxies: { '/api': server.url, '/deep/er/': { target: server.url } } });
    assert.equal((await ask(app, 'GET', '/api/users')).text, 'upstream /users');
    assert.equal((await ask(app, 'POST', '/deep/er/x')).text, 'upstream /x');
    assert.equal((await ask(app, 'GET', '/apis')).text, 'id apis');
  });
});

it('a project listens where its config says', async (t) => {
  const project = await projectOf(t, HELLO, { server: { port: 0, host: '127.0.0.1' } });
  const server = await project.listen();
  t.after(() => project.app.close());
  assert.equal(await (await fetch(server.url)).text(), 'hello');
});
