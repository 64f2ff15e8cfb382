/**
 * Requests that middleware changes before a body parser, a router, a static handler or `fresh` looks at them:
 * what counts is what they say by then, not what was sent.
 */
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { ParityCase, RequestInput } from '../harness/case.ts';
import type { Req } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { publicFolder } from './fixture.ts';
import { echo, handles, onError, serves, showError, withHeaders } from './kit.ts';

const JSON_BODY = '{"a":1}';
const post = (headers: Record<string, string> = {}, body: string | Uint8Array = JSON_BODY): RequestInput => ({
  method: 'POST',
  path: '/',
  body,
  headers: { 'Content-Type': 'application/json', ...headers },
});
const chunked: RequestInput = {
  raw: `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n${JSON_BODY}\r\n0\r\n\r\n`,
};

type Change = (req: Req) => unknown;
const headersOf = (req: Req): Record<string, unknown> => req.headers as Record<string, unknown>;
const sets =
  (name: string, value: unknown): Change =>
  (req) =>
    void (headersOf(req)[name] = value);
const drops =
  (name: string): Change =>
  (req) =>
    void delete headersOf(req)[name];

const CHANGES: readonly (readonly [string, Change])[] = [
  ['declares less', sets('content-length', '3')],
  ['declares more', sets('content-length', '70')],
  ['declares more than the limit', sets('content-length', '300')],
  ['declares nothing', drops('content-length')],
  ['declares a length that is no number', sets('content-length', 'seven')],
  ['declares a length with leading zeros', sets('content-length', '007')],
  ['declares a fraction', sets('content-length', '7.9')],
  ['declares an empty length', sets('content-length', '')],
  ['declares a number', sets('content-length', 7)],
  ['declares another number', sets('content-length', 8)],
  ['declares null', sets('content-length', null)],
  ['declares a list of lengths', sets('content-length', ['7'])],
  ['declares chunks beside the length', sets('transfer-encoding', 'chunked')],
  [
    'declares chunks instead of the length',
    (req) => {
      delete headersOf(req)['content-length'];
      headersOf(req)['transfer-encoding'] = 'chunked';
    },
  ],
  ['says that it is text', sets('content-type', 'text/plain')],
  ['says that it is text of another charset', sets('content-type', 'text/plain; charset=utf-16le')],
  ['says that it is a form', sets('content-type', 'application/x-www-form-urlencoded')],
  ['says that it is bytes', sets('content-type', 'application/octet-stream')],
  ['says nothing of its type', drops('content-type')],
  ['says a type that cannot be read', sets('content-type', ';;;')],
  ['says that it is compressed', sets('content-encoding', 'gzip')],
  ['says a coding nobody knows', sets('content-encoding', 'zip')],
  ['says that it is not compressed', sets('content-encoding', 'identity')],
  ['replaces all fields', (req) => void (req.headers = { 'content-type': 'application/json', 'content-length': '5' })],
  ['replaces all fields by none', (req) => void (req.headers = {})],
  ['has a body already', (req) => void (req.body = { given: true })],
  ['is marked as read', (req) => void ((req as unknown as { _body: boolean })._body = true)],
  ['has a body already and is marked as read', (req) => void Object.assign(req, { body: 'given', _body: true })],
  ['is a GET by now', (req) => void (req.method = 'GET')],
  ['has an encoding set', (req) => void req.setEncoding('utf8')],
  ['is paused', (req) => void req.pause()],
  ['flows already', (req) => void req.resume()],
  ['has other raw fields', (req) => void (req.rawHeaders = ['Content-Type', 'text/plain'])],
  ['has its raw fields changed', (req) => void (req.rawHeaders[1] = 'changed')],
];

/** Every parser in a row: the one that the request asks for by now reads it. */
const parsed = ([label, change]: readonly [string, Change]): ParityCase =>
  serves(
    `a request that ${label} is read as it says`,
    (app, express, ctx) => {
      app.use((req, _res, next) => {
        change(req);
        next();
      });
      app.use(express.json({ limit: 200 }), express.text(), express.urlencoded({ extended: false }), express.raw());
      app.use((req, res) => {
        ctx.record(req.body, req.complete, req.headers, req.method);
        res.json({ body: req.body });
      });
      app.use(
        onError((error, req, res, next) => {
          ctx.record(req.body, req.complete);
          // How much had arrived is chance.
          delete error['received'];
          showError(error, req, res, next);
        }),
      );
    },
    [post(), chunked, post({ 'Content-Encoding': 'gzip' }, gzipSync(JSON_BODY))],
  );

type Methods = Record<string, (...args: unknown[]) => unknown>;

/** Agents put their own functions on a request; reading it calls them. */
const WATCHED = ['on', 'emit', 'push', 'read', 'resume', '_read', 'removeListener'] as const;

const watched = WATCHED.map((name) =>
  serves(
    `a request whose ${name} was replaced is read through it`,
    (app, express, ctx) => {
      app.use((req, _res, next) => {
        const methods = req as unknown as Methods;
        const original = methods[name] as (...args: unknown[]) => unknown;
        let isSeen = false;
        methods[name] = function seen(this: IncomingMessage, ...args: unknown[]): unknown {
          if (!isSeen) ctx.record(name, typeof args[0]);
          isSeen = true;
          return Reflect.apply(original, this, args);
        };
        next();
      });
      app.use(express.json());
      app.use((req, res) => void res.json([req.body]));
    },
    [post()],
  ),
);

const TAG = 'W/"4-RYWmwnw6l/k0IqKJ5TRoCBw3B28"';

const fresh: readonly (readonly [string, Change])[] = [
  ['gets a condition', sets('if-none-match', '*')],
  ['gets a condition in its raw fields', (req) => void req.rawHeaders.push('If-None-Match', '*')],
  ['gets new fields', (req) => void (req.headers = { 'if-none-match': '*' })],
  ['loses its condition', drops('if-none-match')],
  ['has a condition that does not count', sets('cache-control', 'no-cache')],
  ['is a POST by now', (req) => void (req.method = 'POST')],
  ['is a GET by now', (req) => void (req.method = 'GET')],
];

const targets: readonly (readonly [string, Change])[] = [
  ['has another target', (req) => void (req.url = '/hello.txt?a=2')],
  ['has another target with an escape', (req) => void (req.url = '/name%20with%20space.txt')],
  ['has a target without a slash', (req) => void (req.url = 'hello.txt')],
  ['has an absolute target', (req) => void (req.url = 'http://other.test/hello.txt?b=3')],
  ['has an empty target', (req) => void (req.url = '')],
  ['has a malformed target', (req) => void (req.url = '/%zz')],
  ['has another original target', (req) => void ((req as { originalUrl: string }).originalUrl = '/sub?c=1')],
  ['asks for a folder', (req) => void (req.url = '/sub')],
  ['asks for a part', sets('range', 'bytes=1-3')],
  ['is a POST by now', (req) => void (req.method = 'POST')],
  ['is a GET by now', (req) => void (req.method = 'GET')],
  ['is a DELETE by now', (req) => void (req.method = 'DELETE')],
  ['is an OPTIONS by now', (req) => void (req.method = 'OPTIONS')],
];

defineSuite([
  ...CHANGES.map(parsed),
  ...watched,
  ...fresh.map(([label, change]) =>
    handles(
      `a request that ${label} is as fresh as it says`,
      (req, res, ctx) => {
        change(req);
        ctx.record(req.fresh, req.stale);
        if (req.path === '/json') res.json({ a: 1 });
        else res.send('body');
      },
      ['GET /', 'GET /json', 'HEAD /', withHeaders({ 'If-None-Match': TAG }), withHeaders({ 'If-None-Match': '"no"' })],
    ),
  ),
  ...targets.flatMap(([label, change]) => [
    serves(
      `a request that ${label} is served the file it asks for`,
      (app, express) => {
        app.use((req, _res, next) => {
          change(req);
          next();
        });
        app.use(express.static(publicFolder));
        app.use(echo);
      },
      ['GET /page.html', 'HEAD /page.html', 'POST /page.html'],
    ),
    serves(
      `a request that ${label} is routed as it says`,
      (app, express, ctx) => {
        const router = express.Router();
        router.get('/hello.txt', (req, res) => void res.json(['router', req.url, req.query]));
        router.use((req, _res, next) => {
          ctx.record(req.method, req.url, req.originalUrl, req.query, req.path);
          next();
        });
        app.get('/page.html', (req, _res, next) => {
          change(req);
          next();
        });
        app.use('/', router);
        app.post('/page.html', (_req, res) => void res.send('posted'));
        app.all('/hello.txt', echo);
      },
      ['GET /page.html?a=1', 'HEAD /page.html', 'OPTIONS /page.html'],
    ),
  ]),
  serves(
    'a request whose content was parsed closes behind the handler, for those who listen by then',
    (app, express, ctx) => {
      app.use(express.json());
      app.use((req, res) => {
        req.on('close', () => ctx.record('close', req.destroyed, req.readableEnded, req.complete));
        req.on('end', () => ctx.record('never'));
        ctx.record('handler');
        setImmediate(() => setImmediate(() => void res.json(req.body)));
      });
    },
    [post(), post()],
  ),
  serves(
    'the target * is not found by any method, unless somebody takes every path',
    (app, express) => {
      app.use('/taken', echo);
      app.use((req, res, next) => (req.get('X-Take') === undefined ? next() : void res.json([req.url, req.path, req.originalUrl])));
      app.use(express.static(publicFolder));
      app.get('/', echo);
    },
    [
      'GET *',
      'POST *',
      'HEAD *',
      'OPTIONS *',
      'GET *?a=1',
      'GET */x',
      withHeaders({ 'X-Take': '1' }, '*'),
      withHeaders({ 'X-Take': '1' }, '*?a=1', 'PUT'),
    ],
  ),
]);
