/**
 * ctx.response: status, message, fields, type, length, etag, lastModified, vary, redirect, attachment, is,
 * inspection.
 */
import { inspect } from 'node:util';
import type { Ctx } from './api.ts';
import { handles, only2, only3, reads, serves, withHeaders, wrong } from './kit.ts';
import { defineKoaSuite, type KoaCase } from './suite.ts';

const STATUSES: readonly unknown[] = [200, 201, 204, 205, 299, 300, 304, 400, 404, 418, 451, 499, 500, 599, 600, 999];
const WRONG_STATUSES: readonly unknown[] = [99, 1000, 0, -1, 200.5, '200', null, undefined, Number.NaN, Infinity, true, {}, 1e3];

const TYPES: readonly unknown[] = [
  'html',
  '.html',
  'text/html',
  'text/html; charset=latin1',
  'json',
  'application/json',
  'application/problem+json',
  'png',
  'image/svg+xml',
  'svg',
  'txt',
  'text',
  'bin',
  'md',
  'js',
  'mjs',
  'css',
  'xml',
  'unknown-type',
  'application/x-made-up',
  'foo/bar',
  '',
  null,
  undefined,
  'file.html',
  'HTML',
  'text/*',
  'multipart/form-data',
];

const FIELD_VALUES: readonly (readonly [string, unknown])[] = [
  ['a string', 'value'],
  ['an empty string', ''],
  ['a number', 7],
  ['zero', 0],
  ['a boolean', true],
  ['an array', ['a', 'b']],
  ['an array of other types', [1, true, 'x']],
  ['an empty array', []],
  ['null', null],
  ['undefined', undefined],
  ['an object', { a: 1 }],
  ['a line break', 'a\r\nb'],
  ['latin1', 'ü'],
  ['beyond latin1', '☃'],
  ['a Date', new Date(0)],
];

/** Notes the status and the fields after `act`. */
function sets(name: string, act: (ctx: Ctx) => unknown, extra: Parameters<typeof handles>[3] = {}): KoaCase {
  return handles(
    name,
    (ctx, t) => {
      t.attempt('result', () => {
        const result = act(ctx);
        return result === ctx.response || result === ctx ? 'itself' : result;
      });
      t.record(ctx.status, ctx.message, ctx.type, ctx.length, { ...ctx.response.headers });
      if (ctx.body === undefined && ctx.status === 404) ctx.body = 'ok';
    },
    ['GET /', 'HEAD /'],
    extra,
  );
}

const REDIRECTS: readonly string[] = [
  '/login',
  'relative',
  '',
  '/ü?q=ö',
  '/a b',
  '/%20%zz',
  'http://other.test',
  'http://other.test/a b"<>',
  'HTTPS://Other.TEST/x',
  '//other.test/x',
  'javascript:alert(1)',
  '/<script>&"',
  "/it's",
  'http://example.test/?a=é',
  '?only=query',
  '#hash',
  'http://user:p@h.test/',
];

const FILENAMES: readonly (readonly [string, readonly unknown[]])[] = [
  ['nothing', []],
  ['a name', ['report.pdf']],
  ['a name without extension', ['README']],
  ['a path', ['/var/tmp/data.json']],
  ['unicode', ['путь résumé.html']],
  ['quotes', ['a "quoted" name.txt']],
  ['percent', ['100%25.txt']],
  ['an empty name', ['']],
  ['an inline type', ['page.html', { type: 'inline' }]],
  ['no fallback', ['ü.txt', { fallback: false }]],
  ['a fallback', ['ü.txt', { fallback: 'u.txt' }]],
  ['a wrong type', ['a.txt', { type: 'not a token' }]],
  ['a name that is not text', [7]],
];

defineKoaSuite([
  handles('a fresh response is 404 without fields', (ctx, t) => {
    const { response } = ctx;
    t.record(ctx.status, ctx.message, ctx.body, ctx.length, ctx.type, ctx.etag, ctx.lastModified, ctx.headerSent, ctx.writable);
    t.record(response.status, response.header, response.headers, response.get('X'), response.has('X'), response._explicitStatus);
    t.record(response.socket === ctx.res.socket, Object.keys(response));
  }),
  ...STATUSES.map((status) => sets(`status ${String(status)} can be set`, (ctx) => wrong(Reflect)['set']?.(ctx, 'status', status))),
  reads('a status that is not one is refused', (ctx) =>
    WRONG_STATUSES.map((status) => {
      try {
        Reflect.set(ctx, 'status', status);
        return ctx.status;
      } catch (error) {
        return String(error);
      }
    }),
  ),
  ...[100, 101, 102, 103].map((status) =>
    reads(`status ${status} is accepted by the setter`, (ctx) => {
      ctx.status = status;
      const found = [ctx.status, ctx.message];
      ctx.status = 200;
      return found;
    }),
  ),
  ...[204, 205, 304].map((status) =>
    handles(
      `status ${status} drops the body that was set`,
      (ctx, t) => {
        ctx.body = { a: 1 };
        ctx.set('Transfer-Encoding', 'x');
        ctx.status = status;
        t.record(ctx.body, ctx.type, ctx.length, { ...ctx.response.headers });
      },
      ['GET /', 'HEAD /'],
    ),
  ),
  ...[204, 205, 304].map((status) =>
    handles(
      `a body set after status ${status} is ignored`,
      (ctx, t) => {
        ctx.status = status;
        ctx.body = 'ignored';
        t.record(ctx.status, ctx.body, ctx.type, ctx.length);
      },
      ['GET /', 'HEAD /'],
    ),
  ),
  ...[200, 404, 418, 499, 799].map((status) =>
    handles(`status ${status} without a body is answered with its message`, (ctx) => void (ctx.status = status), ['GET /', 'HEAD /']),
  ),
  sets('message can be set', (ctx) => {
    ctx.status = 200;
    ctx.message = 'Just Fine';
  }),
  sets('a message without status stays with 404', (ctx) => {
    ctx.message = 'Not Around';
  }),
  sets('setting the status replaces the message', (ctx) => {
    ctx.message = 'Mine';
    ctx.status = 202;
  }),
  sets('a status of the raw response is seen', (ctx) => {
    ctx.res.statusCode = 203;
    return [ctx.status, ctx.message];
  }),
  handles('a status of the raw response is replaced by setting a body', (ctx) => {
    ctx.res.statusCode = 203;
    ctx.body = 'text';
  }),
  handles('a status that was set stays when a body is set', (ctx) => {
    ctx.status = 404;
    ctx.body = 'text';
  }),
  handles('_explicitStatus decides whether a body makes 200', (ctx) => {
    ctx.response._explicitStatus = true;
    ctx.body = 'text';
  }),
  ...TYPES.map((type) => sets(`type ${JSON.stringify(type)} sets Content-Type`, (ctx) => wrong(Reflect)['set']?.(ctx, 'type', type))),
  sets('type is removed by a falsy type', (ctx) => {
    ctx.type = 'html';
    ctx.type = '';
    return ctx.response.has('Content-Type');
  }),
  sets('type of a field set by hand has no parameters', (ctx) => {
    ctx.set('Content-Type', 'text/x-odd; charset=x; y=z');
    return [ctx.type, ctx.response.type, ctx.response.is('text/*'), ctx.response.is('html', 'text/x-odd')];
  }),
  sets('is of a response tests its type', (ctx) => {
    ctx.type = 'application/vnd.api+json';
    const { response } = ctx;
    return [
      response.is('json'),
      response.is('+json'),
      response.is(['html', 'application/*']),
      wrong(response)['is']?.(),
      response.is('png'),
    ];
  }),
  sets('is of a response without type', (ctx) => [ctx.response.is('html'), wrong(ctx.response)['is']?.()]),
  ...FIELD_VALUES.map(([label, value]) => sets(`set takes ${label}`, (ctx) => ctx.set('X-Field', value))),
  ...FIELD_VALUES.slice(0, 8).map(([label, value]) =>
    sets(`append takes ${label}`, (ctx) => {
      wrong(ctx)['append']?.('X-List', 'first');
      return wrong(ctx)['append']?.('X-List', value);
    }),
  ),
  sets('set takes an object of fields', (ctx) => ctx.set({ 'X-One': '1', 'x-two': ['2', '3'], ETag: '"e"' })),
  sets('set with an empty object sets nothing', (ctx) => ctx.set({})),
  sets('set without arguments', (ctx) => wrong(ctx)['set']?.()),
  sets('set with a name only', (ctx) => wrong(ctx)['set']?.('X-Only')),
  sets('set with null', (ctx) => wrong(ctx)['set']?.(null)),
  sets('set with an array of pairs', (ctx) => wrong(ctx)['set']?.([['X-A', '1']])),
  sets('set with an invalid name', (ctx) => ctx.set('bad name', 'x')),
  sets('set with an empty name', (ctx) => ctx.set('', 'x')),
  sets('set of inherited properties of an object', (ctx) => ctx.set(Object.create({ 'X-Inherited': '1' }) as Record<string, unknown>)),
  sets('Content-Type and Content-Length as one-element arrays', (ctx) =>
    ctx.set({ 'Content-Type': ['text/html'], 'content-length': ['2'] }),
  ),
  sets('Content-Type as an array of two', (ctx) => ctx.set('Content-Type', ['text/html', 'text/plain'])),
  sets('Content-Type as an empty array', (ctx) => ctx.set('Content-Type', [])),
  sets('an object with one bad field sets the ones before it', (ctx) => ctx.set({ 'X-Good': '1', 'bad name': '2', 'X-After': '3' })),
  sets('get, has and remove whatever the case', (ctx) => {
    ctx.set('X-Mixed-Case', 'v');
    const { response } = ctx;
    const before = [
      response.get('x-mixed-case'),
      response.get('X-MIXED-CASE'),
      ctx.has('x-Mixed-case'),
      response.has('nope'),
      response.get('nope'),
    ];
    ctx.remove('x-mixed-CASE');
    return [...before, ctx.has('X-Mixed-Case'), ctx.remove('never set')];
  }),
  sets('get of numbers and arrays', (ctx) => {
    ctx.set('X-N', 7);
    ctx.set('X-A', ['a', 'b']);
    return [ctx.response.get('X-N'), ctx.response.get('X-A')];
  }),
  sets('append makes lists', (ctx) => {
    ctx.append('Link', '<a>');
    ctx.append('Link', ['<b>', '<c>']);
    ctx.append('Link', '<d>');
    ctx.append('Set-Cookie', 'x=1');
    ctx.append('set-cookie', 'y=2');
    return ctx.response.get('link');
  }),
  sets('append after set of a list', (ctx) => {
    ctx.set('X-L', ['1']);
    return ctx.append('X-L', '2');
  }),
  sets('vary adds names once', (ctx) => {
    ctx.vary('Accept');
    ctx.vary('accept');
    ctx.vary('Origin');
    ctx.vary(['X-A', 'X-B']);
    return ctx.response.get('Vary');
  }),
  sets('vary with a star', (ctx) => {
    ctx.vary('Accept');
    ctx.vary('*');
    ctx.vary('Origin');
    return ctx.response.get('Vary');
  }),
  sets('vary refuses what is no field name', (ctx) => ctx.vary('bad name')),
  sets('vary without argument', (ctx) => wrong(ctx)['vary']?.()),
  sets('etag is quoted unless it is', (ctx) =>
    ['plain', '"quoted"', 'W/"weak"', 'W/plain', '', 7].map((value) => {
      Reflect.set(ctx, 'etag', value);
      return ctx.etag;
    }),
  ),
  sets('lastModified takes a Date and text', (ctx) => {
    const found: unknown[] = [ctx.lastModified];
    ctx.lastModified = new Date('2024-02-03T04:05:06.789Z');
    found.push(ctx.lastModified, ctx.response.get('Last-Modified'));
    ctx.lastModified = '2013-09-13';
    return [...found, ctx.response.lastModified];
  }),
  sets('lastModified of nonsense', (ctx) => {
    ctx.lastModified = 'nonsense';
    return String(ctx.lastModified);
  }),
  sets('lastModified of a number', (ctx) => wrong(Reflect)['set']?.(ctx, 'lastModified', 7)),
  reads('length can be set and read', (ctx) => {
    const found: unknown[] = [];
    for (const value of [0, 10, '12', 'x', undefined, Number.NaN]) {
      try {
        Reflect.set(ctx, 'length', value);
        found.push(ctx.length, ctx.response.get('Content-Length'));
      } catch (error) {
        found.push(String(error));
      }
    }
    ctx.remove('Content-Length');
    return found;
  }),
  reads('length is not set beside Transfer-Encoding', (ctx) => {
    ctx.set('Transfer-Encoding', 'chunked');
    ctx.length = 5;
    const found = [ctx.has('Content-Length'), ctx.length];
    ctx.remove('Transfer-Encoding');
    return found;
  }),
  reads('length of a body without Content-Length', (ctx) =>
    ['text', 'ü', '', Buffer.from('buf'), { a: 'ü' }, [1], null, undefined, 0, 7, true].map((body) => {
      ctx.response._body = body;
      return ctx.length;
    }),
  ),
  ...REDIRECTS.map((url) => sets(`redirect to ${JSON.stringify(url)}`, (ctx) => ctx.redirect(url))),
  handles('redirect answers with text or HTML', (ctx) => ctx.redirect('/to?a=<b>&c'), [
    'GET /',
    withHeaders({ Accept: 'text/html' }),
    withHeaders({ Accept: 'text/plain' }),
    withHeaders({ Accept: 'application/json' }),
    withHeaders({ Accept: '*/*' }),
    'HEAD /',
    'POST /',
  ]),
  ...[301, 303, 307, 308, 300, 305, 304, 200, 404].map((status) =>
    sets(`redirect keeps status ${status} if it is one of redirection`, (ctx) => {
      ctx.status = status;
      ctx.redirect('/there');
    }),
  ),
  handles('redirect replaces a body and its type', (ctx) => {
    ctx.type = 'json';
    ctx.body = { a: 1 };
    ctx.etag = 'kept';
    ctx.redirect('/there');
  }),
  handles('a status set after redirect wins', (ctx) => {
    ctx.redirect('/there');
    ctx.status = 301;
    ctx.body = 'moved';
  }),
  reads('redirect to what is not text', (ctx) =>
    [undefined, null, 7, new URL('http://u.test/x')].map((url) => {
      try {
        wrong(ctx)['redirect']?.(url);
        return ctx.response.get('Location');
      } catch (error) {
        return String(error);
      }
    }),
  ),
  ...[undefined, '/alt', 'http://alt.test/x'].map((alt) =>
    handles(
      `back goes to the referrer of the same host or ${alt ?? '/'}`,
      (ctx) => ctx.back(alt),
      [
        'GET /',
        withHeaders({ Referrer: 'http://parity.test/page?x=1' }),
        withHeaders({ Referer: 'http://parity.test/page' }),
        withHeaders({ Referer: 'http://evil.test/page' }),
        withHeaders({ Referer: '/relative/page' }),
        withHeaders({ Referer: 'nonsense here' }),
        withHeaders({ Referer: 'http://parity.test:81/port' }),
        withHeaders({ Referer: 'https://parity.test/scheme' }),
      ],
      only3,
    ),
  ),
  handles('back with a referrer that cannot be parsed', (ctx) => ctx.back(), [withHeaders({ Referer: 'http://[bad' })], only3),
  ...[undefined, '/alt'].map((alt) =>
    handles(`redirect back goes to the referrer of the same host or ${alt ?? '/'}`, (ctx) => ctx.redirect('back', alt), [
      'GET /',
      withHeaders({ Referrer: 'http://parity.test/page?x=1' }),
      withHeaders({ Referer: 'http://parity.test/page' }),
      withHeaders({ Referer: 'http://evil.test/page' }),
      withHeaders({ Referer: '/relative/page' }),
      withHeaders({ Referer: 'http://[bad' }),
    ]),
  ),
  ...FILENAMES.map(([label, args]) => sets(`attachment with ${label}`, (ctx) => wrong(ctx)['attachment']?.(...args))),
  sets('attachment after a type', (ctx) => {
    ctx.type = 'text/plain';
    ctx.attachment('image.png');
  }),
  handles(
    'fields cannot be changed once the header is sent',
    (ctx, t) => {
      ctx.status = 201;
      ctx.set('X-Before', '1');
      t.record(ctx.flushHeaders(), ctx.headerSent, ctx.response.headerSent);
      ctx.set('X-After', '1');
      ctx.append('X-Before', '2');
      ctx.remove('X-Before');
      ctx.vary('Accept');
      ctx.type = 'html';
      ctx.status = 400;
      ctx.length = 3;
      t.record(ctx.status, { ...ctx.response.headers });
      ctx.body = 'after';
    },
    ['GET /', 'HEAD /'],
  ),
  handles('flushHeaders then a body of unknown length', (ctx) => {
    ctx.type = 'text';
    ctx.status = 200;
    ctx.flushHeaders();
    ctx.res.write('one ');
    ctx.body = 'two';
  }),
  reads(
    'toJSON and inspect of a response',
    (ctx) => {
      const { response } = ctx;
      ctx.set('X-One', '1');
      ctx.status = 202;
      ctx.message = 'Taken';
      response._body = { a: 1 };
      return [response.toJSON(), response.inspect(), inspect(response), JSON.parse(JSON.stringify(ctx))];
    },
    ['GET /'],
    { app: { env: 'e' } },
  ),
  reads('a response whose res is gone', (ctx) => wrong(Object.create(Object.getPrototypeOf(ctx.response) as object))['inspect']?.()),
  handles(
    'writable is false once the reply has ended',
    (ctx, t) => {
      t.record(ctx.writable, ctx.response.writable);
      ctx.res.end('by hand');
      t.record(ctx.writable, ctx.res.writableEnded);
      ctx.body = 'ignored';
    },
    ['GET /', 'GET /'],
  ),
  reads('writable looks at finished and the socket', (ctx) => {
    const fake = Object.create(Object.getPrototypeOf(ctx.response) as object) as { res: unknown; writable: unknown };
    const shapes = [
      { finished: true },
      { writableEnded: true },
      {},
      { socket: null },
      { socket: { writable: true } },
      { socket: { writable: false } },
      { socket: {} },
    ];
    return shapes.map((res) => {
      fake.res = res;
      return fake.writable;
    });
  }),
  reads('header of a response without getHeaders', (ctx) => {
    const fake = Object.create(Object.getPrototypeOf(ctx.response) as object) as { res: unknown; header: unknown };
    return [{}, { _headers: { a: 1 } }].map((res) => {
      fake.res = res;
      return fake.header;
    });
  }),
  serves(
    'fields of the raw response and of Koa are the same',
    (app, t) => {
      app.use((ctx) => {
        ctx.res.setHeader('X-Raw', 'raw');
        ctx.set('X-Koa', 'koa');
        t.record(ctx.response.get('x-raw'), ctx.res.getHeader('x-koa'), ctx.has('X-Raw'), ctx.res.getHeaderNames());
        ctx.res.removeHeader('X-Koa');
        t.record(ctx.has('X-Koa'));
        ctx.body = 'ok';
      });
    },
    ['GET /'],
  ),
  sets(
    'set turns values into text in Koa 2',
    (ctx) => {
      ctx.set('X-N', 7);
      ctx.set('X-A', [1, null, undefined]);
      return [ctx.response.get('X-N'), ctx.response.get('X-A')];
    },
    only2,
  ),
]);
