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
  ['without a value at first', 'let go;\nfunction set() {\n  go = 2;\n}'],
];
for (const [what, declaration] of changing) {
  test(`a variable ${what} keeps its getter`, () => {
    const code = `${declaration}\n${getter('go')}`;
    assert.equal(exportPlainly(code), code);
  });
}

test('a value under another name is found by its own', () => {
  assert.equal(exportPlainly(`const a$ = 1;\n${getter('b', 'a$')}`), 'const a$ = 1;\nexports.b = a$;');
});
