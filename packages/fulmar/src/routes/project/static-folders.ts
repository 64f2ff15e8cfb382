/**
 * Folders whose files are served as they are. Files that are there at the start are routes of their own, so that they go
 * before parameters and cost other requests nothing; those that come later are looked for where nothing else is.
 */
import { type Dirent, existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Middleware } from '../../app/chain.ts';
import type { App } from '../../app/index.ts';
import { atPlace } from '../../app/place.ts';
import { staticFiles } from '../../app/middleware/index.ts';
import type { FileRoute } from '../files/file-route.ts';
import { patternOf } from '../files/pattern.ts';
import { candidatesFor } from '../loading/route-index.ts';
import type { RouteSource } from '../loading/source.ts';
import type { ResolvedConfig, StaticFolder } from './config-types.ts';

/** Of more, the others are looked for where nothing else is. */
const ROUTES_MAX = 10_000;
const DEPTH_MAX = 64;

export interface StaticInput {
  readonly config: ResolvedConfig;
  readonly source: RouteSource;
  /** Files of folders that were read when the project was built. */
  readonly known: ReadonlyMap<string, readonly string[]> | undefined;
}

/**
 * On the app around the routes, whatever prefix these have: its middleware stands around files, and that of the folder of
 * routes does not, of those that came later neither.
 *
 * @throws Error for a folder that is not there, TypeError for options that are none
 */
export function addStatic(app: App, { config: { static: folders, root, routes }, source, known }: StaticInput): void {
  const added = new Set<string>();
  const addRoute = (path: string, file: string, serve: Middleware): void => {
    const written = patternOf(
      path
        .split('/')
        .slice(1)
        .map((text) => ({ kind: 'text', text })),
    );
    // A file of the routes, or of a folder before, goes before.
    if (added.has(written) || isTaken(source, routes.prefix, written)) return;
    added.add(written);
    atPlace(`${file}:1`, () => void app.get(written as never, serve as never));
  };
  for (const folder of folders) app.scope.useForUnmatched(addFolder(folder, toFiles(folder, root, known), addRoute));
}

function toFiles({ dir, dotfiles }: StaticFolder, root: string, known: StaticInput['known']): Iterable<string> {
  const files = known?.get(dir);
  if (files !== undefined) return files;
  if (!existsSync(dir)) throw new Error(`static of the config names ${relative(root, dir) || '.'}, and there is no such folder.`);
  return filesIn(dir, '', { depth: 0, isHidden: dotfiles === 'allow' });
}

/** Those that become routes, for a project that is built. @throws Error for a folder that is not there */
export function staticFilesOf(folder: StaticFolder, root: string): string[] {
  const files: string[] = [];
  for (const file of toFiles(folder, root, undefined)) {
    if (files.length >= ROUTES_MAX) break;
    files.push(file);
  }
  return files;
}

function addFolder(
  { dir, ...options }: StaticFolder,
  files: Iterable<string>,
  addRoute: (path: string, file: string, serve: Middleware) => void,
): Middleware {
  const serve = staticFiles({ ...options, root: dir });
  const prefix = (options.prefix ?? '').replace(/\/+$/, '');
  const indexes = options.index === false ? [] : [options.index ?? 'index.html'].flat();
  let count = 0;
  for (const file of files) {
    if ((count += 1) > ROUTES_MAX) break;
    const slash = file.lastIndexOf('/') + 1;
    const paths = indexes.includes(file.slice(slash)) ? [file, file.slice(0, slash)] : [file];
    for (const path of paths) addRoute(`${prefix}/${path}`, join(dir, file), serve as Middleware);
  }
  return serve as Middleware;
}

/** Has the folder of routes, below its prefix, a file with this path that may answer GET? */
function isTaken(source: RouteSource, prefix: string, path: string): boolean {
  const base = prefix.replace(/\/+$/, '');
  if (!path.startsWith(base)) return false;
  const below = path.slice(base.length) || '/';
  return [...candidatesFor(source.index, below)].some((position) => {
    const { kind, method, parts } = source.files[position] as FileRoute;
    return (kind === 'route' || kind === 'page') && (method === null || method === 'GET') && patternOf(parts) === below;
  });
}

function* filesIn(folder: string, below: string, { depth, isHidden }: { depth: number; isHidden: boolean }): Iterable<string> {
  if (depth > DEPTH_MAX) return;
  const entries: Dirent[] = readdirSync(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name.startsWith('.') && !isHidden) continue;
    if (entry.isFile()) yield below + entry.name;
    // Links are followed by whoever serves them, or not.
    else if (entry.isDirectory()) yield* filesIn(`${folder}/${entry.name}`, `${below}${entry.name}/`, { depth: depth + 1, isHidden });
  }
}
