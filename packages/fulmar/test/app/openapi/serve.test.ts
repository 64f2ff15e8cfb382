/** The document as routes of its app: JSON, YAML, the page and its files. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { type App, createApp } from '../../../src/app/index.ts';
import { bearerAuth, securityHeaders } from '../../../src/app/middleware/index.ts';
import { openapi, serveOpenapi, type ServeOpenApiOptions } from '../../../src/app/openapi/index.ts';
import { defineCases } from '../case.ts';
import { info } from './documents.ts';

const serve =
  (options: Partial<ServeOpenApiOptions> = {}) =>
  (app: App): void => {
    app.get('/birds', () => 1);
    serveOpenapi(app, { info, ...options });
  };
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

defineCases('a document that is served', [
  {
    name: 'is JSON',
    app: serve(),
    ask: '/openapi.json',
    expect: {
      headers: { 'content-type': 'application/json; charset=utf-8' },
      text: /^\{"openapi":"3\.1\.1","info":\{"title":"Birds".*"\/birds"/,
    },
  },
  {
    name: 'is YAML',
    app: serve(),
    ask: '/openapi.yaml',
    expect: { headers: { 'content-type': 'application/yaml; charset=utf-8' }, text: /^openapi: 3\.1\.1\ninfo:\n {2}title: Birds\n/ },
  },
  {
    name: 'is at the path that is given',
    app: serve({ json: '/api/v1/spec.json' }),
    ask: '/api/v1/spec.json',
    expect: { text: /^\{"openapi"/ },
  },
  { name: 'is no YAML where that is not wanted', app: serve({ yaml: false }), ask: '/openapi.yaml', expect: { status: 404 } },
  { name: 'has no page unless one is asked for', app: serve(), ask: '/docs', expect: { status: 404 } },
  { name: 'answers HEAD', app: serve(), ask: { method: 'HEAD', url: '/openapi.json' }, expect: { status: 200, text: '' } },
  {
    name: 'has a page with a policy, whatever middleware says',
    app(app) {
      app.use(securityHeaders());
      serve({ docs: '/docs' })(app);
    },
    ask: '/docs',
    expect: {
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
      text: /href="\.\/docs\/swagger-ui\.css"[^]*data-document="\.\/openapi\.json"[^]*src="\.\/docs\/start\.js"/,
    },
  },
  {
    name: 'has a page that finds its files from any depth',
    app: serve({ docs: '/a/b/docs', json: '/spec/openapi.json' }),
    ask: '/a/b/docs',
    expect: { text: /href="\.\.\/\.\.\/a\/b\/docs\/swagger-ui\.css"[^]*data-document="\.\.\/\.\.\/spec\/openapi\.json"/ },
  },
  {
    name: 'has a page that finds them behind a slash',
    options: { strict: false },
    app: serve({ docs: '/docs' }),
    ask: '/docs/',
    expect: { text: /href="\.\.\/docs\/swagger-ui\.css"[^]*data-document="\.\.\/openapi\.json"/ },
  },
  {
    name: 'has a page whose title is text',
    app: serve({ docs: '/docs', info: { title: '<script>"&', version: '1' } }),
    ask: '/docs',
    expect: { text: /<title>&lt;script&gt;&quot;&amp;<\/title>/ },
  },
  {
    name: 'has a page that may ask its servers',
    app: serve({
      docs: '/docs',
      servers: [{ url: 'https://birds.example:8443/v1' }, { url: '/v2' }, { url: "https://x.example; script-src 'unsafe-inline'" }],
    }),
    ask: '/docs',
    expect: {
      headers: {
        'content-security-policy': policy.replace("connect-src 'self'", "connect-src 'self' https://birds.example:8443 https://x.example"),
      },
    },
  },
  {
    name: 'has the page’s style',
    app: serve({ docs: '/docs' }),
    ask: '/docs/swagger-ui.css',
    expect: { headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' }, text: /^\.swagger-ui/ },
  },
  {
    name: 'has the page’s code',
    app: serve({ docs: '/docs' }),
    ask: '/docs/swagger-ui-bundle.js',
    expect: { headers: { 'content-type': 'text/javascript; charset=utf-8' }, text: /SwaggerUIBundle/ },
  },
  { name: 'has no other file', app: serve({ docs: '/docs' }), ask: '/docs/package.json', expect: { status: 404 } },
  { name: 'has no file above', app: serve({ docs: '/docs' }), ask: '/docs/..%2fpackage.json', expect: { status: 404 } },
  {
    name: 'is behind what is used before it',
    app(app) {
      app.use(bearerAuth({ tokens: ['t'] }));
      serve()(app);
    },
    ask: '/openapi.json',
    expect: { status: 401 },
  },
]);

describe('a document that is served', () => {
  it('is the one of openapi(), in JSON and in YAML, without its own routes', async () => {
    const app = createApp();
    serve({ docs: '/docs' })(app);
    const expected = JSON.parse(JSON.stringify(openapi(app, { info }))) as { paths: object };
    assert.deepEqual(JSON.parse((await app.inject('/openapi.json')).text), expected);
    assert.deepEqual(parse((await app.inject('/openapi.yaml')).text), expected);
    assert.deepEqual(Object.keys(expected.paths), ['/birds']);
  });

  it('is that of the whole app where it is registered as a plugin, or in a group', async () => {
    const app = createApp();
    app.get('/birds', () => 1);
    app.register(serveOpenapi, { info });
    app.group('/v1', (group) => {
      group.get('/eggs', () => 1);
      serveOpenapi(group, { info, docs: '/docs' });
    });
    for (const path of ['/openapi.json', '/v1/openapi.json']) {
      const { paths } = JSON.parse((await app.inject(path)).text) as { paths: object };
      assert.deepEqual(Object.keys(paths), ['/birds', '/v1/eggs'], path);
    }
  });

  it('is made anew when routes have been added', async () => {
    const app = createApp();
    serve()(app);
    await app.inject('/openapi.json');
    app.get('/late', () => 1);
    assert.match((await app.inject('/openapi.json')).text, /"\/late"/);
  });

  it('is not sent again to a browser that has its files', async () => {
    const app = createApp();
    serve({ docs: '/docs' })(app);
    const first = await app.inject('/docs/swagger-ui-bundle.js');
    const again = await app.inject({ url: '/docs/swagger-ui-bundle.js', headers: { 'If-None-Match': `"other", W/${first.headers.etag}` } });
    assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', first.headers.etag]);
  });

  it('is an error of the request, told in the log, where a schema cannot be said', async () => {
    const logged: unknown[] = [];
    const app = createApp({ logger: { error: (_line: unknown, error?: unknown) => void logged.push(error) } });
    const schema = { '~standard': { version: 1 as const, vendor: 'mine', validate: (value: unknown) => ({ value }) } };
    app.post('/x', { body: schema }, () => 1);
    serveOpenapi(app, { info });
    assert.equal((await app.inject('/openapi.json')).status, 500);
    assert.match(String(logged[0]), /The schema of body of POST \/x/);
  });

  it('says what to install for a page, where it is registered', () => {
    const empty = mkdtempSync(join(tmpdir(), 'fulmar-openapi-'));
    const sources = new URL('../../../src/app/', import.meta.url).href;
    const hooks = new URL('../../../../../scripts/ts-register.mjs', import.meta.url).href;
    const program = `import { createApp } from '${sources}index.ts';
import { serveOpenapi } from '${sources}openapi/index.ts';
serveOpenapi(createApp(), { info: { title: 't', version: '1' }, docs: '/docs' });`;
    try {
      const { stderr } = spawnSync(process.execPath, ['--import', hooks, '--input-type=module', '-e', program], {
        cwd: empty,
        encoding: 'utf8',
      });
      assert.match(
        stderr,
        /is made by it, and swagger-ui-dist is not installed where the application finds it: npm install swagger-ui-dist/,
      );
    } finally {
      rmSync(empty, { recursive: true });
    }
  });

  const wrong: [title: string, options: object, message: RegExp][] = [
    ['no info', {}, /serveOpenapi\(\) needs info/],
    ['a path with a parameter', { info, json: '/:x' }, /json is a path of plain text/],
    ['a path without a slash', { info, docs: 'docs' }, /docs is a path of plain text, as '\/docs', or false/],
    ['true', { info, docs: true }, /docs is a path of plain text/],
    ['a name that is none', { info, doc: '/docs' }, /serveOpenapi\(\) has no option doc; did you mean docs/],
  ];
  for (const [title, options, message] of wrong) {
    it(`is refused for ${title}`, () => assert.throws(() => serveOpenapi(createApp(), options as never), message));
  }

  it('is refused for a path that is taken', () => {
    const app = createApp();
    app.get('/openapi.json', () => 1);
    assert.throws(() => serveOpenapi(app, { info }), /routes that a path can tell apart/);
  });
});
