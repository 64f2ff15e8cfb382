/**
 * The smoke run of the benchmark suite: every scenario once on every contestant that is quick to install,
 * answers verified, nothing timed. `bench/harness/smoke.mjs` does the work and prints a line per check; here
 * each becomes a test.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

interface Check {
  readonly name?: string;
  readonly problem?: string | null;
  readonly skipped?: string;
}

const program = fileURLToPath(new URL('../../bench/harness/smoke.mjs', import.meta.url));
/** Fewer than this would mean that contestants were lost on the way. */
const checksMin = 100;

test('every scenario is answered correctly by every contestant that is quick to install', async (t) => {
  const child = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (data: Buffer) => (output += data.toString()));
  child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  assert.equal(code, 0, errors);
  const checks = output
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Check);
  assert.ok(checks.length >= checksMin, `expected at least ${checksMin} checks, found ${checks.length}`);
  for (const { name, problem, skipped } of checks) {
    if (skipped === undefined) await t.test(name ?? 'a check without a name', () => assert.equal(problem, null));
    else t.diagnostic(skipped);
  }
});
