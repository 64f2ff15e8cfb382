/**
 * Runs random programs as tests: at least 2,000 per run, the same ones every time, on upstream and on ours.
 * PARITY_SEED=n runs that one program; PARITY_FROM=n starts the run at another seed; PARITY_APPS=n runs another number.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { type Flavour, loadSides } from '../../harness/sides.ts';
import { Driver, type Verdict } from './drive.ts';
import { type Dialect, EXPRESS_4, EXPRESS_5, generateProgram } from './generate.ts';
import type { ProgramModel } from './model.ts';
import { shrink } from './shrink.ts';

const APPS_DEFAULT = 2_000;
const FIRST_SEED = 1;
/** One test per so many programs, so that a failure is near its seed and the others still run. */
const BATCH = 250;

const one = process.env['PARITY_SEED'];
const first = Number(one ?? process.env['PARITY_FROM'] ?? FIRST_SEED);
const count = one === undefined ? Number(process.env['PARITY_APPS'] ?? APPS_DEFAULT) : 1;

const DIALECTS: Readonly<Record<Flavour, Dialect>> = { express: EXPRESS_5, express4: EXPRESS_4 };

/** Registers the random programs of a flavour as tests; `file` is the one to run for a replay. */
export function defineRandom(flavour: Flavour, file: string): void {
  const dialect = DIALECTS[flavour];
  let driver: Driver;
  before(async () => {
    driver = await Driver.open(await loadSides(flavour));
  });
  after(() => driver.close());

  for (let start = first; start < first + count; start += BATCH) {
    const end = Math.min(start + BATCH, first + count);
    test(`the random programs of the seeds ${start} to ${end - 1} behave as upstream`, async () => {
      for (let seed = start; seed < end; seed++) {
        const program = generateProgram(seed, dialect);
        const verdict = await driver.compare(program);
        if (!verdict.equal) assert.fail(await report(driver, { program, verdict, replay: `PARITY_SEED=${seed} … --test ${file}` }));
      }
    });
  }
  test('generates the same program for the same seed, and finds a difference that is there', () => findsDifference(flavour, dialect));
}

interface Failure {
  readonly program: ProgramModel;
  readonly verdict: Verdict;
  readonly replay: string;
}

async function report(driver: Driver, { program, verdict, replay }: Failure): Promise<string> {
  let smallest = verdict;
  const small = await shrink(program, async (candidate) => {
    const found = await driver.compare(candidate);
    if (!found.equal) smallest = found;
    return !found.equal;
  });
  return [
    `a program differs; the smallest found that still does:`,
    inspect(small, { depth: 20, breakLength: 160 }),
    difference(smallest),
    `replay: ${replay}`,
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

async function findsDifference(flavour: Flavour, dialect: Dialect): Promise<void> {
  assert.deepEqual(generateProgram(7, dialect), generateProgram(7, dialect));
  const sides = await loadSides(flavour);
  const louder = {
    ...sides.upstream,
    name: 'ours' as const,
    express: Object.assign(() => sides.upstream.express().set('etag', false), sides.upstream.express),
  };
  const broken = await Driver.open({ upstream: sides.upstream, ours: louder as unknown as typeof sides.ours });
  try {
    let found: ProgramModel | undefined;
    for (let seed = 1; seed < 50 && found === undefined; seed++) {
      const program = generateProgram(seed, dialect);
      if (!(await broken.compare(program)).equal) found = program;
    }
    assert.ok(found, 'no program shows that one side makes no ETag');
    const small = await shrink(found, async (candidate) => !(await broken.compare(candidate)).equal);
    assert.equal(small.requests.length, 1);
    assert.ok(JSON.stringify(small).length < JSON.stringify(found).length);
  } finally {
    await broken.close();
  }
}
