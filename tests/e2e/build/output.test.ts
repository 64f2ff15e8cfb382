/**
 * What lies where a built file is put or unpacks itself: symbolic links are not followed, and nothing but a
 * file is replaced.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addFile, fulmar, writeProject } from '../cli/support.ts';
import { file } from './support.ts';

const timeout = 60_000;
const PERMISSIONS = 0o777;
const modeOf = (path: string): number => statSync(path).mode & PERMISSIONS;
const app = { 'package.json': '{"type":"module"}', 'main.js': 'console.log(1);' };

for (const { kind, args, out } of [
  { kind: 'file', args: [], out: 'app.mjs' },
  { kind: 'executable', args: ['--native'], out: 'app' },
]) {
  test(`${kind}: takes the place of a symbolic link, and leaves what that leads to`, { timeout }, async () => {
    const folder = writeProject({ ...app, 'theirs.txt': 'theirs' });
    chmodSync(join(folder, 'theirs.txt'), 0o640);
    symlinkSync('theirs.txt', join(folder, out));
    const { code, stderr } = await fulmar(folder, ['build', ...args, 'main.js', '-o', out]);
    assert.equal(code, 0, stderr);
    assert.deepEqual([readFileSync(join(folder, 'theirs.txt'), 'utf8'), modeOf(join(folder, 'theirs.txt'))], ['theirs', 0o640]);
    assert.equal(lstatSync(join(folder, out)).isFile(), true);
    assert.notEqual(modeOf(join(folder, out)) & 0o100, 0);
    assert.deepEqual(readdirSync(folder).toSorted(), [out, 'main.js', 'package.json', 'theirs.txt'].toSorted());
  });

  test(`${kind}: does not take the place of what is no file`, { timeout }, async () => {
    const folder = writeProject(app);
    execFileSync('mkfifo', [join(folder, out)]);
    const { code, stderr } = await fulmar(folder, ['build', ...args, 'main.js', '-o', out]);
    assert.equal(code, 1);
    assert.match(stderr, /^fulmar: cannot write .*: it is there, and no file\n$/);
    assert.equal(lstatSync(join(folder, out)).isFIFO(), true);
  });
}

test('does not take the place of the entry by another way to it', { timeout }, async () => {
  const folder = writeProject({ 'src/app.mjs': 'console.log(1);' });
  symlinkSync('src', join(folder, 'link'));
  const { code, stderr } = await fulmar(folder, ['build', 'src/app.mjs', '-o', 'link/app.mjs']);
  assert.equal(code, 1);
  assert.match(stderr, /it is the file to build/);
  assert.equal(readFileSync(join(folder, 'src/app.mjs'), 'utf8'), 'console.log(1);');
});

test('unpacks itself through no symbolic link, and changes no rights of what one leads to', { timeout }, async () => {
  const built = await file.build(app, 'main.js');
  const folder = writeProject({});
  const [theirs, link] = [join(folder, 'theirs'), join(folder, 'link')];
  mkdirSync(theirs);
  addFile(theirs, 'note.txt', 'theirs');
  chmodSync(theirs, 0o775);
  symlinkSync(theirs, link);
  const { code, stderr } = await file.run(built, [], { FULMAR_BUILD_CACHE: link }).ended;
  assert.deepEqual([modeOf(theirs), readdirSync(theirs)], [0o775, ['note.txt']]);
  assert.equal(code, 1);
  assert.match(stderr, /link: it is a symbolic link; name the folder it leads to/);
});

test('takes the next place where the usual one is a symbolic link', { timeout }, async () => {
  const built = await file.build(app, 'main.js');
  const [home, temporary, theirs] = [writeProject({}), writeProject({}), writeProject({})];
  chmodSync(theirs, 0o775);
  symlinkSync(theirs, join(home, 'fulmar'));
  const env = { FULMAR_BUILD_CACHE: '', XDG_CACHE_HOME: home, TMPDIR: temporary };
  const { code, stdout, stderr } = await file.run(built, [], env).ended;
  assert.deepEqual([code, stdout], [0, '1\n'], stderr);
  assert.deepEqual([modeOf(theirs), readdirSync(theirs)], [0o775, []]);
});

test('starts although what lies where it unpacks itself goes away meanwhile', { timeout }, async () => {
  const built = await file.build(app, 'main.js');
  const folder = writeProject({
    'vanish.cjs': `
      const fs = require('node:fs');
      const { readdirSync } = fs;
      fs.readdirSync = (...args) => [...readdirSync(...args), 'new-vanish'];
      require('node:module').syncBuiltinESMExports();
    `,
  });
  const { code, stdout, stderr } = await file.run(built, [], { NODE_OPTIONS: `--require ${join(folder, 'vanish.cjs')}` }).ended;
  assert.deepEqual([code, stdout], [0, '1\n'], stderr);
});

test('makes a folder of this user that others can write private before it unpacks itself', { timeout }, async () => {
  const built = await file.build(app, 'main.js');
  mkdirSync(built.cache);
  chmodSync(built.cache, 0o777);
  assert.equal(await file.runToValue(built), 1);
  assert.equal(modeOf(built.cache), 0o700);
});
