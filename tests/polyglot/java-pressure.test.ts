/** What functions of JavaScript's keep alive is let go of, though Java's own heap is far from full. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as after } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { java } from '../../packages/fulmar/src/polyglot/index.ts';

const FUNCTIONS = 4_000;
const AT_ONCE = 100;
const BYTES = 100_000;
/** As many may be out before they are looked for (`Pressure.java`), and some. */
const LEFT_BYTES_MAX = 1_500 * BYTES;
const LOOK_MS = 50;
const LOOKS_MAX = 300;

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;
const { problem } = await java.look();

it('functions that Java has no more are let go of', { skip: problem ?? false }, async () => {
  const module = (await java.import('../../packages/fulmar/test/polyglot/fixtures/Contract.java', {
    from: import.meta.url,
  })) as unknown as {
    readonly call: (f: (value: number) => number, value: number) => Promise<unknown>;
  };
  const one = (): Promise<unknown> => {
    const large = new Uint8Array(BYTES);
    return module.call((value) => value + large.length, 1);
  };
  for (let done = 0; done < FUNCTIONS; done += AT_ONCE) {
    const results = await Promise.all(Array.from({ length: AT_ONCE }, one));
    assert.equal(results[0], BYTES + 1);
  }
  let left = Number.POSITIVE_INFINITY;
  for (let look = 0; look < LOOKS_MAX && left > LEFT_BYTES_MAX; look += 1) {
    await after(LOOK_MS);
    await one();
    gc();
    left = process.memoryUsage().arrayBuffers;
  }
  assert.ok(left <= LEFT_BYTES_MAX, `${left} bytes are left of ${FUNCTIONS * BYTES}`);
});
