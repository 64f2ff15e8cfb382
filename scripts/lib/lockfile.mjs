/**
 * Tells whether `node_modules` is what `package-lock.json` says, from the record that npm keeps inside
 * `node_modules`. Reads two files, runs nothing.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

/**
 * Paths of the lockfile's packages that are missing from `folder/node_modules` or have another version there.
 */
export function unmetPackages(folder, { optional = true } = {}) {
  const lock = readPackages(join(folder, 'package-lock.json'));
  if (lock === undefined) return ['package-lock.json'];
  const installed = readPackages(join(folder, 'node_modules', '.package-lock.json')) ?? {};
  const unmet = [];
  for (const [path, wanted] of Object.entries(lock)) {
    if (path === '' || !path.includes('node_modules/') || !isForThisMachine(wanted)) continue;
    // npm leaves out what only an optional package for another platform needs, and says of each no more than
    // that it is optional.
    if (wanted.optional && (!optional || (wanted.os === undefined && wanted.cpu === undefined))) continue;
    const has = installed[path];
    const same = has !== undefined && has.version === wanted.version && has.link === wanted.link;
    if (!same && !(wanted.optional && wanted.libc !== undefined)) unmet.push(path);
  }
  return unmet;
}

function readPackages(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : undefined;
}

function isForThisMachine({ os, cpu }) {
  return allows(os, process.platform) && allows(cpu, process.arch);
}

function allows(names, value) {
  if (names === undefined) return true;
  const list = [names].flat();
  if (list.includes(`!${value}`)) return false;
  return list.every((entry) => entry.startsWith('!')) || list.includes(value);
}
