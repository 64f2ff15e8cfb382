/**
 * Every difference between Fastify and the app that docs/migration/from-fastify.md lists: the same program, the
 * same requests, what each side answers.
 */
import { Readable } from 'node:stream';
import type { FastifyError } from 'fastify';
import { HttpError } from 'fulmar';
import { fastify, FORM, JSON_TYPE } from './fastify-peer.ts';
import { defineDifferences } from './pairs.ts';

const NAMED = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } as const;
const NUMBERED = { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } as const;

const OURS_500 = '500 application/problem+json {"title":"Internal Server Error","status":500,"instance":"urn:error:…"}';
const ours404 = (path: string): string =>
  `404 application/problem+json {"title":"Not Found","status":404,"detail":"Nothing is at ${path}."}`;
const theirs404 = (method: string, path: string): string =>
  `404 application/json {"message":"Route ${method}:${path} not found","error":"Not Found","statusCode":404}`;
const invalid = (errors: string): string =>
  `422 application/problem+json {"title":"Unprocessable Content","status":422,"detail":"The input is not valid.","errors":[${errors}]}`;
const UNNAMED = '{"in":"body","path":["name"],"expected":"string","received":"undefined","message":"Expected string, received undefined."}';
const NO_INTEGER = '{"in":"params","path":["id"],"expected":"integer","received":"string","message":"Expected integer, received string."}';

const fail = (): never => {
  throw new Error('of the database');
};

defineDifferences(fastify, [
  {
    id: 'F1',
    name: 'a parameter has at least one character',
    theirs: (app) => app.get('/birds/:name', (request) => request.params),
    ours: (app) => app.get('/birds/:name', (c) => c.params),
    ask: '/birds/',
    stock: ['200 application/json {"name":""}'],
    fulmar: [ours404('/birds/')],
  },
  {
    id: 'F2',
    name: 'the path / under a prefix is the prefix alone',
    theirs: (app) => app.register((v1, _options, done) => { v1.get('/', () => 'root'); done(); }, { prefix: '/v1' }), // prettier-ignore
    ours: (app) => app.group('/v1', (v1) => v1.get('/', () => 'root')),
    ask: ['/v1', '/v1/'],
    stock: ['200 text/plain root', '200 text/plain root'],
    fulmar: ['200 text/plain root', ours404('/v1/')],
  },
  {
    id: 'F3',
    name: 'another method is 405 with those there are, and OPTIONS is answered',
    theirs: (app) => app.get('/', () => 'x'),
    ours: (app) => app.get('/', () => 'x'),
    ask: [
      { method: 'PUT', url: '/' },
      { method: 'OPTIONS', url: '/' },
    ],
    fields: ['allow'],
    stock: [theirs404('PUT', '/').replace('json', 'json allow=-'), theirs404('OPTIONS', '/').replace('json', 'json allow=-')],
    fulmar: [
      '405 application/problem+json allow=GET, HEAD, OPTIONS {"title":"Method Not Allowed","status":405,"detail":"PUT is not a method of /; GET, HEAD, OPTIONS are."}',
      '204 - allow=GET, HEAD, OPTIONS',
    ],
  },
  {
    id: 'F4',
    name: 'errors are problems, and what a client is told of 500 is an id',
    theirs: (app) => app.get('/500', fail).get('/409', () => { throw Object.assign(new Error('taken'), { statusCode: 409 }); }), // prettier-ignore
    ours: (app) => app.get('/500', fail).get('/409', () => { throw new HttpError(409, 'taken'); }), // prettier-ignore
    ask: ['/404', '/500', '/409'],
    stock: [
      theirs404('GET', '/404'),
      '500 application/json {"statusCode":500,"error":"Internal Server Error","message":"of the database"}',
      '409 application/json {"statusCode":409,"error":"Conflict","message":"taken"}',
    ],
    fulmar: [ours404('/404'), OURS_500, '409 application/problem+json {"title":"Conflict","status":409,"detail":"taken"}'],
  },
  {
    id: 'F5',
    name: 'no value is 204',
    theirs(app) {
      app.get('/undefined', async () => undefined);
      app.get('/null', () => null);
    },
    ours: (app) => app.get('/undefined', async () => undefined).get('/null', () => null),
    ask: ['/undefined', '/null'],
    stock: ['200 -', '200 application/json null'],
    fulmar: ['204 -', '204 -'],
  },
  {
    id: 'F6',
    name: 'what is not found is an error as well, for who handles errors',
    theirs: (app) => app.setErrorHandler((error: FastifyError, _request, reply) => reply.code(500).send(error.message)),
    ours: (app) => app.onError((error, c) => c.status(500).text((error as Error).message)),
    ask: '/none',
    stock: [theirs404('GET', '/none')],
    fulmar: ['500 text/plain Nothing is at /none.'],
  },
  {
    id: 'F7',
    name: 'what is around handlers is around those that are registered behind it',
    theirs(app) {
      app.get('/', () => 'x');
      app.addHook('preHandler', async (_request, reply) => void reply.header('X-Hook', '1'));
    },
    ours(app) {
      app.get('/', () => 'x');
      app.use((c, next) => {
        c.header('X-Hook', '1');
        return next();
      });
    },
    ask: '/',
    fields: ['x-hook'],
    stock: ['200 text/plain x-hook=1 x'],
    fulmar: ['200 text/plain x-hook=- x'],
  },
  {
    id: 'F8',
    name: 'input that is not valid is 422, with all that is wrong with it',
    theirs: (app) => app.post('/:id', { schema: { params: NUMBERED, body: NAMED } }, () => 'x'),
    ours: (app) => app.post('/:id', { params: NUMBERED, body: NAMED }, () => 'x'),
    ask: { url: '/x', body: '{}', headers: JSON_TYPE },
    stock: [
      '400 application/json {"statusCode":400,"code":"FST_ERR_VALIDATION","error":"Bad Request","message":"params/id must be integer"}',
    ],
    fulmar: [invalid(`${NO_INTEGER},${UNNAMED}`)],
  },
  {
    id: 'F9',
    name: 'JSON is not converted',
    theirs: (app) => app.post('/', { schema: { body: NAMED } }, (request) => request.body),
    ours: (app) => app.post('/', { body: NAMED }, (c) => c.body),
    ask: { url: '/', body: '{"name":5}', headers: JSON_TYPE },
    stock: ['200 application/json {"name":"5"}'],
    fulmar: [invalid(UNNAMED.replace('"undefined"', '"number"').replace('undefined.', 'number.'))],
  },
  {
    id: 'F10',
    name: 'what a schema does not allow is refused, not taken out',
    theirs: (app) => app.post('/', { schema: { body: { ...NAMED, additionalProperties: false } } }, (request) => request.body),
    ours: (app) => app.post('/', { body: { ...NAMED, additionalProperties: false } }, (c) => c.body),
    ask: { url: '/', body: '{"name":"x","wings":2}', headers: JSON_TYPE },
    stock: ['200 application/json {"name":"x"}'],
    fulmar: [
      invalid(
        '{"in":"body","path":["wings"],"expected":"no member of this name","received":"number","message":"Expected no member of this name, received number."}',
      ),
    ],
  },
  {
    id: 'F11',
    name: 'a reply has what its schema allows, not only what it names, and is not converted',
    theirs(app) {
      app.get('/more', { schema: { response: { 200: NAMED } } }, () => ({ name: 'ada', password: 'x' }));
      app.get('/other', { schema: { response: { 200: NAMED } } }, () => ({ name: 5 }));
    },
    ours(app) {
      app.get('/more', { response: { 200: NAMED } }, () => ({ name: 'ada', password: 'x' }));
      app.get('/other', { response: { 200: NAMED } }, (() => ({ name: 5 })) as never);
    },
    ask: ['/more', '/other'],
    stock: ['200 application/json {"name":"ada"}', '200 application/json {"name":"5"}'],
    fulmar: ['200 application/json {"name":"ada","password":"x"}', OURS_500],
  },
  {
    id: 'F12',
    name: 'JSON with a member __proto__ is read, as a member of its own',
    theirs: (app) => app.post('/', (request) => request.body),
    ours: (app) => app.post('/', (c) => c.body.json()),
    ask: { url: '/', body: '{"__proto__":{"x":1}}', headers: JSON_TYPE },
    stock: [
      `400 application/json {"statusCode":400,"code":"FST_ERR_CTP_INVALID_JSON_BODY","error":"Bad Request","message":"Body is not valid JSON but content-type is set to 'application/json'"}`,
    ],
    fulmar: ['200 application/json {"__proto__":{"x":1}}'],
  },
  {
    id: 'F13',
    name: 'content is read when it is asked for',
    theirs: (app) => app.post('/', () => 'x'),
    ours: (app) => app.post('/', () => 'x'),
    ask: [
      { url: '/', body: '<x/>', headers: { 'Content-Type': 'text/xml' } },
      { url: '/', body: '{', headers: JSON_TYPE },
    ],
    stock: [
      '415 application/json {"statusCode":415,"code":"FST_ERR_CTP_INVALID_MEDIA_TYPE","error":"Unsupported Media Type","message":"Unsupported Media Type"}',
      `400 application/json {"statusCode":400,"code":"FST_ERR_CTP_INVALID_JSON_BODY","error":"Bad Request","message":"Body is not valid JSON but content-type is set to 'application/json'"}`,
    ],
    fulmar: ['200 text/plain x', '200 text/plain x'],
  },
  {
    id: 'F14',
    name: 'a form is read without a plugin',
    theirs: (app) => app.post('/', { schema: { body: NAMED } }, (request) => request.body),
    ours: (app) => app.post('/', { body: NAMED }, (c) => c.body),
    ask: { url: '/', body: 'name=x', headers: FORM },
    stock: [
      '415 application/json {"statusCode":415,"code":"FST_ERR_CTP_INVALID_MEDIA_TYPE","error":"Unsupported Media Type","message":"Unsupported Media Type"}',
    ],
    fulmar: ['200 application/json {"name":"x"}'],
  },
  {
    id: 'F15',
    name: 'a redirect has a text',
    theirs: (app) => app.get('/', (_request, reply) => reply.redirect('/x', 303)),
    ours: (app) => app.get('/', (c) => c.redirect('/x', 303)),
    ask: '/',
    fields: ['location'],
    stock: ['303 - location=/x'],
    fulmar: ['303 text/plain location=/x Redirecting to /x'],
  },
  {
    id: 'F16',
    name: 'a stream without a type is bytes by its type',
    theirs: (app) => app.get('/', (_request, reply) => reply.send(Readable.from(['a']))),
    ours: (app) => app.get('/', () => Readable.from(['a'])),
    ask: '/',
    stock: ['200 - a'],
    fulmar: ['200 application/octet-stream a'],
  },
  {
    id: 'F17',
    name: 'a version is asked for by its name, and ranges are none',
    theirs: (app) => app.get('/', { constraints: { version: '1.2.0' } }, () => 'x'),
    ours: (app) => app.get('/', { version: '1.2.0' }, () => 'x'),
    options: { versioning: { type: 'header', header: 'Accept-Version' } },
    ask: { url: '/', headers: { 'Accept-Version': '1.x' } },
    stock: ['200 text/plain x'],
    fulmar: [ours404('/')],
  },
  {
    id: 'F18',
    name: 'case and port of a host do not matter',
    theirs: (app) => app.get('/', { constraints: { host: 'birds.example' } }, () => 'birds'),
    ours: (app) => app.host('birds.example', (birds) => birds.get('/', () => 'birds')),
    ask: { url: '/', headers: { Host: 'Birds.Example:3000' } },
    stock: [theirs404('GET', '/')],
    fulmar: ['200 text/plain birds'],
  },
  {
    id: 'F19',
    name: 'all() is for methods that have no function as well',
    theirs: (app) => app.all('/', (request) => request.method),
    ours: (app) => app.all('/', (c) => c.method),
    ask: { method: 'PURGE', url: '/' },
    stock: [theirs404('PURGE', '/')],
    fulmar: ['200 text/plain PURGE'],
  },
  {
    id: 'F20',
    name: 'an error that is returned is thrown, as a problem, and so is a status that is none',
    theirs(app) {
      app.get('/error', () => new Error('x'));
      app.get('/status', (_request, reply) => reply.code(999).send('x'));
    },
    ours: (app) => app.get('/error', () => new Error('x')).get('/status', (c) => c.status(999).text('x')),
    ask: ['/error', '/status'],
    stock: [
      '500 application/json {"statusCode":500,"error":"Internal Server Error","message":"x"}',
      '500 application/json {"statusCode":500,"code":"FST_ERR_BAD_STATUS_CODE","error":"Internal Server Error","message":"Called reply with an invalid status code: 999"}',
    ],
    fulmar: [OURS_500, OURS_500],
  },
]);
