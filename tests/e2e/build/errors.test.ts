/** What cannot be built is told when it is built: what, through which imports, and what to do. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fulmar, writeProject } from '../cli/support.ts';
import { buildError, file, packageFiles } from './support.ts';

const timeout = 60_000;
const app = { 'package.json': '{"type":"module"}', 'main.js': '' };

const cases: readonly { name: string; files: Record<string, string>; args: readonly string[]; message: RegExp; exitCode?: number }[] = [
  { name: 'no file', files: {}, args: [], message: /^fulmar: no file was named, and none was found: .*fulmar build <file>/, exitCode: 2 },
  { name: 'a file that is not there', files: app, args: ['mian.js'], message: /^fulmar: cannot find mian\.js\. Did you mean main\.js\?/ },
  {
    name: 'an option that it does not have',
    files: app,
    args: ['main.js', '--nativ'],
    message: /^fulmar: unknown option --nativ\. Did you mean --native\?/,
    exitCode: 2,
  },
  {
    name: 'a mistyped option',
    files: app,
    args: ['main.js', '--minfy'],
    message: /unknown option --minfy\. Did you mean --minify\?/,
    exitCode: 2,
  },
  { name: 'an option without its value', files: app, args: ['main.js', '-o'], message: /^fulmar: -o needs a file/, exitCode: 2 },
  { name: 'two files', files: app, args: ['main.js', 'b.js'], message: /takes one file, got main\.js and b\.js/, exitCode: 2 },
  {
    name: 'an include that is not there',
    files: app,
    args: ['main.js', '--include', 'views'],
    message: /--include views: there is no such/,
  },
  {
    name: 'an include of another folder',
    files: app,
    args: ['main.js', '--include', '/etc/hostname'],
    message: /outside of the application's folder/,
  },
  { name: 'a require that is not there', files: app, args: ['main.js', '--require', 'pugg'], message: /--require pugg: there is no such/ },
  { name: 'output that is no module', files: app, args: ['main.js', '-o', 'out.js'], message: /cannot write .*out\.js: .*\.mjs/ },
  { name: 'output over the entry', files: { ...app, 'a.mjs': '' }, args: ['a.mjs', '-o', 'a.mjs'], message: /it is the file to build/ },
  {
    name: 'output below a file',
    files: app,
    args: ['main.js', '-o', 'main.js/out.mjs'],
    message: /cannot write .*main\.js\/out\.mjs: ENOTDIR|EEXIST/,
  },
  { name: 'output that is a directory', files: { ...app, 'd.mjs/x': '' }, args: ['main.js', '-o', 'd.mjs'], message: /it is a directory/ },
  {
    name: 'JavaScript that does not parse, with a frame',
    files: { ...app, 'main.js': 'import "./bad.js";', 'bad.js': 'const a = ;\n' },
    args: ['main.js'],
    message: /bad\.js[\s\S]*const a = ;/,
  },
  {
    name: 'TypeScript that does not parse, with a frame',
    files: { ...app, 'main.ts': 'const a: = 1;\n' },
    args: ['main.ts'],
    message: /cannot compile .*main\.ts[\s\S]*const a: = 1;/,
  },
  {
    name: 'a package that is not installed, with the chain of imports',
    files: { ...app, 'main.js': 'import "./a/b.js";', 'a/b.js': 'import "@scope/gone/deep";' },
    args: ['main.js'],
    message:
      /one module cannot be bundled:\n\n {2}@scope\/gone\/deep is not installed\.\n.*npm install @scope\/gone`.*\n {4}imported by a\/b\.js\n {4}imported by main\.js\n/,
  },
  {
    name: 'a path that does not exist',
    files: { ...app, 'main.js': 'import "./gone.js";' },
    args: ['main.js'],
    message: /\.\/gone\.js does not exist\.\n/,
  },
  {
    name: 'a native addon, also one that its package looks for in a try',
    files: {
      ...app,
      ...packageFiles('fast-thing', {
        'index.js': 'try { module.exports = require("./build/fast.node"); } catch { throw 1; }',
        'build/fast.node': 'x',
      }),
      'main.js': 'import "fast-thing";',
    },
    args: ['main.js'],
    message: /fast\.node is a native addon[\s\S]*imported by node_modules\/fast-thing\/index\.js\n {4}imported by main\.js/,
  },
];

for (const { name, files, args, message, exitCode } of cases) {
  test(`reports ${name}`, { timeout }, async () => {
    assert.match(await buildError(files, args, exitCode), message);
  });
}

test('writes nothing when it fails', { timeout }, async () => {
  const folder = writeProject({ ...app, 'main.js': 'import "gone";' });
  await fulmar(folder, ['build', 'main.js', '-o', 'out.mjs']);
  assert.equal(existsSync(join(folder, 'out.mjs')), false);
});

test('makes a missing module an error of its import with --allow-missing', { timeout }, async () => {
  const files = {
    'package.json': '{}',
    ...packageFiles('addon', { 'index.js': 'module.exports = require("bindings")("addon");' }),
    ...packageFiles('bindings', { 'index.js': '' }),
    'main.js': `for (const load of [() => require('gone'), () => require('addon')]) for (let i = 0; i < 2; i++) try { load(); console.log('loaded'); } catch (error) { console.log(error.code + ' ' + error.message.replaceAll('\\n', ' ')); }`,
  };
  const built = await file.build(files, 'main.js', ['--allow-missing']);
  assert.match(built.stderr, /left out: gone is not installed/);
  const { stdout } = await file.run(built).ended;
  const lines = stdout.trim().split('\n');
  assert.match(lines[0] ?? '', /^MODULE_NOT_FOUND Cannot find module 'gone' Required by main\.js .*not installed when the file was built/);
  assert.equal(lines[1], lines[0]);
  assert.match(lines[2] ?? '', /^MODULE_NOT_FOUND Cannot find module 'bindings' .*native addon/);
});

test('shows its help', { timeout }, async () => {
  const folder = writeProject({});
  const [one, other] = await Promise.all([fulmar(folder, ['help', 'build']), fulmar(folder, ['build', '--help'])]);
  assert.match(one.stdout, /^Usage: fulmar build \[options\] \[file\|folder\]\n/);
  assert.equal(other.stdout, one.stdout);
  assert.equal(one.code, 0);
});
