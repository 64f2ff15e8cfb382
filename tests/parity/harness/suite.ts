/**
 * Compares the two sides case by case: each case becomes one `node:test` test named by its sentence. Last
 * step.
 */
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
  /** Not all of the suites are loaded, so that some exceptions may name nothing. */
  readonly isPartial?: boolean;
}

/** While set, `defineSuite` registers its cases for another flavour than the suite's own. */
const sharing: { run: SharedRun | undefined; used: Set<Exception> } = { run: undefined, used: new Set() };

/**
 * Runs `load`, which imports suites of another flavour, and registers their cases for the flavour of `run`.
 */
export async function runShared(run: SharedRun, load: () => Promise<void>): Promise<void> {
  sharing.run = run;
  sharing.used = new Set();
  try {
    await load();
  } finally {
    sharing.run = undefined;
  }
  if (run.isPartial === true) return;
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

/** Our side of a suite in another process. */
export interface Remote {
  /** Announces a case, in the order of the suite, also one that is not run; gives its number. */
  add(): number;
  /** The case's outcome there, or one that says why there is none. */
  outcomeOf(index: number): Promise<Outcome>;
  /** Why a case differs there; undefined for one that must not. */
  exception(name: string): string | undefined;
}

/** While set, our side of the cases that `defineSuite` registers runs there instead of in this process. */
const elsewhere: { remote: Remote | undefined; waiting: (() => void)[] } = { remote: undefined, waiting: [] };

/** Runs `load`, which imports suites, and registers their cases with our side in another process. */
export async function runRemotely(remote: Remote, load: () => Promise<void>): Promise<void> {
  elsewhere.remote = remote;
  try {
    await load();
  } finally {
    elsewhere.remote = undefined;
  }
  // The first test that is registered runs at once, and what files register while it runs would be its
  // children.
  for (const start of elsewhere.waiting.splice(0)) start();
}

/** Compares upstream, in this process, with the outcome of our side in another one, both at the same time. */
async function compareRemotely(parity: ParityCase, sides: Sides, running: Promise<Outcome>): Promise<Comparison> {
  const [upstream, ours] = (await Promise.all([runCase(parity, sides.upstream), running])).map(normalise) as [Outcome, Outcome];
  return { equal: JSON.stringify(upstream) === JSON.stringify(ours), upstream, ours };
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
    if (isExcepted(parity.name)) elsewhere.remote?.add();
    else register(parity, flavour);
  }
}

function register(parity: ParityCase, flavour: Flavour): void {
  const { remote } = elsewhere;
  const reason = remote?.exception(parity.name);
  const index = remote?.add() ?? 0;
  const start = (): unknown =>
    test(parity.name, async () => {
      const sides = await loadSides(flavour);
      const compare = (): Promise<Comparison> =>
        remote === undefined ? compareCase(parity, sides) : compareRemotely(parity, sides, remote.outcomeOf(index));
      let comparison = await compare();
      // Two processes do not see the same second as easily as one: what differs only once is the clock's.
      if (!comparison.equal && remote !== undefined && reason === undefined && process.env['PARITY_ONCE'] !== '1')
        comparison = await compare();
      const { equal, upstream, ours } = comparison;
      if (reason !== undefined) return assert.ok(!equal, `the case is listed as different (${reason}), and is not`);
      if (!equal) assert.deepStrictEqual(ours, upstream, `ours (+) differs from upstream (-): ${parity.name}`);
      assert.ok(hasSubstance(upstream), `case "${parity.name}" shows nothing that could be compared`);
    });
  if (remote === undefined) start();
  else elsewhere.waiting.push(start);
}

function hasSubstance(outcome: Outcome): boolean {
  const { replies, records, setup, uncaught } = outcome;
  const answered = replies.filter((reply) => reply.failure !== 'no answer');
  return setup !== undefined || records.length > 0 || uncaught.length > 0 || answered.length > 0;
}
