/** `fulmar-compiler` as it is published: what is in the tarball, and that it works beside TypeScript alone. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { packed, root } from './support/packed.ts';

let folder = '';
let own = '';

before(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-packed-')));
  own = join(folder, 'node_modules', 'fulmar-compiler');
  mkdirSync(own, { recursive: true });
  execFileSync('tar', ['-xzf', packed().compiler, '-C', own, '--strip-components=1']);
  const typescript = createRequire(join(root, 'packages', 'compiler', 'package.json')).resolve('typescript/package.json');
  symlinkSync(join(typescript, '..'), join(folder, 'node_modules', 'typescript'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('holds its bundles, their licences and a page, and depends on TypeScript alone', () => {
  assert.deepEqual(readdirSync(own).sort(), ['LICENSE', 'README.md', 'dist', 'package.json', 'types']);
  assert.deepEqual(readdirSync(join(own, 'dist')).sort(), [
    'THIRD_PARTY_NOTICES',
    'compile.cjs',
    'eslint.cjs',
    'index.cjs',
    'unplugin.cjs',
    'webpack-loader.cjs',
  ]);
  const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as Record<string, unknown>;
  assert.deepEqual(Object.keys(manifest['dependencies'] as object), ['typescript']);
  assert.equal('private' in manifest || 'devDependencies' in manifest, false);
  assert.match(readFileSync(join(own, 'dist', 'THIRD_PARTY_NOTICES'), 'utf8'), /magic-string/);
});

test('compiles a source, and again from what it kept', () => {
  const { compile } = createRequire(join(folder, 'app.js'))('fulmar-compiler') as {
    compile(file: string, text: string, cache: string | null): { code: string } | undefined;
  };
  const cache = join(folder, 'cache');
  mkdirSync(cache);
  const text = "import { validate } from 'fulmar/types';\nvalidate<{ a: string }>(1);\n";
  const made = compile(join(folder, 'app.ts'), text, cache);
  assert.match(made?.code ?? '', /typeof v\.a === "string"/);
  assert.equal(readdirSync(cache).length, 1);
  assert.deepEqual(compile(join(folder, 'app.ts'), text, cache), made);
});
