/**
 * Ruby in a process that lives long: libraries of others, memory that stays where it is, signals that stay whose they
 * were. The process is measured from the outside of both heaps: its resident memory.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { kwargs, ruby, withOptions } from '../../packages/fulmar/src/polyglot/index.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Contract = Readonly<Record<'add' | 'call' | 'counter' | 'count_to' | 'echo' | 'fail' | 'spin', Call>>;

/** `Kramdown::Document`. */
interface Markdown {
  readonly to_html: Call;
  readonly root: { readonly children: { readonly length: PromiseLike<unknown> } };
}

interface Kramdown {
  readonly Kramdown: { readonly Document: new (...args: readonly unknown[]) => Promise<Markdown> };
  readonly VERSION: PromiseLike<unknown>;
}

/** Of the DOM's types, which tests do without. */
interface Wasm {
  readonly instantiate: (code: Uint8Array) => Promise<{ readonly instance: { readonly exports: { readonly f: (at: number) => number } } }>;
  readonly RuntimeError: new () => Error;
}

const AT_ONCE = 200;
const MB = 1_048_576;
/** What heaps of two languages take and give back between two looks. */
const GROWTH_MB_MAX = 24;
/** Bit of `SIGVTALRM` and `SIGCHLD` in the kernel's sets: Ruby's own, and that of who waits for a child at the time. */
const LEFT_OUT = (1n << 25n) | (1n << 16n);

/** Signals that have a handler. */
const caught = (): bigint => BigInt(`0x${/^SigCgt:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? ''}`) & ~LEFT_OUT;

const { problem } = await ruby.look();
const skip = problem ?? false;
const before = process.platform === 'linux' ? caught() : 0n;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const load = (): Promise<Contract> =>
  ruby.import<Contract>('../../packages/fulmar/test/polyglot/fixtures/contract.rb', { from: import.meta.url });

async function many(count: number, call: (index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => call(from + index)));
    if (from % (AT_ONCE * 50) === 0) await turn();
  }
}

async function resident(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    gc();
    await turn();
  }
  await ruby.exec('GC.start');
  return process.memoryUsage.rss() / MB;
}

/** A share of `work`, so that everything has its room, then measured. V8 takes its own over the first hundred thousands. */
async function staysFlat(work: (share: number) => Promise<void>, firstShare = 0.25): Promise<void> {
  await work(firstShare);
  const first = await resident();
  await work(1);
  const grown = (await resident()) - first;
  assert.ok(grown < GROWTH_MB_MAX, `resident memory has grown by ${grown.toFixed(1)} MB`);
}

const hasNotFailed = (value: unknown): never => assert.fail(`it gave ${String(value)}`);

describe('signals stay whose they were', { skip: process.platform === 'linux' ? skip : 'the kernel is asked by /proc' }, () => {
  it('when Ruby has started, and has had children', async () => {
    await ruby.start();
    assert.equal(caught().toString(16), before.toString(16));
    assert.deepEqual(
      await ruby.eval('[`echo a`, system("exit 3"), $?.exitstatus, IO.popen("cat", "r+") { |io| io.write("b"); io.close_write; io.read }]'),
      ['a\n', false, 3, 'b'],
    );
    assert.equal(execFileSync('echo', ['c'], { encoding: 'utf8' }), 'c\n');
    assert.equal(caught().toString(16), before.toString(16));
  });

  it('and faults of WebAssembly are still exceptions', async () => {
    await ruby.start();
    // (memory 1) (func (export "f") (param i32) (result i32) local.get 0 i32.load)
    const code = '0061736d0100000001060160017f017f030201000503010001070501016600000a0901070020002802000b';
    const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: Wasm };
    const { f } = (await wasm.instantiate(Buffer.from(code, 'hex'))).instance.exports;
    assert.equal(f(0), 0);
    assert.throws(() => f(0x7fff0000), wasm.RuntimeError);
    await assert.rejects(async () => ruby.eval('value = []; 200_000.times { value = [value] }; value.inspect'), {
      class: 'SystemStackError',
    });
    assert.throws(() => f(0x7fff0000), wasm.RuntimeError);
  });

  it('and those of a process that Ruby forks are its own', async () => {
    let heard = 0;
    const listen = (): void => void (heard += 1);
    process.on('SIGTERM', listen);
    try {
      const bare =
        'pid = fork; if pid.nil? then sleep 60 else sleep 0.05; Process.kill(:TERM, pid); Process.wait(pid); [$?.signaled?, $?.termsig] end';
      assert.deepEqual(await ruby.eval(bare, { timeout: 10_000 }), [true, 15]);
      const block =
        'pid = fork { trap(:TERM) { exit!(7) }; system("true") or exit!(8); Process.kill(:TERM, Process.pid); sleep 60 }; Process.wait(pid); $?.exitstatus';
      assert.equal(await ruby.eval(block, { timeout: 10_000 }), 7);
      assert.equal(heard, 0);
    } finally {
      process.off('SIGTERM', listen);
    }
  });

  it('and children of Ruby’s can be ended by them', async () => {
    const code = 'pid = spawn("sleep 60"); Process.kill(:TERM, pid); Process.wait(pid); [$?.signaled?, $?.termsig]';
    assert.deepEqual(await ruby.eval(code, { timeout: 10_000 }), [true, 15]);
  });
});

describe('memory stays where it is in Ruby', { skip }, () => {
  it('over a million calls', async () => {
    const module = await load();
    await staysFlat((share) => many(1_000_000 * share, (index) => module.add(index, 1)), 1.5);
  });

  it('over values of some size, exceptions, objects, functions, iterations', async () => {
    const module = await load();
    await staysFlat(async (share) => {
      await many(10_000 * share, (index) => module.echo({ index, list: [1, 2, 3], text: 'x'.repeat(200), at: new Date(index) }));
      await many(5_000 * share, (index) => module.fail(String(index)).then(hasNotFailed, () => undefined));
      await many(20_000 * share, (index) => module.counter(index).then(() => undefined));
      await many(5_000 * share, (index) => module.call((value: number) => value + 1, index));
      await many(400 * share, async () => {
        for await (const value of (await module.count_to(3)) as AsyncIterable<unknown>) if (value === 2) break;
      });
    });
  });

  it('over large values, and calls that are given up', async () => {
    const module = await load();
    const value = new Uint8Array(4 * MB).fill(1);
    const hasty = withOptions(module, { timeout: 2 });
    await staysFlat(async (share) => {
      for (let index = 0; index < 60 * share; index += 1) assert.equal(((await module.echo(value)) as Uint8Array).length, value.length);
      for (let index = 0; index < 8 * share; index += 1) await hasty.spin().then(hasNotFailed, () => undefined);
    });
  });

  it('while Ruby collects and moves its objects at every turn', async () => {
    const module = await load();
    const value = { list: [1, 'x', { big: 2n ** 70n, at: new Date(0), set: new Set(['y']) }], numbers: new Float64Array([1, 2]) };
    await ruby.exec('GC.stress = true');
    try {
      assert.deepEqual(await module.echo(value), value);
      assert.deepEqual(await module.call((...all: unknown[]) => all, [1], 'two', { three: 3 }), [[1], 'two', { three: 3 }]);
      await assert.rejects(module.fail('no'), { message: 'no' });
    } finally {
      await ruby.exec('GC.stress = false');
    }
    await ruby.exec('GC.compact if GC.respond_to?(:compact)');
    assert.deepEqual(await module.echo(value), value);
  });
});

describe('a library of Ruby', { skip }, () => {
  it('turns Markdown into HTML, with constants as members', async (t) => {
    const kramdown = await ruby.import<Kramdown>('kramdown').catch((error: { class?: string }) => {
      assert.equal(error.class, 'LoadError');
    });
    if (kramdown === undefined) return t.skip('kramdown is not installed (Debian: apt-get install ruby-kramdown)');
    const document = await new kramdown.Kramdown.Document('# Grüße\n\n*x*', kwargs({ auto_ids: false }));
    assert.equal(await document.to_html(), '<h1>Grüße</h1>\n\n<p><em>x</em></p>\n');
    assert.match(String(await kramdown.VERSION), /^\d+\.\d+/);
    assert.equal(await document.root.children.length, 3);
  });

  it('encrypts and compresses, with the libraries that it was built for', async () => {
    const digest = "require 'openssl'; OpenSSL::Digest::SHA256.hexdigest('a')";
    assert.equal(await ruby.eval(digest), 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb');
    const signed = "key = OpenSSL::PKey::RSA.new(2048); key.public_key.verify('SHA256', key.sign('SHA256', 'x'), 'x')";
    assert.equal(await ruby.eval(signed), true);
    assert.equal(await ruby.eval("require 'zlib'; Zlib.inflate(Zlib.deflate('hello' * 1000)).size"), 5_000);
  });

  it('that is not there is an exception with its name', async () => {
    await assert.rejects(ruby.import('no_such_library'), { class: 'LoadError', message: /no_such_library/ });
    await assert.rejects(ruby.import('./no_such_file.rb', { from: import.meta.url }), {
      class: 'LoadError',
      message: /no such file: .*no_such_file\.rb/,
    });
  });
});
