/** Which files something of ours runs in place of. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createSubstituter } from '../../src/launch/modules/substitutes.ts';
import { writeProject } from './support.ts';

const five = { require: '/own/dist/express.cjs', import: '/own/dist/express.mjs' };
const four = { require: '/own/dist/express4.cjs', import: '/own/dist/express4.mjs' };
const other = { require: '/own/dist/koa.cjs', import: '/own/dist/koa.mjs' };
const parts = { require: '/own/dist/lib-express4-parts.cjs', files: ['lib/router/index.js', 'lib/view.js'] };
const substituteOf = createSubstituter({
  parts: new Map([[four.require, parts]]),
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
  'node_modules/d/node_modules/express/package.json': '{"version":"4.0.0","main":"lib/view.js"}',
  'node_modules/c/node_modules/express/package.json': 'not json',
});

const filesOf = (owner: string): string[] =>
  parts.files.map((file) => join(folder, 'node_modules', owner, 'node_modules', 'express', file));

describe('substitutes', () => {
  const cases: [title: string, file: string, expected: unknown][] = [
    ['stand for the main module of a package', 'node_modules/express/index.js', { require: five.require, parts: [] }],
    ['go by the version beside the file', 'node_modules/a/node_modules/express/index.js', { require: four.require, parts: filesOf('a') }],
    [
      'stand for the main module that the manifest names',
      'node_modules/koa/lib/application.js',
      { require: other.require, koa: join(folder, 'node_modules/koa'), parts: [] },
    ],
    [
      'stand for modules that have a part',
      'node_modules/a/node_modules/express/lib/view.js',
      { require: parts.require, part: 'lib/view.js' },
    ],
    ['take a main module for that', 'node_modules/d/node_modules/express/lib/view.js', { require: four.require, parts: filesOf('d') }],
    ['leave modules alone that have no part', 'node_modules/a/node_modules/express/lib/utils.js', undefined],
    ['leave modules alone whose version has no parts', 'node_modules/express/lib/view.js', undefined],
    ['leave modules with a similar path alone', 'node_modules/a/node_modules/express/test/lib/view.js', undefined],
    ['leave an index that is not the main module alone', 'node_modules/koa/index.js', undefined],
    ['leave a package of the package alone', 'node_modules/express/node_modules/qs/index.js', undefined],
    ['leave versions alone that nothing stands for', 'node_modules/b/node_modules/express/index.js', undefined],
    ['leave a package with a broken manifest alone', 'node_modules/c/node_modules/express/index.js', undefined],
    ['leave packages with a similar name alone', 'node_modules/express-session/index.js', undefined],
    ["leave the application's own folders alone", 'express/index.js', undefined],
  ];
  for (const [title, file, expected] of cases) {
    it(title, () => {
      assert.deepEqual(substituteOf(join(folder, file)), expected);
      assert.deepEqual(substituteOf(join(folder, file)), expected, 'when asked again');
    });
  }
});
