/**
 * All gates: what can be measured here, on which Node. A gate is
 * `{ name, ids, toolchain, unavailable, measure }`.
 */
import { join } from 'node:path';
import process from 'node:process';
import { firstLine, root } from '../../../scripts/lib/run.mjs';
import { pinnedNode } from '../../../scripts/lib/runtimes.mjs';
import { instructionsGate } from './callgrind.mjs';
import { heapGate } from './heap.mjs';
import { nativeGate } from './native.mjs';
import { startUpGate } from './start-up.mjs';

/**
 * This Node and, with `pinned`, the newest one that the tests install. One of each major version: budgets are
 * told apart by it.
 */
export function nodes({ pinned }) {
  const found = new Map();
  const newest = pinned ? pinnedNode(join(root, 'tests', 'runtimes')) : undefined;
  for (const path of [process.execPath, newest]) {
    const version = path === undefined ? undefined : firstLine(path, ['--version'])?.slice(1);
    const major = version?.split('.')[0];
    if (major !== undefined) found.set(major, { path, version, major });
  }
  return [...found.values()];
}

/** The gates with an id that contains `only`. */
export function gates({ pinned, only = '' }) {
  const all = [instructionsGate(), nativeGate(), ...nodes({ pinned }).flatMap((node) => [heapGate(node), startUpGate(node)])];
  return all.filter(({ ids }) => ids.some((id) => id.includes(only)));
}
