// Runs `cargo test` and adds up its "test result" lines, one per crate and kind of test.
import process from 'node:process';
import { capture, seconds } from './run.mjs';

const resultLine = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/gm;

/** Returns `{ passed, failed, skipped, seconds }`; prints the whole output when something failed. */
export async function runCargoTests() {
  const started = process.hrtime.bigint();
  const { code, output } = await capture('cargo', ['test', '--workspace', '--no-fail-fast', '--quiet'], {
    env: { ...process.env, RUST_BACKTRACE: '1' },
  });
  const result = { passed: 0, failed: 0, skipped: 0, seconds: seconds(started) };
  for (const [, passed, failed, ignored] of output.matchAll(resultLine)) {
    result.passed += Number(passed);
    result.failed += Number(failed);
    result.skipped += Number(ignored);
  }
  // Code that does not compile, or a test that ends the process, has no result line.
  if (code !== 0 && result.failed === 0) result.failed = 1;
  if (code !== 0) console.log(output);
  return result;
}
