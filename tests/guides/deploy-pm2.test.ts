/** docs/guide/deploy.md: pm2 with the page's two files, by the page's commands, while requests arrive. */
import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../packages/cli/src/free-port.ts';
import { endDaemon, runCommand } from './commands.ts';
import { deployment, guide, isReady, underLoad, until, workersOf } from './deployment.ts';

const { context } = deployment();

describe('docs/guide/deploy.md: pm2', () => {
  before(() => {
    const installed = fileURLToPath(new URL('node_modules/', import.meta.url));
    for (const path of ['pm2', '.bin/pm2']) symlinkSync(join(installed, path), join(context, 'node_modules', path));
  });

  after(() => endDaemon(context));

  it('renews the workers of fulmar run without a failed request, and a stop completes replies', { timeout: 120_000 }, async () => {
    const [start, renew, stop] = commands('pm2');
    const url = await startBy(start);
    const [supervisor = ''] = await pids();
    const workers = workersOf({ pid: Number(supervisor) });
    assert.equal(workers.length, 2);
    await areOnFulmar(workers);
    await underLoad(url, async () => {
      await runCommand({ folder: context }, renew);
      await until('workers are renewed', () => !workersOf({ pid: Number(supervisor) }).some((pid) => workers.includes(pid)));
    });
    assert.deepEqual(await pids(), [supervisor]);
    await completesReplies(url, stop);
  });

  it('reloads in cluster mode without a failed request, and a stop completes replies', { timeout: 120_000 }, async () => {
    const [start, reload, stop] = commands('pm2 in cluster mode');
    const url = await startBy(start);
    const workers = await pids();
    assert.equal(workers.length, 2);
    await areOnFulmar(workers);
    await underLoad(url, async () => {
      const slow = await fetch(`${url}/slow`);
      await runCommand({ folder: context }, reload);
      assert.equal(await slow.text(), 'working, done');
    });
    const renewed = await pids();
    assert.equal(renewed.length, 2);
    assert.ok(!renewed.some((pid) => workers.includes(pid)));
    await areOnFulmar(renewed);
    await completesReplies(url, stop);
  });
});

/** The three lines of a block of the page. */
function commands(title: string): readonly [string, string, string] {
  const [start, renew, stop, ...rest] = guide.command(title).trim().split('\n');
  assert.ok(start !== undefined && renew !== undefined && stop !== undefined && rest.length === 0);
  return [start, renew, stop];
}

async function startBy(command: string): Promise<string> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  await runCommand({ folder: context }, `PORT=${port} ${command}`);
  await until(`${command} serves`, () => isReady(url));
  return url;
}

/** Of what pm2 itself has started and not stopped. */
async function pids(): Promise<readonly string[]> {
  const printed = await runCommand({ folder: context }, 'npx pm2 pid hello');
  return printed.split('\n').filter((line) => /^[1-9]\d*$/.test(line));
}

/** The engine is loaded when a server listens. */
async function areOnFulmar(processes: readonly string[]): Promise<void> {
  const isLoaded = (pid: string): boolean => /fulmar\.[\w-]+\.node/.test(readFileSync(`/proc/${pid}/maps`, 'utf8'));
  await until('all workers are on Fulmar', () => processes.every(isLoaded));
}

/** A reply that has begun when `stop` is given is completed; then nobody listens. */
async function completesReplies(url: string, stop: string): Promise<void> {
  const slow = await fetch(`${url}/slow`);
  await runCommand({ folder: context }, stop);
  assert.equal(await slow.text(), 'working, done');
  await assert.rejects(fetch(url));
  assert.deepEqual(await pids(), []);
  await runCommand({ folder: context }, 'npx pm2 delete hello');
}
