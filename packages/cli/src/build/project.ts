/**
 * The application's folder, and the place each of its modules appears to have in a built file.
 *
 * A place is a path relative to that folder, with `/`. Reads names only.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';

export interface Project {
  readonly entry: string;
  readonly root: string;
  /** Our own bundles: never examined, never aliased. */
  readonly ownFolder: string;
  /** Of an entry that is no file: its code. */
  readonly source?: string | undefined;
}

/**
 * The application's folder is the nearest one above its entry that has a `package.json`, else the entry's.
 */
export function toProject(entry: string, ownFolder: string): Project {
  return { entry, root: findRoot(dirname(entry)) ?? dirname(entry), ownFolder };
}

function findRoot(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : findRoot(parent);
}

/**
 * Files outside of the application's folder are shown in its `node_modules`, or in a folder for each step
 * upwards.
 */
export function placeOf(file: string, { root }: Project): string {
  const path = relative(root, file).split(sep).join('/');
  if (!path.startsWith('../')) return path;
  const modules = file.split(sep).join('/');
  const start = modules.indexOf('/node_modules/');
  return start >= 0 ? modules.slice(start + 1) : path.replaceAll('../', '_outside/');
}

/** A file as it is named in messages. */
export function shown(file: string): string {
  const path = relative(process.cwd(), file);
  return path === '' || path.startsWith('..') ? file : path;
}
