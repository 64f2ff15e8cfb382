/**
 * What upstream leaves on requests for itself and packages read: `_parsedUrl`, `_parsedOriginalUrl`, `_body`.
 * At every time.
 */
import { createRequire } from 'node:module';
import type { CaseContext, ParityCase, RequestInput } from '../harness/case.ts';
import type { App, ExpressModule, Req, Res } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';

const require = createRequire(import.meta.url);
const parseUrl = require('parseurl') as (req: object) => object | undefined;

interface Left {
  _parsedUrl?: unknown;
  _parsedOriginalUrl?: unknown;
  _body?: unknown;
}

/** What is on the request, as it is at `where`. */
function noting(ctx: CaseContext) {
  return (where: string, req: Req): void => {
    const { _parsedUrl, _parsedOriginalUrl, _body } = req as Left;
    ctx.record(where, req.url, JSON.stringify([_parsedUrl, _parsedOriginalUrl]), _body);
  };
}

type Note = ReturnType<typeof noting>;
type Next = (error?: unknown) => void;

/** Reads nothing before the end, and looks then. */
const lateOf = (note: Note) => (req: Req, res: Res, next: Next) => {
  res.on('finish', () => note('finish', req));
  next();
};

const seen = (note: Note, where: string) => (req: Req, _res: Res, next: Next) => {
  note(where, req);
  next();
};

type Build = (app: App, express: ExpressModule, note: Note) => void;

const builds: Readonly<Record<string, Build>> = {
  'in middleware, mounts, routers and handlers'(app, express, note) {
    const router = express.Router();
    app.use(seen(note, 'first'));
    app.use('/m', seen(note, 'mounted'), seen(note, 'mounted again'));
    app.use('/m', router);
    router.use(seen(note, 'nested'));
    router.use('/:id', seen(note, 'nested mount'));
    router.all('/:id', (req, res, next) => {
      note('route', req);
      void req.query;
      void req.path;
      note('asked', req);
      if (req.query['next'] === undefined) res.send('there');
      else next();
    });
    app.use(seen(note, 'after'));
  },
  'where nobody asks before the end'(app, express, note) {
    const router = express.Router();
    app.use(lateOf(note));
    app.use('/m', router);
    router.all('/:id', (_req, res) => void res.send('there'));
  },
  'behind a target that was rewritten'(app, _express, note) {
    app.use((req, _res, next) => {
      req.url = `/rewritten${req.url}`;
      note('rewriting', req);
      next();
    });
    app.use(seen(note, 'first'));
    app.use('/rewritten', (req, _res, next) => {
      req.url = '/other?z=1';
      note('mounted', req);
      next();
    });
    app.use(seen(note, 'after'));
    app.use((req, res) => {
      req.url = '/late';
      note('late', req);
      res.send(String(req.path));
      note('sent', req);
    });
  },
  'where others parse, and assign'(app, express, note) {
    const router = express.Router();
    app.use((req, _res, next) => {
      note('before', req);
      const parsed = parseUrl(req);
      note(`parsed ${parsed === (req as Left)._parsedUrl}`, req);
      next();
    });
    app.use('/m', (req, _res, next) => {
      parseUrl(req);
      note('mounted', req);
      next();
    });
    app.use('/m', router);
    router.use((req, _res, next) => {
      (req as Left)._parsedUrl = { pathname: '/assigned', _raw: req.url };
      note('assigned', req);
      next();
    });
    router.use(seen(note, 'kept'));
    router.use((req, _res, next) => {
      (req as Left)._parsedUrl = { pathname: '/stale', _raw: '/stale' };
      note('stale', req);
      next();
    });
    router.use(seen(note, 'parsed again'));
    app.use((req, res) => {
      (req as Left)._parsedUrl = undefined;
      note('taken away', req);
      res.send(String(req.path));
    });
  },
  'in applications that are mounted, and for errors'(app, express, note) {
    const inner = express();
    inner.use(seen(note, 'inner'));
    inner.get('/fails/:x', () => {
      throw new Error('meant');
    });
    app.use('/app', inner);
    app.use(seen(note, 'outer'));
    app.use(((error: Error, req: Req, res: Res, _next: Next) => {
      note('error', req);
      res.status(500).send(error.message);
    }) as never);
  },
  // As Node-RED does: before the layers that make a request one of Express.
  'in a layer that was moved to the top of the stack'(app, express, note) {
    const moved = seen(note, 'moved');
    app.get('/m/:id', (_req, res) => void res.send('there'));
    app.use(moved);
    const { stack } = ((app as { _router?: unknown })._router ?? (app as { router?: unknown }).router) as { stack: { handle: unknown }[] };
    const at = stack.findIndex((layer) => layer.handle === moved);
    stack.unshift(...stack.splice(at, 1));
    app.use(express.json(), seen(note, 'json'));
    app.use((req, res) => void res.send(String(req.path)));
  },
  'of content that is parsed'(app, express, note) {
    app.use(seen(note, 'first'), express.json(), seen(note, 'json'), express.text(), seen(note, 'text'));
    app.use((_req, res) => void res.send('there'));
  },
};

const json = { 'Content-Type': 'application/json' };
const requests: readonly RequestInput[] = [
  'GET /m/x?y=1&next',
  'GET /m/x',
  'GET /m',
  'GET /m?y=1',
  'GET /m/a%20b/?q=%20',
  'GET /',
  'GET /none?a=b',
  'GET /app/fails/1?why',
  'GET /app',
  { raw: 'GET http://example.com/m/x?y=1 HTTP/1.1\r\nHost: example.com\r\n\r\n' },
  { raw: 'OPTIONS * HTTP/1.1\r\nHost: example.com\r\n\r\n' },
  { method: 'POST', path: '/m/x', headers: json, body: '{"a":1}' },
  { method: 'POST', path: '/m/x', headers: { ...json, 'Content-Encoding': 'gzip' }, body: '{"a":1}' },
  { raw: 'POST /m/x HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n' },
];

defineSuite(
  Object.entries(builds).map(([where, build]): ParityCase => ({
    name: `leaves on a request what packages read there: ${where}`,
    app(express, ctx) {
      const app = express();
      app.set('env', 'production');
      build(app, express, noting(ctx));
      return app;
    },
    requests,
    options: { connection: 'each', probe: false },
  })),
);
