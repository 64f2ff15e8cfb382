/** What `fulmar run` says to somebody at a terminal, and that it says nothing of it anywhere else. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fetchText, fulmarBin, nodeBinary, type Running, start, writeProject } from './support.ts';
import { skip, startAtTerminal, type TerminalOptions } from './at-terminal.ts';

const root = resolve(fileURLToPath(import.meta.url), '../../../..');
const folder = writeProject({
  'app.mjs': `import express from 'express';
    const app = express();
    app.get('/slow', () => console.log('GOT'));
    app.get('/', (req, res) => res.send('x'));
    app.listen(0, '127.0.0.1', function () { console.log('PORT ' + this.address().port); });`,
  'plain.cjs': `const http = require('http'); const serve = (done) => http.createServer((req, res) => res.end('x')).listen(0, '::1', done);
    serve(() => serve(() => { console.log('BOTH'); process.exit(0); }));`,
  'later.cjs': `require('http').createServer((req, res) => setTimeout(() => res.end('late'), 700)).listen(0, '127.0.0.1', function () {
    console.log('PORT ' + this.address().port); }).on('request', () => console.log('GOT'));`,
});
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');

function atTerminal(args: readonly string[], options?: TerminalOptions): Running {
  return startAtTerminal(folder, [nodeBinary, fulmarBin, ...args], options);
}

/** Requests that are cut off are no concern of these tests. */
async function ask(app: Running, path: string): Promise<void> {
  fetchText(await app.port(), path).catch(() => undefined);
  await app.seen(/GOT/);
}

describe('fulmar run at a terminal', { skip }, () => {
  it('tells in one line where the first server listens and what stands for which package', async () => {
    const app = atTerminal(['run', 'app.mjs']);
    const port = await app.port();
    app.kill('SIGUSR1');
    const { code, stdout, stderr } = await app.ended;
    assert.match(
      stderr,
      new RegExp(`^fulmar \\d+\\.\\d+\\.\\d+ · http on 127\\.0\\.0\\.1:${port} · express 5\\.\\d+\\.\\d+ → fulmar/express\\n`),
    );
    assert.deepEqual([code, stdout], [0, `PORT ${port}\n`]);
  });

  it('tells once, of the first of several servers, and of no package where there is none', async () => {
    const { stdout, stderr } = await atTerminal(['run', 'plain.cjs']).ended;
    assert.equal(stdout, 'BOTH\n');
    assert.match(stderr, /^fulmar \d+\.\d+\.\d+ · http on \[::1\]:\d+\n$/);
  });

  it('tells once for all workers', async () => {
    const app = atTerminal(['run', '--workers', '2', 'app.mjs']);
    await app.seen(/PORT[\s\S]*PORT/);
    app.kill('SIGUSR1');
    const { code, stderr } = await app.ended;
    assert.equal(code, 0);
    assert.match(stderr, /^fulmar \S+ · http on 127\.0\.0\.1:\d+ · 2 workers · express \S+ → fulmar\/express\n\^C\n?$/);
  });

  it('has colours, unless NO_COLOR or a dumb terminal says otherwise', async () => {
    const cases: [env: Record<string, string>, isColoured: boolean][] = [
      [{ NO_COLOR: '', TERM: 'xterm' }, true],
      [{ NO_COLOR: '1', TERM: 'xterm' }, false],
      [{ NO_COLOR: '', TERM: 'dumb' }, false],
      [{ NO_COLOR: '1', TERM: 'dumb', FORCE_COLOR: '1' }, true],
      [{ NO_COLOR: '', TERM: 'xterm', FORCE_COLOR: '0' }, false],
    ];
    for (const [env, isColoured] of cases) {
      const { stderr } = await atTerminal(['run', 'plain.cjs'], { env }).ended;
      const line = stderr.split('\n').find((text) => text.includes('http on')) ?? '';
      assert.equal(line.includes('\u001B[1mfulmar '), isColoured, JSON.stringify([env, line]));
    }
  });

  for (const workers of [[], ['--workers', '1']]) {
    const title = workers.length === 0 ? '' : ' of a worker';
    it(`Ctrl-C tells who is waited for, and waits two seconds${title}`, async () => {
      const app = atTerminal(['run', ...workers, 'app.mjs']);
      await ask(app, '/slow?page=1');
      const before = performance.now();
      app.kill('SIGUSR1');
      const { code, stderr } = await app.ended;
      const tookMs = performance.now() - before;
      assert.match(stderr, /\^C\n?fulmar: waiting for 1 request \(GET \/slow\?page=1\), 2 s at most; Ctrl-C ends at once\n/);
      assert.equal(code, 0);
      assert.ok(tookMs > 1_900 && tookMs < 15_000, `${tookMs} ms`);
    });
  }

  it('Ctrl-C waits as long as --drain-timeout says', async () => {
    const app = atTerminal(['run', '--drain-timeout', '0.5', 'app.mjs']);
    await ask(app, '/slow');
    app.kill('SIGUSR1');
    const { code, stderr } = await app.ended;
    assert.equal(code, 0);
    assert.match(stderr, /waiting for 1 request \(GET \/slow\), [01] s at most/);
  });

  it('SIGTERM waits as long as ever, which a second Ctrl-C ends', async () => {
    const app = atTerminal(['run', 'app.mjs']);
    await ask(app, '/slow');
    app.kill('SIGTERM');
    await app.seen(/waiting for 1 request \(GET \/slow\), 25 s at most/);
    app.kill('SIGUSR1');
    assert.equal((await app.ended).code, 130);
  });

  it('waits for a request that is answered in time', async () => {
    const app = atTerminal(['run', 'later.cjs']);
    const reply = fetchText(await app.port());
    await app.seen(/GOT/);
    app.kill('SIGUSR1');
    assert.equal(await reply, 'late');
    assert.equal((await app.ended).code, 0);
  });
});

describe('fulmar run without a terminal', () => {
  it('says nothing of that', async () => {
    const app = start(folder, ['run', '--drain-timeout', '0.5', 'app.mjs']);
    const port = await app.port();
    fetchText(port, '/slow').catch(() => undefined);
    await app.seen(/GOT/);
    app.kill('SIGINT');
    assert.deepEqual(await app.ended, { code: 0, signal: null, stdout: `PORT ${port}\nGOT\n`, stderr: '' });
  });
});
