/**
 * A process with another language in it: how it ends, what it does with signals, threads and children. The same for each
 * language: modules with the same functions.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { guests } from '../../packages/fulmar/src/polyglot/index.ts';
import { here, type Started, start as startWith } from './started.ts';

/** By language: a module with the functions that are called here. */
const modules: Readonly<Record<string, string>> = { java: 'java/End.java', python: 'python/end.py', ruby: 'ruby/end.rb' };

/** `before`: what runs before the language is there. */
const starter =
  (language: string) =>
  (code: string, before = ''): Started => {
    const module = JSON.stringify(here(modules[language] as string));
    return startWith(`${before} const end = await guests.get('${language}').import(${module});\n${code}`);
  };

for (const language of Object.keys(modules)) {
  const { problem } = (await guests.get(language)?.look()) ?? { problem: 'there is no such guest' };
  const start = starter(language);
  describe(`a process with ${language} in it, as with others`, { skip: problem ?? false }, () => {
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
      it(`ends at once while it ${what}`, async () => {
        const { code, output } = await start(`${call}; setTimeout(() => process.exit(3), 50);`).ended;
        assert.equal(code, 3, output);
        assert.match(output, /behind all/);
      });

    it('is ended by a signal while it computes', async () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) {
        const { child, ended, seen } = start('end.spin().catch(() => undefined); setTimeout(() => console.log("ready"), 50);');
        await seen('ready');
        child.kill(signal);
        assert.equal((await ended).signal, signal);
      }
    });

    it('hears signals while it computes', async () => {
      const { child, ended, seen } = start(
        'process.once("SIGINT", () => { console.log("heard"); process.exit(0); }); end.spin().catch(() => undefined); setTimeout(() => console.log("ready"), 50);',
      );
      await seen('ready');
      child.kill('SIGINT');
      const { code, output } = await ended;
      assert.equal(code, 0, output);
      assert.match(output, /heard/);
    });

    it('has children, of its own and of Node', async () => {
      const { code, output } = await start(
        `import { execFileSync } from 'node:child_process'; console.log(await end.fork(), execFileSync('echo', ['node']).toString());`,
      ).ended;
      assert.equal(code, 0, output);
      assert.match(output, /42 node/);
    });

    it('keeps its signals, whatever is installed there', async () => {
      const { child, ended, seen } = start(
        'process.once("SIGINT", () => { console.log("heard"); process.exit(0); }); console.log(await end.take_signal()); setInterval(() => undefined, 1000);',
      );
      await seen('stays with JavaScript');
      child.kill('SIGINT');
      const { code, output } = await ended;
      assert.equal(code, 0, output);
      assert.match(output, /heard/);
      assert.doesNotMatch(output, /taken/);
    });

    it('has threads of JavaScript, each with objects of its own', async () => {
      const { code, output } = await start(`
      import { Worker } from 'node:worker_threads';
      const run = async () => {
        const worker = new Worker(${JSON.stringify(here('thread.ts'))}, { workerData: { language: ${JSON.stringify(language)}, module: ${JSON.stringify(modules[language])} }, execArgv: ['--import', ${JSON.stringify(here('../../scripts/ts-register.mjs'))}] });
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
}

describe('a process with Java in it', { skip: (await guests.get('java')?.look())?.problem ?? false }, () => {
  const start = starter('java');

  it('ends at once while Java computes and never looks', async () => {
    const { code, output } = await start('for (let n = 0; n < 3; n += 1) end.never_look(); setTimeout(() => process.exit(3), 50);').ended;
    assert.equal(code, 3, output);
    assert.match(output, /behind all/);
  });

  it('goes on where calls are given up that never look, on another thread', async () => {
    const { code, output } = await start(
      'await withOptions(end, { timeout: 20 }).never_look().catch((error) => console.log(error.code)); console.log(await end.count(10)); process.exit(0);',
    ).ended;
    assert.equal(code, 0, output);
    assert.match(output, /ERR_GUEST_TIMEOUT\n45/);
  });

  it('has accesses of WebAssembly beyond its memory as errors, and null and a full stack as Java’s', async () => {
    // (memory 1) (func (export "f") (param i32) (result i32) local.get 0 i32.load)
    const wasm = '0061736d0100000001060160017f017f030201000503010001070501016600000a0901070020002802000b';
    const { code, output } = await start(`
      const { instance } = await WebAssembly.instantiate(Buffer.from('${wasm}', 'hex'));
      const beyond = () => { try { return instance.exports.f(0x7fffffff); } catch (error) { return error.name; } };
      for (let n = 0; n < 10_000; n += 1) if (beyond() !== 'RuntimeError') console.log(beyond());
      console.log(await end.nothing(200_000), (await end.deep().catch((error) => error)).class, beyond());`).ended;
    assert.equal(code, 0, output);
    assert.match(output, /^200000 java\.lang\.StackOverflowError RuntimeError$/m);
  });

  it('hears of SIGUSR2, which the virtual machine takes at its start', async () => {
    const { child, ended, seen } = start(
      'console.log("ready"); setInterval(() => undefined, 1000);',
      'process.once("SIGUSR2", () => { console.log("heard"); process.exit(0); });',
    );
    await seen('ready');
    child.kill('SIGUSR2');
    const { code, output } = await ended;
    assert.equal(code, 0, output);
    assert.match(output, /heard/);
  });
});

describe('a process with Python in it', () => {
  const start = starter('python');

  it('has children that signals end', async () => {
    const { code, output } = await start('console.log(await end.end_child());').ended;
    assert.equal(code, 0, output);
    assert.match(output, /^-15$/m);
  });

  it('is not ended by sys.exit(), nor are coroutines', async () => {
    const program = `console.log((await end.leave().catch((error) => error)).class, (await end.leave_later().catch((error) => error)).message, await end.later());`;
    const { code, output } = await start(program).ended;
    assert.equal(code, 0, output);
    assert.match(output, /^SystemExit SystemExit in a coroutine: 5 later$/m);
  });

  it('has processes of Python', async () => {
    const { code, output } = await start('console.log(await end.in_processes());').ended;
    assert.equal(code, 0, output);
    assert.match(output, /\[ 6, 24 \]/);
  });
});
