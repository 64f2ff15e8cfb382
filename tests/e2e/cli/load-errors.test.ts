/**
 * An application that cannot be loaded: what people read is what `node <file>` shows, with nothing of ours,
 * and once.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dist, fulmar, type Ended, writeProject } from './support.ts';

/** Time enough for a primary to stop a worker that is about to show its error. */
const SLOW_MS = 500;

const folder = writeProject({
  'package.json': '{}',
  'missing.cjs': `const path = require('path');\nrequire('no-such-package');`,
  'missing-file.cjs': `require('./no-such-file');`,
  'below.cjs': `function load() {\n  require('./missing-file.cjs');\n}\nload();`,
  'missing.mjs': `import path from 'node:path';\nimport 'no-such-package';`,
  'missing-file.mjs': `import './no-such-file.js';`,
  'imports.cjs': `import('no-such-package');`,
  'throws.cjs': `function start() {\n  throw new TypeError('at load');\n}\nstart();`,
  'throws.mjs': `function start() {\n  throw new TypeError('at load');\n}\nstart();`,
  'rejects.cjs': `Promise.reject(new Error('rejected at load'));`,
  'throws-text.cjs': `throw 'a text';`,
  'syntax.cjs': `const a = 1;\nconst b = = 2;`,
  'syntax.mjs': `const a = 1;\nconst b = = 2;`,
  'missing.ts': `import path from 'node:path';\nimport no from 'no-such-package';\nconsole.log(no, path as unknown);`,
  'throws.ts': `interface Nothing {\n  a: 1;\n}\nfunction start(): Nothing {\n  throw new TypeError('at load');\n}\nstart();`,
  'syntax.ts': `const a: number = 1;\nconst b = = 2;`,
  // Node prints an error when all who watch have been called.
  'slow-to-tell.cjs': `
process.on('uncaughtExceptionMonitor', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${SLOW_MS}));
require('no-such-package');`,
  'catches.cjs': `
const before = Error.stackTraceLimit;
function load() {
  try { require('no-such-package'); } catch (error) { return error; }
}
console.log(JSON.stringify({ stack: load().stack, before, after: Error.stackTraceLimit }));`,
  'later.cjs': `
require('http').createServer((req, res) => res.end()).listen(0, '127.0.0.1', () => setTimeout(() => { throw new Error('after it listened'); }, 300));`,
});

/** What does not depend on where Node's own frames lie. */
const withoutNode = (stderr: string): string[] =>
  stderr
    .split('\n')
    .filter((line) => line !== '' && !/^ {4}at .*node:internal|^node:internal|^ *(?:throw (?:err|new ERR)|triggerUncaught|\^)/.test(line));

function assertNothingOfOurs({ stderr }: Ended): void {
  assert.ok(!stderr.includes(dist) && !stderr.includes('fulmar.cjs'), stderr);
}

describe('an application that cannot be loaded', () => {
  for (const file of [
    'missing.cjs',
    'missing-file.cjs',
    'below.cjs',
    'missing.mjs',
    'missing-file.mjs',
    'imports.cjs',
    'throws.cjs',
    'throws.mjs',
    'rejects.cjs',
    'throws-text.cjs',
    'syntax.cjs',
    'syntax.mjs',
  ]) {
    it(`shows what node shows: ${file}`, async () => {
      const [stock, ours] = await Promise.all([fulmar(folder, [file], { plain: true }), fulmar(folder, ['run', file])]);
      assertNothingOfOurs(ours);
      // A trace ends with braces when the error has more properties, wherever its last frame is.
      const told = ({ stderr }: Ended): string[] => withoutNode(stderr.replaceAll(/ \{$/gm, ''));
      assert.deepEqual(told(ours), told(stock));
      assert.equal(ours.code, stock.code);
    });
  }

  for (const [file, pattern] of [
    [
      'missing.ts',
      /^Error: Cannot find module 'no-such-package'\nRequire stack:\n- .*missing\.ts\n(?: {4}at .*\n)* {4}at .*missing\.ts:2:1\)/m,
    ],
    ['throws.ts', /throws\.ts:5\n {2}throw new TypeError\('at load'\);\n[^]*TypeError: at load\n {4}at start \(.*throws\.ts:5:9\)\n/],
    ['syntax.ts', /^fulmar: cannot compile .*syntax\.ts: Unexpected token\n/],
  ] as const) {
    it(`shows the place in the source: ${file}`, async () => {
      const ended = await fulmar(folder, ['run', file]);
      assertNothingOfOurs(ended);
      assert.match(ended.stderr, pattern);
      assert.equal(ended.code, 1);
    });
  }

  it('catches an error without frames of ours, and finds the limit of stacks as it was', async () => {
    const [stock, ours] = await Promise.all([fulmar(folder, ['catches.cjs'], { plain: true }), fulmar(folder, ['run', 'catches.cjs'])]);
    const [expected, found] = [stock, ours].map(({ stdout }) => JSON.parse(stdout) as { stack: string; before: number; after: number });
    assert.ok(expected !== undefined && found !== undefined);
    assert.ok(!found.stack.includes(dist), found.stack);
    assert.match(found.stack, /at load \(.*catches\.cjs:4:9\)/);
    assert.equal(found.stack.split('\n').length, expected.stack.split('\n').length);
    assert.deepEqual([found.before, found.after], [expected.before, expected.after]);
  });
});

describe('workers that cannot be loaded', () => {
  for (const [file, message] of [
    ['missing.cjs', "Error: Cannot find module 'no-such-package'"],
    ['missing.mjs', "Cannot find package 'no-such-package' imported from"],
    ['slow-to-tell.cjs', "Error: Cannot find module 'no-such-package'"],
    ['throws.cjs', 'TypeError: at load'],
    ['throws.mjs', 'TypeError: at load'],
    ['rejects.cjs', 'Error: rejected at load'],
    ['syntax.cjs', 'SyntaxError: '],
    ['missing.ts', "Error: Cannot find module 'no-such-package'"],
    ['throws.ts', 'TypeError: at load'],
    ['syntax.ts', 'fulmar: cannot compile'],
  ] as const) {
    it(`end the run with the error shown once: ${file}`, async () => {
      const [one, three] = await Promise.all([fulmar(folder, ['run', file]), fulmar(folder, ['run', '-w', '3', file])]);
      assert.equal(three.stderr.split(message).length - 1, 1, three.stderr);
      assert.deepEqual(withoutNode(three.stderr), withoutNode(one.stderr));
      assert.equal(three.code, 1);
    });
  }

  it('tell of themselves each once they have served', async () => {
    const { code, stderr } = await fulmar(folder, ['run', '-w', '2', 'later.cjs']);
    assert.equal(code, 1);
    assert.ok(stderr.split('Error: after it listened').length - 1 >= 5, stderr);
    assert.match(stderr, /ended 5 times in a row, last with exit code 1\. Giving up/);
  });
});
