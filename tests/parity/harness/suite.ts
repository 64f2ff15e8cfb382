// Compares the two sides case by case: each case becomes one `node:test` test named by its sentence. Last step.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome, ParityCase } from './case.ts';
import { normalise } from '../differences.ts';
import { runCase } from './run.ts';
import { type Flavour, loadSides, type Sides } from './sides.ts';

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

/** Cases of another flavour's suite that are not run, and why. */
export interface Exception {
  /** The name of one case, or an expression for the names of several. */
  readonly name: string | RegExp;
  readonly reason: string;
}

/** What `runShared` changes for the suites it loads. */
export interface SharedRun {
  readonly flavour: Flavour;
  readonly except: readonly Exception[];
}

/** While set, `defineSuite` registers its cases for another flavour than the suite's own. */
const sharing: { run: SharedRun | undefined; used: Set<Exception> } = { run: undefined, used: new Set() };

/** Runs `load`, which imports suites of another flavour, and registers their cases for the flavour of `run`. */
export async function runShared(run: SharedRun, load: () => Promise<void>): Promise<void> {
  sharing.run = run;
  sharing.used = new Set();
  try {
    await load();
  } finally {
    sharing.run = undefined;
  }
  const unused = run.except.filter((exception) => !sharing.used.has(exception));
  assert.deepEqual(unused, [], 'these exceptions name no case');
}

function isExcepted(name: string): boolean {
  const found = sharing.run?.except.find((exception) =>
    typeof exception.name === 'string' ? exception.name === name : exception.name.test(name),
  );
  if (found !== undefined) sharing.used.add(found);
  return found !== undefined;
}

/** Registers every case as a test; names must be unique, so that a failing one can be found and run alone. */
export function defineSuite(cases: readonly ParityCase[], own: Flavour = 'express'): void {
  if (counting.names !== undefined) {
    counting.names.push(...cases.map((parity) => parity.name));
    return;
  }
  const flavour = sharing.run?.flavour ?? own;
  const names = new Set<string>();
  for (const parity of cases) {
    if (names.has(parity.name)) throw new Error(`two parity cases are named "${parity.name}"`);
    names.add(parity.name);
    if (!isExcepted(parity.name)) register(parity, flavour);
  }
}

function register(parity: ParityCase, flavour: Flavour): void {
  test(parity.name, async () => {
    const { equal, upstream, ours } = await compareCase(parity, await loadSides(flavour));
    if (!equal) assert.deepStrictEqual(ours, upstream, `ours (+) differs from upstream (-): ${parity.name}`);
    assert.ok(hasSubstance(upstream), `case "${parity.name}" shows nothing that could be compared`);
  });
}

function hasSubstance(outcome: Outcome): boolean {
  const { replies, records, setup, uncaught } = outcome;
  const answered = replies.filter((reply) => reply.failure !== 'no answer');
  return setup !== undefined || records.length > 0 || uncaught.length > 0 || answered.length > 0;
}
