// The native executable beside the same program on Node and compiled by Bun: start, memory, size, and what it costs where JavaScript computes.
import { heading, table, text } from '../blocks.mjs';
import { entrantsOf, rowOf } from '../data.mjs';
import { isFulmar, labelOf, takeApart } from '../entrants.mjs';
import { megabytes, micros, number } from '../format.mjs';
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

export function nativeSection(data) {
  const blocks = [heading(2, 'The native executable')];
  const entrants = [...new Set(columns.flatMap(({ metric }) => entrantsOf(data, { metric })))].filter(
    (entrant) => takeApart(entrant).contestant === hello,
  );
  if (entrants.length === 0) return [...blocks, text('Not measured in this run.')];
  blocks.push(
    text(
      'One route of Express 5: on Node, on Fulmar, as one executable with QuickJS (`fulmar build --native`), and compiled by Bun. The executables need nothing else.',
    ),
    table('One route of Express 5: start, memory, size', ['server', ...columns.map(({ title }) => title)], entrants.map(cellsOf(data))),
    text(
      'QuickJS interprets: where the engine answers and JavaScript does little, the executable is ahead; where JavaScript computes, it is behind, as the last two scenarios show.',
    ),
    table(
      'Express 5, CPU time per reply',
      ['scenario', ...runtimes.map((runtime) => `>${labelOf(data, `express5@${runtime}`)}`)],
      cpuRows(data),
    ),
  );
  return blocks;
}

const cellsOf = (data) => (entrant) => [
  { text: labelOf(data, entrant), tone: isFulmar(entrant) ? 'ours' : undefined },
  ...columns.map(({ metric, conditions = {}, write }) => cell(rowOf(data, { metric, ...conditions, entrant }), write)),
];

function cpuRows(data) {
  return scenarios.map((scenario) => [
    titleOf(data, scenario),
    ...runtimes.map((runtime) => cell(rowOf(data, { metric: 'cpu_us', scenario, entrant: `express5@${runtime}` }), micros)),
  ]);
}

function cell(row, write) {
  if (row === undefined) return '–';
  return row.isVoid ? 'void' : write(row.summary.median);
}
