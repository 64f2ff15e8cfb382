/** Programs that live long: what changes on disk while they are kept, and what is not made twice. */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { Programs } from '../src/program/programs.ts';
import { transform } from '../src/transform.ts';
import { makeProject, run } from './support.ts';

let folder = '';
before(() => {
  folder = makeProject({ 'tsconfig.json': '{ "compilerOptions": { "strict": true, "module": "esnext", "moduleResolution": "bundler" } }' });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const head = "import { validate } from 'fulmar/types';\n";
const write = (name: string, text: string): string => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

it('keeps program and checker while nothing has changed', () => {
  const programs = new Programs();
  const file = write('a.ts', 'export type A = string;\n');
  const user = write('b.ts', `import type { A } from './a.ts';\n${head}validate<A>(1);`);
  const { program } = programs.programOf({ file: user, text: `import type { A } from './a.ts';\n${head}validate<A>(1);` });
  assert.equal(programs.programOf({ file, text: 'export type A = string;\n' }).program, program);
  writeFileSync(file, 'export type A = string | number;\n');
  assert.notEqual(programs.programOf({ file: user, text: `import type { A } from './a.ts';\n${head}validate<A>(1);` }).program, program);
});

it('takes a file as it is on disk, when that is newer than the text it was given', () => {
  const types = write('given.ts', `${head}export type Given = string;\nvalidate<Given>(1);`);
  transform(types, `${head}export type Given = boolean;\nvalidate<Given>(1);`);
  const user = `import type { Given } from './given.ts';\n${head}export default [validate<Given>(true), validate<Given>(7)];`;
  assert.deepEqual(run(folder, user), [true, false]);
  writeFileSync(types, `${head}export type Given = number; // as an editor has saved it\nvalidate<Given>(1);`);
  assert.deepEqual(run(folder, user), [false, true]);
});

it('finds a file that was missing when it was asked for first', () => {
  const text = `import type { Coming } from './coming/type.ts';\n${head}export default validate<Coming>('a');`;
  assert.throws(() => run(folder, text), /Coming is not found/);
  write('coming/type.ts', 'export type Coming = string;\n');
  assert.equal(run(folder, text), true);
  rmSync(join(folder, 'coming', 'type.ts'));
  assert.throws(() => run(folder, text), /Coming is not found/);
  write('coming/type.ts', 'export type Coming = number;\n');
  assert.equal(run(folder, text), false);
});

it('finds a file without its extension in a package of modules that has no configuration', () => {
  const plain = makeProject({ 'package.json': '{ "type": "module" }', 'server/bird.ts': 'export type Bird = { name: string };\n' });
  try {
    const text = `import type { Bird } from './server/bird';\n${head}export default validate<Bird>({ name: 7 });`;
    assert.equal(run(plain, text), false);
  } finally {
    rmSync(plain, { recursive: true, force: true });
  }
});

it('reads a configuration again that has changed', () => {
  const text = `${head}export default validate<{ a?: string }>({ a: undefined });`;
  assert.equal(run(folder, text), true);
  write('tsconfig.json', '{ "compilerOptions": { "strict": true, "exactOptionalPropertyTypes": true } }');
  assert.equal(run(folder, text), false);
});

it('makes one program for all users of a project, once several have come that no other imports', () => {
  const programs = new Programs();
  const text = `${head}validate<string>(1);`;
  const users = Array.from({ length: 20 }, (_, at) => write(`alone/${at}.ts`, text));
  write('alone/plain.ts', 'export const plain = 1;');
  const made = new Set(users.map((file) => programs.programOf({ file, text }).program));
  assert.equal(made.size, 8);
  const { program } = programs.programOf({ file: users[0] as string, text });
  assert.ok(users.every((file) => program.getSourceFile(file) !== undefined));
  assert.equal(program.getSourceFile(join(folder, 'alone', 'plain.ts')), undefined);
});
