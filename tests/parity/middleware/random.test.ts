/**
 * Random programs of middleware that do what packages do: 2,000 per run. PARITY_FRAMEWORK=koa only those of
 * one framework.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineRandom } from '../harness/random/define.ts';
import { Driver } from '../harness/random/driver.ts';
import { shrink } from '../harness/random/shrink.ts';
import { type Simpler, smallerJson } from '../harness/random/shrink-json.ts';
import { loadSides } from '../harness/sides.ts';
import { generateProgram } from './generate.ts';
import type { Framework, ProgramModel } from './model.ts';
import { flavourOf, play } from './play.ts';

const SIMPLER: Simpler = {
  when: ['now'],
  next: ['sync'],
  isApp: [false],
  compose: ['4.2.0'],
  reply: ['text'],
  path: ['/'],
  method: ['GET'],
};

const framework = process.env['PARITY_FRAMEWORK'] as Framework | undefined;
const smaller = (program: ProgramModel): Iterable<ProgramModel> => smallerJson(program, SIMPLER);

defineRandom({
  programs: 'programs of middleware',
  file: 'tests/parity/middleware/random.test.ts',
  count: 2_000,
  generate: (seed) => generateProgram(seed, framework),
  open: async () => {
    const sides = { express: await loadSides('express'), express4: await loadSides('express4') };
    return await Driver.open(play, sides.express, (program) => sides[flavourOf(program)]);
  },
  smaller,
  // Two sides do not see the same moment as easily as one program does.
  confirmations: 3,
});

test('generates the same program for the same seed, and makes a failing one small', async () => {
  assert.deepEqual(generateProgram(7), generateProgram(7));
  const small = await shrink(generateProgram(7), (candidate) => Promise.resolve(candidate.requests.length > 0), smaller);
  assert.equal(small.requests.length, 1);
  assert.deepEqual(small.layers, []);
});
