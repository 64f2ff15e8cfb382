// Finds the test files and runs them under one Node binary, counting per suite (a suite is a folder of tests).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import process from 'node:process';
import { packageDir, passThrough, root, seconds } from './run.mjs';
import { walk } from './stamp.mjs';

/** Twice what the slowest file needs on a busy machine: what hangs is reported as failed instead of holding up the run. */
const testTimeoutMs = 300_000;

/** Test files whose path from the repository's root contains `only`, by suite, sorted by name. */
export function findSuites(only = '') {
  const files = [join(packageDir, 'test'), join(root, 'tests'), join(root, 'bench')].flatMap((folder) => [...walk(folder)]);
  const chosen = files.filter((file) => /\.test\.(ts|mjs)$/.test(file) && relative(root, file).split(sep).join('/').includes(only));
  const suites = new Map();
  for (const file of chosen) suites.set(suiteOf(file), [...(suites.get(suiteOf(file)) ?? []), file]);
  return suites;
}

/** Runs one suite's `files` with `node`; returns `{ passed, failed, skipped, seconds }`. */
export async function runSuite(node, files) {
  const started = process.hrtime.bigint();
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-test-'));
  const counts = join(folder, 'counts.jsonl');
  const lib = (name) => join(root, 'scripts', 'lib', name);
  const args = [
    '--import',
    join(root, 'scripts', 'ts-register.mjs'),
    '--test',
    `--test-concurrency=${Math.min(2, availableParallelism())}`,
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
    const code = await passThrough(node, args, { env });
    return { ...countOutcomes(readFileSync(counts, 'utf8'), code), seconds: seconds(started) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function countOutcomes(lines, code) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const line of lines.split('\n').filter((text) => text !== '')) {
    const { outcome } = JSON.parse(line);
    if (outcome !== undefined) counts[outcome] += 1;
  }
  // An exit code that no failure explains must not look like success.
  if (code !== 0 && counts.failed === 0) counts.failed = 1;
  return counts;
}

/** `unit/http` for packages/fulmar/test/http/…, `parity/express` for tests/parity/express/…, `wire` for tests/wire/…. */
function suiteOf(file) {
  const path = relative(root, file).split(sep);
  const inPackage = path[0] === 'packages';
  const folders = inPackage ? ['unit', ...path.slice(3, -1)] : path.slice(1, -1);
  return folders.slice(0, 2).join('/') || 'tests';
}
