/**
 * Passes that are driven by lists: what they do with what they find, and that a list which names what is no
 * more fails the build.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { withoutHelpers } from '../passes/boot-alone.mjs';
import { copyIntoChunks } from '../passes/copy-into-chunks.mjs';
import { groupsOf, librariesGroup } from '../passes/groups.mjs';
import { loadLazily, splitImports } from '../passes/load-lazily.mjs';
import { checkLists, expectAll } from '../passes/met.mjs';
import { readableStream } from '../passes/readable-stream.mjs';
import { changeUndici } from '../passes/undici.mjs';
import { nameInRuntime } from '../quickjs-node.config.mjs';
import { bundleFiles } from './support.ts';

test('a list that is met passes, and one that is not says what is missing', () => {
  const list = expectAll('some pass', ['a', 'b', 'c']);
  list.meet('b');
  assert.throws(() => list.check(), /some pass: nothing in this build is what its list names: a, c/);
  for (const entry of ['a', 'c']) list.meet(entry);
  list.check();
});

test('files of a list are one chunk, and folders with all that is in them', async () => {
  const files = {
    '/s/a.ts': "import { b } from './b.ts';\nimport { d } from './c/d.ts';\nexport const a = b + d;",
    '/s/b.ts': 'export const b = globalThis.b;',
    '/s/c/d.ts': 'export const d = globalThis.d;',
  };
  const { groups, met } = groupsOf('/s', { rare: ['c/*'], other: ['b'] });
  const chunks = await bundleFiles(files, { plugins: [checkLists(met)], output: { codeSplitting: { groups } } });
  assert.deepEqual(
    chunks
      .map(({ moduleIds }) => moduleIds.filter((id) => id.startsWith('/s/')))
      .filter((ids) => ids.length > 0)
      .sort(),
    [['/s/a.ts'], ['/s/b.ts'], ['/s/c/d.ts']],
  );
});

test('a chunk that names a file which is no more fails the build', async () => {
  const { groups, met } = groupsOf('/s', { rare: ['gone'] });
  const build = bundleFiles({ '/s/a.ts': 'export const a = 1;' }, { plugins: [checkLists(met)], output: { codeSplitting: { groups } } });
  await assert.rejects(build, /chunks: nothing in this build is what its list names: gone/);
});

test('a library is found in the first node_modules of a path only', () => {
  const { group, met } = librariesGroup('libraries', ['vary', 'qs']);
  assert.equal(group.test('/x/node_modules/vary/index.js'), true);
  assert.equal(group.test('/x/node_modules/varying/index.js'), false);
  assert.equal(group.test('/x/node_modules/express/node_modules/qs/lib/index.js'), false);
  assert.throws(() => met.check(), /qs/);
});

test('what lazy.ts imports becomes a type and a require at the first call', () => {
  const code =
    "import busboy from 'busboy';\nimport parts from './parts.ts';\nexport const lazyBusboy = () => busboy;\nexport const lazyParts = () => parts;\n";
  assert.equal(
    splitImports(code),
    "import type busboy from 'busboy'; let $busboy: any;\nimport type parts from './parts.ts'; let $parts: any;\n" +
      "export const lazyBusboy = () => ($busboy ??= require('./lazy-busboy.cjs').default);\n" +
      "export const lazyParts = () => ($parts ??= require('./lazy-parts.cjs').default);\n",
  );
});

test('an import of lazy.ts that no function returns is an error', () => {
  assert.throws(
    () => splitImports("import busboy from 'busboy';\nexport const lazy = () => busboy.x;\n"),
    /no function returns busboy alone/,
  );
});

test('an import of lazy.ts by any name but the default is an error', () => {
  assert.throws(
    () => splitImports("import { a } from 'busboy';\nexport const lazy = () => a;\n"),
    /only what a module exports by default is loaded late: import \{ a \} from 'busboy';/,
  );
  assert.equal(splitImports("import type { A } from 'busboy';\n"), "import type { A } from 'busboy';\n");
});

test('each import of a lazy.ts is an entry of its own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-lazy-'));
  try {
    writeFileSync(join(folder, 'lazy.ts'), "import a from '@scope/a';\nexport const lazyA = () => a;\n");
    const { entries } = loadLazily([join(folder, 'lazy.ts'), join(folder, 'absent', 'lazy.ts')]);
    assert.deepEqual(entries, { 'lazy--scope-a': join(folder, 'lazy--scope-a.entry.js') });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a chunk apart gets a copy of what it shares, with what that imports, and nothing of other chunks apart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-chunks-'));
  try {
    mkdirSync(join(folder, 'deep'));
    writeFileSync(join(folder, 'deep', 'shared.ts'), "import { more } from './more.ts';\nexport const shared = [more];");
    writeFileSync(join(folder, 'deep', 'more.ts'), 'export const more = globalThis.more;');
    const files = {
      [join(folder, 'index.ts')]: "import { shared } from './deep/shared.ts';\nexport default shared;",
      [join(folder, 'build/index.ts')]:
        "import { shared } from '../deep/shared.ts';\nimport { help } from '../help/index.ts';\nexport default [shared, help];",
      [join(folder, 'help/index.ts')]: "import { more } from '../deep/more.ts';\nexport const help = more;",
    };
    const apart = [join(folder, 'build'), join(folder, 'help')];
    const chunks = await bundleFiles(files, { input: Object.keys(files), plugins: [copyIntoChunks([folder], apart)] });
    const of = (entry: string): string[] =>
      (chunks.find(({ facadeModuleId }) => facadeModuleId === join(folder, entry))?.moduleIds ?? []).map((id) =>
        id.replace(`${folder}/`, ''),
      );
    assert.deepEqual(of('index.ts'), ['deep/more.ts', 'deep/shared.ts', 'index.ts']);
    assert.deepEqual(of('build/index.ts'), ['deep/more.ts?build', 'deep/shared.ts?build', 'build/index.ts']);
    assert.ok(chunks.some(({ moduleIds }) => moduleIds.join(' ') === `${folder}/deep/more.ts?help ${folder}/help/index.ts`));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a chunk apart that shares nothing, or is no more, fails the build', async () => {
  const build = bundleFiles({ '/c/index.ts': 'export default 1;' }, { plugins: [copyIntoChunks(['/c'], ['/c/gone'])] });
  await assert.rejects(build, /copy-into-chunks: nothing in this build is what its list names: \/c\/gone/);
});

test('the first module of the runtime requires nothing', () => {
  assert.equal(withoutHelpers('const h = require("./shared-rolldown-runtime.cjs");\nboot();'), '\nboot();');
  assert.equal(withoutHelpers('boot();'), 'boot();');
  assert.throws(() => withoutHelpers('const h = require("./shared-rolldown-runtime.cjs");\nh.__toESM();'), /must not need a module/);
});

test('readable-stream gets our parts, and a build in which it asks for others fails', async () => {
  const lib = '/x/node_modules/readable-stream/lib';
  const files = { [`${lib}/a.js`]: "exports.errors = require('./ours/errors');" };
  const build = bundleFiles(files, { plugins: [readableStream('stream/parts.cjs')], external: /^fulmar:/ });
  await assert.rejects(build, /readable-stream: .*\.\/duplexify/);
});

test('a change of undici is made where its text is, and an undici without it fails the build', () => {
  const changes = { 'fetch/a.js': [['one', 'two']] };
  assert.deepEqual(changeUndici('one();', '/n/undici/lib/web/fetch/a.js', changes), { file: 'fetch/a.js', code: 'two();' });
  assert.equal(changeUndici('one();', '/n/undici/lib/web/fetch/b.js', changes), undefined);
  assert.throws(
    () => changeUndici('other();', '/n/undici/lib/web/fetch/a.js', changes),
    /undici's fetch\/a\.js has changed: "one" is not there/,
  );
});

test('a source’s name in the runtime follows from its place', () => {
  const expected: Readonly<Record<string, string | undefined>> = {
    'fs/index.ts': 'node/fs',
    'fs/promises.module.ts': 'node/fs/promises',
    'fs/trees.later.ts': 'fs/trees',
    'util/inspect.later.ts': 'util/inspect',
    'fs/plans.ts': undefined,
    'ops.d.ts': undefined,
    'web/undici-assert.cjs': undefined,
  };
  for (const [path, name] of Object.entries(expected)) assert.equal(nameInRuntime(path), name, path);
});
