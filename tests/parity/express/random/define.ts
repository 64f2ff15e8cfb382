/** The random programs of Express 5 and of Express 4 as tests: at least 2,000 per run. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineRandom } from '../../harness/random/define.ts';
import { Driver } from '../../harness/random/driver.ts';
import { shrink } from '../../harness/random/shrink.ts';
import { type Flavour, loadSides } from '../../harness/sides.ts';
import { type Dialect, EXPRESS_4, EXPRESS_5, generateProgram } from './generate.ts';
import type { ProgramModel } from './model.ts';
import { play } from './play.ts';
import { smallerPrograms } from './shrink.ts';

const DIALECTS: Readonly<Record<Flavour, Dialect>> = { express: EXPRESS_5, express4: EXPRESS_4 };

/** Registers the random programs of a flavour as tests; `file` is the one to run for a replay. */
export function defineExpress(flavour: Flavour, file: string): void {
  const dialect = DIALECTS[flavour];
  defineRandom({
    programs: 'programs',
    file,
    count: 2_000,
    generate: (seed) => generateProgram(seed, dialect),
    open: async () => await Driver.open(play, await loadSides(flavour)),
    smaller: smallerPrograms,
  });
  test('generates the same program for the same seed, and finds a difference that is there', () => findsDifference(flavour, dialect));
}

async function findsDifference(flavour: Flavour, dialect: Dialect): Promise<void> {
  assert.deepEqual(generateProgram(7, dialect), generateProgram(7, dialect));
  const sides = await loadSides(flavour);
  const louder = {
    ...sides.upstream,
    name: 'ours' as const,
    express: Object.assign(() => sides.upstream.express().set('etag', false), sides.upstream.express),
  };
  const broken = await Driver.open(play, { upstream: sides.upstream, ours: louder as unknown as typeof sides.ours });
  try {
    let found: ProgramModel | undefined;
    for (let seed = 1; seed < 50 && found === undefined; seed++) {
      const program = generateProgram(seed, dialect);
      if (!(await broken.compare(program)).equal) found = program;
    }
    assert.ok(found, 'no program shows that one side makes no ETag');
    const small = await shrink(found, async (candidate) => !(await broken.compare(candidate)).equal, smallerPrograms);
    assert.equal(small.requests.length, 1);
    assert.ok(JSON.stringify(small).length < JSON.stringify(found).length);
  } finally {
    await broken.close();
  }
}
