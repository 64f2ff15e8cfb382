import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireLazily } from '../passes/require-lazily.mjs';

const lines = (...text: string[]): string => text.join('\n');

const cases: readonly { name: string; code: string; expected: string }[] = [
  {
    name: 'a module of Node is required when it is first used',
    code: lines(
      'const require_rolldown_runtime = require("./shared-rolldown-runtime.cjs");',
      'let node_fs = require("node:fs");',
      'node_fs = require_rolldown_runtime.__toESM(node_fs, 1);',
      'const read = () => node_fs.default.readFileSync("x");',
    ),
    expected: lines(
      '',
      'let node_fs; const $node_fs = () => (node_fs = require("node:fs"));',
      '',
      'const read = () => (node_fs ?? $node_fs()).readFileSync("x");',
    ),
  },
  {
    name: 'a chunk of ours too, by each name that is used of it',
    code: lines('const require_shared_a = require("./shared-a.cjs");', 'exports.go = () => require_shared_a.go(require_shared_a.one);'),
    expected: lines(
      'let require_shared_a; const $require_shared_a = () => (require_shared_a = require("./shared-a.cjs"));',
      'exports.go = () => (require_shared_a ?? $require_shared_a()).go((require_shared_a ?? $require_shared_a()).one);',
    ),
  },
  {
    name: 'an entry beneath and the runtime’s own functions are required at once',
    code: lines('const require_lib_http = require("./lib-http.cjs");', 'const ops = require("fulmar:ops");', 'use(require_lib_http, ops);'),
    expected: lines(
      'const require_lib_http = require("./lib-http.cjs");',
      'const ops = require("fulmar:ops");',
      'use(require_lib_http, ops);',
    ),
  },
  {
    name: 'an import for its effects stays',
    code: 'require("./shared-effects.cjs");',
    expected: 'require("./shared-effects.cjs");',
  },
  {
    name: 'a name within a string, of a property or as part of another name is left alone; spread is a use',
    code: lines('const node_os = require("node:os");', 'f("node_os", a.node_os, node_os2, ...node_os);'),
    expected: lines(
      'let node_os; const $node_os = () => (node_os = require("node:os"));',
      'f("node_os", a.node_os, node_os2, ...(node_os ?? $node_os()));',
    ),
  },
  {
    name: 'a name within a template’s text, a regular expression, a comment or a key is left alone; a short property keeps its name',
    code: lines(
      'const node_os = require("node:os");',
      'f(`node_os ${node_os}`, /a node_os b/, { node_os: 1 }, { node_os }); // as node_os does',
      'class A { node_os() {} }',
    ),
    expected: lines(
      'let node_os; const $node_os = () => (node_os = require("node:os"));',
      'f(`node_os ${(node_os ?? $node_os())}`, /a node_os b/, { node_os: 1 }, { node_os: (node_os ?? $node_os()) }); // as node_os does',
      'class A { node_os() {} }',
    ),
  },
  {
    name: 'a package is required when it is first used, and so is what depd makes',
    code: lines(
      'const require_rolldown_runtime = require("./shared-rolldown-runtime.cjs");',
      'const require_depd = require("./shared-depd.cjs");',
      'var import_depd = /* @__PURE__ */ require_rolldown_runtime.__toESM(require_depd.require_depd(), 1);',
      'var import_ms = require_ms();',
      'const deprecate = (0, import_depd.default)("express");',
      'f(() => deprecate(import_ms.parse));',
    ),
    expected: lines(
      '',
      'let require_depd; const $require_depd = () => (require_depd = require("./shared-depd.cjs"));',
      'let import_depd; const $import_depd = () => (import_depd = (require_depd ?? $require_depd()).require_depd());',
      'let import_ms; const $import_ms = () => (import_ms = require_ms());',
      'let deprecate; const $deprecate = () => (deprecate = (0, (import_depd ?? $import_depd()))("express"));',
      'f(() => (deprecate ?? $deprecate())((import_ms ?? $import_ms()).parse));',
    ),
  },
];

for (const { name, code, expected } of cases) test(name, () => assert.equal(requireLazily(code), expected));

for (const [what, code, message] of [
  ['taken apart', 'const { join } = require("node:path");', /node:path is loaded with the chunk/],
  ['exported as it is', 'exports.path = require("node:path");', /node:path is loaded with the chunk/],
  ['made a namespace under another name', 'const a = require_rolldown_runtime.__toESM(b, 1);', /a namespace object is made with the chunk/],
  ['assigned later', 'let node_os = require("node:os");\nfunction f() {\n  node_os = 1;\n}', /node_os is changed, or declared once more/],
  [
    'hidden by a parameter',
    'const node_os = require("node:os");\nconst f = (node_os) => node_os;',
    /node_os is changed, or declared once more/,
  ],
] as const) {
  test(`an import that is ${what} is an error`, () => assert.throws(() => requireLazily(code), message));
}

test('what it makes runs, and requires nothing before its first use', () => {
  const asked: string[] = [];
  const module = { exports: {} as { join?: (...parts: string[]) => string } };
  const code = lines('const node_path = require("node:path");', 'exports.join = (...parts) => node_path.posix.join(...parts);');
  const require = (id: string): unknown => {
    asked.push(id);
    return { posix: { join: (...parts: string[]) => parts.join('/') } };
  };
  // oxlint-disable-next-line typescript/no-implied-eval -- the pass makes text of a module.
  new Function('require', 'module', 'exports', requireLazily(code))(require, module, module.exports);
  assert.deepEqual(asked, []);
  assert.equal(module.exports.join?.('a', 'b'), 'a/b');
  assert.equal(module.exports.join?.('c'), 'c');
  assert.deepEqual(asked, ['node:path']);
});
