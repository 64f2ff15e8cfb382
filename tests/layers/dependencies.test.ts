/** Every dependency of the package and of the crates has its line in docs/internals/dependencies.md. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const text = readFileSync(join(root, 'docs', 'internals', 'dependencies.md'), 'utf8');
const hasLine = (name: string): boolean =>
  text.split('\n').some((line) => line.startsWith('|') && line.split('|')[1]?.includes(`\`${name}\``));

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

function npmDependencies(folder: string): string[] {
  const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
  return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
}

function crateDependencies(): string[] {
  const output = execFileSync('cargo', ['metadata', '--no-deps', '--offline', '--format-version', '1'], { cwd: root, encoding: 'utf8' });
  const { packages } = JSON.parse(output) as { packages: { dependencies: { name: string; path?: string }[] }[] };
  return packages.flatMap((crate) => crate.dependencies.filter((dependency) => dependency.path === undefined).map(({ name }) => name));
}

test('every npm dependency of the repository and of the package is explained', () => {
  const names = ['.', 'packages/fulmar', 'packages/quickjs-node'].flatMap(npmDependencies);
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
