/** What a run ran on: CPU, kernel, versions, commit. Names no host. */
import { cpus, release, totalmem, type } from 'node:os';
import process from 'node:process';
import { firstLine } from '../../scripts/lib/run.mjs';
import { runtimeVersions } from './runtimes.mjs';

export function describeMachine() {
  const [first] = cpus();
  const cpu = first?.model.trim() || 'unknown CPU';
  const cores = cpus().length;
  return { name: `${slug(cpu)}-${cores}-cores`, cpu, cores, memory_bytes: totalmem(), kernel: `${type()} ${release()}` };
}

function slug(text) {
  return text
    .toLowerCase()
    .replaceAll(/\((r|tm)\)|processor|cpu|@.*/g, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40);
}

export function describeVersions() {
  // wrk prints its version with exit code 1.
  const wrk = firstLine('sh', ['-c', 'wrk --version 2>&1 | head -n 1']);
  const rustc = firstLine('rustc', ['--version']);
  return { ...runtimeVersions(), rustc: rustc?.split(' ')[1], wrk: wrk?.startsWith('wrk') ? wrk.split(' ')[1] : undefined };
}

/**
 * The last commit that changed what is measured or measures; `-dirty` when there are changes that are not
 * committed.
 */
export function describeCommit() {
  return firstLine('git', ['describe', '--always', '--dirty']) ?? 'unknown';
}

export function describeCommand() {
  const rest = process.argv.slice(2);
  return `npm run bench${rest.length === 0 ? '' : ` -- ${rest.join(' ')}`}`;
}
