/**
 * Our JavaScript alone: batches of requests from an engine that has no sockets, so that a change is measured
 * in a minute on a noisy machine.
 *   node bench/micro/javascript.mjs                         every program, this tree's bundles
 *   node bench/micro/javascript.mjs --against <dist folder>  beside the bundles of another tree, interleaved
 *   --only <text>, --rounds <n>
 * Prints CPU nanoseconds per request, the lowest of all rounds and their median. Each round is a process of
 * its own.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { programs } from './programs.mjs';

const child = fileURLToPath(new URL('measure.cjs', import.meta.url));
const ownDist = fileURLToPath(new URL('../../packages/fulmar/dist', import.meta.url));
const { values } = parseArgs({
  options: { against: { type: 'string' }, only: { type: 'string', default: '' }, rounds: { type: 'string', default: '5' } },
});

const sides = new Map([['ours', ownDist]]);
if (values.against !== undefined) sides.set('against', values.against);

function measure(dist, program) {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--expose-gc', child, dist, program], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} with ${join(dist)}: ${stderr}`);
  return Number(stdout);
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

for (const program of programs.filter((name) => name.includes(values.only))) {
  const found = new Map([...sides.keys()].map((side) => [side, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const order = round % 2 === 0 ? [...sides] : [...sides].reverse();
    for (const [side, dist] of order) found.get(side).push(measure(dist, program));
  }
  const cells = [...found].map(([side, times]) => `${side} ${Math.min(...times).toFixed(0)} (${median(times).toFixed(0)})`);
  const ratio = found.has('against') ? `  ×${(Math.min(...found.get('ours')) / Math.min(...found.get('against'))).toFixed(3)}` : '';
  console.log(`${program.padEnd(16)} ${cells.join('   ')}${ratio}`);
}
