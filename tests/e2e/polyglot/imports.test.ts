/**
 * Files of Python as modules of an application: `fulmar run` and `fulmar/register`, `import` and `require`, JavaScript and
 * TypeScript; and the global `Polyglot`.
 */
import assert from 'node:assert/strict';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { dist, fulmar, fulmarBin, hasSyncHooks, start, writeProject } from '../cli/support.ts';

const register = resolve(fulmarBin, '../register.cjs');
const folder = writeProject({
  'package.json': '{}',
  'model.py': 'import helper\n\ndef double(x):\n    return helper.times(x, 2)\n',
  'helper.py': 'def times(x, y):\n    return x * y\n',
  'broken.py': 'def double(x:\n',
  'esm.mjs': `import model from './model.py'; import { createRequire } from 'node:module';
    const again = await import('./model.py'); const required = createRequire(import.meta.url)('./model.py');
    console.log(await model.double(21), again.default === model, await required.double(4));`,
  'cjs.cjs': `require('./model.py').double(21).then(async (value) => console.log(value, (await import('./model.py')).default !== undefined, await require('./model.py').double(4)));`,
  'typed.ts': `import model from './model.py'; const main = async (): Promise<void> => console.log(await model.double(21) as number, true, 8); void main();`,
  'later.ts': `void import('./model.py').then(async (found) => console.log(await found.default.double(21) as number, true, 8));`,
  'service/package.json': '{}',
  'service/main.mjs': `import model from '../model.py'; console.log(await model.double(21), true, 8);`,
  'typed.mts': `import model from './model.py'; console.log(await model.double(21) as number, true, 8);`,
  'fails.mjs': `import model from './broken.py'; try { await model.double(1); } catch (error) { console.log(error.class, error.frames[0].line, error.frames[0].file.endsWith('broken.py')); }`,
  'missing.mjs': `import model from './nowhere.py'; console.log(model);`,
  'global.cjs': `(async () => { console.log(await Polyglot.import('./model.py').double(21), Polyglot.import('./model.py', { sync: true }).double(4), Object.keys(globalThis).includes('Polyglot')); })();`,
  'loaded.mjs': `import { ok } from './plain.cjs'; process.on('exit', () => console.log(ok, process.getBuiltinModule('module')._cache[${JSON.stringify(join(dist, 'polyglot.cjs'))}] === undefined, typeof Polyglot));`,
  'plain.cjs': `exports.ok = true;`,
});

const runs = async (args: readonly string[], plain = false): Promise<string> => {
  const { code, stdout, stderr } = await start(folder, args, { plain }).ended;
  assert.equal(code, 0, stderr);
  return stdout.trim();
};

describe('a file of Python is a module', () => {
  for (const file of ['esm.mjs', 'cjs.cjs', 'typed.ts', 'later.ts', 'typed.mts', 'service/main.mjs'])
    it(`for ${file} under fulmar run`, async () => assert.equal(await runs(['run', file]), '42 true 8'));

  it('under fulmar/register', async () => {
    assert.equal(await runs(['--require', register, 'cjs.cjs'], true), '42 true 8');
    assert.equal(await runs(['--import', register, 'esm.mjs'], true), '42 true 8');
  });

  it('whose error is thrown by calls on it', async () => assert.equal(await runs(['run', 'fails.mjs']), 'SyntaxError 1 true'));

  it('that is missing as any other is', async () => {
    const { code, stderr } = await fulmar(folder, ['run', 'missing.mjs']);
    assert.equal(code, 1);
    assert.match(stderr, /ERR_MODULE_NOT_FOUND/);
  });

  it('and nothing is loaded for those who have none', async () => assert.equal(await runs(['run', 'loaded.mjs']), 'true true undefined'));
});

describe('the loader thread of Nodes without synchronous hooks', { skip: hasSyncHooks && 'this Node needs none' }, () => {
  const threads = `console.log(require('node:fs').readdirSync('/proc/self/task').length);`;
  const count = async (files: Record<string, string>): Promise<number> => {
    const place = writeProject({
      'package.json': '{}',
      'node_modules/express/package.json': '{"main":"i.js"}',
      'node_modules/express/i.js': '',
      'node_modules/koa/package.json': '{"main":"i.js"}',
      'node_modules/koa/i.js': '',
      ...files,
    });
    const { stdout, stderr } = await fulmar(place, ['run', 'app.cjs']);
    assert.match(stdout, /^\d+\n$/, stderr);
    return Number(stdout);
  };

  it('is not started for a file that nobody imports', async () => {
    const plain = await count({ 'app.cjs': `import('node:fs').then(() => { ${threads} });` });
    const beside = await count({
      'app.cjs': `import('node:fs').then(() => { ${threads} });`,
      'tool.py': '',
      'other.js': "python.import('./tool.py')",
    });
    const imported = await count({
      'app.cjs': `import('node:fs').then(() => { ${threads} });`,
      'tool.py': '',
      'other.mjs': "import tool from './tool.py'",
    });
    assert.equal(beside, plain);
    assert.ok(imported > plain, `${imported} threads, and ${plain} without`);
  });
});

describe('--polyglot', () => {
  it('gives the application the global', async () => {
    assert.equal(await runs(['run', '--polyglot', 'global.cjs']), '42 8 false');
    assert.equal(await runs(['run', '--polyglot', '--no-warnings', 'global.cjs']), '42 8 false');
  });

  it('is refused where it would do nothing', async () => {
    const { code, stderr } = await fulmar(folder, ['run', '--native', '--polyglot', 'global.cjs']);
    assert.equal(code, 2);
    assert.match(stderr, /import 'fulmar\/polyglot\/global'/);
  });
});
