/**
 * `fulmar/register`, as `node --import` and its relatives load it. The tools that start Node for others are
 * in docs/guide, run by tests/guides.
 */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { dist, type Ended, fetchText, type Files, fulmar, hasSyncHooks, start, writeProject } from './support.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
const registerFile = join(dist, '..', 'bin', 'register.cjs');

const isOurs = "Symbol.for('fulmar.version') in";
const files: Files = {
  'package.json': '{}',
  'app.cjs': `
const http = require('node:http');
const isOurs = (name) => require(name) === require('fulmar/' + name);
console.log(JSON.stringify({ http: ${isOurs} http, builtin: process.getBuiltinModule('http') === http, express: isOurs('express'), koa: isOurs('koa') }));`,
  'app.mjs': `
import { createRequire } from 'node:module';
import express from 'express';
import http, { createServer } from 'node:http';
import Koa from 'koa';
const require = createRequire(import.meta.url);
console.log(JSON.stringify({ http: ${isOurs} http && http.createServer === createServer, builtin: process.getBuiltinModule('http') === require('http'), express: express === require('fulmar/express'), koa: Koa === require('fulmar/koa') }));`,
  'server.cjs': `
const server = require('http').createServer((req, res) => setTimeout(() => res.end('answered'), req.url === '/slow' ? 300 : 0));
server.listen(0, '127.0.0.1', () => console.log('LISTENERS ' + process.listenerCount('SIGTERM') + ' PORT ' + server.address().port));
server.on('request', (req) => req.url === '/slow' && console.log('BUSY'));`,
  'typed.ts': `
import { fork } from 'node:child_process';
import http from 'http';
enum Bird { Fulmar = 1 }
console.log(process.argv[2] ?? 'parent', Bird.Fulmar, ${isOurs} http);
if (process.argv[2] === undefined) fork(__filename, ['child']);`,
  'typed-threads.ts': `
import { Worker } from 'node:worker_threads';
enum Ways { plain, execArgv }
const run = (name: string, options: object) => new Promise((done) => new Worker(__dirname + '/typed-thread.ts', { workerData: name, ...options }).once('exit', done));
run(Ways[0], {}).then(() => run(Ways[1], { execArgv: [] }));`,
  'typed-thread.ts': `
import http from 'http';
import { workerData } from 'node:worker_threads';
enum Bird { Fulmar = 1 }
console.log(workerData, Bird.Fulmar, ${isOurs} http);`,
  'state.cjs': `
console.log(JSON.stringify({
  modules: Object.keys(require.cache).map((file) => require('node:path').basename(file)).toSorted(),
  addons: process.report.getReport().sharedObjects.filter((file) => file.endsWith('.node')).length,
  listeners: process.listenerCount('SIGTERM'),
  compiles: '.ts' in require.extensions && /fulmar|transpile|rules/.test(String(require.extensions['.ts'])),
}));`,
  'threads.cjs': `
const { Worker } = require('node:worker_threads');
const text = "console.log(require('node:worker_threads').workerData, ${isOurs} require('http'))";
const run = ([name, options]) => new Promise((done, failed) =>
  new Worker(options.eval ? text : __dirname + '/thread.cjs', { workerData: name, ...options }).once('exit', done).once('error', failed));
(async () => {
  for (const one of [['plain', {}], ['execArgv', { execArgv: [] }], ['env', { env: {} }], ['text', { eval: true }]]) await run(one);
})();`,
  'thread.cjs': `console.log(require('node:worker_threads').workerData, ${isOurs} require('http'));`,
  'thread-imports.mjs': `
import { Worker } from 'node:worker_threads';
new Worker(new URL('thread.cjs', import.meta.url), { workerData: 'imported' });`,
  'thread-modules.mjs': `
import { Worker } from 'node:worker_threads';
const text = (name) => "import http from 'node:http'; console.log('" + name + "', ${isOurs} http)";
const run = (...given) => new Promise((done) => new Worker(...given).once('exit', done));
await run(new URL('data:text/javascript,' + text('data')));
await run(text('text').replace('import http from', 'import(').replace(';', ').then(({ default: http }) =>') + ')', { eval: true });`,
  'replaces.cjs': `
const http = require('http');
const { createServer } = http;
http.createServer = (...given) => (console.log('REPLACED'), createServer(...given));`,
  'looks.cjs': `require('http');`,
  'once.cjs': `require('http').createServer().listen(0, () => process.exit(0));`,
  'subclass.cjs': `
const { Worker } = require('worker_threads');
class Own extends Worker {}
const own = new Own(__dirname + '/thread.cjs', { workerData: 'own', execArgv: [] });
console.log(own instanceof Own && own instanceof Worker);`,
  'cluster.cjs': `
const cluster = require('node:cluster');
if (cluster.isPrimary) {
  if (process.argv[2] === 'other') cluster.setupPrimary({ execArgv: [] });
  cluster.fork();
} else {
  console.log('worker', ${isOurs} require('http'));
  cluster.worker.disconnect();
}`,
  'forks.cjs': `
const { fork } = require('node:child_process');
if (process.argv[2] !== undefined) console.log(process.argv[2], ${isOurs} require('http'));
else fork(__filename, ['same']).once('exit', () => fork(__filename, ['other'], { execArgv: [] }));`,
};

const folder = writeProject(files);
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));

const node = (args: readonly string[], env: Record<string, string> = {}): Promise<Ended> => start(folder, args, { plain: true, env }).ended;

async function printed(args: readonly string[], env?: Record<string, string>): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await node(args, env);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout) as Record<string, unknown>;
}

const all = { http: true, builtin: true, express: true, koa: true };

const ways: readonly { name: string; args?: readonly string[]; env?: Record<string, string> }[] = [
  { name: '--import', args: ['--import', 'fulmar/register'] },
  { name: '--require', args: ['--require', 'fulmar/register'] },
  { name: 'NODE_OPTIONS', env: { NODE_OPTIONS: '--import fulmar/register' } },
  {
    name: 'all of them at once',
    args: ['--import', 'fulmar/register', '--require', 'fulmar/register'],
    env: { NODE_OPTIONS: `--import fulmar/register --require ${registerFile}` },
  },
];

describe('fulmar/register', () => {
  for (const { name, args = [], env } of ways) {
    for (const file of ['app.cjs', 'app.mjs']) {
      it(`maps http, express and koa for ${file} by ${name}`, async () => assert.deepEqual(await printed([...args, file], env), all));
    }
  }

  it('maps nothing where FULMAR_NO_ALIAS is set, unless to 0', async () => {
    const args = ['--import', 'fulmar/register', 'app.cjs'];
    assert.deepEqual(await printed(args, { FULMAR_NO_ALIAS: '1' }), { http: false, builtin: true, express: false, koa: false });
    assert.deepEqual(await printed(args, { FULMAR_NO_ALIAS: '0' }), all);
  });

  it('loads no engine, compiler or command line, and listens to no signal, however often it is loaded', async () => {
    const state = await printed(['--require', 'fulmar/register', '--require', registerFile, '--import', 'fulmar/register', 'state.cjs']);
    const ours = hasSyncHooks ? [] : ['lib-http.cjs', 'shared-errors.cjs', 'http.cjs'];
    const modules = (state['modules'] as string[]).filter((file) => !ours.includes(file));
    assert.deepEqual(
      { ...state, modules },
      { modules: ['register.cjs', 'register.cjs', 'state.cjs'], addons: 0, listeners: 0, compiles: false },
    );
  });

  it('tells of an http.createServer that was replaced before, which sees no server of ours', async () => {
    const told =
      'fulmar: http.createServer was replaced before Fulmar was loaded, and what replaced it sees no server of Fulmar’s. ' +
      'Name its module after fulmar/register, or with `fulmar run --require`\n';
    const ours = ['--require', 'fulmar/register'];
    const replaces = ['--require', './replaces.cjs'];
    const cases: [args: readonly string[], stdout: string, stderr: string][] = [
      [[...replaces, ...ours], '', told],
      [[...ours, ...replaces], 'REPLACED\n', ''],
      [['--require', './looks.cjs', ...ours], '', ''],
    ];
    for (const [args, stdout, stderr] of cases) {
      assert.deepEqual(await node([...args, 'once.cjs']), { code: 0, signal: null, stdout, stderr });
    }
    const run = await fulmar(folder, ['run', '--require', './replaces.cjs', 'once.cjs']);
    assert.deepEqual([run.stdout, run.stderr], ['REPLACED\n', '']);
  });

  it('tells with FULMAR_VERBOSE what stands for which package', async () => {
    const { stderr } = await node(['--import', 'fulmar/register', 'app.cjs'], { FULMAR_VERBOSE: '1' });
    assert.match(stderr, /^fulmar: express 5\S* in \S+: its imports lead to fulmar\/express$/m);
  });

  it('drains on SIGTERM, for which it listens once, however often it is loaded', async () => {
    const ways = ['--require', 'fulmar/register', '--require', registerFile, '--import', 'fulmar/register'];
    const app = start(folder, [...ways, 'server.cjs'], { plain: true });
    await app.seen(/LISTENERS 1 /);
    const reply = fetchText(await app.port(), '/slow');
    await app.seen(/BUSY/);
    app.kill('SIGTERM');
    assert.equal(await reply, 'answered');
    assert.equal((await app.ended).code, 0);
  });

  it('leaves the command as it is: sources are compiled, in what it forks too', async () => {
    const { code, stdout, stderr } = await fulmar(folder, ['run', 'typed.ts'], { env: { NODE_OPTIONS: '--import fulmar/register' } });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'parent 1 true\nchild 1 true\n');
  });

  it('does not stand in the way of --no-alias', async () => {
    const env = { NODE_OPTIONS: '--import fulmar/register' };
    const { stdout } = await fulmar(folder, ['run', '--no-alias', 'app.cjs'], { env });
    assert.deepEqual(JSON.parse(stdout), { http: false, builtin: true, express: false, koa: false });
  });
});

describe('fulmar/register/typescript', () => {
  for (const way of ['--import', '--require']) {
    it(`compiles sources as the command does, and maps, by ${way}`, async () => {
      const { code, stdout, stderr } = await node([way, 'fulmar/register/typescript', 'typed.ts']);
      assert.equal(code, 0, stderr);
      assert.equal(stdout, 'parent 1 true\nchild 1 true\n');
      assert.deepEqual(await printed([way, 'fulmar/register/typescript', 'app.mjs']), all);
    });

    it(`does so in threads by ${way}`, async () => {
      const { code, stdout, stderr } = await node([way, 'fulmar/register/typescript', 'typed-threads.ts']);
      assert.equal(code, 0, stderr);
      assert.equal(stdout, 'plain 1 true\nexecArgv 1 true\n');
    });
  }

  it('compiles also where FULMAR_NO_ALIAS is set, and maps nothing then', async () => {
    const { stdout, stderr } = await node(['--import', 'fulmar/register/typescript', 'typed.ts', 'alone'], { FULMAR_NO_ALIAS: '1' });
    assert.equal(stdout, 'alone 1 false\n', stderr);
  });

  it('compiles what fulmar/register alone has left to others', async () => {
    const args = ['--import', 'fulmar/register', '--import', 'fulmar/register/typescript', 'typed.ts', 'alone'];
    const { stdout, stderr } = await node(args);
    assert.equal(stdout, 'alone 1 true\n', stderr);
  });
});

describe('worker threads and forked processes', () => {
  const threads = 'plain true\nexecArgv true\nenv true\ntext true\n';

  for (const { name, args = [], env } of ways) {
    it(`maps threads of every kind by ${name}`, async () => {
      const { code, stdout, stderr } = await node([...args, 'threads.cjs'], env);
      assert.equal(stdout, threads, stderr);
      assert.equal(code, 0);
    });
  }

  it('maps threads beside options that a thread cannot have', async () => {
    for (const options of [['--max-old-space-size=300'], ['--title', 'x'], ['--disable-proto', 'delete', '--title', 'x']]) {
      const { stdout, stderr } = await node([...options, '--import', 'fulmar/register', 'threads.cjs']);
      assert.equal(stdout, threads, stderr);
    }
  });

  it('leaves it to Node to refuse what a thread is given itself', async () => {
    for (const execArgv of [['--expose-gc'], ['--title=x'], ['--no-such'], 'abc']) {
      const text = `try { new (require('worker_threads').Worker)('', { eval: true, execArgv: ${JSON.stringify(execArgv)} }); } catch (error) { console.log(error.code); }`;
      const plain = await node(['--eval', text]);
      const registered = await node(['--import', 'fulmar/register', '--eval', text]);
      assert.match(plain.stdout, /^ERR_/);
      assert.equal(registered.stdout, plain.stdout, String(execArgv));
    }
  });

  it('maps threads of ES modules', async () => {
    const { stdout } = await node(['thread-imports.mjs'], { NODE_OPTIONS: '--import fulmar/register' });
    assert.equal(stdout, 'imported true\n');
  });

  for (const way of ['--require', '--import']) {
    for (const name of ['fulmar/register', registerFile]) {
      it(`maps threads whose module is no file by ${way} ${name === registerFile ? 'and its path' : name}`, async () => {
        const { stdout, stderr } = await node([way, name, 'thread-modules.mjs']);
        assert.equal(stdout, 'data true\ntext true\n', stderr);
      });
    }
  }

  it('maps threads of a class of the application', async () => {
    const { stdout } = await node(['--import', 'fulmar/register', 'subclass.cjs']);
    assert.equal(stdout, 'true\nown true\n');
  });

  it('maps workers of a cluster, and names those with other execArgv', async () => {
    const [same, other] = await Promise.all(
      ['same', 'other'].map((word) => node(['--require', 'fulmar/register', 'cluster.cjs', word], { FULMAR_VERBOSE: '1' })),
    );
    assert.deepEqual([same?.stdout, other?.stdout], ['worker true\n', 'worker false\n']);
    assert.doesNotMatch(same?.stderr ?? '', /execArgv/);
    assert.match(
      other?.stderr ?? '',
      /^fulmar: the cluster's worker for \S+cluster\.cjs has other execArgv, and sees Node's own modules$/m,
    );
  });

  it('maps what is forked, with NODE_OPTIONS whatever execArgv it has; otherwise FULMAR_VERBOSE names it', async () => {
    const everywhere = await node(['forks.cjs'], { NODE_OPTIONS: '--import fulmar/register', FULMAR_VERBOSE: '1' });
    assert.equal(everywhere.stdout, 'same true\nother true\n');
    assert.doesNotMatch(everywhere.stderr, /forked/);
    const here = await node(['--import', 'fulmar/register', 'forks.cjs'], { FULMAR_VERBOSE: '1' });
    assert.equal(here.stdout, 'same true\nother false\n');
    assert.match(here.stderr, /^fulmar: the process forked for \S+forks\.cjs has other execArgv, and sees Node's own modules$/m);
  });

  it('leaves threads to Node under fulmar run, where --verbose names them and forks with other execArgv', async () => {
    const run = await fulmar(folder, ['run', '--verbose', 'threads.cjs']);
    assert.equal(run.stdout, threads.replaceAll('true', 'false'));
    assert.equal(run.stderr.match(/^fulmar: the worker thread .* sees Node's own modules;/gm)?.length, 4, run.stderr);
    const forks = await fulmar(folder, ['run', '--verbose', 'forks.cjs']);
    assert.equal(forks.stdout, 'same true\nother false\n');
    assert.equal(forks.stderr.match(/^fulmar: the process forked for /gm)?.length, 1, forks.stderr);
    const quiet = await fulmar(folder, ['run', 'threads.cjs']);
    assert.equal(quiet.stderr, '');
  });

  it('maps threads under fulmar run --import fulmar/register', async () => {
    const { stdout, stderr } = await fulmar(folder, ['run', '--verbose', '--import', 'fulmar/register', 'threads.cjs']);
    assert.equal(stdout, threads, stderr);
    assert.doesNotMatch(stderr, /worker thread/);
  });
});
