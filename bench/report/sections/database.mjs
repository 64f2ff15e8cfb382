/**
 * The database scenarios: share of right replies and rate, with an equal pool for all and with each
 * contestant's best.
 */
import { bars } from '../charts.mjs';
import { figure, groupLegend, heading, table, text, verdict, verdictCell } from '../blocks.mjs';
import { entrantsOf, expressAt, noiseOf, ratioOf, recordsOf, rowOf } from '../data.mjs';
import { groupOf, inOrder, isFulmar, labelOf } from '../entrants.mjs';
import { integer, micros, percent, withSpread } from '../format.mjs';
import { judge, median } from '../maths.mjs';
import { titleOf } from './scenarios.mjs';

/** The distinct conditions under which the database was asked. */
export function databasePlaces(data) {
  const places = new Map();
  for (const { kind, scenario, connections, pool } of data.records) {
    if (kind === 'load' && pool !== undefined) places.set(`${scenario}|${connections}|${pool}`, { scenario, connections, pool });
  }
  return [...places.values()];
}

export async function databaseSection(data) {
  const blocks = [heading(2, 'Database')];
  const places = databasePlaces(data);
  if (places.length === 0) return [...blocks, text('Not measured in this run.')];
  blocks.push(
    text(
      'PostgreSQL on the same machine, the same driver and statement for all. “Equal pool”: every contestant has the same number of connections to the database; “best pool”: the size that suited each best. A wrong or missing reply makes a round void for the ranking; the share of right replies counts every round.',
    ),
  );
  for (const place of places) blocks.push(...(await placeBlocks(data, place)));
  return blocks;
}

async function placeBlocks(data, place) {
  const title = `${titleOf(data, place.scenario)}, ${place.connections} connections, ${place.pool} pool`;
  const rows = databaseRows(data, place);
  const drawn = rows.filter((row) => !row.isVoid);
  const blocks = [heading(3, title)];
  if (drawn.length > 0) {
    const bar = ({ label, group, rate }) => ({
      label,
      group,
      value: rate.median,
      low: rate.low,
      high: rate.high,
      shown: integer(rate.median),
    });
    const description = 'Right replies per second, median and spread over the rounds. Longer is better.';
    blocks.push(
      figure({
        title: `${title}: requests/s`,
        description,
        chart: await bars({ rows: drawn.map(bar) }),
        legend: groupLegend(drawn.map((row) => row.group)),
      }),
    );
  }
  const columns = ['server', '>right replies', '>requests/s', '>CPU per reply', '>p99', '>pool', '>rate ÷ Express 5 on Node 26', 'verdict'];
  blocks.push(
    table(
      `${title}: all figures`,
      columns,
      rows.map((row) => cells(row)),
    ),
  );
  return blocks;
}

/** Rows sorted by rate. */
export function databaseRows(data, place) {
  const rows = entrantsOf(data, { metric: 'rate', ...place }).map((entrant) => {
    const ref = { metric: 'rate', ...place, entrant };
    const measure = expressAt(data, ref);
    const against = ratioOf(data, ref, { ...ref, entrant: measure });
    return {
      entrant,
      label: labelOf(data, entrant),
      group: groupOf(entrant),
      ...rowOf(data, ref),
      rate: rowOf(data, ref).summary,
      success: rowOf(data, { ...ref, metric: 'success' }).summary,
      cpu: rowOf(data, { ...ref, metric: 'cpu_us' }).summary,
      p99: rowOf(data, { ...ref, metric: 'load_p99' }).summary,
      poolSize: median(
        recordsOf(data, ref)
          .map((r) => r.pool_size)
          .filter(Number.isFinite),
      ),
      against,
      isBase: entrant === measure,
      verdict: judge({ ratio: against?.median, noise: noiseOf(data, ref).floor, better: 'higher' }),
    };
  });
  return inOrder(rows, (row) => -row.rate.median);
}

function cells(row) {
  const server = { text: row.label, tone: isFulmar(row.entrant) ? 'ours' : undefined };
  const success = percent(row.success?.median, 1);
  if (row.isVoid)
    return [server, success, '–', '–', '–', integer(row.poolSize), '–', verdict('void', `void: ${row.reasons.join('; ') || 'no figures'}`)];
  return [
    server,
    success,
    integer(row.rate.median),
    micros(row.cpu?.median),
    micros(row.p99?.median),
    integer(row.poolSize),
    withSpread(row.against),
    verdictCell(row),
  ];
}
