/**
 * Bytes and numbers by chance, the same in every run: for tests that hand rubbish to what reads. The seed stands
 * in the name of the test that uses it.
 *   FUZZ_SEED=7          others than those of every run
 *   FUZZ_ROUNDS=100000   so many for each test
 */
import assert from 'node:assert/strict';
import process from 'node:process';

export const SEED = Number(process.env['FUZZ_SEED'] ?? 1);
export const ROUNDS = Number(process.env['FUZZ_ROUNDS'] ?? 1000);

export type Pick = (below: number) => number;

/** Mulberry32, so that a failure comes again. */
export function random(seed: number): Pick {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Bytes that heads, tags, sizes and counts are made of. */
const ODD = [0, 1, 0x7f, 0x80, 0xdf, 0xe0, 0xe3, 0xe4, 0xe9, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf2, 0xff];

/** The bytes cut, with other bytes in them, or more of them; from `kept` on. */
export function changedBytes(bytes: Uint8Array, pick: Pick, kept = 0): Uint8Array {
  const made = [...bytes];
  for (let times = pick(3) + 1; times > 0; times -= 1) {
    const at = kept + pick(Math.max(1, made.length - kept));
    const byte = pick(2) === 0 ? pick(256) : (ODD[pick(ODD.length)] as number);
    const how = pick(4);
    if (how === 0) made.splice(at, 1 + pick(4));
    else if (how === 1) made.splice(at, 0, ...Array.from({ length: 1 + pick(6) }, () => byte));
    else made[at] = byte;
  }
  return Uint8Array.from(made);
}

/** Looks whether something has got where every object of the process would see it. */
export function assertNoPollution(before: readonly PropertyKey[]): void {
  assert.deepEqual(Reflect.ownKeys(Object.prototype), before);
  assert.equal(({} as Record<string, unknown>)['admin'], undefined);
}
