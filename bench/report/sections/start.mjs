/**
 * Cold start: from just before `spawn` to the last byte of the first right reply, for the hello program and
 * by number of routes.
 */
import { bars, lines } from '../charts.mjs';
import { seriesMax } from '../series.mjs';
import { figure, groupLegend, heading, seriesLegend, table, text, verdict, verdictCell } from '../blocks.mjs';
import { baseEntrant, distinct, entrantsOf, noiseOf, oursEntrant, ratioOf, rowOf } from '../data.mjs';
import { groupOf, inOrder, isFulmar, labelOf, stockOf } from '../entrants.mjs';
import { integer, number, percent, withSpread } from '../format.mjs';
import { judge } from '../maths.mjs';

const ms = (value) => `${number(value)} ms`;

/** Rows of the hello program, or of `routes` routes, fastest first. */
export function startRows(data, routes = 0) {
  const rows = entrantsOf(data, { metric: 'first_reply_ms', routes }).map((entrant) => {
    const ref = { metric: 'first_reply_ms', routes, entrant };
    const against = ratioOf(data, ref, { ...ref, entrant: baseEntrant });
    return {
      entrant,
      label: labelOf(data, entrant),
      group: groupOf(entrant),
      ...rowOf(data, ref),
      listening: rowOf(data, { ...ref, metric: 'listening_ms' })?.summary,
      against,
      isBase: entrant === baseEntrant,
      verdict: judge({ ratio: against?.median, noise: noiseOf(data, ref).floor }),
    };
  });
  return inOrder(rows, (row) => row.summary.median);
}

export async function startSection(data) {
  const blocks = [heading(2, 'Cold start')];
  const rows = startRows(data);
  if (rows.length === 0) return [...blocks, text('Not measured in this run.')];
  blocks.push(
    text(
      'From just before the process is spawned to the last byte of the first right reply, asked from outside. One fresh process per start, interleaved.',
    ),
  );
  blocks.push(...(await helloBlocks(data, rows)), ...(await growthBlocks(data)));
  return blocks;
}

async function helloBlocks(data, rows) {
  const drawn = rows.filter((row) => !row.isVoid);
  const bar = ({ label, group, summary }) => ({
    label,
    group,
    value: summary.median,
    low: summary.low,
    high: summary.high,
    shown: ms(summary.median),
  });
  const chart = drawn.length === 0 ? undefined : await bars({ rows: drawn.map(bar) });
  const description = 'Median of all starts; the thin line goes from the fastest to the slowest start. Shorter is better.';
  const { floor } = noiseOf(data, { metric: 'first_reply_ms', routes: 0 });
  const noise = floor === undefined ? 'no A/A pair' : `noise floor ${percent(floor, 1)}, on medians of five batches of starts`;
  const columns = ['server', '>median', '>p95', '>min', '>max', '>listening', '>starts', '>÷ Express 5 on Node 26', 'verdict'];
  const title = 'Cold start of the hello program';
  return [
    ...(chart === undefined ? [] : [figure({ title, description, chart, legend: groupLegend(drawn.map((row) => row.group)) })]),
    table(
      `${title}: all figures (${noise})`,
      columns,
      rows.map((row) => helloCells(row)),
    ),
  ];
}

function helloCells(row) {
  const server = { text: row.label, tone: isFulmar(row.entrant) ? 'ours' : undefined };
  if (row.isVoid)
    return [server, ...Array.from({ length: 7 }, () => '–'), verdict('void', `void: ${row.reasons.join('; ') || 'no figures'}`)];
  const { median, p95, low, high, count } = row.summary;
  return [
    server,
    ms(median),
    ms(p95),
    ms(low),
    ms(high),
    ms(row.listening?.median),
    integer(count),
    withSpread(row.against),
    verdictCell(row),
  ];
}

async function growthBlocks(data) {
  const counts = distinct(data, 'start', 'routes').filter((routes) => routes > 0);
  if (counts.length < 2) return [];
  const entrants = [...new Set(counts.flatMap((routes) => entrantsOf(data, { metric: 'first_reply_ms', routes })))];
  const row = (entrant, routes) => rowOf(data, { metric: 'first_reply_ms', routes, entrant });
  const good = (entrant) => counts.map((x) => ({ x, at: row(entrant, x) })).filter(({ at }) => at?.isVoid === false);
  const chosen = choose(entrants.filter((entrant) => good(entrant).length > 1));
  const series = chosen.map((entrant) => ({
    name: labelOf(data, entrant),
    points: good(entrant).map(({ x, at }) => ({ x, y: at.summary.median })),
  }));
  const title = 'Start to first reply by number of routes';
  const chart =
    series.length === 0 ? undefined : await lines({ series, xTitle: 'distinct routes', yTitle: 'ms to the first reply', yFormat: ',.0f' });
  const cell = (at) => (at === undefined ? '–' : at.isVoid ? verdict('void') : ms(at.summary.median));
  return [
    heading(3, 'Cold start by number of routes'),
    ...(chart === undefined
      ? []
      : [
          figure({
            title,
            description: 'Median; each route has a handler of its own. Lower and flatter is better.',
            chart,
            legend: seriesLegend(series.map((s) => s.name)),
          }),
        ]),
    table(
      `${title}: medians`,
      ['server', ...counts.map((n) => `>${integer(n)}`)],
      entrants.map((entrant) => [labelOf(data, entrant), ...counts.map((n) => cell(row(entrant, n)))]),
    ),
  ];
}

/** At most as many entrants as a chart has colours: ours, the same on stock Node, then the others. */
export function choose(entrants) {
  const first = [oursEntrant, baseEntrant].filter((entrant) => entrants.includes(entrant));
  const plain = entrants.filter(
    (entrant) => !first.includes(entrant) && stockOf(entrant) === undefined && !/@(?:node20|native)$/.test(entrant),
  );
  const rest = entrants.filter((entrant) => groupOf(entrant) !== 'native' && !first.includes(entrant) && !plain.includes(entrant));
  return [...first, ...plain, ...rest].slice(0, seriesMax);
}
