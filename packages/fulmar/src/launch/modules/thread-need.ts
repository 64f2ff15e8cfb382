/**
 * Does an application need the loader thread of old Nodes? Only for what Node cannot import itself: compiled
 * sources, files of other languages, packages that we stand for where none is installed, and packages beside Nest, which are ES modules and
 * import another Nest than is installed. The thread costs memory (22 MB and more)
 * and start-up time, so it is looked for before.
 *
 * Asked once, when the first ES module or `import(` comes in sight. Reads names of the application's folder,
 * and texts only where a package is missing.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { isCompiled } from '../compile/file-types.ts';
import { guestEnding } from '../../host/guest-files.ts';
import { isDependency } from '../compile/resolve.ts';
import { loadNest } from './aliases.ts';
import { importsGuests } from './guest-modules.ts';
import { aliasedPackages, type HookSettings } from '../settings.ts';

/** A folder with more entries is not gone through: the thread is started. */
const ENTRIES_MAX = 4_000;
/** Of sources that may name a package that is not installed. */
const BYTES_MAX = 8 * 1_024 * 1_024;

const scripts: ReadonlySet<string> = new Set(['.js', '.cjs', '.mjs', '', '.ts', '.tsx', '.mts', '.cts', '.jsx']);

/**
 * `entry` is the file that runs, if that is known. Published packages hold no sources that would have to be
 * compiled, and have what they import. Where others compile, `compiles` is false.
 */
export function needsThread(entry: string | undefined, { compiles, bundleFile }: HookSettings): boolean {
  if (entry === undefined) return compiles;
  if (compiles && isCompiled(entry)) return true;
  const isDependent = isDependency(entry);
  // Also of what is installed: the entry of a runner of tests imports the application.
  if (mayHavePackagesOfNest(isDependent ? process.cwd() : dirname(entry)) && loadNest(bundleFile).hasPackagesOfNest(entry)) return true;
  if (isDependent) return false;
  const files = filesOf(findRoot(dirname(entry)) ?? dirname(entry));
  if (files === undefined) return true;
  if (compiles && files.some((file) => isCompiled(file) && !/\.d\.[cm]?ts$/.test(file))) return true;
  // Those of a folder beside it are named by the entry, or not found. A project has none but its folder.
  const named = existsSync(entry) ? [entry] : [];
  const importers = files.some((file) => guestEnding(file) !== undefined) ? files : named;
  if (mayHold(importers, importsGuests)) return true;
  const missing = Object.keys(aliasedPackages).filter((name) => !isInstalled(name, entry));
  return missing.length > 0 && mayHold(files, new RegExp(`["'\`](?:${missing.join('|')})["'\`]`));
}

/** As far as the nearest manifest tells; what it really says is looked at then. */
function mayHavePackagesOfNest(folder: string): boolean {
  const root = findRoot(folder);
  return root !== undefined && readFileSync(join(root, 'package.json'), 'utf8').includes('nest');
}

/** `undefined`: too many. */
function filesOf(root: string): string[] | undefined {
  const files: string[] = [];
  const folders = [root];
  let entries = 0;
  for (const folder of folders) {
    for (const item of readdirSync(folder, { withFileTypes: true })) {
      entries += 1;
      if (entries > ENTRIES_MAX) return undefined;
      if (item.name.startsWith('.') || item.name === 'node_modules') continue;
      // What a link leads to may be anything.
      if (item.isSymbolicLink()) return undefined;
      if (item.isDirectory()) folders.push(join(folder, item.name));
      else files.push(join(folder, item.name));
    }
  }
  return files;
}

function mayHold(files: readonly string[], pattern: RegExp): boolean {
  let bytes = 0;
  return files.some((file) => {
    if (!scripts.has(extname(file))) return false;
    bytes += statSync(file).size;
    return bytes > BYTES_MAX || pattern.test(readFileSync(file, 'utf8'));
  });
}

function isInstalled(name: string, entry: string): boolean {
  try {
    createRequire(entry).resolve(name);
    return true;
  } catch {
    return false;
  }
}

function findRoot(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : findRoot(parent);
}
