/**
 * Files that an executable carries are read by every function of `node:fs` that reads, and cannot be written.
 */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { executable } from '../build/support.ts';

/** Prints what each of its programs gives, or the error's message. */
const program = `
import fs from 'node:fs';
import path from 'node:path';
const here = import.meta.dirname;
const file = path.join(here, 'public/page.html');
const folder = path.join(here, 'public');
const seen = {};
const note = async (name, work) => {
  try { seen[name] = await work(); } catch (error) { seen[name] = error.code; }
};
const streamed = async (options) => { let text = ''; for await (const part of fs.createReadStream(file, options)) text += part; return text; };
const byDescriptor = () => {
  const fd = fs.openSync(file, 'r');
  const buffer = Buffer.alloc(4);
  const first = fs.readSync(fd, buffer);
  const at = fs.readSync(fd, buffer, 0, 4, 1);
  const { size } = fs.fstatSync(fd);
  fs.closeSync(fd);
  let closed;
  try { fs.readSync(fd, buffer); } catch (error) { closed = error.code; }
  return [first, at, buffer.toString(), size, closed];
};
const handle = async () => {
  const open = await fs.promises.open(file);
  try { return [(await open.stat()).isFile(), await open.readFile('utf8')]; } finally { await open.close(); }
};
await note('readFileSync', () => fs.readFileSync(file, 'utf8'));
await note('readFile', () => new Promise((resolve, reject) => fs.readFile(file, 'utf8', (error, text) => (error ? reject(error) : resolve(text)))));
await note('promises', () => fs.promises.readFile(file, 'utf8'));
await note('stat', () => [fs.statSync(file).isFile(), fs.statSync(file).size, fs.statSync(folder).isDirectory(), fs.lstatSync(file).mtimeMs > 0]);
await note('exists', () => [fs.existsSync(file), fs.existsSync(folder), fs.existsSync(path.join(folder, 'nope'))]);
await note('readdir', () => fs.readdirSync(folder).sort());
await note('kinds', () => fs.readdirSync(folder, { withFileTypes: true }).map((one) => [one.name, one.isDirectory()]).sort());
await note('recursive', () => fs.readdirSync(folder, { recursive: true }).sort());
await note('realpath', () => path.relative(here, fs.realpathSync(path.join(folder, '../public/page.html'))));
await note('access', () => fs.promises.access(file));
await note('descriptor', byDescriptor);
await note('handle', handle);
await note('stream', () => streamed());
await note('range', () => streamed({ start: 1, end: 3 }));
await note('missing', () => fs.readFileSync(path.join(folder, 'nope')));
await note('beneath a file', () => fs.readFileSync(file + '/x'));
await note('a folder as a file', () => fs.readFileSync(folder));
await note('write', () => fs.writeFileSync(file, 'x'));
await note('open to write', () => fs.promises.open(file, 'r+'));
await note('remove', () => fs.promises.unlink(file));
process.chdir('/');
await note('from the folder it was started in', () => fs.existsSync(path.join(process.argv[2] ?? here, 'public/page.html')));
console.log(JSON.stringify(seen));
`;

const page = '<p>page</p>';
const expected = {
  readFileSync: page,
  readFile: page,
  promises: page,
  stat: [true, page.length, true, true],
  exists: [true, true, false],
  readdir: ['img', 'page.html'],
  kinds: [
    ['img', true],
    ['page.html', false],
  ],
  recursive: ['img', 'img/dot.svg', 'page.html'],
  realpath: 'public/page.html',
  descriptor: [4, 4, 'p>pa', page.length, 'EBADF'],
  handle: [true, page],
  stream: page,
  range: 'p>p',
  missing: 'ENOENT',
  'beneath a file': 'ENOTDIR',
  'a folder as a file': 'EISDIR',
  write: 'EROFS',
  'open to write': 'EROFS',
  remove: 'EROFS',
  'from the folder it was started in': true,
};

describe('embedded files', () => {
  let built: Awaited<ReturnType<typeof executable.build>>;

  before(async () => {
    const files = { 'main.mjs': program, 'public/page.html': page, 'public/img/dot.svg': '<svg/>' };
    built = await executable.build(files, 'main.mjs', ['--include', 'public']);
  });

  test('are read, listed and not written', async () => {
    assert.deepEqual(await executable.runToValue(built), expected);
  });

  test('stand beside what the disk has in the same folder', async () => {
    mkdirSync(join(built.folder, 'public'));
    writeFileSync(join(built.folder, 'public', 'page.html'), 'the disk has another one');
    writeFileSync(join(built.folder, 'public', 'uploaded.txt'), 'u');
    const seen = (await executable.runToValue(built)) as typeof expected;
    assert.deepEqual(seen.readdir, ['img', 'page.html', 'uploaded.txt']);
    assert.equal(seen.readFileSync, page);
  });
});
