// Compares the two sides case by case: each case becomes one `node:test` test named by its sentence. Last step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome, ParityCase } from './case.ts';
import { normalise } from '../differences.ts';
import { runCase } from './run.ts';
import { loadSides, type Sides } from './sides.ts';

export interface Comparison {
  readonly equal: boolean;
  readonly upstream: Outcome;
  readonly ours: Outcome;
}

/** Runs a case on both sides, upstream first, and compares everything they showed. */
export async function compareCase(parity: ParityCase, sides: Sides): Promise<Comparison> {
  const upstream = normalise(await runCase(parity, sides.upstream));
  const ours = normalise(await runCase(parity, sides.ours));
  return { equal: JSON.stringify(upstream) === JSON.stringify(ours), upstream, ours };
}

/** While set, `defineSuite` adds names to it instead of registering tests: lets a test count the cases. */
const counting: { names: string[] | undefined } = { names: undefined };

/** Runs `load`, which imports suites, and returns the names of their cases without running any. */
export async function countCases(load: () => Promise<void>): Promise<readonly string[]> {
  const names: string[] = [];
  counting.names = names;
  try {
    await load();
  } finally {
    counting.names = undefined;
  }
  return names;
}

/** Registers every case as a test; names must be unique, so that a failing one can be found and run alone. */
export function defineSuite(cases: readonly ParityCase[]): void {
  if (counting.names !== undefined) {
    counting.names.push(...cases.map((parity) => parity.name));
    return;
  }
  const names = new Set<string>();
  for (const parity of cases) {
    if (names.has(parity.name)) throw new Error(`two parity cases are named "${parity.name}"`);
    names.add(parity.name);
    test(parity.name, async () => {
      const { equal, upstream, ours } = await compareCase(parity, await loadSides());
      if (!equal) assert.deepStrictEqual(ours, upstream, `ours (+) differs from upstream (-): ${parity.name}`);
      assert.ok(hasSubstance(upstream), `case "${parity.name}" shows nothing that could be compared`);
    });
  }
}

function hasSubstance(outcome: Outcome): boolean {
  const { replies, records, setup, uncaught } = outcome;
  const answered = replies.filter((reply) => reply.failure !== 'no answer');
  return setup !== undefined || records.length > 0 || uncaught.length > 0 || answered.length > 0;
}
