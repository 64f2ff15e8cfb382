/** What names of files say: path, parameters, method, kind; and names that say nothing. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileRouteOf } from '../../src/routes/files/file-route.ts';
import { patternOf } from '../../src/routes/files/pattern.ts';

type Row = readonly [file: string, pattern: string, method?: string];

const ROUTES: readonly Row[] = [
  ['index.ts', '/'],
  ['index.js', '/'],
  ['index.mjs', '/'],
  ['index.cjs', '/'],
  ['index.mts', '/'],
  ['index.cts', '/'],
  ['index.tsx', '/'],
  ['index.jsx', '/'],
  ['users.ts', '/users'],
  ['users/index.ts', '/users'],
  ['users/list.ts', '/users/list'],
  ['a/b/c/d/e.ts', '/a/b/c/d/e'],
  ['users/[id].ts', '/users/:id'],
  ['users/$id.ts', '/users/:id'],
  ['[id].ts', '/:id'],
  ['$id.ts', '/:id'],
  ['$.ts', '/$'],
  ['$1.ts', '/$1'],
  ['price$.ts', '/price$'],
  ['[lang]/[id].ts', '/:lang/:id'],
  ['$lang/$id.ts', '/:lang/:id'],
  ['[id]/index.ts', '/:id'],
  ['[[tab]].ts', '/:tab?'],
  ['users/[[tab]].ts', '/users/:tab?'],
  ['[...rest].ts', '/*rest'],
  ['files/[...path].ts', '/files/*path'],
  ['[org]/[...path].ts', '/:org/*path'],
  ['post-[id].ts', '/post-:id'],
  ['[name].json.ts', '/:name.json'],
  ['[from]-[to].ts', '/:from-:to'],
  ['v[major].[minor].ts', '/v:major.:minor'],
  ['(admin)/users.ts', '/users'],
  ['(admin)/index.ts', '/'],
  ['a/(b)/c.ts', '/a/c'],
  ['(a)/(b)/c.ts', '/c'],
  ['()/c.ts', '/()/c'],
  ['(a/c.ts', '/(a/c'],
  ['sitemap.xml.ts', '/sitemap.xml'],
  ['.well-known.ts', ''],
  ['a.b.c.ts', '/a.b.c'],
  ['robots.txt.js', '/robots.txt'],
  ['Users.ts', '/Users'],
  ['über.ts', '/über'],
  ['日本/語.ts', '/日本/語'],
  ['with space.ts', '/with space'],
  ['100%.ts', '/100%25'],
  ['a%20b.ts', '/a%2520b'],
  ['a:b.ts', String.raw`/a\:b`],
  ['a*b.ts', String.raw`/a\*b`],
  ['a?b.ts', String.raw`/a\?b`],
  ['a+b.ts', '/a+b'],
  ['index/index.ts', '/index'],
  ['get.ts', '/get'],
  ['users.get.ts', '/users', 'GET'],
  ['users.post.ts', '/users', 'POST'],
  ['users.put.js', '/users', 'PUT'],
  ['users.patch.ts', '/users', 'PATCH'],
  ['users.delete.ts', '/users', 'DELETE'],
  ['users.options.ts', '/users', 'OPTIONS'],
  ['users.head.ts', '/users', 'HEAD'],
  ['users.all.ts', '/users', '*'],
  ['users.GET.ts', '/users', 'GET'],
  ['index.get.ts', '/', 'GET'],
  ['users/[id].delete.ts', '/users/:id', 'DELETE'],
  ['files/[...path].get.ts', '/files/*path', 'GET'],
  ['a.b.get.ts', '/a.b', 'GET'],
  ['users.fetch.ts', '/users.fetch'],
  ['get.get.ts', '/get', 'GET'],
];

describe('a file of a route', () => {
  for (const [file, pattern, method = null] of ROUTES)
    it(`${file} is ${method ?? ''} ${pattern === '' ? 'nothing' : pattern}`, () => {
      const found = fileRouteOf(file);
      if (pattern === '') return assert.equal(found, null);
      assert.equal(found?.kind, 'route');
      assert.equal(patternOf(found.parts), pattern);
      assert.equal(found.method, method);
    });
});

it('a slash within a segment is no end of it', () => {
  assert.equal(patternOf([{ kind: 'text', text: 'a/../b%' }]), '/a%2F..%2Fb%25');
});

const KINDS: readonly (readonly [file: string, kind: string | null, pattern?: string])[] = [
  ['about.html', 'page', '/about'],
  ['index.html', 'page', '/'],
  ['docs/index.html', 'page', '/docs'],
  ['readme.md', 'page', '/readme.md'],
  ['data.json', 'page', '/data.json'],
  ['[lang]/data.json', 'page', '/:lang/data.json'],
  ['_middleware.ts', 'middleware', '/'],
  ['users/_middleware.js', 'middleware', '/users'],
  ['users/[id]/_middleware.ts', 'middleware', '/users/:id'],
  ['(admin)/_middleware.ts', 'middleware', '/'],
  ['_404.ts', 'notFound', '/'],
  ['users/_404.ts', 'notFound', '/users'],
  ['_error.ts', 'error', '/'],
  ['_error.html', null],
  ['_helpers.ts', null],
  ['_lib/a.ts', null],
  ['a/_b/c.ts', null],
  ['.hidden.ts', null],
  ['.hidden/a.ts', null],
  ['types.d.ts', null],
  ['types.d.mts', null],
  ['users.test.ts', null],
  ['users.spec.js', null],
  ['users.test.get.ts', 'route', '/users.test'],
  ['style.css', null],
  ['image.png', null],
  ['Makefile', null],
  ['a.ts.bak', null],
  ['', null],
];

describe('a file', () => {
  for (const [file, kind, pattern] of KINDS)
    it(`${file === '' ? 'without a name' : file} is ${kind ?? 'nothing'}`, () => {
      const found = fileRouteOf(file);
      assert.equal(found?.kind ?? null, kind);
      if (pattern !== undefined && found !== null) assert.equal(patternOf(found.parts), pattern);
    });
});

const WRONG: readonly (readonly [file: string, message: RegExp])[] = [
  ['[].ts', /expected the name of a parameter .* found ""/],
  ['[a-b].ts', /found "a-b"/],
  ['[1a].ts', /found "1a"/],
  ['[größe].ts', /found "größe"/],
  ['$größe.ts', /found "größe"/],
  ['[a.ts', /expected '\]' behind '\['/],
  ['a].ts', /expected '\[' before '\]'/],
  ['[a][b].ts', /expected text between two parameters/],
  ['[[a].ts', /expected|found/],
  ['[[...rest]].ts', /expected \[\.\.\.name\]/],
  ['[...].ts', /found ""/],
  ['[...a-b].ts', /found "a-b"/],
  ['[...rest]/a.ts', /nothing can stand behind it/],
  ['[[tab]]/a.ts', /may be left out/],
  ['[id]/[id].ts', /id stands twice/],
  ['[id]/x-[id].ts', /id stands twice/],
];

describe('a name that says nothing', () => {
  for (const [file, message] of WRONG)
    it(`${file} is an error that names it`, () => {
      assert.throws(
        () => fileRouteOf(file),
        (error: Error) => {
          assert.match(error.message, message);
          assert.ok(error.message.startsWith(file), error.message);
          return true;
        },
      );
    });
});
