/**
 * An installation without the addon for its platform, or a Node that loads none: the application must not
 * look as if it ran.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeBinary, writeProject } from './support.ts';

const packageFolder = fileURLToPath(new URL('../../../packages/fulmar', import.meta.url));

it('ends with one line and code 1 where Express would pass the error to the callback of listen()', () => {
  const folder = writeProject({ 'app.cjs': 'require("express")().listen(0, () => console.log("running"));' });
  const copy = join(folder, 'fulmar');
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(packageFolder, name), join(copy, name), { recursive: true, filter: (path) => !/\.(?:node|map)$/.test(path) });
  }
  const ended = spawnSync(nodeBinary, [join(copy, 'bin', 'fulmar.cjs'), 'run', 'app.cjs'], { cwd: folder, encoding: 'utf8' });
  assert.equal(ended.status, 1);
  assert.equal(ended.stdout, '');
  assert.match(ended.stderr, /^fulmar: Fulmar's engine could not be loaded: this installation holds no fulmar\.\S+\.node, .*\n$/);
});

const has = spawnSync(nodeBinary, ['-p', 'process.allowedNodeEnvironmentFlags.has("--permission")'], { encoding: 'utf8' }).stdout;
const permission = has === 'true\n' ? '--permission' : '--experimental-permission';

for (const [title, options, said] of [
  ['--no-addons', ['--no-addons'], 'Node loads no addon with --no-addons. Leave that option out.'],
  [
    'the permission model',
    [permission, '--allow-fs-read=*'],
    'Node loads no addon under its permission model. Add --allow-addons to its options.',
  ],
] as const) {
  it(`says which option of Node is in the way: ${title}`, () => {
    const folder = writeProject({ 'app.cjs': 'require("http").createServer().listen(0, () => console.log("running"));' });
    const command = [...options, '--require', join(packageFolder, 'bin', 'register.cjs'), 'app.cjs'];
    const { status, stdout, stderr } = spawnSync(nodeBinary, command, { cwd: folder, encoding: 'utf8' });
    assert.deepEqual([status, stdout], [1, '']);
    const line = stderr.split('\n').find((text) => text.startsWith('fulmar: '));
    assert.ok(line?.startsWith(`fulmar: Fulmar's engine could not be loaded: ${said} (`), stderr);
  });
}
