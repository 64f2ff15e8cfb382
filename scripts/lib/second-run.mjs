/**
 * The second run of test files that failed, each by itself when everything else has ended. A race of one test in
 * 70,000 must not hide what the others say, and must not be hidden either: a test that passes only then is named in
 * the report, and is a fault to be mended. What fails twice has failed.
 */
import { relative } from 'node:path';
import process from 'node:process';
import { root } from './run.mjs';

/**
 * `suites` by name, `{ failed, passed, failures, again }`, as `runSuites` tells of them, with `again(file)`, which runs a
 * file as it was run before. When more than `filesMax` files failed, none is. Corrects their counts; resolves to lines for the report.
 */
export async function runAgain(suites, filesMax) {
  const failed = [...suites].flatMap(([name, counts]) =>
    [...(counts.failures ?? [])].map(([file, tests]) => ({ name, counts, file, tests })),
  );
  const lines = [];
  for (const { name, counts, file, tests } of failed) {
    const passes = failed.length <= filesMax && file !== '' && (await passesAlone(counts.again, file));
    if (passes) {
      counts.failed -= tests.length;
      counts.passed += tests.length;
    }
    const where = file === '' ? name : `${name}: ${relative(root, file)}`;
    for (const test of tests) lines.push(`${passes ? 'passed in a second run only' : 'failed'}: ${where}: ${test}`);
  }
  return lines;
}

async function passesAlone(again, file) {
  const { failed, passed, output } = await again(file);
  process.stdout.write(output);
  return failed === 0 && passed > 0;
}
