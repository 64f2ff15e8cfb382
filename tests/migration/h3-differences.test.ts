/**
 * Every difference between h3 and the app that docs/migration/from-hono.md lists: the same program, the same
 * requests, what each side answers.
 */
import { H3, HTTPError, readBody } from 'h3';
import { HttpError } from 'fulmar';
import { FORM, JSON_TYPE } from './hono-peer.ts';
import { cameOf, defineDifferences, defineEqual, type Peer, toRequest } from './pairs.ts';

const h3: Peer<H3> = {
  create: () => new H3({ silent: true }),
  ask: async (app, asked) => cameOf(await app.fetch(toRequest(asked))),
};

const H3_500 = '500 application/json {"status":500,"unhandled":true,"message":"HTTPError"}';
const OURS_500 = '500 application/problem+json {"title":"Internal Server Error","status":500,"instance":"urn:error:…"}';
const theirs404 = (path: string): string =>
  `404 application/json {"status":404,"message":"Cannot find any route matching [GET] http://localhost${path}"}`;
const ours404 = (path: string): string =>
  `404 application/problem+json {"title":"Not Found","status":404,"detail":"Nothing is at ${path}."}`;

defineEqual(h3, [
  {
    name: 'the more particular path goes first, whichever was registered first',
    theirs: (app) => app.get('/**', () => 'rest').get('/:a', () => 'one').get('/x', () => 'x'), // prettier-ignore
    ours: (app) =>
      app
        .get('/*', () => 'rest')
        .get('/:a', () => 'one')
        .get('/x', () => 'x'),
    ask: ['/x', '/y', '/y/z', '/'],
    both: ['x', 'one', 'rest', 'rest'].map((text) => `200 text/plain ${text}`),
  },
  {
    name: 'a named rest, and values as JSON',
    theirs: (app) => app.get('/f/**:path', (event) => event.context.params),
    ours: (app) => app.get('/f/*path', (c) => c.params),
    ask: '/f/a/b',
    both: ['200 application/json {"path":"a/b"}'],
  },
  {
    name: 'status and fields beside a value, and a Response as it is',
    theirs: (app) =>
      app
        .get('/a', (event) => {
          event.res.status = 201;
          event.res.headers.set('X-A', '1');
          return 'x';
        })
        .get('/b', () => new Response('r', { status: 202, headers: { 'X-A': '2' } })),
    ours: (app) => app.get('/a', (c) => c.status(201).header('X-A', '1').text('x')).get('/b', () => new Response('r', { status: 202, headers: { 'X-A': '2' } })), // prettier-ignore
    ask: ['/a', '/b'],
    fields: ['x-a'],
    both: ['201 text/plain x-a=1 x', '202 text/plain x-a=2 r'],
  },
  {
    name: 'middleware at a path that answers',
    theirs: (app) => app.use('/admin/**', () => 'no').get('/admin/x', () => 'x'),
    ours: (app) => app.use('/admin', () => 'no').get('/admin/x', () => 'x'),
    ask: ['/admin/x', '/admin/none'],
    both: ['200 text/plain no', '200 text/plain no'],
  },
  {
    name: 'an application of h3 within ours',
    theirs: (app) => app.get('/old/x', () => 'x'),
    ours: (app) =>
      app.mount(
        '/old',
        new H3().get('/x', () => new Response('x', { headers: { 'Content-Type': 'text/plain' } })),
      ),
    ask: '/old/x',
    both: ['200 text/plain x'],
  },
]);

defineDifferences(h3, [
  {
    id: 'N1',
    name: 'a slash at the end makes another path',
    theirs: (app) => app.get('/a', () => 'a'),
    ours: (app) => app.get('/a', () => 'a'),
    ask: ['/a', '/a/'],
    stock: ['200 text/plain a', '200 text/plain a'],
    fulmar: ['200 text/plain a', ours404('/a/')],
  },
  {
    id: 'N2',
    name: 'parameters are decoded',
    theirs: (app) => app.get('/:a', (event) => event.context.params),
    ours: (app) => app.get('/:a', (c) => c.params),
    ask: '/a%20b%2Fc',
    stock: ['200 application/json {"a":"a%20b%2Fc"}'],
    fulmar: ['200 application/json {"a":"a b/c"}'],
  },
  {
    id: 'N3',
    name: 'middleware is for what is registered behind it, and goes on by next()',
    theirs: (app) => app.get('/', () => 'x').use((event) => { event.res.headers.set('X-M', '1'); }), // prettier-ignore
    ours: (app) => app.get('/', () => 'x').use((c, next) => { c.header('X-M', '1'); return next(); }), // prettier-ignore
    ask: '/',
    fields: ['x-m'],
    stock: ['200 text/plain x-m=1 x'],
    fulmar: ['200 text/plain x-m=- x'],
  },
  {
    id: 'N4',
    name: 'no value is 204',
    theirs: (app) => app.get('/undefined', () => undefined).get('/null', () => null),
    ours: (app) => app.get('/undefined', () => undefined).get('/null', () => null),
    ask: ['/undefined', '/null'],
    stock: ['200 text/plain', '200 text/plain'],
    fulmar: ['204 -', '204 -'],
  },
  {
    id: 'N5',
    name: 'what JSON has not is an error',
    theirs: (app) => app.get('/', () => 5n),
    ours: (app) => app.get('/', () => 5n),
    ask: '/',
    stock: ['200 application/json 5'],
    fulmar: [OURS_500],
  },
  {
    id: 'N6',
    name: 'errors are problems',
    theirs(app) {
      app.get('/500', () => { throw new Error('it'); }); // prettier-ignore
      app.get('/400', () => { throw new HTTPError({ status: 400, message: 'Invalid', data: { field: 1 } }); }); // prettier-ignore
    },
    ours(app) {
      app.get('/500', () => { throw new Error('it'); }); // prettier-ignore
      app.get('/400', () => { throw new HttpError(400, 'Invalid', { details: { data: { field: 1 } } }); }); // prettier-ignore
    },
    ask: ['/404', '/500', '/400'],
    stock: [theirs404('/404'), H3_500, '400 application/json {"status":400,"message":"Invalid","data":{"field":1}}'],
    fulmar: [
      ours404('/404'),
      OURS_500,
      '400 application/problem+json {"title":"Bad Request","status":400,"detail":"Invalid","data":{"field":1}}',
    ],
  },
  {
    id: 'N7',
    name: 'content is what it is said to be',
    theirs: (app) => app.post('/', async (event) => ({ body: (await readBody(event)) ?? 'none' })),
    ours: (app) => app.post('/', async (c) => ({ body: await c.body.json() })),
    ask: [
      { url: '/', body: '{"a":1}', headers: JSON_TYPE },
      { url: '/', body: 'a=1', headers: FORM },
      { url: '/', method: 'POST' },
    ],
    stock: ['200 application/json {"body":{"a":1}}', '200 application/json {"body":{"a":"1"}}', '200 application/json {"body":"none"}'],
    fulmar: [
      '200 application/json {"body":{"a":1}}',
      '415 application/problem+json {"title":"Unsupported Media Type","status":415,"detail":"JSON is expected, and the content is said to be application/x-www-form-urlencoded."}',
      '400 application/problem+json {"title":"Bad Request","status":400,"detail":"JSON is expected, and there is no content."}',
    ],
  },
  {
    id: 'N8',
    name: 'a second route at a path is an error at its registration',
    theirs: (app) => app.get('/a', () => '1').get('/a', () => '2'),
    ours(app) {
      app.get('/a', () => '1');
      try {
        app.get('/a', () => '2');
      } catch (error) {
        app.get('/told', () => (error as Error).name);
      }
    },
    ask: ['/a', '/told'],
    stock: ['200 text/plain 1', theirs404('/told')],
    fulmar: ['200 text/plain 1', '200 text/plain RouteError'],
  },
]);
