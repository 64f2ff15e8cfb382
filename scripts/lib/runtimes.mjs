/**
 * The other runtimes that tests and comparisons need, from npm, each pinned by the lockfile of a folder that
 * is no workspace. Platform packages only: npm's `node` package would put its own `node` in front of the
 * user's.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { install } from '../setup.mjs';

/**
 * Path of the Node binary that `folder`'s lockfile pins, or undefined with no build of it for this machine.
 */
export function pinnedNode(folder) {
  const binary = join(folder, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin', 'node');
  return existsSync(binary) ? binary : undefined;
}

export async function installRuntimes(folder) {
  return install(folder);
}
