/**
 * SIGTERM and SIGINT where somebody else listens to them too: watchers, clean-up of the application,
 * listeners that do nothing.
 */
import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { fetchText, fulmarBin, start, writeProject } from './support.ts';
import { busy, express5, server, watchers } from './signal-fixtures.ts';

const registerFile = pathToFileURL(resolve(fulmarBin, '../register.cjs')).href;

const folder = writeProject({
  'package.json': '{}',
  ...watchers,
  'plain.cjs': server(''),
  'exit4.cjs': server(`require('./signal-exit4.cjs')((code, signal) => console.log('WATCHED ' + code + ' ' + signal));`),
  'exit3.cjs': server(`require('./signal-exit3.cjs')((code, signal) => console.log('WATCHED ' + code + ' ' + signal));`),
  'both.cjs': server(
    `require('./signal-exit3.cjs')(() => console.log('WATCHED 3')); require('./signal-exit4.cjs')(() => console.log('WATCHED 4'));`,
  ),
  'nothing.cjs': server(`process.on('SIGTERM', () => console.log('HEARD'));`),
  'express.cjs': express5(`process.on('SIGTERM', () => console.log('HEARD'));`),
  'closes.cjs': server(`process.on('SIGTERM', () => server.close(() => setTimeout(() => process.exit(7), 1500)));`),
  'later.cjs': server(
    `process.on('SIGTERM', async () => { await new Promise((done) => setTimeout(done, 2500)); console.log('WRITTEN BACK ' + server.listening); server.close(() => process.exit(6)); });`,
  ),
  'hidden.cjs': server(
    `const clean = async () => { for (let i = 0; i < 25; i++) await new Promise((done) => setTimeout(done, 100)); console.log('WRITTEN BACK'); }; process.on('SIGTERM', () => void clean());`,
  ),
  'endless.cjs': server(`process.on('SIGTERM', () => { setInterval(() => console.log('STILL'), 100); });`),
  'idle4.cjs': `require('./signal-exit4.cjs')((code, signal) => console.log('WATCHED ' + code + ' ' + signal)); setInterval(() => undefined, 1000); console.log('READY');`,
  'busy.cjs': server(busy('START')),
  'busy.mjs': `import 'node:http'; await null; ${busy('START')}`,
  'bound.cjs': `${server('')} ${busy('BOUND')}`,
  'counts.cjs': server(
    `const counts = () => ['SIGTERM', 'SIGINT'].map((name) => process.listenerCount(name)); console.log('START ' + counts());`,
  ),
  'worker.cjs': `process.on('SIGTERM', () => setTimeout(() => { console.log('JOB DONE'); process.exit(4); }, 1500)); setInterval(() => undefined, 1000); console.log('READY');`,
});

describe('SIGTERM beside a listener that only watches', { concurrency: 2 }, () => {
  for (const [file, said] of [
    ['exit4.cjs', /WATCHED 0 null/],
    ['exit3.cjs', /WATCHED 0 null/],
    ['both.cjs', /WATCHED 3[^]*WATCHED 4|WATCHED 4[^]*WATCHED 3/],
  ] as const) {
    it(`drains ${file} as if it were alone, and tells the watcher of the exit`, async () => {
      const app = start(folder, ['run', file]);
      const slow = fetchText(await app.port(), '/slow');
      await app.seen(/SLOW/);
      app.kill('SIGTERM');
      assert.equal(await slow, 'slow');
      const { code, stdout, stderr } = await app.ended;
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, said);
    });
  }

  it('ends a program without servers by the signal, as node does', async () => {
    const [here, there] = [start(folder, ['run', 'idle4.cjs']), start(folder, ['idle4.cjs'], { plain: true })];
    for (const app of [here, there]) {
      await app.seen(/READY/);
      app.kill('SIGTERM');
    }
    const { signal, stdout } = await here.ended;
    assert.equal(signal, 'SIGTERM');
    assert.match(stdout, /WATCHED null SIGTERM/);
    assert.deepEqual(await there.ended, { ...(await here.ended) });
  });

  it('ends at the drain time-out when a request never does', async () => {
    const app = start(folder, ['run', '--drain-timeout', '0.3', 'exit4.cjs']);
    const never = fetchText(await app.port(), '/never').catch(() => 'cut');
    await app.seen(/NEVER/);
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
    assert.equal(await never, 'cut');
  });
});

describe('SIGTERM beside a listener of the application', { concurrency: 2 }, () => {
  for (const file of ['nothing.cjs', 'express.cjs']) {
    it(`drains ${file}, whose listener neither ends the process nor closes its server`, async () => {
      const app = start(folder, ['run', file]);
      assert.equal(await fetchText(await app.port()), 'fine');
      app.kill('SIGTERM');
      const { code, stdout, stderr } = await app.ended;
      assert.equal(code, 0);
      assert.match(stdout, /HEARD/);
      assert.match(
        stderr,
        /^fulmar: SIGTERM was heard by a listener that neither ends the process nor closes its servers; draining them\n$/,
      );
    });
  }

  for (const file of ['nothing.cjs', 'exit4.cjs', 'closes.cjs']) {
    it(`ends ${file} at once the second time`, async () => {
      const app = start(folder, ['run', file]);
      const never = fetchText(await app.port(), '/never').catch(() => 'cut');
      await app.seen(/NEVER/);
      app.kill('SIGTERM');
      await refused(await app.port());
      app.kill('SIGTERM');
      assert.equal((await app.ended).signal, 'SIGTERM');
      assert.equal(await never, 'cut');
    });
  }

  it('leaves the end to a listener that closes the server', async () => {
    const app = start(folder, ['run', 'closes.cjs']);
    await app.port();
    app.kill('SIGTERM');
    const { code, stderr } = await app.ended;
    assert.deepEqual([code, stderr], [7, '']);
  });

  it('lets a listener finish what it awaits before it closes the server', async () => {
    const app = start(folder, ['run', 'later.cjs']);
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout, stderr } = await app.ended;
    assert.deepEqual([code, stderr], [6, '']);
    assert.match(stdout, /WRITTEN BACK true/);
  });

  it('drains after work that a listener has started is done', async () => {
    const app = start(folder, ['run', 'hidden.cjs']);
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout } = await app.ended;
    assert.equal(code, 0);
    assert.match(stdout, /WRITTEN BACK/);
  });

  it('ends at the drain time-out when that work never is', async () => {
    const app = start(folder, ['run', '--drain-timeout', '2', 'endless.cjs']);
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout } = await app.ended;
    assert.equal(code, 0);
    assert.match(stdout, /STILL/);
  });

  it('does nothing to a program without servers, as node', async () => {
    const app = start(folder, ['run', 'worker.cjs']);
    await app.seen(/READY/);
    app.kill('SIGTERM');
    const { code, stdout } = await app.ended;
    assert.equal(code, 4);
    assert.match(stdout, /JOB DONE/);
  });
});

describe('SIGTERM before the first server listens', { concurrency: 2 }, () => {
  for (const [title, args, file, plain] of [
    ['fulmar run', ['run'], 'busy.cjs', false],
    ['fulmar run of an ES module', ['run'], 'busy.mjs', false],
    ['fulmar run, in the turn that asks to listen', ['run'], 'bound.cjs', false],
    ['fulmar/register', ['--import', registerFile], 'busy.cjs', true],
    ['node', [], 'busy.cjs', true],
  ] as const) {
    it(`ends a start that keeps the thread busy at once: ${title}`, async () => {
      const app = start(folder, [...args, file], { plain });
      await app.seen(/START|BOUND/);
      app.kill('SIGTERM');
      const { code, signal, stdout } = await app.ended;
      assert.deepEqual([code, signal], [null, 'SIGTERM']);
      assert.doesNotMatch(stdout, /GONE ON/);
    });
  }

  it('ends workers whose start keeps them busy without waiting for it', async () => {
    const app = start(folder, ['run', '--workers', '2', 'busy.cjs']);
    await app.seen(/START[^]*START/);
    app.kill('SIGTERM');
    const { code, stdout } = await app.ended;
    assert.equal(code, 0);
    assert.doesNotMatch(stdout, /GONE ON/);
  });

  it('meets no listener of ours', async () => {
    const app = start(folder, ['run', 'counts.cjs']);
    await app.seen(/START 0,0\n/);
    await app.port();
    app.kill('SIGTERM');
    assert.equal((await app.ended).code, 0);
  });
});

/** Resolves when nobody listens there any more. */
async function refused(port: number): Promise<void> {
  while (
    await fetchText(port).then(
      () => true,
      () => false,
    )
  );
}
