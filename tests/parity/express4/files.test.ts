/**
 * Files in Express 4: which are hidden, the content type of a name, old options, paths that are taken as they
 * are, ranges.
 */
import { join } from 'node:path';
import type { ParityCase, RequestInput } from '../harness/case.ts';
import type { App, ErrorHandler, ExpressModule, Handler } from '../harness/express-api.ts';
import { defineSuite } from '../harness/suite.ts';
import { publicFolder } from '../express/fixture.ts';
import { onError, serves, withHeaders, wrong } from '../express/kit.ts';
import { v4 } from './kit.ts';

type Options = Readonly<Record<string, unknown>>;

const table: ParityCase[] = [];

const serveStatic = (express: ExpressModule, options?: Options): Handler => wrong(express)['static']?.(publicFolder, options) as Handler;

const showError: ErrorHandler = onError((error, _req, res, _next) => {
  const { name, message, code, status, expose, headers } = error;
  res.status(status ?? 500).json({ name, message: message.replaceAll(publicFolder, ''), code, expose, headers });
});

const NAMES = [
  'hello.txt',
  'empty.txt',
  'page.html',
  'data.json',
  'noext',
  'unknown.zzz',
  'image.png',
  'script.js',
  'style.css',
  'big.bin',
  '.hidden',
  '.well-known/info.txt',
  '.well-known/',
  '.well-known',
  'sub/.secret/file.txt',
  'sub/.secret/',
  'sub/.secret',
  'sub/',
  'sub',
  'sub/index.html',
  'other/',
  'both',
  'both/',
  'missing',
  'missing.txt',
  'hello.txt/',
  '',
  '//hello.txt',
  './hello.txt',
  '..%2foutside.txt',
  '%00',
  '%',
  'name%20with%20space.txt',
  '100%25.txt',
  'link.txt',
];

const OPTIONS: readonly (readonly [string, Options])[] = [
  ['no options', {}],
  ['dotfiles allow', { dotfiles: 'allow' }],
  ['dotfiles deny', { dotfiles: 'deny' }],
  ['dotfiles ignore', { dotfiles: 'ignore' }],
  ['dotfiles of another kind', { dotfiles: 'x' }],
  ['hidden true', { hidden: true }],
  ['hidden false', { hidden: false }],
  ['hidden and dotfiles', { hidden: true, dotfiles: 'ignore' }],
  ['hidden, and dotfiles deny', { hidden: 1, dotfiles: 'deny' }],
  ['from', { from: join(publicFolder, 'sub') }],
  ['no index', { index: false }],
  ['an index of another name', { index: ['index.txt', 'index.html'] }],
  ['a wrong index', { index: 5 }],
  ['extensions', { extensions: ['txt', 'html'] }],
  ['fallthrough false', { fallthrough: false }],
  ['redirect false', { redirect: false }],
  ['maxAge and immutable', { maxAge: '1d', immutable: true }],
  ['maxage', { maxage: 5000 }],
  ['an empty maxAge', { maxAge: '' }],
  ['no validators', { etag: false, lastModified: false }],
  ['no ranges and no caching', { acceptRanges: false, cacheControl: false }],
];

for (const [label, options] of OPTIONS) {
  table.push(
    serves(
      `express.static with ${label} serves and refuses what Express 4 does`,
      (app, express) => {
        app.use('/mount', serveStatic(express, options)).use(serveStatic(express, options));
        app.use((req, res) => void res.status(404).end(`fell through: ${req.url}`)).use(showError);
      },
      [...NAMES.flatMap((name) => [`GET /${name}` as const, `HEAD /${name}` as const]), 'GET /mount', 'GET /mount/sub', 'POST /hello.txt'],
    ),
  );
}

/** An app that sends the file named in the query with one of the methods. */
function sends(method: 'sendFile' | 'sendfile' | 'download', options: Options): (app: App) => void {
  return (app) => {
    app.use((req, res, next) => {
      const { p, bare } = req.query as { p?: string; bare?: string };
      if (p === undefined) return next();
      const given = bare === undefined ? { ...options, root: publicFolder } : options;
      return v4(res)[method](p.replace('PUBLIC', publicFolder), given);
    });
    app.use((req, res) => void res.status(404).end(`fell through: ${req.url}`)).use(showError);
  };
}

const asQuery = (name: string): string => `/?p=${encodeURIComponent(name.includes('%') && !name.includes('%2f') ? name : decodeURI(name))}`;

const BARE = [
  'PUBLIC/hello.txt',
  '/hello.txt',
  'c:/hello.txt',
  'c:\\hello.txt',
  '\\\\host\\hello.txt',
  'hello.txt',
  'PUBLIC/name%20with%20space.txt',
  'PUBLIC/sub',
];

for (const method of ['sendFile', 'sendfile', 'download'] as const) {
  for (const [label, options] of OPTIONS) {
    table.push(
      serves(`res.${method} with ${label} sends and refuses what Express 4 does`, sends(method, options), [
        ...NAMES.map((name): RequestInput => ({ path: asQuery(name) })),
        ...BARE.map((name): RequestInput => ({ path: `/?bare=1&p=${encodeURIComponent(name)}` })),
      ]),
    );
  }
}

const RANGES = [
  'bytes=0-4',
  'bytes=-4',
  'bytes=4-',
  'bytes=0-1,3-4',
  'bytes=0-1,2-4',
  'bytes=999-',
  'bytes=a-b',
  'bytes=5',
  'bytes=1x-2y',
  'bytes= 1 - 2',
  'lines=1-2',
  'bytes=',
  'bytes=-',
  'bytes=2-1',
  'bytes=--2',
  'bytes=0-1-2',
  'bytes=1.5-2',
  'bytes=+1-2',
  'bytes=-0',
];

const AFTER = 'Wed, 01 Jan 2025 00:00:00 GMT';
const LONG_BEFORE = 'Wed, 01 Jan 2014 00:00:00 GMT';

const CONDITIONS: readonly Record<string, string>[] = [
  ...RANGES.map((Range) => ({ Range })),
  { 'If-None-Match': '*' },
  { 'If-None-Match': '*', 'If-Modified-Since': AFTER },
  { 'If-None-Match': '*', 'If-Modified-Since': LONG_BEFORE },
  { 'If-None-Match': 'W/"x"', 'If-Modified-Since': AFTER },
  { 'If-None-Match': '*', 'Cache-Control': 'no-cache' },
  { 'If-Modified-Since': AFTER },
  { 'If-Modified-Since': LONG_BEFORE },
  { 'If-Match': '"x"' },
  { 'If-Match': '*' },
  { 'If-Unmodified-Since': LONG_BEFORE },
  { 'If-Range': '"x"', Range: 'bytes=0-1' },
  { 'If-Range': AFTER, Range: 'bytes=0-1' },
];

const SENDERS: readonly (readonly [string, (express: ExpressModule) => Handler])[] = [
  ['express.static', (express) => serveStatic(express)],
  ['res.sendFile', () => (_req, res) => res.sendFile(join(publicFolder, 'hello.txt'))],
  ['res.send', () => (_req, res) => res.set('Last-Modified', 'Mon, 06 May 2024 07:08:09 GMT').send('hello')],
];

for (const [label, make] of SENDERS) {
  table.push(
    serves(
      `${label} answers conditions and ranges as in Express 4`,
      (app, express) => app.use(make(express)).use(showError),
      CONDITIONS.flatMap((headers) => ['GET', 'HEAD', 'POST'].map((method) => withHeaders(headers, '/hello.txt', method))),
    ),
  );
}

for (const etag of [true, false, 'strong']) {
  table.push(
    serves(
      `res.sendFile does not ask the etag setting ${etag}`,
      (app) => {
        app.set('etag', etag);
        app.get('/default', (_req, res) => res.sendFile('hello.txt', { root: publicFolder }));
        app.get('/off', (_req, res) => res.sendFile('hello.txt', { root: publicFolder, etag: false }));
      },
      ['GET /default', 'GET /off'],
    ),
  );
}

interface Mime {
  lookup(name: string): string;
  extension(type: string): string;
  define(types: Record<string, string[]>): void;
  charsets: { lookup(type: string): string | undefined };
}

const mimeOf = (express: ExpressModule): Mime => (express.static as unknown as { mime: Mime }).mime;

table.push(
  serves(
    'res.type and express.static know the extensions of the table of Express 4',
    (app) =>
      app.use((_req, res) => {
        const extensions = [
          'md',
          'mjs',
          'cjs',
          'ts',
          'wasm',
          'svg',
          'woff2',
          'ico',
          'map',
          'webmanifest',
          'xml',
          'gz',
          'yaml',
          'mp4',
          'm4a',
          'rtf',
          'JSON',
          'Html',
        ];
        res.end(
          extensions
            .map((name) => [name, ...['', '.', 'a.b/c.'].map((prefix) => String(res.type(`${prefix}${name}`).get('Content-Type')))])
            .join('\n'),
        );
      }),
    ['GET /'],
  ),
  // Last of all: what it changes stays changed.
  serves(
    'express.static.mime is the table that files and res.type use',
    (app, express, ctx) => {
      const mime = mimeOf(express);
      ctx.record(mime.lookup('a.txt'), mime.extension('text/html'), mime.charsets.lookup('text/any'), mime.charsets.lookup('image/png'));
      mime.define({ 'text/x-mine': ['zzz'], 'application/x-mine': ['css'] });
      app.use(serveStatic(express)).use((req, res) => void res.type(req.path.slice(1)).end(String(res.get('Content-Type'))));
    },
    ['GET /unknown.zzz', 'GET /style.css', 'GET /zzz', 'GET /css', 'GET /txt'],
  ),
);

defineSuite(table, 'express4');
