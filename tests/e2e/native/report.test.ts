/** What an executable cannot have is told when it is built: what, through which imports, and what to do. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildError, executable, packageFiles } from '../build/support.ts';
import { fulmar, writeProject } from '../cli/support.ts';

const timeout = 60_000;
const cjs = { 'package.json': '{}' };
const addon = packageFiles('fast-thing', { 'index.js': 'module.exports = require("./build/fast.node");', 'build/fast.node': 'x' });

const problems: readonly { name: string; files: Record<string, string>; args?: readonly string[]; message: RegExp }[] = [
  {
    name: "a module of Node's that the native host does not have, with the chain of imports",
    files: { ...cjs, 'main.js': 'require("./lib/store");', 'lib/store.js': 'require("node:sqlite");' },
    message:
      /^fulmar: one module cannot be bundled:\n\n {2}node:sqlite is a module of Node's that the native host does not have\.\n {4}Use a package .*\n {4}imported by lib\/store\.js\n {4}imported by main\.js\n\nWith --allow-missing/,
  },
  {
    name: 'the same of a dependency, imported without its prefix',
    files: { ...cjs, 'main.js': 'require("debugs");', ...packageFiles('debugs', { 'index.js': 'require("wasi");' }) },
    message: /wasi is a module of Node's[\s\S]*imported by node_modules\/debugs\/index\.js\n {4}imported by main\.js/,
  },
  {
    name: 'once what several files import',
    files: {
      ...cjs,
      'main.js': 'require("./a"); require("./b"); require("node:wasi");',
      'a.js': 'require("wasi");',
      'b.js': 'require("wasi");',
    },
    message:
      /one module cannot be bundled:\n\n {2}(?:node:)?wasi is [\s\S]*imported by [\w.]+js\n(?: {4}imported by main\.js\n)? {4}and by 2 more files\n\nWith/,
  },
  {
    name: 'a native addon, and that WebAssembly is no way out',
    files: { ...cjs, ...addon, 'main.js': 'require("fast-thing");' },
    message: /fast\.node is a native addon[\s\S]*in JavaScript[\s\S]*no WebAssembly[\s\S]*imported by node_modules\/fast-thing\/index\.js/,
  },
  {
    name: 'a package that is not installed',
    files: { ...cjs, 'main.js': 'require("gone");' },
    message: /gone is not installed\.\n.*npm install gone/,
  },
  {
    name: 'output that is a directory',
    files: { ...cjs, 'main.js': '', 'main/x.js': '' },
    message: /cannot write .*main: it is a directory\. Name a file in it: -o main\/app/,
  },
  { name: 'output over the entry', files: { main: '1;' }, args: ['main'], message: /it is the file to build/ },
  {
    name: 'output below a file',
    files: { ...cjs, 'main.js': '' },
    args: ['main.js', '-o', 'main.js/app'],
    message: /cannot write .*main\.js\/app: /,
  },
];

for (const { name, files, args = ['main.js'], message } of problems) {
  test(`reports ${name}`, { timeout }, async () => {
    assert.match(await buildError(files, [...args, '--native']), message);
  });
}

test('writes nothing when it fails', { timeout }, async () => {
  const folder = writeProject({ 'main.js': 'require("node:sqlite");' });
  const { code } = await fulmar(folder, ['build', 'main.js', '--native', '-o', 'out']);
  assert.equal(code, 1);
  assert.deepEqual(readdirSync(folder), ['main.js']);
});

test('notes what is loaded but cannot be used', { timeout }, async () => {
  const folder = writeProject({
    ...cjs,
    'main.js': `require('./other'); new WebAssembly.Module(new Uint8Array());`,
    'other.js': `const { Worker } = require('node:worker_threads');\nnew Worker(require('node:path').join(__dirname, 'w.js'));`,
    'w.js': '',
  });
  const { code, stderr } = await fulmar(folder, ['build', 'main.js', '--native']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /modules whose use fails on the native host: worker_threads\n/);
  assert.match(stderr, /main\.js:1: uses WebAssembly, which the native host does not have/);
  assert.match(stderr, /starts a thread or process with w\.js, which executables do not carry/);
  assert.ok(existsSync(join(folder, 'main')));
});

test('minified code is no comment, whatever is in its strings and before it', { timeout }, async () => {
  const folder = writeProject({
    ...cjs,
    'main.js': `require('./small'); require('./licensed'); require('./said');`,
    'small.js': `var a="https://origin/x",b="//";exports.c=()=>WebAssembly.instantiate(a,b);`,
    'licensed.js': `/*! licence */exports.c=a=>WebAssembly.instantiate(a);`,
    'said.js': `/* new WebAssembly.Module */ // WebAssembly.compile\n/*\n * WebAssembly.compile */\nexports.a = 1; // WebAssembly.validate`,
  });
  const { code, stderr } = await fulmar(folder, ['build', 'main.js', '--native']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /small\.js:1: uses WebAssembly/);
  assert.match(stderr, /licensed\.js:1: uses WebAssembly/);
  assert.doesNotMatch(stderr, /said\.js/);
});

test('tells where dependencies use what is absent, and folds what is optional', { timeout }, async () => {
  const folder = writeProject({
    ...cjs,
    ...packageFiles('sandbox', {
      'index.js': `// vm.createContext() is mentioned\nconst vm = require('vm');\nexports.run = () => vm.createContext({});`,
      'drivers.js': ['a', 'b', 'c', 'd', 'e'].map((name) => `try { require('driver-${name}'); } catch {}`).join('\n'),
    }),
    'main.js': `require('sandbox'); require('sandbox/drivers');`,
  });
  const { code, stderr } = await fulmar(folder, ['build', 'main.js', '--native']);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /sandbox\/index\.js:3: uses vm\.createContext or vm\.runInNewContext, which the native host does not have/);
  assert.match(stderr, /: 5 optional modules that are not there were left out, such as driver-a, driver-b, driver-c\n/);
});

test('makes each an error of the call that asks for it with --allow-missing', { timeout }, async () => {
  const files = {
    ...cjs,
    ...addon,
    'main.js': `for (const load of [() => require('node:sqlite'), () => require('fast-thing'), () => require('gone')]) for (let i = 0; i < 2; i++) {
  try { load(); console.log('loaded'); } catch (error) { console.log(error.code + ' ' + error.message.replaceAll('\\n', ' ')); }
}`,
  };
  const built = await executable.build(files, 'main.js', ['--allow-missing']);
  assert.match(built.stderr, /left out: node:sqlite is a module of Node's/);
  const { stdout } = await executable.run(built).ended;
  const lines = stdout.trim().split('\n');
  assert.match(
    lines[0] ?? '',
    /^MODULE_NOT_FOUND Cannot find module 'node:sqlite' Required by main\.js .*The native host has no such module/,
  );
  assert.match(lines[2] ?? '', /^MODULE_NOT_FOUND Cannot find module '\.\/build\/fast\.node' .*native addon/);
  assert.match(lines[4] ?? '', /^MODULE_NOT_FOUND Cannot find module 'gone' .*not installed when/);
  assert.deepEqual([lines[1], lines[5]], [lines[0], lines[4]]);
});

test('leaves out what a try or a function of a dependency may miss', { timeout }, async () => {
  const value = await executable.buildAndRun(
    {
      ...cjs,
      ...packageFiles('lazy', { 'index.js': 'exports.load = () => require("node:sqlite");' }),
      'main.js': `const codes = [];
try { require('wasi'); } catch (error) { codes.push(error.code); }
try { require('lazy').load(); } catch (error) { codes.push(error.code); }
console.log(JSON.stringify(codes));`,
    },
    'main.js',
  );
  assert.deepEqual(value, ['MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
});
