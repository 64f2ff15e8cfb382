/** Which source an import of a TypeScript file means. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { isNotFound, resolveEarly, resolveLate } from '../../src/launch/compile/resolve.ts';
import { toPathSpecifier, toResolution } from '../../src/launch/modules/hooks.ts';
import { writeProject } from './support.ts';

const folder = writeProject({
  'tsconfig.json': `{ // comments and trailing commas are allowed
    "extends": "./base", "compilerOptions": { "paths": { "@/*": ["./src/*"], "@/special/*": ["./special/*"], "exact": ["./src/user.ts"], "*.css": ["./src/css.ts"], }, }, }`,
  'base.json': '{ "compilerOptions": { "strict": true } }',
  'src/app.ts': '',
  'src/app.js': '',
  'src/user.ts': '',
  'src/user.js': '',
  'src/user.service.ts': '',
  'src/view.tsx': '',
  'src/m.mts': '',
  'src/c.cts': '',
  'src/only.js': '',
  'src/data.json': '{}',
  'src/css.ts': '',
  'src/folder/index.ts': '',
  'special/x.ts': '',
  'node_modules/dep/index.ts': '',
  'node_modules/dep/user.ts': '',
  'based/tsconfig.json': '{ "compilerOptions": { "baseUrl": "src" } }',
  'based/src/lib/db.ts': '',
  'based/main.ts': '',
});
const app = join(folder, 'src/app.ts');

describe('imports of TypeScript files', () => {
  const cases: [specifier: string, expected: string | undefined][] = [
    ['./user', 'src/user.ts'],
    ['./user.js', 'src/user.ts'],
    ['./user.ts', 'src/user.ts'],
    ['./user.service', 'src/user.service.ts'],
    ['./user.service.js', 'src/user.service.ts'],
    ['./view', 'src/view.tsx'],
    ['./view.js', 'src/view.tsx'],
    ['./view.jsx', 'src/view.tsx'],
    ['./m.mjs', 'src/m.mts'],
    ['./c.cjs', 'src/c.cts'],
    ['./only', 'src/only.js'],
    ['./only.js', 'src/only.js'],
    ['./data.json', 'src/data.json'],
    ['./folder', 'src/folder/index.ts'],
    ['./folder/', 'src/folder/index.ts'],
    ['..', undefined],
    ['../special/x', 'special/x.ts'],
    ['./absent', undefined],
    ['@/user', 'src/user.ts'],
    ['@/folder', 'src/folder/index.ts'],
    ['@/special/x', 'special/x.ts'],
    ['exact', 'src/user.ts'],
    ['some.css', 'src/css.ts'],
    ['@/absent', undefined],
    ['lodash', undefined],
    ['node:fs', undefined],
  ];
  for (const [specifier, expected] of cases) {
    it(`finds ${expected ?? 'nothing'} for ${specifier}`, () => {
      assert.equal(resolveEarly(specifier, app), expected && join(folder, expected));
    });
  }

  it('finds files below baseUrl', () => {
    assert.equal(resolveEarly('lib/db', join(folder, 'based/main.ts')), join(folder, 'based/src/lib/db.ts'));
  });
  it('takes absolute paths and file URLs', () => {
    assert.equal(resolveEarly(join(folder, 'src/user'), app), join(folder, 'src/user.ts'));
    assert.equal(resolveEarly(pathToFileURL(join(folder, 'src/user.js')).href, app), join(folder, 'src/user.ts'));
  });
  it('lets Node resolve first for JavaScript importers', () => {
    assert.equal(resolveEarly('./user', join(folder, 'src/app.js')), undefined);
    assert.equal(resolveLate('./view.js', join(folder, 'src/app.js')), join(folder, 'src/view.tsx'));
  });
  it('never searches on behalf of JavaScript dependencies', () => {
    assert.equal(resolveLate('./user', join(folder, 'node_modules/dep/index.js')), undefined);
  });
  it('recognises the errors of both loaders', () => {
    assert.equal(isNotFound(Object.assign(new Error(), { code: 'MODULE_NOT_FOUND' })), true);
    assert.equal(isNotFound(Object.assign(new Error(), { code: 'ERR_MODULE_NOT_FOUND' })), true);
    assert.equal(isNotFound(new Error('other')), false);
    assert.equal(isNotFound(null), false);
  });
});

describe('ES module specifiers', () => {
  it('loses query and percent-encoding on the way to a path', () => {
    assert.equal(toPathSpecifier('./a%20b?x#y'), './a b');
    assert.equal(toPathSpecifier('pkg/a%20b'), 'pkg/a%20b');
  });
  it('keeps the query in the URL, so that it stays a module of its own', () => {
    assert.equal(toResolution('/x/a b.ts', './a%20b?v=1').url, 'file:///x/a%20b.ts?v=1');
    assert.equal(toResolution('/x/a.ts', './a').url, 'file:///x/a.ts');
  });
});
