/**
 * What a guest gives and JavaScript cannot make is an error of that call alone: of those that come with it none is lost, and
 * large values stay with those that they belong to. Calls that are waited for beside others.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Decimal, python, withOptions } from '../../src/polyglot/index.ts';
import { Inbox } from '../../src/polyglot/wire/inbox.ts';
import { GuestTag } from '../../src/polyglot/wire/tags.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Module = Readonly<Record<'echo' | 'call' | 'call_safely' | 'sleep' | 'add', Call>>;

const report = await python.look();
const skip = report.problem ?? false;
const load = (): Promise<Module> => python.import<Module>(fileURLToPath(new URL('fixtures/contract.py', import.meta.url)));

/** `work` while no Set can be made. */
async function withoutSets<Value>(work: () => Promise<Value>): Promise<Value> {
  const own = globalThis.Set;
  try {
    globalThis.Set = class {
      constructor() {
        throw new RangeError('no room for a set');
      }
    } as unknown as SetConstructor;
    return await work();
  } finally {
    globalThis.Set = own;
  }
}

test('a value that cannot be made is an error of its call', { skip }, async () => {
  const module = await load();
  const large = (byte: number): Uint8Array => new Uint8Array(20_000).fill(byte);
  const calls = [module.echo(large(1)), module.echo([new Set([1]), large(2)]), module.echo(large(3)), module.add(1, 2)];
  const results = await withoutSets(() => Promise.allSettled(calls));
  const [first, second, third, sum] = results.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as unknown)));
  assert.deepEqual([first, third, sum], [large(1), large(3), 3]);
  assert.equal((second as { code?: string }).code, 'ERR_GUEST_VALUE');
  assert.match(String(second), /cannot be a value of JavaScript's: no room for a set/);
});

test('a function that cannot be given its arguments has thrown', { skip }, async () => {
  const module = await load();
  const call = module.call(() => assert.fail('it is not called'), new Set([1]));
  await assert.rejects(
    withoutSets(() => call),
    /cannot be a value of JavaScript's/,
  );
});

test('decimals that are no numbers are decimals', { skip }, async () => {
  for (const digits of ['NaN', 'sNaN', '-NaN12', '-Infinity', '0E-10']) {
    const back = await python.eval(`__import__('decimal').Decimal('${digits}')`);
    assert.ok(back instanceof Decimal);
    assert.equal(String(back), digits);
  }
});

test('a call that is waited for is given up by a signal that a function of its aborts', { skip }, async () => {
  const module = await load();
  const controller = new AbortController();
  const call = (): unknown =>
    withOptions(module, { sync: true, signal: controller.signal }).call(() => controller.abort(new Error('enough')));
  assert.throws(call, /enough/);
  assert.equal(await module.add(1, 2), 3);
});

test('a large value that there is no buffer of is an error of its call', () => {
  const inbox = new Inbox(Uint8Array.of(GuestTag.ATTACHED, 0), [new ArrayBuffer(0), null], { handle: () => null, borrowed: () => null });
  assert.throws(() => inbox.value(), /no memory for it/);
});
