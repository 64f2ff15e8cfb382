/** Memory of the whole process tree, sampled from outside: idle, under load, at its peak and 30 s after. */
import { bars } from '../charts.mjs';
import { figure, groupLegend, heading, table, text, verdict, verdictCell } from '../blocks.mjs';
import { baseEntrant, entrantsOf, noiseOf, ratioOf, recordsOf, rowOf } from '../data.mjs';
import { groupOf, inOrder, isFulmar, labelOf } from '../entrants.mjs';
import { megabytes, percent, withSpread } from '../format.mjs';
import { judge, median } from '../maths.mjs';

/** Rows sorted by RSS under load. */
export function memoryRows(data) {
  const rows = entrantsOf(data, { metric: 'rss_idle' }).map((entrant) => memoryRow(data, entrant));
  return inOrder(rows, (row) => row.loaded.median);
}

function memoryRow(data, entrant) {
  const ask = (metric) => rowOf(data, { metric, entrant });
  const ratio = (metric) => ratioOf(data, { metric, entrant }, { metric, entrant: baseEntrant });
  const { isVoid, reasons, answered } = ask('rss_loaded');
  const loadedRatio = ratio('rss_loaded');
  return {
    entrant,
    label: labelOf(data, entrant),
    group: groupOf(entrant),
    answered,
    isVoid,
    reasons,
    ...Object.fromEntries(['idle', 'loaded', 'peak', 'after'].map((moment) => [moment, ask(`rss_${moment}`).summary])),
    // The memory runs overlap (a server rests while the next is measured), and shared pages would be shared
    // out: PSS is that of the load runs.
    loadedPss: median(
      recordsOf(data, { metric: 'cpu_us', scenario: 'hello-json', entrant })
        .map((r) => r.pss)
        .filter(Number.isFinite),
    ),
    idleRatio: ratio('rss_idle'),
    loadedRatio,
    isBase: entrant === baseEntrant,
    verdict: judge({ ratio: loadedRatio?.median, noise: noiseOf(data, { metric: 'rss_loaded', entrant }).floor }),
  };
}

export async function memorySection(data) {
  const blocks = [heading(2, 'Memory')];
  const rows = memoryRows(data);
  if (rows.length === 0) return [...blocks, text('Not measured in this run.')];
  const drawn = rows.filter((row) => !row.isVoid);
  for (const [moment, title] of [
    ['idle', 'Idle memory (RSS)'],
    ['loaded', 'Memory under load (RSS)'],
  ]) {
    const bar = (row) => ({
      label: row.label,
      group: row.group,
      value: row[moment].median,
      low: row[moment].low,
      high: row[moment].high,
      shown: megabytes(row[moment].median),
    });
    const sorted = inOrder(
      drawn.filter((row) => row[moment] !== undefined),
      (row) => row[moment].median,
    );
    if (sorted.length === 0) continue;
    const description = 'Resident memory of the process tree, median and spread over the rounds. Shorter is better.';
    blocks.push(
      figure({ title, description, chart: await bars({ rows: sorted.map(bar) }), legend: groupLegend(sorted.map((row) => row.group)) }),
    );
  }
  const { floor } = noiseOf(data, { metric: 'rss_loaded' });
  const noise = floor === undefined ? 'no A/A pair' : `noise floor ${percent(floor, 1)}`;
  const columns = [
    'server',
    '>idle RSS',
    '>loaded RSS',
    '>PSS under load, alone',
    '>peak RSS',
    '>after',
    '>idle ÷ Express 5',
    '>loaded ÷ Express 5',
    'verdict (loaded)',
  ];
  blocks.push(
    table(
      `Memory: all figures (${noise})`,
      columns,
      rows.map((row) => cells(row)),
    ),
  );
  return blocks;
}

function cells(row) {
  const server = { text: row.label, tone: isFulmar(row.entrant) ? 'ours' : undefined };
  if (row.isVoid)
    return [server, ...Array.from({ length: 7 }, () => '–'), verdict('void', `void: ${row.reasons.join('; ') || 'no figures'}`)];
  const mib = (summary) => megabytes(summary?.median);
  const ratios = [withSpread(row.idleRatio), withSpread(row.loadedRatio)];
  return [server, mib(row.idle), mib(row.loaded), megabytes(row.loadedPss), mib(row.peak), mib(row.after), ...ratios, verdictCell(row)];
}
