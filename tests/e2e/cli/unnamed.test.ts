/**
 * Commands without a file take what `package.json` or a usual name says, tell which, and otherwise say what
 * they looked for.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fulmar, start, writeProject } from './support.ts';

const app = `console.log(JSON.stringify([process.argv.length, require('path').basename(process.argv[1]), require.main === module]))`;
const serves = `require('http').createServer((req, res) => res.end('x')).listen(process.env.PORT, '127.0.0.1');`;

describe('fulmar run without a file', () => {
  it('runs the file of the start script as if it had been named, and tells on standard error', async () => {
    const folder = writeProject({ 'package.json': '{"scripts":{"start":"node start.cjs"},"main":"main.cjs"}', 'start.cjs': app });
    const { code, stdout, stderr } = await fulmar(folder, ['run']);
    assert.deepEqual([code, stdout, stderr], [0, '[2,"start.cjs",true]\n', 'fulmar: running start.cjs (scripts.start of package.json)\n']);
  });

  it('tells once, in the first process, where options of Node or workers start others', async () => {
    const folder = writeProject({ 'server.js': `${app}; process.exit(0)` });
    for (const options of [['--stack-trace-limit=20'], ['--verbose', '--trace-warnings']]) {
      const { stdout, stderr } = await fulmar(folder, ['run', ...options]);
      assert.deepEqual([stdout, stderr], ['[2,"server.js",true]\n', 'fulmar: running server.js (a usual name)\n']);
    }
    const run = start(writeProject({ 'server.js': `${serves} console.log('UP')` }), ['run', '--workers', '2'], { env: { PORT: '0' } });
    await run.seen(/UP[\s\S]*UP/);
    run.kill('SIGTERM');
    const { code, stderr } = await run.ended;
    assert.deepEqual([code, stderr], [0, 'fulmar: running server.js (a usual name)\n']);
  });

  it('runs ES modules and TypeScript, and shows what they throw as Node does', async () => {
    const folder = writeProject({ 'src/main.ts': `const a: string = 'x';\nthrow new Error(a);\n`, 'package.json': '{"type":"module"}' });
    const { code, stderr } = await fulmar(folder, ['run']);
    assert.equal(code, 1);
    assert.match(stderr, /^fulmar: running src\/main\.ts \(a usual name\)\n.*src\/main\.ts:2\nthrow new Error\(a\);/);
    assert.doesNotMatch(stderr, /UnhandledPromiseRejection|cli\.cjs/);
  });
});

describe('without a file that can be found', () => {
  for (const command of ['run', 'build', 'bench', 'doctor', 'routes']) {
    it(`fulmar ${command} says what it looked for, with exit code 2`, async () => {
      const { code, stdout, stderr } = await fulmar(writeProject({}), [command]);
      const message =
        /^fulmar: no file was named, and none was found: no package\.json, and no server, app, index or main \(.*\) here or in src, nor a fulmar\.config or a folder routes\. Name the file: fulmar (\w+) <file>\n$/;
      assert.equal(message.exec(stderr)?.[1], command, stderr);
      assert.deepEqual([code, stdout], [2, '']);
    });
  }
});

it('fulmar build without a file builds what is found', async () => {
  const folder = writeProject({ 'package.json': '{"main":"./lib/app"}', 'lib/app.cjs': 'console.log(1)' });
  const { code, stdout, stderr } = await fulmar(folder, ['build']);
  assert.deepEqual([code, stderr], [0, 'fulmar: building lib/app.cjs (main of package.json)\n']);
  assert.match(stdout, /^app\.bundle\.mjs: /);
});

it(
  'fulmar bench without a file measures what is found',
  { skip: process.platform === 'linux' ? false : 'the command needs /proc' },
  async () => {
    const folder = writeProject({ 'server.cjs': serves });
    const short = ['--no-wait', '--rounds', '1', '--duration', '0.3', '--starts', '0', '--connections', '2', '--json'];
    const { stdout, stderr } = await fulmar(folder, ['bench', ...short], { patienceMs: 60_000 });
    assert.match(stderr, /^fulmar: measuring server\.cjs \(a usual name\)\n/);
    const { target, repeat } = JSON.parse(stdout) as { target: string; repeat: string };
    assert.equal(target, 'server.cjs');
    assert.match(repeat, /^fulmar bench server\.cjs /);
  },
);
