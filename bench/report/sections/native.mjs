/**
 * The native executable beside the same program on Node and compiled by Bun: start, memory, size, and what it
 * costs where JavaScript computes.
 */
import { bars } from '../charts.mjs';
import { details, figure, groupLegend, heading, table, text } from '../blocks.mjs';
import { entrantsOf, ratioOf, rowOf } from '../data.mjs';
import { groupOf, inOrder, isFulmar, labelOf, takeApart } from '../entrants.mjs';
import { commandOf, dateOf, runWith } from '../partial.mjs';
import { megabytes, micros, number, withSpread } from '../format.mjs';
import { titleOf } from './scenarios.mjs';

const hello = 'express-hello';
const columns = [
  { title: '>start to first reply', metric: 'first_reply_ms', conditions: { routes: 0 }, write: (value) => `${number(value)} ms` },
  { title: '>idle RSS', metric: 'rss_idle', write: megabytes },
  { title: '>RSS before a million requests', metric: 'rss_unsoaked', write: megabytes },
  { title: '>after them', metric: 'rss_soaked', write: megabytes },
  { title: '>executable', metric: 'executable_bytes', write: (value) => `${number(value / 1e6)} MB` },
];
const scenarios = ['hello-json', 'path-query', 'post-json', 'chain-5', 'json-transform', 'template'];
const runtimes = ['node26', 'fulmar-node26', 'fulmar-native', 'bun'];

/** The run whose native rows are shown, the whole one or a partial one; `undefined` when none has any. */
export function nativeRun(data) {
  return runWith(data, ({ records }) => records.some(({ entrant }) => takeApart(entrant).runtime === 'fulmar-native'));
}

export async function nativeSection(data) {
  const run = nativeRun(data);
  if (run === undefined) return [heading(2, 'The native executable'), text('Not measured in this run.')];
  const entrants = [...new Set(columns.flatMap(({ metric }) => entrantsOf(run, { metric })))].filter(
    (entrant) => takeApart(entrant).contestant === hello,
  );
  return [
    heading(2, 'The native executable'),
    text(
      'One route of Express 5: on Node, on Fulmar, as one executable with QuickJS (`fulmar build --native`), and compiled by Bun. The executables need nothing else.',
    ),
    ...(run === data ? [] : originOf(run)),
    ...(await chartOf(run, { column: columns[0], entrants, title: 'One route of Express 5: start to first reply' })),
    ...(await chartOf(run, { column: columns[1], entrants, title: 'One route of Express 5: memory when idle' })),
    table('One route of Express 5: start, memory, size', ['server', ...columns.map(({ title }) => title)], entrants.map(cellsOf(run))),
    text(
      'QuickJS interprets JavaScript, V8 compiles it. So the executable starts sooner and needs less memory, and each reply costs it more CPU time than Node; the more JavaScript a reply runs, the more.',
    ),
    table(
      'Express 5, CPU time per reply',
      ['scenario', ...runtimes.map((runtime) => `>${labelOf(run, `express5@${runtime}`)}`), '>executable ÷ Node 26'],
      cpuRows(run),
    ),
  ];
}

async function chartOf(data, { column, entrants, title }) {
  const rows = entrants.flatMap((entrant) => {
    const row = rowOf(data, { metric: column.metric, ...column.conditions, entrant });
    if (row === undefined || row.isVoid) return [];
    const { median, low, high } = row.summary;
    return [{ label: labelOf(data, entrant), group: groupOf(entrant), value: median, low, high, shown: column.write(median) }];
  });
  if (rows.length === 0) return [];
  const sorted = inOrder(rows, (row) => row.value);
  const description = 'Median; the thin line goes from the lowest to the highest. Shorter is better.';
  return [figure({ title, description, chart: await bars({ rows: sorted }), legend: groupLegend(sorted.map((row) => row.group)) })];
}

function originOf(run) {
  return [
    text(
      `These rows are of the partial run of ${dateOf(run)} (\`bench/results/${run.name}\`), which has no server measured twice, so that its noise is not known.`,
    ),
    details('The command of that run', commandOf(run)),
  ];
}

const cellsOf = (data) => (entrant) => [
  { text: labelOf(data, entrant), tone: isFulmar(entrant) ? 'ours' : undefined },
  ...columns.map(({ metric, conditions = {}, write }) => cell(rowOf(data, { metric, ...conditions, entrant }), write)),
];

function cpuRows(data) {
  const ref = (scenario, runtime) => ({ metric: 'cpu_us', scenario, entrant: `express5@${runtime}` });
  return scenarios
    .filter((scenario) => rowOf(data, ref(scenario, 'fulmar-native')) !== undefined)
    .map((scenario) => [
      titleOf(data, scenario),
      ...runtimes.map((runtime) => cell(rowOf(data, ref(scenario, runtime)), micros)),
      withSpread(ratioOf(data, ref(scenario, 'fulmar-native'), ref(scenario, 'node26'))),
    ]);
}

function cell(row, write) {
  if (row === undefined) return '–';
  return row.isVoid ? 'void' : write(row.summary.median);
}
