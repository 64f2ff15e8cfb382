/**
 * Memory stays where it is over a million calls, exceptions, calls that are given up, objects that are dropped, functions
 * of JavaScript's and large values. The process is measured from the outside of both heaps: its resident memory.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { python, withOptions } from '../../packages/fulmar/src/polyglot/index.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Contract = Readonly<Record<'add' | 'call' | 'counter' | 'echo' | 'fail' | 'greet' | 'spin', Call>>;

const AT_ONCE = 200;
const MB = 1_048_576;
/** What heaps of two languages take and give back between two looks. */
const GROWTH_MB_MAX = 24;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

const module = await python.import<Contract>('../../packages/fulmar/test/polyglot/fixtures/contract.py', { from: import.meta.url });

const hasNotFailed = (value: unknown): never => assert.fail(`it gave ${String(value)}`);

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
  await module.add(1, 2);
  return process.memoryUsage.rss() / MB;
}

/** `work` once, so that everything has its room, then measured. */
async function staysFlat(work: (share: number) => Promise<void>): Promise<void> {
  await work(0.2);
  const before = await resident();
  await work(1);
  const grown = (await resident()) - before;
  assert.ok(grown < GROWTH_MB_MAX, `resident memory has grown by ${grown.toFixed(1)} MB`);
}

describe('memory stays where it is', () => {
  it('over a million calls', () => staysFlat((share) => many(1_000_000 * share, (index) => module.add(index, 1))));

  it('over a hundred thousand values of some size', () =>
    staysFlat((share) =>
      many(100_000 * share, (index) => module.echo({ index, list: [1, 2, 3], text: 'x'.repeat(200), at: new Date(index) })),
    ));

  it('over fifty thousand exceptions', () =>
    staysFlat((share) => many(50_000 * share, (index) => module.fail(String(index)).then(hasNotFailed, () => undefined))));

  it('over a hundred thousand objects that nobody has any more', () =>
    staysFlat((share) => many(100_000 * share, (index) => module.counter(index).then(() => undefined))));

  it('over fifty thousand functions of JavaScript’s', () =>
    staysFlat((share) => many(50_000 * share, (index) => module.call((value: number) => value + 1, index))));

  it('over three hundred large values', () =>
    staysFlat(async (share) => {
      const value = new Uint8Array(4 * MB).fill(1);
      for (let index = 0; index < 300 * share; index += 1) assert.equal(((await module.echo(value)) as Uint8Array).length, value.length);
    }));

  it('over a hundred calls that are given up', () =>
    staysFlat(async (share) => {
      const hasty = withOptions(module, { timeout: 2 });
      for (let index = 0; index < 100 * share; index += 1) await hasty.spin().then(hasNotFailed, () => undefined);
    }));
});
