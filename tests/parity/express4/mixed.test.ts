/**
 * Both versions in one process: routers and apps of Express 4 inside Express 5 and the other way round, as
 * dependencies bring them.
 */
import type { ParityCase, RequestInput, SideName } from '../harness/case.ts';
import type { App, ExpressModule, Handler, Req, Res } from '../harness/express-api.ts';
import { loadSides } from '../harness/sides.ts';
import { defineSuite } from '../harness/suite.ts';
import { onError, showError, withHeaders } from '../express/kit.ts';
import { publicFolder, views } from '../express/fixture.ts';

const sides = { five: await loadSides('express'), four: await loadSides('express4') };

interface Versions {
  readonly outer: ExpressModule;
  readonly inner: ExpressModule;
}

type Record = (...values: unknown[]) => void;
type Program = (versions: Versions, record: Record) => App;

const versions = (side: SideName): { four: ExpressModule; five: ExpressModule } => ({
  four: sides.four[side].express,
  five: sides.five[side].express,
});

/** One program, with each version outside once. */
function both(name: string, program: Program, requests: readonly RequestInput[]): ParityCase[] {
  return [
    {
      name: `${name}; Express 4 inside Express 5`,
      app: (_express, ctx) => program({ outer: versions(ctx.side).five, inner: versions(ctx.side).four }, ctx.record),
      requests,
    },
    {
      name: `${name}; Express 5 inside Express 4`,
      app: (_express, ctx) => program({ outer: versions(ctx.side).four, inner: versions(ctx.side).five }, ctx.record),
      requests,
    },
  ];
}

function show(record: Record, label: string, req: Req, res: Res): void {
  record(label, req.url, req.baseUrl, req.originalUrl, Object.entries(req.params ?? {}), req.query, req.path);
  record(typeof Reflect.get(req, 'param'), typeof Reflect.get(res, 'sendfile'), Object.hasOwn(req, 'query'), res.get('X-Powered-By'));
}

const noting =
  (record: Record, label: string): Handler =>
  (req, res, next) => {
    show(record, label, req, res);
    next();
  };

const TARGETS = [
  'GET /m/a?x[y]=1',
  'GET /m/none',
  'HEAD /m/a',
  { method: 'OPTIONS', path: '/m/a' },
  { method: 'POST', path: '/m/a', body: 'x' },
  'GET /outer?x[y]=1',
  'GET /m/fail',
  'GET /m/throw',
];

const fails = (target: { get(path: string, handler: Handler): unknown }): void => {
  target.get('/fail', (_req, _res, next) => next(Object.assign(new Error('inner failed'), { status: 418, stack: 'stack' })));
  target.get('/throw', () => {
    throw Object.assign(new Error('inner threw'), { stack: 'stack' });
  });
};

defineSuite(
  [
    ...both(
      'a router of the other version routes, and leaves the request as it found it',
      ({ outer, inner }, record) => {
        const router = inner.Router();
        router.use(noting(record, 'in the router')).get('/a', (req, res) => res.json({ params: req.params, query: req.query }));
        fails(router);
        const app = outer();
        app
          .use(noting(record, 'before'))
          .use('/m', router as unknown as Handler)
          .use(noting(record, 'after'));
        return app.get('/outer', (req, res) => res.json(req.query)).use(showError);
      },
      TARGETS,
    ),
    ...both(
      'an app of the other version is mounted, with its settings and prototypes',
      ({ outer, inner }, record) => {
        const sub = inner();
        sub.on('mount', ((parent: App) => record('mount', typeof parent, sub.mountpath, sub.path())) as never);
        sub.use(noting(record, 'in the app')).get('/a', (req, res) => {
          record(req.app === sub, res.app === sub, Object.getPrototypeOf(req) === sub.request, Object.getPrototypeOf(res) === sub.response);
          res.json({ params: req.params, query: req.query, ip: req.ip });
        });
        fails(sub);
        const app = outer();
        app
          .use(noting(record, 'before'))
          .use('/m', sub)
          .use((req, _res, next) => {
            record(req.app === app, Object.getPrototypeOf(req) === app.request);
            next();
          });
        return app
          .use(noting(record, 'after'))
          .get('/outer', (req, res) => res.json(req.query))
          .use(showError);
      },
      TARGETS,
    ),
    ...both(
      'an app of the other version called as a function answers, or hands on to its callback',
      ({ outer, inner }, record) => {
        const sub = inner();
        sub.use(noting(record, 'in the app')).get('/m/a', (req, res) => res.send({ query: req.query }));
        const app = outer();
        app.use('/called', (req, res, next) => sub(req, res, next));
        app.use('/alone', (req, res) => sub(req, res));
        return app.use((req, res) => {
          show(record, 'after', req, res);
          res.status(404).end('outer');
        });
      },
      ['GET /called/m/a?x[y]=1', 'GET /called/none', 'GET /alone/m/a', 'GET /alone/none'],
    ),
    ...both(
      'parameters and their callbacks of both versions',
      ({ outer, inner }, record) => {
        const router = inner.Router({ mergeParams: true });
        router.param('id', (req, _res, next, value, name) => {
          record('inner param', name, value, Object.entries(req.params));
          next();
        });
        router.get('/:id/x', (req, res) => res.json(Object.entries(req.params)));
        router.get('/:id', (_req, _res, next) => next('route')).use((_req, _res, next) => next('router'));
        const app = outer();
        app.param('outer', (_req, _res, next, value) => {
          record('outer param', value);
          next();
        });
        return app.use('/:outer/:id', router as unknown as Handler).use((req, res) => {
          show(record, 'after', req, res);
          res.end();
        });
      },
      ['GET /o/1/2/x', 'GET /o/1/2', 'GET /o/1', 'GET /o/%zz/2'],
    ),
    ...both(
      'body parsers and static files of the other version',
      ({ outer, inner }) => {
        const app = outer();
        app.use(inner.json(), inner.urlencoded({ extended: true }), inner.text(), inner.static(publicFolder));
        return app.post('/', (req, res) => res.json({ body: req.body ?? 'none' })).use(showError);
      },
      [
        { method: 'POST', path: '/', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } },
        { method: 'POST', path: '/', body: '{', headers: { 'Content-Type': 'application/json' } },
        { method: 'POST', path: '/', body: 'a[b]=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
        { method: 'POST', path: '/', body: 'x', headers: { 'Content-Type': 'text/plain' } },
        { method: 'POST', path: '/', body: 'x', headers: { 'Content-Type': 'image/png' } },
        'GET /hello.txt',
        'GET /sub',
        withHeaders({ Range: 'bytes=1-2' }, '/hello.txt'),
        'GET /.hidden',
        'GET /none',
      ],
    ),
    ...both(
      'replies made inside with the methods of the inner version',
      ({ outer, inner }) => {
        const sub = inner();
        sub.get('/json', (_req, res) => res.json({ a: 1 })).get('/jsonp', (_req, res) => res.jsonp([1]));
        sub.get('/status', (_req, res) => res.sendStatus(201)).get('/redirect', (_req, res) => res.redirect('/x'));
        sub
          .get('/file', (_req, res) => res.sendFile('hello.txt', { root: publicFolder }))
          .get('/type', (_req, res) => res.type('js').send('x'));
        sub.get('/cookie', (_req, res) => res.cookie('a', 'b', { path: '/p' }).clearCookie('c').end());
        sub.get('/format', (_req, res) => void res.format({ html: (_q, s) => s.send('h'), json: (_q, s) => s.send('j') }));
        sub.get('/view', (_req, res) => res.render('plain.tpl', { name: 'n', place: 'p' }));
        sub
          .set('views', views)
          .engine('tpl', (path: string, _options: object, done: (error: unknown, text: string) => void) =>
            done(null, path.replace(views, '')),
          );
        return outer().use('/m', sub).use(showError);
      },
      ['json', 'jsonp?callback=f', 'status', 'redirect', 'file', 'type', 'cookie', 'format', 'view'].map((path) => `GET /m/${path}`),
    ),
    ...both(
      'settings are inherited across versions when mounted',
      ({ outer, inner }, record) => {
        const [app, sub] = [outer(), inner()];
        app.set('trust proxy', true).set('json spaces', 2).set('shared', 'outer').set('etag', 'strong').disable('x-powered-by');
        sub.get('/', (req, res) => {
          record(
            req.ip,
            req.protocol,
            req.hostname,
            sub.get('shared'),
            sub.get('query parser'),
            sub.get('env'),
            sub.enabled('x-powered-by'),
          );
          res.json({ query: req.query });
        });
        app.use('/m', sub);
        record(Object.getPrototypeOf(sub.settings) === app.settings, Object.getPrototypeOf(sub.engines) === app.engines);
        record(Object.getPrototypeOf(sub.request) === app.request, Object.getPrototypeOf(sub.response) === app.response);
        return app;
      },
      [withHeaders({ 'X-Forwarded-For': '9.8.7.6', 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'f.example' }, '/m?x[y]=1')],
    ),
    ...both(
      'errors cross the versions, also those of error handlers',
      ({ outer, inner }, record) => {
        const sub = inner();
        fails(sub);
        sub.use(
          onError((error, _req, _res, next) => {
            record('inner handler', error);
            next(Object.assign(new Error('replaced'), { status: 503, stack: 'stack' }));
          }),
        );
        const app = outer();
        app.use('/m', sub);
        app.use('/late', (_req, _res, next) => void setImmediate(next, Object.assign(new Error('late'), { stack: 'stack' })));
        return app;
      },
      ['GET /m/fail', 'GET /m/throw', 'GET /late', 'GET /none'],
    ),
  ],
  'express4',
);
