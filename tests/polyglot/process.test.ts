/** A process with Python in it: how it ends, what it does with signals, threads and children. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { spawn, type ChildProcess } from 'node:child_process';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const API = JSON.stringify(here('../../packages/fulmar/src/polyglot/index.ts'));
const MODULE = JSON.stringify(here('python/end.py'));
const PATIENCE_MS = 30_000;

interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly output: string;
}

function start(code: string): { child: ChildProcess; ended: Promise<Ended>; seen: (text: string) => Promise<void> } {
  const program = `import { python, withOptions } from ${API}; const end = await python.import(${MODULE});\n${code}`;
  const child = spawn(process.execPath, ['--import', here('../../scripts/ts-register.mjs'), '--input-type=module', '-e', program]);
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS);
  let output = '';
  const watchers = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const look of watchers) look();
    });
  const ended = once(child, 'close').then(([exitCode, signal]) => {
    clearTimeout(timer);
    return { code: exitCode as number | null, signal: signal as string | null, output };
  });
  const seen = async (text: string): Promise<void> => {
    if (output.includes(text)) return;
    await Promise.race([
      new Promise<void>((resolve) => watchers.add(() => output.includes(text) && resolve())),
      ended.then(({ output: all }) => assert.ok(all.includes(text), `ended without ${text}: ${all}`)),
    ]);
  };
  return { child, ended, seen };
}

describe('a process with Python in it', () => {
  it('ends by itself when nothing is left to do, with all that was written', async () => {
    const { code, output } = await start('await end.write("no line");').ended;
    assert.equal(code, 0, output);
    assert.match(output, /no line.*behind all/s);
  });

  it('stays alive for a call that runs', async () => {
    const { code, output } = await start('end.sleep(0.2).then(console.log);').ended;
    assert.equal(code, 0, output);
    assert.match(output, /slept/);
  });

  for (const [what, call] of [
    ['computes', 'end.spin()'],
    ['waits', 'end.sleep(60)'],
    ['has a thread of its own', 'await end.start_thread()'],
  ])
    it(`ends at once while Python ${what}`, async () => {
      const { code, output } = await start(`${call}; setTimeout(() => process.exit(3), 50);`).ended;
      assert.equal(code, 3, output);
      assert.match(output, /behind all/);
    });

  it('is ended by a signal while Python computes', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { child, ended, seen } = start('end.spin().catch(() => undefined); setTimeout(() => console.log("ready"), 50);');
      await seen('ready');
      child.kill(signal);
      assert.equal((await ended).signal, signal);
    }
  });

  it('hears signals while Python computes', async () => {
    const { child, ended, seen } = start(
      'process.once("SIGINT", () => { console.log("heard"); process.exit(0); }); end.spin().catch(() => undefined); setTimeout(() => console.log("ready"), 50);',
    );
    await seen('ready');
    child.kill('SIGINT');
    const { code, output } = await ended;
    assert.equal(code, 0, output);
    assert.match(output, /heard/);
  });

  it('has children, of Python and of Node', async () => {
    const { code, output } = await start(
      `import { execFileSync } from 'node:child_process'; console.log(await end.fork(), execFileSync('echo', ['node']).toString());`,
    ).ended;
    assert.equal(code, 0, output);
    assert.match(output, /42 node/);
  });

  it('is not ended by sys.exit(), nor are coroutines', async () => {
    const program = `console.log((await end.leave().catch((error) => error)).class, (await end.leave_later().catch((error) => error)).message, await end.later());`;
    const { code, output } = await start(program).ended;
    assert.equal(code, 0, output);
    assert.match(output, /^SystemExit SystemExit in a coroutine: 5 later$/m);
  });

  it('keeps its signals, whatever Python installs', async () => {
    const { child, ended, seen } = start(
      'process.once("SIGINT", () => { console.log("heard"); process.exit(0); }); console.log(await end.take_signal()); setInterval(() => undefined, 1000);',
    );
    await seen('stays with JavaScript');
    child.kill('SIGINT');
    const { code, output } = await ended;
    assert.equal(code, 0, output);
    assert.match(output, /heard/);
  });

  it('has processes of Python', async () => {
    const { code, output } = await start('console.log(await end.in_processes());').ended;
    assert.equal(code, 0, output);
    assert.match(output, /\[ 6, 24 \]/);
  });

  it('has threads of JavaScript, each with objects of its own', async () => {
    const { code, output } = await start(`
      import { Worker } from 'node:worker_threads';
      const run = async () => {
        const worker = new Worker(${JSON.stringify(here('thread.ts'))}, { execArgv: ['--import', ${JSON.stringify(here('../../scripts/ts-register.mjs'))}] });
        const value = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
        await worker.terminate();
        return value;
      };
      for (let round = 0; round < 3; round += 1) console.log(await Promise.all([run(), run()]));
      console.log(await end.count(10));`).ended;
    assert.equal(code, 0, output);
    assert.match(output, /(?:\[ 499500, 499500 \]\n){3}45/);
  });
});
