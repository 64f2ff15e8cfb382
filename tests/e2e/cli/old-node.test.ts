/** An older Node than is supported: one sentence, no stack. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { file } from '../build/support.ts';
import { fulmarBin, start, writeProject } from './support.ts';

/** What the version check asks, and what a Node of that version does not have. */
const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } });
process.getBuiltinModule = undefined;`;
const folder = writeProject({ 'pretend.cjs': pretend });
const old = (args: readonly string[]): ReturnType<typeof start> =>
  start(folder, ['--require', './pretend.cjs', ...args], { plain: true, env: { FULMAR_BUILD_CACHE: folder } });

test('tells in a sentence that Node is too old', async () => {
  const text = readFileSync(fulmarBin, 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  assert.doesNotMatch(text, /\?\.|\?\?|['"]node:/, 'a Node that is told could not read it');
  const { code, stdout, stderr } = await old([fulmarBin, 'run', 'app.js']).ended;
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.equal(stderr, 'fulmar: needs Node 20.19 or later, and this is Node 18.20.8. Install a newer one.\n');
});

test('a built file does so too', { timeout: 60_000 }, async () => {
  const built = await file.build({ 'main.js': 'console.log("ran");' }, 'main.js');
  const { code, stdout, stderr } = await old([built.file]).ended;
  assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
  assert.equal(stderr, 'fulmar: this file needs Node 20.19 or later, and this is Node 18.20.8. Install a newer one.\n');
});
