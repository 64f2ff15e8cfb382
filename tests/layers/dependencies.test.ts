/**
 * Every dependency of the package and of the crates has its line in docs/internals/dependencies.md, and every
 * line its dependency.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const text = readFileSync(join(root, 'docs', 'internals', 'dependencies.md'), 'utf8');

/** What the first column of its tables names, but for that of packages which were not taken. */
const named = new Set(
  text
    .replace(/^### Looked at, not taken$[^]*?(?=^## )/m, '')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)),
);
const hasLine = (name: string): boolean => named.has(name);

/** Of Python's index, named by the script that installs them. */
const zig = readFileSync(join(root, 'scripts', 'lib', 'zig.mjs'), 'utf8');

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

function npmDependencies(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies });
}

function crateDependencies(): string[] {
  const output = execFileSync('cargo', ['metadata', '--no-deps', '--offline', '--format-version', '1'], { cwd: root, encoding: 'utf8' });
  const { packages } = JSON.parse(output) as { packages: { dependencies: { name: string; path?: string }[] }[] };
  return packages.flatMap((crate) => crate.dependencies.filter((dependency) => dependency.path === undefined).map(({ name }) => name));
}

test('every npm dependency of the repository and of the package is explained', () => {
  const names = ['.', 'packages/fulmar', 'packages/quickjs-node', 'packages/compiler'].flatMap(npmDependencies);
  assert.deepEqual(
    names.filter((name) => !hasLine(name)),
    [],
  );
});

test('every crate that ours depend on is explained', () => {
  const names = [...new Set(crateDependencies())];
  assert.ok(names.length > 0, 'no dependency found: the reader is broken');
  assert.deepEqual(
    names.filter((name) => !hasLine(name)),
    [],
  );
});

test('every line names a dependency that exists', () => {
  const npm = [
    '.',
    'packages/fulmar',
    'packages/quickjs-node',
    'packages/cli',
    'packages/build',
    'packages/compiler',
    'tests',
    'tests/guides',
    'bench',
  ].flatMap(npmDependencies);
  const known = new Set([...npm, ...crateDependencies()]);
  assert.deepEqual(
    [...named].filter((name) => !known.has(name) && !new RegExp(`\\b${name}==`).test(zig)),
    [],
  );
});
