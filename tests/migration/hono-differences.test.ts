/**
 * Every difference between Hono and the app that docs/migration/from-hono.md lists: the same program, the same
 * requests, what each side answers.
 */
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { deleteCookie } from 'hono/cookie';
import { stream } from 'hono/streaming';
import { validator } from 'hono/validator';
import { createApp, HttpError } from 'fulmar';
import { z } from 'zod';
import { FORM, hono, JSON_TYPE } from './hono-peer.ts';
import { defineDifferences } from './pairs.ts';

const HONO_404 = '404 text/plain 404 Not Found';
const HONO_500 = '500 text/plain Internal Server Error';
const OURS_500 = '500 application/problem+json {"title":"Internal Server Error","status":500,"instance":"urn:error:…"}';
const problem = (status: number, title: string, detail?: string, more = ''): string =>
  `{"title":"${title}","status":${status}${detail === undefined ? '' : `,"detail":${JSON.stringify(detail)}`}${more}}`;
const ours = (status: number, title: string, detail?: string, more?: string): string =>
  `${status} application/problem+json ${problem(status, title, detail, more)}`;
const nothing = (path: string): string => ours(404, 'Not Found', `Nothing is at ${path}.`);

const fail = (): never => {
  throw new Error('of the database');
};

defineDifferences(hono, [
  {
    id: 'H1',
    name: 'the more particular path goes first, whichever was registered first',
    theirs: (app) => app.get('/:slug', (c) => c.text('slug')).get('/book', (c) => c.text('book')),
    ours: (app) => app.get('/:slug', () => 'slug').get('/book', () => 'book'),
    ask: ['/book', '/x'],
    stock: ['200 text/plain slug', '200 text/plain slug'],
    fulmar: ['200 text/plain book', '200 text/plain slug'],
  },
  {
    id: 'H2',
    name: 'a wildcard is not for the path before its slash',
    theirs: (app) => app.get('/files/*', (c) => c.text('files')),
    ours: (app) => app.get('/files/*', () => 'files'),
    ask: ['/files/a', '/files/', '/files'],
    stock: ['200 text/plain files', '200 text/plain files', '200 text/plain files'],
    fulmar: ['200 text/plain files', '200 text/plain files', nothing('/files')],
  },
  {
    id: 'H3',
    name: 'another method is 405 with those there are, and OPTIONS is answered',
    theirs: (app) => app.get('/', (c) => c.text('x')),
    ours: (app) => app.get('/', () => 'x'),
    ask: [
      { method: 'PUT', url: '/' },
      { method: 'OPTIONS', url: '/' },
    ],
    fields: ['allow'],
    stock: ['404 text/plain allow=- 404 Not Found', '404 text/plain allow=- 404 Not Found'],
    fulmar: [
      `405 application/problem+json allow=GET, HEAD, OPTIONS ${problem(405, 'Method Not Allowed', 'PUT is not a method of /; GET, HEAD, OPTIONS are.')}`,
      '204 - allow=GET, HEAD, OPTIONS',
    ],
  },
  {
    id: 'H4',
    name: 'an escape that is none is 400',
    theirs: (app) => app.get('/:a', (c) => c.text(c.req.param('a'))),
    ours: (app) => app.get('/:a', (c) => c.params.a),
    ask: '/%E0%A4%A',
    stock: ['200 text/plain %E0%A4%A'],
    fulmar: [ours(400, 'Bad Request', 'expected percent-escapes of UTF-8 in a path, found "%E0%A4%A"')],
  },
  {
    id: 'H5',
    name: 'a route that no request could reach is an error at its registration',
    theirs: (app) => app.get('/a', (c) => c.text('1')).get('/a', (c) => c.text('2')),
    ours(app) {
      app.get('/a', () => '1');
      try {
        app.get('/a', () => '2');
      } catch (error) {
        app.get('/told', () => (error as Error).message.replaceAll(/\(.*?\)/g, '(…)'));
      }
    },
    ask: ['/a', '/told'],
    stock: ['200 text/plain 1', HONO_404],
    fulmar: [
      '200 text/plain 1',
      '200 text/plain expected routes that a path can tell apart, found GET /a (…) and GET /a (…); change or remove one',
    ],
  },
  {
    id: 'H6',
    name: 'an expression of a parameter is a schema here: it refuses, and does not choose',
    theirs: (app) => app.get('/post/:date{[0-9]+}', (c) => c.text(c.req.param('date'))),
    ours: (app) => app.get('/post/:date', { params: z.object({ date: z.string().regex(/^[0-9]+$/, 'no date') }) }, (c) => c.params.date),
    ask: ['/post/123', '/post/x'],
    stock: ['200 text/plain 123', HONO_404],
    fulmar: [
      '200 text/plain 123',
      ours(
        422,
        'Unprocessable Content',
        'The input is not valid.',
        ',"errors":[{"in":"params","path":["date"],"expected":"string matching /^[0-9]+$/","received":"string","message":"no date"}]',
      ),
    ],
  },
  {
    id: 'H7',
    name: 'routes that an app gets after it was put under a prefix are there as well',
    theirs(app) {
      const two = new Hono();
      app.route('/two', two);
      two.get('/hi', (c) => c.text('hi'));
    },
    ours(app) {
      const two = createApp();
      app.route('/two', two);
      two.get('/hi', () => 'hi');
    },
    ask: '/two/hi',
    stock: [HONO_404],
    fulmar: ['200 text/plain hi'],
  },
  {
    id: 'H8',
    name: 'errors are problems (RFC 9457), and those of 500 have an id that the log has too',
    theirs: (app) => app.get('/500', fail).get('/401', () => { throw new HTTPException(401, { message: 'who are you?' }); }), // prettier-ignore
    ours: (app) => app.get('/500', fail).get('/401', () => { throw new HttpError(401, 'who are you?'); }), // prettier-ignore
    ask: ['/404', '/500', '/401'],
    stock: [HONO_404, HONO_500, '401 text/plain who are you?'],
    fulmar: [nothing('/404'), OURS_500, ours(401, 'Unauthorized', 'who are you?')],
  },
  {
    id: 'H9',
    name: 'next() throws what was thrown behind it, and 404 and 405 are errors as well',
    theirs(app) {
      app.use(async (c, next) => {
        await next();
        c.header('X-After', 'yes');
      });
      app.get('/', fail);
    },
    ours(app) {
      app.use(async (c, next) => {
        await next();
        c.header('X-After', 'yes');
      });
      app.get('/', fail);
    },
    ask: ['/', '/none'],
    fields: ['x-after'],
    stock: [HONO_500.replace('plain', 'plain x-after=yes'), HONO_404.replace('plain', 'plain x-after=yes')],
    fulmar: [OURS_500.replace('json', 'json x-after=-'), nothing('/none').replace('json', 'json x-after=-')],
  },
  {
    id: 'H10',
    name: 'what is thrown and is no Error is a reply too',
    theirs: (app) => app.get('/', () => { throw 'text'; }), // prettier-ignore
    ours: (app) => app.get('/', () => { throw 'text'; }), // prettier-ignore
    ask: '/',
    stock: ['throws text'],
    fulmar: [OURS_500],
  },
  {
    id: 'H11',
    name: 'no value is 204',
    theirs: (app) => app.get('/undefined', (() => undefined) as never).get('/null', (c) => c.body(null)),
    ours: (app) => app.get('/undefined', () => undefined).get('/null', () => null),
    ask: ['/undefined', '/null'],
    stock: [HONO_404, '200 -'],
    fulmar: ['204 -', '204 -'],
  },
  {
    id: 'H12',
    name: 'media types have their charset, in one way of writing',
    theirs: (app) =>
      app
        .get('/text', (c) => c.text('é'))
        .get('/json', (c) => c.json('é'))
        .get('/html', (c) => c.html('é')),
    ours: (app) =>
      app
        .get('/text', () => 'é')
        .get('/json', (c) => c.json('é'))
        .get('/html', (c) => c.html('é')),
    ask: ['/text', '/json', '/html'],
    fields: ['content-type'],
    stock: [
      '200 text/plain content-type=text/plain;charset=UTF-8 é',
      '200 application/json content-type=application/json "é"',
      '200 text/html content-type=text/html; charset=UTF-8 é',
    ],
    fulmar: [
      '200 text/plain content-type=text/plain; charset=utf-8 é',
      '200 application/json content-type=application/json; charset=utf-8 "é"',
      '200 text/html content-type=text/html; charset=utf-8 é',
    ],
  },
  {
    id: 'H13',
    name: 'a redirect has a text',
    theirs: (app) => app.get('/', (c) => c.redirect('/x')).get('/moved', (c) => c.redirect('/x', 301)),
    ours: (app) => app.get('/', (c) => c.redirect('/x')).get('/moved', (c) => c.redirect('/x', 301)),
    ask: ['/', '/moved'],
    fields: ['location'],
    stock: ['302 - location=/x', '301 - location=/x'],
    fulmar: ['302 text/plain location=/x Redirecting to /x', '301 text/plain location=/x Redirecting to /x'],
  },
  {
    id: 'H14',
    name: 'the query has all values of a name that comes several times',
    theirs: (app) => app.get('/', (c) => c.json(c.req.query())),
    ours: (app) => app.get('/', (c) => c.query),
    ask: '/?t=1&t=2',
    stock: ['200 application/json {"t":"1"}'],
    fulmar: ['200 application/json {"t":["1","2"]}'],
  },
  {
    id: 'H15',
    name: 'content that is no JSON is 400, and what is said to be something else 415',
    theirs: (app) => app.post('/', async (c) => c.json(await c.req.json())),
    ours: (app) => app.post('/', async (c) => c.json(await c.body.json())),
    ask: [
      { url: '/', body: 'nil', headers: JSON_TYPE },
      { url: '/', method: 'POST', headers: JSON_TYPE },
      { url: '/', body: '{"a":1}', headers: { 'Content-Type': 'text/plain' } },
    ],
    stock: [HONO_500, HONO_500, '200 application/json {"a":1}'],
    fulmar: [
      ours(400, 'Bad Request', jsonFailure('nil')),
      ours(400, 'Bad Request', 'JSON is expected, and there is no content.'),
      ours(415, 'Unsupported Media Type', 'JSON is expected, and the content is said to be text/plain.'),
    ],
  },
  {
    id: 'H16',
    name: 'content has a limit, 1 MiB unless another is set',
    theirs: (app) => app.post('/', async (c) => c.text(String((await c.req.text()).length))),
    ours: (app) => app.post('/', async (c) => String((await c.body.text()).length)),
    ask: { url: '/', body: 'x'.repeat(1_048_577) },
    stock: ['200 text/plain 1048577'],
    fulmar: [ours(413, 'Content Too Large', 'Content of 1048576 bytes is accepted at most.', ',"limit":1048576')],
  },
  {
    id: 'H17',
    name: 'what is no form is not an empty form',
    theirs: (app) => app.post('/', async (c) => c.json(await c.req.parseBody())),
    ours: (app) => app.post('/', async (c) => Object.fromEntries(await c.body.form())),
    ask: { url: '/', body: '{}', headers: JSON_TYPE },
    stock: ['200 application/json {}'],
    fulmar: [ours(415, 'Unsupported Media Type', 'A form is expected, and the content is said to be application/json.')],
  },
  {
    id: 'H18',
    name: 'input that is not valid is 422, with all that is wrong with it',
    theirs: (app) => app.post(
      '/',
      validator('form', (value, c) => (typeof value['name'] === 'string' ? { name: value['name'] } : c.text('Invalid!', 400))),
      (c) => c.json(c.req.valid('form')),
    ), // prettier-ignore
    ours: (app) => app.post('/', { body: z.object({ name: z.string('Invalid!') }) }, (c) => c.body),
    ask: [
      { url: '/', body: 'name=x', headers: FORM },
      { url: '/', body: 'x=x', headers: FORM },
    ],
    stock: ['200 application/json {"name":"x"}', '400 text/plain Invalid!'],
    fulmar: [
      '200 application/json {"name":"x"}',
      ours(
        422,
        'Unprocessable Content',
        'The input is not valid.',
        ',"errors":[{"in":"body","path":["name"],"expected":"string","received":"undefined","message":"Invalid!"}]',
      ),
    ],
  },
  {
    id: 'H19',
    name: 'pieces without a type are bytes by their type',
    theirs: (app) => app.get('/', (c) => stream(c, async (to) => void (await to.write('a')))),
    ours: (app) => app.get('/', () => ['a'].values()),
    ask: '/',
    stock: ['200 - a'],
    fulmar: ['200 application/octet-stream a'],
  },
  {
    id: 'H20',
    name: 'a stream that fails is broken off, so that the client knows',
    theirs(app) {
      const write = async (to: { write(text: string): Promise<unknown> }): Promise<void> => {
        await to.write('a');
        fail();
      };
      app.get('/', (c) => stream(c, write, () => Promise.resolve()));
    },
    ours(app) {
      app.get('/', async function* () {
        yield 'a';
        // An error takes what nobody has read yet out of a web stream.
        await new Promise(setImmediate);
        fail();
      });
    },
    ask: '/',
    stock: ['200 - a'],
    fulmar: ['200 application/octet-stream a[broken off]'],
  },
  {
    id: 'H21',
    name: 'fields that were set are also those of a Response that is returned',
    theirs: (app) => app.get('/', (c) => { c.header('X-A', '1'); return new Response('r'); }), // prettier-ignore
    ours: (app) => app.get('/', (c) => { c.header('X-A', '1'); return new Response('r'); }), // prettier-ignore
    ask: '/',
    fields: ['x-a'],
    stock: ['200 text/plain x-a=- r'],
    fulmar: ['200 text/plain x-a=1 r'],
  },
  {
    id: 'H22',
    name: 'the path is told as it was sent',
    theirs: (app) => app.get('/files/*', (c) => c.text(c.req.path)),
    ours: (app) => app.get('/files/*', (c) => c.path),
    ask: '/files/a%20b',
    stock: ['200 text/plain /files/a b'],
    fulmar: ['200 text/plain /files/a%20b'],
  },
  {
    id: 'H23',
    name: 'a cookie is taken back with a date as well',
    theirs: (app) => app.get('/', (c) => { deleteCookie(c, 'a'); return c.text('x'); }), // prettier-ignore
    ours: (app) => app.get('/', (c) => c.cookie('a', null).text('x')),
    ask: '/',
    fields: ['set-cookie'],
    stock: ['200 text/plain set-cookie=a=; Max-Age=0; Path=/ x'],
    fulmar: ['200 text/plain set-cookie=a=; Max-Age=0; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT x'],
  },
  {
    id: 'H24',
    name: 'null takes a field back, where undefined does for Hono',
    theirs: (app) => app.get('/', (c) => { c.header('X-A', '1'); c.header('X-A', undefined); return c.text('x'); }), // prettier-ignore
    ours: (app) => app.get('/', (c) => { c.header('X-A', '1'); c.header('X-B', '1'); void c.header('X-A'); return c.header('X-B', null).text('x'); }), // prettier-ignore
    ask: '/',
    fields: ['x-a', 'x-b'],
    stock: ['200 text/plain x-a=- x-b=- x'],
    fulmar: ['200 text/plain x-a=1 x-b=- x'],
  },
  {
    id: 'H25',
    name: 'notFound() answers what has no route; what a handler does not find is an error',
    theirs: (app) => app.notFound((c) => c.text('no page', 404)).get('/a', (c) => c.notFound()),
    ours: (app) => app.notFound(() => 'no page').get('/a', () => { throw new HttpError(404); }), // prettier-ignore
    ask: ['/none', '/a'],
    stock: ['404 text/plain no page', '404 text/plain no page'],
    fulmar: ['404 text/plain no page', ours(404, 'Not Found')],
  },
  {
    id: 'H26',
    name: 'a value that JSON has not is an error',
    theirs: (app) => app.get('/', (c) => c.json(undefined as never)),
    ours: (app) => app.get('/', (c) => c.json(undefined)),
    ask: '/',
    stock: ['200 application/json'],
    fulmar: [OURS_500],
  },
  {
    id: 'H27',
    name: 'HEAD tells the length that GET has',
    theirs: (app) => app.get('/', (c) => c.text('four')),
    ours: (app) => app.get('/', () => 'four'),
    ask: { method: 'HEAD', url: '/' },
    fields: ['content-length'],
    stock: ['200 text/plain content-length=-'],
    fulmar: ['200 text/plain content-length=4'],
  },
  {
    id: 'H28',
    name: 'what is not found under a prefix is answered there',
    theirs(app) {
      app.notFound((c) => c.text('outer', 404));
      app.route(
        '/v1',
        new Hono().notFound((c) => c.text('inner', 404)),
      );
    },
    ours(app) {
      app.notFound(() => 'outer');
      app.route(
        '/v1',
        createApp().notFound(() => 'inner'),
      );
    },
    ask: ['/v1/none', '/none'],
    stock: ['404 text/plain outer', '404 text/plain outer'],
    fulmar: ['404 text/plain inner', '404 text/plain outer'],
  },
]);

/** As the JSON of this Node words it. */
function jsonFailure(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch (error) {
    return `The content is not JSON: ${(error as Error).message}`;
  }
}
