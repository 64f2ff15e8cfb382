/**
 * Options of Node where the process cannot be replaced, as with a channel to its parent: signals reach the
 * program, which does not outlive the process that was started.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { fulmarBin, nodeBinary, writeProject } from './support.ts';

const folder = writeProject({
  'hears.cjs': `
for (const name of ['SIGUSR1', 'SIGUSR2', 'SIGQUIT', 'SIGCONT', 'SIGHUP']) process.on(name, () => console.log('HEARD ' + name));
require('http').createServer().listen(0, () => console.log('READY ' + process.pid + ' ' + (process.env.FULMAR_WRAPPER ?? 'clean') + ' '));`,
  // The wrapper's look comes before this timer: both count in one process.
  'drops.cjs': `console.log('READY ' + process.pid + ' clean '); process.setuid(65534); setTimeout(() => console.log('LIVES'), 1500);`,
  'ends.cjs': `console.log('READY ' + process.pid + ' clean '); process.once('message', (code) => process.exit(code));`,
});

const started = new Set<ChildProcess>();
after(() => {
  for (const child of started) child.kill('SIGKILL');
});

interface Wrapped {
  readonly wrapper: ChildProcess;
  readonly pid: number;
  seen(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<readonly [number | null, string | null]>;
}

async function wrap(args: readonly string[]): Promise<Wrapped> {
  const { NODE_OPTIONS: _options, NODE_TEST_CONTEXT: _context, ...env } = process.env;
  const wrapper = spawn(nodeBinary, [fulmarBin, 'run', ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  started.add(wrapper);
  const ended = new Promise<readonly [number | null, string | null]>((done) => {
    wrapper.once('exit', (code, signal) => (started.delete(wrapper), done([code, signal])));
  });
  let text = '';
  const watchers = new Set<() => void>();
  wrapper.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (const watch of watchers) watch();
  });
  const seen = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((found) => {
      const look = (): void => {
        const match = pattern.exec(text);
        if (match === null) return;
        watchers.delete(look);
        found(match);
      };
      watchers.add(look);
      look();
    });
  const [, pid, variable] = await seen(/READY (\d+) (\w+) /);
  assert.equal(variable, 'clean');
  assert.notEqual(Number(pid), wrapper.pid);
  return { wrapper, pid: Number(pid), seen, ended };
}

/** Ended, or ended and not yet asked for by its parent. */
function isGone(pid: number): boolean {
  try {
    return / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return true;
  }
}

async function gone(pid: number): Promise<void> {
  for (let looks = 0; !isGone(pid); looks++) {
    assert.ok(looks < 1_000, `process ${pid} lives`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

describe('the process that was started for options of Node', { timeout: 60_000 }, () => {
  for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGQUIT', 'SIGCONT', 'SIGHUP'] as const) {
    it(`hands ${signal} on`, async () => {
      const { wrapper, seen, ended } = await wrap(['--trace-warnings', 'hears.cjs']);
      wrapper.kill(signal);
      await seen(new RegExp(`HEARD ${signal}`));
      wrapper.kill('SIGTERM');
      assert.deepEqual(await ended, [0, null]);
    });
  }

  it('ends as the program ends', async () => {
    const { wrapper, ended } = await wrap(['--trace-warnings', 'ends.cjs']);
    wrapper.send(9);
    assert.deepEqual(await ended, [9, null]);
  });

  it('leaves a program alone that has given up its rights', { skip: process.getuid?.() !== 0 && 'needs rights to give up' }, async () => {
    const { wrapper, seen, ended } = await wrap(['--watch', 'drops.cjs']);
    await Promise.race([seen(/LIVES/), ended.then((how) => assert.fail(`ended: ${how.join()}`))]);
    wrapper.kill('SIGTERM');
    await ended;
  });

  for (const args of [['--trace-warnings'], ['--workers', '2', '--trace-warnings'], ['--watch']]) {
    it(
      `takes the program along when it is killed: ${args.join(' ')}`,
      { skip: process.platform !== 'linux' && 'reads /proc' },
      async () => {
        const { wrapper, pid, ended } = await wrap([...args, 'hears.cjs']);
        wrapper.kill('SIGKILL');
        assert.deepEqual(await ended, [null, 'SIGKILL']);
        await gone(pid);
      },
    );
  }
});
