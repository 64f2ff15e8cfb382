/**
 * Random programs of middleware that do what packages do: 2,000 per run, the same ones every time, on upstream and on ours.
 * PARITY_SEED=n runs that one program; PARITY_FROM=n starts at another seed; PARITY_APPS=n runs another number; PARITY_FRAMEWORK=koa only
 * those of one framework; PARITY_ALL=1 goes on after a difference and shows all.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inspect } from 'node:util';
import { shrinkJson, type Simpler } from '../harness/shrink-json.ts';
import { Driver, type Verdict } from './drive.ts';
import { generateProgram } from './generate.ts';
import type { Framework, ProgramModel } from './model.ts';

const APPS_DEFAULT = 2_000;
/** One test per so many programs, so that a failure is near its seed and the others still run. */
const BATCH = 250;
const CONFIRMATIONS = 3;
const SIMPLER: Simpler = {
  when: ['now'],
  next: ['sync'],
  isApp: [false],
  compose: ['4.2.0'],
  reply: ['text'],
  path: ['/'],
  method: ['GET'],
};

const one = process.env['PARITY_SEED'];
const first = Number(one ?? process.env['PARITY_FROM'] ?? 1);
const count = one === undefined ? Number(process.env['PARITY_APPS'] ?? APPS_DEFAULT) : 1;
const framework = process.env['PARITY_FRAMEWORK'] as Framework | undefined;
const showsAll = process.env['PARITY_ALL'] === '1';

let driver: Driver;
before(async () => {
  driver = await Driver.open();
});
after(() => driver.close());

for (let start = first; start < first + count; start += BATCH) {
  const end = Math.min(start + BATCH, first + count);
  test(`the random programs of middleware of the seeds ${start} to ${end - 1} behave as upstream`, async () => {
    const reports: string[] = [];
    for (let seed = start; seed < end; seed++) {
      const program = generateProgram(seed, framework);
      const verdict = await driver.compare(program);
      if (verdict.equal || !(await differsAgain(program))) continue;
      reports.push(await report(seed, program, verdict));
      if (!showsAll) break;
    }
    assert.equal(reports.join('\n\n'), '');
  });
}

/** Two sides do not see the same moment as easily as one program does: what does not differ each time is the clock's. */
async function differsAgain(program: ProgramModel): Promise<boolean> {
  for (let i = 0; i < CONFIRMATIONS; i++) if ((await driver.compare(program)).equal) return false;
  return true;
}

async function report(seed: number, program: ProgramModel, verdict: Verdict): Promise<string> {
  let smallest = verdict;
  const fails = async (candidate: ProgramModel): Promise<boolean> => {
    const found = await driver.compare(candidate);
    if (!found.equal) smallest = found;
    return !found.equal;
  };
  const small = await shrinkJson(program, fails, SIMPLER);
  return [
    `seed ${seed} differs; the smallest program found that still does:`,
    inspect(small, { depth: 20, breakLength: 160 }),
    difference(smallest),
    `replay: PARITY_SEED=${seed} node --import ./scripts/ts-register.mjs --test tests/parity/middleware/random.test.ts`,
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

test('generates the same program for the same seed, and makes a failing one small', async () => {
  assert.deepEqual(generateProgram(7), generateProgram(7));
  const small = await shrinkJson(generateProgram(7), (candidate) => Promise.resolve(candidate.requests.length > 0), SIMPLER);
  assert.equal(small.requests.length, 1);
  assert.deepEqual(small.layers, []);
});
