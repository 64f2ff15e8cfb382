/** What built applications say at a terminal, and that they say it nowhere else. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { skip, startAtTerminal } from '../cli/at-terminal.ts';
import { nodeBinary, type Running, writeProject } from '../cli/support.ts';
import { type Built, executable, file, type Kind } from './support.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const project = writeProject({
  'package.json': '{}',
  'main.cjs': `const app = require('express')();
    const serve = (done) => require('http').createServer(app).listen(0, '127.0.0.1', done);
    serve(function () { console.log('PORT ' + this.address().port); serve(() => process.exit(0)); });`,
  'many.cjs': `const cluster = require('cluster');
    if (cluster.isPrimary) cluster.fork();
    else require('http').createServer().listen(0, '127.0.0.1', () => { console.log('CHILD'); process.exit(0); });`,
});
symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'), 'dir');

function atTerminal(kind: Kind, { file: made, cache }: Built): Running {
  const command = kind === executable ? [made] : [nodeBinary, made];
  return startAtTerminal('/', command, { env: { FULMAR_BUILD_CACHE: cache } });
}

for (const kind of [file, executable]) {
  describe(`${kind.name} of an application`, () => {
    test('tells once where the first server listens and what stands for which package', { skip }, async () => {
      const app = atTerminal(kind, await kind.build(project, 'main.cjs', ['--minify']));
      const port = await app.port();
      const { code, stdout, stderr } = await app.ended;
      assert.match(
        stderr,
        new RegExp(`^fulmar \\d+\\.\\d+\\.\\d+ · http on 127\\.0\\.0\\.1:${port} · express 5\\.\\d+\\.\\d+ → fulmar/express\\n$`),
      );
      assert.deepEqual([code, stdout], [0, `PORT ${port}\n`]);
    });

    test('says nothing without a terminal', async () => {
      const { code, stdout, stderr } = await kind.run(await kind.build(project, 'main.cjs')).ended;
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /^PORT \d+\n$/);
    });
  });
}

test('processes that a built file starts say nothing at a terminal', { skip }, async () => {
  const { code, stdout, stderr } = await atTerminal(file, await file.build(project, 'many.cjs')).ended;
  assert.deepEqual([code, stdout, stderr], [0, 'CHILD\n', '']);
});
