/**
 * `staticFiles()`: files of a folder, over a socket (where the engine sends them) and without one.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, describe, it } from 'node:test';
import zlib from 'node:zlib';
import { type App, createApp } from '../../../src/app/index.ts';
import { staticFiles, type StaticFilesOptions } from '../../../src/app/middleware/index.ts';
import { type AppCase, defineCases } from '../case.ts';
import { defineRefusals } from './refused.ts';

const above = mkdtempSync(join(tmpdir(), 'fulmar-static-'));
const root = join(above, 'public');
const MODIFIED = new Date('2024-05-06T07:08:09Z');
const LARGE = Array.from({ length: 40_000 }, (_, at) => `line ${at}\n`).join('');
const SCRIPT = 'const gull = 1;\n'.repeat(20);

function put(name: string, content: string | Uint8Array): void {
  const file = join(root, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
  utimesSync(file, MODIFIED, MODIFIED);
}

mkdirSync(root);
writeFileSync(join(above, 'secret.txt'), 'secret');
put('a.txt', 'hello');
put('empty.txt', '');
put('large.txt', LARGE);
put('index.html', '<h1>home</h1>');
put('page.html', '<p>page</p>');
put('ä ö.txt', 'umlauts');
put('a+b%.txt', 'signs');
put('.hidden', 'dot');
put('.well-known/x.txt', 'known');
put('docs/index.html', 'docs');
put('docs/guide.htm', 'guide');
put('empty-folder/.keep', '');
put('app.js', SCRIPT);
put('app.js.br', zlib.brotliCompressSync(SCRIPT));
put('app.js.gz', zlib.gzipSync(SCRIPT));
put('only.css', 'a{}');
put('only.css.gz', zlib.gzipSync('a{}'));
put('picture.svg', '<svg/>');
put('nothing.unknown-type', 'x');
symlinkSync(join(above, 'secret.txt'), join(root, 'link.txt'));
after(() => rmSync(above, { recursive: true, force: true }));

const TAG = `W/"5-${MODIFIED.getTime().toString(16)}"`;
const DATE = MODIFIED.toUTCString();
const NOT_FOUND = 404;

const using =
  (options: Partial<StaticFilesOptions> = {}, path?: string) =>
  (app: App): void => {
    if (path === undefined) app.use(staticFiles({ root, ...options }));
    else app.use(path, staticFiles({ root, ...options }));
    app.get('/api', () => 'api');
    app.post('/a.txt', () => 'posted');
  };

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') => ({ url, headers, method });
const one = (name: string, ask: AppCase['ask'], expect: AppCase['expect'], app: AppCase['app'] = using()): AppCase => ({
  name,
  app,
  ask,
  expect,
});

defineCases('a file', [
  one('comes with its type, tag and date', '/a.txt', {
    text: 'hello',
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      etag: TAG,
      'last-modified': DATE,
      'cache-control': 'public, max-age=0',
      'accept-ranges': 'bytes',
      vary: undefined,
    },
  }),
  one('has a head without content', get('/a.txt', {}, 'HEAD'), { text: '', headers: { etag: TAG } }),
  one('of no bytes', '/empty.txt', { text: '' }),
  one('of many bytes', '/large.txt', { text: LARGE }),
  one('with letters of any script', '/%C3%A4%20%C3%B6.txt', { text: 'umlauts' }),
  one('with signs that mean something in URLs', '/a+b%25.txt', { text: 'signs' }),
  one('with a query', '/a.txt?v=1', { text: 'hello' }),
  one('of a type that nobody knows', '/nothing.unknown-type', { text: 'x', headers: { 'content-type': 'application/octet-stream' } }),
  one('of XML', '/picture.svg', { headers: { 'content-type': 'image/svg+xml' } }),
  one('behind a link', '/link.txt', { text: 'secret' }),
  one('that is none goes on to a route', '/api', { text: 'api' }),
  one('that is none is 404', '/nothing.txt', { status: NOT_FOUND }),
  one('below a file is none', '/a.txt/b', { status: NOT_FOUND }),
  one('with a slash behind it is none', '/a.txt/', { status: NOT_FOUND }),
  one('with a name too long is none', `/${'a'.repeat(300)}`, { status: NOT_FOUND }),
  one('is not posted to', { ...get('/a.txt', {}, 'POST'), body: 'x' }, { text: 'posted' }),
  one('is not deleted', get('/page.html', {}, 'DELETE'), { status: NOT_FOUND }),
]);

defineCases('the folder of files', [
  one('has an index', '/', { text: '<h1>home</h1>', headers: { 'content-type': 'text/html; charset=utf-8' } }),
  one('has folders with an index', '/docs/', { text: 'docs' }),
  one('sends a folder without its slash there', '/docs?a=1', { status: 301, headers: { location: '/docs/?a=1' } }),
  one('sends nobody to another host', '//docs', { status: 301, headers: { location: '/docs/' } }),
  one('shows no folder without an index', '/empty-folder/', { status: NOT_FOUND }),
  one('has no index where none is wanted', '/', { status: NOT_FOUND }, using({ index: false })),
  one('has the first index that is there', '/docs/', { text: 'guide' }, using({ index: ['none.html', 'guide.htm', 'index.html'] })),
  one('knows names without their extension', '/page', { text: '<p>page</p>' }, using({ extensions: ['txt', 'html'] })),
  one('knows no name without its extension unasked', '/page', { status: NOT_FOUND }),
]);

const outside = [
  '/../secret.txt',
  '/%2e%2e/secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e%2fsecret.txt',
  '/docs/../../secret.txt',
  '/docs/..%2f..%2fsecret.txt',
  '/..%5csecret.txt',
  '/a.txt%00.html',
  '/%00',
  '/%ff',
  '/%',
  '/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
  '//..//secret.txt',
  '/.%2e/secret.txt',
  '/%252e%252e/secret.txt',
];
const toFetch = { fetch: 'a URL has no such path' };

defineCases(
  'nothing leads out of the folder',
  outside.flatMap((url) => {
    const status = url.includes('%252e') ? NOT_FOUND : /%00|%ff|%$/.test(url) ? 400 : 403;
    const alone = one(`by ${url}, and nobody else is asked`, url, { text: /^(?!secret)/, status }, using({ fallthrough: false }));
    return [
      { ...one(`by ${url}`, url, { text: /^(?!secret)/, status: NOT_FOUND }), not: toFetch },
      { ...alone, not: toFetch },
    ];
  }),
);

defineCases('names with a dot', [
  one('are none', '/.hidden', { status: NOT_FOUND }),
  one('are none as folders', '/.well-known/x.txt', { status: NOT_FOUND }),
  one('are none in their escaped form', '/%2ehidden', { status: NOT_FOUND }),
  one('are allowed', '/.well-known/x.txt', { text: 'known' }, using({ dotfiles: 'allow' })),
  one('are denied', '/.hidden', { status: 403 }, using({ dotfiles: 'deny', fallthrough: false })),
]);

defineCases('conditions', [
  one('a tag that is known is 304', get('/a.txt', { 'If-None-Match': TAG }), {
    status: 304,
    text: '',
    headers: { etag: TAG, 'content-type': undefined },
  }),
  one('a strong form of it, too', get('/a.txt', { 'If-None-Match': TAG.slice(2) }), { status: 304 }),
  one('any tag is 304', get('/a.txt', { 'If-None-Match': '*' }), { status: 304 }),
  one('another tag is not', get('/a.txt', { 'If-None-Match': '"other"' }), { text: 'hello' }),
  one('one of several tags is 304', get('/a.txt', { 'If-None-Match': `"x", ${TAG}` }), { status: 304 }),
  one('a date that is as late is 304', get('/a.txt', { 'If-Modified-Since': DATE }), { status: 304 }),
  one('an earlier date is not', get('/a.txt', { 'If-Modified-Since': new Date(0).toUTCString() }), { text: 'hello' }),
  one('a tag goes before a date', get('/a.txt', { 'If-Modified-Since': DATE, 'If-None-Match': '"other"' }), { text: 'hello' }),
  one('who asks for a new copy gets one', get('/a.txt', { 'If-None-Match': TAG, 'Cache-Control': 'no-cache' }), { text: 'hello' }),
  one('If-Match with another tag is 412', get('/a.txt', { 'If-Match': '"other"' }), { status: 412, headers: { etag: undefined } }),
  one('If-Match with any tag is not', get('/a.txt', { 'If-Match': '*' }), { text: 'hello' }),
  one('changed since is 412', get('/a.txt', { 'If-Unmodified-Since': new Date(0).toUTCString() }), { status: 412 }),
  one('not changed since is not', get('/a.txt', { 'If-Unmodified-Since': DATE }), { text: 'hello' }),
  one('304 of a head', get('/a.txt', { 'If-None-Match': TAG }, 'HEAD'), { status: 304, text: '' }),
  one(
    'nothing is said of a file where that is not wanted',
    '/a.txt',
    { headers: { etag: undefined, 'last-modified': undefined, 'cache-control': undefined, 'accept-ranges': undefined } },
    using({ etag: false, lastModified: false, cacheControl: false, acceptRanges: false }),
  ),
]);

const part = (range: string, headers: Record<string, string> = {}, url = '/a.txt') => get(url, { Range: range, ...headers });

defineCases('ranges', [
  one('a range', part('bytes=1-3'), { status: 206, text: 'ell', headers: { 'content-range': 'bytes 1-3/5' } }),
  one('from somewhere on', part('bytes=3-'), { status: 206, text: 'lo' }),
  one('the last bytes', part('bytes=-2'), { status: 206, text: 'lo', headers: { 'content-range': 'bytes 3-4/5' } }),
  one('more than there are', part('bytes=3-99'), { status: 206, text: 'lo', headers: { 'content-range': 'bytes 3-4/5' } }),
  one('more last bytes than there are', part('bytes=-99'), { status: 206, text: 'hello' }),
  one('the last none', part('bytes=-0'), { status: 416 }),
  one('one byte', part('bytes=0-0'), { status: 206, text: 'h' }),
  one('ranges that touch are one', part('bytes=0-1,2-3'), { status: 206, text: 'hell' }),
  one('several are the whole', part('bytes=0-0,3-3'), { text: 'hello', headers: { 'content-range': undefined } }),
  one('behind the end', part('bytes=5-9'), { status: 416, headers: { 'content-range': 'bytes */5' } }),
  one('of nothing', part('bytes=0-0', {}, '/empty.txt'), { status: 416, headers: { 'content-range': 'bytes */0' } }),
  one('that is none is the whole', part('bytes=x-y'), { text: 'hello' }),
  one('of another unit is the whole', part('lines=1-2'), { text: 'hello' }),
  one('of a head', get('/a.txt', { Range: 'bytes=1-3' }, 'HEAD'), { status: 206, text: '', headers: { 'content-range': 'bytes 1-3/5' } }),
  one('of a large file', part('bytes=100000-100004', {}, '/large.txt'), { status: 206, text: LARGE.slice(100_000, 100_005) }),
  one('to the end of a large file', part('bytes=300000-', {}, '/large.txt'), { status: 206, text: LARGE.slice(300_000) }),
  one('of the file as it is', part('bytes=1-3', { 'If-Range': DATE }), { status: 206, text: 'ell' }),
  one('of the file as it is, by tag', part('bytes=1-3', { 'If-Range': TAG }), { status: 206, text: 'ell' }),
  one('of a file that was another', part('bytes=1-3', { 'If-Range': '"other"' }), { text: 'hello' }),
  one('of a file that was older', part('bytes=1-3', { 'If-Range': new Date(0).toUTCString() }), { text: 'hello' }),
  one('where none are given', part('bytes=1-3'), { text: 'hello' }, using({ acceptRanges: false })),
]);

defineCases('what is said of files', [
  one('how long they are kept', '/a.txt', { headers: { 'cache-control': 'public, max-age=60' } }, using({ maxAge: 60 })),
  one(
    'that they never change',
    '/a.txt',
    { headers: { 'cache-control': 'public, max-age=60, immutable' } },
    using({ maxAge: 60, immutable: true }),
  ),
  one('by fields', '/a.txt', { headers: { 'x-a': 'b' } }, using({ headers: { 'X-A': 'b' } })),
  one(
    'by a function of the file',
    '/a.txt',
    { headers: { 'cache-control': 'no-store', 'x-file': 'a.txt' } },
    using({ headers: (file) => ({ 'X-File': file.slice(root.length + 1), 'Cache-Control': 'no-store' }) }),
  ),
  one('by a function that says nothing', '/a.txt', { text: 'hello' }, using({ headers: () => undefined })),
  one('by middleware around it', '/a.txt', { headers: { 'x-behind': '200' } }, (app) => {
    app.use(async (c, next) => {
      await next();
      c.header('X-Behind', '200');
    });
    using()(app);
  }),
]);

const ACCEPTS = { 'Accept-Encoding': 'gzip, br' };

defineCases('compressed files beside the file', [
  one(
    'are sent to who takes them',
    get('/app.js', ACCEPTS),
    { text: SCRIPT, headers: { 'content-encoding': 'br', vary: 'Accept-Encoding', 'content-type': 'text/javascript; charset=utf-8' } },
    using({ precompressed: true }),
  ),
  one(
    'are not sent to others',
    '/app.js',
    { text: SCRIPT, headers: { 'content-encoding': undefined, vary: 'Accept-Encoding' } },
    using({ precompressed: true }),
  ),
  one(
    'as the client likes them',
    get('/app.js', { 'Accept-Encoding': 'br;q=0.5, gzip' }),
    { text: SCRIPT, headers: { 'content-encoding': 'gzip' } },
    using({ precompressed: true }),
  ),
  one(
    'the next where one is not there',
    get('/only.css', ACCEPTS),
    { text: 'a{}', headers: { 'content-encoding': 'gzip' } },
    using({ precompressed: true }),
  ),
  one(
    'none where none is there',
    get('/a.txt', ACCEPTS),
    { text: 'hello', headers: { 'content-encoding': undefined } },
    using({ precompressed: true }),
  ),
  one(
    'those that are looked for',
    get('/app.js', ACCEPTS),
    { headers: { 'content-encoding': 'gzip' } },
    using({ precompressed: ['gzip'] }),
  ),
  one('none unasked', get('/app.js', ACCEPTS), { text: SCRIPT, headers: { 'content-encoding': undefined, vary: undefined } }),
  one(
    'are refused by who says so',
    get('/app.js', { 'Accept-Encoding': 'br;q=0, gzip;q=0, *' }),
    { text: SCRIPT, headers: { 'content-encoding': undefined } },
    using({ precompressed: ['br', 'gzip'] }),
  ),
  one(
    '304 of one',
    get('/app.js', { ...ACCEPTS, 'If-None-Match': '*' }),
    { status: 304, headers: { 'content-encoding': undefined, vary: 'Accept-Encoding' } },
    using({ precompressed: true }),
  ),
]);

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

defineCases('a page for what nobody has', [
  one('is given to browsers', get('/users/7', BROWSER), { text: '<h1>home</h1>' }, using({ fallback: 'index.html' })),
  one('is not given where there is a route', get('/api', BROWSER), { text: 'api' }, using({ fallback: 'index.html' })),
  one('is not given for files', get('/users/7.png', BROWSER), { status: NOT_FOUND }, using({ fallback: 'index.html' })),
  one(
    'is not given to who wants JSON',
    get('/users/7', { Accept: 'application/json' }),
    { status: NOT_FOUND },
    using({ fallback: 'index.html' }),
  ),
  one('is not given to a POST', { url: '/users/7', body: 'x' }, { status: NOT_FOUND }, using({ fallback: 'index.html' })),
  one('that is missing is 404', get('/users/7', BROWSER), { status: NOT_FOUND }, using({ fallback: 'none.html' })),
]);

defineCases('where it is used', [
  one('below a path', '/assets/a.txt', { text: 'hello' }, using({}, '/assets')),
  one('below a path, the folder itself', '/assets/', { text: '<h1>home</h1>' }, using({}, '/assets')),
  one('below a path, the folder without its slash', '/assets', { status: 301, headers: { location: '/assets/' } }, using({}, '/assets')),
  one('not beside the path', '/a.txt', { status: 405 }, using({}, '/assets')),
  one('not at what only begins so', '/assetsa.txt', { status: NOT_FOUND }, using({}, '/assets')),
  one('below a path with a parameter', '/x/files/a.txt', { text: 'hello' }, using({}, '/:tenant/files')),
  one('with a prefix', '/static/a.txt', { text: 'hello' }, using({ prefix: '/static/' })),
  one(
    'with a prefix, the folder without its slash',
    '/static?x',
    { status: 301, headers: { location: '/static/?x' } },
    using({ prefix: '/static' }),
  ),
  one('not beside the prefix', '/staticx/a.txt', { status: NOT_FOUND }, using({ prefix: '/static' })),
  one('as a handler', '/f/docs/index.html', { text: 'docs' }, (app) => void app.get('/f/*path', staticFiles(root))),
  one('as a handler, by its URL', '/f/a.txt', { text: 'hello' }, (app) => void app.get('/f/*path', staticFiles(pathToFileURL(root)))),
  one('as a handler without a file', '/f/none', { status: NOT_FOUND }, (app) => void app.get('/f/*path', staticFiles(root))),
  one(
    'as a handler of a group',
    '/g/f/a.txt',
    { text: 'hello' },
    (app) => void app.group('/g', (inner) => inner.get('/f/*path', staticFiles(root))),
  ),
  one('as a handler of one file', '/a.txt', { text: 'hello' }, (app) => void app.get('/a.txt', staticFiles(root))),
  one(
    'as a handler of all methods',
    get('/f/a.txt', {}, 'DELETE'),
    { status: 405, headers: { allow: 'GET, HEAD' } },
    (app) => void app.all('/f/*path', staticFiles(root)),
  ),
  one(
    'several, one behind the other',
    '/a.txt',
    { text: 'hello' },
    (app) => void app.use(staticFiles(join(root, 'docs')), staticFiles(root)),
  ),
  one('of a folder that is not there', '/a.txt', { status: NOT_FOUND }, (app) => void app.use(staticFiles(join(root, 'nowhere')))),
]);

describe('staticFiles', () => {
  it('sees a file that has changed', async () => {
    const app = createApp();
    app.use(staticFiles(root));
    put('changing.txt', 'one');
    for (let times = 0; times < 3; times += 1) assert.equal((await app.inject('/changing.txt')).text, 'one');
    writeFileSync(join(root, 'changing.txt'), 'other');
    assert.equal((await app.inject('/changing.txt')).text, 'other');
    rmSync(join(root, 'changing.txt'));
    assert.equal((await app.inject('/changing.txt')).status, NOT_FOUND);
  });
  it('gives the same from its memory', async () => {
    const app = createApp();
    app.use(staticFiles(root));
    for (let times = 0; times < 5; times += 1) {
      const { status, text, headers } = await app.inject({ url: '/a.txt', headers: { Range: 'bytes=1-3' } });
      assert.deepEqual([status, text, headers['content-range']], [206, 'ell', 'bytes 1-3/5']);
      await new Promise(setImmediate);
    }
  });
});

defineRefusals('staticFiles', [
  ['no folder', () => staticFiles({} as never), /needs a folder/],
  ['an empty folder', () => staticFiles({ root: '' }), /root is a folder/],
  ['a URL of the web', () => staticFiles(new URL('https://example.com/')), /file: URL/],
  ['an option that is none', () => staticFiles({ root, maxage: 1 } as never), /did you mean maxAge/],
  ['an age of text', () => staticFiles({ root, maxAge: '1d' as never }), /maxAge is seconds/],
  ['milliseconds of a year', () => staticFiles({ root, maxAge: 31_536_000_000 }), /maxAge is seconds/],
  ['a prefix without its slash', () => staticFiles({ root, prefix: 'a' }), /prefix is a path/],
  ['an extension with its dot', () => staticFiles({ root, extensions: ['.html'] }), /without their dot/],
  ['a coding that no file has', () => staticFiles({ root, precompressed: ['deflate'] as never }), /precompressed is true or a list/],
  ['a page outside', () => staticFiles({ root, fallback: '../index.html' }), /fallback is the name of a file in the folder/],
  ['fields that are none', () => staticFiles({ root, headers: { 'a b': 'c' } }), /headers is fields by name/],
  ['dotfiles of another kind', () => staticFiles({ root, dotfiles: 'hide' as never }), /'allow', 'deny' or 'ignore'/],
]);
