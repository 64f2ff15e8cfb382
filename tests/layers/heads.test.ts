/**
 * One form for the heads of files: a JSDoc block before the first statement, whatever else a file needs ahead
 * of it. Programs that stand for somebody else's (applications, contestants, published servers) are written
 * as their authors would.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const folders = ['packages', 'scripts', 'tests', 'bench'];
const foreign =
  /^bench\/(?:contestants|apps|results|reports)\/|^tests\/(?:apps|published|native\/packages\/apps)\/|\/fixtures?\/|^tests\/.*\/(?:programs?|sites?|views)\//;

/** What may stand before a head, because the place of it is fixed. */
const before = /^(?:#!.*|['"]use strict['"];|\/\/ @ts-.*|\/\/ oxlint-.*)\n/;

type Head = 'block' | 'lines' | 'none';

function headOf(text: string): Head {
  let rest = text;
  while (before.test(rest)) rest = rest.replace(before, '');
  if (rest.startsWith('/**')) return 'block';
  return /^\/[/*]/.test(rest) ? 'lines' : 'none';
}

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...folders], { cwd: root, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((file) => /\.(?:ts|mts|cts|mjs|cjs)$/.test(file) && !foreign.test(file));

const heads = files.map((file) => ({ file, head: headOf(readFileSync(join(root, file), 'utf8')) }));

test('a head is told from a line comment and from none', () => {
  assert.equal(headOf("#!/usr/bin/env node\n'use strict';\n/** What this is. */\nrun();"), 'block');
  assert.equal(headOf('// What this is.\nrun();'), 'lines');
  assert.equal(headOf('/* What this is. */\nrun();'), 'lines');
  assert.equal(headOf('run();'), 'none');
});

test('the heads of files have one form', () => {
  assert.ok(heads.length > 1000, 'no files found: the reader is broken');
  assert.deepEqual(
    heads.filter(({ head }) => head === 'lines').map(({ file }) => file),
    [],
  );
});

test('a source file says in its head what it is', () => {
  const isSource = (file: string): boolean => /^(?:packages\/[\w-]+\/src\/|packages\/build\/(?!test\/)|scripts\/)/.test(file);
  assert.deepEqual(
    heads.filter(({ file, head }) => isSource(file) && head === 'none').map(({ file }) => file),
    [],
  );
});
