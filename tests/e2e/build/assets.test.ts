/** Files embedded by `--include` are read like files on disk, by every road. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dist, fetchText, start, writeProject } from '../cli/support.ts';
import { file, packageFiles } from './support.ts';

const timeout = 60_000;

const reader = `import fs, { readFileSync } from 'node:fs';
import { readFile, readdir, stat, realpath, open } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
const here = import.meta.dirname;
const file = join(here, '../data/a.txt');
const handle = await open(file);
const viaHandle = await handle.readFile('utf8');
await handle.close();
const writing = (() => { try { fs.writeFileSync(join(here, '../data/new.txt'), 'x'); } catch (error) { return error.code; } })();
console.log(JSON.stringify({
  sync: readFileSync(file, 'utf8'), url: fs.readFileSync(new URL('../data/a.txt', import.meta.url), 'utf8'),
  promise: await readFile(file, 'utf8'), callback: await promisify(fs.readFile)(file, 'utf8'),
  stream: await text(fs.createReadStream(file, { start: 1 })), viaHandle,
  names: fs.readdirSync(join(here, '../data')), deep: await readdir(join(here, '..', 'data', 'deep'), { withFileTypes: true }).then((all) => all.map((one) => one.name + one.isFile())),
  size: (await stat(file)).size, isFolder: fs.statSync(join(here, '../data')).isDirectory(), mtime: fs.statSync(file).mtimeMs,
  exists: [fs.existsSync(file), fs.existsSync(join(here, '../data/b.txt')), await promisify(fs.exists)(file)],
  access: fs.accessSync(file) === undefined, real: [fs.realpathSync(file) === file, await realpath(file) === file],
  missing: (() => { try { fs.readFileSync(join(here, '../data/b.txt')); } catch (error) { return [error.code, error.path === join(here, '../data/b.txt')]; } })(),
  writing, beside: fs.readFileSync(join(here, '../beside.txt'), 'utf8'),
}));`;

test('reads embedded files by every function of node:fs, and the others from disk', { timeout }, async () => {
  const files = { 'package.json': '{"type":"module"}', 'src/main.js': reader, 'data/a.txt': 'hello', 'data/deep/c.bin': '\u0000ÿ' };
  // Built through a link, as workspaces and temporary folders often are.
  const project = writeProject(files);
  const link = join(writeProject({}), 'link');
  symlinkSync(project, link);
  const built = await file.build(project, join(link, 'src/main.js'), ['--include', join(link, 'data')]);
  rmSync(project, { recursive: true });
  writeFileSync(join(built.folder, 'beside.txt'), 'on disk');
  const value = (await file.runToValue(built)) as Record<string, unknown>;
  const { mtime, ...rest } = value;
  assert.ok(Math.abs(Number(mtime) - Date.now()) < 3_600_000, 'keeps the time of the source');
  assert.deepEqual(rest, {
    sync: 'hello',
    url: 'hello',
    promise: 'hello',
    callback: 'hello',
    stream: 'ello',
    viaHandle: 'hello',
    names: ['a.txt', 'deep'],
    deep: ['c.bintrue'],
    size: 5,
    isFolder: true,
    exists: [true, false, true],
    access: true,
    real: [true, true],
    missing: ['ENOENT', true],
    writing: 'ENOENT',
    beside: 'on disk',
  });
});

test('unpacks into a private folder once, and anew when the engine there is damaged', { timeout }, async () => {
  const built = await file.build({ 'main.js': 'console.log(JSON.stringify(process.argv.slice(2)));' }, 'main.js');
  assert.deepEqual(await file.runToValue(built, ['one']), ['one']);
  const [digest, ...others] = readdirSync(built.cache);
  assert.deepEqual(others, []);
  const folder = join(built.cache, digest ?? '');
  assert.equal(statSync(folder).mode & 0o077, 0);
  const addon = join(folder, 'code', readdirSync(join(folder, 'code')).find((name) => name.endsWith('.node')) ?? '');
  const size = statSync(addon).size;
  const before = statSync(folder).ino;
  assert.deepEqual(await file.runToValue(built, ['two']), ['two']);
  assert.equal(statSync(folder).ino, before);
  writeFileSync(addon, Buffer.alloc(size));
  assert.deepEqual(await file.runToValue(built, ['three']), ['three']);
  assert.notEqual(statSync(folder).ino, before);
  assert.equal(statSync(addon).size, size);
});

test('unpacks into one folder when many processes start at once', { timeout }, async () => {
  const files = {
    'package.json': '{}',
    'main.js': 'console.log(require("node:fs").readFileSync(__dirname + "/a.txt", "utf8"));',
    'a.txt': '7',
  };
  const built = await file.build(files, 'main.js', ['--include', 'a.txt']);
  const values = await Promise.all(Array.from({ length: 6 }, () => file.runToValue(built)));
  assert.deepEqual(values, [7, 7, 7, 7, 7, 7]);
  assert.deepEqual(readdirSync(built.cache).length, 1);
});

test('removes what was not used for long when it unpacks itself', { timeout }, async () => {
  const built = await file.build({ 'main.js': 'console.log(1);' }, 'main.js');
  const place = (name: string): string => join(built.cache, name);
  const [old, recent, foreign] = [place('0'.repeat(32)), place('1'.repeat(32)), place('mine')];
  for (const folder of [old, recent, foreign]) mkdirSync(folder, { recursive: true });
  for (const folder of [old, foreign]) utimesSync(folder, new Date(0), new Date(0));
  assert.equal(await file.runToValue(built), 1);
  assert.deepEqual([old, recent, foreign].map(existsSync), [false, true, true]);
});

test('says what to do where no folder can be written', { timeout }, async () => {
  const built = await file.build({ 'main.js': '' }, 'main.js');
  const { code, stderr } = await file.run(built, [], { FULMAR_BUILD_CACHE: join(built.file, 'x') }).ended;
  assert.equal(code, 1);
  assert.match(stderr, /^fulmar: .*found no folder to unpack.*FULMAR_BUILD_CACHE=<folder>/);
});

test('serves on the engine it carries, and drains on SIGTERM', { timeout }, async () => {
  const built = await file.build(
    {
      'package.json': '{}',
      'main.js': `const http = require('http');\nconst { Server } = require('node:http');
const server = http.createServer((req, res) => setTimeout(() => res.end(JSON.stringify([server instanceof Server, process.getBuiltinModule('http') === http])), 50));
server.listen(0, () => console.log('PORT ' + server.address().port + ' ' + process.report.getReport().sharedObjects.find((name) => name.includes('fulmar'))));`,
    },
    'main.js',
  );
  const running = file.run(built);
  const port = await running.port();
  const [, addon] = await running.seen(/PORT \d+ (\S+)/);
  assert.ok(addon?.startsWith(built.cache) && !addon.startsWith(dist) && existsSync(addon), String(addon));
  assert.equal(await fetchText(port), '[true,true]');
  running.kill('SIGTERM');
  const { code, signal } = await running.ended;
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
});

test('serves embedded files, sends them, and renders views of ejs and pug', { timeout }, async () => {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const files = {
    'package.json': JSON.stringify({ dependencies: { ejs: '*', pug: '*', express: '*' } }),
    'app/main.js': `const express = require('express');
const { join } = require('node:path');
const app = express();
app.set('views', join(__dirname, '../views'));
app.use(express.static(join(__dirname, '../public')));
app.get('/sent', (req, res) => res.sendFile('b.txt', { root: join(__dirname, '../public') }));
app.get('/ejs', (req, res) => res.render('page.ejs', { name: 'ada' }));
app.get('/pug', (req, res) => res.render('page.pug', { name: 'bob' }));
const server = app.listen(0, () => console.log('PORT ' + server.address().port));`,
    'views/page.ejs': '<%- include("part") %> <%= name %>',
    'views/part.ejs': 'part for',
    'views/page.pug': 'extends base\nblock body\n  p= name',
    'views/base.pug': 'div\n  block body',
    'public/b.txt': 'static',
  };
  const project = writeProject(files);
  symlinkSync(join(folder, '../../node_modules'), join(project, 'node_modules'));
  const built = await file.build(project, 'app/main.js', ['--include', 'views', '--include', 'public']);
  rmSync(project, { recursive: true });
  const running = file.run(built);
  const port = await running.port();
  const replies = await Promise.all(['/b.txt', '/sent', '/ejs', '/pug'].map((path) => fetchText(port, path)));
  running.kill('SIGTERM');
  await running.ended;
  assert.deepEqual(replies, ['static', 'static', 'part for ada', '<div><p>bob</p></div>']);
});

test('runs under fulmar run too, with its workers', { timeout }, async () => {
  const built = await file.build(
    {
      'package.json': '{}',
      'main.js': `const app = require('express')();
app.get('/', (req, res) => res.send(String(process.env.FULMAR_WORKER === undefined)));
const server = app.listen(0, () => console.log('PORT ' + server.address().port));`,
    },
    'main.js',
  );
  const running = start('/', ['run', '--workers', '2', built.file], { env: { FULMAR_BUILD_CACHE: built.cache } });
  assert.equal(await fetchText(await running.port()), 'true');
  running.kill('SIGTERM');
  const { code, signal } = await running.ended;
  assert.deepEqual({ code, signal }, { code: 0, signal: null });
});

test('leads to the version of Express that the importing file would get', { timeout }, async () => {
  const upstream = (version: string): Record<string, string> => packageFiles('express', { 'index.js': '' }, { version });
  const below = (folder: string, files: Readonly<Record<string, string>>): Record<string, string> =>
    Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
  const value = await file.buildAndRun(
    {
      'package.json': '{}',
      ...upstream('5.1.0'),
      ...below('old', upstream('4.21.0')),
      'old/app.js': 'module.exports = typeof require("express")().del;',
      'main.js': 'console.log(JSON.stringify([typeof require("express")().del, require("./old/app")]));',
    },
    'main.js',
  );
  assert.deepEqual(value, ['undefined', 'function']);
});
