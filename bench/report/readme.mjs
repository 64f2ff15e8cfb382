/**
 * Fills the figures of README.md from a raw results folder: `node bench/report/readme.mjs [results folder]`,
 * by default the folder that the marker names, else the newest run that is neither quick nor partial. Writes
 * only what stands between the two markers of
 *   <!-- bench:begin bench/results/<folder> -->  …  <!-- bench:end -->
 *   <!-- bench:headline -->  …  <!-- bench:headline-end -->    (the gain in one sentence; also in the README of the package)
 * tests/bench/report-page.test.ts fails when README and raw files disagree.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { entrantsOf, newestFolder, oursEntrant, ratioOf, rowOf } from './data.mjs';
import { groupOf, labelOf, takeApart } from './entrants.mjs';
import { megabytes, number, percent, ratio, times } from './format.mjs';
import { dateOf, readWithPartials } from './partial.mjs';
import { targetResult, targets } from './sections/claims.mjs';
import { lossesApart, lossesByPlace, lossesOf, nativeLosses, placeTitle } from './sections/losses.mjs';
import { nativeRun } from './sections/native.mjs';
import { titleOf } from './sections/scenarios.mjs';
import { loadPlaces } from './sections/since.mjs';
import { gainOf, headline, headlineTile } from './sections/summary.mjs';

const bench = dirname(dirname(fileURLToPath(import.meta.url)));
const markers = /<!-- bench:begin(?: (?<folder>[\w./-]+))? -->[^]*?<!-- bench:end -->/;
const headlineMarkers = /<!-- bench:headline -->[^]*?<!-- bench:headline-end -->/;
const lossesShown = 3;
/** Losses below this factor are in the report alone. */
const toldFrom = 1.1;

/**
 * The folder that the marker names, relative to the repository; `undefined` when there is none, `null` when
 * there is no marker.
 */
export function namedFolder(readme) {
  const found = markers.exec(readme);
  return found === null ? null : found.groups.folder;
}

/** README with the figures of `data` between its markers; throws when it has no markers. */
export function fillReadme(readme, data) {
  if (!markers.test(readme)) throw new Error('README.md has no <!-- bench:begin --> and <!-- bench:end --> markers');
  const filled = readme.replace(markers, () => `<!-- bench:begin bench/results/${data.name} -->\n${readmeBlock(data)}\n<!-- bench:end -->`);
  return fillHeadline(filled, data);
}

/**
 * A text with the gain in one sentence between the markers of the headline; unchanged without such markers.
 */
export function fillHeadline(text, data) {
  return text.replace(headlineMarkers, () => `<!-- bench:headline -->\n${gainSentence(data)}\n<!-- bench:headline-end -->`);
}

/** The figures as Markdown: the table, what it stands on, what is slower, who is ahead, what is missed. */
export function readmeBlock(data) {
  return [headlineTable(data), circumstances(data), ownLosses(data), peerLosses(data), since(data), aims(data)]
    .filter((part) => part !== undefined)
    .join('\n\n');
}

/**
 * Scenarios in which what a reply costs is the framework: no large file, no compression, no database, no
 * table of 1,000 routes.
 */
const frameworkScenarios =
  'hello-text hello-json path-query post-json chain-3 chain-5 urlencoded list-10 update-user-light update-user-heavy'.split(' ');
/** Those in which it is a small part. */
const otherScenarios = [
  { scenario: 'static-1m', name: 'a file of 1 MB' },
  { scenario: 'compressed-58k', name: 'a compressed reply of 58 KB' },
  { scenario: 'db-read', pool: 'equal', connections: 50, name: 'a database read of 100 rows' },
];
const short = (value) => `${value.toFixed(1)}`;

function gainSentence(data) {
  const gains = frameworkScenarios.map((scenario) => gainOf(data, { metric: 'cpu_us', scenario })?.value).filter(Boolean);
  if (gains.length === 0) return 'Not measured in this run.';
  const whole = gainOf(data, { metric: 'cpu_us', scenario: 'realworld', pool: 'equal', connections: 50 });
  const others = otherScenarios.flatMap(({ name, ...place }) => {
    const gain = gainOf(data, { metric: 'cpu_us', ...place });
    return gain === undefined ? [] : [`${short(gain.value)} times for ${name}`];
  });
  const parts = [
    `**From the same CPU time, ${short(Math.min(...gains))} to ${short(Math.max(...gains))} times as many replies where the framework is the work`,
    ...(whole === undefined ? [] : [`, ${short(whole.value)} times in a whole application with PostgreSQL`]),
    '.**',
    ...(others.length === 0 ? [] : [` Where it is not, little: ${others.join(', ')}.`]),
  ];
  return parts.join('');
}

function headlineTable(data) {
  const rows = [...headline.map((item) => headlineTile(data, item)), ...nativeTiles(data)].map(
    ({ label, value, detail }) => `| ${label} | **${value}** | ${detail} |`,
  );
  return ['| the same Express 5 program, on Fulmar against on Node | | |', '|---|---|---|', ...rows].join('\n');
}

/** Start and memory of an executable against the same program on Node, of the run that has them. */
function nativeTiles(data) {
  const run = nativeRun(data);
  if (run === undefined) return [];
  const native = 'One executable (`--native`)';
  return [
    { label: `${native}, start`, ref: { metric: 'first_reply_ms', routes: 0 }, write: (value) => `${number(value)} ms` },
    { label: `${native}, idle`, ref: { metric: 'rss_idle' }, write: megabytes },
  ].flatMap(({ label, ref, write }) => {
    const [ours, base] = ['fulmar-native', 'node26'].map((runtime) => ({ ...ref, entrant: `express-hello@${runtime}` }));
    const quotient = ratioOf(run, ours, base);
    if (quotient === undefined) return [];
    const [mine, theirs] = [ours, base].map((one) => write(rowOf(run, one).summary.median));
    const value = ref.metric === 'rss_idle' ? `${percent(1 - quotient.median)} less` : `${times(1 / quotient.median)} faster`;
    return [{ label, value, detail: `${mine} instead of ${theirs}, partial run of ${dateOf(run)}` }];
  });
}

function circumstances({ run, name }) {
  const { machine = {}, versions = {} } = run;
  const runtimes = [`Node ${versions.node26 ?? '–'}`, `Bun ${versions.bun ?? '–'}`].join(', ');
  return `\`${run.command}\` on ${String(run.date).slice(0, 10)}: ${machine.cpu}, ${machine.cores} cores, ${machine.kernel}, ${runtimes}; medians of interleaved rounds, every reply checked. Raw files: \`bench/results/${name}\`. Everything, with spread: [bench/reports/latest.md](bench/reports/latest.md).`;
}

/**
 * Where a program is behind itself on plain Node: per program and kind of figure the largest factor;
 * executables too.
 */
function ownLosses(data) {
  const { own } = lossesApart(lossesOf(data).filter((loss) => loss.certain));
  const native = nativeLosses(data);
  const rows = [...largest(data, own), ...largest(native.run, native.losses)];
  if (rows.length === 0) return undefined;
  return [
    '### Slower or larger than plain Node',
    [
      `| program (from a factor of ${toldFrom}; less is in the report) | figure | Fulmar | Node | factor |`,
      '|---|---|--:|--:|--:|',
      ...rows,
    ].join('\n'),
  ].join('\n\n');
}

function largest(data, losses) {
  const rows = new Map();
  for (const loss of losses) {
    const kind = loss.ref.metric.startsWith('rss') ? 'memory' : `${loss.metric}${loss.ref.metric === 'cpu_us' ? loss.where : ''}`;
    const key = `${loss.ours}|${kind}`;
    if (!rows.has(key) && loss.factor >= toldFrom) rows.set(key, loss);
  }
  return [...rows.values()].map(({ where, metric, ours, oursValue, peerValue, factor }) => {
    return `| ${labelOf(data, ours)} | ${placeTitle(where, metric)} | ${oursValue} | ${peerValue} | ${times(factor)} |`;
  });
}

function peerLosses(data) {
  const { others } = lossesApart(lossesOf(data).filter((loss) => loss.certain));
  const places = lossesByPlace(others);
  const lines = places
    .slice(0, lossesShown)
    .map(([{ where, metric, peer, factor }]) => `${placeTitle(where, metric)}, ${labelOf(data, peer)} ${times(factor)}`);
  const list =
    places.length === 0
      ? 'None beyond the noise.'
      : `In ${places.length} places another server is ahead beyond the noise. The largest: ${lines.join('; ')}. [All of them](bench/reports/latest.md#where-fulmar-loses).`;
  return `### Peers ahead\n\n${list}`;
}

/** Express on Fulmar beside its peers in the partial runs since: of each pair the newest. */
function since(data) {
  const pairs = new Map();
  for (const partial of data.partials ?? []) {
    for (const place of loadPlaces(partial)) {
      const ref = { metric: 'cpu_us', ...place };
      for (const peer of entrantsOf(partial, ref).filter((entrant) => isPeer(entrant))) {
        const quotient = ratioOf(partial, { ...ref, entrant: oursEntrant }, { ...ref, entrant: peer });
        if (quotient === undefined) continue;
        pairs.set(
          `${JSON.stringify(place)}${peer}`,
          `${titleOf(partial, place.scenario)} ${ratio(quotient.median)} of ${labelOf(partial, peer)}`,
        );
      }
    }
  }
  if (pairs.size === 0) return undefined;
  return `Partial runs [since](bench/reports/latest.md#measured-again-since), CPU time per reply of Express 5 on Fulmar: ${[...pairs.values()].join('; ')}.`;
}

/** Another server: neither ours, nor Express itself, nor the floor. */
const isPeer = (entrant) => ['node', 'bun'].includes(groupOf(entrant)) && !takeApart(entrant).contestant.startsWith('express');

function aims(data) {
  const results = targets.map((target) => ({ target, ...targetResult(data, target) })).filter(({ found }) => found !== undefined);
  if (results.length === 0) return undefined;
  const missed = results.filter(({ word }) => word === 'missed').length;
  return `Of ${results.length} [aims of our own](bench/reports/latest.md#our-own-aims) ${results.length - missed} are met and ${missed} missed.`;
}

function main([chosen]) {
  const [file, ofPackage] = ['README.md', 'packages/fulmar/README.md'].map((name) => join(dirname(bench), name));
  const readme = readFileSync(file, 'utf8');
  const named = namedFolder(readme);
  const folder = chosen ?? (named ? join(dirname(bench), named) : newestFolder(join(bench, 'results')));
  if (folder === undefined) throw new Error('no results folder under bench/results: make one with `npm run bench`, or name one');
  const data = readWithPartials(resolve(folder));
  writeFileSync(file, fillReadme(readme, data));
  writeFileSync(ofPackage, fillHeadline(readFileSync(ofPackage, 'utf8'), data));
  console.log(`README.md, packages/fulmar/README.md: figures of bench/results/${basename(folder)}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    main(process.argv.slice(2));
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
