/**
 * The table a run ends with on the terminal: medians and the ratio to Express 5 on Node 26, taken within each
 * round. The report has the rest.
 */

const reference = 'express5@node26';

export function printSummary(records) {
  printLoad(records.filter(({ kind }) => kind === 'load'));
  printRows('cold start, ms to the first reply', records, { kind: 'start', pick: (r) => r.first_reply_ms, only: (r) => r.routes === 0 });
  printRows('memory, MiB RSS idle', records, { kind: 'memory', pick: (r) => r.idle.rss / 2 ** 20 });
  const failures = records.filter(({ kind }) => kind === 'failure');
  for (const { entrant, scenario, stage, problem } of failures) console.log(`failed: ${entrant} ${scenario ?? ''} (${stage}): ${problem}`);
}

function printLoad(records) {
  const groups = groupBy(records, labelOf);
  for (const [label, group] of groups) {
    console.log(`\n${label.padEnd(34)} ${'µs CPU'.padStart(8)} ${'ratio'.padStart(7)} ${'replies/s'.padStart(10)} ${'p99 ms'.padStart(8)}`);
    const rows = [...groupBy(group, ({ entrant }) => entrant)].map(([entrant, list]) => toRow(entrant, list, group));
    for (const row of rows.toSorted((a, b) => a.cpu - b.cpu)) console.log(lineOf(row));
  }
}

const labelOf = ({ scenario, connections, pool }) =>
  pool === undefined ? scenario : `${scenario}, ${connections} connections, ${pool} pool`;

function toRow(entrant, list, group) {
  const good = list.filter(({ problem }) => problem === null);
  const pairs = good.flatMap((record) => {
    const other = group.find((one) => one.entrant === reference && one.round === record.round && one.problem === null);
    return other === undefined ? [] : [record.cpu_us / other.cpu_us];
  });
  return {
    entrant,
    cpu: median(good.map((r) => r.cpu_us)) ?? Number.POSITIVE_INFINITY,
    ratio: median(pairs),
    rate: median(good.map((r) => r.rate)),
    p99: median(good.map((r) => r.latency_us.p99)),
    problem: list.find(({ problem }) => problem !== null)?.problem,
  };
}

function lineOf({ entrant, cpu, ratio, rate, p99, problem }) {
  const text = (value, digits) => value?.toFixed(digits) ?? '–';
  const cost = Number.isFinite(cpu) ? cpu.toFixed(2) : 'void';
  const columns = [
    cost.padStart(8),
    text(ratio, 3).padStart(7),
    text(rate, 0).padStart(10),
    text(p99 === undefined ? undefined : p99 / 1000, 2).padStart(8),
  ];
  return `${entrant.padEnd(34)} ${columns.join(' ')}${problem === undefined ? '' : `  (${problem})`}`;
}

function printRows(title, records, { kind, pick, only = () => true }) {
  const chosen = records.filter((record) => record.kind === kind && record.problem === null && only(record));
  if (chosen.length === 0) return;
  console.log(`\n${title}`);
  const rows = [...groupBy(chosen, ({ entrant }) => entrant)].map(([entrant, list]) => ({ entrant, value: median(list.map(pick)) }));
  for (const { entrant, value } of rows.toSorted((a, b) => a.value - b.value))
    console.log(`${entrant.padEnd(34)} ${value.toFixed(1).padStart(8)}`);
}

export function median(values) {
  if (values.length === 0) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function groupBy(list, keyOf) {
  const groups = new Map();
  for (const item of list) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
