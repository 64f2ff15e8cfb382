/** What routes become in a document of OpenAPI 3.1. Every document of these tests is validated. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { basicAuth, bearerAuth, cors, jwt } from '../../../src/app/middleware/index.ts';
import { type App, type AppOptions, createApp, type Middleware } from '../../../src/app/index.ts';
import { openapi } from '../../../src/app/openapi/index.ts';
import express from '../../../src/express/index.ts';
import express4 from '../../../src/express/express4/index.ts';
import Koa from '../../../src/koa/index.ts';
import { documentOf, info, operationIn } from './documents.ts';

const nothing = (): string => '';
const pathsOf = async (define: Parameters<typeof documentOf>[0]): Promise<string[]> => {
  const { paths } = await documentOf(define);
  return Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
};

describe('paths', () => {
  it('of WebSockets are there where they answer other requests', async () => {
    const found = await pathsOf((app) => {
      app.websocket('/alone', { open() {} });
      app.websocket('/beside', { open() {}, request: nothing }, { summary: 'A page', response: { type: 'string' } });
    });
    assert.deepEqual(found, ['get /beside']);
  });
  const cases: [registered: string, templates: string[]][] = [
    ['/', ['/']],
    ['/birds/:id', ['/birds/{id}']],
    ['/birds/:id?', ['/birds/{id}', '/birds']],
    ['/:year?/:month?', ['/{year}/{month}', '/{year}', '/']],
    ['/files/*path', ['/files/{path}']],
    ['/files/*', ['/files/{rest}']],
    ['/:name.:type', ['/{name}.{type}']],
    ['/a\\:b', ['/a:b']],
    ['/{x}', ['/%7Bx%7D']],
    ['/größe/:id', ['/größe/{id}']],
    ['/what\\?/:id', ['/what%3F/{id}']],
    ['/a/', ['/a/']],
  ];
  for (const [registered, templates] of cases) {
    it(`of ${registered} are ${templates.join(' and ')}`, async () => {
      const { paths } = await documentOf((app) => void app.get(registered, nothing));
      assert.deepEqual(Object.keys(paths), templates);
      for (const [template, item] of Object.entries(paths)) {
        const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        const parameters = item['get']?.parameters ?? [];
        assert.deepEqual(
          parameters.map((one) => [one.in, one.name, one.required]),
          names.map((name) => ['path', name, true]),
        );
      }
    });
  }

  it('that differ in names alone are one, with the first names', async () => {
    const document = await documentOf((app) => {
      app.get('/birds/:id', nothing);
      app.put('/birds/:name', { params: z.object({ name: z.string().min(3) }) }, nothing);
    });
    assert.deepEqual(Object.keys(document.paths), ['/birds/{id}']);
    assert.deepEqual(operationIn(document, '/birds/{id}', 'put').parameters, [
      { name: 'id', in: 'path', required: true, schema: { type: 'string', minLength: 3 } },
    ]);
  });

  it('of all methods are five, without those that have a route of their own', async () => {
    const document = await documentOf((app) => {
      app.all('/x', { summary: 'all' }, nothing);
      app.get('/x', { summary: 'own' }, nothing);
    });
    const summaries = Object.entries(document.paths['/x'] ?? {}).map(([method, { summary }]) => `${method} ${summary}`);
    assert.deepEqual(summaries, ['get own', 'post all', 'put all', 'patch all', 'delete all']);
  });

  it('have no methods that OpenAPI does not know, and none that are hidden', async () => {
    const found = await pathsOf((app) => {
      app.on(['PROPFIND', 'GET'], '/dav', nothing);
      app.get('/hidden', { hidden: true }, nothing);
      app.get('/shown', { hidden: false }, nothing);
    });
    assert.deepEqual(found, ['get /dav', 'get /shown']);
  });

  it('of Express and Koa applications that are mounted are there, as far as they can be said', async () => {
    const found = await pathsOf((app) => {
      const shop = express();
      shop.get('/cart/:id', nothing as never);
      shop.get('/opt{/:page}', nothing as never);
      shop.get('/files/*rest', nothing as never);
      shop.get(/^\/pattern/, nothing as never);
      const old = express4();
      old.get('/n/:id(\\d+)', nothing as never);
      old.get('/o/:id?', nothing as never);
      old.get('/all/*', nothing as never);
      old.get('/ab?c', nothing as never);
      const koa = new Koa();
      koa.use(nothing as never);
      app.mount('/shop', shop as never);
      app.mount('/old', old as never);
      app.mount('/koa', koa as never);
      app.mount('/fetch', { fetch: () => new Response() });
    });
    assert.deepEqual(found, [
      'get /shop/cart/{id}',
      'get /shop/opt/{page}',
      'get /shop/opt',
      'get /shop/files/{rest}',
      'get /old/n/{id}',
      'get /old/o/{id}',
      'get /old/o',
      'get /old/all/{rest}',
      ...['get', 'post', 'put', 'patch', 'delete'].map((method) => `${method} /koa/{rest}`),
    ]);
  });
});

describe('routes for hosts and versions', () => {
  const of = async (versioning: AppOptions['versioning'], define: (app: App) => void) => {
    const { paths } = await documentOf(define, { app: versioning === undefined ? {} : { versioning } });
    return Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { operationId }]) => [method, path, operationId]),
    );
  };

  it('of a host are there, behind those for all', async () => {
    const found = await of(undefined, (app) => {
      app.host('api.example.com', (api) => void api.get('/', { operationId: 'api' }, nothing).get('/x', nothing));
      app.get('/', { operationId: 'all' }, nothing);
    });
    assert.deepEqual(found, [
      ['get', '/', 'all'],
      ['get', '/x', 'getX'],
    ]);
  });

  it('of versions in the path are one for each, with names of their own', async () => {
    const found = await of({ type: 'uri' }, (app) => {
      app.version(['1', '2'], (inner) => void inner.get('/x', { operationId: 'readX' }, nothing).get('/y', nothing));
    });
    assert.deepEqual(found, [
      ['get', '/v1/x', 'readX'],
      ['get', '/v2/x', 'readXGetV2X'],
      ['get', '/v1/y', 'getV1Y'],
      ['get', '/v2/y', 'getV2Y'],
    ]);
  });

  it('of versions in a field are one', async () => {
    const found = await of({ type: 'header', header: 'X-V' }, (app) => {
      app.version(['1', '2'], (inner) => void inner.get('/x', { operationId: 'readX' }, nothing));
    });
    assert.deepEqual(found, [['get', '/x', 'readX']]);
  });
});

describe('parameters', () => {
  it('are the members of query, headers and cookies, one by one', async () => {
    const document = await documentOf((app) => {
      app.get(
        '/:id',
        {
          params: z.object({ id: z.coerce.number().int().describe('its number') }),
          query: z.object({
            q: z.string(),
            limit: z.coerce.number().max(100).default(10),
            old: z.string().optional().meta({ deprecated: true }),
          }),
          headers: z.object({ 'x-trace': z.string().optional(), authorization: z.string(), accept: z.string().optional() }),
          cookies: z.object({ session: z.string() }),
        },
        nothing,
      );
    });
    assert.deepEqual(
      operationIn(document).parameters?.map(({ name, in: place, required, description, deprecated, schema }) => [
        `${place} ${name}`,
        required === true,
        description ?? deprecated ?? '',
        schema['type'],
      ]),
      [
        ['path id', true, 'its number', 'integer'],
        ['query q', true, '', 'string'],
        ['query limit', false, '', 'number'],
        ['query old', false, true, 'string'],
        ['header x-trace', false, '', 'string'],
        ['cookie session', true, '', 'string'],
      ],
    );
  });

  it('of intersections are those of all parts, of alternatives required where all require them', async () => {
    const a = z.object({ a: z.string(), c: z.string() });
    const b = z.object({ b: z.string(), c: z.string() });
    const required = async (query: z.ZodType): Promise<string[]> =>
      (operationIn(await documentOf((app) => void app.get('/', { query }, nothing))).parameters ?? []).map(
        (one) => `${one.name}${one.required === true ? '!' : ''}`,
      );
    assert.deepEqual(await required(z.intersection(a, b)), ['a!', 'c!', 'b!']);
    assert.deepEqual(await required(z.union([a, b])), ['a', 'c!', 'b']);
    assert.deepEqual(await required(z.record(z.string(), z.string())), []);
    assert.deepEqual(await required(a.meta({ id: 'Query' })), ['a!', 'c!']);
  });
});

describe('content and responses', () => {
  const bird = z.object({ id: z.number(), seen: z.date(), tags: z.array(z.string()).default([]) });

  it('take the input of a schema for what comes and its output for what goes', async () => {
    const document = await documentOf((app) => void app.put('/', { body: bird, response: bird }, (c) => c.body));
    const { requestBody, responses } = operationIn(document);
    const of = (content: unknown): Record<string, any> => (content as any).content['application/json'].schema;
    assert.deepEqual(of(requestBody)['required'], ['id', 'seen']);
    assert.deepEqual(of(responses['200'])['required'], ['id', 'seen', 'tags']);
    assert.deepEqual(of(responses['200'])['properties'].seen, { type: 'string', format: 'date-time' });
    assert.equal(of(responses['200'])['additionalProperties'], undefined);
  });

  it('are JSON or a form where an object comes, JSON alone where not', async () => {
    const types = async (body: z.ZodType): Promise<string[]> =>
      Object.keys(operationIn(await documentOf((app) => void app.post('/', { body }, nothing))).requestBody?.content ?? {});
    assert.deepEqual(await types(z.object({ a: z.string() })), ['application/json', 'application/x-www-form-urlencoded']);
    assert.deepEqual(await types(z.array(z.string())), ['application/json']);
  });

  it('are required unless the schema takes nothing', async () => {
    const required = async (body: z.ZodType): Promise<unknown> =>
      operationIn(await documentOf((app) => void app.post('/', { body }, nothing))).requestBody?.required;
    assert.equal(await required(z.object({})), true);
    assert.equal(await required(z.object({}).optional()), undefined);
    assert.equal(await required(z.object({}).refine(async () => true)), true);
  });

  it('are by status, without content where a status has none', async () => {
    const response = { 201: bird.describe('The new one'), 204: z.undefined(), 404: z.object({ error: z.string() }) };
    const { responses } = operationIn(await documentOf((app) => void app.post('/', { response }, () => undefined as never)));
    assert.deepEqual(Object.keys(responses), ['201', '204', '404', 'default']);
    assert.deepEqual(responses['204'], { description: 'No Content' });
    assert.equal((responses['201'] as { description: string }).description, 'The new one');
  });

  it('are those of the app itself as well, each once among the components', async () => {
    const document = await documentOf((app) => {
      app.post('/a', { body: bird }, nothing);
      app.post('/b', { body: bird, response: { 413: z.string() } }, nothing);
      app.get('/c', { query: z.object({}) }, nothing);
      app.get('/d', nothing);
    });
    const statuses = (path: string): string[] => Object.keys(operationIn(document, path).responses);
    assert.deepEqual(statuses('/a'), ['200', '400', '413', '415', '422', 'default']);
    assert.deepEqual(statuses('/c'), ['200', '422', 'default']);
    assert.deepEqual(statuses('/d'), ['200', 'default']);
    assert.ok('content' in (operationIn(document, '/b').responses['413'] ?? {}), 'its own schema');
    assert.deepEqual(Object.keys(document.components?.responses ?? {}), [
      'BadRequest',
      'Error',
      'InvalidInput',
      'TooLarge',
      'UnsupportedMediaType',
    ]);
    assert.deepEqual(Object.keys(document.components?.schemas ?? {}), ['Problem']);
  });

  it('follow what the app is told of errors', async () => {
    const document = await documentOf((app) => void app.post('/', { body: bird }, nothing), {
      app: { errors: 'simple', invalidInput: 400 },
    });
    assert.deepEqual(operationIn(document).responses['400'], { $ref: '#/components/responses/InvalidInput' });
    assert.equal(operationIn(document).responses['422'], undefined);
    assert.deepEqual(Object.keys(document.components?.schemas ?? {}), ['SimpleError']);
    assert.ok('application/json' in (document.components?.responses?.['Error']?.content ?? {}));
  });
});

describe('operations', () => {
  it('are named by method and path, whatever else there is', async () => {
    const document = await documentOf((app) => {
      app.get('/', nothing);
      app.get('/birds/:id/eggs', nothing);
      app.get('/birds-of-prey/:name.json', nothing);
      app.delete('/a/b', nothing);
      app.delete('/a-b', nothing);
      app.get('/opt/:x?', { operationId: 'own' }, nothing);
    });
    const ids = Object.values(document.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    assert.deepEqual(ids, ['getRoot', 'getBirdsByIdEggs', 'getBirdsOfPreyByNameJson', 'deleteAB', 'deleteAB2', 'own', 'ownGetOpt']);
  });

  it('have no name twice', () => {
    const app = createApp();
    app.get('/a', { operationId: 'x' }, nothing);
    app.get('/b', { operationId: 'x' }, nothing);
    assert.throws(() => openapi(app, { info }), /operationId x of GET \/b is that of GET \/a already/);
  });

  it('have what their route is told', async () => {
    const told = { summary: 's', description: 'd **md**', tags: ['t'], deprecated: true, operationId: 'o' };
    const { operationId, summary, description, tags, deprecated } = operationIn(
      await documentOf((app) => void app.get('/', told, nothing)),
    );
    assert.deepEqual({ operationId, summary, description, tags, deprecated }, told);
  });
});

describe('security', () => {
  it('is what middleware tells, of groups too, and 401 with it', async () => {
    const document = await documentOf((app) => {
      app.use(cors());
      app.get('/open', nothing);
      app.group('/admin', (admin) => {
        admin.use(basicAuth({ users: { a: 'b' } }));
        admin.get('/x', bearerAuth({ tokens: ['t'] }), nothing);
      });
    });
    assert.equal(operationIn(document, '/open').security, undefined);
    assert.deepEqual(operationIn(document, '/admin/x').security, [{ basicAuth: [], bearerAuth: [] }]);
    assert.ok('401' in operationIn(document, '/admin/x').responses);
    assert.deepEqual(document.components?.securitySchemes, {
      basicAuth: { type: 'http', scheme: 'basic' },
      bearerAuth: { type: 'http', scheme: 'bearer' },
    });
  });

  it('is a token for whoever uses jwt()', async () => {
    const document = await documentOf((app) => {
      app.use(jwt({ secret: 'a secret of more than thirty-two bytes', algorithms: ['HS256'] }));
      app.get('/', nothing);
    });
    assert.deepEqual(operationIn(document).security, [{ jwt: [] }]);
    assert.deepEqual(document.components?.securitySchemes, { jwt: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } });
  });

  it('is what middleware of the application tells by a property, and what is given says more', async () => {
    const key: Middleware = Object.assign((_c: unknown, next: () => unknown) => next(), {
      security: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } },
    });
    const document = await documentOf((app) => void app.get('/', key, nothing), {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Other' } },
    });
    assert.deepEqual(operationIn(document).security, [{ key: [] }]);
    assert.equal(document.components?.securitySchemes?.['key']?.['name'], 'X-Other');
  });

  it('of a route goes before its middleware, and of the document before none', async () => {
    const document = await documentOf(
      (app) => {
        app.use(bearerAuth({ tokens: ['t'] }));
        app.get('/free', { security: [] }, nothing);
        app.get('/either', { security: [{ bearerAuth: [] }, { key: [] }] }, nothing);
      },
      { security: [{ key: [] }], securitySchemes: { key: { type: 'apiKey', in: 'cookie', name: 'k' } } },
    );
    assert.deepEqual(operationIn(document, '/free').security, []);
    assert.equal('401' in operationIn(document, '/free').responses, false);
    assert.deepEqual(operationIn(document, '/either').security, [{ bearerAuth: [] }, { key: [] }]);
    assert.deepEqual(document.security, [{ key: [] }]);
  });

  it('names no scheme that is none', () => {
    const app = createApp();
    app.get('/a', { security: [{ nope: [] }] }, nothing);
    assert.throws(() => openapi(app, { info }), /security of GET \/a \(.*\) names nope, which is no security scheme.* There are: none\./);
    assert.throws(() => openapi(createApp(), { info, security: [{ nope: [] }] }), /security of openapi\(\) names nope/);
  });
});

describe('options', () => {
  const wrong: [title: string, options: unknown, message: RegExp][] = [
    ['nothing', undefined, /openapi\(\) takes an object of options/],
    ['no info', {}, /openapi\(\) needs info, an object with title and version/],
    ['an info without a version', { info: { title: 't' } }, /info is an object with title and version/],
    ['a name that is none', { info, server: [] }, /has no option server; did you mean servers/],
    ['servers that are texts', { info, servers: ['/'] }, /servers is an array of objects with a url/],
    ['a scheme without a type', { info, securitySchemes: { a: {} } }, /securitySchemes is an object of security schemes/],
    ['tags that are texts', { info, tags: ['a'] }, /tags is an array of objects with a name/],
    ['a prototype', { info, ['__proto__x']: 1 }, /has no option __proto__x/],
  ];
  for (const [title, options, message] of wrong) {
    it(`are refused: ${title}`, () => assert.throws(() => openapi(createApp(), options as never), message));
  }

  it('of a route are refused where they are registered', () => {
    const app = createApp();
    const add = (options: object) => () => app.get('/', options as never, nothing);
    assert.throws(add({ security: 'x' }), /security of GET \/ .* is an array of objects with scopes/);
    assert.throws(add({ hidden: 'yes' }), /hidden of GET \/ .* is true or false/);
    assert.throws(add({ operationId: '' }), /operationId of GET \/ .* is a text that is not empty/);
    assert.throws(add({ descripton: '' }), /has no option descripton; description is meant\?/);
  });

  it('say what is no app', () => {
    assert.throws(() => openapi(express() as never, { info }), /openapi\(\) takes an app of fulmar/);
    assert.throws(() => openapi(undefined as never, { info }), /openapi\(\) takes an app of fulmar/);
  });

  it('are passed on, and an app without routes is a document', async () => {
    const more = {
      servers: [{ url: '/api' }],
      tags: [{ name: 'birds', description: 'd' }],
      externalDocs: { url: 'https://birds.example' },
    };
    const document = await documentOf(() => {}, more);
    assert.deepEqual(document, { openapi: '3.1.1', info, ...more, paths: {} });
  });
});
