/**
 * Statements of Express 4 and its packages that ordinary programs seldom reach; found by measuring what the
 * other pages cover.
 */
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParityCase } from '../harness/case.ts';
import type { App, Callback, ExpressModule, Handler, Next } from '../harness/express-api.ts';
import { sharedFolder } from '../harness/shared-state.ts';
import { defineSuite } from '../harness/suite.ts';
import { builds, handles, onError, serves, showError, withHeaders, wrong } from '../express/kit.ts';
import { failed, notFound, v4, where } from './kit.ts';

/** More than the buffers of a connection hold, so that a client can go away in the middle. */
const LARGE_FILE_BYTES = 64 * 1024 * 1024;

const folder = sharedFolder('corners', (made) => {
  writeFileSync(join(made, 'large.bin'), '');
  truncateSync(join(made, 'large.bin'), LARGE_FILE_BYTES);
  writeFileSync(join(made, 'file.txt'), 'file');
  symlinkSync('loop.txt', join(made, 'loop.txt'));
  for (const name of ['page.html', 'page.htm', 'empty', 'index-is-folder/index.html']) mkdirSync(join(made, name), { recursive: true });
  writeFileSync(join(made, 'index-is-folder', 'second.html'), 'second');
});

const hidden = (error: unknown): unknown =>
  error instanceof Error ? [error.name, Reflect.get(error, 'code'), Reflect.get(error, 'status')] : error;

type Send = (req: Parameters<Handler>[0], res: Parameters<Handler>[1], done: Callback) => void;
const SENDS: Readonly<Record<string, Send>> = {
  'res.sendFile': (_req, res, done) => res.sendFile('large.bin', { root: folder }, done),
  'res.sendFile with a function in second place': (_req, res, done) => res.sendFile(join(folder, 'large.bin'), done),
  'res.sendfile': (_req, res, done) => void v4(res).sendfile('large.bin', { root: folder }, done),
  'res.download': (_req, res, done) => res.download(join(folder, 'large.bin'), 'name.bin', done),
  'res.sendFile without a callback': (_req, res) => res.sendFile('large.bin', { root: folder }),
  'res.sendfile without a callback': (_req, res) => void v4(res).sendfile('large.bin', { root: folder }),
};

/** The client reads the first bytes of a large file and goes away. */
function abandoned(label: string, send: Send): ParityCase {
  return {
    name: `${label} learns that the client went away in the middle`,
    app: (express, ctx) => {
      const withCallback = !label.includes('without');
      const app = express();
      app.get('/', (req, res) => {
        const [called, closed] = [withCallback ? ctx.pending() : (): void => undefined, ctx.pending()];
        res.once('close', () => {
          // With a callback only that is noted: which of the two comes first depends on how the end of the
          // connection is noticed.
          if (!withCallback) ctx.record('closed', res.headersSent, res.writableFinished);
          closed();
        });
        send(req, res, (error) => {
          ctx.record('called back', error, res.headersSent);
          called();
        });
      });
      return app.use(onError((error) => ctx.record('never an error handler', error)));
    },
    client: async ({ connect }) => {
      const connection = await connect();
      const first = new Promise((resolve) => connection.socket.once('data', resolve));
      connection.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
      await first;
      connection.socket.destroy();
    },
  };
}

const table: ParityCase[] = Object.entries(SENDS).map(([label, send]) => abandoned(label, send));

for (const [label, options] of Object.entries<object>({
  'no options': {},
  'extensions that are folders': { extensions: ['html', 'htm'] },
  'an index that is a folder': { index: ['index.html', 'second.html'] },
  'only an index that is a folder': { index: 'index.html' },
  'no index': { index: false },
  'no redirect': { redirect: false },
  'no fallthrough': { fallthrough: false },
})) {
  table.push(
    serves(
      `express.static with ${label} in a folder of odd entries answers as upstream`,
      (app, express) => {
        app
          .use(express.static(folder, options))
          .use(notFound)
          .use(onError((error, _req, res, _next) => res.status(error.status ?? 500).json(hidden(error))));
      },
      [
        '/loop.txt',
        '/page',
        '/page.html',
        '/page.html/',
        '/index-is-folder',
        '/index-is-folder/',
        '/empty',
        '/empty/',
        '/file.txt/',
        '/file.txt/x',
        `/${'n'.repeat(300)}`,
        '/%00',
      ].map((path) => `GET ${path}`),
    ),
  );
}

for (const filename of [
  '\u20ac (1).txt',
  "\u20ac it's.txt",
  '\u20ac*.txt',
  'a*b.txt',
  "it's (2).txt",
  '\u00fc (1)!.txt',
  '%41.txt',
  '\u20ac%41.txt',
  'a"b\\c.txt',
  '\ud800.txt',
  '\u0007bell.txt',
  '/\u20ac/',
])
  table.push(
    handles(`the attachment ${JSON.stringify(filename)} is written as content-disposition 0.5 does`, (_req, res, ctx) => {
      ctx.attempt('attachment', () => v4(res).attachment(filename) === res);
      ctx.record(res.get('Content-Disposition'), res.get('Content-Type'));
      res.end();
    }),
  );

/** What parseurl remembers on a request is left out. */
const publicKeys = (request: object): string[] =>
  Object.keys(request)
    .filter((name) => !name.startsWith('_'))
    .sort();

const call = (app: App, express: ExpressModule, request: object, record: (...values: unknown[]) => void): void => {
  const router = express.Router();
  router.get('/x', (_req, _res, next) => next('route'));
  router.all('/x', (_req, _res, next) => next());
  for (const target of [router, app]) {
    const done = (error?: unknown): void => record('done', error, publicKeys(request));
    v4(target).handle(request, { setHeader: () => undefined }, done);
  }
};

for (const [label, request] of Object.entries<() => object>({
  'without a method': () => ({ url: '/x' }),
  'with a method that is a number': () => ({ url: '/x', method: 7 }),
  'with a method in small letters': () => ({ url: '/x', method: 'get' }),
  'with an empty url': () => ({ url: '', method: 'GET' }),
  'with a baseUrl and params': () => ({ url: '/x', method: 'GET', baseUrl: '/b', params: { p: 1 }, originalUrl: '/o' }),
  'with params that are no object': () => ({ url: '/x', method: 'GET', params: 'text' }),
}))
  table.push({
    name: `a plain object ${label} is routed as upstream does`,
    app: (express, ctx) => {
      const app = express();
      const done = ctx.pending();
      app.get('/x', (_req, _res, next) => next());
      ctx.attempt('handle', () => call(app, express, request(), ctx.record));
      setImmediate(() => setImmediate(done));
      return app.use(notFound);
    },
    requests: ['GET /x'],
  });

defineSuite(
  [
    ...table,
    handles('a connection that says it is encrypted is https', (req, res, ctx) => {
      Reflect.set(req.socket, 'encrypted', true);
      ctx.record(req.protocol, req.secure);
      Reflect.deleteProperty(req.socket, 'encrypted');
      res.end();
    }),
    handles('req.param without params, body and query', (req, res, ctx) => {
      for (const name of ['params', 'body', 'query']) Reflect.set(req, name, undefined);
      ctx.attempt('param', () => v4(req).param('a', 'default'));
      res.end();
    }),
    serves(
      'req.param finds what the query inherits, but not what the parameters inherit',
      (app) => {
        app.get('/:id', (req, res) => {
          Reflect.set(req, 'query', Object.create({ inherited: 'query' }));
          Reflect.set(req, 'params', Object.create({ inherited: 'params' }));
          res.json(v4(req).param('inherited'));
        });
      },
      ['GET /1'],
    ),
    serves(
      'the ETag functions of the settings take text, bytes and an encoding',
      (app, _express, ctx) => {
        for (const kind of ['weak', 'strong', true]) {
          const tag = app.set('etag', kind).get('etag fn') as (body: unknown, encoding?: string) => unknown;
          for (const args of [['text'], ['74657874', 'hex'], [Buffer.from('text')], [''], ['\u00fc', 'latin1']] as const)
            ctx.attempt(`${String(kind)} ${String(args[0])}`, () => tag(args[0], args[1]));
          for (const wrongBody of [undefined, null, 7, {}]) ctx.attempt(String(wrongBody), () => tag(wrongBody));
        }
        app.use(where);
      },
      ['GET /'],
    ),
    serves(
      'an ETag function gets the bytes and the encoding of the reply',
      (app, _express, ctx) => {
        app.set('etag', (body: unknown, encoding: unknown) => {
          ctx.record(Buffer.isBuffer(body), String(body).slice(0, 20), encoding);
          return body === undefined ? undefined : '"own"';
        });
        app
          .get('/text', (_req, res) => res.send('short'))
          .get('/long', (_req, res) => res.send('l'.repeat(5000)))
          .get('/bytes', (_req, res) => res.send(Buffer.from('b')))
          .get('/json', (_req, res) => res.json({ a: 1 }))
          .get('/none', (_req, res) => res.send())
          .get('/set', (_req, res) => res.set('ETag', '"set"').send('x'))
          .get('/empty', (_req, res) => res.send(''));
      },
      ['/text', '/long', '/bytes', '/json', '/none', '/set', '/empty']
        .map((path) => withHeaders({ 'If-None-Match': '"own"' }, path))
        .concat('GET /text'),
    ),
    serves(
      'a route whose handlers were taken out is passed over',
      (app, _express, ctx) => {
        app.route('/none');
        const route = app.route('/cut').get(where);
        ctx.record(route.stack.length);
        route.stack.length = 0;
        app.get('/later', where).use(notFound);
      },
      ['GET /none', { method: 'HEAD', path: '/none' }, 'GET /cut', { method: 'HEAD', path: '/cut' }, { method: 'OPTIONS', path: '/cut' }],
    ),
    serves(
      'a param callback that failed is not called again for the same value',
      (app, express, ctx) => {
        const router = express.Router();
        router.param('id', (_req, _res, next, value) => {
          ctx.record('called', value);
          next(Object.assign(new Error(`failed for ${value}`), { stack: 'stack' }));
        });
        router
          .use('/:id', (_req, _res, next) => next())
          .use(
            '/:id',
            onError((error, _req, _res, next) => {
              ctx.record('handler', error);
              next(error);
            }),
          )
          .use(
            '/:id/more',
            onError((error, _req, _res, next) => next(error)),
          )
          .use(onError((_error, _req, _res, next) => next()))
          .use('/:id', (_req, _res, next) => next());
        app.use(router).use(notFound).use(showError);
      },
      ['GET /1/more', 'GET /2'],
    ),
    serves(
      'app.render takes its callback in second place',
      (app, _express, ctx) => {
        app
          .set('views', folder)
          .engine('txt', (path: string, options: Record<string, unknown>, done: Callback) =>
            done(undefined, `${path.replace(folder, '')} ${Object.keys(options).join()}`),
          );
        wrong(app)['render']?.('file.txt', (error: unknown, text: unknown) => ctx.record(error, text));
        app.use(where);
      },
      ['GET /'],
    ),
    serves(
      'mergeParams of a router that is called with other params',
      (app, express) => {
        const router = express.Router({ mergeParams: true });
        router.get('/:a', where);
        for (const [name, params] of Object.entries({
          undefined,
          null: null,
          text: 'text',
          list: ['zero'],
          own: { a: 'parent', b: 'kept' },
        })) {
          app.use(`/${name}`, (req, res, next) => {
            Reflect.set(req, 'params', params);
            router(req, res, next);
          });
        }
      },
      ['/undefined/1', '/null/1', '/text/1', '/list/1', '/own/1'].map((path) => `GET ${path}`),
    ),
    serves(
      'a route of the module used by hand',
      (app, express, ctx) => {
        const route = new express.Route('/by/hand');
        route.get(where).all((_req, _res, next) => next());
        const bag = wrong(route);
        for (const method of ['GET', 'get', 'HEAD', 'POST', undefined, 7])
          ctx.attempt(String(method), () => bag['_handles_method']?.(method));
        ctx.record(bag['_options']?.());
        app.use((req, res, next) => void bag['dispatch']?.(req, res, next));
        app.use(notFound).use(onError(failed));
      },
      ['GET /', { method: 'POST', path: '/' }, { method: 'HEAD', path: '/' }],
    ),
    builds('layers and routers made with odd options', (express, ctx) => {
      const app = express();
      app.use(where);
      const Layer = (v4(app)._router?.stack[2] as { constructor: unknown } | undefined)?.constructor as new (
        path: unknown,
        options: unknown,
        fn: unknown,
      ) => Record<string, unknown>;
      for (const options of [{}, { end: false }, { strict: true }, { sensitive: true }])
        ctx.attempt(JSON.stringify(options), () => {
          const layer = new Layer('/a/:b', options, (_req: unknown, _res: unknown, next: Next) => next());
          const match = layer['match'] as (path: unknown) => unknown;
          return [
            String(layer['regexp']),
            ['/a/1', '/a/1/', '/A/1', '/a/1/c', '', null, undefined].map((path) => [
              match.call(layer, path),
              layer['params'],
              layer['path'],
            ]),
          ];
        });
      ctx.attempt('a handler that is none', () => typeof new Layer('/', {}, undefined));
    }),
  ],
  'express4',
);
