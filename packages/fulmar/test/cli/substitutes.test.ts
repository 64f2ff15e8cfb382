// Which files something of ours runs in place of.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createSubstituter } from '../../src/cli/substitutes.ts';
import { writeProject } from './support.ts';

const five = { require: '/own/dist/express.cjs', import: '/own/dist/express.mjs' };
const four = { require: '/own/dist/express4.cjs', import: '/own/dist/express4.mjs' };
const other = { require: '/own/dist/koa.cjs', import: '/own/dist/koa.mjs' };
const substituteOf = createSubstituter({
  packages: new Map([
    [
      'express',
      new Map([
        [5, five],
        [4, four],
      ]),
    ],
    ['koa', new Map([[3, other]])],
  ]),
});

const folder = writeProject({
  'express/package.json': '{"name":"express","version":"5.0.0"}',
  'node_modules/express/package.json': '{"version":"5.3.0"}',
  'node_modules/express-session/package.json': '{"version":"5.0.0"}',
  'node_modules/koa/package.json': '{"version":"3.0.1","main":"lib/application.js"}',
  'node_modules/a/node_modules/express/package.json': '{"version":"4.22.3","main":"./index.js"}',
  'node_modules/b/node_modules/express/package.json': '{"version":"6.0.0"}',
  'node_modules/c/node_modules/express/package.json': 'not json',
});

describe('substitutes', () => {
  const cases: [title: string, file: string, expected: unknown][] = [
    ['stand for the main module of a package', 'node_modules/express/index.js', five],
    ['go by the version beside the file', 'node_modules/a/node_modules/express/index.js', four],
    ['stand for the main module that the manifest names', 'node_modules/koa/lib/application.js', other],
    ['leave other modules of the package alone', 'node_modules/express/lib/express.js', undefined],
    ['leave an index that is not the main module alone', 'node_modules/koa/index.js', undefined],
    ['leave a package of the package alone', 'node_modules/express/node_modules/qs/index.js', undefined],
    ['leave versions alone that nothing stands for', 'node_modules/b/node_modules/express/index.js', undefined],
    ['leave a package with a broken manifest alone', 'node_modules/c/node_modules/express/index.js', undefined],
    ['leave packages with a similar name alone', 'node_modules/express-session/index.js', undefined],
    ["leave the application's own folders alone", 'express/index.js', undefined],
  ];
  for (const [title, file, expected] of cases) {
    it(title, () => {
      assert.equal(substituteOf(join(folder, file)), expected);
      assert.equal(substituteOf(join(folder, file)), expected, 'when asked again');
    });
  }
});
