/**
 * ctx.body: every type of content, with HEAD, with types and lengths set before, replaced, and after the
 * header was sent.
 */
import { Readable } from 'node:stream';
import type { Ctx } from './api.ts';
import { handles, only2, only3, reads } from './kit.ts';
import { defineKoaSuite } from './suite.ts';

const bytes = Buffer.from([0, 1, 254, 255]);

/** A new value for each use, because streams can be read once. */
const bodies: readonly (readonly [string, () => unknown])[] = [
  ['a string', () => 'plain text'],
  ['an empty string', () => ''],
  ['HTML', () => '<p>html</p>'],
  ['HTML after white space', () => ' \n\t<p>html</p>'],
  ['a string with < later', () => 'a < b'],
  ['unicode', () => 'ünï ☃ 🎉'],
  ['a long string', () => 'long '.repeat(20_000)],
  ['a String object', () => new String('boxed')],
  ['a Buffer', () => bytes],
  ['an empty Buffer', () => Buffer.alloc(0)],
  ['a large Buffer', () => Buffer.alloc(200_000, 'fulmar')],
  ['a Uint8Array', () => new Uint8Array([1, 2, 3])],
  ['an ArrayBuffer', () => new ArrayBuffer(3)],
  ['an object', () => ({ a: 1, nested: { b: [true, null] } })],
  ['an empty object', () => ({})],
  ['an array', () => [1, 'two', null]],
  ['an object with toJSON', () => ({ toJSON: () => ({ shown: true }) })],
  ['a toJSON that gives undefined', () => ({ toJSON: () => undefined })],
  ['a Date', () => new Date(0)],
  ['a Map', () => new Map([['a', 1]])],
  ['an Error', () => new Error('as content')],
  [
    'a class instance',
    () =>
      new (class Point {
        readonly x = 1;
      })(),
  ],
  ['a null-prototype object', () => Object.assign(Object.create(null) as object, { a: 1 })],
  ['a number', () => 42],
  ['zero', () => 0],
  ['NaN', () => Number.NaN],
  ['true', () => true],
  ['false', () => false],
  ['null', () => null],
  ['undefined', () => undefined],
  ['a function', () => () => 'never called'],
  ['a symbol', () => Symbol('s')],
  ['a stream', () => Readable.from([Buffer.from('from '), Buffer.from('a stream')])],
  ['an empty stream', () => Readable.from([])],
  ['a promise', () => Promise.resolve('not awaited')],
  ['an object with pipe', () => ({ pipe: () => undefined })],
];

const webBodies: readonly (readonly [string, () => unknown])[] = [
  ['a Blob', () => new Blob(['from a blob'])],
  ['a Blob with a type', () => new Blob(['{"a":1}'], { type: 'application/json' })],
  ['an empty Blob', () => new Blob([])],
  ['a File-like Blob of many parts', () => new Blob(['a', Buffer.alloc(100_000, 'b'), 'c'], { type: 'text/plain' })],
  ['a ReadableStream', () => new Blob(['from a web stream']).stream()],
  ['a ReadableStream of text', () => ReadableStream.from(['text ', 'chunks'])],
  ['an empty ReadableStream', () => ReadableStream.from([])],
  ['a Response', () => new Response('from a response')],
  [
    'a Response with status and fields',
    () => new Response('made', { status: 201, headers: { 'X-From': 'response', 'Content-Type': 'text/x-own' } }),
  ],
  ['a Response without content', () => new Response(null, { status: 204 })],
  ['a Response of an error', () => Response.json({ error: true }, { status: 422 })],
  ['a Response that redirects', () => Response.redirect('http://other.test/x', 307)],
  [
    'a Response with two cookies',
    () => {
      const headers = new Headers({ 'X-A': '1' });
      headers.append('Set-Cookie', 'a=1');
      headers.append('Set-Cookie', 'b=2');
      return new Response('cookies', { headers });
    },
  ],
  ['a Response with a Blob', () => new Response(new Blob(['blob inside'], { type: 'text/css' }))],
];

const requests = ['GET /', 'HEAD /'] as const;

const show = (ctx: Ctx): unknown[] => [
  ctx.status,
  ctx.message,
  ctx.type,
  ctx.length,
  { ...ctx.response.headers },
  Object.keys(ctx.response),
];

defineKoaSuite([
  ...bodies.map(([label, make]) =>
    handles(
      `a body that is ${label}`,
      (ctx, t) => {
        const body = make();
        ctx.body = body;
        t.record(ctx.body === body, ...show(ctx));
      },
      requests,
    ),
  ),
  ...webBodies.map(([label, make]) =>
    handles(
      `a body that is ${label} is understood by Koa 3`,
      (ctx, t) => {
        const body = make();
        ctx.body = body;
        t.record(ctx.body === body, ...show(ctx));
      },
      requests,
      only3,
    ),
  ),
  ...webBodies.map(([label, make]) =>
    handles(
      `a body that is ${label} is JSON to Koa 2`,
      (ctx, t) => {
        ctx.body = make();
        t.record(...show(ctx));
      },
      requests,
      only2,
    ),
  ),
  ...bodies.slice(0, 30).map(([label, make]) =>
    handles(
      `a body that is ${label} with type and status set before`,
      (ctx, t) => {
        ctx.status = 202;
        ctx.type = 'text/x-own';
        ctx.body = make();
        t.record(...show(ctx));
      },
      requests,
    ),
  ),
  ...bodies
    .filter(([label]) => ['null', 'undefined', 'an object', 'zero', 'a string'].includes(label))
    .flatMap(([label, make]) => [
      handles(
        `a body that is ${label} with the type json`,
        (ctx, t) => {
          ctx.type = 'json';
          ctx.body = make();
          t.record(ctx.body, ...show(ctx));
        },
        requests,
      ),
      handles(
        `a body that is ${label} with a type of the JSON family`,
        (ctx, t) => {
          ctx.type = 'application/problem+json';
          ctx.body = make();
          t.record(ctx.body, ...show(ctx));
        },
        requests,
      ),
      handles(
        `a body that is ${label} after another body`,
        (ctx, t) => {
          ctx.body = 'first';
          ctx.body = make();
          t.record(ctx.body, ...show(ctx));
        },
        requests,
      ),
      handles(
        `a body that is ${label} after a Buffer, with a status`,
        (ctx, t) => {
          ctx.status = 201;
          ctx.body = bytes;
          ctx.body = make();
          t.record(ctx.body, ...show(ctx));
        },
        requests,
      ),
    ]),
  handles(
    'a status set after a null body makes an empty answer',
    (ctx, t) => {
      ctx.body = null;
      t.record(...show(ctx));
      ctx.status = 200;
    },
    requests,
  ),
  handles(
    'a status set after an undefined body is answered with its message',
    (ctx) => {
      ctx.body = undefined;
      ctx.status = 200;
    },
    requests,
  ),
  handles(
    'a null body with a type set after it',
    (ctx) => {
      ctx.body = null;
      ctx.status = 200;
      ctx.type = 'html';
      ctx.set('X-Kept', '1');
    },
    requests,
  ),
  handles(
    'a null body with Transfer-Encoding set after it',
    (ctx) => {
      ctx.body = null;
      ctx.status = 200;
      ctx.set('Transfer-Encoding', 'chunked');
    },
    ['GET /'],
  ),
  handles(
    'setting the status to 204 with a body of zero',
    (ctx, t) => {
      ctx.body = 0;
      ctx.status = 204;
      t.record(ctx.body, ...show(ctx));
    },
    requests,
  ),
  handles(
    'a body changed after it was set, without a new assignment',
    (ctx) => {
      const body = { count: 1 };
      ctx.body = body;
      body.count = 2;
    },
    requests,
  ),
  handles(
    '_body set behind the setter is sent',
    (ctx) => {
      ctx.status = 200;
      ctx.response._body = 'behind';
    },
    requests,
  ),
  handles(
    '_body of another type set behind the setter',
    (ctx) => {
      ctx.body = 'text';
      ctx.response._body = { now: 'json' };
    },
    requests,
  ),
  handles(
    'a length set by hand is sent for HEAD',
    (ctx) => {
      ctx.status = 200;
      ctx.length = 1_234;
      if (ctx.method !== 'HEAD') ctx.body = 'x';
    },
    requests,
  ),
  handles(
    'a HEAD without body but a type',
    (ctx) => {
      ctx.status = 200;
      ctx.type = 'png';
    },
    ['HEAD /'],
  ),
  handles(
    'Content-Length set by hand is replaced by that of the body',
    (ctx) => {
      ctx.length = 99;
      ctx.body = 'four';
    },
    requests,
  ),
  handles(
    'a Content-Length that was set is removed by JSON',
    (ctx, t) => {
      ctx.length = 99;
      ctx.body = { a: 1 };
      t.record(...show(ctx));
    },
    requests,
  ),
  handles(
    'Transfer-Encoding set by hand keeps Content-Length away',
    (ctx) => {
      ctx.set('Transfer-Encoding', 'chunked');
      ctx.body = 'chunked by hand';
    },
    requests,
  ),
  handles('a body on a request of HTTP/1.0', (ctx) => void (ctx.body = Readable.from(['to an ', 'old client'])), [
    { version: '1.0' },
    { version: '1.0', headers: { Connection: 'keep-alive' } },
  ]),
  handles(
    'a body after the header was sent',
    (ctx) => {
      ctx.status = 200;
      ctx.res.setHeader('X-Before', '1');
      ctx.res.flushHeaders();
      ctx.body = { after: 'header' };
    },
    ['GET /'],
  ),
  handles(
    'a null body after the header was sent',
    (ctx) => {
      ctx.status = 200;
      ctx.res.flushHeaders();
      ctx.body = null;
    },
    ['GET /'],
  ),
  handles(
    'content written by hand before the body',
    (ctx) => {
      ctx.status = 200;
      ctx.res.write('by hand, ');
      ctx.body = 'by Koa';
    },
    ['GET /'],
  ),
  handles(
    'a body set when the reply has ended already',
    (ctx) => {
      ctx.res.end('ended');
      ctx.body = { too: 'late' };
    },
    ['GET /', 'GET /'],
  ),
  handles(
    'respond false leaves the reply to the program',
    (ctx) => {
      ctx.respond = false;
      ctx.response._body = 'never sent';
      setImmediate(() => {
        ctx.res.statusCode = 203;
        ctx.res.end('by hand');
      });
    },
    requests,
  ),
  handles(
    'respond false keeps what was set before',
    (ctx, t) => {
      ctx.status = 201;
      ctx.set('X-A', '1');
      ctx.respond = false;
      t.record(ctx.res.statusCode);
      ctx.res.write('in ');
      ctx.res.end('parts');
    },
    requests,
  ),
  handles(
    'respond of other falsy values answers all the same',
    (ctx) => {
      Reflect.set(ctx, 'respond', ctx.query['v'] === 'null' ? null : 0);
      ctx.body = 'answered';
    },
    ['GET /?v=null', 'GET /?v=0'],
  ),
  reads('body is undefined until it is set', (ctx) => {
    const first = ctx.body;
    ctx.response.body = 'by response';
    const second = ctx.body;
    ctx.body = 'by context';
    return [first, second, ctx.response.body];
  }),
  handles(
    'a body given to the response is that of the context',
    (ctx) => {
      ctx.response.body = { set: 'on the response' };
      ctx.response.status = 206;
    },
    requests,
  ),
  handles(
    'the reply keeps the connection for the next request',
    (ctx) => {
      ctx.body = ctx.path === '/json' ? { a: 1 } : ctx.path === '/buffer' ? bytes : ctx.path === '/empty' ? null : 'text';
    },
    ['GET /json', 'GET /buffer', 'GET /empty', 'GET /text', 'HEAD /json', 'GET /json'],
  ),
  handles('a request that asks to close is closed', (ctx) => void (ctx.body = 'bye'), [{ headers: { Connection: 'close' } }, 'GET /']),
]);
