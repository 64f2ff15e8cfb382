/**
 * What becomes of errors: ctx.throw, ctx.assert, ctx.onerror, the reply made of an error, the error event,
 * what is printed.
 */
import type { Ctx, Failure } from './api.ts';
import { comes, deferred, handles, load, once, only2, only3, plays, serves, showError, wrong } from './kit.ts';
import { defineKoaSuite, type KoaCase } from './suite.ts';

const createError = load<(...args: unknown[]) => Failure>('http-errors');

/** Arguments of ctx.throw. */
const throws: readonly (readonly [string, readonly unknown[]])[] = [
  ['no arguments', []],
  ['a status', [403]],
  ['a status and a message', [400, 'name required']],
  ['a message', ['something exploded']],
  ['a message and a status', ['something exploded', 418]],
  ['an error', [new Error('given')]],
  ['a status and an error', [422, new Error('given with status')]],
  ['an error and a status', [new Error('given before status'), 401]],
  ['an error with its own status', [Object.assign(new Error('own'), { status: 409 })]],
  ['a status, a message and properties', [404, 'nothing here', { user: 'ada', code: 7 }]],
  ['properties that replace the message', [400, 'first', { message: 'second', expose: false }]],
  ['headers', [401, 'who', { headers: { 'WWW-Authenticate': 'Basic', 'X-Two': ['a', 'b'] } }]],
  ['expose for a server error', [500, 'shown', { expose: true }]],
  ['a client error that is hidden', [404, 'hidden', { expose: false }]],
  ['a status of success', [200, 'odd']],
  ['an unknown status', [799, 'unknown']],
  ['a status without registered name', [499, 'unnamed']],
  ['status 503', [503]],
  ['a number as text', ['404']],
  ['an empty message', [404, '']],
  ['unicode', [400, 'ünï ☃']],
  ['an object only', [{ status: 410, message: 'gone' }]],
  ['null', [null]],
];

/** What a middleware throws, as applications do. */
const thrown: readonly (readonly [string, () => unknown])[] = [
  ['an Error', () => new Error('plain')],
  ['a TypeError', () => new TypeError('typed')],
  ['an error with status 404', () => Object.assign(new Error('lost'), { status: 404 })],
  ['an error with statusCode', () => Object.assign(new Error('code'), { statusCode: 410 })],
  ['an error with status and statusCode', () => Object.assign(new Error('both'), { status: 402, statusCode: 403 })],
  ['an error with a status that is text', () => Object.assign(new Error('text status'), { status: '404' })],
  ['an error with an unknown status', () => Object.assign(new Error('unknown status'), { status: 799, expose: true })],
  ['an error with status 200', () => Object.assign(new Error('fine'), { status: 200, expose: true })],
  ['an error with status 204', () => Object.assign(new Error('no content'), { status: 204, expose: true })],
  ['an error with status 0', () => Object.assign(new Error('zero'), { status: 0 })],
  ['an error with status NaN', () => Object.assign(new Error('nan'), { status: Number.NaN })],
  ['an exposed error', () => Object.assign(new Error('exposed'), { expose: true })],
  ['an exposed error with status 400', () => Object.assign(new Error('exposed 400'), { status: 400, expose: true })],
  ['an exposed error without a message', () => Object.assign(new Error(), { status: 400, expose: true })],
  ['an ENOENT error', () => Object.assign(new Error('no such file'), { code: 'ENOENT' })],
  ['an ENOENT error with a status', () => Object.assign(new Error('no such file'), { code: 'ENOENT', status: 403 })],
  ['an EACCES error', () => Object.assign(new Error('not allowed'), { code: 'EACCES' })],
  ['an error with headers', () => Object.assign(new Error('h'), { status: 429, headers: { 'Retry-After': 5, 'X-List': ['a', 'b'] } })],
  [
    'an error with content headers',
    () => Object.assign(new Error('c'), { headers: { 'content-type': 'text/html', 'Content-Length': '99' } }),
  ],
  ['an error with headers that are a string', () => Object.assign(new Error('s'), { headers: 'X: y' })],
  ['an http-errors error', () => createError(415, 'media')],
  ['an error without a stack', () => Object.assign(new Error('no stack'), { stack: undefined })],
  ['an AggregateError', () => new AggregateError([new Error('inner')], 'many')],
  ['an error with a cause', () => new Error('outer', { cause: new Error('inner') })],
  ['a string', () => 'just text'],
  ['an empty string', () => ''],
  ['a number', () => 42],
  ['zero', () => 0],
  ['an object', () => ({ message: 'object', status: 410 })],
  [
    'a circular object',
    () => {
      const circular: Record<string, unknown> = {};
      circular['self'] = circular;
      return circular;
    },
  ],
  ['false', () => false],
  ['a symbol', () => Symbol('sym')],
  ['a function', () => function failing() {}],
  ['an object tagged as Error', () => ({ [Symbol.toStringTag]: 'Error', message: 'tagged', stack: 'tagged' })],
];

/** What Koa itself cannot answer: its promise is watched and the reply is ended by hand. */
const unanswerable: readonly (readonly [string, () => unknown])[] = [
  ['an error with an invalid header', () => Object.assign(new Error('i'), { headers: { 'bad name': 'x' } })],
  ['a frozen error', () => Object.freeze(new Error('frozen'))],
  ['undefined', () => undefined],
  ['null', () => null],
];

defineKoaSuite([
  ...unanswerable.map(([label, make]): KoaCase => ({
    name: `throwing ${label} leaves the reply to nobody`,
    program: (Koa, t) => {
      const app = new Koa();
      app.on('error', (error: Failure) => t.record(error));
      const listener = app
        .use((ctx) => {
          ctx.set('X-Before', '1');
          throw make();
        })
        .callback();
      return (req, res) => {
        void listener(req, res)
          .then(
            (value) => t.record('fulfilled', value),
            (error: unknown) => t.record('rejected', error),
          )
          .then(() => res.end('by hand'));
      };
    },
    requests: ['GET /', 'HEAD /'],
  })),
  ...throws.map(([label, args]) =>
    handles(`ctx.throw with ${label} answers and shows the error`, (ctx, t) => {
      try {
        ctx.throw(...args);
      } catch (error) {
        t.record(error, error instanceof Error ? error.constructor.name : '');
        throw error;
      }
    }),
  ),
  ...thrown.map(([label, make]) =>
    serves(
      `throwing ${label} makes a reply and an error event`,
      (app, t) => {
        app.on('error', (error: Failure, ctx: Ctx) => t.record(error, error?.headerSent, ctx.status, error?.status));
        app.use((ctx) => {
          ctx.set('X-Set-Before', 'is removed');
          ctx.cookies.set('a', 'b');
          ctx.body = { partly: 'done' };
          throw make();
        });
      },
      ['GET /', 'HEAD /'],
    ),
  ),
  ...thrown.slice(0, 20).map(([label, make]) =>
    serves(`throwing ${label} with the default listener prints what it prints`, (app) =>
      app.use(async () => {
        await Promise.resolve();
        throw make();
      }),
    ),
  ),
  serves(
    'ctx.assert passes and fails as http-assert',
    (app, t) => {
      app.use((ctx) => {
        ctx.assert(true, 401);
        ctx.assert('text', 401, 'not seen');
        t.attempt('plain', () => ctx.assert(false, 401, 'who are you', { realm: 'x' }));
        t.attempt('no status', () => ctx.assert(0));
        t.attempt('message only', () => ctx.assert(null, 'a message'));
        for (const [name, args] of [
          ['equal', [1, '1']],
          ['equal', [1, 2]],
          ['notEqual', [1, 1]],
          ['strictEqual', [1, '1']],
          ['notStrictEqual', [1, 1]],
          ['deepEqual', [{ a: [1] }, { a: [1] }]],
          ['deepEqual', [{ a: 1 }, { a: 2 }]],
          ['notDeepEqual', [{ a: 1 }, { a: 1 }]],
          ['ok', [0]],
          ['ok', [1]],
        ] as const) {
          t.attempt(name, () => ctx.assert[name]?.(...args, 400, `${name} failed`));
        }
        t.attempt('fail', () => ctx.assert['fail']?.(418, 'failed'));
        t.record(Object.keys(ctx.assert).sort());
        ctx.assert(ctx.query['ok'], 403, 'not ok');
        ctx.body = 'ok';
      });
    },
    ['GET /?ok=1', 'GET /'],
  ),
  handles('ctx.onerror without an error does nothing', (ctx, t) => {
    t.record(ctx.onerror(), ctx.onerror(null), ctx.onerror(undefined));
    ctx.body = 'still here';
  }),
  handles('ctx.onerror called by hand answers at once', (ctx, t) => {
    ctx.onerror(Object.assign(new Error('by hand'), { status: 402, expose: true }));
    t.record(ctx.status, ctx.headerSent, ctx.writable, ctx.res.writableEnded);
    ctx.body = 'too late';
  }),
  handles('ctx.onerror twice answers once', (ctx, t) => {
    ctx.app.on('error', (error: Failure) => t.record(error));
    ctx.onerror(Object.assign(new Error('one'), { status: 400, expose: true }));
    ctx.onerror(Object.assign(new Error('two'), { status: 401, expose: true }));
  }),
  handles('an error after the header was sent is told to the listener only', (ctx, t) => {
    ctx.app.removeAllListeners('error');
    ctx.app.on('error', (error: Failure) => t.record(error, error.headerSent));
    ctx.status = 200;
    ctx.flushHeaders();
    setImmediate(() => ctx.res.end('by hand'));
    throw new Error('after the header');
  }),
  handles(
    'an error after the answer has ended is told to the listener only',
    (ctx, t) => {
      ctx.app.removeAllListeners('error');
      ctx.app.on('error', (error: Failure) => t.record(error, error.headerSent));
      ctx.res.end('ended');
      throw new Error('after the end');
    },
    ['GET /', 'GET /'],
  ),
  handles(
    'all fields set before an error are removed, those of the error are set',
    (ctx) => {
      ctx.set({ 'X-A': '1', Vary: 'Origin', ETag: '"x"', 'Cache-Control': 'no-store', 'Content-Encoding': 'gzip' });
      ctx.type = 'html';
      ctx.length = 1_000;
      ctx.cookies.set('session', 'gone');
      ctx.throw(400, 'reset', { headers: { 'x-b': '2', 'X-A': 'new' } });
    },
    ['GET /', 'HEAD /'],
  ),
  handles('the length of an error counts bytes', (ctx) => ctx.throw(400, 'ünï ☃'), ['GET /', 'HEAD /']),
  handles('an error keeps its status in ctx.status and err.status', (ctx, t) => {
    ctx.app.removeAllListeners('error');
    const error = Object.assign(new Error('no status'), { statusCode: 799 });
    ctx.app.on('error', () => setImmediate(() => t.record(error, ctx.status, ctx.message, ctx.type, ctx.length)));
    ctx.res.once('finish', t.pending());
    throw error;
  }),
  serves('an error listener can change the error before it is answered', (app) => {
    app.on('error', (error: Failure) => Object.assign(error, { status: 451, expose: true, message: 'changed', headers: { 'X-L': '1' } }));
    app.use(() => {
      throw new Error('original');
    });
  }),
  serves('an error listener can answer itself', (app, t) => {
    app.on('error', (_error: Failure, ctx: Ctx) => ctx.res.end('from the listener'));
    app.use((ctx) => {
      ctx.res.once('finish', t.pending());
      throw new Error('boom');
    });
  }),
  serves('ctx.throw passes through middleware that rethrows', (app, t) => {
    app.use(async (_ctx, next) => {
      try {
        await next();
      } catch (error) {
        t.record(error);
        throw Object.assign(new Error('wrapped'), { status: 502, expose: true, cause: error });
      }
    });
    app.use((ctx) => ctx.throw(404, 'inner'));
  }),
  serves('ctx.app.emit tells the listener without answering', (app, t) => {
    app.on('error', (error: Failure) => t.record(error));
    app.use(async (ctx, next) => {
      try {
        await next();
      } catch (error) {
        ctx.status = 500;
        ctx.body = 'told';
        ctx.app.emit('error', error, ctx);
      }
    });
    app.use(() => Promise.reject(new Error('inner')));
  }),
  serves(
    'an error of JSON.stringify on the way out is an error of the request',
    (app, t) => {
      app.on('error', (error: Failure) => t.record(error.name));
      app.use((ctx) => {
        const circular: Record<string, unknown> = {};
        circular['self'] = circular;
        ctx.body = circular;
      });
    },
    ['GET /', 'HEAD /'],
  ),
  serves('a BigInt in the body is an error of the request', (app) => app.use((ctx) => void (ctx.body = { big: 1n }))),
  serves('a toJSON that throws is an error of the request', (app) =>
    app.use((ctx) => {
      ctx.body = {
        toJSON: () => {
          throw Object.assign(new Error('cannot be shown'), { status: 406, expose: true });
        },
      };
    }),
  ),
  serves('the error page ignores what the client accepts', (app) => app.use((ctx) => ctx.throw(400, '<b>bold</b>')), [
    { path: '/', headers: { Accept: 'text/html' } },
    { path: '/', headers: { Accept: 'application/json' } },
  ]),
  serves('a status message set before an error is replaced', (app) =>
    app.use((ctx) => {
      ctx.status = 201;
      ctx.message = 'Made Up';
      ctx.throw(409, 'conflict');
    }),
  ),
  serves('the fields of a caught error are those of http-errors', (app) =>
    app.use(showError).use((ctx) => ctx.throw(503, 'busy', { retry: 3 })),
  ),
  serves(
    'err.headers go through ctx.set of Koa 3 in one piece',
    (app) => app.use((ctx) => ctx.throw(400, { headers: { 'X-N': 7, 'X-Null': null, 'X-Arr': ['1', 2] } })),
    ['GET /'],
    only3,
  ),
  serves(
    'err.headers are text in Koa 2',
    (app) => app.use((ctx) => ctx.throw(400, { headers: { 'X-N': 7, 'X-Null': null, 'X-Undef': undefined, 'X-Arr': ['1', 2] } })),
    ['GET /'],
    only2,
  ),
  plays('a request that is aborted while middleware waits is told to nobody unless something fails', async (Koa, client) => {
    const app = new Koa();
    app.on('error', (error: Failure) => client.record(error));
    const started = deferred<Ctx>();
    const ended = deferred<void>();
    app.use(async (ctx) => {
      started.resolve(ctx);
      await once(ctx.res, 'close');
      client.record(ctx.writable, ctx.headerSent, ctx.req.destroyed, ctx.res.writableEnded);
      ctx.body = 'nobody reads this';
      setImmediate(() => ended.resolve(undefined));
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = load<typeof import('node:net')>('node:net').connect((server.address() as { port: number }).port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await started.promise;
    socket.destroy();
    client.record(await comes(ended.promise));
    server.close();
    await once(server, 'close');
  }),
  plays('an error on the socket reaches the error listener with headerSent', async (Koa, client) => {
    const app = new Koa();
    const told = deferred<void>();
    app.on('error', (error: Failure) => {
      client.record(error, error.headerSent);
      told.resolve(undefined);
    });
    app.use((ctx) => {
      ctx.respond = false;
      ctx.req.socket.destroy(new Error('broken on purpose'));
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const answer = await fetch(`http://127.0.0.1:${(server.address() as { port: number }).port}/`).catch((error: Error) => error.message);
    client.record(answer);
    client.record(await comes(told.promise));
    server.close();
    await once(server, 'close');
  }),
  serves('wrong uses of ctx.throw reach the same listener', (app, t) => {
    app.on('error', (error: Failure) => t.record(error));
    app.use((ctx) => wrong(ctx)['throw']?.(true, [1], 'three'));
  }),
]);
