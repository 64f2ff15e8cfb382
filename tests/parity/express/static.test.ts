/** express.static: every option, folders and redirects, traversal, conditions, fall-through. */
import { join } from 'node:path';
import type { ParityCase, RequestInput } from '../harness/case.ts';
import { defineSuite } from '../harness/suite.ts';
import { publicFolder } from './fixture.ts';
import { builds, echo, serves, showError, withHeaders, wrong } from './kit.ts';

const paths = [
  '/',
  '/hello.txt',
  '/hello',
  '/empty.txt',
  '/page.html',
  '/page',
  '/noext',
  '/unknown.zzz',
  '/image.png',
  '/sub',
  '/sub/',
  '/sub?x=1',
  '/sub//',
  '/sub/index.html',
  '/sub/inner.txt',
  '/sub/inner',
  '/other/',
  '/both',
  '/both/',
  '/.hidden',
  '/.well-known/info.txt',
  '/sub/.secret/file.txt',
  '/missing',
  '/missing/',
  '/name%20with%20space.txt',
  '/%C3%BCn%C3%AF.txt',
  '/100%25.txt',
  '/hello.txt/',
  '/HELLO.TXT',
  '//hello.txt',
  '/link.txt',
];
const traversals = [
  '/../outside.txt',
  '/%2e%2e/outside.txt',
  '/..%2foutside.txt',
  '/%2e%2e%2foutside.txt',
  '/..%5coutside.txt',
  '/sub/../hello.txt',
  '/sub/%2e%2e/hello.txt',
  '/./hello.txt',
  '/sub/../../outside.txt',
  '/hello.txt%00',
  '/%00',
  '/%',
  '/%zz',
  '/%E0%A4%A',
  '//evil.example/..',
  '//evil.example/%2e%2e',
  '///sub',
  '//sub',
  '/%2f%2fsub',
  '/\\evil',
  '/sub%5c',
  '/...',
  '/..',
  '/.',
  '/%2e',
  '/sub/..',
  '/a/b/../../hello.txt',
  '/%252e%252e/outside.txt',
  `/${'a/'.repeat(200)}`,
  `/${'x'.repeat(300)}`,
];

const gets = (list: readonly string[]): RequestInput[] => list.map((path) => ({ method: 'GET', path }));
const table: ParityCase[] = [];

const options: readonly (readonly [string, object | undefined])[] = [
  ['no options', undefined],
  ['index false', { index: false }],
  ['index "index.txt"', { index: 'index.txt' }],
  ['index ["a", "index.txt"]', { index: ['a', 'index.txt'] }],
  ['redirect false', { redirect: false }],
  ['fallthrough false', { fallthrough: false }],
  ['dotfiles allow', { dotfiles: 'allow' }],
  ['dotfiles deny', { dotfiles: 'deny' }],
  ['dotfiles ignore', { dotfiles: 'ignore' }],
  ['extensions html', { extensions: ['html'] }],
  ['extensions txt, html', { extensions: ['txt', 'html'] }],
  ['extensions false', { extensions: false }],
  ['dotfiles deny without fallthrough', { dotfiles: 'deny', fallthrough: false }],
  ['redirect and fallthrough false', { redirect: false, fallthrough: false }],
  ['root in options', { root: '/etc' }],
];
for (const [label, given] of options) {
  table.push(
    serves(
      `express.static with ${label} serves, redirects, passes on and refuses what upstream does`,
      (app, express) => {
        app.use(express.static(publicFolder, given)).use(echo).use(showError);
      },
      gets(paths),
    ),
    serves(
      `express.static with ${label} keeps every traversal inside its root`,
      (app, express) => {
        app.use('/mnt', express.static(publicFolder, given)).use(express.static(publicFolder, given)).use(echo).use(showError);
      },
      gets([...traversals, ...traversals.map((path) => `/mnt${path}`)]),
    ),
  );
}

for (const [label, given] of [
  ['etag false', { etag: false }],
  ['lastModified false', { lastModified: false }],
  ['maxAge 5000', { maxAge: 5000 }],
  ["maxAge '2 days'", { maxAge: '2 days' }],
  ['immutable', { maxAge: '1d', immutable: true }],
  ['cacheControl false', { cacheControl: false, maxAge: 5000 }],
  ['acceptRanges false', { acceptRanges: false }],
  ['maxAge nonsense', { maxAge: 'nonsense' }],
  ['maxage lower case', { maxage: 7000 }],
  ['null prototype', Object.assign(Object.create(null) as object, { maxAge: 1000 })],
  ['from inside the root', { from: 'x', hidden: true }],
] as const) {
  table.push(
    serves(
      `express.static with ${label}: fields, conditions and ranges`,
      (app, express) => {
        app.use(express.static(publicFolder, given)).use(showError);
      },
      [
        'GET /hello.txt',
        'HEAD /hello.txt',
        withHeaders({ Range: 'bytes=2-5' }, '/hello.txt'),
        withHeaders({ Range: 'bytes=99-' }, '/hello.txt'),
        withHeaders({ Range: 'bytes=0-1,3-4' }, '/hello.txt'),
        withHeaders({ 'If-None-Match': '*' }, '/hello.txt'),
        withHeaders({ 'If-Modified-Since': 'Tue, 07 May 2024 00:00:00 GMT' }, '/hello.txt'),
        withHeaders({ 'If-Match': '"x"' }, '/hello.txt'),
        'GET /sub/',
        'GET /empty.txt',
        withHeaders({ Range: 'bytes=0-' }, '/empty.txt'),
      ],
    ),
  );
}

for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'HEAD', 'TRACE']) {
  for (const fallthrough of [true, false]) {
    table.push(
      serves(
        `express.static is asked with ${method}, fallthrough ${fallthrough}`,
        (app, express) => {
          app.use(express.static(publicFolder, { fallthrough })).use(showError);
        },
        ['/hello.txt', '/sub', '/sub/', '/missing'].map((path) => ({ method, path })),
      ),
    );
  }
}

defineSuite([
  ...table,
  builds('express.static refuses a missing root and a root that is no string', (express, ctx) => {
    for (const root of [undefined, null, '', 7, {}, [], true]) ctx.attempt(String(root), () => typeof wrong(express)['static']?.(root));
    for (const given of [null, 7, 'x', { setHeaders: 'x' }, { setHeaders: 7 }, { setHeaders: null }, { dotfiles: 'x' }, { index: 7 }])
      ctx.attempt(JSON.stringify(given), () => typeof wrong(express)['static']?.(publicFolder, given));
    ctx.record(express.static(publicFolder).length, express.static(publicFolder).name, Object.keys(express.static));
  }),
  serves(
    'setHeaders gets the reply, the path and the stat, and may change fields',
    (app, express, ctx) => {
      app.use(
        express.static(publicFolder, {
          setHeaders: (
            res: { setHeader(name: string, value: string): void; getHeaderNames(): string[] },
            path: string,
            stat: { size: number; isFile(): boolean },
          ) => {
            ctx.record(path.slice(publicFolder.length), stat.size, stat.isFile(), res.getHeaderNames());
            res.setHeader('X-Size', String(stat.size));
            res.setHeader('Content-Type', 'text/x-mine');
            res.setHeader('Cache-Control', 'no-store');
          },
        }),
      );
    },
    [
      'GET /hello.txt',
      'GET /sub/',
      'GET /missing',
      withHeaders({ 'If-None-Match': '*' }, '/hello.txt'),
      withHeaders({ Range: 'bytes=0-1' }, '/hello.txt'),
      'GET /sub',
    ],
  ),
  serves(
    'a folder redirect keeps the mount, the query, and escapes its page',
    (app, express) => {
      app.use('/m', express.static(publicFolder)).use('/p/:x', express.static(publicFolder));
    },
    gets(['/m/sub?a=<b>&c="d"', '/m/sub', '/p/y/sub', '/p/%3Cb%3E/sub', '/m', '/m/', '/m?x', '/m//sub', '/M/sub']),
  ),
  serves(
    'a file as root, a missing root and a relative root',
    (app, express) => {
      app
        .use('/file', express.static(join(publicFolder, 'hello.txt')), express.static(join(publicFolder, 'nowhere')))
        .use('/strict', express.static(join(publicFolder, 'nowhere'), { fallthrough: false }))
        .use(showError);
    },
    ['GET /file', 'GET /file/', 'GET /file/x', 'GET /strict/x'],
  ),
  serves(
    'several roots are tried in order',
    (app, express) => {
      app.use(express.static(join(publicFolder, 'sub')), express.static(publicFolder));
    },
    ['GET /inner.txt', 'GET /hello.txt', 'GET /', 'GET /index.html', 'GET /nothing'],
  ),
  serves(
    'static errors without fallthrough reach the default page',
    (app, express) => {
      app.set('env', 'production').use(express.static(publicFolder, { fallthrough: false, dotfiles: 'deny' }));
    },
    [
      'GET /missing',
      'GET /.hidden',
      'GET /%',
      'GET /../x',
      'GET /a%00',
      'POST /hello.txt',
      withHeaders({ Range: 'bytes=99-' }, '/hello.txt'),
    ],
  ),
  serves(
    'a large file in pieces, by ranges and pipelined',
    (app, express) => {
      app.use(express.static(publicFolder));
    },
    [
      'GET /big.bin',
      withHeaders({ Range: 'bytes=100000-200000' }, '/big.bin'),
      'HEAD /big.bin',
      withHeaders({ Range: 'bytes=-1' }, '/big.bin'),
      'GET /hello.txt',
    ],
    { connection: 'pipelined' },
  ),
  serves(
    'a file over HTTP/1.0, with and without keep-alive',
    (app, express) => {
      app.use(express.static(publicFolder));
    },
    [
      { version: '1.0', path: '/hello.txt' },
      { version: '1.0', path: '/hello.txt', headers: { Connection: 'keep-alive' } },
      { path: '/hello.txt', headers: { Connection: 'close' } },
    ],
  ),
  serves(
    'a request whose url was rewritten is served from the new place',
    (app, express) => {
      app
        .use((req, _res, next) => {
          if (req.url === '/alias') req.url = '/hello.txt';
          next();
        })
        .use(express.static(publicFolder));
    },
    ['GET /alias'],
  ),
]);
