/**
 * A `Response` that is thrown is the reply: from a handler, middleware, a hook, a handler of errors.
 */
import { defineCases } from './case.ts';

const teapot = (): Response => new Response('short and stout', { status: 418, headers: { 'Content-Type': 'text/tea', 'X-Pot': '1' } });
const expected = { status: 418, headers: { 'content-type': 'text/tea', 'x-pot': '1' }, text: 'short and stout' };

function raise(value: unknown): never {
  throw value;
}

defineCases('a Response that is thrown', [
  { name: 'by a handler is the reply', app: (app) => app.get('/', () => raise(teapot())), ask: '/', expect: expected },
  { name: 'through a promise is the reply', app: (app) => app.get('/', async () => raise(teapot())), ask: '/', expect: expected },
  {
    name: 'by middleware is the reply, and the handler is not reached',
    app: (app) => app.use(() => raise(teapot())).get('/', () => 'secret'),
    ask: '/',
    expect: expected,
  },
  { name: 'by onRequest is the reply', app: (app) => app.onRequest(() => raise(teapot())), ask: '/none', expect: expected },
  {
    name: 'is not asked of onError',
    app: (app) => app.onError(() => 'an error').get('/', () => raise(teapot())),
    ask: '/',
    expect: expected,
  },
  {
    name: 'by onError is the reply',
    app: (app) => app.onError(() => raise(teapot())).get('/', () => raise(new Error('no'))),
    ask: '/',
    expect: expected,
  },
  {
    name: 'has its own status, whatever was set before; fields that were set stay',
    app: (app) => app.get('/', (c) => c.status(201).header('X-A', 'b') && raise(teapot())),
    ask: '/',
    expect: { ...expected, headers: { ...expected.headers, 'x-a': 'b' } },
  },
  {
    name: 'without content is its status',
    app: (app) => app.get('/', () => raise(new Response(null, { status: 304 }))),
    ask: '/',
    expect: { status: 304, text: '' },
  },
  {
    name: 'whose content was read already is an error',
    app: (app) =>
      app.get('/', async () => {
        const response = teapot();
        await response.text();
        throw response;
      }),
    ask: '/',
    expect: { status: 500 },
  },
  {
    name: 'of the context is the reply as well',
    app: (app) => app.get('/', (c) => raise(c.status(402).json({ pay: true }))),
    ask: '/',
    expect: { status: 402, json: { pay: true } },
  },
]);
