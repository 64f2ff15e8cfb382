/**
 * What a file of the sources exports, another file imports: of values. Types may be exported for whoever
 * reads the signatures they stand in.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';
import { listFiles } from './imports.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const packages = ['fulmar', 'cli', 'quickjs-node', 'compiler'];
const sources = packages.flatMap((name) => listFiles(join(root, 'packages', name, 'src'), '.ts')).filter((file) => !file.endsWith('.d.ts'));
/**
 * Files that others load whole: entries of bundles, parts that are loaded late, and what is loaded by its
 * path.
 */
const isEntry = (file: string): boolean =>
  /\/index\.ts$|\.(?:later|module)\.ts$|\/lazy\.ts$|\/start\/\w+\.ts$|\/(?:parts|koa2|koa3)\.ts$|\/built\/.*\.ts$|\/undici-[\w-]+\.ts$|\/(?:resolver|probe|build-project|commonjs|serve-edge|webpack-loader)\.ts$/.test(
    file,
  );

interface File {
  readonly exported: readonly string[];
  /** Path → names that are imported of it; `*` for all. */
  readonly used: ReadonlyMap<string, ReadonlySet<string>>;
}

function readFile(file: string): File {
  const text = readFileSync(file, 'utf8');
  const { module } = parseSync(file, text);
  const used = new Map<string, Set<string>>();
  const use = (specifier: string, name: string): void => {
    if (!specifier.startsWith('.')) return;
    const path = resolve(dirname(file), specifier);
    used.set(path, (used.get(path) ?? new Set()).add(name));
  };
  for (const { moduleRequest, entries } of module.staticImports) {
    for (const { importName } of entries)
      use(moduleRequest.value, importName.kind === 'Name' ? (importName.name ?? '*') : importName.kind === 'Default' ? 'default' : '*');
  }
  const exported: string[] = [];
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, importName, exportName, isType } of entries) {
      if (moduleRequest)
        use(moduleRequest.value, importName.kind === 'Name' ? (importName.name ?? '*') : importName.kind === 'None' ? 'default' : '*');
      else if (!isType && exportName.kind === 'Name' && exportName.name !== null) exported.push(exportName.name);
    }
  }
  for (const [, specifier = ''] of text.matchAll(/\b(?:import|require)\(\s*['"]([^'"]+)['"]/g)) use(specifier, '*');
  return { exported, used };
}

test('what a file exports, another one imports', () => {
  const users = [
    ...sources,
    ...['tests', 'bench', 'scripts', 'packages'].flatMap((name) =>
      ['.test.ts', '.ts', '.mjs'].flatMap((end) => listFiles(join(root, name), end)),
    ),
  ];
  const files = new Map([...new Set(users)].map((file) => [file, readFile(file)]));
  const unused: string[] = [];
  for (const file of sources) {
    if (isEntry(file)) continue;
    const names = new Set([...files.values()].flatMap(({ used }) => [...(used.get(file) ?? [])]));
    if (names.has('*')) continue;
    for (const name of files.get(file)?.exported ?? []) if (!names.has(name)) unused.push(`${file.slice(root.length + 1)}: ${name}`);
  }
  assert.ok(sources.length > 500, 'no source found: the reader is broken');
  assert.deepEqual(unused, []);
});
