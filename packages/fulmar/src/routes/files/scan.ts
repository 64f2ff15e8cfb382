/**
 * The files below the folder of routes, and what they are. Reads names of files, never what is in them; links that lead
 * out of the folder are left out.
 */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type FileRoute, fileRouteOf } from './file-route.ts';
import { shapeOf } from './pattern.ts';
import { RouteFileError } from './route-file-error.ts';

/** A tree of links that lead to each other has no end. */
const DEPTH_MAX = 64;

/** In the order of their names. @throws Error where there is no such folder, RouteFileError for names that say nothing */
export function scanRoutes(dir: string): FileRoute[] {
  const root = rootOf(dir);
  const files = filesIn(root, root, '', 0);
  const routes = files.map(fileRouteOf).filter((one) => one !== null);
  checkConflicts(routes);
  return routes;
}

function rootOf(dir: string): string {
  try {
    const root = realpathSync(dir);
    if (statSync(root).isDirectory()) return root;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause;
    throw new Error(`There is no folder of routes at ${dir}. Make it, or say which one it is: createRoutes({ dir }).`, { cause });
  }
  throw new Error(`The folder of routes, ${dir}, is a file.`);
}

function filesIn(root: string, folder: string, below: string, depth: number): string[] {
  if (depth > DEPTH_MAX) throw new RouteFileError(`folders are up to ${DEPTH_MAX} levels deep`, [below]);
  const entries = readdirSync(folder, { withFileTypes: true }).toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return entries.flatMap((entry) => {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    const kind = kindOf(root, join(folder, entry.name), entry);
    if (kind === 'file') return [path];
    return kind === 'folder' && entry.name !== 'node_modules' ? filesIn(root, join(folder, entry.name), path, depth + 1) : [];
  });
}

function kindOf(root: string, path: string, entry: Dirent): 'file' | 'folder' | null {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return null;
  try {
    if (!realpathSync(path).startsWith(root + sep)) return null;
    const stats = statSync(path);
    return stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : null;
  } catch {
    // It leads nowhere.
    return null;
  }
}

/** @throws RouteFileError that names both files */
export function checkConflicts(routes: readonly FileRoute[]): void {
  const seen = new Map<string, FileRoute>();
  for (const route of routes) {
    const { kind, parts, method, file } = route;
    const isSpecial = kind !== 'route' && kind !== 'page';
    // Of two groups in one folder each has its own special files.
    const key = isSpecial ? `${kind} ${route.folders.at(-1) ?? ''}` : `${method ?? 'any'} ${shapeOf(parts)}`;
    const other = seen.get(key);
    if (other !== undefined)
      throw new RouteFileError(isSpecial ? 'are the same file of one folder' : 'answer the same path', [other.file, file]);
    seen.set(key, route);
  }
}
