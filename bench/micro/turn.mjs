/**
 * The engine alone: one turn with N connections that have each sent a request, clients and server in one
 * thread, no JavaScript. So a change of the engine is measured in a minute on a noisy machine.
 *   node bench/micro/turn.mjs                      this tree
 *   node bench/micro/turn.mjs --against <checkout>  beside another checkout of Fulmar, interleaved
 *   --rounds <n>   processes of each side, 7
 * Prints nanoseconds per request, kernel included: the lowest median of all rounds, and the median of
 * medians.
 */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({ options: { against: { type: 'string' }, rounds: { type: 'string', default: '7' } } });

const CONNECTIONS = [1, 4, 16, 64];
/** Turns of a process: about as many requests for each number of connections. */
const REQUESTS = 24_000;

function build(tree) {
  execFileSync('cargo', ['build', '--release', '--quiet', '-p', 'fulmar-engine', '--example', 'budget_turn'], {
    cwd: tree,
    stdio: 'inherit',
  });
  return join(tree, 'target', 'release', 'examples', 'budget_turn');
}

function measure(program, connections) {
  const output = execFileSync(program, [String(connections), String(REQUESTS / connections), 'time'], { encoding: 'utf8' });
  const median = Number(output.split(' ')[0]);
  if (!(median > 0)) throw new Error(`${program} printed no time: is the checkout as new as this script?`);
  return median;
}

const medianOf = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const sides = new Map([['ours', build(own)]]);
if (values.against !== undefined) sides.set('against', build(resolve(values.against)));

for (const connections of CONNECTIONS) {
  const found = new Map([...sides.keys()].map((side) => [side, []]));
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const order = round % 2 === 0 ? [...sides] : [...sides].reverse();
    for (const [side, program] of order) found.get(side).push(measure(program, connections));
  }
  const cells = [...found].map(([side, times]) => `${side} ${Math.min(...times)} (${medianOf(times)})`);
  const ratio = found.has('against') ? `  ×${(medianOf(found.get('ours')) / medianOf(found.get('against'))).toFixed(3)}` : '';
  console.log(`N=${String(connections).padEnd(3)} ${cells.join('   ')}${ratio}`);
}
