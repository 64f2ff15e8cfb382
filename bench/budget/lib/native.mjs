/**
 * Counts instructions of a native executable: an Express hello from its start to its end with one reply, and
 * what each further request adds.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { capture, Failure, firstLine } from '../../../scripts/lib/run.mjs';
import { readCounts, toolchain, unavailable } from './callgrind.mjs';
import { bin, cleanEnvironment, programs, withProcess } from './server.mjs';

const requests = 1000;
const ids = { start: 'native.express-hello.start-instructions', request: 'native.express-hello.request-instructions' };

/** The gate of the QuickJS host. QuickJS is C: its compiler counts too. */
export function nativeGate() {
  return {
    name: 'native executable',
    ids: Object.values(ids),
    toolchain: `${toolchain()}, ${firstLine('cc', ['--version']) ?? 'no cc'}`,
    unavailable: unavailable(),
    measure,
  };
}

async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-budget-'));
  try {
    const file = join(folder, 'express-hello');
    const { code, output } = await capture(process.execPath, [bin, 'build', join(programs, 'express-hello.cjs'), '--native', '-o', file]);
    if (code !== 0) throw new Failure(`the executable could not be built:\n${output}`);
    const one = await counted(file, 1);
    const many = await counted(file, 1 + requests);
    return new Map([
      [ids.start, one],
      [ids.request, Math.round((many - one) / requests)],
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Instructions of `file` from its start to its end by SIGTERM, with so many requests between. */
async function counted(file, count) {
  const out = `${file}.${count}.callgrind`;
  const args = ['--tool=callgrind', `--callgrind-out-file=${out}`, file];
  await withProcess({ command: 'valgrind', args, env: cleanEnvironment(), end: 'SIGTERM' }, ({ ask }) => ask(count));
  return readCounts(readFileSync(out, 'utf8')).instructions;
}
