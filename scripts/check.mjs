/** `npm run check`: formatters, linters, type checks. Layers and sizes are checked by `tests/layers`. */
import process from 'node:process';
import { checks, runCheck } from './lib/checks.mjs';
import { Failure, isMain, runMain, seconds } from './lib/run.mjs';
import { setup, setupTests } from './setup.mjs';

/**
 * Runs every check, prints a line for each and the output of those that fail; returns
 * `{ passed, failed, seconds }`.
 */
export async function check() {
  const result = { passed: 0, failed: 0, skipped: 0, seconds: 0 };
  for (const item of checks()) {
    const started = process.hrtime.bigint();
    const { ok, output } = await runCheck(item);
    const time = seconds(started);
    console.log(`${`check: ${item.name}`.padEnd(28)} ${time.toFixed(1).padStart(6)} s  ${ok ? 'ok' : 'FAILED'}`);
    if (!ok) console.log(output);
    result[ok ? 'passed' : 'failed'] += 1;
    result.seconds += time;
  }
  return result;
}

async function main() {
  await setup();
  await setupTests();
  const { failed } = await check();
  if (failed > 0) throw new Failure(`${failed} checks failed`);
}

if (isMain(import.meta.url)) await runMain(main);
