/**
 * What becomes of a value that a handler of the typed app returns.
 */
import { Readable } from 'node:stream';
import type { AnyContext } from '../../src/app/context.ts';
import { HttpError } from '../../src/app/index.ts';
import { defineCases } from './case.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

class Money {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
  toJSON(): string {
    return `${this.cents / 100} EUR`;
  }
}

async function* letters(): AsyncGenerator<string> {
  yield 'a';
  await Promise.resolve();
  yield 'ß';
}

function* numbers(): Generator<object> {
  yield { n: 1 };
  yield { n: 2 };
}

async function* failing(): AsyncGenerator<string> {
  await Promise.reject(new Error('no'));
  yield 'never';
}

/** What a generator does before its first piece is part of the head. */
async function* described(c: AnyContext): AsyncGenerator<string> {
  await Promise.resolve();
  c.status(201).header('X-Made', 'late').header('Content-Type', 'text/csv').cookie('a', '1');
  yield 'a,b';
  c.status(500).header('X-Made', 'too late');
}

async function* refusing(c: AnyContext): AsyncGenerator<string> {
  c.header('X-Made', 'late');
  await Promise.resolve();
  if (c.method !== 'PUT') throw new HttpError(409, 'Not now.');
  yield 'never';
}

function* unsayable(): Generator<unknown> {
  yield 1n;
}

defineCases('what a handler returns', [
  {
    name: 'an object is JSON',
    app: (app) => app.get('/', () => ({ a: 1, b: [true, null], c: 'ü' })),
    ask: '/',
    expect: { headers: { 'content-type': JSON_TYPE }, text: '{"a":1,"b":[true,null],"c":"ü"}' },
  },
  {
    name: 'an array is JSON',
    app: (app) => app.get('/', () => [1, 'b']),
    ask: '/',
    expect: { headers: { 'content-type': JSON_TYPE }, text: '[1,"b"]' },
  },
  { name: 'an empty object is JSON', app: (app) => app.get('/', () => ({})), ask: '/', expect: { text: '{}' } },
  {
    name: 'an object without a prototype is JSON',
    app: (app) => app.get('/', () => Object.assign(Object.create(null) as object, { a: 1 })),
    ask: '/',
    expect: { text: '{"a":1}' },
  },
  {
    name: 'an instance says itself what it is as JSON',
    app: (app) => app.get('/', () => ({ price: new Money(250) })),
    ask: '/',
    expect: { text: '{"price":"2.5 EUR"}' },
  },
  {
    name: 'an instance alone, too',
    app: (app) => app.get('/', () => new Money(250)),
    ask: '/',
    expect: { headers: { 'content-type': JSON_TYPE }, text: '"2.5 EUR"' },
  },
  {
    name: 'a date within is its ISO form',
    app: (app) => app.get('/', () => ({ at: new Date(0) })),
    ask: '/',
    expect: { text: '{"at":"1970-01-01T00:00:00.000Z"}' },
  },
  {
    name: 'a number is JSON',
    app: (app) => app.get('/', () => 42),
    ask: '/',
    expect: { headers: { 'content-type': JSON_TYPE }, text: '42' },
  },
  { name: 'zero and false are values', app: (app) => app.get('/', () => false), ask: '/', expect: { text: 'false' } },
  {
    name: 'a bigint is an error that only the log sees',
    app: (app) => app.get('/', () => ({ a: [{ n: 1n }] })),
    ask: '/',
    expect: { status: 500, text: /"title":"Internal Server Error"/ },
  },
  {
    name: 'an object that contains itself is an error',
    app: (app) =>
      app.get('/', () => {
        const a: Record<string, unknown> = {};
        a['self'] = a;
        return a;
      }),
    ask: '/',
    expect: { status: 500 },
  },
  { name: 'a function is an error', app: (app) => app.get('/', () => () => 1), ask: '/', expect: { status: 500 } },
  {
    name: 'a string is text',
    app: (app) => app.get('/', () => 'Grüße 🌊'),
    ask: '/',
    expect: { headers: { 'content-type': TEXT_TYPE }, text: 'Grüße 🌊' },
  },
  {
    name: 'an empty string is 200 without content',
    app: (app) => app.get('/', () => ''),
    ask: '/',
    expect: { headers: { 'content-type': TEXT_TYPE }, text: '' },
  },
  {
    name: 'bytes are an octet stream',
    app: (app) => app.get('/', () => new Uint8Array([97, 98])),
    ask: '/',
    expect: { headers: { 'content-type': 'application/octet-stream' }, text: 'ab' },
  },
  {
    name: 'a buffer of its own and a view of a part',
    app: (app) => app.get('/', () => new DataView(new Uint8Array([1, 97, 98, 2]).buffer, 1, 2)),
    ask: '/',
    expect: { text: 'ab' },
  },
  { name: 'an ArrayBuffer', app: (app) => app.get('/', () => new Uint8Array([120]).buffer), ask: '/', expect: { text: 'x' } },
  {
    name: 'a blob has its type',
    app: (app) => app.get('/', () => new Blob(['<p>'], { type: 'text/html' })),
    ask: '/',
    expect: { headers: { 'content-type': 'text/html' }, text: '<p>' },
  },
  {
    name: 'fields of a form',
    app: (app) => app.get('/', () => new URLSearchParams({ a: 'b c' })),
    ask: '/',
    expect: { headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }, text: 'a=b+c' },
  },
  {
    name: 'undefined is 204',
    app: (app) => app.get('/', () => undefined),
    ask: '/',
    expect: { status: 204, headers: { 'content-type': undefined }, text: '' },
  },
  { name: 'null is 204', app: (app) => app.get('/', () => null), ask: '/', expect: { status: 204, text: '' } },
  {
    name: 'nothing with a status of its own',
    app: (app) => app.get('/', (c) => void c.status(202)),
    ask: '/',
    expect: { status: 202, text: '' },
  },
  {
    name: 'a promise of any of these',
    app: (app) => app.get('/', async () => ({ later: true })),
    ask: '/',
    expect: { text: '{"later":true}' },
  },
  {
    name: 'a thenable',
    app: (app) => app.get('/', () => ({ then: (done: (value: string) => void) => done('done') })),
    ask: '/',
    expect: { text: 'done' },
  },
  {
    name: 'a Response with status, fields and content',
    app: (app) => app.get('/', () => new Response('made', { status: 201, headers: { 'X-A': 'b', 'Content-Type': 'text/x' } })),
    ask: '/',
    expect: { status: 201, headers: { 'x-a': 'b', 'content-type': 'text/x' }, text: 'made' },
  },
  {
    name: 'a Response of a network error is none',
    app: (app) => app.get('/', () => Response.error()),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'a Response that was read already is none',
    app: (app) =>
      app.get('/', async () => {
        const response = new Response('gone');
        await response.text();
        return response;
      }),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'a Response that is being read is none',
    app: (app) =>
      app.get('/', () => {
        const response = new Response('going');
        void response.text();
        return response;
      }),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'c.json() with a type that was set before',
    app: (app) => app.get('/', (c) => c.header('Content-Type', 'application/vnd.bird+json').json({ a: 1 })),
    ask: '/',
    expect: { headers: { 'content-type': 'application/vnd.bird+json' }, text: '{"a":1}' },
  },
  {
    name: 'a Response without content',
    app: (app) => app.get('/', () => new Response(null, { status: 204 })),
    ask: '/',
    expect: { status: 204, text: '' },
  },
  {
    name: 'a Response with two cookies',
    app: (app) =>
      app.get(
        '/',
        () =>
          new Response('', {
            headers: [
              ['Set-Cookie', 'a=1'],
              ['Set-Cookie', 'b=2'],
            ],
          }),
      ),
    ask: '/',
    expect: { headers: { 'set-cookie': 'a=1, b=2' } },
  },
  {
    name: 'a web stream',
    app: (app) => app.get('/', () => new Response('streamed').body),
    ask: '/',
    expect: { headers: { 'content-type': 'application/octet-stream' }, text: 'streamed' },
  },
  { name: 'a stream of Node', app: (app) => app.get('/', () => Readable.from(['a', Buffer.from('b')])), ask: '/', expect: { text: 'ab' } },
  { name: 'an async generator', app: (app) => app.get('/', () => letters()), ask: '/', expect: { text: 'aß' } },
  { name: 'a generator function as the handler', app: (app) => app.get('/', letters), ask: '/', expect: { text: 'aß' } },
  {
    name: 'status and fields that a generator sets before its first piece',
    app: (app) => app.get('/', described),
    ask: '/',
    expect: { status: 201, headers: { 'x-made': 'late', 'content-type': 'text/csv', 'set-cookie': 'a=1; Path=/' }, text: 'a,b' },
  },
  {
    name: 'a type that a generator sets goes before that of c.stream()',
    app: (app) => app.get('/', (c) => c.stream(described(c), { type: 'text/plain' })),
    ask: '/',
    expect: { status: 201, headers: { 'content-type': 'text/csv' }, text: 'a,b' },
  },
  {
    name: 'status and fields of a generator without a piece',
    app: (app) =>
      app.get('/', function* (c) {
        c.status(202).header('X-Made', 'late');
        yield* [];
      }),
    ask: '/',
    expect: { status: 202, headers: { 'x-made': 'late' }, text: '' },
  },
  {
    name: 'a generator that says there is no content gives none',
    app: (app) =>
      app.get('/', function* (c) {
        c.status(204);
        yield 'never';
      }),
    ask: '/',
    expect: { status: 204, text: '' },
  },
  {
    name: 'a generator that fails before its first piece is answered as any error',
    app: (app) => app.get('/', refusing),
    ask: '/',
    expect: { status: 409, headers: { 'content-type': 'application/problem+json; charset=utf-8', 'x-made': 'late' }, text: /Not now/ },
  },
  {
    name: 'a first piece that cannot be sent is an error',
    app: (app) => app.get('/', () => unsayable()),
    ask: '/',
    expect: { status: 500, headers: { 'content-type': 'application/problem+json; charset=utf-8' } },
  },
  {
    name: 'a generator is not begun where there is to be no content',
    app: (app) => app.get('/', refusing),
    ask: { method: 'HEAD', url: '/' },
    expect: { status: 200, headers: { 'x-made': undefined }, text: '' },
  },
  {
    name: 'what yields objects gives JSON texts',
    app: (app) => app.get('/', () => numbers()),
    ask: '/',
    expect: { text: '{"n":1}{"n":2}' },
  },
  {
    name: 'a stream that fails before its first piece is an error',
    app: (app) => app.get('/', () => failing()),
    ask: '/',
    expect: { status: 500 },
  },
  { name: 'an error that is returned is one', app: (app) => app.get('/', () => new Error('returned')), ask: '/', expect: { status: 500 } },
  {
    name: 'c.json',
    app: (app) => app.get('/', (c) => c.status(201).json([1])),
    ask: '/',
    expect: { status: 201, headers: { 'content-type': JSON_TYPE }, text: '[1]' },
  },
  { name: 'c.json of null', app: (app) => app.get('/', (c) => c.json(null)), ask: '/', expect: { text: 'null' } },
  {
    name: 'c.text',
    app: (app) => app.get('/', (c) => c.text('t')),
    ask: '/',
    expect: { headers: { 'content-type': TEXT_TYPE }, text: 't' },
  },
  {
    name: 'c.html of a String that says it is escaped',
    app: (app) => app.get('/', (c) => c.html(Object.assign(new String('<p>') as string, { isEscaped: true }))),
    ask: '/',
    expect: { headers: { 'content-type': 'text/html; charset=utf-8' }, text: '<p>' },
  },
  {
    name: 'c.html',
    app: (app) => app.get('/', (c) => c.html('<p>')),
    ask: '/',
    expect: { headers: { 'content-type': 'text/html; charset=utf-8' }, text: '<p>' },
  },
  {
    name: 'c.send with a type',
    app: (app) => app.get('/', (c) => c.send('a,b', 'text/csv')),
    ask: '/',
    expect: { headers: { 'content-type': 'text/csv' }, text: 'a,b' },
  },
  {
    name: 'a type that was set stays',
    app: (app) =>
      app.get('/', (c) => {
        c.header('Content-Type', 'text/x');
        return c.json(1);
      }),
    ask: '/',
    expect: { headers: { 'content-type': 'text/x' }, text: '1' },
  },
  {
    name: 'c.redirect',
    app: (app) => app.get('/', (c) => c.redirect('/ä?x=%20')),
    ask: '/',
    expect: { status: 302, headers: { location: '/%C3%A4?x=%20' } },
  },
  {
    name: 'c.redirect with a status',
    app: (app) => app.get('/', (c) => c.redirect('/b', 308)),
    ask: '/',
    expect: { status: 308, headers: { location: '/b' } },
  },
  {
    name: 'HEAD has the fields of GET and no content',
    app: (app) => app.get('/', () => ({ a: 1 })),
    ask: { method: 'HEAD', url: '/' },
    expect: { headers: { 'content-type': JSON_TYPE }, text: '' },
  },
  { name: 'HEAD of a stream ends it', app: (app) => app.get('/', letters), ask: { method: 'HEAD', url: '/' }, expect: { text: '' } },
  {
    name: '304 has no content, whatever is returned',
    app: (app) =>
      app.get('/', (c) => {
        c.status(304).header('ETag', '"a"');
        return { a: 1 };
      }),
    ask: '/',
    expect: { status: 304, headers: { etag: '"a"' }, text: '' },
  },
]);
