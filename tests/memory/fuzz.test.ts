/**
 * Whatever an application does with the memory it is given, no byte of another client is within its reach,
 * and the process lives.
 *
 * `MEMORY_FUZZ_SECONDS=600` is a long run, `MEMORY_FUZZ_SEED=7` begins with that seed, `MEMORY_FUZZ_SEEDS=1`
 * takes only so many, `MEMORY_FUZZ_ONLY=transfer,late` only these mutations, `MEMORY_FUZZ_SHRINK=1` looks for
 * the fewest that fail.
 */
import assert from 'node:assert/strict';
import process from 'node:process';
import { test } from 'node:test';
import { LAYERS } from './harness/plan.ts';
import { describe, hostUnderTest, planRun, runOnce, shrink } from './harness/run.ts';

const SECONDS_DEFAULT = 45;
const RUN_MS_MAX = 880_000;

const secondsEach = Number(process.env['MEMORY_FUZZ_SECONDS'] ?? SECONDS_DEFAULT) / LAYERS.length;
const first = Number(process.env['MEMORY_FUZZ_SEED'] ?? 1);
/** Of an ordinary run: the same on every machine, however fast. A longer run is asked for by its length. */
const SEEDS_DEFAULT = process.env['MEMORY_FUZZ_SECONDS'] === undefined ? 10 : Number.POSITIVE_INFINITY;
const seeds = Number(process.env['MEMORY_FUZZ_SEEDS'] ?? SEEDS_DEFAULT);
const host = hostUnderTest();

for (const layer of LAYERS) {
  test(`${layer}: no application reaches the memory of another client, from seed ${first} on`, { timeout: RUN_MS_MAX }, async (context) => {
    const until = Date.now() + secondsEach * 1000;
    const sums = { runs: 0, replies: 0, brokenOff: 0 };
    const counts: Record<string, number> = {};
    for (let seed = first; seed < first + seeds && (seed === first || Date.now() < until); seed += 1) {
      let outcome = await runOnce(host, planRun(seed, layer));
      if (outcome.findings.length > 0 && process.env['MEMORY_FUZZ_SHRINK'] === '1') outcome = await shrink(host, outcome);
      assert.equal(outcome.findings.length, 0, describe(host, outcome));
      assert.ok(outcome.replies > 0, 'no reply was seen');
      sums.runs += 1;
      sums.replies += outcome.replies;
      sums.brokenOff += outcome.brokenOff;
      for (const [what, times] of Object.entries(outcome.counts)) counts[what] = (counts[what] ?? 0) + times;
    }
    context.diagnostic(JSON.stringify({ layer, ...sums, counts }));
  });
}
