import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameLateModules } from '../passes/later.mjs';

const names = new Map([
  ['/src/fs/trees.later.ts', 'fs/trees.cjs'],
  ['/src/start/setup.ts', 'setup.cjs'],
]);
const pass = (code: string, file = '/src/fs/functions.ts'): string => nameLateModules(code, file, (path: string) => names.get(path));
const IMPORT = "import later from 'fulmar:later';\n";

const cases: readonly { name: string; code: string; expected: string }[] = [
  {
    name: 'a call gets the name of the module in the runtime',
    code: `${IMPORT}const trees = () => later<typeof import('./trees.later.ts')>();`,
    expected: `${IMPORT}const trees = () => later("fs/trees.cjs");`,
  },
  {
    name: 'a path leads from the file it stands in',
    code: `${IMPORT}const { loop } = later<typeof import('../start/setup.ts')>();`,
    expected: `${IMPORT}const { loop } = later("setup.cjs");`,
  },
  {
    name: 'lines stay where they are when the formatter broke a call',
    code: `${IMPORT}const a = later<\n  typeof import('./trees.later.ts')\n>();\nconst b = 1;`,
    expected: `${IMPORT}const a = later("fs/trees.cjs")\n\n;\nconst b = 1;`,
  },
  {
    name: 'a name alone is a string, and the import goes where nothing else needs it',
    code: `${IMPORT}const file = later.file<typeof import('./trees.later.ts')>();`,
    expected: `\nconst file = "fs/trees.cjs";`,
  },
  {
    name: 'the import stays where a name is loaded',
    code: "import later, { type LateFile } from 'fulmar:later';\nconst load = (file: LateFile<object>) => later(file);",
    expected: "import later, { type LateFile } from 'fulmar:later';\nconst load = (file: LateFile<object>) => later(file);",
  },
];

for (const { name, code, expected } of cases) test(name, () => assert.equal(pass(code), expected));

test('a module without a name of its own is refused, with the file that wants it', () => {
  assert.throws(
    () => pass(`${IMPORT}later<typeof import('./run.ts')>();`),
    /\/src\/fs\/functions\.ts: \.\/run\.ts is loaded late, but is no module of its own: end its name in \.later\.ts/,
  );
});

test('a call that names no module is refused', () => {
  assert.throws(() => pass(`${IMPORT}later<Trees>();`), /later\(\) with anything but/);
  assert.throws(() => pass(`${IMPORT}later.file<Trees>();`), /later\(\) with anything but/);
});
