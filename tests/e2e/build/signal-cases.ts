/**
 * How a built application ends at a SIGTERM that somebody else listens to as well; the same for files and
 * executables.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { busy, server, signalExit4, watchers } from '../cli/signal-fixtures.ts';
import { fetchText, type Running } from '../cli/support.ts';
import type { Kind } from './support.ts';

const timeout = 60_000;
const project = {
  'package.json': '{}',
  ...watchers,
  'signal-exit4.cjs': `module.exports = (callback) => require('./signal-exit.cjs').onExit(callback);`,
  'signal-exit.cjs': readFileSync(signalExit4, 'utf8'),
  'signals.js': readFileSync(new URL('signals.js', `file://${signalExit4}`), 'utf8'),
};

function cases(before: string): Record<string, string> {
  return { ...project, 'main.cjs': server(before) };
}

export function definePlay(kind: Kind): void {
  const begin = async (before: string): Promise<Running> => kind.run(await kind.build(cases(before), 'main.cjs'));

  for (const version of [3, 4]) {
    test(`${kind.name}: drains beside signal-exit ${version}, which only watches`, { timeout }, async () => {
      const app = await begin(`require('./signal-exit${version}.cjs')((code) => console.log('WATCHED ' + code));`);
      const slow = fetchText(await app.port(), '/slow');
      await app.seen(/SLOW/);
      app.kill('SIGTERM');
      assert.equal(await slow, 'slow');
      const { code, stdout, stderr } = await app.ended;
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /WATCHED 0/);
    });
  }

  test(`${kind.name}: drains when a listener does nothing about it`, { timeout }, async () => {
    const app = await begin(`process.on('SIGTERM', () => console.log('HEARD'));`);
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout } = await app.ended;
    assert.equal(code, 0);
    assert.match(stdout, /HEARD/);
  });

  test(`${kind.name}: ends at once while its start keeps the thread busy`, { timeout }, async () => {
    const app = await begin(busy('START'));
    await app.seen(/START/);
    app.kill('SIGTERM');
    const { signal, stdout } = await app.ended;
    assert.equal(signal, 'SIGTERM');
    assert.doesNotMatch(stdout, /GONE ON/);
  });

  test(`${kind.name}: ends at once the second time`, { timeout }, async () => {
    const app = await begin(`process.on('SIGTERM', () => server.close(() => console.log('CLOSED')));`);
    const never = fetchText(await app.port(), '/never').catch(() => 'cut');
    await app.seen(/NEVER/);
    app.kill('SIGTERM');
    await refused(await app.port());
    app.kill('SIGTERM');
    assert.equal((await app.ended).signal, 'SIGTERM');
    assert.equal(await never, 'cut');
  });

  test(`${kind.name}: lets an async listener finish what it awaits`, { timeout }, async () => {
    const app = await begin(
      `process.on('SIGTERM', async () => { await new Promise((done) => setTimeout(done, 2000)); console.log('WRITTEN BACK ' + server.listening); process.exit(6); });`,
    );
    await app.port();
    app.kill('SIGTERM');
    const { code, stdout } = await app.ended;
    assert.equal(code, 6);
    assert.match(stdout, /WRITTEN BACK true/);
  });
}

/** Resolves when nobody listens there any more. */
async function refused(port: number): Promise<void> {
  const isThere = (): Promise<boolean> =>
    fetchText(port).then(
      () => true,
      () => false,
    );
  while (await isThere());
}
