/** Connection scaling: what is left of the rate at 100 connections when there are more, up to 10,000. */
import { lines } from '../charts.mjs';
import { figure, heading, seriesLegend, table, text, verdict } from '../blocks.mjs';
import { distinct, entrantsOf, ratioOf, recordsOf, rowOf } from '../data.mjs';
import { labelOf } from '../entrants.mjs';
import { integer, megabytes, micros, percent } from '../format.mjs';
import { median } from '../maths.mjs';
import { choose } from './start.mjs';
import { titleOf } from './scenarios.mjs';

export async function connectionsSection(data) {
  const blocks = [heading(2, 'Connections')];
  const scenarios = distinct(data, 'connections', 'scenario');
  if (scenarios.length === 0) return [...blocks, text('Not measured in this run.')];
  blocks.push(
    text('Closed loop with more and more connections. “Kept” is the rate divided by that at the fewest connections, within a round.'),
  );
  for (const scenario of scenarios) blocks.push(...(await scalingBlocks(data, scenario)));
  return blocks;
}

/** Share of the rate at the fewest connections that is kept at `connections`; a summary. */
export function keptOf(data, { scenario, entrant, connections }) {
  const [fewest] = distinct(data, 'connections', 'connections');
  const ref = { metric: 'connections_rate', scenario, entrant };
  return ratioOf(data, { ...ref, connections }, { ...ref, connections: fewest });
}

async function scalingBlocks(data, scenario) {
  const counts = distinct(data, 'connections', 'connections');
  const entrants = entrantsOf(data, { metric: 'connections_rate', scenario });
  const kept = (entrant, connections) => keptOf(data, { scenario, entrant, connections })?.median;
  const points = (entrant) => counts.map((x) => ({ x, y: kept(entrant, x) })).filter(({ y }) => y !== undefined);
  const series = choose(entrants.filter((entrant) => points(entrant).length > 1)).map((entrant) => ({
    name: labelOf(data, entrant),
    points: points(entrant),
  }));
  const title = `Rate kept with more connections (${titleOf(data, scenario)})`;
  const blocks = [];
  if (series.length > 0) {
    const chart = await lines({ series, xTitle: 'connections', yTitle: `rate ÷ rate at ${counts[0]}`, yFormat: '.0%' });
    blocks.push(
      figure({
        title,
        description: 'Median over the rounds. Higher and flatter is better.',
        chart,
        legend: seriesLegend(series.map((one) => one.name)),
      }),
    );
  }
  const rows = entrants.flatMap((entrant) =>
    counts.map((connections) => scalingRow(data, { scenario, entrant, connections })).filter((row) => row !== undefined),
  );
  blocks.push(table(`${title}: all figures`, ['server', '>connections', '>requests/s', '>kept', '>p99', '>RSS', 'problems'], rows));
  return blocks;
}

function scalingRow(data, ref) {
  const asked = { metric: 'connections_rate', ...ref };
  const row = rowOf(data, asked);
  if (row === undefined) return undefined;
  const start = [labelOf(data, ref.entrant), integer(ref.connections)];
  const problems = row.reasons.join('; ');
  if (row.isVoid) return [...start, '–', '–', '–', '–', verdict('void', `void: ${problems || 'no figures'}`)];
  const good = recordsOf(data, asked).filter((r) => r.void === null);
  const middle = (pick) => median(good.map(pick).filter(Number.isFinite));
  const figures = [micros(middle((r) => r.latency_us?.p99)), megabytes(middle((r) => r.rss))];
  return [
    ...start,
    integer(row.summary.median),
    percent(keptOf(data, ref)?.median),
    ...figures,
    problems === '' ? '' : `some rounds void: ${problems}`,
  ];
}
