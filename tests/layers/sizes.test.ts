/** Files stay small enough to read: 600 lines of source at most, entry files 150. (Function lengths are oxlint's and clippy's part.) */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { listFiles } from './imports.ts';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const linesMax = 600;
const entryLinesMax = 150;

/** Lines of a source file; of a Rust file without its unit tests, which stand last. */
function linesOf(file: string): number {
  const text = readFileSync(file, 'utf8');
  const tests = file.endsWith('.rs') ? text.search(/^#\[cfg\(test\)\]\s*\nmod /m) : -1;
  return (tests === -1 ? text : text.slice(0, tests)).trimEnd().split('\n').length;
}

const sources = [
  ...listFiles(join(root, 'packages', 'fulmar', 'src'), '.ts'),
  ...['cli', 'quickjs-node', 'compiler'].flatMap((name) => listFiles(join(root, 'packages', name, 'src'), '.ts')),
  ...listFiles(join(root, 'packages', 'build'), '.mjs'),
  ...listFiles(join(root, 'scripts'), '.mjs'),
  ...listFiles(join(root, 'crates'), '.rs').filter((file) => !/\/(?:tests|benches)\/|\/tests\.rs$/.test(file)),
];

test('no source file is longer than 600 lines', () => {
  const long = sources.map((file) => ({ file: relative(root, file), lines: linesOf(file) })).filter(({ lines }) => lines > linesMax);
  assert.ok(sources.length > 10, 'no sources found: the reader is broken');
  assert.deepEqual(long, []);
});

test('entry files only export and introduce, in 150 lines', () => {
  const entries = sources.filter((file) => /\/(?:index\.ts|lib\.rs)$/.test(file));
  const long = entries.map((file) => ({ file: relative(root, file), lines: linesOf(file) })).filter(({ lines }) => lines > entryLinesMax);
  assert.deepEqual(long, []);
});
