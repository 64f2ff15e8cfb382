/**
 * A context that is returned, as its setters give it, is no value of its own.
 */
import { defineCases } from './case.ts';

defineCases('a context that is returned', [
  {
    name: 'with a status is that status without content',
    app: (app) => app.post('/', (c) => c.status(201)),
    ask: { method: 'POST', url: '/' },
    expect: { status: 201, headers: { 'content-type': undefined }, text: '' },
  },
  {
    name: 'without a status is 204 with what was set',
    app: (app) => app.get('/', (c) => c.cookie('id', '7')),
    ask: '/',
    expect: { status: 204, headers: { 'set-cookie': 'id=7; Path=/' }, text: '' },
  },
  {
    name: 'through a promise is the same',
    app: (app) => app.get('/', async (c) => c.status(202).header('X-A', 'b')),
    ask: '/',
    expect: { status: 202, headers: { 'x-a': 'b' }, text: '' },
  },
  {
    name: 'of a handler behind middleware is nothing that middleware sees',
    app: (app) =>
      app
        .use(async (c, next) => c.header('X-Seen', String(await next())))
        .get('/', (c) => c.status(202))
        .get('/later', async (c) => c.status(202)),
    ask: '/later',
    expect: { status: 202, headers: { 'x-seen': 'undefined' }, text: '' },
  },
  {
    name: 'of middleware without a status lets the handler answer',
    app: (app) => app.use((c) => c.header('X-A', 'b')).get('/', () => 'value'),
    ask: '/',
    expect: { headers: { 'x-a': 'b' }, text: 'value' },
  },
  {
    name: 'of middleware that waits without a status lets the handler answer',
    app: (app) => app.use(async (c) => c.header('X-A', 'b')).get('/', async () => 'value'),
    ask: '/',
    expect: { headers: { 'x-a': 'b' }, text: 'value' },
  },
  {
    name: 'of middleware with a status is the reply, and the handler is not reached',
    app: (app) => app.use((c) => c.status(403)).get('/', () => 'secret'),
    ask: '/',
    expect: { status: 403, text: '' },
  },
  {
    name: 'of middleware behind next() leaves the value as it is',
    app: (app) =>
      app
        .use(async (c, next) => {
          await next();
          return c.header('X-A', 'b');
        })
        .get('/', () => 'value'),
    ask: '/',
    expect: { headers: { 'x-a': 'b' }, text: 'value' },
  },
  {
    name: 'of onRequest lets the request go on',
    app: (app) =>
      app
        .onRequest((c) => c.header('X-A', 'b'))
        .onRequest(async (c) => c.header('X-B', 'c'))
        .get('/', () => 'value'),
    ask: '/',
    expect: { headers: { 'x-a': 'b', 'x-b': 'c' }, text: 'value' },
  },
  {
    name: 'of onRequest with a status is the reply',
    app: (app) => app.onRequest((c) => c.status(403)).get('/', () => 'secret'),
    ask: '/',
    expect: { status: 403, text: '' },
  },
  {
    name: 'of onError with a status is that status',
    app: (app) =>
      app
        .onError((_error, c) => c.status(418))
        .get('/', () => {
          throw new Error('no');
        }),
    ask: '/',
    expect: { status: 418, text: '' },
  },
  {
    name: 'of onError without a status leaves the error to the app',
    app: (app) =>
      app
        .onError((_error, c) => c.header('X-A', 'b'))
        .get('/', () => {
          throw new Error('no');
        }),
    ask: '/',
    expect: { status: 500, headers: { 'x-a': 'b' } },
  },
  {
    name: 'of notFound is 404 without content',
    app: (app) => app.notFound((c) => c.header('X-A', 'b')),
    ask: '/none',
    expect: { status: 404, headers: { 'x-a': 'b' }, text: '' },
  },
]);
