/** Routes of every style of application come in one list, with their whole path and what runs before them. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createApp } from '../../../src/app/index.ts';
import { basicAuth, cors } from '../../../src/app/middleware/index.ts';
import { listRoutes } from '../../../src/app/openapi/index.ts';
import { allRoutes, type ListedRoute } from '../../../src/app/registry/index.ts';
import express4 from '../../../src/express/express4/index.ts';
import express5 from '../../../src/express/index.ts';
import { knownApplications, noteApplication } from '../../../src/host/applications.ts';
import Koa from '../../../src/koa/index.ts';
import Koa2 from '../../../src/koa/koa2.ts';

const require = createRequire(new URL('../../../../../tests/package.json', import.meta.url));
const load = (name: string): any => {
  const module = require(name) as { default?: unknown };
  return module.default ?? module;
};

const shown = (routes: readonly ListedRoute[]): string[] =>
  routes.map(({ method, path, style, handler, middleware }) => `${method} ${path} ${style} ${handler} [${middleware.join(' ')}]`);

const guard = (_req: unknown, _res: unknown, next: () => void): void => next();

describe('routes of an app', () => {
  it('say which of them are WebSockets', () => {
    const app = createApp().websocket('/rooms/:room', { message: () => {} });
    assert.deepEqual(
      [...listRoutes(app)].map(({ method, path }) => [method, path]),
      [['WS', '/rooms/:room']],
    );
  });

  it('are told with handler, schemas, middleware in order and the place of the registration', () => {
    const app = createApp();
    const schema = { '~standard': { version: 1 as const, vendor: 'test', validate: (value: unknown) => ({ value }) } };
    app.use(cors());
    app.use('/other', function others(_c, next) {
      return next();
    });
    app.post('/birds/:id', { params: schema, response: { 201: schema } }, basicAuth({ users: { a: 'b' } }), function addBird() {
      return 1;
    });
    const [route] = listRoutes(app);
    assert.deepEqual(
      { ...route, place: undefined },
      {
        method: 'POST',
        path: '/birds/:id',
        style: 'app',
        handler: 'addBird',
        schemas: ['params', 'response'],
        middleware: ['cors', 'basicAuth'],
        place: undefined,
      },
    );
    assert.match(String(route?.place), /routes\.test\.ts:\d+$/);
  });

  it('are those for hosts and versions as well', () => {
    const app = createApp({ versioning: { type: 'header', header: 'X-V' } });
    app.get('/', () => 1);
    app.host('api.example.com', (api) => void api.group('/g', (inner) => void inner.get('/x', () => 1)));
    app.version(['1', '2'], (of) => void of.get('/v', () => 1));
    const told = listRoutes(app).map(({ path, host, versions }) => [path, host, versions]);
    assert.deepEqual(told, [
      ['/', undefined, undefined],
      ['/g/x', 'api.example.com', undefined],
      ['/v', undefined, ['1', '2']],
    ]);
  });

  it('whose paths tell a version are one for each, with the middleware that runs', async () => {
    const app = createApp({ versioning: { type: 'uri' } });
    const ran: string[] = [];
    for (const prefix of ['/v1', '/admin', '/other']) {
      app.use(
        prefix,
        Object.defineProperty((_c: unknown, next: () => Promise<unknown>) => (ran.push(prefix), next()), 'name', { value: prefix }),
      );
    }
    app.version(['1', '2'], (of) => void of.get('/admin/x', () => 1));
    const told = listRoutes(app).map(({ path, versions, middleware }) => [path, versions, middleware]);
    assert.deepEqual(told, [
      ['/v1/admin/x', undefined, ['/v1', '/admin']],
      ['/v2/admin/x', undefined, ['/admin']],
    ]);
    for (const [path, , middleware] of told) {
      ran.length = 0;
      assert.equal((await app.inject(path as string)).status, 200);
      assert.deepEqual(ran, middleware);
    }
  });

  it('have the prefixes and middleware of groups and of apps within apps', () => {
    const inner = createApp();
    inner.get('/x', () => 1);
    const app = createApp();
    app.route('/inner', inner);
    app.group('/admin', (admin) => {
      admin.use(cors());
      admin.all('/*rest', () => 1);
    });
    inner.get('/late', () => 1);
    assert.deepEqual(shown(listRoutes(app)), ['GET /inner/x app  []', '* /admin/*rest app  [cors]', 'GET /inner/late app  []']);
  });

  it('are those of what is mounted in it, and a subtree where nobody knows', () => {
    const shop = express5();
    const deep = express5();
    deep.get('/deep', guard);
    shop.get('/', function home() {});
    shop.use('/sub', deep);
    const wiki = new Koa();
    wiki.use(function wikiPage() {} as never);
    const app = createApp();
    app.use(cors());
    app.mount('/shop', shop as never);
    app.mount('/wiki', wiki as never);
    app.mount('/api', { fetch: () => new Response() });
    app.mount('/old', function old(_req: never, _res: never) {});
    assert.deepEqual(shown(listRoutes(app)), [
      'GET /shop express home [cors]',
      'GET /shop/sub/deep express guard [cors]',
      '* /wiki/* koa wikiPage [cors]',
      '* /api/* fetch  [cors]',
      '* /old/* http old [cors]',
    ]);
  });
});

for (const [title, express] of [
  ['Express 5 of ours', express5],
  ['Express 4 of ours', express4],
  ['Express 5 of npm', load('express')],
  ['Express 4 of npm', load('express4')],
] as [string, any][]) {
  describe(`routes of ${title}`, () => {
    it('have the paths of routers and applications around them, and what runs before', () => {
      const app = express();
      const users = express.Router();
      const deeper = express.Router();
      const sub = express();
      deeper.get('/:post', function showPost() {});
      users.use('/:user/posts', deeper);
      users.get('/', guard, function list() {});
      app.use(function log(_req: unknown, _res: unknown, next: () => void) {
        next();
      });
      app.use('/users', users);
      app.all('/all', function all() {});
      app
        .route('/both')
        .get(function getBoth() {})
        .post(guard, function postBoth() {});
      app.get(['/one', '/two'], function several() {});
      app.use((_error: unknown, _req: unknown, _res: unknown, _next: unknown) => {});
      sub.put('/x', function putX() {});
      app.use('/sub', sub);
      // A path with a parameter in it npm's version 4 keeps in no form that can be read.
      const posts = title === 'Express 4 of npm' ? '/users/…/:post' : '/users/:user/posts/:post';
      assert.deepEqual(shown(listRoutes(app)), [
        `GET ${posts} express showPost [log]`,
        'GET /users express list [log guard]',
        '* /all express all [log]',
        'GET /both express getBoth [log]',
        'POST /both express postBoth [log guard]',
        'GET /one express several [log]',
        'GET /two express several [log]',
        // Which application is mounted, npm's layer does not tell.
        ...(title.includes('of ours') ? ['PUT /sub/x express putX []'] : []),
      ]);
    });

    it('do not make a router of ours slower by being read', () => {
      const app = express();
      app.get('/', guard);
      listRoutes(app);
      const router = app._router ?? app.router;
      assert.notEqual(router._stack?._isExposed, true);
    });

    it('are none where there are none, and do not recurse for ever', () => {
      const app = express();
      assert.deepEqual(listRoutes(app), []);
      const one = express.Router();
      const other = express.Router();
      one.use('/a', other);
      other.use('/b', one);
      app.use(one);
      assert.deepEqual(listRoutes(app), []);
    });
  });
}

for (const [title, Router] of [
  ['@koa/router', load('@koa/router')],
  ['koa-router', load('koa-router')],
] as [string, any][]) {
  for (const [name, KoaClass] of [
    ['Koa 3', Koa],
    ['Koa 2', Koa2],
    ['Koa of npm', load('koa')],
  ] as [string, any][]) {
    it(`routes of ${title} in ${name} have prefixes and middleware`, () => {
      const app = new KoaClass();
      const router = new Router({ prefix: '/api' });
      const nested = new Router();
      router.use(async function auth() {});
      router.get('/x/:id', guardKoa, async function show() {});
      nested.put('/deep', async function deep() {});
      router.use('/nest', nested.routes());
      router.all('/all', async function all() {});
      app.use(async function log() {});
      app.use(router.routes()).use(router.allowedMethods());
      assert.deepEqual(shown(listRoutes(app)), [
        'GET /api/x/:id koa show [log auth guardKoa]',
        'PUT /api/nest/deep koa deep [log auth]',
        '* /api/all koa all [log auth]',
      ]);
    });
  }
}

async function guardKoa(): Promise<void> {}

describe('the list of a process', () => {
  it('has each application once, where it is mounted, and listeners of servers', () => {
    const before = new Set(shown(listRoutes()));
    const app = createApp();
    const inner = express5();
    inner.get('/only-here', function onlyHere() {});
    app.mount('/mounted', inner as never);
    app.group('/group', (group) => void group.get('/in-group', () => 1));
    const alone = express4();
    alone.get('/alone', function aloneHere() {});
    const server = createServer(function plainListener() {});
    const found = allRoutes([server, createServer(alone as never)]);
    assert.deepEqual(
      shown(found).filter((line) => !before.has(line)),
      [
        'GET /mounted/only-here express onlyHere []',
        'GET /group/in-group app  []',
        'GET /alone express aloneHere []',
        '* /* http plainListener []',
      ],
    );
    assert.equal(listRoutes(app).length, 2);
  });

  it('keeps no application alive and does not grow with those that are gone', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    for (let round = 0; round < 300; round++) {
      noteApplication({ round });
      if (round % 50 === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        collect();
      }
    }
    await new Promise((resolve) => setImmediate(resolve));
    collect();
    assert.ok(knownApplications().length < 200);
  });

  it('refuses what is no application', () => {
    assert.throws(() => listRoutes({}), /Routes are those of an app, an Express application or a Koa application/);
  });
});
