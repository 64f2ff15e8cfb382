/**
 * `fulmar run --native` behaves as the program it runs: output, arguments, files, exit codes, signals,
 * sources in stacks.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { addFile, fetchText, fulmar, start, writeProject } from '../cli/support.ts';

const timeout = 60_000;
const cjs = { 'package.json': '{}' };

test('gives the application its arguments, environment and files where they are', { timeout }, async () => {
  const project = writeProject({
    ...cjs,
    'src/main.ts': `import fs from 'node:fs';\nimport path from 'node:path';
const text: string = fs.readFileSync(path.join(__dirname, '../data.txt'), 'utf8');
console.log(JSON.stringify({ args: process.argv.slice(2), entry: process.argv[1], text, env: process.env.GREETING, cwd: process.cwd(), main: require.main === module }));`,
    'data.txt': 'from disk',
    '.env': 'GREETING=hello',
  });
  const { code, stdout, stderr } = await fulmar(project, ['run', '--native', '--env-file', '.env', 'src/main.ts', '--port', '80']);
  assert.equal(code, 0, stderr);
  assert.deepEqual(JSON.parse(stdout), {
    args: ['--port', '80'],
    entry: join(project, 'src/main.ts'),
    text: 'from disk',
    env: 'hello',
    cwd: project,
    main: true,
  });
});

test('ends with the exit code of the application, and leaves no temporary folder', { timeout }, async () => {
  const temporary = writeProject({});
  const project = writeProject({ ...cjs, 'main.js': 'process.exitCode = 7; console.error("to stderr");' });
  const { code, stdout, stderr } = await fulmar(project, ['run', '--native', 'main.js'], { env: { TMPDIR: temporary } });
  assert.deepEqual([code, stdout, stderr], [7, '', 'to stderr\n']);
  // What Node itself keeps of compiled code is not ours.
  assert.deepEqual(
    readdirSync(temporary).filter((name) => name !== 'node-compile-cache'),
    [],
  );
});

test('shows an error that nobody caught with places in the sources', { timeout }, async () => {
  const project = writeProject({
    ...cjs,
    'main.ts': `import { fail } from './lib/fail';\ninterface Unused {}\nfail();\n`,
    'lib/fail.ts': `type Word = string;\n\nexport function fail(): never {\n  throw new TypeError('no way' as Word);\n}\n`,
  });
  const { code, stderr } = await fulmar(project, ['run', '--native', 'main.ts']);
  assert.equal(code, 1);
  assert.match(stderr, /TypeError: no way\n/);
  assert.ok(stderr.includes(`${join(project, 'lib/fail.ts')}:4:`), stderr);
  assert.ok(stderr.includes(`${join(project, 'main.ts')}:3:`), stderr);
});

test('passes signals on: servers drain', { timeout }, async () => {
  const project = writeProject({
    ...cjs,
    'main.js': `const server = require('http').createServer((req, res) => res.end('native'));
server.listen(0, () => console.log('PORT ' + server.address().port));
server.on('close', () => console.log('drained'));`,
  });
  const running = start(project, ['run', '--native', 'main.js']);
  assert.equal(await fetchText(await running.port()), 'native');
  running.kill('SIGTERM');
  const { code, signal, stdout } = await running.ended;
  assert.deepEqual([code, signal], [0, null]);
  assert.match(stdout, /drained/);
});

test('starts again with --watch when a bundled source changes', { timeout }, async () => {
  const project = writeProject({
    ...cjs,
    'main.js': `console.log('says ' + require('./word'));\nsetTimeout(() => {}, 30_000);`,
    'word.js': `module.exports = 'one';`,
  });
  const running = start(project, ['run', '--native', '--watch', 'main.js'], { patienceMs: timeout });
  await running.seen(/says one/);
  // Once more every few seconds: what is written before the watch has begun goes unseen.
  let writes = 0;
  const write = (): void => addFile(project, 'word.js', `module.exports = 'two'; // ${++writes}`);
  write();
  const writing = setInterval(write, 5000);
  try {
    await running.seen(/says two/);
  } finally {
    clearInterval(writing);
  }
  running.kill('SIGTERM');
  await running.ended;
});

test('tells what the native host does not have in a line, and makes it an error of the call', { timeout }, async () => {
  const project = writeProject({ ...cjs, 'main.js': `console.log('runs');\nif (process.argv[2]) require('node:sqlite');` });
  const fine = await fulmar(project, ['run', '--native', 'main.js']);
  assert.deepEqual([fine.code, fine.stdout], [0, 'runs\n']);
  assert.match(fine.stderr, /node:sqlite is a module of Node's that the native host does not have/);
  const failed = await fulmar(project, ['run', '--native', 'main.js', 'now']);
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /Cannot find module 'node:sqlite'/);
});

for (const option of [['--workers', '2'], ['--max-old-space-size=64']]) {
  test(`refuses ${option[0]}`, { timeout }, async () => {
    const { code, stderr } = await fulmar(writeProject({ ...cjs, 'main.js': '' }), ['run', '--native', ...option, 'main.js']);
    assert.equal(code, 2);
    assert.match(stderr, /^fulmar: --[a-z-]+\S* is for Node, and --native runs without it: give one of them\n$/);
  });
}

test('takes the program along when it is killed', { timeout, skip: process.platform !== 'linux' && 'reads /proc' }, async () => {
  const project = writeProject({
    ...cjs,
    'main.js': `require('http').createServer().listen(0, () => console.log('PID ' + process.pid + ' ' + process.env.FULMAR_WRAPPER + ' '));`,
  });
  const running = start(project, ['run', '--native', 'main.js']);
  const [, pid, variable] = await running.seen(/PID (\d+) (\S+) /);
  assert.equal(variable, 'undefined');
  running.kill('SIGKILL');
  assert.equal((await running.ended).signal, 'SIGKILL');
  while (!isGone(Number(pid))) await new Promise((done) => setTimeout(done, 20));
});

/** Ended, or ended and not yet asked for by its parent. */
function isGone(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}
