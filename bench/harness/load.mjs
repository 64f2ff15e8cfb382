/**
 * Runs the load generator `fulmar-load` on its core and judges its result. One command line for all
 * contestants.
 */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cargoBuild } from '../../scripts/lib/addon.mjs';
import { loadCore } from './server.mjs';

const run = promisify(execFile);
const littleLimit = 0.05;
const outputLimit = 16 * 1024 * 1024;
const binaries = new Map();

/** Builds the generator once; returns its path. */
export const generator = () => built('fulmar-load', ['--bin', 'fulmar-load']);

/** The same of the program that times a start. */
export const starter = () => built('start', ['--example', 'start']);

async function built(name, target) {
  if (!binaries.has(name)) {
    const artifacts = await cargoBuild(['-p', 'fulmar-load', ...target]);
    const file = artifacts.find((artifact) => artifact.target.name === name && artifact.executable)?.executable;
    if (file === undefined) throw new Error(`cargo built no ${name}`);
    binaries.set(name, file);
  }
  return binaries.get(name);
}

/** Writes the requests of a verified scenario to a file for `--requests-file`. */
export function requestsFile(folder, list) {
  const file = join(folder, 'requests.json');
  writeFileSync(file, JSON.stringify(list));
  return file;
}

/**
 * `{ port, file, connections, durationS or requests, rate?, rampS?, core? }` → the generator's result
 * (docs/reference/load.md).
 */
export async function load({ port, file, connections, durationS, requests, rate, rampS, core = loadCore }) {
  const length = requests === undefined ? ['-d', String(durationS)] : ['-n', String(requests)];
  const args = ['-c', String(connections), ...length, '--requests-file', file, '--quiet'];
  if (rate !== undefined) args.push('--rate', String(rate));
  if (rampS !== undefined) args.push('--ramp', String(rampS));
  const command = ['-c', String(core), await generator(), `http://127.0.0.1:${port}/`, ...args];
  const { stdout } = await run('taskset', command, { encoding: 'utf8', maxBuffer: outputLimit });
  return JSON.parse(stdout);
}

/** Why a result decides nothing, or null. */
export function problemOf(result, { checkLittle = true } = {}) {
  const faults = Object.entries(result.errors).filter(([name, count]) => name !== 'total' && name !== 'before_measurement' && count > 0);
  if (faults.length > 0) return faults.map(([name, count]) => `${name}: ${count}`).join(', ');
  if (result.partial) return `partial: ${result.partial_reason}`;
  if (result.requests.verified === 0) return 'no reply';
  if (result.requests.unsent > 0) return `unsent: ${result.requests.unsent}`;
  if (checkLittle && result.little.deviation > littleLimit) return `Little's law: off by ${(result.little.deviation * 100).toFixed(1)} %`;
  return null;
}
