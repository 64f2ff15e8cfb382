/**
 * Memory stays where it is with Java in the process, over calls, exceptions, objects and functions that nobody has any
 * more. Its heap is held small, so that it is collected within the time of a test.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { java } from '../../packages/fulmar/src/polyglot/index.ts';

type Call = (...args: readonly unknown[]) => Promise<unknown>;
type Contract = Readonly<Record<'add' | 'call' | 'counter' | 'echo' | 'fail', Call>>;

const AT_ONCE = 200;
const MB = 1_048_576;
const GROWTH_MB_MAX = 24;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

const { problem } = await java.look();
let loaded: Promise<Contract> | undefined;

function contract(): Promise<Contract> {
  if (loaded !== undefined) return loaded;
  java.configure({ jvmOptions: ['-Xms48m', '-Xmx48m', '-XX:+AlwaysPreTouch'] });
  loaded = java.import<Contract>('../../packages/fulmar/test/polyglot/fixtures/Contract.java', {
    from: import.meta.url,
  }) as Promise<Contract>;
  return loaded;
}

async function many(count: number, call: (index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => call(from + index)));
    if (from % (AT_ONCE * 50) === 0) await turn();
  }
}

async function resident(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    gc();
    await turn();
  }
  await (await contract()).add(1, 2);
  return process.memoryUsage.rss() / MB;
}

/** `work` once, so that everything has its room and is compiled, then measured. */
async function staysFlat(work: (module: Contract, share: number) => Promise<void>, warm = 1): Promise<void> {
  const module = await contract();
  await work(module, warm);
  const before = await resident();
  await work(module, 1);
  const grown = (await resident()) - before;
  assert.ok(grown < GROWTH_MB_MAX, `resident memory has grown by ${grown.toFixed(1)} MB`);
}

describe('memory stays where it is, with Java', { skip: problem ?? false }, () => {
  it('over a million calls', () => staysFlat((module, share) => many(1_000_000 * share, (index) => module.add(index, 1)), 0.2));

  it('over values of some size', () =>
    staysFlat((module) => many(10_000, (index) => module.echo({ index, list: [1, 2, 3], text: 'x'.repeat(200), at: new Date(index) }))));

  it('over exceptions', () =>
    staysFlat((module) =>
      many(10_000, (index) =>
        module.fail(String(index)).then(
          (value) => assert.fail(String(value)),
          () => undefined,
        ),
      ),
    ));

  it('over objects that nobody has any more', () =>
    staysFlat((module) => many(40_000, (index) => module.counter(index).then(() => undefined))));

  it('over functions of JavaScript’s', () =>
    staysFlat((module) => many(10_000, (index) => module.call((value: number) => value + 1, index))));

  it('over large values', () =>
    staysFlat(async (module) => {
      const value = new Uint8Array(4 * MB).fill(1);
      for (let index = 0; index < 50; index += 1) assert.equal(((await module.echo(value)) as Uint8Array).length, value.length);
    }));
});
