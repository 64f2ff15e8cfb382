/**
 * A command line that is not understood ends with 2, every other failure with 1, for each command; so scripts
 * can tell them apart.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fulmar, writeProject } from './support.ts';

const folder = writeProject({ 'app.cjs': '', 'throws.cjs': 'throw new Error("own")', 'bad.ts': 'const a = ;' });

const usage: string[][] = [
  ['rnu'],
  ['--halp'],
  ['help', 'nothing'],
  ['run', '--nothing', 'app.cjs'],
  ['run', '--workers', 'many', 'app.cjs'],
  ['run', '--workers'],
  ['run', '--port', '1', 'app.cjs'],
  ['run', ''],
  ['run', '--native', '--workers', '2', 'app.cjs'],
  ['build', '--nothing', 'app.cjs'],
  ['build', 'app.cjs', 'app.cjs'],
  ['build', 'app.cjs', '-o'],
  ['bench', '--nothing', 'app.cjs'],
  ['bench', 'app.cjs', '--rounds', '0'],
  ['bench', 'app.cjs', '--path'],
  ['doctor', '--nothing', 'app.cjs'],
  ['doctor', 'app.cjs', '--routes', 'x'],
  ['doctor', 'http://127.0.0.1/'],
  ['routes', '--nothing', 'app.cjs'],
  ['routes', 'app.cjs', 'app.cjs'],
  ['routes', 'app.cjs', '--openapi', '--path', '/x'],
  ['routes', 'app.cjs', '--path', 'x'],
  ['routes', 'http://127.0.0.1/'],
  ['info', '--nothing'],
  ['info', 'app.cjs'],
];
const failures: string[][] = [
  ['run', 'gone.cjs'],
  ['run', 'throws.cjs'],
  ['run', 'bad.ts'],
  ['build', 'gone.cjs'],
  ['build', 'bad.ts'],
  ['build', 'app.cjs', '-o', 'out.js'],
  ['bench', 'gone.cjs'],
  ['doctor', 'gone.cjs'],
  ['doctor', 'throws.cjs'],
  ['routes', 'gone.cjs'],
  ['routes', 'throws.cjs'],
  ['routes', 'app.cjs', '--openapi'],
];

for (const [title, code, cases] of [
  ['a command line that is not understood', 2, usage],
  ['another failure', 1, failures],
] as const) {
  describe(title, () => {
    for (const args of cases) {
      it(`ends \`fulmar ${args.join(' ')}\` with ${code}`, async () => {
        const ended = await fulmar(folder, args);
        assert.equal(ended.code, code, ended.stderr);
        assert.equal(ended.stdout, '');
        assert.notEqual(ended.stderr, '');
      });
    }
  });
}

it('an application keeps its own exit code', async () => {
  const project = writeProject({ 'app.cjs': 'process.exitCode = 2;' });
  assert.deepEqual(await fulmar(project, ['run', 'app.cjs']), { code: 2, signal: null, stdout: '', stderr: '' });
});
