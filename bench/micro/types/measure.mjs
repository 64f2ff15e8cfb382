/**
 * Measures in this process: `node measure.mjs <only> <rounds>`. Every candidate is
 * checked before it is measured; the order of a round is that of the one before, turned.
 */
import { deepStrictEqual, strictEqual } from 'node:assert/strict';
import process from 'node:process';
import * as typia from './.cache/typia.mjs';
import * as ours from './.cache/ours.mjs';
import { others } from './others.mjs';
import { values } from './values.mjs';

const [only = '', rounds = '20'] = process.argv.slice(2);
const ROUND_NS = 2_000_000;
const WARM_ROUNDS = 25;

const { checks, encoders, decoders } = others();
const kinds = {
  checks: { ours: ours.checks, ...checks, typia: typia.checks },
  encoders: { ours: ours.encoders, ...encoders, typia: typia.encoders },
  decoders: { ours: ours.decoders, ...decoders, typia: typia.decoders },
};

/** With a member that no type names, in each object. */
function withMore(value) {
  if (Array.isArray(value)) return value.map(withMore);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return { more: 1, ...Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withMore(member)])) };
}

/** What is given, whether the answer is right, and what else has the same answer. */
const inputs = {
  checks: (value) => ({ input: value, more: withMore(value), judge: (answer) => strictEqual(answer, true) }),
  encoders: (value) => ({
    input: value,
    more: withMore(value),
    judge: (answer) => deepStrictEqual(JSON.parse(answer), JSON.parse(JSON.stringify(value))),
  }),
  decoders: (value) => ({
    input: JSON.stringify(value),
    more: JSON.stringify(withMore(value)),
    judge: (answer) => deepStrictEqual(answer, value),
  }),
};

let kept;
const now = () => Number(process.hrtime.bigint());

function timed(run, input, times) {
  const before = now();
  for (let at = 0; at < times; at += 1) kept = run(input);
  return (now() - before) / times;
}

function measure(candidates, input) {
  const found = candidates.map(([name, run]) => ({ name, run, best: Infinity, all: [], times: 1 }));
  for (const one of found) {
    let ns = timed(one.run, input, 100);
    for (let round = 0; round < WARM_ROUNDS; round += 1) ns = timed(one.run, input, Math.max(1, Math.ceil(ROUND_NS / ns)));
    one.times = Math.max(1, Math.ceil(ROUND_NS / ns));
  }
  for (let round = 0; round < Number(rounds); round += 1) {
    for (const one of round % 2 === 0 ? found : found.toReversed()) {
      const ns = timed(one.run, input, one.times);
      one.best = Math.min(one.best, ns);
      one.all.push(ns);
    }
  }
  return found;
}

function isRight(judge) {
  try {
    judge();
    return true;
  } catch {
    return false;
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

console.log(`Node ${process.version}, ${process.arch}; ns per call, the lowest of ${rounds} rounds`);
for (const [kind, all] of Object.entries(kinds)) {
  for (const shape of Object.keys(all.ours)) {
    if (!`${kind}/${shape}`.includes(only)) continue;
    const { input, more, judge } = inputs[kind](values[shape]);
    const candidates = Object.entries(all)
      .filter(([, of]) => of[shape] !== undefined)
      .map(([name, of]) => [name, of[shape]]);
    for (const [, run] of candidates) judge(run(input));
    const alike = candidates.map(([, run]) => isRight(() => judge(run(more))));
    if (!alike[0]) throw new Error(`${kind}/${shape}: ours keeps members that the type does not name`);
    const [own, ...rest] = measure(candidates, input);
    const best = rest.filter((_, at) => alike[at + 1]).reduce((a, b) => (b.best < a.best ? b : a));
    const paired = median(own.all.map((ns, at) => best.all[at] / ns));
    const cells = [own, ...rest].map(
      ({ name, best: ns }, at) => `${alike[at] ? '' : '~'}${name} ${ns < 100 ? ns.toFixed(1) : ns.toFixed(0)}`,
    );
    console.log(
      `${`${kind}/${shape}`.padEnd(17)} ×${(best.best / own.best).toFixed(2)} (${paired.toFixed(2)}) of ${best.name}: ${cells.join(', ')}`,
    );
  }
}
if (kept === undefined) throw new Error('nothing was measured');
