/**
 * How applications end and go on: drain on signals, workers that share a port and are replaced, restarts on
 * change.
 */
import assert from 'node:assert/strict';
import { Agent, get as httpGet } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { addFile, type Ended, fetchText, fulmar, start, writeProject } from './support.ts';

const server = `
const http = require('http');
const server = http.createServer((req, res) => {
  if (req.url === '/die') process.exit(3);
  if (req.url === '/slow') return void setTimeout(() => res.end('slow ' + process.pid), 400);
  if (req.url === '/never') return void console.log('WAITING');
  res.end(String(process.pid));
});
server.listen(0, '127.0.0.1', () => console.log('PORT ' + server.address().port + ' '));
`;
const folder = writeProject({
  'server.cjs': server,
  'server.mjs': server.replace("const http = require('http');", "import http from 'http';"),
  'express.cjs': `const app = require('express')(); app.get('/', (req, res) => res.send(String(process.pid))); const s = app.listen(0, '127.0.0.1', () => console.log('PORT ' + s.address().port + ' '));`,
  'own.cjs': `${server} process.on('SIGTERM', () => { console.log('own handler'); process.exit(5); });`,
  'idle.cjs': 'setInterval(() => undefined, 1000); console.log("READY");',
  'exits.cjs': 'process.exit(3);',
  'done.cjs': 'console.log("done"); process.exit(0);',
});

/** Keeps `clients` connections busy until told to stop; counts replies and every error a client could see. */
function load(port: number, clients: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const result = { replies: 0, errors: [] as string[] };
  let stopping = false;
  const one = (): Promise<boolean> =>
    new Promise((done) => {
      const request = httpGet({ port, host: '127.0.0.1', agent, path: '/' }, (res) => {
        res.resume();
        res.once('end', () => (result.replies++, done(true))).once('error', (error) => (result.errors.push(error.message), done(false)));
      });
      request.once('error', (error: NodeJS.ErrnoException) => {
        // Refused: the listener is gone, which is what the next server is for. Anything else lost a request.
        const reused = request.reusedSocket && error.code === 'ECONNRESET';
        if (error.code !== 'ECONNREFUSED' && !reused) result.errors.push(`${error.code} ${error.message}`);
        done(error.code !== 'ECONNREFUSED');
      });
    });
  const loops = Array.from({ length: clients }, async () => {
    while (!stopping && (await one()));
  });
  return { result, stop: async () => ((stopping = true), await Promise.all(loops), agent.destroy(), result) };
}

describe('SIGTERM', () => {
  for (const file of ['server.cjs', 'server.mjs', 'express.cjs']) {
    it(`drains ${file} under load: no client sees an error, exit code 0`, async () => {
      const app = start(folder, ['run', file]);
      const clients = load(await app.port(), 8);
      await sleep(300);
      app.kill('SIGTERM');
      const ended = await app.ended;
      const { replies, errors } = await clients.stop();
      assert.deepEqual(errors, []);
      assert.ok(replies > 50, `${replies} replies`);
      assert.deepEqual([ended.code, ended.signal], [0, null], ended.stderr);
    });
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`lets a request in flight finish after ${signal}`, async () => {
      const app = start(folder, ['run', 'server.cjs']);
      const slow = fetchText(await app.port(), '/slow');
      await sleep(100);
      app.kill(signal);
      assert.match(await slow, /^slow \d+$/);
      assert.equal((await app.ended).code, 0);
    });
  }

  it('ends after --drain-timeout even when a request never does', async () => {
    const app = start(folder, ['run', '--drain-timeout', '0.3', 'server.cjs']);
    const never = fetchText(await app.port(), '/never').catch(() => 'cut');
    await app.seen(/WAITING/);
    const asked = performance.now();
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
    assert.ok(performance.now() - asked < 5_000);
    assert.equal(await never, 'cut');
  });

  it('ends at once the second time', async () => {
    const app = start(folder, ['run', 'server.cjs']);
    const never = fetchText(await app.port(), '/never').catch(() => 'cut');
    await app.seen(/WAITING/);
    app.kill('SIGTERM');
    await sleep(100);
    app.kill('SIGTERM');
    assert.equal((await app.ended).signal, 'SIGTERM');
    assert.equal(await never, 'cut');
  });

  it('is the application’s when it has a handler', async () => {
    const app = start(folder, ['run', 'own.cjs']);
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout } = await app.ended;
    assert.equal(code, 5);
    assert.match(stdout, /own handler/);
  });

  it('ends a program without servers as it does under node', async () => {
    const app = start(folder, ['run', 'idle.cjs']);
    await app.seen(/READY/);
    app.kill('SIGTERM');
    assert.equal((await app.ended).signal, 'SIGTERM');
  });
});

describe('workers', () => {
  const twoWorkers = async (file = 'server.cjs') => {
    const app = start(folder, ['run', '--workers', '2', '--verbose', file]);
    await app.seen(/PORT \d+ [^]*PORT \d+ /);
    return app;
  };

  it('share one port, also after listen(0)', async () => {
    const app = await twoWorkers();
    const port = await app.port();
    await app.seen(new RegExp(`PORT ${port} [^]*PORT ${port} `));
    const pids = new Set<string>();
    for (let tries = 0; tries < 400 && pids.size < 2; tries++) pids.add(await fetchText(port));
    assert.equal(pids.size, 2);
    assert.equal(pids.has(String(app.pid)), false);
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
  });

  it('drain together on SIGTERM: no client sees an error', async () => {
    const app = await twoWorkers('express.cjs');
    const clients = load(await app.port(), 8);
    await sleep(300);
    app.kill('SIGTERM');
    const ended = await app.ended;
    assert.deepEqual((await clients.stop()).errors, []);
    assert.deepEqual([ended.code, ended.signal], [0, null], ended.stderr);
  });

  it('are replaced when they die', async () => {
    const app = await twoWorkers();
    const port = await app.port();
    await assert.rejects(fetchText(port, '/die'));
    await app.seen(/worker \d ended with exit code 3; starting another in 100 ms/);
    await app.seen(/(?:PORT \d+ [^]*){3}/);
    assert.match(await fetchText(port), /^\d+$/);
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
  });

  it('are given up when they never live', async () => {
    const { code, stderr } = await fulmar(folder, ['run', '-w', '2', 'exits.cjs']);
    assert.equal(code, 1);
    assert.match(stderr, /fulmar: worker \d ended with exit code 3; starting another in 400 ms\n/);
    assert.match(stderr, /fulmar: worker \d ended 5 times in a row, last with exit code 3\. Giving up; see its output above\.\n/);
  });

  it('that end by themselves end the whole', async () => {
    const { code, stdout } = await fulmar(folder, ['run', '-w', '3', 'done.cjs']);
    assert.deepEqual([code, stdout], [0, 'done\n'.repeat(3)]);
  });

  it('are killed by a second signal', async () => {
    const app = await twoWorkers();
    const never = fetchText(await app.port(), '/never').catch(() => 'cut');
    await app.seen(/WAITING/);
    app.kill('SIGINT');
    await sleep(100);
    app.kill('SIGINT');
    assert.equal((await app.ended).signal, 'SIGINT');
    assert.equal(await never, 'cut');
  });

  it('end when their primary is killed', async () => {
    const app = await twoWorkers();
    const port = await app.port();
    app.kill('SIGKILL');
    const ended: Ended = await app.ended;
    assert.equal(ended.signal, 'SIGKILL');
    await assert.rejects(fetchText(port));
  });
});

describe('a watched program', () => {
  for (const option of ['--watch', '--watch-path=lib']) {
    it(`starts again when a file changes, with ${option}`, async () => {
      const project = writeProject({
        'main.ts':
          'import { text } from "./lib/text"; import http from "node:http"; http.createServer().listen(0, () => console.log("SAYS " + text));',
        'lib/text.ts': 'export const text: string = "one";',
      });
      const app = start(project, ['run', option, 'main.ts']);
      await app.seen(/SAYS one/);
      await sleep(300);
      addFile(project, 'lib/text.ts', 'export const text: string = "two";');
      await app.seen(/SAYS two/);
      app.kill('SIGTERM');
      await app.ended;
    });
  }
});

describe('options of Node', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`drains at a ${signal} that a supervisor sends to the process it started`, async () => {
      const app = start(folder, ['run', '--trace-warnings', 'server.cjs']);
      const port = await app.port();
      const slow = fetchText(port, '/slow');
      await sleep(100);
      app.kill(signal);
      assert.match(await slow, /^slow/);
      assert.equal((await app.ended).code, 0);
    });
  }
});
