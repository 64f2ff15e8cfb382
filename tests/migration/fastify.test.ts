/**
 * What docs/migration/from-fastify.md says is the same: documented behaviours of Fastify, the program in
 * Fastify's words and in ours, the same requests.
 */
import { Readable } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyPluginCallback } from 'fastify';
import { definePlugin } from 'fulmar';
import { fastify, JSON_TYPE } from './fastify-peer.ts';
import { defineEqual } from './pairs.ts';

/** What `fastify-plugin` does. */
const shared = (plugin: FastifyPluginCallback): FastifyPluginCallback => Object.assign(plugin, { [Symbol.for('skip-override')]: true });

const NAMED = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const NUMBERED = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;
const PAGED = {
  type: 'object',
  properties: { page: { type: 'integer', default: 1 }, tag: { type: 'array', items: { type: 'string' } }, all: { type: 'boolean' } },
} as const;

defineEqual(fastify, [
  {
    name: 'methods, HEAD by the handler of GET, and routes for several methods',
    theirs(app) {
      app.get('/', () => 'read');
      app.post('/', () => 'written');
      app.route({ method: ['PUT', 'PATCH'], url: '/', handler: (request) => request.method });
    },
    ours: (app) =>
      app
        .get('/', () => 'read')
        .post('/', () => 'written')
        .on(['PUT', 'PATCH'], '/', (c) => c.method),
    ask: ['/', { method: 'HEAD', url: '/' }, { method: 'POST', url: '/' }, { method: 'PUT', url: '/' }],
    fields: ['content-length'],
    both: [
      '200 text/plain content-length=4 read',
      '200 text/plain content-length=4',
      '200 text/plain content-length=7 written',
      '200 text/plain content-length=3 PUT',
    ],
  },
  {
    name: 'text before a parameter before the rest, whichever was registered first',
    theirs(app) {
      app.get('/*', () => 'rest');
      app.get('/:a', () => 'one');
      app.get('/x', () => 'x');
    },
    ours: (app) =>
      app
        .get('/*', () => 'rest')
        .get('/:a', () => 'one')
        .get('/x', () => 'x'),
    ask: ['/x', '/y', '/y/z'],
    both: ['200 text/plain x', '200 text/plain one', '200 text/plain rest'],
  },
  {
    name: 'parameters, decoded once',
    theirs: (app) => app.get('/birds/:name', (request) => (request.params as { name: string }).name),
    ours: (app) => app.get('/birds/:name', (c) => c.params.name),
    ask: ['/birds/a%20b', '/birds/a%2Fb', '/birds/a%2520b', '/birds/%C3%BC'],
    both: ['200 text/plain a b', '200 text/plain a/b', '200 text/plain a%20b', '200 text/plain ü'],
  },
  {
    name: 'several parameters in a segment, with text around them',
    theirs(app) {
      app.get('/near/:lat-:lng/radius/:r', (request) => request.params);
      app.get('/files/:name.png', (request) => request.params);
    },
    ours: (app) => app.get('/near/:lat-:lng/radius/:r', (c) => c.params).get('/files/:name.png', (c) => c.params),
    ask: ['/near/1-2/radius/3', '/files/a.png'],
    both: ['200 application/json {"lat":"1","lng":"2","r":"3"}', '200 application/json {"name":"a"}'],
  },
  {
    name: 'an optional parameter, the rest, and a colon',
    theirs(app) {
      app.get('/a/:b?', (request) => request.params);
      app.get('/files/*', (request) => request.params);
      app.get('/name::verb', () => 'verb');
    },
    ours: (app) =>
      app
        .get('/a/:b?', (c) => c.params)
        .get('/files/*', (c) => c.params)
        .get('/name\\:verb', () => 'verb'),
    ask: ['/a', '/a/x', '/files/a/b%20c', '/files/', '/name:verb'],
    both: [
      '200 application/json {}',
      '200 application/json {"b":"x"}',
      '200 application/json {"*":"a/b c"}',
      '200 application/json {"*":""}',
      '200 text/plain verb',
    ],
  },
  {
    name: 'ignoreTrailingSlash is strict: false',
    theirs: (app) => app.get('/a', () => 'a'),
    ours: (app) => app.get('/a', () => 'a'),
    theirOptions: { routerOptions: { ignoreTrailingSlash: true } },
    options: { strict: false },
    ask: ['/a', '/a/'],
    both: ['200 text/plain a', '200 text/plain a'],
  },
  {
    name: 'routes of a host, and those of all others',
    theirs(app) {
      app.get('/', { constraints: { host: 'birds.example' } }, () => 'birds');
      app.get('/', () => 'all');
    },
    ours(app) {
      app.host('birds.example', (birds) => birds.get('/', () => 'birds'));
      app.get('/', () => 'all');
    },
    ask: [
      { url: '/', headers: { Host: 'birds.example' } },
      { url: '/', headers: { Host: 'bees.example' } },
    ],
    both: ['200 text/plain birds', '200 text/plain all'],
  },
  {
    name: 'routes of a version',
    theirs(app) {
      app.get('/', { constraints: { version: '1.0.0' } }, () => 'one');
      app.get('/', { constraints: { version: '2.0.0' } }, () => 'two');
    },
    ours: (app) => app.get('/', { version: '1.0.0' }, () => 'one').get('/', { version: '2.0.0' }, () => 'two'),
    options: { versioning: { type: 'header', header: 'Accept-Version' } },
    ask: [
      { url: '/', headers: { 'Accept-Version': '1.0.0' } },
      { url: '/', headers: { 'Accept-Version': '2.0.0' } },
    ],
    both: ['200 text/plain one', '200 text/plain two'],
  },
  {
    name: 'a prefix: group, or an app under one',
    theirs: (app) => app.register((v1, _options, done) => { v1.get('/', () => 'root'); v1.get('/users', () => 'users'); done(); }, { prefix: '/v1' }), // prettier-ignore
    ours: (app) => app.group('/v1', (v1) => v1.get('/', () => 'root').get('/users', () => 'users')),
    ask: ['/v1', '/v1/users'],
    both: ['200 text/plain root', '200 text/plain users'],
  },
  {
    name: 'replies: JSON, text, numbers, bytes, a Response, a stream of a type',
    theirs(app) {
      app.get('/json', () => ({ at: new Date(0), none: undefined }));
      app.get('/text', () => 'é');
      app.get('/number', () => 5);
      app.get('/bytes', () => Buffer.from('b'));
      app.get('/response', () => new Response('r', { status: 201 }));
      app.get('/stream', (_request, reply) => reply.type('text/plain').send(Readable.from(['a', 'b'])));
    },
    ours(app) {
      app.get('/json', () => ({ at: new Date(0), none: undefined }));
      app.get('/text', () => 'é');
      app.get('/number', () => 5);
      app.get('/bytes', () => Buffer.from('b'));
      app.get('/response', () => new Response('r', { status: 201 }));
      app.get('/stream', (c) => c.send(Readable.from(['a', 'b']), 'text/plain'));
    },
    ask: ['/json', '/text', '/number', '/bytes', '/response', '/stream'],
    fields: ['content-type'],
    both: [
      '200 application/json content-type=application/json; charset=utf-8 {"at":"1970-01-01T00:00:00.000Z"}',
      '200 text/plain content-type=text/plain; charset=utf-8 é',
      '200 application/json content-type=application/json; charset=utf-8 5',
      '200 application/octet-stream content-type=application/octet-stream b',
      '201 text/plain content-type=text/plain;charset=UTF-8 r',
      '200 text/plain content-type=text/plain ab',
    ],
  },
  {
    name: 'status, fields and type of a reply',
    theirs: (app) => app.get('/', (_request, reply) => reply.code(201).header('X-A', '1').type('text/plain').send('x')),
    ours: (app) => app.get('/', (c) => c.status(201).header('X-A', '1').send('x', 'text/plain')),
    ask: '/',
    fields: ['x-a'],
    both: ['201 text/plain x-a=1 x'],
  },
  {
    name: 'the query: text, lists, names that are none elsewhere',
    theirs: (app) => app.get('/', (request) => request.query),
    ours: (app) => app.get('/', (c) => c.query),
    ask: ['/?a=1&b=x+y&a=2', '/?a', '/?a[b]=1', '/?__proto__=1', '/?a=%zz'],
    both: ['{"a":["1","2"],"b":"x y"}', '{"a":""}', '{"a[b]":"1"}', '{"__proto__":"1"}', '{"a":"%zz"}'].map(
      (text) => `200 application/json ${text}`,
    ),
  },
  {
    name: 'JSON Schema: input is converted, and defaults stand for what is missing',
    theirs(app) {
      app.post('/birds/:id', { schema: { params: NUMBERED, body: NAMED } }, (request) => ({ ...(request.params as object), ...(request.body as object) })); // prettier-ignore
      app.get('/birds', { schema: { querystring: PAGED } }, (request) => request.query);
    },
    ours(app) {
      app.post('/birds/:id', { params: NUMBERED, body: NAMED }, (c) => ({ ...c.params, ...c.body }));
      app.get('/birds', { query: PAGED }, (c) => c.query);
    },
    ask: [
      { url: '/birds/7', body: '{"name":"fulmar","wings":2}', headers: JSON_TYPE },
      '/birds',
      '/birds?page=5&tag=sea&all=true',
      '/birds?tag=a&tag=b',
    ],
    both: ['{"id":7,"name":"fulmar","wings":2}', '{"page":1}', '{"page":5,"tag":["sea"],"all":true}', '{"tag":["a","b"],"page":1}'].map(
      (text) => `200 application/json ${text}`,
    ),
  },
  {
    name: 'a reply by its schema, with additionalProperties: false here',
    theirs: (app) => app.get('/', { schema: { response: { 200: NAMED } } }, () => ({ name: 'ada', password: 'x' })),
    ours: (app) => app.get('/', { response: { 200: { ...NAMED, additionalProperties: false } } }, () => ({ name: 'ada', password: 'x' })),
    ask: '/',
    both: ['200 application/json {"name":"ada"}'],
  },
  {
    name: 'a parser of another type is a line in the handler',
    theirs(app) {
      app.addContentTypeParser('application/csv', { parseAs: 'string' }, (_request, text, done) => done(null, String(text).split(',')));
      app.post('/', (request) => request.body);
    },
    ours: (app) => app.post('/', async (c) => (await c.body.text()).split(',')),
    ask: { url: '/', body: 'a,b', headers: { 'Content-Type': 'application/csv' } },
    both: ['200 application/json ["a","b"]'],
  },
  {
    name: 'onRequest: for requests without a route too, for routes that were there, and it may answer',
    theirs(app) {
      app.get('/', () => 'x');
      app.addHook('onRequest', async (request, reply) => {
        reply.header('X-Hook', '1');
        if (request.headers['x-stop'] !== undefined) return reply.code(401).send('no');
        return undefined;
      });
      app.setNotFoundHandler((_request, reply) => reply.code(404).send('none'));
    },
    ours(app) {
      app.get('/', () => 'x');
      app.onRequest((c) => {
        c.header('X-Hook', '1');
        return c.header('x-stop') === undefined ? undefined : c.status(401).text('no');
      });
      app.notFound(() => 'none');
    },
    ask: ['/', '/none', { url: '/', headers: { 'X-Stop': 'yes' } }],
    fields: ['x-hook'],
    both: ['200 text/plain x-hook=1 x', '404 text/plain x-hook=1 none', '401 text/plain x-hook=1 no'],
  },
  {
    name: 'what a plugin hooks stays inside, unless it is shared',
    theirs(app) {
      const hook = (instance: FastifyInstance, name: string): void =>
        void instance.addHook('onRequest', async (_request, reply) => void reply.header(name, 'yes'));
      app.register((inner, _options, done) => { hook(inner, 'X-Inner'); inner.get('/in', () => 'in'); done(); }); // prettier-ignore
      app.register(shared((outer, _options, done) => { hook(outer, 'X-Shared'); done(); })); // prettier-ignore
      app.get('/out', () => 'out');
    },
    ours(app) {
      app.register((inner) => void inner.onRequest((c) => void c.header('X-Inner', 'yes')).get('/in', () => 'in'));
      app.register(definePlugin({ name: 'shared', encapsulate: false, setup: (outer) => void outer.onRequest((c) => void c.header('X-Shared', 'yes')) })); // prettier-ignore
      app.get('/out', () => 'out');
    },
    ask: ['/in', '/out'],
    fields: ['x-inner', 'x-shared'],
    both: ['200 text/plain x-inner=yes x-shared=yes in', '200 text/plain x-inner=- x-shared=yes out'],
  },
  {
    name: 'decorations of the app and of each request',
    theirs(app) {
      app.decorate('birds', ['fulmar']);
      app.decorateRequest('user', '');
      app.addHook('onRequest', async (request) => void Object.assign(request, { user: 'ada' }));
      app.get('/', (request) => [(app as unknown as { birds: string[] }).birds, (request as unknown as { user: string }).user]);
    },
    ours(app) {
      const decorated = app.decorate('birds', Object.freeze(['fulmar'])).decorateContext('user', () => 'ada');
      decorated.get('/', (c) => [decorated.birds, c.user]);
    },
    ask: '/',
    both: ['200 application/json [["fulmar"],"ada"]'],
  },
  {
    name: 'errors of a plugin: its own handler, and what that throws is for the one around',
    theirs(app) {
      app.setErrorHandler((error: FastifyError, _request, reply) => reply.code(409).send(`outer ${error.message}`));
      app.register((inner, _options, done) => {
        inner.setErrorHandler((error: FastifyError) => { throw new Error(`inner ${error.message}`); }); // prettier-ignore
        inner.get('/', () => { throw new Error('it'); }); // prettier-ignore
        done();
      });
    },
    ours(app) {
      app.onError((error, c) => c.status(409).text(`outer ${(error as Error).message}`));
      app.register((inner) => {
        inner.onError((error) => { throw new Error(`inner ${(error as Error).message}`); }); // prettier-ignore
        inner.get('/', () => { throw new Error('it'); }); // prettier-ignore
      });
    },
    ask: '/',
    both: ['409 text/plain outer inner it'],
  },
  {
    name: 'not found, of a prefix as well',
    theirs(app) {
      app.setNotFoundHandler((_request, reply) => reply.code(404).send('outer'));
      app.register((v1, _options, done) => {
        v1.setNotFoundHandler((_request, reply) => reply.code(404).send('inner'));
        done();
      }, { prefix: '/v1' }); // prettier-ignore
    },
    ours(app) {
      app.notFound(() => 'outer');
      app.group('/v1', (v1) => v1.notFound(() => 'inner'));
    },
    ask: ['/v1/none', '/none'],
    both: ['404 text/plain inner', '404 text/plain outer'],
  },
]);
