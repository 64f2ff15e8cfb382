/**
 * What is published: the files that package.json promises exist, are shipped, and offer what their types say.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

function pathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : [];
}

const promised = [manifest.exports, manifest.typesVersions, manifest.bin].flatMap(pathsIn);

for (const path of [...promised, './README.md', './LICENSE']) {
  test(`ships ${path}`, () => {
    assert.ok(existsSync(join(folder, path)), 'the file exists');
    const top = path.split('/')[1] ?? '';
    assert.ok(top === 'package.json' || manifest.files.includes(top), '"files" names it');
  });
}

for (const name of ['express', 'express4', 'http', 'koa', 'koa2']) {
  test(`gives import and require() of fulmar/${name} the same module`, async () => {
    const required = createRequire(import.meta.url)(`fulmar/${name}`);
    const imported = await import(`fulmar/${name}`);
    assert.equal(imported.default, required);
  });
}

for (const name of ['express', 'express4', 'koa', 'koa2']) {
  test(`exports each value that the types of fulmar/${name} name`, async () => {
    const types = readFileSync(join(folder, 'types', `${name}.d.mts`), 'utf8');
    const listed = /^export \{ (.*) \}/m.exec(types)?.[1]?.split(', ') ?? [];
    const declared = [...types.matchAll(/^export declare const (\w+)/gm)].map(([, constant]) => constant ?? '');
    assert.ok(listed.length > 0);
    const imported = await import(`fulmar/${name}`);
    for (const value of [...listed, ...declared]) assert.ok(value in imported, value);
  });
}

test('loads nothing of version 4 for an application on Express 5, and one instance of what they share', () => {
  const program = `
    const files = () => Object.keys(require.cache).map((file) => require('node:path').basename(file));
    require('fulmar/express')();
    const before = files();
    require('fulmar/express4')();
    console.log(JSON.stringify([before, files()]));`;
  const output = execFileSync(process.execPath, ['--eval', program], { cwd: folder, encoding: 'utf8' });
  const [before, after] = JSON.parse(output) as [string[], string[]];
  assert.ok(before.includes('lib-express.cjs'));
  assert.deepEqual(
    before.filter((name) => /express4|4\.cjs$/.test(name)),
    [],
  );
  assert.ok(after.includes('lib-express4.cjs'));
  assert.equal(after.filter((name) => name === 'lib-express.cjs').length, 1);
});
