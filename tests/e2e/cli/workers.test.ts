/** Workers that end or never serve: what their primary does about it, and what it says. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fetchText, fulmar, fulmarBin, nodeBinary, type Running, start, writeProject } from './support.ts';

const folder = writeProject({
  'package.json': '{}',
  'server.cjs': `
const server = require('http').createServer((req, res) => {
  if (req.url === '/slow') return console.log('SLOW'), void setTimeout(() => res.end('slow ' + process.pid), 400);
  if (req.url === '/close') return res.end('closing'), void server.close();
  res.end(String(process.pid));
});
server.listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port + ' PID ' + process.pid + ' '));`,
  'express.cjs': `require('express')().listen(+process.env.TAKEN, '127.0.0.1', () => console.log('RUNS'));`,
  'pool.cjs': `setInterval(() => undefined, 1000); require('express')().listen(+process.env.TAKEN, '127.0.0.1', () => console.log('RUNS'));`,
  'retries.cjs': `
const server = require('http').createServer((req, res) => res.end('got it'));
server.on('error', () => { console.log('AGAIN'); setTimeout(() => server.listen(+process.env.TAKEN, '127.0.0.1'), 100); });
server.listen(+process.env.TAKEN, '127.0.0.1', () => console.log('LISTENS'));`,
  'idle.cjs': `console.log('nothing to do');`,
  'mostly.cjs': `
if (process.env.FAILS === '1' && require('cluster').worker.id > 2) throw new Error('cannot start');
${`require('http').createServer((req, res) => res.end('fine')).listen(0, '127.0.0.1', function () { console.log('PORT ' + this.address().port + ' PID ' + process.pid + ' '); });`}`,
  // As where the system refuses another process.
  'spawns-none.cjs': `process.execPath = require('path').resolve('none');`,
  'path.cjs': `require('http').createServer((req, res) => res.end('x')).listen(process.env.AT, () => console.log('LISTENS '));`,
  'one-path.cjs': `
const { worker } = require('cluster');
require('http').createServer((req, res) => res.end('x')).listen(worker.id === 1 ? process.env.AT : 0, () => console.log('LISTENS '));`,
  'own.cjs': `
const cluster = require('cluster');
if (cluster.isPrimary) {
  const ports = [];
  cluster.on('listening', (worker, { port }) => {
    if (ports.push(port) === 2) console.log(ports[0] === ports[1] ? 'ONE PORT' : 'TWO PORTS'), cluster.disconnect();
  });
  cluster.fork();
  cluster.fork();
} else require('http').createServer().listen(0, '127.0.0.1');`,
  'net.cjs': `require('net').createServer((socket) => socket.end('net')).listen(0, '127.0.0.1', () => console.log('LISTENS '));`,
});

/** The process ids of workers in the order in which they listened, `count` of them at least. */
async function pids(app: Running, count: number): Promise<number[]> {
  const [text] = await app.seen(new RegExp(`(?:PID \\d+ [^]*){${count}}`));
  return [...text.matchAll(/PID (\d+) /g)].map(([, pid]) => Number(pid));
}

/** A port that somebody else listens on. */
async function takenPort(): Promise<{ readonly port: number; free(): Promise<void> }> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return { port, free: () => new Promise((done) => void server.close(() => done())) };
}

describe('a worker that ends', () => {
  it('by a SIGTERM is replaced, each time: the service goes on', async () => {
    const app = start(folder, ['run', '-w', '2', 'server.cjs']);
    const [first = 0, second = 0] = await pids(app, 2);
    process.kill(first, 'SIGTERM');
    await app.seen(/worker \d ended with exit code 0; starting another in 100 ms/);
    await pids(app, 3);
    process.kill(second, 'SIGTERM');
    const [, , third, fourth] = await pids(app, 4);
    const serving = await fetchText(await app.port());
    assert.ok([third, fourth].includes(Number(serving)), `${serving} serves`);
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
  });

  it('because its server was closed is replaced', async () => {
    const app = start(folder, ['run', '-w', '1', 'server.cjs']);
    await pids(app, 1);
    assert.equal(await fetchText(await app.port(), '/close'), 'closing');
    await pids(app, 2);
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
  });

  it('in a group that gets the SIGTERM as a whole finishes its requests', async () => {
    const app = start(folder, ['run', '-w', '2', 'server.cjs']);
    const workers = await pids(app, 2);
    const slow = fetchText(await app.port(), '/slow');
    await app.seen(/SLOW/);
    for (const pid of workers) process.kill(pid, 'SIGTERM');
    app.kill('SIGTERM');
    assert.match(await slow, /^slow \d+$/);
    assert.equal((await app.ended).code, 0);
  });
});

describe('workers that never serve', () => {
  for (const [file, why] of [
    ['express.cjs', 'nothing is left to do'],
    ['pool.cjs', 'something else keeps them alive'],
  ] as const) {
    it(`end the run with a word when the port is in use and nobody looks at the error: ${why}`, async () => {
      const { port, free } = await takenPort();
      const { code, stderr } = await fulmar(folder, ['run', '-w', '2', file], { env: { TAKEN: String(port) } });
      await free();
      assert.equal(code, 1);
      assert.match(stderr, new RegExp(`port ${port} is in use\\. Stop the other process`));
    });
  }

  it('go on while the application tries again', async () => {
    const { port, free } = await takenPort();
    const app = start(folder, ['run', '-w', '1', 'retries.cjs'], { env: { TAKEN: String(port) } });
    // For longer than is waited for an application that does not.
    await app.seen(/(?:AGAIN\s+){35}/);
    await free();
    await app.seen(/LISTENS/);
    assert.equal(await fetchText(port), 'got it');
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
  });

  it('end the run with a word when they would share a Unix socket', async () => {
    const at = join(folder, 'shared.sock');
    const { code, stderr } = await fulmar(folder, ['run', '-w', '2', 'path.cjs'], { env: { AT: at } });
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^fulmar: the socket .*shared\.sock .*Workers cannot share a Unix socket: run one process for it, without --workers\.\n$/,
    );
  });

  it('are not told so where one worker alone listens on it', async () => {
    const app = start(folder, ['run', '-w', '2', 'one-path.cjs'], { env: { AT: join(folder, 'one.sock') } });
    await app.seen(/LISTENS [^]*LISTENS /);
    app.kill('SIGTERM');
    const { code, stderr } = await app.ended;
    assert.deepEqual([code, stderr], [0, '']);
  });

  it('end the run with a word when they have nothing to do', async () => {
    const { code, stdout, stderr } = await fulmar(folder, ['run', '-w', '2', 'idle.cjs']);
    assert.equal(code, 1);
    assert.match(stdout, /nothing to do/);
    assert.match(stderr, /^fulmar: worker \d: the application has nothing left to do and does not listen\n$/);
  });

  it('are not mistaken for those that serve with servers of Node’s', async () => {
    const app = start(folder, ['run', '-w', '2', 'net.cjs']);
    await app.seen(/LISTENS [^]*LISTENS /);
    // Past the time after which a worker without anything to do would have ended.
    await Promise.race([app.ended, new Promise((done) => setTimeout(done, 2_500))]);
    app.kill('SIGTERM');
    const { stderr } = await app.ended;
    assert.equal(stderr, '');
  });
});

describe('a worker that cannot be started', () => {
  it('ends the run after a bounded number of times', async () => {
    const { code, stderr } = await fulmar(folder, ['run', '-w', '1', 'server.cjs'], {
      env: { NODE_OPTIONS: '--require ./spawns-none.cjs' },
    });
    assert.equal(code, 1);
    assert.match(stderr, /worker 1 ended with ENOENT; starting another in 100 ms/);
    assert.match(stderr, /worker 1 ended 5 times in a row, last with ENOENT\. Giving up/);
  });
});

describe('a worker that cannot be replaced', () => {
  it('is tried again with pauses, a bounded number of times, while the others serve', async () => {
    const app = start(folder, ['run', '-w', '2', 'mostly.cjs'], { env: { FAILS: '1' } });
    const [first = 0] = await pids(app, 2);
    process.kill(first, 'SIGKILL');
    await app.seen(/ended with SIGKILL; starting another in 100 ms/);
    await app.seen(/ended with exit code 1; starting another in 200 ms/);
    assert.equal(await fetchText(await app.port()), 'fine');
    const { code, stderr } = await app.ended;
    assert.equal(code, 1);
    assert.match(stderr, /ended 5 times in a row, last with exit code 1\. Giving up/);
  });
});

describe("an application's own workers", () => {
  const project = writeProject({
    'closed.cjs': `const cluster = require('cluster'), http = require('http');
if (cluster.isPrimary) {
  const ports = [];
  cluster.fork({ CLOSES: '1' }).once('message', () => { cluster.fork(); cluster.fork(); });
  cluster.on('listening', (_worker, { port }) => {
    if (ports.push(port) < 2) return;
    console.log(new Set(ports).size);
    for (const worker of Object.values(cluster.workers)) worker.kill();
  });
} else {
  const server = http.createServer().listen(0);
  if (process.env.CLOSES) { server.close(); process.send('closed'); setInterval(() => undefined, 1e6); }
}`,
    'gone.cjs': `const cluster = require('cluster'), http = require('http');
if (cluster.isPrimary) {
  cluster.setupPrimary({ stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  const first = cluster.fork().once('message', () => {
    const second = cluster.fork().once('message', () => {
      second.process.disconnect();
      first.once('exit', () => setImmediate(() => { console.log('goes on'); second.process.kill('SIGKILL'); }));
      first.process.kill('SIGKILL');
    });
  });
} else {
  http.createServer().listen(0);
  // Stays as it is: neither of them takes part in what follows.
  process.send('asked', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000));
}`,
    'told.cjs': `const cluster = require('cluster'), http = require('http');
const given = { none: [0], address: [0, '127.0.0.1'], all: [{ port: 0, host: '::' }], path: [process.env.SOCKET] };
if (cluster.isPrimary) {
  const told = {};
  for (const name of Object.keys(given)) {
    cluster.fork({ NAME: name }).on('listening', ({ address, addressType, port }) => {
      told[name] = [address, addressType, Math.sign(port)];
      if (Object.keys(told).length < Object.keys(given).length) return;
      for (const key of Object.keys(given)) console.log(key, JSON.stringify(told[key]));
      for (const worker of Object.values(cluster.workers)) worker.kill();
    });
  }
} else http.createServer().listen(...given[process.env.NAME]);`,
  });

  it('share a port 0 although the one that was first has closed before it had one', async () => {
    const { stdout, stderr } = await fulmar(project, ['run', 'closed.cjs']);
    assert.deepEqual([stdout, stderr], ['1\n', '']);
  });

  it('that are gone while they wait for a port take nobody along', async () => {
    const { code, stdout, stderr } = await fulmar(project, ['run', 'gone.cjs']);
    assert.deepEqual([code, stdout], [0, 'goes on\n'], stderr);
  });

  it('tell their primary the address that was asked for', async () => {
    const env = { SOCKET: join(project, 'told.sock') };
    const ours = await fulmar(project, ['run', 'told.cjs'], { env });
    const stock = spawnSync(nodeBinary, ['told.cjs'], { cwd: project, env: { ...process.env, ...env }, encoding: 'utf8' });
    assert.equal(ours.stdout, stock.stdout, ours.stderr);
    assert.match(stock.stdout, /^none \[null,4,1\]\n/);
  });
});

describe('workers of the application’s own cluster', () => {
  for (const [title, args, plain] of [
    ['fulmar run', ['run'], false],
    ['fulmar/register', ['--require', resolve(fulmarBin, '../register.cjs')], true],
    ['node', [], true],
  ] as const) {
    it(`share one port after listen(0) below a primary that loads no http: ${title}`, async () => {
      assert.deepEqual(await fulmar(folder, [...args, 'own.cjs'], { plain }), { code: 0, signal: null, stdout: 'ONE PORT\n', stderr: '' });
    });
  }
});
