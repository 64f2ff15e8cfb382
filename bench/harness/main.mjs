/**
 * `npm run bench`: the whole suite, resumable. See bench/METHODOLOGY.md for how it measures, bench/README.md
 * for how to use it.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.mjs';
import { Failure, passThrough, root, runMain, step } from '../../scripts/lib/run.mjs';
import { install } from '../../scripts/setup.mjs';
import { planCells } from './cells.mjs';
import { entrantsOf, loadContestants, notMeasured, versionOf } from './contestants.mjs';
import { openContext } from './context.mjs';
import { generator, starter } from './load.mjs';
import { listing } from './listing.mjs';
import { describeCommand, describeCommit, describeMachine, describeVersions } from './machine.mjs';
import { plans } from './plans.mjs';
import { openResults, readRun, resultsDir, unfinishedRun } from './results.mjs';
import { prepareAll, runCells } from './run.mjs';
import { benchDir } from './runtimes.mjs';
import { loadScenarios } from './scenarios.mjs';
import { endWithHarness, loadCore } from './server.mjs';
import { printSummary } from './summary.mjs';

const usage = `Usage: npm run bench -- [options]

Measures Fulmar and others, resumable. Linux, two cores; waits for a quiet machine.

  --quick                hello, chain, POST, cold start, memory with a handful of contestants
  --only <text>          only measurements whose id contains the text; may be repeated: load/hello-json, start/, express5@node26 …
  --contestants <names>  only these, separated by commas
  --list                 what would be measured, by groups, with the time it takes; nothing is run
  --new                  do not go on with an unfinished run
  --retry-failed         measure again what failed in the run that is gone on with
  --again <text>         measure again what has the text in its id; may be repeated: after a contestant's program was corrected
  --results <folder>     the folder of the raw files
  -h, --help             show this

How it measures: bench/METHODOLOGY.md. How to use it: bench/README.md.
`;

const options = {
  help: { type: 'boolean', short: 'h', default: false },
  quick: { type: 'boolean', default: false },
  only: { type: 'string', multiple: true, default: [] },
  contestants: { type: 'string' },
  list: { type: 'boolean', default: false },
  new: { type: 'boolean', default: false },
  again: { type: 'string', multiple: true, default: [] },
  'retry-failed': { type: 'boolean', default: false },
  results: { type: 'string' },
};

async function main() {
  const { values } = parse();
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const plan = values.quick ? plans.quick : plans.full;
  const scenarios = loadScenarios();
  const contestants = choose(loadContestants([...scenarios.keys()]), values.contestants);
  const cells = planCells({ plan, entrants: entrantsOf(contestants), scenarios, only: values.only });
  if (cells.length === 0) throw new Failure(`Nothing to measure: no measurement's id contains ${values.only.join(' or ')}. Try --list.`);
  if (values.list) {
    process.stdout.write(listing(cells));
    return;
  }
  checkMachine();
  await build();
  await step('setup: runtimes', () => install(benchDir));
  await generator();
  await starter();
  await measure({ cells, plan, scenarios, contestants, values });
}

function parse() {
  try {
    return parseArgs({ options });
  } catch (error) {
    throw new Failure(`${error.message}\n\n${usage}`);
  }
}

function choose(all, names) {
  if (names === undefined) return all;
  const wanted = names.split(',').map((name) => name.trim());
  const unknown = wanted.filter((name) => !all.some((contestant) => contestant.name === name));
  if (unknown.length > 0) {
    throw new Failure(`No contestant ${unknown.join(', ')}. There are: ${all.map(({ name }) => name).join(', ')}.`);
  }
  return all.filter(({ name }) => wanted.includes(name));
}

function checkMachine() {
  if (process.platform !== 'linux') throw new Failure('The benchmark reads /proc and pins cores: it runs on Linux only.');
  if (availableParallelism() < 2) throw new Failure('The benchmark needs two cores: one for the server, one for the load.');
  const missing = ['taskset', 'prlimit'].filter((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status !== 0);
  if (missing.length > 0) throw new Failure(`Not installed: ${missing.join(', ')}. On Debian and Ubuntu: apt-get install util-linux`);
}

async function measure({ cells, plan, scenarios, contestants, values }) {
  const machine = describeMachine();
  const folder = values.results ?? (values.new ? undefined : unfinishedRun(plan.name)) ?? newFolder(machine, plan);
  const before = readRun(folder);
  const part = before?.parts.length ?? 0;
  const results = openResults(folder, { retryFailed: values['retry-failed'], again: values.again, part });
  const context = openContext({ plan, say: (text) => console.error(text) });
  for (const { entrant, pool, pool_size: size } of results.all()) if (pool === 'best') context.bestPools.set(entrant, size);
  endWithHarness(() => context.abandon());
  // The harness itself stays off the server's core.
  execFileSync('taskset', ['-cp', String(loadCore), String(process.pid)], { stdio: 'ignore' });
  console.error(`raw files: ${relative(root, folder)}`);
  const failed = await prepareAll({ cells, results, say: (text) => console.error(text) });
  const run = describeRun({ plan, machine, scenarios, contestants, before });
  results.writeRun(run);
  try {
    await runCells({ cells, results, context, failed });
  } finally {
    if (context.databaseInfo !== undefined) run.database = context.databaseInfo;
    await context.close();
  }
  const complete = values.only.length === 0 && values.contestants === undefined;
  if (complete && plan.name === 'full') run.validation ??= await validation(folder);
  results.writeRun({ ...run, ...(complete ? { finished: new Date().toISOString() } : {}) });
  printSummary(results.all());
  if (plan.name === 'full') console.log('\nThe report: npm run bench:report');
}

/** What the generator's own check says (`validate-load.mjs`), as part of the run. */
async function validation(folder) {
  const file = join(folder, 'validation.json');
  if (!existsSync(file)) {
    console.error('validating the load generator against wrk and oha …');
    const code = await passThrough(process.execPath, [join(benchDir, 'harness', 'validate-load.mjs'), '--out', file]);
    if (code !== 0) return null;
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

function newFolder(machine, plan) {
  const base = `${new Date().toISOString().slice(0, 10)}-${machine.name}${plan.name === 'full' ? '' : `-${plan.name}`}`;
  for (let number = 1; ; number += 1) {
    const folder = join(resultsDir, number === 1 ? base : `${base}-${number}`);
    if (!existsSync(folder)) return folder;
  }
}

function describeRun({ plan, machine, scenarios, contestants, before }) {
  const part = { command: describeCommand(), commit: describeCommit(), started: new Date().toISOString() };
  return {
    schema: 1,
    date: before?.date ?? part.started,
    machine,
    versions: describeVersions(),
    commit: before?.commit ?? part.commit,
    command: before?.command ?? part.command,
    parts: [...(before?.parts ?? []), part],
    plan,
    contestants: { ...before?.contestants, ...Object.fromEntries(contestants.map((one) => [one.name, describeContestant(one)])) },
    notMeasured: notMeasured(),
    scenarios: Object.fromEntries([...scenarios].map(([name, { title, about }]) => [name, { title, about }])),
    ...(before?.database === undefined ? {} : { database: before.database }),
    validation: before?.validation ?? null,
  };
}

function describeContestant(contestant) {
  const { title, package: name, style, answered, leftOut, runtimes } = contestant;
  return { title, package: name, version: versionOf(contestant), style, answered, leftOut, runtimes };
}

await runMain(main);
