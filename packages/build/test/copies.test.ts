/** Passes that decide which copy of a file a module gets. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { OutputChunk, Plugin } from 'rolldown';
import { copyHost } from '../passes/copy-host.mjs';
import { shareMimeTypes } from '../passes/share-mime-types.mjs';
import { bundleFiles } from './support.ts';

/** A folder with these files; it goes with the test. */
function writeFolder(context: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-copies-'));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** The modules of a bundle that are in `folder`, by their names there. */
const modulesIn = (chunks: readonly OutputChunk[], folder: string): string[] =>
  chunks
    .flatMap(({ moduleIds }) => moduleIds)
    .filter((id) => id.startsWith(folder))
    .map((id) => id.slice(folder.length + 1))
    .sort();

const bundle = (folder: string, input: readonly string[], plugin: Plugin): Promise<OutputChunk[]> =>
  bundleFiles({}, { input: input.map((name) => join(folder, name)), plugins: [plugin] });

test('a file of host is copied into each module that imports it', async (context) => {
  const folder = writeFolder(context, {
    'host/keys.ts': 'export const key = globalThis.key;',
    'a.ts': "import { key } from './host/keys.ts';\nexport const a = key;",
    'b.ts': "import { key } from './host/keys.ts';\nexport const b = key;",
  });
  const chunks = await bundle(folder, ['a.ts', 'b.ts'], copyHost(folder));
  assert.deepEqual(modulesIn(chunks, folder), ['a.ts', 'b.ts', 'host/keys.ts?for=a-ts', 'host/keys.ts?for=b-ts']);
});

test('a file of host has what it imports of host copied with it', async (context) => {
  const folder = writeFolder(context, {
    'host/keys.ts': 'export const key = globalThis.key;',
    'host/apps.ts': "import { key } from './keys.ts';\nexport const apps = () => key;",
    'a.ts': "import { apps } from './host/apps.ts';\nexport const a = apps();",
    'b.ts': "import { a } from './a.ts';\nimport { key } from './host/keys.ts';\nexport const b = [a, key];",
  });
  const chunks = await bundle(folder, ['b.ts'], copyHost(folder));
  assert.deepEqual(modulesIn(chunks, folder), ['a.ts', 'b.ts', 'host/apps.ts?for=a-ts', 'host/keys.ts?for=a-ts', 'host/keys.ts?for=b-ts']);
});

test('a file of host that is imported in another way fails the build', async (context) => {
  const folder = writeFolder(context, {
    'host/keys.ts': 'export const key = globalThis.key;',
    'host/more.mjs': 'export const more = globalThis.more;',
    'a.ts': "import { key } from './host/keys.ts';\nimport { more } from './host/more.mjs';\nexport const a = [key, more];",
  });
  await assert.rejects(
    bundle(folder, ['a.ts'], copyHost(folder)),
    /copy-host: host\/more\.mjs is imported by a path that this pass does not know/,
  );
});

test('a build in which nobody imports a file of host fails', async (context) => {
  const folder = writeFolder(context, { 'a.ts': 'export const a = globalThis.a;' });
  await assert.rejects(bundle(folder, ['a.ts'], copyHost(folder)), /copy-host: nothing in this build is what its list names/);
});

/** Packages that both stand for `mime-types`, and another that wants it. */
const withMimeTypes = (own: string, shared: string): Record<string, string> => ({
  'package.json': '{}',
  'node_modules/mime-types/package.json': JSON.stringify({ version: own, main: 'own.js' }),
  'node_modules/mime-types/own.js': 'exports.types = globalThis.own;',
  'node_modules/mime-types2/package.json': JSON.stringify({ version: shared, main: 'shared.js' }),
  'node_modules/mime-types2/shared.js': 'exports.types = globalThis.shared;',
  'a.ts': "import { types } from 'mime-types';\nexport const a = types;",
});

test('mime-types of one version are bundled once', async (context) => {
  const folder = writeFolder(context, withMimeTypes('2.1.35', '2.1.35'));
  const chunks = await bundle(folder, ['a.ts'], shareMimeTypes(join(folder, 'package.json')));
  assert.deepEqual(modulesIn(chunks, folder), ['a.ts', 'node_modules/mime-types2/shared.js']);
});

test('a build fails in which all mime-types are of other versions', async (context) => {
  const folder = writeFolder(context, withMimeTypes('3.0.1', '2.1.35'));
  const build = bundle(folder, ['a.ts'], shareMimeTypes(join(folder, 'package.json')));
  await assert.rejects(build, /share-mime-types: nothing in this build is what its list names: mime-types/);
});
