/**
 * The arithmetic behind the benchmark report: ratios within a round, spread, A/A noise, verdicts, void rows.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base, load, loadRecord, ours, type Raw, rounds, run, smallRun, twin } from './report-fixture.ts';

const maths = await load('maths.mjs');
const data = await load('data.mjs');
const measures = await load('measures.mjs');
const { lossesOf } = await load('sections/losses.mjs');
const { loadRows } = await load('sections/scenarios.mjs');
const { costOf } = await load('sections/cost.mjs');

const cpu = (entrant: string) => ({ metric: 'cpu_us', scenario: 'hello-json', entrant });
const dataOf = (records: Raw[]) => data.createData({ run, records });
const near = (found: number, wanted: number) => assert.ok(Math.abs(found - wanted) < 1e-9, `${found} is not ${wanted}`);

test('median and quantiles lie between neighbours', () => {
  assert.equal(maths.median([3, 1, 2]), 2);
  assert.equal(maths.median([4, 1, 2, 3]), 2.5);
  assert.equal(maths.quantile([0, 10], 0.95), 9.5);
  assert.equal(maths.median([]), undefined);
});

test('ratios are taken within a round and only in rounds that have both', () => {
  const of = new Map([
    [0, 10],
    [1, 40],
    [2, 7],
  ]);
  const to = new Map([
    [0, 20],
    [1, 20],
    [3, 1],
  ]);
  assert.deepEqual(maths.ratiosWithinRounds(of, to), [0.5, 2]);
});

test('a drift of the machine that hits both sides of a round leaves the ratio alone', () => {
  const drifting = dataOf([...rounds(ours, [4, 8, 16]), ...rounds(base, [10, 20, 40])]);
  const { median, low, high, count } = data.ratioOf(drifting, cpu(ours), cpu(base));
  assert.deepEqual({ median, low, high, count }, { median: 0.4, low: 0.4, high: 0.4, count: 3 });
});

test('the spread is the lowest and the highest round', () => {
  const { low, high } = data.ratioOf(dataOf(smallRun), cpu(ours), cpu(base));
  near(low, 0.39);
  near(high, 0.41);
});

test('the noise floor is the largest distance from 1 of the A/A ratio', () => {
  const { floor, own } = data.noiseOf(dataOf(smallRun), cpu(ours));
  near(floor, 0.02);
  assert.equal(own, true);
});

test('where there is no A/A pair the floor is the median of the other places', () => {
  const records = [...smallRun, ...rounds(ours, [5, 5, 5], { scenario: 'chain-3' })];
  const { floor, own } = data.noiseOf(dataOf(records), { ...cpu(ours), scenario: 'chain-3' });
  near(floor, 0.02);
  assert.equal(own, false);
});

test('a difference below twice the noise floor is no difference', () => {
  const judged = [0.95, 0.97, 1, 1.03, 1.05].map((ratio) => maths.judge({ ratio, noise: 0.02 }));
  assert.deepEqual(judged, ['better', 'no difference', 'no difference', 'no difference', 'worse']);
  assert.equal(maths.judge({ ratio: 1.05, noise: 0.02, better: 'higher' }), 'better');
  assert.equal(maths.judge({ ratio: 0.5, noise: undefined }), 'not judged');
});

test('twenty starts are compared as medians of five batches', () => {
  const values = Array.from({ length: 20 }, (_, round) => [round, round % 4 === 0 ? 1000 : 10] as const);
  const batched = maths.batchMedians(
    new Map(values),
    values.map(([round]) => round),
  );
  assert.deepEqual([...batched.values()], [10, 10, 10, 10, 10]);
  const few = new Map([[0, 1]]);
  assert.equal(maths.batchMedians(few, [0]), few);
});

for (const [what, fields, wanted] of [
  ['a problem', { problem: 'the server ended' }, /the server ended/],
  ['a wrong reply', { errors: { total: 2, wrong_body: 2 } }, /2 wrong or missing replies \(wrong body 2\)/],
  ["a deviation from Little's law above 5 %", { little: 0.051 }, /Little's law missed by 5\.1 %/],
  ['a deviation below zero', { little: -0.06 }, /Little's law missed by 6\.0 %/],
  ['requests that were never sent', { unsent: 3 }, /3 requests were never sent/],
] as const) {
  test(`${what} makes a record void`, () => assert.match(maths.voidReason(loadRecord(fields)), wanted));
}

test('5 % deviation and errors before the measurement make nothing void', () => {
  assert.equal(maths.voidReason(loadRecord({ little: 0.05, errors: { total: 0, before_measurement: 4 } })), null);
});

test('a void round is left out, and a row without a majority of good rounds is void and unranked', () => {
  const one = rounds(base, [10, 10, 99]).map((record, at) => (at === 2 ? { ...record, problem: 'stalled' } : record));
  const row = data.rowOf(dataOf(one), cpu(base));
  assert.deepEqual([row.isVoid, row.summary.high, row.reasons], [false, 10, ['stalled']]);
  const two = one.map((record, at) => (at === 1 ? { ...record, little: 0.2 } : record));
  const records = dataOf([...two, ...rounds(ours, [4, 4, 4])]);
  assert.equal(data.rowOf(records, cpu(base)).isVoid, true);
  assert.equal(data.ratioOf(records, cpu(ours), cpu(base)), undefined);
  assert.deepEqual(
    loadRows(records, { scenario: 'hello-json' }).map((row: { entrant: string }) => row.entrant),
    [ours, base],
  );
});

test('a contestant that fails in a later round leaves the ranking, until a retry succeeds', () => {
  const at = (second: number) => new Date(second * 1000).toISOString();
  const records = rounds(base, [10, 10, 10]).map((record, second) => ({ at: at(second), ...record }));
  const failure = {
    at: at(10),
    id: `failure/${base}/hello-json`,
    kind: 'failure',
    entrant: base,
    scenario: 'hello-json',
    stage: 'verify',
    log: '',
  };
  assert.deepEqual(data.rowOf(dataOf([...records, failure]), cpu(base)).reasons, ['failed later (verify)']);
  const retried = dataOf([...records, failure, { at: at(20), ...loadRecord({ entrant: base, round: 3, cpu_us: 10 }) }]);
  assert.deepEqual([retried.failures.length, data.rowOf(retried, cpu(base)).isVoid], [0, false]);
});

test('of a record that was measured again the last one counts', () => {
  const again = dataOf([...rounds(base, [10]), ...rounds(base, [11])]);
  assert.deepEqual([...data.seriesOf(again, cpu(base)).values()], [11]);
});

test('database rows and plain rows of one scenario are never mixed', () => {
  const both = dataOf([...rounds(base, [10, 10]), ...rounds(base, [50, 50], { pool: 'equal', connections: 100 })]);
  assert.equal(data.rowOf(both, cpu(base)).summary.median, 10);
  assert.equal(data.rowOf(both, { ...cpu(base), pool: 'equal' }).summary.median, 50);
});

test('the share of right replies counts void rounds too', () => {
  const place = { pool: 'equal', connections: 100, scenario: 'db-read' };
  const failing = dataOf(rounds(base, [1, 1], { ...place, verified: 25, errors: { total: 75, timeout: 75 } }));
  const row = data.rowOf(failing, { metric: 'success', entrant: base, ...place });
  assert.equal(row.summary.median, 0.25);
  assert.equal(data.rowOf(failing, { metric: 'rate', entrant: base, ...place }).isVoid, true);
});

test('a peer that is ahead is a loss; the floor and the twin are none', () => {
  const losses = lossesOf(dataOf(smallRun));
  assert.deepEqual(
    losses.map((loss: { peer: string; metric: string; certain: boolean }) => [loss.peer, loss.metric, loss.certain]),
    [['elysia@bun', 'CPU per reply', true]],
  );
  near(losses[0].factor, 1.25);
});

test('a program that is slower on Fulmar than on Node alone is a loss', () => {
  const records = [...smallRun, ...rounds('koa3@fulmar-node26', [9, 9, 9]), ...rounds('koa3@node26', [8, 8, 8])];
  const losses = lossesOf(dataOf(records)).filter((loss: { ours: string }) => loss.ours === 'koa3@fulmar-node26');
  assert.deepEqual(
    losses.map((loss: { peer: string; certain: boolean }) => [loss.peer, loss.certain]),
    [['koa3@node26', true]],
  );
});

for (const [value, wanted] of [
  [2.5, 'beaten'],
  [2.25, 'matched'],
  [1.99, 'matched'],
  [1.9, 'missed'],
] as const) {
  test(`${value}× beside a claim of 2.0–2.3× with a noise floor of 2 % is ${wanted}`, () => {
    assert.equal(measures.judgeClaim({ value, noise: 0.02, target: [2, 2.3], show: 'times' }), wanted);
  });
}

test('a claim of less memory is judged on what is left', () => {
  const judge = (value: number) => measures.judgeClaim({ value, noise: 0.01, target: 0.32, show: 'less' });
  assert.deepEqual([0.4, 0.32, 0.31, 0.2].map(judge), ['beaten', 'matched', 'matched', 'missed']);
});

test('an aim is judged to the letter', () => {
  assert.equal(measures.judgeTarget({ value: 0.3, max: 0.3 }), 'met');
  assert.equal(measures.judgeTarget({ value: 0.3001, max: 0.3 }), 'missed');
  assert.equal(measures.judgeTarget({ value: 0.9, below: 0.9 }), 'missed');
});

test('a figure that was not measured says why', () => {
  const found = measures.evaluate(dataOf(smallRun), { metric: 'cpu_us', scenario: 'post-json', of: ours, to: base, show: 'ratio' });
  assert.deepEqual(found, { missing: `no post-json row of ${ours} in this run` });
});

test('every claim and every aim names a metric there is', async () => {
  const { claims, targets } = await load('sections/claims.mjs');
  const named = [...claims.flatMap((claim: { measures?: unknown[] }) => claim.measures ?? []), ...targets];
  const wanted = named.filter((one) => one.notMeasured === undefined);
  assert.ok(wanted.length > 20);
  for (const { metric, of } of wanted) assert.ok(metric in data.metrics && of.includes('@'), JSON.stringify({ metric, of }));
});

test('the cost is the sum of its formula', () => {
  const prices = { invocations: 1e6, vcpuSecond: 0.00002, gibSecond: 0.000002, coldShare: 0.01 };
  const cost = costOf({ cpu_us: 10, start_ms: 50, rss: 1024 ** 3 }, prices);
  near(cost.warm, 10 * 0.000022);
  near(cost.cold, 500 * 0.000022);
  near(cost.total, cost.warm + cost.cold);
});

test('the twin has no row of its own', () => {
  assert.ok(!data.entrantsOf(dataOf(smallRun), { metric: 'cpu_us' }).includes(twin));
});
