/** What becomes of a source: which uses are replaced, what stays where it was, what is shared. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { transform } from '../src/transform.ts';
import { decode } from '../../fulmar/src/launch/compile/source-map.ts';
import { compiled, makeProject, run } from './support.ts';

let folder = '';
before(() => {
  folder = makeProject({
    'model.ts': "export type { User } from './deep/user.ts';\n",
    'deep/user.ts': 'export interface User { id: number }\n',
    'node_modules/lib/package.json': '{"name":"lib","version":"1.0.0","types":"index.d.ts"}',
    'node_modules/lib/index.d.ts': 'export interface Thing<T> { thing: T }\n',
  });
});
after(() => rmSync(folder, { recursive: true, force: true }));

const head = "import { validate, stringify } from 'fulmar/types';\n";
const count = (text: string, of: RegExp): number => [...text.matchAll(of)].length;

it('leaves a source alone that uses nothing of it', () => {
  for (const text of [
    'export const a = 1;',
    "import type { Email } from 'fulmar/types'; export type A = Email;",
    "import { ValidationError } from 'fulmar/types'; export { ValidationError };",
  ]) {
    assert.equal(transform(join(folder, 'a.ts'), text), undefined);
  }
});

it('knows imports by other names and by a namespace', () => {
  const text =
    "import { validate as is } from 'fulmar/types';\nimport * as types from 'fulmar/types';\nexport default [is<1>(1), types.validate<1>(2), is<1>, types.stringify<string>('a')];";
  const [yes, no, fn, json] = run<[boolean, boolean, (value: unknown) => boolean, string]>(folder, text);
  assert.deepEqual([yes, no, fn(1), fn(2), json], [true, false, true, false, '"a"']);
});

it('leaves other variables of the same name alone', () => {
  const text = `${head}function f(validate: (x: number) => number) { return validate(4); }\nconst o = { validate: 1, stringify() { return 2; } };\nexport default [f((x) => x * 2), o.validate, o.stringify(), validate<5>(5)];`;
  assert.deepEqual(run(folder, text), [8, 1, 2, true]);
});

it('replaces uses in every place an expression can be', () => {
  const text = `${head}class A { is = validate<number>; static s = stringify<number>(1); }
const list = [1, 'a', 2].filter(validate<number>);
const tpl = \`\${stringify<number>(3)}\`;
export default [new A().is(1), A.s, list, tpl, ((x = validate<string>('a')) => x)(), validate<
  { a: 1 } // > not the end
>({ a: 1 })];`;
  assert.deepEqual(run(folder, text), [true, '1', [1, 2], '3', true, true]);
});

it('takes the type of the value where stringify is given none', () => {
  const text = `${head}const user = { id: 1, name: 'a' as string | null };\nexport default [stringify(user), stringify([1, 2]), stringify('x')];`;
  assert.deepEqual(run(folder, text), ['{"id":1,"name":"a"}', '[1,2]', '"x"']);
});

it('takes the type of a value that a handler is given', () => {
  const text = `import { createApp } from 'fulmar';\n${head}createApp().post('/birds/:id', (c) => stringify(c.params));`;
  assert.match(compiled(folder, text, 'handler.ts'), /"id\\":/);
});

it('makes one function for each type, however often it is used', () => {
  const code = compiled(folder, `${head}interface P { x: number }\nvalidate<P>(1); validate<P>(2); validate<{ p: P }>(3);`);
  assert.equal(count(code, /Number\.isFinite\(v\.x\)/g), 1);
});

it('can be used before the line that names the type, and before the end of the module', () => {
  assert.deepEqual(
    run(
      folder,
      `${head}const first = check(1);\nfunction check(x: unknown) { return validate<T>(x); }\ntype T = 1 | 2;\nexport default first;`,
    ),
    true,
  );
});

it('keeps #! and directives first', () => {
  const code = compiled(folder, `#!/usr/bin/env node\n'use strict';\n"use other";\n${head}validate<1>(1);`);
  assert.match(code, /^#!\/usr\/bin\/env node\n'use strict';\n"use other";\nfunction \$tf1/);
});

it('takes names that the source has not', () => {
  assert.equal(run(folder, `${head}const $t = 1; const $tf1 = 2;\nexport default [$t, $tf1, validate<1>(1)][2];`), true);
});

it('means the globals of the platform, whatever the source has by their names', () => {
  const names = ['Array', 'JSON', 'Map', 'Number', 'Object', 'RegExp', 'Set', 'String'];
  const own = names.map((name) => `class ${name} { static isFinite = () => true; static isArray = () => true; has = () => true }`);
  const types = [
    'number',
    'string[]',
    'Readonly<Record<string, 1>>',
    Array.from({ length: 9 }, (_, at) => at).join(' | '),
    'f.Int',
    "string & f.Pattern<'^a$'>",
  ];
  const made = types.map((type) => `validate<${type}>`).join(', ');
  const { checks, parts } = run<{ checks: ((value: unknown) => boolean)[]; parts: unknown[] }>(
    folder,
    `import { parse, stringify, validate } from 'fulmar/types';\nimport type * as f from 'fulmar/types';\n${own.join('\n')}\n` +
      `const checks = [${made}];\nconst parts = [parse<{ a: number[] }>('{"a":[1],"b":2}'), stringify<Readonly<globalThis.Record<string, 1>>>({ x: 1 }), [${names.join(', ')}].length];\n` +
      'export default { checks, parts };',
  );
  assert.deepEqual(
    checks.map((check) => check('x')),
    types.map(() => false),
  );
  assert.deepEqual(
    [1, ['a'], { x: 1 }, 3, 4, 'a'].map((value, at) => checks[at]?.(value)),
    types.map(() => true),
  );
  assert.deepEqual(parts, [{ a: [1] }, '{"x":1}', names.length]);
});

it('emits no code that is made at run time', () => {
  assert.doesNotMatch(compiled(folder, `${head}validate<{ a: string; b: Date[] }>(1);`), /\beval\b|new Function/);
});

it('maps every line back to where it was', () => {
  const text = `${head}interface A { a: string }\n\nconst before = 1;\nexport const x = validate<A>(before), y = 2;\nthrow new Error('here');\n`;
  const made = transform(join(folder, 'map.ts'), text);
  assert.ok(made !== undefined);
  const lines = decode(made.map.mappings);
  const places = made.code.split('\n').flatMap((line, at) => (line.includes("throw new Error('here')") ? [at] : []));
  const [segment] = lines[places[0] ?? 0] ?? [];
  assert.deepEqual(segment?.slice(1), [0, 5, 0]);
  assert.deepEqual(made.map.sources, [join(folder, 'map.ts')]);
});

it('knows types of other files and packages, and names the files', () => {
  const text = `import type { User } from './model.ts';\nimport type { Thing } from 'lib';\n${head}export default [validate<User>({ id: 1 }), validate<Thing<User>>({ thing: { id: 'a' } })];`;
  assert.deepEqual(run(folder, text), [true, false]);
  const { files = [] } = transform(join(folder, 'main.ts'), text) ?? {};
  for (const name of ['model.ts', 'deep/user.ts', 'node_modules/lib/index.d.ts']) assert.ok(files.includes(join(folder, name)), name);
  assert.ok(files.every((file) => !file.includes('/lib.')));
});

it('sees what another file has become since', () => {
  const text = `import type { Late } from './late.ts';\n${head}export default validate<Late>('a');`;
  writeFileSync(join(folder, 'late.ts'), 'export type Late = string;\n');
  assert.equal(run(folder, text), true);
  writeFileSync(join(folder, 'late.ts'), 'export type Late = string[];\n');
  assert.equal(run(folder, text), false);
});

it('obeys exactOptionalPropertyTypes, and looks at null whatever the configuration says', () => {
  const exact = makeProject({ 'tsconfig.json': '{"compilerOptions":{"exactOptionalPropertyTypes":true,"strict":true}}' });
  const loose = makeProject({
    'tsconfig.json': '{ // loose\n"extends":"./base.json" }',
    'base.json': '{"compilerOptions":{"strict":false}}',
  });
  const text = `${head}export default [validate<{ a?: string }>({ a: undefined }), validate<{ a?: string | undefined }>({ a: undefined }), validate<{ a: string }>({ a: null })];`;
  try {
    assert.deepEqual(run(exact, text), [false, true, false]);
    assert.deepEqual(run(loose, text), [true, true, false]);
    assert.ok(transform(join(loose, 'main.ts'), text)?.files.includes(join(loose, 'base.json')));
  } finally {
    for (const place of [exact, loose]) rmSync(place, { recursive: true, force: true });
  }
});
