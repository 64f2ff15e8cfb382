// Fills the figures of README.md from a raw results folder: `node bench/report/readme.mjs [results folder]`, by default the folder that the
// marker names, else the newest run that is not a quick one. Writes only what stands between the two markers:
//   <!-- bench:begin bench/results/<folder> -->  …  <!-- bench:end -->
// tests/bench/report-page.test.ts fails when README and raw files disagree.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { newestFolder, readFolder } from './data.mjs';
import { targetResult, targets } from './sections/claims.mjs';
import { lossesOf } from './sections/losses.mjs';
import { headline, headlineTile } from './sections/summary.mjs';
import { labelOf } from './entrants.mjs';
import { times } from './format.mjs';

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
const markers = /<!-- bench:begin(?: (?<folder>[\w./-]+))? -->[^]*?<!-- bench:end -->/;
const lossesShown = 3;

/** The folder that the marker names, relative to the repository; `undefined` when there is none, `null` when there is no marker. */
export function namedFolder(readme) {
  const found = markers.exec(readme);
  return found === null ? null : found.groups.folder;
}

/** README with the figures of `data` between its markers; throws when it has no markers. */
export function fillReadme(readme, data) {
  if (!markers.test(readme)) throw new Error('README.md has no <!-- bench:begin --> and <!-- bench:end --> markers');
  return readme.replace(markers, () => `<!-- bench:begin bench/results/${data.name} -->\n${readmeBlock(data)}\n<!-- bench:end -->`);
}

/** The figures as Markdown: what they stand on, the headline, the aims, the largest losses. */
export function readmeBlock(data) {
  return [circumstances(data), headlineTable(data), aimsTable(data), losses(data)].join('\n\n');
}

function circumstances({ run, name }) {
  const { machine = {}, versions = {} } = run;
  const runtimes = [`Node ${versions.node26 ?? '–'}`, `Bun ${versions.bun ?? '–'}`].join(', ');
  return `\`${run.command}\` on ${String(run.date).slice(0, 10)}: ${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, ${runtimes}; medians of interleaved rounds, every reply checked. Raw files in \`bench/results/${name}\`; everything, with spread, in [bench/reports/latest.md](bench/reports/latest.md).`;
}

function headlineTable(data) {
  const rows = headline
    .map((item) => headlineTile(data, item))
    .map(({ label, value, detail }) => `| ${label} | **${value}** | ${detail} |`);
  return ['| the same Express 5 program, Fulmar against Node | | |', '|---|---|---|', ...rows].join('\n');
}

function aimsTable(data) {
  const rows = targets.map((target) => {
    const { word, found } = targetResult(data, target);
    return found === undefined ? undefined : `| ${target.name} | ${found.written} | ${target.aim}${word === 'missed' ? ', missed' : ''} |`;
  });
  return [
    '| ours divided by theirs, CPU time per reply unless said otherwise | measured | aim |',
    '|---|---|---|',
    ...rows.filter((row) => row !== undefined),
  ].join('\n');
}

function losses(data) {
  const certain = lossesOf(data).filter((loss) => loss.certain);
  if (certain.length === 0) return 'No peer is ahead beyond the noise in this run.';
  const places = new Map();
  for (const loss of certain) if (!places.has(`${loss.where}|${loss.metric}`)) places.set(`${loss.where}|${loss.metric}`, loss);
  const shown = [...places.values()].slice(0, lossesShown);
  const list = shown.map(({ where, metric, peer, factor }) => `${labelOf(data, peer)} (${where}, ${metric}: ${times(factor)})`).join('; ');
  return `**Where Fulmar loses:** in ${places.size} places a peer is ahead beyond the noise. The largest: ${list}. [All of them](bench/reports/latest.md#where-fulmar-loses).`;
}

function main([chosen]) {
  const file = join(dirname(bench), 'README.md');
  const readme = readFileSync(file, 'utf8');
  const named = namedFolder(readme);
  const folder = chosen ?? (named ? join(dirname(bench), named) : newestFolder(join(bench, 'results')));
  if (folder === undefined) throw new Error('no results folder under bench/results: make one with `npm run bench`, or name one');
  writeFileSync(file, fillReadme(readme, readFolder(resolve(folder))));
  console.log(`README.md: figures of bench/results/${basename(folder)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
