/** tsconfig.json as people write it. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseJsonc } from '../../src/launch/compile/jsonc.ts';
import { tsconfigOf } from '../../src/launch/compile/tsconfig.ts';
import { writeProject } from './support.ts';

describe('JSON with comments', () => {
  const cases: [text: string, value: unknown][] = [
    ['{}', {}],
    ['\uFEFF{"a":1}', { a: 1 }],
    ['{"a":1,}', { a: 1 }],
    ['[1,2, /* x */ ]', [1, 2]],
    ['{"a": /* , } */ 1, // end }\n "b": [1,\n],\n}', { a: 1, b: [1] }],
    ['{"url":"http://x/*y*/,]","b":"\\",}"}', { url: 'http://x/*y*/,]', b: '",}' }],
  ];
  for (const [text, value] of cases) it(`reads ${JSON.stringify(text)}`, () => assert.deepEqual(parseJsonc(text), value));
  it('refuses what is not JSON otherwise', () => assert.throws(() => parseJsonc('{a:1}'), SyntaxError));
});

describe('tsconfig.json', () => {
  const folder = writeProject({
    'tsconfig.json': '{ "extends": ["@org/config/base", "./other.json"], "compilerOptions": { "jsx": "react" } }',
    'other.json': '{ "compilerOptions": { "target": "es2021", "strict": false } }',
    'node_modules/@org/config/base.json': '{ "compilerOptions": { "strict": true, "experimentalDecorators": true } }',
    'node_modules/@org/config/package.json': '{}',
    'src/deep/x.ts': '',
    'circle/tsconfig.json': '{ "extends": "./tsconfig.json" }',
    'broken/tsconfig.json': '{ "compilerOptions": ',
    'absent/tsconfig.json': '{ "extends": "@org/none" }',
  });
  it('is found above the source and merged with what it extends, the last winning', () => {
    const { options, file } = tsconfigOf(join(folder, 'src/deep'));
    assert.equal(file, join(folder, 'tsconfig.json'));
    assert.deepEqual(options, { strict: false, experimentalDecorators: true, target: 'es2021', jsx: 'react' });
  });
  for (const [name, message] of [
    ['circle', /extends itself/],
    ['broken', /cannot read .*broken.tsconfig.json/],
    ['absent', /extends "@org\/none", which is not installed/],
  ] as const) {
    it(`says what is wrong with a ${name} one`, () =>
      assert.throws(() => tsconfigOf(join(folder, name)), { code: 'FULMAR_CLI_TSCONFIG', message }));
  }
});
