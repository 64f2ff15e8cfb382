// Random Express programs: at least 2,000 per run, the same ones every time, on upstream and on ours.
// PARITY_SEED=n runs that one program; PARITY_FROM=n starts the run at another seed; PARITY_APPS=n runs another number.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { loadSides } from '../../harness/sides.ts';
import { Driver, type Verdict } from './drive.ts';
import { generateProgram } from './generate.ts';
import type { ProgramModel } from './model.ts';
import { shrink } from './shrink.ts';

const APPS_DEFAULT = 2_000;
const FIRST_SEED = 1;
/** One test per so many programs, so that a failure is near its seed and the others still run. */
const BATCH = 250;

const one = process.env['PARITY_SEED'];
const first = Number(one ?? process.env['PARITY_FROM'] ?? FIRST_SEED);
const count = one === undefined ? Number(process.env['PARITY_APPS'] ?? APPS_DEFAULT) : 1;

let driver: Driver;
before(async () => {
  driver = await Driver.open(await loadSides());
});
after(() => driver.close());

for (let start = first; start < first + count; start += BATCH) {
  const end = Math.min(start + BATCH, first + count);
  test(`the random programs of the seeds ${start} to ${end - 1} behave as upstream`, async () => {
    for (let seed = start; seed < end; seed++) {
      const program = generateProgram(seed);
      const verdict = await driver.compare(program);
      if (!verdict.equal) assert.fail(await report(seed, program, verdict));
    }
  });
}

async function report(seed: number, program: ProgramModel, verdict: Verdict): Promise<string> {
  let smallest = verdict;
  const small = await shrink(program, async (candidate) => {
    const found = await driver.compare(candidate);
    if (!found.equal) smallest = found;
    return !found.equal;
  });
  return [
    `seed ${seed} differs; the smallest program found that still does:`,
    inspect(small, { depth: 20, breakLength: 160 }),
    difference(smallest),
    `replay: PARITY_SEED=${seed} node --import ./scripts/ts-register.mjs --test tests/parity/express/random/random.test.ts`,
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

test('generates the same program for the same seed, and finds a difference that is there', async () => {
  assert.deepEqual(generateProgram(7), generateProgram(7));
  const sides = await loadSides();
  const louder = {
    ...sides.upstream,
    name: 'ours' as const,
    express: Object.assign(() => sides.upstream.express().set('etag', false), sides.upstream.express),
  };
  const broken = await Driver.open({ upstream: sides.upstream, ours: louder as unknown as typeof sides.ours });
  try {
    let found: ProgramModel | undefined;
    for (let seed = 1; seed < 50 && found === undefined; seed++) {
      const program = generateProgram(seed);
      if (!(await broken.compare(program)).equal) found = program;
    }
    assert.ok(found, 'no program shows that one side makes no ETag');
    const small = await shrink(found, async (candidate) => !(await broken.compare(candidate)).equal);
    assert.equal(small.requests.length, 1);
    assert.ok(JSON.stringify(small).length < JSON.stringify(found).length);
  } finally {
    await broken.close();
  }
});
