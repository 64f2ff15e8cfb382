/**
 * Modules in a built file: the cases of both kinds, then threads and processes, which start with the file
 * itself.
 */
import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeProject } from '../cli/support.ts';
import { moduleCases } from './module-cases.ts';
import { file, packageFiles } from './support.ts';

const timeout = 60_000;
const esm = { 'package.json': '{"type":"module"}' };
const cjs = { 'package.json': '{}' };
const print = (value: string): string => `console.log(JSON.stringify(${value}));`;

moduleCases(file);

test('starts threads and forked processes with modules of the built file', { timeout }, async () => {
  const value = await file.buildAndRun(
    {
      ...esm,
      'main.js': `import { Worker } from 'node:worker_threads';\nimport { fork } from 'node:child_process';\nimport { once } from 'node:events';\nimport { join } from 'node:path';
const worker = new Worker(new URL('./jobs/worker.js', import.meta.url), { workerData: 4 });
const [fromWorker] = await once(worker, 'message');
const child = fork(join(import.meta.dirname, 'jobs/child.js'), ['word']);
const [fromChild] = await once(child, 'message');
${print('[fromWorker, fromChild]')}`,
      'jobs/worker.js': `import { parentPort, workerData } from 'node:worker_threads';\nimport { twice } from '../lib.js';\nparentPort.postMessage([twice(workerData), import.meta.filename.endsWith('jobs/worker.js')]);`,
      'jobs/child.js': `import { twice } from '../lib.js';\nprocess.send([twice(21), process.argv[2]]);\nprocess.disconnect();`,
      'lib.js': 'export const twice = (n) => n * 2;',
    },
    'main.js',
  );
  assert.deepEqual(value, [
    [8, true],
    [42, 'word'],
  ]);
});

for (const [options, expected] of [
  [`{ target: 'my-transport', options: { mark: 'one' } }`, ['one:hello']],
  [`{ targets: [{ target: 'pino/file' }, { target: 'my-transport', options: { mark: 'two' } }] }`, ['"msg":"hello"', 'two:hello']],
] as const) {
  test(`runs pino's transports that are named: ${options}`, { timeout }, async () => {
    const project = writeProject({
      ...cjs,
      ...packageFiles('my-transport', {
        'index.js': `const { Writable } = require('node:stream'), { writeSync } = require('node:fs');
module.exports = ({ mark }) => new Writable({ write(line, _, done) { writeSync(1, mark + ':' + JSON.parse(line).msg + '\\n'); done(); } });`,
      }),
      'main.js': `const log = require('pino')({ transport: ${options} });\nlog.info('hello');`,
    });
    const pino = fileURLToPath(new URL('../../../node_modules/pino', import.meta.url));
    symlinkSync(pino, join(project, 'node_modules/pino'));
    const built = await file.build(project, 'main.js');
    rmSync(project, { recursive: true });
    const { code, stdout, stderr } = await file.run(built).ended;
    assert.equal(code, 0, stderr);
    for (const text of expected) assert.ok(stdout.includes(text), stdout);
  });
}

test('runs the built file again for the workers of a cluster', { timeout }, async () => {
  const value = await file.buildAndRun(
    {
      ...cjs,
      'main.js': `const cluster = require('node:cluster');
if (cluster.isPrimary) {
  cluster.fork().on('message', (message) => { ${print('message')} cluster.disconnect(); });
} else process.send([typeof require('express'), require.main === module]);`,
    },
    'main.js',
  );
  assert.deepEqual(value, ['function', true]);
});
