import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exportPlainly } from '../passes/export-plainly.mjs';

const getter = (exported: string, name = exported): string =>
  `Object.defineProperty(exports, "${exported}", {\n  enumerable: true,\n  get: function () {\n    return ${name};\n  }\n});`;

const plain: readonly [string, string][] = [
  ['a function', 'function go() {}'],
  ['an async generator', 'async function* go() {}'],
  ['a class', 'class go {}'],
  ['a constant', 'const go = 1;'],
  ['what is declared by var and not assigned again', 'var go = 1;'],
];
for (const [what, declaration] of plain) {
  test(`${what} is exported as a value`, () => {
    assert.equal(exportPlainly(`${declaration}\n${getter('go')}`), `${declaration}\nexports.go = go;`);
  });
}

const changing: readonly [string, string][] = [
  ['that is assigned later', 'let go = 1;\nfunction set() {\n  go = 2;\n}'],
  ['that is counted up', 'var go = 1;\nfunction next() {\n  go++;\n}'],
  ['that is added to', 'var go = 1;\nfunction add(n) {\n  go += n;\n}'],
  ['that is assigned by a pattern', 'var go = 1;\nfunction set() {\n  [go] = f();\n}'],
  ['that a pattern assigns by a property of its name', 'var go = 1;\nfunction set() {\n  ({ go } = f());\n}'],
  ['that a loop assigns', 'var go = 1;\nfunction all(xs) {\n  for (go of xs);\n}'],
  ['that a block declares once more', 'var go = 1;\nfor (var go of xs);'],
  ['that is a function and assigned later', 'function go() {}\nfunction set() {\n  go = f;\n}'],
  ['without a value at first', 'let go;\nfunction set() {\n  go = 2;\n}'],
];
for (const [what, declaration] of changing) {
  test(`a variable ${what} keeps its getter`, () => {
    const code = `${declaration}\n${getter('go')}`;
    assert.equal(exportPlainly(code), code);
  });
}

test('what is assigned is the variable, not a text, a comment or a property of its name', () => {
  const code = 'var go = 1;\nf("go = 2", { go: 3 }, a.go = 4); // go = 5';
  assert.equal(exportPlainly(`${code}\n${getter('go')}`), `${code}\nexports.go = go;`);
});

test('a getter before its variable has a value stays', () => {
  const code = `${getter('go')}\nconst go = 1;`;
  assert.equal(exportPlainly(code), code);
});

test('a getter of what another chunk exports stays', () => {
  const code = getter('go', 'require_shared.go');
  assert.equal(exportPlainly(code), code);
});

for (const [what, code] of [
  ['an arrow function', 'Object.defineProperty(exports, "go", { get: () => go });'],
  ['a list of getters', '__export(exports, { go: () => go });'],
] as const) {
  test(`${what} instead of rolldown's getter is an error`, () => {
    assert.throws(() => exportPlainly(`const go = 1;\n${code}`), /in a way that this pass does not know/);
  });
}

test('a value under another name is found by its own', () => {
  assert.equal(exportPlainly(`const a$ = 1;\n${getter('b', 'a$')}`), 'const a$ = 1;\nexports.b = a$;');
});
