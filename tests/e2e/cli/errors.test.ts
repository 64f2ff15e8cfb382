/**
 * What people read when something is wrong: one line that says what was found and what to do, and an exit
 * code that tells a command line that is not understood (2) from all else (1).
 */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fulmar, writeProject } from './support.ts';

const listens = (module: string) => `require('${module}').createServer().listen(Number(process.env.AT), '127.0.0.1')`;

const folder = writeProject({
  'app.ts': 'console.log(1 as number)',
  'style.css': '',
  'sub/server.ts': '',
  'http.cjs': listens('http'),
  'express.cjs': `const http = require('http'); http.createServer(() => undefined).listen({ port: Number(process.env.AT), host: '127.0.0.1' })`,
  'host.cjs': `require('http').createServer().listen(0, process.env.HOST)`,
  'asks.cjs': `require('http').get('http://nope.invalid/')`,
  'env.cjs': 'console.log(process.env.A, process.env.B, process.env.KEPT)',
  'flags.cjs':
    'console.log(JSON.stringify([process.argv.slice(2), process.execArgv.filter((flag) => flag !== "--require" && !flag.endsWith("preload.cjs")), globalThis.preloaded]), typeof gc); process.exit(0)',
  'pre.cjs': 'globalThis.preloaded = true;',
  '.env': 'A=1\nB=one\nKEPT=file\n',
  '.env.local': 'B=two\n',
});

describe('mistakes on the command line', () => {
  const cases: [args: string[], message: RegExp, exitCode?: number][] = [
    [['rnu', 'app.ts'], /^fulmar: unknown command "rnu"\. Did you mean "run"\?\n$/],
    [['app.ts'], /^fulmar: unknown command "app\.ts"\. To run a file: fulmar run app\.ts\n$/],
    [['run', 'ap.ts'], /^fulmar: cannot find ap\.ts\. Did you mean app\.ts\?\n$/, 1],
    [['run', 'app.js'], /^fulmar: cannot find app\.js\. Did you mean app\.ts\?\n$/, 1],
    [
      ['run', 'sub'],
      /^fulmar: sub is a directory without a file that its package\.json names as main, and without index\. Did you mean sub.server\.ts\?\n$/,
      1,
    ],
    [['run', 'style.css'], /^fulmar: cannot run style\.css: fulmar runs \.js, .* files, not \.css\n$/, 1],
    [['run', '--port', '80', 'app.ts'], /^fulmar: fulmar run has no --port: .*PORT=8080 fulmar run app\.js.* behind the file\.\n$/],
    [['run', '--wrokers', '2', 'app.ts'], /^fulmar: unknown option --wrokers\. Did you mean --workers\?\n$/],
    [['run', '--workers'], /^fulmar: --workers needs a number of processes, or auto\n$/],
    [['run', '--workers', 'many', 'app.ts'], /^fulmar: --workers needs a whole number from 0 to 1024, or auto; got "many"\n$/],
  ];
  for (const [args, message, exitCode = 2] of cases) {
    it(`are told for \`fulmar ${args.join(' ')}\`, with exit code ${exitCode}`, async () => {
      const { code, stdout, stderr } = await fulmar(folder, args);
      assert.match(stderr, message);
      assert.deepEqual([code, stdout], [exitCode, '']);
    });
  }

  it('include an environment file that is not there', async () => {
    // Node 20 itself looks for `--env-file` anywhere on the command line, and ends with code 9.
    const { code, stderr } = await fulmar(folder, ['run', '--env-file', 'absent.env', 'app.ts']);
    assert.match(stderr, /absent\.env/);
    assert.ok(code === 1 || code === 9, `code ${code}`);
  });
});

describe('help', () => {
  for (const [args, text] of [
    [['--help'], /Usage: fulmar <command>/],
    [[], /Usage: fulmar <command>/],
    [['help', 'run'], /--workers <n>/],
    [['run', '--help'], /--drain-timeout/],
    [['build', '--help'], /--sourcemap/],
    [['help', 'bench'], /--connections <n>/],
    [['doctor', '-h'], /--no-requests/],
    [['routes', '--help'], /--openapi/],
    [['info', '--help'], /--json/],
    [['help', 'new'], /--package-manager <name>/],
    [['g', '-h'], /--skip-import/],
    [['--version'], /^\d+\.\d+\.\d+\n$/],
  ] as const) {
    it(`is printed for \`fulmar ${args.join(' ')}\``, async () => {
      const { code, stdout, stderr } = await fulmar(folder, args);
      assert.match(stdout, text);
      assert.deepEqual([code, stderr], [0, '']);
    });
  }
});

describe('a port in use', () => {
  const other = createServer();
  let port = 0;
  before(
    () => new Promise<void>((done) => void other.listen(0, '127.0.0.1', () => ((port = (other.address() as AddressInfo).port), done()))),
  );
  after(() => other.close());

  for (const args of [['http.cjs'], ['express.cjs'], ['--no-alias', 'http.cjs'], ['--workers', '2', 'http.cjs']]) {
    it(`is told in one line with \`run ${args.join(' ')}\``, async () => {
      const { code, stdout, stderr } = await fulmar(folder, ['run', ...args], { env: { AT: String(port) } });
      assert.match(stderr, new RegExp(`^fulmar: port ${port} is in use\\. Stop the other process .*\\n$`));
      assert.deepEqual([code, stdout], [1, '']);
    });
  }

  it('is told with its stack with --verbose', async () => {
    const { code, stderr } = await fulmar(folder, ['run', '--verbose', 'http.cjs'], { env: { AT: String(port) } });
    assert.match(stderr, new RegExp(`fulmar: port ${port} is in use`));
    assert.match(stderr, /Error: listen EADDRINUSE[^]*\n {4}at /);
    assert.equal(code, 1);
  });
});

describe('a host without an address', () => {
  for (const args of [['host.cjs'], ['--workers', '2', 'host.cjs']]) {
    it(`is told in one line with \`run ${args.join(' ')}\``, async () => {
      const { code, stdout, stderr } = await fulmar(folder, ['run', ...args], { env: { HOST: 'nope.invalid' } });
      assert.match(
        stderr,
        /^fulmar: cannot listen on nope\.invalid: no address was found for that name \(E\w+\)\. Use an address of this machine, .*\n$/,
      );
      assert.deepEqual([code, stdout], [1, '']);
    });
  }

  it('that the application itself asked for is Node’s to show', async () => {
    const { stderr } = await fulmar(folder, ['run', 'asks.cjs']);
    assert.match(stderr, /Error: getaddrinfo E\w+ nope\.invalid\n {4}at /);
  });
});

describe('options', () => {
  it('read environment files in order; what is set already wins', async () => {
    const { stdout } = await fulmar(folder, ['run', '--env-file', '.env', 'env.cjs'], { env: { KEPT: 'set' } });
    assert.equal(stdout, '1 one set\n');
  });

  it('of Node are passed on', async () => {
    const { stdout, stderr } = await fulmar(folder, [
      'run',
      '--expose-gc',
      '--stack-trace-limit=20',
      '--require',
      './pre.cjs',
      'flags.cjs',
      '--app',
      'x',
    ]);
    assert.equal(
      stdout,
      '[["--app","x"],["--expose-gc","--stack-trace-limit=20","--require","./pre.cjs"],true] function\n'.replace('"--require",', ''),
      stderr,
    );
  });

  it('of Node reach workers', async () => {
    const { stdout, stderr } = await fulmar(folder, ['run', '--workers', '2', '--expose-gc', 'flags.cjs', 'y']);
    assert.equal(stdout, '[["y"],["--expose-gc"],null] function\n'.repeat(2), stderr);
  });
});
