/**
 * Runs `cargo test` and adds up its "test result" lines, one per crate and kind of test. The QuickJS host is
 * tested in the profile it is built with, so that its 240 dependencies are not compiled once more.
 */
import process from 'node:process';
import { nativeCrates, nativeProfile } from './quickjs.mjs';
import { capture, seconds } from './run.mjs';

const resultLine = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/gm;

/**
 * Returns `{ passed, failed, skipped, seconds, output }`; `output` is everything that was printed, when
 * something failed.
 */
export async function runCargoTests() {
  const started = process.hrtime.bigint();
  const result = { passed: 0, failed: 0, skipped: 0, seconds: 0, output: '' };
  for (const args of [
    ['--workspace', ...nativeCrates.flatMap((crate) => ['--exclude', crate])],
    [...nativeCrates.flatMap((crate) => ['-p', crate]), '--profile', nativeProfile],
  ]) {
    add(result, await capture('cargo', ['test', ...args, '--no-fail-fast', '--quiet'], { env: { ...process.env, RUST_BACKTRACE: '1' } }));
  }
  result.seconds = seconds(started);
  return result;
}

function add(result, { code, output }) {
  const failedBefore = result.failed;
  for (const [, passed, failed, ignored] of output.matchAll(resultLine)) {
    result.passed += Number(passed);
    result.failed += Number(failed);
    result.skipped += Number(ignored);
  }
  // Code that does not compile, or a test that ends the process, has no result line.
  if (code !== 0 && result.failed === failedBefore) result.failed += 1;
  if (code !== 0) result.output += output;
}
