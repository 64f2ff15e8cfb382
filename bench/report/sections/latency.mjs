/**
 * Latency at fixed rates (open loop: latency counts from the time a request was due) and the CPU time that
 * rate costs.
 */
import { ranges } from '../charts.mjs';
import { figure, groupLegend, heading, table, text, verdict, verdictCell } from '../blocks.mjs';
import { baseEntrant, distinct, entrantsOf, noiseOf, ratioOf, recordsOf, rowOf } from '../data.mjs';
import { groupOf, inOrder, isFulmar, labelOf } from '../entrants.mjs';
import { integer, micros, percent, withSpread } from '../format.mjs';
import { judge, median } from '../maths.mjs';
import { titleOf } from './scenarios.mjs';

const percentiles = ['p50', 'p90', 'p99', 'p99_9', 'max'];

export async function latencySection(data) {
  const blocks = [heading(2, 'Latency at a fixed rate')];
  const scenarios = distinct(data, 'latency', 'scenario');
  if (scenarios.length === 0) return [...blocks, text('Not measured in this run.')];
  blocks.push(
    text(
      'Open loop: requests are due at a constant rate and latency counts from the time a request was due, so that a stall shows in every request behind it. Medians over the rounds.',
    ),
  );
  for (const scenario of scenarios) {
    for (const target_rate of distinct(data, 'latency', 'target_rate')) {
      if (entrantsOf(data, { metric: 'latency_p99', scenario, target_rate }).length > 0)
        blocks.push(...(await rateBlocks(data, { scenario, target_rate })));
    }
  }
  return blocks;
}

async function rateBlocks(data, of) {
  const title = `${titleOf(data, of.scenario)} at ${integer(of.target_rate)} requests/s`;
  const rows = latencyRows(data, of);
  const drawn = rows.filter((row) => !row.isVoid);
  const blocks = [heading(3, title)];
  if (drawn.length > 0) {
    const dots = (row) => ['p50', 'p99', 'p99_9'].map((name) => ({ name, value: row.values[name] })).filter(({ value }) => value > 0);
    const chart = await ranges({
      rows: drawn.map((row) => ({ label: row.label, group: row.group, dots: dots(row) })),
      xTitle: 'latency, µs (logarithmic)',
    });
    const description = 'Circle: p50, square: p99, triangle: p99.9. Further left is better.';
    blocks.push(figure({ title: `${title}: latency`, description, chart, legend: groupLegend(drawn.map((row) => row.group)) }));
  }
  const columns = [
    'server',
    '>p50',
    '>p90',
    '>p99',
    '>p99.9',
    '>max',
    '>p99 ÷ Express 5 on Node 26',
    'verdict',
    '>CPU per reply',
    '>share of a core',
  ];
  blocks.push(
    table(
      `${title}: all figures`,
      columns,
      rows.map((row) => cells(row)),
    ),
  );
  return blocks;
}

/** Rows sorted by p99. */
export function latencyRows(data, of) {
  const rows = entrantsOf(data, { metric: 'latency_p99', ...of }).map((entrant) => {
    const ref = { metric: 'latency_p99', ...of, entrant };
    const good = recordsOf(data, ref).filter((r) => r.void === null);
    const against = ratioOf(data, ref, { ...ref, entrant: baseEntrant });
    return {
      entrant,
      label: labelOf(data, entrant),
      group: groupOf(entrant),
      ...rowOf(data, ref),
      values: Object.fromEntries(percentiles.map((name) => [name, median(good.map((r) => r.latency_us[name]))])),
      cpu: median(good.map((r) => r.cpu_us)),
      share: median(good.map((r) => r.cpu_share)),
      against,
      isBase: entrant === baseEntrant,
      verdict: judge({ ratio: against?.median, noise: noiseOf(data, ref).floor }),
    };
  });
  return inOrder(rows, (row) => row.values.p99);
}

function cells(row) {
  const server = { text: row.label, tone: isFulmar(row.entrant) ? 'ours' : undefined };
  if (row.isVoid)
    return [server, ...percentiles.map(() => '–'), '–', verdict('void', `void: ${row.reasons.join('; ') || 'no figures'}`), '–', '–'];
  return [
    server,
    ...percentiles.map((name) => micros(row.values[name])),
    withSpread(row.against),
    verdictCell(row),
    micros(row.cpu),
    percent(row.share, 1),
  ];
}
