/**
 * One part per scenario: bars of CPU time per reply with their spread, and the table with requests/s,
 * percentiles, the ratio to Express 5 on Node 26 and a verdict. Rows that the engine answered alone stand in
 * a table of their own; void rows are shown, never ranked.
 */
import { bars } from '../charts.mjs';
import { figure, groupLegend, heading, table, text, verdict, verdictCell } from '../blocks.mjs';
import { entrantsOf, expressAt, noiseOf, ratioOf, recordsOf, rowOf } from '../data.mjs';
import { groupOf, inOrder, isFulmar, labelOf } from '../entrants.mjs';
import { integer, micros, percent, ratio, withSpread } from '../format.mjs';
import { judge, median } from '../maths.mjs';

/** From the simplest to the most real; scenarios that are not named follow. */
const order =
  'hello-text hello-json path-query post-json chain-3 chain-5 routes urlencoded list-10 update-user-light update-user-heavy update-user-month update-user-union guarded static-10k static-1m compressed-58k json-transform template file-routes-10 file-routes-1000 file-routes-1000-first db-insert realworld'.split(
    ' ',
  );

/** Names of the scenarios that were measured under full load without a choice of pool. */
export function scenarioNames(data) {
  const measured = new Set(data.records.filter((r) => r.kind === 'load' && r.pool === undefined).map((r) => r.scenario));
  const known = order.filter((name) => measured.has(name));
  return [...known, ...[...measured].filter((name) => !known.includes(name))];
}

export function titleOf(data, scenario) {
  return data.run.scenarios?.[scenario]?.title ?? scenario;
}

/** Everything a row shows; `of` names the conditions. Sorted: ranked rows by CPU time, void rows last. */
export function loadRows(data, of) {
  const rows = entrantsOf(data, { metric: 'cpu_us', ...of })
    .filter((entrant) => recordsOf(data, { metric: 'cpu_us', ...of, entrant }).length > 0)
    .map((entrant) => loadRow(data, { ...of, entrant }));
  return inOrder(rows, (row) => row.cpu.median);
}

function loadRow(data, ref) {
  const ask = (metric) => rowOf(data, { ...ref, metric });
  const { summary: cpu, isVoid, reasons, rounds, answered } = ask('cpu_us');
  const own = { ...ref, metric: 'cpu_us' };
  const against = ratioOf(data, own, { ...own, entrant: expressAt(data, own) });
  const { floor } = noiseOf(data, own);
  return {
    entrant: ref.entrant,
    label: labelOf(data, ref.entrant),
    group: groupOf(ref.entrant),
    answered,
    isVoid,
    reasons,
    rounds,
    cpu,
    rate: ask('rate').summary,
    p50: ask('load_p50').summary,
    p99: ask('load_p99').summary,
    against,
    verdict: judge({ ratio: against?.median, noise: floor }),
    isBase: ref.entrant === expressAt(data, own),
  };
}

/** Blocks of one scenario; `extra` may add columns: `{ title, cell(row) }`. */
export async function scenarioBlocks(data, { of, title, extra = [] }) {
  const rows = loadRows(data, of);
  const drawn = rows.filter((row) => !row.isVoid);
  const blocks = [];
  if (drawn.length > 0) blocks.push(await cpuFigure(drawn, title));
  blocks.push(rankedTable(data, { of, title, extra, rows: rows.filter((row) => row.answered !== 'native') }));
  const native = rows.filter((row) => row.answered === 'native');
  if (native.length > 0) blocks.push(nativeTable(native, title));
  return blocks;
}

async function cpuFigure(rows, title) {
  const chart = await bars({
    rows: rows.map(({ label, group, cpu }) => ({
      label,
      group,
      value: cpu.median,
      low: cpu.low,
      high: cpu.high,
      shown: micros(cpu.median),
    })),
  });
  const description =
    'Server CPU time per verified reply, median over the rounds; the thin line goes from the lowest to the highest round. Shorter is better.';
  return figure({ title: `${title}: CPU time per reply`, description, chart, legend: groupLegend(rows.map((row) => row.group)) });
}

function rankedTable(data, { of, title, extra, rows }) {
  const { floor, own } = noiseOf(data, { metric: 'cpu_us', ...of });
  const noise = floor === undefined ? 'no A/A pair' : `noise floor ${percent(floor, 1)}${own ? '' : ', of other scenarios'}`;
  const columns = [
    'server',
    '>CPU per reply',
    '>requests/s',
    '>p50',
    '>p99',
    '>÷ Express 5 on Node 26',
    'verdict',
    ...extra.map((one) => one.title),
  ];
  return table(
    `${title}: all figures (${noise})`,
    columns,
    rows.map((row) => [...rowCells(row), ...extra.map((one) => one.cell(row))]),
  );
}

function rowCells(row) {
  const server = { text: row.label, tone: isFulmar(row.entrant) ? 'ours' : undefined };
  if (row.isVoid) return [server, '–', '–', '–', '–', '–', verdict('void', `void: ${row.reasons.join('; ') || 'no figures'}`)];
  const lost = row.reasons.length > 0 ? `; some of ${row.rounds} rounds void: ${row.reasons.join('; ')}` : '';
  return [
    server,
    withSpread(row.cpu, (v) => micros(v)),
    integer(row.rate?.median),
    micros(row.p50?.median),
    micros(row.p99?.median),
    withSpread(row.against, ratio),
    verdictCell(row, lost),
  ];
}

function nativeTable(rows, title) {
  const cells = rows.map((row) => rowCells(row).slice(0, 6));
  return table(
    `${title}: answered by the engine alone, no JavaScript ran; not ranked`,
    ['server', '>CPU per reply', '>requests/s', '>p50', '>p99', '>÷ Express 5 on Node 26'],
    cells,
  );
}

export async function scenariosSection(data) {
  const blocks = [heading(2, 'Scenarios'), text(intro(data))];
  for (const scenario of scenarioNames(data)) {
    const about = data.run.scenarios?.[scenario]?.about;
    blocks.push(heading(3, titleOf(data, scenario)), text(`\`${scenario}\`${about ? `: ${about}` : ''}`));
    blocks.push(...(await scenarioBlocks(data, { of: { scenario }, title: titleOf(data, scenario) })));
  }
  return blocks;
}

function intro(data) {
  const connections = [...new Set(data.records.filter((r) => r.kind === 'load' && r.pool === undefined).map((r) => r.connections ?? 64))];
  return `Closed loop, ${connections.join(', ')} connections, one server at a time on a core of its own. Ratios are taken within a round. A difference below twice the noise floor is “no difference”. Percentiles in these tables are those of a server at its limit; the section on latency has those at a fixed rate.`;
}

/** Median over scenarios of the A/A noise of CPU time, for texts. */
export function typicalNoise(data) {
  return median(
    scenarioNames(data)
      .map((scenario) => noiseOf(data, { metric: 'cpu_us', scenario }).floor)
      .filter((floor) => floor !== undefined),
  );
}
