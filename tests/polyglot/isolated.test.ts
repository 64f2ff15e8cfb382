/** Processes that isolate Python, and the one that they belong to: how they end, what they write, whose signals they have. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { here, type Started, start as startWith } from './started.ts';

const MODULE = JSON.stringify(here('python/end.py'));
const PATIENCE_MS = 60_000;

/** `code` has the module as `end`, and `pids`, those of the processes that have it. */
const start = (code: string, processes = 1): Started =>
  startWith(`const workers = python.isolated({ processes: ${processes} }); await workers.start();
    const end = await workers.import(${MODULE});
    const pids = [await end.pid()];
    console.log('pid', ...pids);
    ${code}`);

/** One that nobody has waited for is gone. */
function isThere(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

async function gone(pid: number): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (isThere(pid)) {
    assert.ok(performance.now() < until, `process ${pid} is still there`);
    await pause(10);
  }
}

const pidOf = async ({ seen }: Started): Promise<number> => Number((await seen(/pid \d+\n/)).slice(4));

describe('a process that isolates Python', () => {
  it('ends with the one that it belongs to, having written what it had', async () => {
    const started = start('await end.write("no line");');
    const pid = await pidOf(started);
    const { code, output } = await started.ended;
    assert.equal(code, 0, output);
    assert.match(output, /no line/);
    await gone(pid);
  });

  it('writes its lines where that does', async () => {
    const { code, output } = await start("await workers.exec(\"import sys; print('to out'); print('to err', file=sys.stderr)\");").ended;
    assert.equal(code, 0, output);
    assert.match(output, /to out\n/);
    assert.match(output, /to err\n/);
  });

  it('keeps that one alive for a call that runs, and not without', async () => {
    const { code, output } = await start('end.sleep(0.2).then(console.log);').ended;
    assert.equal(code, 0, output);
    assert.match(output, /slept/);
  });

  for (const [what, call] of [
    ['computes', 'end.spin()'],
    ['waits', 'end.sleep(60)'],
    ['waits for JavaScript', 'workers.eval("f()", { locals: { f: () => new Promise(() => undefined) } })'],
  ] as const) {
    it(`ends when that one exits while it ${what}`, async () => {
      const started = start(`${call}.catch(() => undefined); setTimeout(() => process.exit(3), 50);`);
      const pid = await pidOf(started);
      const { code, output } = await started.ended;
      assert.equal(code, 3, output);
      await gone(pid);
    });

    it(`ends when that one is killed while it ${what}`, async () => {
      const started = start(`${call}.catch(() => undefined); setTimeout(() => console.log('ready'), 50);`);
      const pid = await pidOf(started);
      await started.seen('ready');
      started.child.kill('SIGKILL');
      await started.ended;
      await gone(pid);
    });
  }

  it('ends with the thread of JavaScript that has it', async () => {
    const thread = JSON.stringify(here('isolated-thread.ts'));
    const register = JSON.stringify(here('../../scripts/ts-register.mjs'));
    const started = startWith(`
      import { Worker } from 'node:worker_threads';
      const worker = new Worker(${thread}, { execArgv: ['--import', ${register}] });
      console.log('pid', await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject)));
      await worker.terminate();
      console.log('terminated');
      setInterval(() => undefined, 1_000);`);
    const pid = await pidOf(started);
    await started.seen('terminated');
    await gone(pid);
    started.child.kill('SIGKILL');
    await started.ended;
  });

  it('leaves Ctrl-C to that one', async () => {
    const started = start(
      'process.on("SIGINT", async () => { console.log("heard", await end.pid() === pids[0]); process.exit(0); }); end.sleep(60).catch(() => undefined); setTimeout(() => console.log("ready"), 50);',
    );
    const pid = await pidOf(started);
    await started.seen('ready');
    process.kill(pid, 'SIGINT');
    started.child.kill('SIGINT');
    const { code, output } = await started.ended;
    assert.equal(code, 0, output);
    assert.match(output, /heard true/);
    await gone(pid);
  });

  it('leaves nothing open when it is closed', async () => {
    const { code, output } = await start(`const { readdirSync } = await import('node:fs');
      const open = () => readdirSync('/proc/self/fd').length;
      const once = async () => { const one = python.isolated(); await one.eval('1'); await one.close(); };
      await once();
      const before = open();
      for (let round = 0; round < 10; round += 1) await once();
      const until = performance.now() + 10_000;
      while (open() > before && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 10));
      console.log('more by', Math.max(0, open() - before), 'descriptors');`).ended;
    assert.equal(code, 0, output);
    assert.match(output, /more by 0 descriptors/);
  });

  it('has children of its own, which do not keep it', async () => {
    const started = start(`
      await workers.exec("import os, time\\nif os.fork() == 0:\\n    time.sleep(2)\\n    os._exit(0)\\n");
      await end.crash().catch((error) => console.log(error.code));
      console.log(await end.pid() === pids[0], await end.fork());
      process.exit(0);`);
    const { code, output } = await started.ended;
    assert.equal(code, 0, output);
    assert.match(output, /ERR_GUEST_CRASHED\nfalse 42/);
  });
});
