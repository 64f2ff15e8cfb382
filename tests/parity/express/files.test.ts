/** res.sendFile and res.download: options, ranges, conditions, callbacks and errors. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { ParityCase, RequestInput } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { publicFolder } from './fixture.ts';
import { handles, onError, serves, showError, withHeaders, wrong } from './kit.ts';

const file = (name: string): string => join(publicFolder, name);
const table: ParityCase[] = [];

const conditions: readonly RequestInput[] = [
  'GET /',
  'HEAD /',
  'POST /',
  ...[
    'bytes=0-4',
    'bytes=-3',
    'bytes=5-',
    'bytes=0-0,5-6',
    'bytes=99-',
    'bytes=5-2',
    'nonsense',
    'bytes=0-999',
    'items=0-1',
    'bytes=',
    'bytes=0-2,1-4',
    'bytes=-0',
  ].map((Range) => withHeaders({ Range })),
  withHeaders({ Range: 'bytes=0-4', 'If-Range': 'Mon, 06 May 2024 07:08:09 GMT' }),
  withHeaders({ Range: 'bytes=0-4', 'If-Range': 'Sun, 05 May 2024 07:08:09 GMT' }),
  withHeaders({ Range: 'bytes=0-4', 'If-Range': '"other"' }),
  withHeaders({ Range: 'bytes=0-4', 'If-Range': 'W/"d-18f4ca8d0a8"' }),
  withHeaders({ 'If-None-Match': '*' }),
  withHeaders({ 'If-None-Match': 'W/"d-18f4ca8d0a8"' }),
  withHeaders({ 'If-None-Match': '"x"' }),
  withHeaders({ 'If-Modified-Since': 'Mon, 06 May 2024 07:08:09 GMT' }),
  withHeaders({ 'If-Modified-Since': 'Sun, 05 May 2024 00:00:00 GMT' }),
  withHeaders({ 'If-Match': '"x"' }),
  withHeaders({ 'If-Match': '*' }),
  withHeaders({ 'If-Unmodified-Since': 'Sun, 05 May 2024 00:00:00 GMT' }),
  withHeaders({ 'If-Unmodified-Since': 'Tue, 07 May 2024 00:00:00 GMT' }),
  withHeaders({ 'If-None-Match': '*' }, '/', 'HEAD'),
  withHeaders({ Range: 'bytes=0-4' }, '/', 'HEAD'),
  withHeaders({ 'If-None-Match': '*', 'Cache-Control': 'no-cache' }),
];

/**
 * A file that has been quiet for long: such files are kept in memory when they are asked for again and again.
 */
const quietFile = createRequire(import.meta.url).resolve('express/package.json');

table.push(
  serves(
    'what a handler does after res.sendFile still counts, however often the file is asked for',
    (app, _express, ctx) =>
      app.get('/', (_req, res) => {
        res.sendFile(quietFile);
        ctx.record(res.headersSent);
        res.set('X-After', 'call');
        process.nextTick(() => res.append('X-After', 'tick'));
        void Promise.resolve()
          .then(() => undefined)
          .then(() => res.append('X-After', 'promise'));
      }),
    Array.from({ length: 12 }, () => 'GET /' as const),
  ),
);

for (const name of ['hello.txt', 'empty.txt', 'big.bin']) {
  table.push(
    serves(
      `${name} is sent with ranges and conditions as upstream does`,
      (app) => app.use((_req, res) => res.sendFile(file(name))).use(showError),
      conditions,
    ),
  );
}

for (const name of [
  'page.html',
  'data.json',
  'noext',
  'unknown.zzz',
  'image.png',
  'script.js',
  'style.css',
  'name with space.txt',
  'ünï.txt',
  '100%.txt',
  '.hidden',
  '.well-known/info.txt',
  'sub',
  'sub/',
  'missing.txt',
  'sub/.secret/file.txt',
  'link.txt',
  '../outside.txt',
  'sub/../hello.txt',
  'hello.txt/',
  'hello.txt/x',
  '',
  'x'.repeat(300),
  'a\0b',
  '/hello.txt',
  '//hello.txt',
  './hello.txt',
]) {
  const label = name.length > 100 ? 'a very long name' : JSON.stringify(name);
  table.push(
    serves(
      `the file ${label} is sent or refused by sendFile and download, with and without a root`,
      (app) => {
        app.get('/absolute', (_req, res) => res.sendFile(`${publicFolder}/${name}`));
        app.get('/root', (_req, res) => res.sendFile(name, { root: publicFolder }));
        app.get('/download', (_req, res) => res.download(`${publicFolder}/${name}`));
        app.get('/download-root', (_req, res) => res.download(name, { root: publicFolder }));
        app.use((_req, res) => res.status(404).send('next was called')).use(showError);
      },
      name === '' ? ['GET /absolute'] : ['GET /absolute', 'GET /root', 'GET /download', 'GET /download-root'],
    ),
  );
}

const options: readonly (readonly [string, object])[] = [
  ['maxAge 1000', { maxAge: 1000 }],
  ["maxAge '1d'", { maxAge: '1d' }],
  ['maxAge Infinity', { maxAge: Infinity }],
  ['maxAge and immutable', { maxAge: '1 year', immutable: true }],
  ['maxAge nonsense', { maxAge: 'x' }],
  ['lastModified false', { lastModified: false }],
  ['acceptRanges false', { acceptRanges: false }],
  ['cacheControl false', { cacheControl: false }],
  ['etag false', { etag: false }],
  ['headers', { headers: { 'X-A': '1', 'Content-Type': 'text/x', 'x-b': ['2', '3'] } }],
  ['dotfiles allow', { dotfiles: 'allow' }],
  ['dotfiles deny', { dotfiles: 'deny' }],
  ['dotfiles ignore', { dotfiles: 'ignore' }],
  ['dotfiles nonsense', { dotfiles: 'x' }],
  ['start and end', { start: 2, end: 5 }],
  ['extensions', { extensions: ['txt'] }],
  ['index', { index: 'inner.txt' }],
  ['null prototype', Object.create(null) as object],
];
for (const [label, given] of options) {
  table.push(
    serves(
      `sendFile and download with ${label}`,
      (app) => {
        const root = { root: publicFolder };
        for (const [path, name] of [
          ['/f', 'hello.txt'],
          ['/d', '.hidden'],
          ['/w', '.well-known/info.txt'],
          ['/x', 'hello'],
          ['/i', 'sub/'],
        ] as const) {
          app.get(path, (_req, res) => res.sendFile(name, { ...given, ...root }));
          app.get(`${path}d`, (_req, res) => res.download(name, { ...given, ...root }));
        }
        app.use((_req, res) => res.headersSent || res.status(404).send('next')).use(showError);
      },
      [
        'GET /f',
        'GET /fd',
        'GET /d',
        'GET /dd',
        'GET /w',
        'GET /x',
        'GET /i',
        withHeaders({ Range: 'bytes=0-3' }, '/f'),
        withHeaders({ 'If-None-Match': '*' }, '/f'),
      ],
    ),
  );
}

const names: readonly unknown[] = ['report.txt', '/x/y.pdf', 'ünï.txt', 'quo"te.txt', '', null, undefined, 7, {}];
for (const name of names) {
  table.push(
    serves(
      `download under the name ${typeof name} ${JSON.stringify(name)}`,
      (app) => {
        app.get('/', (_req, res) => wrong(res)['download']?.(file('hello.txt'), name));
        app.get('/options', (_req, res) =>
          wrong(res)['download']?.('hello.txt', name, { root: publicFolder, headers: { 'Content-Disposition': 'inline', 'X-A': 'b' } }),
        );
        app.use(showError);
        app.use(onError((_error, _req, res, _next) => res.headersSent || res.end()));
      },
      ['GET /', 'GET /options'],
    ),
  );
}

for (const path of [undefined, null, '', 7, {}, [], 'relative.txt', '../x', '/nonexistent/file']) {
  table.push(
    serves(
      `sendFile and download refuse or look for the path ${typeof path} ${JSON.stringify(path)} alike`,
      (app, _express, ctx) => {
        app
          .get('/send', (_req, res) => wrong(res)['sendFile']?.(path))
          .get('/download', (_req, res) => wrong(res)['download']?.(path))
          .get('/attempt', (_req, res) => {
            ctx.attempt('sendFile', () => wrong(res)['sendFile']?.(path, {}, () => ctx.record('callback')));
            if (!res.headersSent) res.end();
          })
          .use(
            onError(
              (error, _req, res, _next) =>
                res.headersSent ||
                res.status(error.status ?? 500).json([error.message.replaceAll(process.cwd(), '[cwd]'), error.name, error.code]),
            ),
          );
      },
      ['GET /send', 'GET /download', 'GET /attempt'],
    ),
  );
}

const calls: readonly (readonly [
  string,
  (how: { res: Parameters<Parameters<typeof handles>[1]>[1]; done: (error?: Error) => void }) => unknown,
])[] = [
  ['sendFile(path, fn)', ({ res, done }) => res.sendFile(file('hello.txt'), done)],
  ['sendFile(path, options, fn)', ({ res, done }) => res.sendFile('hello.txt', { root: publicFolder }, done)],
  ['sendFile(missing, fn)', ({ res, done }) => res.sendFile(file('missing.txt'), done)],
  ['sendFile(folder, fn)', ({ res, done }) => res.sendFile(file('sub'), done)],
  ['sendFile(dotfile, fn)', ({ res, done }) => res.sendFile('.hidden', { root: publicFolder }, done)],
  ['sendFile(outside, fn)', ({ res, done }) => res.sendFile('../outside.txt', { root: publicFolder }, done)],
  ['download(path, fn)', ({ res, done }) => res.download(file('hello.txt'), done)],
  ['download(path, name, fn)', ({ res, done }) => res.download(file('hello.txt'), 'n.txt', done)],
  ['download(path, name, options, fn)', ({ res, done }) => res.download('hello.txt', 'n.txt', { root: publicFolder, maxAge: 5000 }, done)],
  ['download(path, options, fn)', ({ res, done }) => res.download('hello.txt', { root: publicFolder }, done)],
  ['download(missing, fn)', ({ res, done }) => res.download(file('missing.txt'), done)],
  ['sendFile(big, fn)', ({ res, done }) => res.sendFile(file('big.bin'), done)],
];
for (const [label, call] of calls) {
  table.push(
    handles(
      `${label} calls back once, with upstream's error or none`,
      (_req, res, ctx) => {
        const end = ctx.pending();
        call({
          res,
          done: (error) => {
            ctx.record('callback', error, res.headersSent, res.statusCode, res.get('Content-Disposition'));
            if (!res.headersSent) res.status(500).end('ended by callback');
            end();
          },
        });
      },
      ['GET /'],
    ),
    handles(
      `${label} calls back for HEAD, 304 and 416`,
      (_req, res, ctx) => {
        const end = ctx.pending();
        call({
          res,
          done: (error) => {
            ctx.record('callback', error, res.headersSent, res.statusCode);
            if (!res.headersSent) res.removeHeader('Content-Range') ?? res.status(500).end('ended by callback');
            end();
          },
        });
      },
      ['HEAD /', withHeaders({ 'If-None-Match': '*' }), withHeaders({ Range: 'bytes=999999-' })],
    ),
  );
}

defineSuite([
  ...table,
  serves(
    'errors of sendFile without a callback reach the error handler with their fields',
    (app) => {
      app
        .get('/missing', (_req, res) => res.sendFile(file('missing')))
        .get('/dot', (_req, res) => res.sendFile('.hidden', { root: publicFolder, dotfiles: 'deny' }));
      app
        .get('/range', (_req, res) => res.sendFile(file('hello.txt')))
        .get('/up', (_req, res) => res.sendFile('../x', { root: publicFolder }));
      app.use(
        onError((error, _req, res, _next) =>
          res
            .status(error.status ?? 500)
            .json([error.name, error.message, error.status, error.statusCode, error.code, error['expose'], error['headers']]),
        ),
      );
    },
    ['GET /missing', 'GET /dot', withHeaders({ Range: 'bytes=100-' }, '/range'), 'GET /up'],
  ),
  serves(
    'errors of sendFile end in the default page with their headers',
    (app) => {
      app
        .set('env', 'production')
        .get('/missing', (_req, res) => res.sendFile(file('missing')))
        .get('/range', (_req, res) => res.sendFile(file('hello.txt')));
    },
    ['GET /missing', withHeaders({ Range: 'bytes=100-' }, '/range')],
  ),
  serves(
    'the etag setting of the app decides the ETag of files',
    (app, express) => {
      for (const value of [false, 'strong', 'weak'] as const)
        app.use(
          `/${value}`,
          express()
            .set('etag', value)
            .use((_req, res) => res.sendFile(file('hello.txt'))),
        );
    },
    ['GET /false', 'GET /strong', 'GET /weak'],
  ),
  serves(
    'fields set before sendFile are kept',
    (app) =>
      app.use((_req, res) =>
        res
          .type('text/x')
          .set('ETag', '"mine"')
          .set('Cache-Control', 'no-store')
          .set('Last-Modified', 'Mon, 01 Jan 2024 00:00:00 GMT')
          .set('Accept-Ranges', 'none')
          .status(201)
          .sendFile(file('hello.txt')),
      ),
    ['GET /', withHeaders({ 'If-None-Match': '"mine"' }), withHeaders({ Range: 'bytes=0-1' })],
  ),
  serves(
    'sendFile with a status of 404 sends the content and ignores ranges',
    (app) => app.use((_req, res) => res.status(404).sendFile(file('page.html'))),
    ['GET /', withHeaders({ Range: 'bytes=0-1' }), withHeaders({ 'If-None-Match': '*' })],
  ),
  serves(
    'sendFile from inside a mounted router',
    (app, express) =>
      app.use(
        '/m',
        express
          .Router()
          .get('/*path', (req, res) => res.sendFile(([] as string[]).concat(req.params['path'] ?? []).join('/'), { root: publicFolder })),
      ),
    ['GET /m/hello.txt', 'GET /m/sub/inner.txt', 'GET /m/..%2foutside.txt', 'GET /m/%2e%2e/outside.txt', 'GET /m/a%00b'],
  ),
  serves(
    'download escapes names in Content-Disposition and keeps the type of the file',
    (app) => app.use((_req, res) => res.download(file('ünï.txt'))),
    ['GET /', 'HEAD /'],
  ),
  serves(
    'attachment before sendFile sets the type by its name',
    (app) => app.use((_req, res) => res.attachment('x.json').sendFile(file('hello.txt'))),
    ['GET /'],
  ),
  handles('sendFile after the head was sent reports an error', (_req, res, ctx) => {
    const end = ctx.pending();
    res.write('x');
    res.sendFile(file('hello.txt'), (error) => {
      ctx.record(error);
      res.end();
      end();
    });
  }),
  handles(
    'options of the caller: sendFile writes etag into them, download does not',
    (req, res, ctx) => {
      const given: Record<string, unknown> = { root: publicFolder };
      if (req.path === '/d') res.download('hello.txt', given);
      else res.sendFile('hello.txt', given);
      ctx.record(given);
    },
    ['GET /', 'GET /d'],
  ),
]);
