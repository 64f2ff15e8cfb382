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
];

for (const { name, code, expected } of cases) test(name, () => assert.equal(requireLazily(code), expected));

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
