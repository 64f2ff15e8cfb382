/**
 * Finds the test files and runs them under one Node binary, counting per suite (a suite is a folder of
 * tests).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import process from 'node:process';
import { capture, root, seconds } from './run.mjs';
import { walk } from './stamp.mjs';

/**
 * Twice what the slowest file needs on a busy machine: what hangs is reported as failed instead of holding up
 * the run.
 */
const testTimeoutMs = 600_000;

/** Test files whose path from the repository's root contains `only`, by suite, sorted by name. */
export function findSuites(only = '') {
  const files = [
    ...['fulmar', 'cli', 'build', 'compiler'].map((name) => join(root, 'packages', name, 'test')),
    join(root, 'tests'),
    join(root, 'bench'),
  ].flatMap((folder) => [...walk(folder)]);
  const chosen = files.filter((file) => /\.test\.(ts|mjs)$/.test(file) && relative(root, file).split(sep).join('/').includes(only));
  const suites = new Map();
  for (const file of chosen) suites.set(suiteOf(file), [...(suites.get(suiteOf(file)) ?? []), file]);
  return suites;
}

/**
 * Suites at a time, each a file at a time. Most of what a test does is to wait for a server, a client or a
 * timer: one more than there are processors keeps them busy.
 */
const suitesAtATime = availableParallelism() + 1;

/** Those that take longest begin first, or the last of them would run alone. */
const longest = [
  'guides',
  'e2e/cli',
  'e2e/controllers-app',
  'packages',
  'parity/http',
  'native/parity',
  'native/suites',
  'nest-apps',
  'parity/express4',
  'e2e/build',
  'bench',
  'polyglot',
  'parity/express',
  'memory',
  'unit/app',
  'unit/polyglot',
  'native/modules',
  'e2e/polyglot',
  'e2e/dev',
  'unit/compiler',
  'build-tools',
  'wire',
];

/**
 * What is the same whichever Node drives it: programs of the native host, what is packed and generated, the benchmark
 * harness. In a whole run on several Nodes each of these files is run by one of them.
 */
const sameOnEach =
  /[\\/]tests[\\/](?:native[\\/]suites|e2e[\\/]native|bench)[\\/]|[\\/]tests[\\/](?:packages[\\/](?:binaries|compiler|debian|generate|templates|types)|guides[\\/]new|e2e[\\/]polyglot[\\/]\w+-build|polyglot[\\/][\w-]*soak)\.test\.ts$/;

/** Of the suites what the Node at `index` of `count` runs. */
export function shareOf(suites, index, count) {
  const all = [...suites.values()].flat().filter((file) => sameOnEach.test(file));
  const isMine = (file) => !sameOnEach.test(file) || all.indexOf(file) % count === index;
  return new Map([...suites].map(([name, files]) => [name, files.filter(isMine)]).filter(([, files]) => files.length > 0));
}

/**
 * Runs `suites` (name: files) with `node`; `tell(name, counts)` as each ends, with
 * `{ passed, failed, skipped, seconds, output, failures }`. What a suite prints (its failures) is in `output`: suites
 * run side by side. `failures` are the names of what failed by its file; `''` is what belongs to no file.
 */
export async function runSuites(node, suites, tell) {
  const rank = (name) => (longest.includes(name) ? longest.indexOf(name) : longest.length);
  const queue = [...suites].toSorted(([one], [other]) => rank(one) - rank(other));
  const lane = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) tell(next[0], await runSuite(node, next[1]));
  };
  await Promise.all(Array.from({ length: suitesAtATime }, lane));
}

/** Runs `files` one behind the other; as `runSuites` tells of each suite. */
export async function runSuite(node, files) {
  const started = process.hrtime.bigint();
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-test-'));
  const counts = join(folder, 'counts.jsonl');
  const lib = (name) => join(root, 'scripts', 'lib', name);
  const args = [
    '--import',
    join(root, 'scripts', 'ts-register.mjs'),
    '--test',
    '--test-concurrency=1',
    `--test-timeout=${testTimeoutMs}`,
    `--test-reporter=${lib('report-failures.mjs')}`,
    '--test-reporter-destination=stdout',
    `--test-reporter=${lib('report-counts.mjs')}`,
    `--test-reporter-destination=${counts}`,
    ...files,
  ];
  const env = { ...process.env, FULMAR_TEST_NODE: node };
  delete env.NODE_TEST_CONTEXT;
  try {
    const { code, output } = await capture(node, args, { env });
    return { ...countOutcomes(readFileSync(counts, 'utf8'), code), seconds: seconds(started), output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countOutcomes(lines, code) {
  const counts = { passed: 0, failed: 0, skipped: 0, failures: new Map() };
  const fail = (file, name) => counts.failures.set(file, [...(counts.failures.get(file) ?? []), name]);
  for (const line of lines.split('\n').filter((text) => text !== '')) {
    const { outcome, name, file = '' } = JSON.parse(line);
    if (outcome === undefined) continue;
    counts[outcome] += 1;
    if (outcome === 'failed') fail(file, name);
  }
  if (code !== 0 && counts.failed === 0) {
    // An exit code that no failure explains must not look like success.
    counts.failed = 1;
    fail('', `exit code ${code}`);
  }
  return counts;
}

/**
 * `unit/http` for packages/fulmar/test/http/…, `unit/build` for packages/build/test/…, `parity/express` for
 * tests/parity/express/….
 */
function suiteOf(file) {
  const path = relative(root, file).split(sep);
  const inPackage = path[0] === 'packages';
  const folders = inPackage ? ['unit', ...(path[1] === 'fulmar' ? [] : [path[1]]), ...path.slice(3, -1)] : path.slice(1, -1);
  return folders.slice(0, 2).join('/') || 'tests';
}
