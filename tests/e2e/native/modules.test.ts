/** Modules in an executable: the cases that files for Node pass too, and what only an executable does. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { moduleCases } from '../build/module-cases.ts';
import { executable, packageFiles } from '../build/support.ts';
import { addFile, fulmar, writeProject } from '../cli/support.ts';

const timeout = 60_000;
const cjs = { 'package.json': '{}' };
const print = (value: string): string => `console.log(JSON.stringify(${value}));`;

moduleCases(executable);

test('keeps strict and sloppy CommonJS modules as they are, in one bundle', { timeout }, async () => {
  const value = await executable.buildAndRun(
    {
      ...cjs,
      'main.js': `#!/usr/bin/env node\nconst strict = require('./strict');\nconst sloppy = require('./sloppy');\n${print('[strict, sloppy, this === module.exports]')}`,
      'strict.js': `// a comment\n'use strict';\nmodule.exports = [(function () { return this === undefined; })(), this === exports];\nreturn;`,
      'sloppy.js': `implicit = 5;\nmodule.exports = [implicit, (function () { return this === globalThis; })(), typeof (function () { return arguments.callee; })()];`,
    },
    'main.js',
  );
  assert.deepEqual(value, [[true, true], [5, true, 'function'], true]);
});

test('requires CommonJS and JSON beside the executable that nobody knew when it was built', { timeout }, async () => {
  const built = await executable.build(
    {
      ...cjs,
      'main.js': `const load = require('node:module').createRequire(__filename);\n${print('[load("./plugin"), load("extra"), require("./plug" + "in") === load("./plugin"), require.resolve("./plug" + "in")]')}`,
    },
    'main.js',
  );
  addFile(built.folder, 'plugin.js', `exports.settings = require('./settings.json'); exports.at = __filename;`);
  addFile(built.folder, 'settings.json', '{"n":1}');
  addFile(built.folder, 'node_modules/extra/package.json', '{"main":"lib"}');
  addFile(built.folder, 'node_modules/extra/lib.js', 'module.exports = require("node:path").basename(__dirname);');
  assert.deepEqual(await executable.runToValue(built), [
    { settings: { n: 1 }, at: join(built.folder, 'plugin.js') },
    'extra',
    true,
    join(built.folder, 'plugin.js'),
  ]);
});

test('runs by any name, through links, and knows its own place', { timeout }, async () => {
  const built = await executable.build(
    { ...cjs, 'main.js': print('[__dirname, process.argv.length, require.main.filename === process.argv[1]]'), 'a.txt': '' },
    'main.js',
  );
  assert.deepEqual(await executable.runToValue(built), [built.folder, 2, true]);
});

test('tells no lines without --sourcemap but the bundle, and nothing with --strip-debug, which is smaller', { timeout }, async () => {
  const project = writeProject({
    ...cjs,
    ...packageFiles('filler', {
      'index.js': Array.from({ length: 500 }, (_, at) => `exports.f${at} = (a, b) => [a, b, ${at}].join();`).join('\n'),
    }),
    'main.js': `require('filler');\nfunction boom() {\n  throw new Error('boom');\n}\nboom();`,
  });
  const sizes: number[] = [];
  for (const [option, pattern] of [
    ['--minify', /boom/],
    ['--sourcemap', /main\.js:3:/],
    ['--strip-debug', /boom/],
  ] as const) {
    const { code, stderr, stdout } = await fulmar(project, ['build', '--native', 'main.js', '-o', `app${option}`, option]);
    assert.equal(code, 0, stderr);
    sizes.push(Number(/([\d.]+) MB/.exec(stdout)?.[1]));
    const ended = await executable.run({ file: join(project, `app${option}`), folder: project, cache: '', stderr: '' }).ended;
    assert.equal(ended.code, 1);
    assert.match(ended.stderr, pattern);
  }
  assert.ok((sizes[2] ?? 0) <= (sizes[0] ?? 0), sizes.join());
});
