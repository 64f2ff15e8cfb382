/** Routes whose schemas are JSON Schema or TypeBox. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Type as Type0 } from '@sinclair/typebox';
import Type from 'typebox';
import { z } from 'zod';
import { type App, createApp } from '../../src/app/index.ts';
import { type AppCase, defineCases } from './case.ts';

const sendJson = (body: string, url = '/a'): AppCase['ask'] => ({
  method: 'POST',
  url,
  headers: { 'Content-Type': 'application/json' },
  body,
});
const sendParts = (parts: Readonly<Record<string, string>>): AppCase['ask'] => ({
  method: 'POST',
  url: '/a',
  headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  body: `${Object.entries(parts)
    .map(([name, text]) => `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`)
    .join('')}--x--\r\n`,
});
const sendForm = (body: string): AppCase['ask'] => ({
  method: 'POST',
  url: '/a',
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  body,
});

type Told = readonly [where: string, path: readonly (string | number)[], expected: string, received: string];
const refused = (...all: readonly Told[]): AppCase['expect'] => ({
  status: 422,
  headers: { 'content-type': 'application/problem+json; charset=utf-8' },
  json: {
    title: 'Unprocessable Content',
    status: 422,
    detail: 'The input is not valid.',
    errors: all.map(([where, path, expected, received]) => ({
      in: where,
      path,
      expected,
      received,
      message: `Expected ${expected}, received ${received}.`,
    })),
  },
});

const bird = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer' } },
  required: ['name'],
  additionalProperties: false,
} as const;
const paging = {
  type: 'object',
  properties: {
    page: { type: 'integer', minimum: 1, default: 1 },
    tags: { type: 'array', items: { type: 'string' } },
    all: { type: 'boolean' },
  },
} as const;

defineCases('JSON Schema', [
  {
    name: 'a body that fits',
    app: (app) => app.post('/a', { body: bird }, (c) => `${c.body.name} ${c.body.age}`),
    ask: sendJson('{"name":"fulmar","age":7}'),
    expect: { text: 'fulmar 7' },
  },
  {
    name: 'a body that does not',
    app: (app) => app.post('/a', { body: bird }, () => 'never'),
    ask: sendJson('{"name":"f","age":1.5,"secret":"s"}'),
    expect: refused(
      ['body', ['name'], 'string of at least 2 characters', 'string of 1 character'],
      ['body', ['age'], 'integer', 'number'],
      ['body', ['secret'], 'no member of this name', 'string'],
    ),
  },
  {
    name: 'a number in JSON is no text',
    app: (app) => app.post('/a', { body: bird }, () => 'never'),
    ask: sendJson('{"name":"fulmar","age":"7"}'),
    expect: refused(['body', ['age'], 'integer', 'string']),
  },
  {
    name: 'a form’s texts stand for numbers',
    app: (app) => app.post('/a', { body: bird }, (c) => c.body),
    ask: sendForm('name=fulmar&age=7'),
    expect: { json: { name: 'fulmar', age: 7 } },
  },
  {
    name: 'texts of a form in parts are converted, too',
    app: (app) => app.post('/a', { body: bird }, (c) => c.body),
    ask: sendParts({ name: 'fulmar', age: '7' }),
    expect: { json: { name: 'fulmar', age: 7 } },
  },
  {
    name: 'a form that does not fit',
    app: (app) => app.post('/a', { body: bird }, () => 'never'),
    ask: sendForm('name=fulmar&age='),
    expect: refused(['body', ['age'], 'integer', 'string']),
  },
  {
    name: 'a query',
    app: (app) => app.get('/a', { query: paging }, (c) => [c.query.page, c.query.tags, c.query.all]),
    ask: '/a?page=2&tags=x&all=false',
    expect: { json: [2, ['x'], false] },
  },
  {
    name: 'a query with a list',
    app: (app) => app.get('/a', { query: paging }, (c) => c.query.tags),
    ask: '/a?tags=x&tags=y',
    expect: { json: ['x', 'y'] },
  },
  {
    name: 'a query that is not there',
    app: (app) => app.get('/a', { query: paging }, (c) => c.query),
    ask: '/a',
    expect: { json: { page: 1 } },
  },
  {
    name: 'a query that does not fit',
    app: (app) => app.get('/a', { query: paging }, () => 'never'),
    ask: '/a?page=0&all=1',
    expect: refused(['query', ['page'], 'integer >= 1', 'integer'], ['query', ['all'], 'boolean', 'string']),
  },
  {
    name: 'two values where one is asked for',
    app: (app) => app.get('/a', { query: paging }, () => 'never'),
    ask: '/a?page=1&page=2',
    expect: refused(['query', ['page'], 'integer >= 1', 'array']),
  },
  {
    name: 'numbers that are written in other ways',
    app: (app) => app.get('/a', { query: paging }, () => 'never'),
    ask: '/a?page=0x10',
    expect: refused(['query', ['page'], 'integer >= 1', 'string']),
  },
  {
    name: 'a number that would become another one',
    app: (app) => app.get('/:id', { params: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } }, () => 'never'),
    ask: '/9007199254740993',
    expect: refused(['params', ['id'], 'integer', 'string']),
  },
  {
    name: 'parameters',
    app: (app) =>
      app.get('/:id', { params: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } }, (c) => c.params.id + 1),
    ask: '/7',
    expect: { json: 8 },
  },
  {
    name: 'fields, of which others are left out',
    app: (app) =>
      app.get(
        '/a',
        { headers: { type: 'object', properties: { 'x-count': { type: 'integer' } }, required: ['x-count'], additionalProperties: false } },
        (c) => c.headers,
      ),
    ask: { url: '/a', headers: { 'X-Count': '7', 'X-Other': '1' } },
    expect: { json: { 'x-count': 7 } },
  },
  {
    name: 'cookies',
    app: (app) =>
      app.get(
        '/a',
        { cookies: { type: 'object', properties: { dark: { type: 'boolean' } }, additionalProperties: false } },
        (c) => c.cookies,
      ),
    ask: { url: '/a', headers: { Cookie: 'dark=true; other=1' } },
    expect: { json: { dark: true } },
  },
  {
    name: 'all places at once',
    app: (app) =>
      app.post('/:id', { params: { type: 'object', properties: { id: { type: 'integer' } } }, query: paging, body: bird }, () => 'never'),
    ask: sendJson('{}', '/x?page=y'),
    expect: refused(
      ['params', ['id'], 'integer', 'string'],
      ['query', ['page'], 'integer >= 1', 'string'],
      ['body', ['name'], 'string of at least 2 characters', 'undefined'],
    ),
  },
  {
    name: 'no content',
    app: (app) => app.post('/a', { body: bird }, () => 'never'),
    ask: { method: 'POST', url: '/a' },
    expect: refused(['body', [], 'object', 'undefined']),
  },
  {
    name: 'no content, which a default stands for',
    app: (app) => app.post('/a', { body: { ...bird, default: { name: 'none' } } }, (c) => c.body),
    ask: { method: 'POST', url: '/a' },
    expect: { json: { name: 'none' } },
  },
  {
    name: 'beside a schema of zod',
    app: (app) => app.post('/:id', { params: z.object({ id: z.coerce.number() }), body: bird }, (c) => [c.params.id, c.body.name]),
    ask: sendJson('{"name":"fulmar"}', '/7'),
    expect: { json: [7, 'fulmar'] },
  },
  {
    name: 'references',
    app: (app) =>
      app.post(
        '/a',
        {
          body: {
            $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, additionalProperties: false } },
            $ref: '#/$defs/node',
          },
        },
        (c) => c.body,
      ),
    ask: sendJson('{"next":{"next":{"nxt":{}}}}'),
    expect: refused(['body', ['next', 'next', 'nxt'], 'no member of this name', 'object']),
  },
]);

defineCases('content that is not what a JSON Schema is for', [
  {
    name: 'another type is 415',
    app: (app) => app.post('/a', { body: bird }, () => 'never'),
    ask: { method: 'POST', url: '/a', headers: { 'Content-Type': 'text/plain' }, body: '{}' },
    expect: { status: 415 },
  },
  {
    name: 'too large is 413',
    options: { bodyLimit: 10 },
    app: (app) => app.post('/a', { body: bird }, () => 'never'),
    ask: sendJson('{"name":"fulmarus"}'),
    expect: { status: 413 },
  },
  {
    name: 'malformed is 400',
    app: (app) => app.post('/a', { body: bird }, () => 'never'),
    ask: sendJson('{"name":'),
    expect: { status: 400, text: /The content is not JSON/ },
  },
  {
    name: 'a byte order mark is no content',
    app: (app) => app.post('/a', { body: bird }, (c) => c.body.name),
    ask: sendJson('\ufeff{"name":"fulmar"}'),
    expect: { status: 200, text: 'fulmar' },
  },
  {
    name: 'the character that stands for what is no UTF-8 is one like any other',
    app: (app) => app.post('/a', { body: bird }, (c) => c.body.name),
    ask: sendJson('{"name":"ful\ufffdmar ü 💩"}'),
    expect: { status: 200, text: 'ful\ufffdmar ü 💩' },
  },
  {
    name: 'a body that middleware has read, and that is checked then',
    app: (app) => app.use(async (c, next) => (await c.body.text()).length > 0 && next()).post('/a', { body: bird }, (c) => c.body.name),
    ask: sendJson('{"name":"fulmar"}'),
    expect: { status: 200, text: 'fulmar' },
  },
  {
    name: 'no UTF-8 is 400',
    app: (app) => app.post('/a', { body: bird }, () => 'never'),
    ask: { method: 'POST', url: '/a', headers: { 'Content-Type': 'application/json' }, body: Uint8Array.of(0x22, 0xff, 0x22) },
    expect: { status: 400, text: /not UTF-8/ },
  },
  {
    name: '__proto__ is a member that is not known',
    app: (app) => app.post('/a', { body: bird }, () => 'never'),
    ask: sendJson('{"name":"fulmar","__proto__":{"age":7}}'),
    expect: refused(['body', ['__proto__'], 'no member of this name', 'object']),
  },
  {
    name: '__proto__ changes nothing where others may be',
    app: (app) =>
      app.post(
        '/a',
        { body: { ...bird, additionalProperties: true, properties: { ...bird.properties, tag: { type: 'string', default: 'x' } } } },
        (c) => [Object.keys(c.body), c.body.age === undefined],
      ),
    ask: sendJson('{"name":"fulmar","__proto__":{"age":7}}'),
    expect: { json: [['name', '__proto__', 'tag'], true] },
  },
  {
    name: 'constructor.prototype is data',
    app: (app) =>
      app.post('/a', { body: { type: 'object', additionalProperties: { type: 'object', additionalProperties: { type: 'object' } } } }, () =>
        String(({} as { evil?: unknown }).evil),
      ),
    ask: sendJson('{"constructor":{"prototype":{"evil":1}}}'),
    expect: { text: 'undefined' },
  },
  {
    name: 'of two members of one name the last counts',
    app: (app) => app.post('/a', { body: bird }, (c) => c.body.name),
    ask: sendJson('{"name":7,"name":"fulmar"}'),
    expect: { text: 'fulmar' },
  },
  {
    name: 'a number beyond all numbers is none',
    app: (app) => app.post('/a', { body: { type: 'object', properties: { age: { type: 'number' } } } }, () => 'never'),
    ask: sendJson('{"age":1e400}'),
    expect: refused(['body', ['age'], 'number', 'Infinity']),
  },
  {
    name: 'deep nesting is looked at as far as the schema goes',
    app: (app) => app.post('/a', { body: bird }, () => 'never'),
    ask: sendJson(`{"name":${'['.repeat(900)}${']'.repeat(900)}}`),
    expect: refused(['body', ['name'], 'string of at least 2 characters', 'array']),
  },
  {
    name: 'deep nesting of a schema that contains itself is refused',
    app: (app) =>
      app.post(
        '/a',
        { body: { $defs: { list: { type: 'array', items: { $ref: '#/$defs/list' } } }, $ref: '#/$defs/list' } },
        () => 'never',
      ),
    ask: sendJson(`${'['.repeat(900)}${']'.repeat(900)}`),
    expect: refused(['body', [], 'nested 256 deep at most', 'deeper']),
  },
  {
    name: 'lengths are counted in code points',
    app: (app) => app.post('/a', { body: { type: 'string', maxLength: 2 } }, (c) => c.body),
    ask: sendJson('"💩💩"'),
    expect: { text: '💩💩' },
  },
]);

defineCases('TypeBox', [
  {
    name: 'a body',
    app: (app) =>
      app.post('/a', { body: Type.Object({ name: Type.String(), tags: Type.Optional(Type.Array(Type.String())) }) }, (c) => [
        c.body.name,
        c.body.tags?.length,
      ]),
    ask: sendJson('{"name":"fulmar","tags":["a"]}'),
    expect: { json: ['fulmar', 1] },
  },
  {
    name: 'a body that does not fit',
    app: (app) => app.post('/a', { body: Type.Object({ name: Type.Literal('fulmar') }) }, () => 'never'),
    ask: sendJson('{"name":"petrel"}'),
    expect: refused(['body', ['name'], '"fulmar"', 'string']),
  },
  {
    name: 'a query of 0.34',
    app: (app) =>
      app.get('/a', { query: Type0.Object({ page: Type0.Integer(), since: Type0.Optional(Type0.Date()) }) }, (c) => [
        c.query.page,
        c.query.since?.getTime(),
      ]),
    ask: '/a?page=7&since=1970-01-01',
    expect: { json: [7, 0] },
  },
  {
    name: 'an intersection of 0.34',
    app: (app) =>
      app.post(
        '/a',
        {
          body: Type0.Intersect([Type0.Object({ a: Type0.String() }), Type0.Object({ b: Type0.String() })], {
            unevaluatedProperties: false,
          }),
        },
        (c) => c.body.a + c.body.b,
      ),
    ask: sendJson('{"a":"1","b":"2","c":"3"}'),
    expect: refused(['body', ['c'], 'no member of this name', 'string']),
  },
]);

const reply = {
  type: 'object',
  properties: { name: { type: 'string' }, born: { type: 'string', format: 'date-time' } },
  required: ['name'],
  additionalProperties: false,
} as const;
const BROKEN = { status: 500 };

class Row {
  readonly name: string;
  readonly password = 'secret';
  constructor(name: string) {
    this.name = name;
  }
}

defineCases('replies with a JSON Schema', [
  {
    name: 'that fit',
    app: (app) => app.get('/a', { response: reply }, () => ({ name: 'fulmar' })),
    ask: '/a',
    expect: { text: '{"name":"fulmar"}' },
  },
  {
    name: 'leave out what is not known',
    app: (app) => app.get('/a', { response: reply }, () => ({ password: 'secret', name: 'fulmar' })),
    ask: '/a',
    expect: { text: '{"name":"fulmar"}' },
  },
  {
    name: 'leave out what is not known in c.json()',
    app: (app) => app.get('/a', { response: reply }, (c) => c.json({ name: 'fulmar', password: 'secret' })),
    ask: '/a',
    expect: { text: '{"name":"fulmar"}' },
  },
  {
    name: 'keep what is not known where that may be',
    app: (app) =>
      app.get('/a', { response: { type: 'object', properties: { name: { type: 'string' } } } }, () => ({ name: 'fulmar', more: 1 })),
    ask: '/a',
    expect: { text: '{"name":"fulmar","more":1}' },
  },
  {
    name: 'leave out within lists and members',
    app: (app) =>
      app.get('/a', { response: { type: 'array', items: { type: 'object', properties: { of: reply } } } }, () => [
        { of: { name: 'a', password: 's' } },
      ]),
    ask: '/a',
    expect: { text: '[{"of":{"name":"a"}}]' },
  },
  {
    name: 'leave out in the member of a union that fits',
    app: (app) => app.get('/a', { response: { anyOf: [{ type: 'null' }, reply] } }, () => ({ name: 'a', password: 's' })),
    ask: '/a',
    expect: { text: '{"name":"a"}' },
  },
  {
    name: 'have dates as texts',
    app: (app) => app.get('/a', { response: reply }, () => ({ name: 'fulmar', born: new Date(0) })),
    ask: '/a',
    expect: { text: '{"name":"fulmar","born":"1970-01-01T00:00:00.000Z"}' },
  },
  {
    name: 'of a class have what is known',
    app: (app) => app.get('/a', { response: reply }, () => new Row('fulmar')),
    ask: '/a',
    expect: { text: '{"name":"fulmar"}' },
  },
  {
    name: 'with toJSON are what it says, without what is not known',
    app: (app) => app.get('/a', { response: reply }, () => ({ name: 'x', toJSON: () => ({ name: 'fulmar', password: 'secret' }) })),
    ask: '/a',
    expect: { text: '{"name":"fulmar"}' },
  },
  {
    name: 'have no members that are undefined',
    app: (app) => app.get('/a', { response: reply }, () => ({ name: 'fulmar', born: undefined, more: undefined })),
    ask: '/a',
    expect: { text: '{"name":"fulmar"}' },
  },
  {
    name: 'with a default of what may be missing',
    app: (app) =>
      app.get('/a', { response: { type: 'object', properties: { a: { type: 'integer', default: 7 } } } }, () => ({ b: 1 }) as object),
    ask: '/a',
    expect: { text: '{"b":1,"a":7}' },
  },
  {
    name: 'with defaults',
    app: (app) =>
      app.get('/a', { response: { type: 'object', properties: { a: { type: 'integer', default: 7 } }, required: ['a'] } }, () => ({})),
    ask: '/a',
    expect: { text: '{"a":7}' },
  },
  { name: 'that break it', app: (app) => app.get('/a', { response: reply }, () => ({ name: 7 }) as never), ask: '/a', expect: BROKEN },
  {
    name: 'that contain themselves',
    app: (app) =>
      app.get(
        '/a',
        { response: { $defs: { n: { type: 'object', properties: { next: { $ref: '#/$defs/n' } } } }, $ref: '#/$defs/n' } },
        () => {
          const n: { next?: unknown } = {};
          n.next = n;
          return n;
        },
      ),
    ask: '/a',
    expect: BROKEN,
  },
  {
    name: 'of one status each',
    app: (app) =>
      app.get(
        '/a',
        { response: { 200: reply, 404: { type: 'object', properties: { no: { type: 'string' } }, additionalProperties: false } } },
        (c) => c.status(404).json({ no: 'a', why: 'b' }),
      ),
    ask: '/a',
    expect: { status: 404, text: '{"no":"a"}' },
  },
  {
    name: 'of TypeBox',
    app: (app) => app.get('/a', { response: Type.Object({ a: Type.Number() }, { additionalProperties: false }) }, () => ({ a: 1, b: 2 })),
    ask: '/a',
    expect: { text: '{"a":1}' },
  },
  {
    name: 'leave middleware the value',
    app: (app) =>
      app.get(
        '/a',
        { response: reply },
        async (_c, next) => [await next()],
        () => ({ name: 'fulmar', password: 'secret' }),
      ),
    ask: '/a',
    expect: { text: '[{"name":"fulmar"}]' },
  },
]);

describe('what is wrong with a JSON Schema is said where the route is registered', () => {
  const add = (options: object): App => (createApp().post as (...all: unknown[]) => App)('/birds', options, () => 1);
  const cases: readonly [string, object, RegExp][] = [
    [
      'a type',
      { body: { type: 'strin' } },
      /^body of POST \/birds \(.*json-schemas\.test\.ts:\d+\) is no schema: at #\/type: there is no type "strin"; .* Is string meant\?$/,
    ],
    [
      'a keyword',
      { query: { type: 'string', minLenght: 1 } },
      /^query of POST .*: at #\/minLenght: JSON Schema has no keyword minLenght; .* Is minLength meant\?$/,
    ],
    [
      'members where a schema is to be',
      { body: { name: { type: 'string' } } },
      /at #\/name: .* The schema of an object with it is \{ type: 'object', properties: \{ name: … \} \}\.$/,
    ],
    [
      'a member called id',
      { body: { id: { type: 'string' } } },
      /at #\/id: .* for a member of that name, \{ type: 'object', properties: \{ id: … \} \}/,
    ],
    ['schemas of a library as members', { body: { id: z.string() } }, /it is an object of schemas; make one of them, as with z\.object/],
    [
      'a field in capitals',
      { headers: { type: 'object', properties: { 'X-Count': {} } } },
      /^headers of POST .*: at #\/properties\/X-Count: names of fields are in lower case; write x-count\.$/,
    ],
    ['a reply', { response: { type: 'x' } }, /^response of POST .* is no schema: at #\/type/],
    ['a reply of a status', { response: { 200: { type: 'x' } } }, /^response of POST .* is no schema for 200: at #\/type/],
    [
      'a status that is none',
      { response: { 200: { type: 'string' }, 99: { type: 'string' } } },
      /neither a schema nor an object of one for each status/,
    ],
    ['a list', { body: [] }, /is no schema: it is an array\. Schemas are made by zod/],
    ['a class', { body: new Map() }, /is no schema: it is of type object\./],
    [
      'a default that does not fit',
      { query: { properties: { a: { type: 'integer', default: '1' } } } },
      /the default "1" does not fit: Expected integer, received string/,
    ],
    ['a transform', { body: Type0.Transform(Type0.String()).Decode(Number).Encode(String) }, /transforms of TypeBox are not run here/],
  ];
  for (const [name, options, message] of cases)
    it(name, () =>
      assert.throws(
        () => add(options),
        ({ message: said }: Error) => (assert.match(said, message), true),
      ),
    );

  it('routes() has them with their JSON Schema for documents', () => {
    const [route] = [
      ...createApp()
        .post('/a', { body: Type.Object({ a: Type.String() }), response: { 200: bird } }, () => 1 as never)
        .routes(),
    ];
    const { body } = route?.options ?? {};
    const props = (body as unknown as { '~standard': { vendor: string; jsonSchema: { input: (o: object) => unknown } } })['~standard'];
    assert.equal(props.vendor, 'fulmar');
    assert.deepEqual(props.jsonSchema.input({ target: 'draft-2020-12' }), {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
    });
  });
});

describe('the JSON Schema of a route, for documents', () => {
  const cases: readonly [string, object, object][] = [
    ['of anything is an object', {}, {}],
    ['of nothing is one, too', { not: {} }, { not: {} }],
    [
      'keeps what people are told',
      { type: 'string', title: 'Name', deprecated: true, examples: ['a'], default: 'b' },
      { type: 'string', title: 'Name', deprecated: true, examples: ['a'], default: 'b' },
    ],
    [
      'has its references in $defs',
      { $ref: '#/$defs/a', $defs: { a: { items: { $ref: '#/$defs/a' }, type: 'array' } } },
      { $ref: '#/$defs/a', $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } } },
    ],
    [
      'of draft-07 is one of 2020-12',
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{ type: 'null' }], additionalItems: false },
      { type: 'array', prefixItems: [{ type: 'null' }], items: false },
    ],
    ['of a date of TypeBox is that of its text', Type0.Date(), { type: 'string', format: 'date-time' }],
  ];
  for (const [name, body, expected] of cases) {
    it(name, () => {
      const [route] = [
        ...createApp()
          .post('/a', { body } as object, () => 1)
          .routes(),
      ];
      const schema = route?.options?.body as unknown as { '~standard': { jsonSchema: { input: () => unknown } } };
      assert.deepEqual(JSON.parse(JSON.stringify(schema['~standard'].jsonSchema.input())), expected);
    });
  }
});

describe('a reply that breaks a JSON Schema', () => {
  it('is not sent in production either', async () => {
    const { NODE_ENV } = process.env;
    process.env['NODE_ENV'] = 'production';
    try {
      const lines: string[] = [];
      const app = createApp({ logger: { error: (...what) => void lines.push(what.join(' ')) } });
      app.get('/a', { response: reply }, () => ({ name: 7, password: 'secret' }) as never);
      const { status, text } = await app.inject('/a');
      assert.equal(status, 500);
      assert.doesNotMatch(text, /secret/);
      assert.match(lines.join(), /The reply of GET \/a breaks its schema: \$\.name: Expected string, received number\./);
    } finally {
      if (NODE_ENV === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = NODE_ENV;
    }
  });
});
