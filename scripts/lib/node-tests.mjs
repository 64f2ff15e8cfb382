// Finds the test files and runs them under one Node binary, counting per suite (a suite is a folder of tests).
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import process from 'node:process';
import { packageDir, passThrough, root } from './run.mjs';
import { walk } from './stamp.mjs';

/** Longer than the slowest test (the leak test): what hangs is reported as failed instead of holding up the run. */
const testTimeoutMs = 900_000;

/** Test files whose path from the repository's root contains `only`, grouped by nothing, sorted by name. */
export function findTestFiles(only = '') {
  const files = [join(packageDir, 'test'), join(root, 'tests')].flatMap((folder) => [...walk(folder)]);
  return files.filter((file) => file.endsWith('.test.ts') && relative(root, file).split(sep).join('/').includes(only));
}

/** Runs `files` with `node`; returns a Map from suite name to `{ passed, failed, skipped, seconds }`. */
export async function runNodeTests(node, files, label) {
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
    return summarise({ lines: readFileSync(counts, 'utf8'), files, label, code });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function summarise({ lines, files, label, code }) {
  const suites = new Map();
  const seen = new Set();
  for (const line of lines.split('\n').filter((text) => text !== '')) {
    const entry = JSON.parse(line);
    const file = files.find((name) => name === entry.file || name.endsWith(entry.file)) ?? entry.file;
    seen.add(file);
    count(suites, suiteOf(file, label), entry);
  }
  // A file that Node reports nothing about, or an exit code that no failure explains, must not look like success.
  for (const file of files.filter((name) => !seen.has(name))) count(suites, suiteOf(file, label), { outcome: 'failed', nesting: 1, ms: 0 });
  const failed = [...suites.values()].reduce((sum, suite) => sum + suite.failed, 0);
  if (code !== 0 && failed === 0) count(suites, `${label} test runner`, { outcome: 'failed', nesting: 1, ms: 0 });
  return suites;
}

function count(suites, name, { outcome, nesting, ms }) {
  const suite = suites.get(name) ?? { passed: 0, failed: 0, skipped: 0, seconds: 0 };
  suites.set(name, suite);
  if (outcome !== undefined) suite[outcome] += 1;
  if (nesting === 0) suite.seconds += ms / 1000;
}

/** `unit/http` for packages/fulmar/test/http/…, `parity/express` for tests/parity/express/…, `wire` for tests/wire/…. */
function suiteOf(file, label) {
  const path = relative(root, file).split(sep);
  const inPackage = path[0] === 'packages';
  const folders = inPackage ? ['unit', ...path.slice(3, -1)] : path.slice(1, -1);
  return `${label} ${folders.slice(0, 2).join('/') || 'tests'}`;
}
