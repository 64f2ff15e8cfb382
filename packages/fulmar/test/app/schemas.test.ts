/**
 * Schemas of routes, by three libraries: what handlers get, what clients are told, what becomes of replies
 * that break them.
 */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';
import { type App, createApp, HttpError, type StandardSchemaV1 } from '../../src/app/index.ts';
import { type AppCase, defineCases } from './case.ts';

const PROBLEM = 'application/problem+json; charset=utf-8';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const sendJson = (value: unknown, url = '/a') => ({
  url,
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

interface Library {
  readonly name: string;
  /** `{ name: string, age: number }` */
  readonly person: StandardSchemaV1;
  /** `{ page: number }` of a text */
  readonly page: StandardSchemaV1;
  /** `{ tags: string[] }`, each of two letters or more */
  readonly tags: StandardSchemaV1;
}

const libraries: readonly Library[] = [
  {
    name: 'zod',
    person: z.object({ name: z.string(), age: z.number() }),
    page: z.object({ page: z.coerce.number() }),
    tags: z.object({ tags: z.array(z.string().min(2)) }),
  },
  {
    name: 'valibot',
    person: v.object({ name: v.string(), age: v.number() }),
    page: v.object({ page: v.pipe(v.string(), v.transform(Number), v.number()) }),
    tags: v.object({ tags: v.array(v.pipe(v.string(), v.minLength(2))) }),
  },
  {
    name: 'arktype',
    person: type({ name: 'string', age: 'number' }),
    page: type({ page: 'string.numeric.parse' }),
    tags: type({ tags: '(string >= 2)[]' }),
  },
];

/** The places and paths of what is told of a request, without the words of the libraries. */
const refused = (...places: readonly [where: string, ...path: (string | number)[]][]): AppCase['expect'] => ({
  status: 422,
  headers: { 'content-type': PROBLEM },
  text: new RegExp(
    String.raw`^\{"title":"Unprocessable Content","status":422,"detail":"The input is not valid.","errors":\[${places
      .map(
        ([where, ...path]) =>
          String.raw`\{"in":"${where}","path":${JSON.stringify(path).replaceAll(/[[\]]/g, String.raw`\$&`)}(?:,"expected":"[^}]+?","received":"\w+")?,"message":"[^}]+"\}`,
      )
      .join(',')}\]\}$`,
  ),
});

for (const { name, person, page, tags } of libraries) {
  defineCases(`schemas of ${name}`, [
    {
      name: 'a body that fits',
      app: (app) => app.post('/a', { body: person }, (c) => c.json(c.body)),
      ask: sendJson({ name: 'fulmar', age: 7 }),
      expect: { json: { name: 'fulmar', age: 7 } },
    },
    {
      name: 'a body that does not',
      app: (app) => app.post('/a', { body: person }, () => 'never'),
      ask: sendJson({ name: 'fulmar', age: '7' }),
      expect: refused(['body', 'age']),
    },
    {
      name: 'an element of an array within',
      app: (app) => app.post('/a', { body: tags }, () => 'never'),
      ask: sendJson({ tags: ['ab', 'c'] }),
      expect: refused(['body', 'tags', 1]),
    },
    {
      name: 'a query becomes what the schema makes of it',
      app: (app) => app.get('/a', { query: page }, (c) => c.json(c.query)),
      ask: '/a?page=3',
      expect: { json: { page: 3 } },
    },
    {
      name: 'a query that is missing',
      app: (app) => app.get('/a', { query: person }, () => 'never'),
      ask: '/a?name=fulmar',
      expect: refused(['query', 'age']),
    },
    {
      name: 'numbers of a query stay text unless the schema asks for more',
      app: (app) => app.get('/a', { query: person }, () => 'never'),
      ask: '/a?name=fulmar&age=7',
      expect: refused(['query', 'age']),
    },
    {
      name: 'parameters become what the schema makes of them',
      app: (app) => app.get('/a/:page', { params: page }, (c) => c.json(c.params)),
      ask: '/a/3',
      expect: { json: { page: 3 } },
    },
    {
      name: 'a reply that fits',
      app: (app) => app.get('/a', { response: person }, () => ({ name: 'fulmar', age: 7 })),
      ask: '/a',
      expect: { json: { name: 'fulmar', age: 7 } },
    },
    {
      name: 'a reply that does not fit',
      app: (app) => app.get('/a', { response: person }, () => ({ name: 'fulmar' })),
      ask: '/a',
      expect: { status: 500, text: /^\{"title":"Internal Server Error","status":500,"instance":"urn:error:\w+"\}$/ },
    },
  ]);
}

const person = z.object({ name: z.string() });
const page = z.object({ page: z.coerce.number().int() });
const free = z.string().refine(async (name) => {
  await new Promise(setImmediate);
  return name !== 'taken';
}, 'is taken');

defineCases('input', [
  {
    name: 'all places are told at once, in one order',
    app: (app) =>
      app.post('/:id', { body: person, cookies: person, headers: person, query: page, params: z.object({ id: z.uuid() }) }, () => 'never'),
    ask: sendJson({}, '/7?page=x'),
    expect: refused(['params', 'id'], ['query', 'page'], ['headers', 'name'], ['cookies', 'name'], ['body', 'name']),
  },
  {
    name: 'all places fit',
    app: (app) =>
      app.post(
        '/:id',
        { body: person, cookies: person, headers: person, query: page, params: z.object({ id: z.coerce.number() }) },
        (c) => [c.params.id, c.query.page, c.headers.name, c.cookies.name, c.body.name, c.header('name')],
      ),
    ask: {
      url: '/7?page=3',
      headers: { 'Content-Type': 'application/json', Name: 'of head', Cookie: 'name=sweet' },
      body: '{"name":"of body"}',
    },
    expect: { json: [7, 3, 'of head', 'sweet', 'of body', 'of head'] },
  },
  {
    name: '400 when that is asked for',
    options: { invalidInput: 400 },
    app: (app) => app.get('/a', { query: page }, () => 'never'),
    ask: '/a?page=x',
    expect: { status: 400, text: /^\{"title":"Bad Request","status":400,"detail":"The input is not valid.","errors":\[/ },
  },
  {
    name: 'simple errors',
    options: { errors: 'simple' },
    app: (app) => app.get('/a', { query: v.object({ page: v.string('a page is wanted') }) }, () => 'never'),
    ask: '/a',
    expect: {
      status: 422,
      text: /^\{"error":"The input is not valid.","errors":\[\{"in":"query","path":\["page"\],"expected":"[^}]+","received":"undefined","message":"[^}]+"\}\]\}$/,
    },
  },
  {
    name: 'a message of one’s own is told',
    app: (app) => app.get('/a', { query: z.object({ page: z.string().regex(/^\d+$/, 'a page is a number') }) }, () => 'never'),
    ask: '/a?page=x',
    expect: {
      status: 422,
      json: {
        title: 'Unprocessable Content',
        status: 422,
        detail: 'The input is not valid.',
        errors: [{ in: 'query', path: ['page'], expected: 'string matching /^\\d+$/', received: 'string', message: 'a page is a number' }],
      },
    },
  },
  {
    name: 'a value as a whole has an empty path',
    app: (app) => app.post('/a', { body: person }, () => 'never'),
    ask: sendJson(7),
    expect: refused(['body']),
  },
  {
    name: 'no more than a hundred errors',
    app: (app) => {
      app.onError((error) => ((error as HttpError).details['errors'] as unknown[]).length);
      app.post('/a', { body: z.array(z.string()) }, () => 'never');
    },
    ask: sendJson(Array.from({ length: 1000 }, () => 1)),
    expect: { status: 500, text: '100' },
  },
  {
    name: 'onError sees a refusal',
    app: (app) => {
      app.onError((error, c) => c.status((error as HttpError).status).json((error as HttpError).details));
      app.get('/a', { query: z.object({ page: z.string('none') }) }, () => 'never');
    },
    ask: '/a',
    expect: {
      status: 422,
      json: { errors: [{ in: 'query', path: ['page'], expected: 'string', received: 'undefined', message: 'none' }] },
    },
  },
  {
    name: 'validation that takes time, and fits',
    app: (app) => app.post('/a', { body: z.object({ name: free }) }, (c) => c.body.name),
    ask: sendJson({ name: 'fulmar' }),
    expect: { text: 'fulmar' },
  },
  {
    name: 'validation that takes time, of a query alone',
    app: (app) => app.get('/a', { query: z.object({ name: free }) }, () => 'never'),
    ask: '/a?name=taken',
    expect: refused(['query', 'name']),
  },
  {
    name: 'a schema that throws is an error of the application’s',
    app: (app) => app.get('/a', { query: z.object({ name: free }), headers: z.unknown().transform(() => JSON.parse('{')) }, () => 'never'),
    ask: '/a?name=b',
    expect: { status: 500 },
  },
  {
    name: 'what a schema makes of a part may be nothing',
    app: (app) =>
      app.get('/a', { query: z.unknown().transform(() => null), cookies: z.unknown().transform(() => undefined) }, (c) => [
        c.query === null,
        c.cookies === undefined,
      ]),
    ask: '/a?b=c',
    expect: { json: [true, true] },
  },
  {
    name: 'a handler’s error stays its own',
    app: (app) =>
      app.get('/a', { query: page }, () => {
        throw new HttpError(409, 'taken');
      }),
    ask: '/a?page=1',
    expect: { status: 409 },
  },
  {
    name: 'a name that comes twice is an array',
    app: (app) => app.get('/a', { query: z.object({ b: z.array(z.string()) }) }, (c) => c.query.b),
    ask: '/a?b=1&b=2',
    expect: { json: ['1', '2'] },
  },
  {
    name: 'in a group',
    app: (app) => app.group('/api', (api) => api.get('/:id', { params: z.object({ id: z.coerce.number() }) }, (c) => c.params.id)),
    ask: '/api/7',
    expect: { json: 7 },
  },
  {
    name: 'on several methods',
    app: (app) => app.on(['PUT', 'PATCH'], '/a', { query: page }, (c) => [c.method, c.query.page]),
    ask: { method: 'PATCH', url: '/a?page=2' },
    expect: { json: ['PATCH', 2] },
  },
  {
    name: 'options without a schema',
    app: (app) => app.get('/a', { summary: 'a', tags: ['b'], deprecated: true }, () => 'a'),
    ask: '/a',
    expect: { text: 'a' },
  },
]);

defineCases('content with a schema', [
  {
    name: 'a form',
    app: (app) => app.post('/a', { body: z.object({ name: z.string(), tag: z.array(z.string()) }) }, (c) => c.body),
    ask: { url: '/a', headers: FORM, body: 'name=a+b&tag=c&tag=d' },
    expect: { json: { name: 'a b', tag: ['c', 'd'] } },
  },
  {
    name: 'JSON of a kind of its own',
    app: (app) => app.post('/a', { body: person }, (c) => c.body.name),
    ask: { url: '/a', headers: { 'Content-Type': 'application/vnd.bird+json' }, body: '{"name":"fulmar"}' },
    expect: { text: 'fulmar' },
  },
  {
    name: 'another type is 415',
    app: (app) => app.post('/a', { body: person }, () => 'never'),
    ask: { url: '/a', headers: { 'Content-Type': 'text/plain' }, body: '{"name":"fulmar"}' },
    expect: { status: 415, text: /JSON or a form is expected, and the content is said to be text\/plain\./ },
  },
  {
    name: 'what is no JSON is 400',
    app: (app) => app.post('/a', { body: person }, () => 'never'),
    ask: { url: '/a', headers: { 'Content-Type': 'application/json' }, body: '{"name":' },
    expect: { status: 400, text: /The content is not JSON/ },
  },
  {
    name: 'beyond the limit it is 413',
    options: { bodyLimit: 10 },
    app: (app) => app.post('/a', { body: person }, () => 'never'),
    ask: sendJson({ name: 'fulmarus' }),
    expect: { status: 413 },
  },
  {
    name: 'none is the schema’s to refuse',
    app: (app) => app.post('/a', { body: person }, () => 'never'),
    ask: { method: 'POST', url: '/a' },
    expect: refused(['body']),
  },
  {
    name: 'none is the schema’s to accept',
    app: (app) => app.post('/a', { body: person.optional() }, (c) => String(c.body)),
    ask: { method: 'POST', url: '/a' },
    expect: { text: 'undefined' },
  },
  {
    name: 'null is a value',
    app: (app) => app.post('/a', { body: person.nullable() }, (c) => String(c.body)),
    ask: sendJson(null),
    expect: { text: 'null' },
  },
  {
    name: 'middleware sees what came, and may read it',
    app: (app) =>
      app.post(
        '/a/:id',
        { params: z.object({ id: z.coerce.number() }), query: page, body: person },
        async (c, next) => {
          c.header('X-Raw', JSON.stringify([c.params.id, c.query['page'], await c.body.text()]));
          return next();
        },
        (c) => [c.params.id, c.query.page, c.body.name],
      ),
    ask: sendJson({ name: 'fulmar' }, '/a/7?page=3'),
    expect: { headers: { 'x-raw': '["7","3","{\\"name\\":\\"fulmar\\"}"]' }, json: [7, 3, 'fulmar'] },
  },
  {
    name: 'middleware refuses before anything is validated',
    app: (app) =>
      app.post(
        '/a',
        { body: person },
        () => {
          throw new HttpError(401, 'who?');
        },
        () => 'never',
      ),
    ask: sendJson({}),
    expect: { status: 401 },
  },
  {
    name: 'the request of the web has it still',
    app: (app) => app.post('/a', { body: person }, async (c) => [c.body.name, await c.request.text()]),
    ask: sendJson({ name: 'fulmar' }),
    expect: { json: ['fulmar', '{"name":"fulmar"}'] },
  },
  {
    name: 'without a schema it is read by the handler',
    app: (app) => app.post('/a', { query: page }, async (c) => [c.query.page, await c.body.text()]),
    ask: { url: '/a?page=1', body: 'as it is' },
    expect: { json: [1, 'as it is'] },
  },
]);

const BROKEN = { status: 500, headers: { 'content-type': PROBLEM } };

defineCases('replies with a schema', [
  {
    name: 'are sent as they are',
    app: (app) => app.get('/a', { response: person }, () => ({ name: 'fulmar', more: 1 })),
    ask: '/a',
    expect: { json: { name: 'fulmar', more: 1 } },
  },
  {
    name: 'c.json()',
    app: (app) => app.get('/a', { response: z.object({ at: z.date() }) }, (c) => c.json({ at: new Date(0) })),
    ask: '/a',
    expect: { json: { at: '1970-01-01T00:00:00.000Z' } },
  },
  { name: 'c.json() that breaks it', app: (app) => app.get('/a', { response: person }, (c) => c.json({})), ask: '/a', expect: BROKEN },
  { name: 'c.text() that breaks it', app: (app) => app.get('/a', { response: person }, (c) => c.text('a')), ask: '/a', expect: BROKEN },
  { name: 'a promise', app: (app) => app.get('/a', { response: person }, async () => ({ name: 7 }) as never), ask: '/a', expect: BROKEN },
  { name: 'a forgotten return', app: (app) => app.get('/a', { response: person }, (() => {}) as () => never), ask: '/a', expect: BROKEN },
  {
    name: 'that takes time',
    app: (app) => app.get('/a', { response: z.object({ name: free }) }, () => ({ name: 'taken' })),
    ask: '/a',
    expect: BROKEN,
  },
  {
    name: 'a status that is none of success',
    app: (app) => app.get('/a', { response: person }, (c) => c.status(404).json({ no: 1 })),
    ask: '/a',
    expect: { status: 404, json: { no: 1 } },
  },
  {
    name: 'a redirect',
    app: (app) => app.get('/a', { response: person }, (c) => c.redirect('/b')),
    ask: '/a',
    expect: { status: 302 },
  },
  {
    name: 'no content, when that is said',
    app: (app) => app.delete('/a', { response: person }, (c) => c.status(204)),
    ask: { method: 'DELETE', url: '/a' },
    expect: { status: 204 },
  },
  {
    name: 'one for each status: the first',
    app: (app) => app.get('/a', { response: { 200: person, 404: z.object({ no: z.string() }) } }, () => ({ no: 'a' })),
    ask: '/a',
    expect: BROKEN,
  },
  {
    name: 'one for each status: another',
    app: (app) => app.get('/a', { response: { 200: person, 404: z.object({ no: z.string() }) } }, (c) => c.status(404).json({ no: 'a' })),
    ask: '/a',
    expect: { status: 404, json: { no: 'a' } },
  },
  {
    name: 'one for each status: broken by another',
    app: (app) => app.get('/a', { response: { 200: person, 404: z.object({ no: z.string() }) } }, (c) => c.status(404).json({})),
    ask: '/a',
    expect: BROKEN,
  },
  {
    name: 'one for each status: none of them',
    app: (app) => app.get('/a', { response: { 200: person } }, (c) => c.status(201).json({})),
    ask: '/a',
    expect: { status: 201, json: {} },
  },
  {
    name: 'one for each status: nothing, where that is one',
    app: (app) => app.get('/a', { response: { 200: person, 204: z.undefined() } }, () => {}),
    ask: '/a',
    expect: { status: 204 },
  },
  {
    name: 'a stream and bytes are not known',
    app: (app) => app.get('/a', { response: person }, () => Buffer.from('bytes')),
    ask: '/a',
    expect: { text: 'bytes' },
  },
  {
    name: 'parameters of a form are not known',
    app: (app) => app.get('/a', { response: person }, () => new URLSearchParams({ a: 'b' })),
    ask: '/a',
    expect: { text: 'a=b' },
  },
  {
    name: 'a generator is not known',
    app: (app) =>
      app.get('/a', { response: person }, function* () {
        yield 'piece';
      }),
    ask: '/a',
    expect: { text: 'piece' },
  },
  {
    name: 'a handler’s error is none of its replies',
    app: (app) =>
      app.get('/a', { response: person }, () => {
        throw new HttpError(404, 'no');
      }),
    ask: '/a',
    expect: { status: 404 },
  },
]);

describe('a reply that breaks its schema', () => {
  const { NODE_ENV } = process.env;
  afterEach(() => {
    if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = NODE_ENV;
  });

  async function answered(env: string): Promise<{ log: string; status: number; text: string }> {
    process.env['NODE_ENV'] = env;
    const lines: string[] = [];
    const app = createApp({ logger: { error: (...what) => void lines.push(what.join(' ')) } });
    app.get('/birds/:id', { response: z.object({ name: z.string('a name is a text') }) }, () => ({ name: 7 }) as never);
    const { status, text } = await app.inject('/birds/1');
    return { log: lines.join('\n'), status, text };
  }

  it('is an error that the log explains, in development', async () => {
    const { log, status } = await answered('development');
    assert.equal(status, 500);
    assert.match(log, /The reply of GET \/birds\/:id breaks its schema: \$\.name: a name is a text/);
  });

  it('is sent and logged in production', async () => {
    const { log, status, text } = await answered('production');
    assert.deepEqual({ status, text }, { status: 200, text: '{"name":7}' });
    assert.equal(log, 'The reply of GET /birds/:id breaks its schema: $.name: a name is a text');
  });
});

describe('what is wrong with a route’s options is said where it is registered', () => {
  const add = (...given: unknown[]) => (createApp().post as (...all: unknown[]) => App)('/users', ...given);
  const handler = () => 1;
  const cases: readonly [string, () => unknown, RegExp][] = [
    ['no schema', () => add({ body: 7 }, handler), /^body of POST \/users \(.*schemas\.test\.ts:\d+\) is no schema: it is of type number/],
    ['null', () => add({ query: null }, handler), /^query of POST .* is no schema: it is null/],
    ['an object of schemas', () => add({ body: { name: z.string() } }, handler), /is no schema: it is an object of schemas; make one/],
    [
      'another version',
      () => add({ body: { '~standard': { version: 2, validate() {} } } }, handler),
      /it is a Standard Schema of version 2, and version 1/,
    ],
    ['a schema as the options', () => add(person, handler), /POST \/users .* is given a schema .* \{ body: schema \}/],
    ['a schema of arktype as the options', () => add(type({ a: 'string' }), handler), /is given a schema where its options are expected/],
    ['a key that is none', () => add({ boddy: person }, handler), /POST \/users .* has no option boddy; body is meant\? There are params/],
    ['a key that is like none', () => add({ transformation: 1 }, handler), /no option transformation\. There are/],
    ['a key of an object’s', () => add({ toString: person }, handler), /has no option toString/],
    [
      'responses that are none',
      () => add({ response: { 200: 7 } }, handler),
      /^response of POST .* is no schema for 200: it is of type number/,
    ],
    [
      'a status that is none',
      () => add({ response: { ok: person } }, handler),
      /response of POST .* is neither a schema nor an object of one for each/,
    ],
    ['tags of another kind', () => add({ tags: 'a' }, handler), /tags of POST .* is an array of texts, and this is of type string/],
    ['no handler', () => add({ body: person }), /POST \/users needs a handler/],
    [
      'options that are none',
      () => add(7, handler),
      /takes options \(an object\) or a handler behind its path, and this is of type number/,
    ],
    ['a status of the app that is none', () => createApp({ invalidInput: 418 as never }), /invalidInput is 400 or 422, and this is 418/],
  ];
  for (const [name, run, message] of cases)
    it(name, () => assert.throws(run, ({ message: said }: Error) => (assert.match(said, message), true)));

  it('a member that is undefined is none', async () => {
    const app = add({ body: undefined }, () => 'a');
    assert.equal((await app.inject({ method: 'POST', url: '/users' })).text, 'a');
  });
});

describe('routes()', () => {
  it('has the options of a route that has some, a group’s as well', () => {
    const app = createApp().get('/a', () => 1);
    app.group('/b', (inner) => inner.post('/c', { summary: 'adds', tags: ['x'], deprecated: true, body: person }, () => 1));
    assert.deepEqual(
      [...app.routes()].map(({ path, options }) => [path, options]),
      [
        ['/a', undefined],
        ['/b/c', { summary: 'adds', tags: ['x'], deprecated: true, body: person }],
      ],
    );
  });
});

/** A promise of another library: it has `then`, and is no Promise. */
const foreign = <T>(run: () => Promise<T>): Promise<T> =>
  ({ then: (...given: Parameters<Promise<T>['then']>) => run().then(...given) }) as unknown as Promise<T>;

const slow = (issues?: readonly { readonly message: string }[]): StandardSchemaV1 => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: (value) => foreign(async () => (issues === undefined ? { value: [value] } : { issues })),
  },
});

defineCases('promises of other libraries', [
  {
    name: 'of a schema of the request',
    app: (app) => app.get('/:a', { params: slow() }, (c) => c.params as unknown),
    ask: '/x',
    expect: { json: [{ a: 'x' }] },
  },
  {
    name: 'of a schema that refuses',
    app: (app) => app.get('/:a', { params: slow([{ message: 'no' }]) }, () => 'never'),
    ask: '/x',
    expect: { status: 422 },
  },
  {
    name: 'of a schema of the reply',
    app: (app) => app.get('/', { response: slow([{ message: 'no' }]) }, () => 'never'),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'of what is mounted',
    app: (app) => app.mount('/', (_req: unknown, _res: unknown) => foreign(() => Promise.reject(new HttpError(409, 'taken')))),
    ask: '/',
    expect: { status: 409 },
  },
]);
