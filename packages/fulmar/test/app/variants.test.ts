/**
 * Routes that are for some hosts or versions only.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type App, createApp } from '../../src/app/index.ts';
import { type AppCase, defineCases } from './case.ts';

const NO_HOST = { fetch: 'a Request says the host of its URL' };

function hosts(app: App): void {
  app.get('/', () => 'all');
  app.get('/only-all', () => 'only all');
  app.host('api.example.com', (api) => {
    api.get('/', () => 'api').post('/only-api', () => 'posted');
    api.notFound(() => 'not of the api');
    api.group('/g', (inner) => void inner.get('/', () => 'group'));
  });
  app.host(':tenant.example.com', (tenant) => {
    tenant.get('/', (c) => `tenant ${c.params.tenant}`);
    tenant.get('/pages/:page', (c) => [c.params.tenant, c.params.page]);
  });
  app.host('[::1]', (inner) => void inner.get('/', () => 'six'));
  app.get('/bound', { host: 'BOUND.example.' }, () => 'bound');
}

const at = (
  name: string,
  Host: string,
  url: string,
  expect: AppCase['expect'],
  more: Partial<AppCase> & { method?: string } = {},
): AppCase => {
  const { method, ...rest } = more;
  return { name, app: hosts, ask: { url, headers: { Host }, ...(method === undefined ? {} : { method }) }, expect, not: NO_HOST, ...rest };
};

defineCases('hosts', [
  at('another host', 'www.other.org', '/', { text: 'all' }),
  at('the host', 'api.example.com', '/', { text: 'api' }),
  at('in other letters', 'API.Example.COM', '/', { text: 'api' }),
  at('with a port', 'api.example.com:8080', '/', { text: 'api' }),
  at('with a dot at the end', 'api.example.com.', '/', { text: 'api' }),
  at('a label that stands for any', 'shop.example.com', '/', { text: 'tenant shop' }),
  at('both kinds of parameters', 'shop.example.com', '/pages/cart', { json: ['shop', 'cart'] }),
  at('more labels than there are', 'a.b.example.com', '/', { text: 'all' }),
  at('fewer', 'example.com', '/', { text: 'all' }),
  at('the less particular host where the other has nothing', 'api.example.com', '/pages/x', { json: ['api', 'x'] }),
  at('an empty label', '.example.com', '/', { text: 'all' }),
  at('IPv6', '[::1]:80', '/', { text: 'six' }),
  at('what is for all is everywhere', 'api.example.com', '/only-all', { text: 'only all' }),
  at('a group of a host', 'api.example.com', '/g', { text: 'group' }),
  at('a group elsewhere', 'www.other.org', '/g', { status: 404 }),
  at('a route of a host', 'bound.example', '/bound', { text: 'bound' }),
  at('elsewhere', 'unbound.example', '/bound', { status: 404 }),
  at(
    'another method tells those of the host',
    'api.example.com',
    '/',
    { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } },
    { method: 'DELETE' },
  ),
  at('a method that only the host has', 'api.example.com', '/only-api', { status: 405, headers: { allow: 'OPTIONS, POST' } }),
  at('elsewhere it is nothing', 'www.other.org', '/only-api', { status: 404 }),
  at('notFound of a host', 'api.example.com', '/none', { status: 404, text: 'not of the api' }),
  at('notFound elsewhere', 'www.other.org', '/none', { status: 404, text: /Nothing is at/ }),
  at('OPTIONS', 'api.example.com', '/only-api', { status: 204, headers: { allow: 'OPTIONS, POST' } }, { method: 'OPTIONS' }),
  at('HEAD', 'shop.example.com', '/', { status: 200, text: '' }, { method: 'HEAD' }),
  at(
    'a proxy that is not believed',
    'www.other.org',
    '/',
    { text: 'all' },
    { ask: { url: '/', headers: { Host: 'www.other.org', 'X-Forwarded-Host': 'api.example.com' } } },
  ),
  at(
    'a proxy that is',
    'www.other.org',
    '/',
    { text: 'api' },
    { options: { trustProxy: 1 }, ask: { url: '/', headers: { Host: 'www.other.org', 'X-Forwarded-Host': 'api.example.com' } } },
  ),
]);

it('of fetch the host is that of its URL', async () => {
  const app = createApp();
  hosts(app);
  assert.equal(await (await app.fetch(new Request('http://api.example.com/'))).text(), 'api');
});

it('without Host what is for all answers', async () => {
  const app = createApp();
  hosts(app);
  assert.equal((await app.inject({ url: '/', headers: { Host: '' } })).text, 'all');
});

const versions = (app: App): void => {
  app.get('/birds', { version: '1' }, () => 'one').get('/birds', { version: ['2', '3'] }, (c) => `two ${c.route}`);
  app.get('/neutral', () => 'neutral');
  app.use('/admin', (c, next) => (c.header('authorization') === undefined ? c.status(401).text('who?') : next()));
  app.version('2', (two) => void two.group('/admin', (inner) => void inner.get('/', () => 'admin of two')));
};
const inPath = { versioning: { type: 'uri' } } as const;
const inField = { versioning: { type: 'header', header: 'X-Version' } } as const;
const inType = { versioning: { type: 'media-type' } } as const;
const byFunction = {
  versioning: { type: 'custom', version: (c: { header(name: string): string | undefined }) => c.header('x-versions')?.split(',') },
} as const;
const of = (name: string, options: AppCase['options'], ask: AppCase['ask'], expect: AppCase['expect']): AppCase => ({
  name,
  options: options ?? {},
  app: versions,
  ask,
  expect,
});

defineCases('versions', [
  of('in the path', inPath, '/v1/birds', { text: 'one' }),
  of('one of several in the path', inPath, '/v3/birds', { text: 'two /v3/birds' }),
  of('no version in the path', inPath, '/birds', { status: 404 }),
  of('a version that is none', inPath, '/v4/birds', { status: 404 }),
  of('a neutral path', inPath, '/neutral', { text: 'neutral' }),
  of('a neutral path has no version', inPath, '/v1/neutral', { status: 404 }),
  of('middleware of the path without version is around', inPath, '/v2/admin', { status: 401 }),
  of('and lets through', inPath, { url: '/v2/admin', headers: { Authorization: 'x' } }, { text: 'admin of two' }),
  of('another prefix', { versioning: { type: 'uri', prefix: '' } }, '/1/birds', { text: 'one' }),
  of('another method', inPath, { url: '/v1/birds', method: 'PUT' }, { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } }),
  of('in a field', inField, { url: '/birds', headers: { 'x-version': '1' } }, { text: 'one', headers: { vary: 'X-Version' } }),
  of('another one in a field', inField, { url: '/birds', headers: { 'X-Version': ' 2' } }, { text: 'two /birds' }),
  of('no field', inField, '/birds', { status: 404 }),
  of(
    'a neutral route with a field',
    inField,
    { url: '/neutral', headers: { 'X-Version': '9' } },
    { text: 'neutral', headers: { vary: undefined } },
  ),
  of('middleware is around routes of a version', inField, { url: '/admin', headers: { 'X-Version': '2' } }, { status: 401 }),
  of(
    'OPTIONS of a version',
    inField,
    { url: '/birds', method: 'OPTIONS', headers: { 'X-Version': '1' } },
    { status: 204, headers: { allow: 'GET, HEAD, OPTIONS' } },
  ),
  of(
    'in the media type',
    inType,
    { url: '/birds', headers: { Accept: 'application/json;v=2' } },
    { text: 'two /birds', headers: { vary: 'Accept' } },
  ),
  of('quoted, behind others', inType, { url: '/birds', headers: { Accept: 'text/html, application/json; q=0.5; V="1"' } }, { text: 'one' }),
  of('a media type without', inType, { url: '/birds', headers: { Accept: 'application/json' } }, { status: 404 }),
  of('by a function, the best first', byFunction, { url: '/birds', headers: { 'X-Versions': '9,3,1' } }, { text: 'two /birds' }),
  of('by a function that tells none', byFunction, '/birds', { status: 404 }),
]);

defineCases('hosts and versions', [
  {
    name: 'an app under a prefix keeps both',
    options: inPath,
    app: (app) =>
      void app.route(
        '/r',
        createApp(inPath).host('api.example.com', (api) => void api.get('/x', { version: '1' }, () => 'both')),
      ),
    ask: { url: '/v1/r/x', headers: { Host: 'api.example.com' } },
    not: NO_HOST,
    expect: { text: 'both' },
  },
  {
    name: 'a host goes before a version',
    options: inField,
    app: (app) => void app.get('/', { version: '1' }, () => 'version').host('api.example.com', (api) => void api.get('/', () => 'host')),
    ask: { url: '/', headers: { Host: 'api.example.com', 'X-Version': '1' } },
    not: NO_HOST,
    expect: { text: 'host' },
  },
]);

const wrong: readonly [string, () => unknown, RegExp][] = [
  ['a host with a port', () => createApp().host('a.example:80', () => {}), /A host is a name without protocol and port.*"a\.example:80"/],
  ['a host with a protocol', () => createApp().get('/', { host: 'http://a' }, () => 1), /variants\.test\.ts:\d+\): A host is a name/],
  ['an empty host', () => createApp().host('', () => {}), /A host is a name/],
  [
    'a version without a way to tell it',
    () => createApp().get('/', { version: '1' }, () => 1),
    /Versions need createApp\(\{ versioning \}\)/,
  ],
  ['a version that is none', () => createApp(inPath).get('/', { version: 'a/b' }, () => 1), /A version is a word/],
  ['no version', () => createApp(inPath).version([], () => {}), /A version is a word/],
  ['a versioning that is none', () => createApp({ versioning: { type: 'url' } as never }), /versioning is \{ type: 'uri', prefix\? \}/],
  ['a versioning without its field', () => createApp({ versioning: { type: 'header' } as never }), /versioning is/],
  [
    'the same route of a host twice',
    () =>
      createApp()
        .host('a.b', (a) => void a.get('/', () => 1))
        .get('/', { host: 'A.B' }, () => 2),
    /expected routes that a path can tell apart/,
  ],
  [
    'the same route of a version twice',
    () =>
      createApp(inField)
        .get('/', { version: ['1', '2'] }, () => 1)
        .get('/', { version: '2' }, () => 2),
    /tell apart/,
  ],
];
for (const [name, run, message] of wrong) it(`says what is wrong with ${name}`, () => assert.throws(run, message));

it('lists all routes in their order', () => {
  const app = createApp(inField);
  app
    .get('/a', () => 1)
    .get('/b', { version: '1' }, () => 1)
    .host('x.y', (inner) => void inner.get('/c', () => 1));
  assert.deepEqual(
    [...app.routes()].map(({ path }) => path),
    ['/a', '/b', '/c'],
  );
});

defineCases('what a reply depends on is said once', [
  {
    name: 'by the version, middleware, the handler and its Response',
    options: { versioning: { type: 'header', header: 'X-V' } },
    app: (app) => {
      app.use((c, next) => {
        c.header('Vary', 'x-v, Accept', { append: true });
        return next();
      });
      app.get('/', { version: '1' }, (c) => {
        c.header('Vary', 'Origin', { append: true });
        return new Response('x', { headers: { Vary: 'accept, X-V, Cookie' } });
      });
    },
    ask: { url: '/', headers: { 'X-V': '1' } },
    expect: { text: 'x', headers: { vary: 'X-V, Accept, Origin, Cookie' } },
  },
  {
    name: 'not at all where it depends on everything',
    app: (app) => app.get('/', (c) => c.header('Vary', '*').header('Vary', 'Accept', { append: true }).text('x')),
    ask: '/',
    expect: { headers: { vary: '*' } },
  },
]);
