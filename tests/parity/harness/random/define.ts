/**
 * Random programs as tests: the same ones in every run, on upstream and on ours; one that differs is made
 * small and shown. PARITY_SEED=n runs that one program; PARITY_FROM=n starts the run at another seed;
 * PARITY_APPS=n runs another number; PARITY_ALL=1 goes on after a difference and shows all.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import type { Driver, Verdict } from './driver.ts';
import type { Program } from './play.ts';
import { shrink } from './shrink.ts';

const FIRST_SEED = 1;
/** One test per so many programs, so that a failure is near its seed and the others still run. */
const BATCH = 250;

const one = process.env['PARITY_SEED'];
const first = Number(one ?? process.env['PARITY_FROM'] ?? FIRST_SEED);
const showsAll = process.env['PARITY_ALL'] === '1';

/** Programs of one kind. */
export interface RandomSuite<P extends Program> {
  /** In the tests' names: "the random … of the seeds". */
  readonly programs: string;
  /** The file to run for a replay. */
  readonly file: string;
  /** How many are run unless somebody says otherwise. */
  readonly count: number;
  readonly generate: (seed: number) => P;
  readonly open: () => Promise<Driver<P>>;
  /** The programs one step smaller than one. */
  readonly smaller: (program: P) => Iterable<P>;
  /** How often a difference has to show again; what does not is the clock's. */
  readonly confirmations?: number;
}

/** Registers the programs as tests, one for each batch. */
export function defineRandom<P extends Program>(suite: RandomSuite<P>): void {
  let driver: Driver<P>;
  before(async () => {
    driver = await suite.open();
  });
  after(() => driver.close());

  const count = one === undefined ? Number(process.env['PARITY_APPS'] ?? suite.count) : 1;
  for (let start = first; start < first + count; start += BATCH) {
    const end = Math.min(start + BATCH, first + count);
    test(`the random ${suite.programs} of the seeds ${start} to ${end - 1} behave as upstream`, async () => {
      const reports: string[] = [];
      for (let seed = start; seed < end && (showsAll || reports.length === 0); seed++) {
        const program = suite.generate(seed);
        const verdict = await driver.compare(program);
        if (!verdict.equal && (await differsAgain(driver, program, suite.confirmations))) {
          reports.push(await report(driver, suite, { seed, program, verdict }));
        }
      }
      assert.equal(reports.join('\n\n'), '');
    });
  }
}

async function differsAgain<P extends Program>(driver: Driver<P>, program: P, times: number = 0): Promise<boolean> {
  for (let i = 0; i < times; i++) if ((await driver.compare(program)).equal) return false;
  return true;
}

interface Failure<P> {
  readonly seed: number;
  readonly program: P;
  readonly verdict: Verdict;
}

async function report<P extends Program>(
  driver: Driver<P>,
  suite: RandomSuite<P>,
  { seed, program, verdict }: Failure<P>,
): Promise<string> {
  let smallest = verdict;
  const fails = async (candidate: P): Promise<boolean> => {
    const found = await driver.compare(candidate);
    if (!found.equal) smallest = found;
    return !found.equal;
  };
  const small = await shrink(program, fails, suite.smaller);
  return [
    `seed ${seed} differs; the smallest program found that still does:`,
    inspect(small, { depth: 20, breakLength: 160 }),
    difference(smallest),
    `replay: PARITY_SEED=${seed} node --import ./scripts/ts-register.mjs --test ${suite.file}`,
  ].join('\n');
}

function difference({ upstream, ours }: Verdict): string {
  try {
    assert.deepStrictEqual(ours, upstream);
    return 'the difference has gone';
  } catch (error) {
    return `ours (+) and upstream (-):\n${(error as Error).message}`;
  }
}
