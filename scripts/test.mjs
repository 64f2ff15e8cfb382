/**
 * `npm test`: set-up, build, static checks, Rust tests, then the TypeScript tests on this Node and on the
 * newest one.
 *   --only <text>   only node test files whose path contains <text>, no checks, no Rust tests, this Node only
 *   --fast          checks and Rust tests left out, this Node only
 * In a whole run a file that failed is run once more at the end (`lib/second-run.mjs`). What failed, and what passed only
 * then, is named.
 * The last line is the sum: `N passed, N failed` (and `, N skipped` when a test was skipped). Exit code 1 on
 * a failure or no test.
 */
import { dirname, join } from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { check } from './check.mjs';
import { runCargoTests } from './lib/cargo-tests.mjs';
import { findSuites, runSuite, runSuites, shareOf } from './lib/node-tests.mjs';
import { installJavaLibraries } from './lib/java-packages.mjs';
import { installPythonPackages } from './lib/python-packages.mjs';
import { root, runMain, step } from './lib/run.mjs';
import { runAgain } from './lib/second-run.mjs';
import { pack } from './pack.mjs';
import { install, setupTests } from './setup.mjs';
import { installRuntimes, pinnedNode } from './lib/runtimes.mjs';

/** More files than this that fail are no races: none of them is run again. */
const racesMax = 3;

async function main() {
  const { values } = parseArgs({ options: { only: { type: 'string' }, fast: { type: 'boolean', default: false } } });
  const partial = values.fast || values.only !== undefined;
  const suites = new Map();
  await build();
  await setupTests();
  if (!partial) {
    suites.set('checks', await check());
    const cargo = await runCargoTests();
    suites.set('cargo', cargo);
    tell('cargo test', cargo);
  }
  const found = findSuites(values.only);
  await step('setup: packages of tests', () => installPackagesOf(found));
  if (found.has('polyglot')) await step('setup: python packages', installPythonPackages);
  if (found.has('polyglot')) await step('setup: java libraries', installJavaLibraries);
  // Once, for all test files that install Fulmar: `tests/packages/support/packed.ts`.
  if (found.has('packages') || found.has('guides') || found.has('nest-apps')) {
    process.env.FULMAR_TEST_PACKAGES = join(root, 'node_modules', '.cache', 'fulmar', 'packages');
    await pack(process.env.FULMAR_TEST_PACKAGES);
  }
  const all = found.size === 0 ? [] : await nodes(partial);
  for (const [index, { node, label }] of all.entries()) {
    await runSuites(node, shareOf(found, index, all.length), (name, counts) => {
      suites.set(`${label}: ${name}`, { ...counts, again: (file) => runSuite(node, [file]) });
      tell(`${label}: ${name}`, counts);
    });
  }
  report(suites, await runAgain(suites, partial ? 0 : racesMax));
}

/**
 * The packages of the published servers that are tested, of Nest's applications and of the tests of our packages: each
 * folder has a lockfile of its own.
 */
async function installPackagesOf(suites) {
  const chosen = [...suites]
    .filter(([name]) => name === 'packages' || name.startsWith('published/'))
    .flatMap(([, files]) => files.map(dirname));
  const notes = [];
  for (const folder of new Set(chosen)) notes.push(await install(folder));
  return notes.every((note) => note === 'up to date') ? 'up to date' : `${notes.length} folders`;
}

/** The Node that runs this script and, in a whole run, the pinned newest one. */
async function nodes(partial) {
  const own = { node: process.execPath, label: `node ${process.versions.node.split('.')[0]}` };
  if (partial) return [own];
  const folder = join(root, 'tests', 'runtimes');
  await step('setup: newest node', () => installRuntimes(folder));
  const newest = pinnedNode(folder);
  if (newest === undefined) console.log(`no pinned Node for ${process.platform}-${process.arch}: testing on ${process.version} alone`);
  return newest === undefined ? [own] : [own, { node: newest, label: 'node 26' }];
}

function tell(name, { passed, failed, seconds, output }) {
  process.stdout.write(output);
  console.log(`${name.padEnd(28)} ${seconds.toFixed(1).padStart(6)} s  ${passed} passed, ${failed} failed`);
}

function report(suites, notes) {
  const total = { passed: 0, failed: 0, skipped: 0 };
  console.log(`\n${'suite'.padEnd(34)} passed failed skipped   seconds`);
  for (const [name, { passed, failed, skipped, seconds: time }] of suites) {
    const numbers = [String(passed).padStart(6), String(failed).padStart(6), String(skipped).padStart(7), time.toFixed(1).padStart(9)];
    console.log(`${name.padEnd(34)} ${numbers.join(' ')}`);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  for (const note of notes) console.log(note);
  if (total.failed > 0 || total.passed === 0) process.exitCode = 1;
  if (total.passed === 0) console.log('no test ran');
  console.log(`${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ''}`);
}

await runMain(main);
