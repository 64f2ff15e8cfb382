/**
 * Where the types are: a source file that has types alone says so in its name. `types.ts` is the vocabulary
 * of its folder, `…-types.ts` that of one noun, `…-state.ts` the own fields of one object, with the phases
 * and defaults that belong to them.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';
import { listFiles } from './imports.ts';

const packages = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'packages');
const named = /(?:^|-)types\.ts$|-state\.ts$|\.d\.ts$/;

interface Statement {
  readonly type: string;
  readonly exportKind?: string;
  readonly declare?: boolean;
  readonly declaration?: Statement | null;
}

function vanishes({ type, exportKind, declare, declaration }: Statement): boolean {
  if (type.startsWith('Export')) return exportKind === 'type' || (declaration != null && vanishes(declaration));
  return declare === true || type === 'ImportDeclaration' || /^TS(?:Interface|TypeAlias)Declaration$/.test(type);
}

const hasTypesAlone = (name: string, text: string): boolean => (parseSync(name, text).program.body as Statement[]).every(vanishes);

test('a file of types is told from one that has something to run', () => {
  assert.ok(hasTypesAlone('a.ts', "import type { B } from './b.ts';\nexport interface A extends B {}\nexport type { B };"));
  assert.ok(!hasTypesAlone('a.ts', 'export interface A {}\nexport const a: A = {};'));
});

test('a source file that has types alone is named so', () => {
  const sources = ['fulmar', 'cli', 'quickjs-node', 'compiler'].flatMap((name) => listFiles(join(packages, name, 'src'), '.ts'));
  const found = sources.filter((file) => hasTypesAlone(file, readFileSync(file, 'utf8')));
  assert.ok(found.length > 8, 'no file of types found: the reader is broken');
  const names = found.filter((file) => !named.test(file.slice(file.lastIndexOf('/') + 1))).map((file) => relative(packages, file));
  assert.deepEqual(names, []);
});
