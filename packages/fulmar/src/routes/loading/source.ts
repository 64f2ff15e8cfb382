/**
 * Where files of routes come from: a folder that is read when the app is made ready, or a list that was made when the
 * project was built.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { FileRoute } from '../files/file-route.ts';
import { scanRoutes } from '../files/scan.ts';
import type { ModuleExports, RouteStyle } from '../module/declared.ts';
import { loadModule } from '../module/load.ts';
import { indexOf, type IndexNode } from './route-index.ts';

export interface RouteSource {
  readonly files: readonly FileRoute[];
  readonly index: IndexNode;
  /** What its handlers are given. Default: contexts of the app. */
  readonly style?: RouteStyle;
  /** Rejects with what the module throws. */
  load(file: FileRoute): Promise<ModuleExports>;
  /** Where it lies: absolute, but for what is no file. */
  pathOf(file: FileRoute): string;
}

/** Imports a module by its path. */
export type LoadModule = (path: string) => Promise<ModuleExports>;

/** @throws Error where there is no such folder, RouteFileError for names that say nothing, or the same */
export function folderSource(dir: string, load: LoadModule = loadModule): RouteSource {
  const files = scanRoutes(dir);
  const root = realpathSync(dir);
  return {
    files,
    index: indexOf(files),
    load: ({ file }) => load(join(root, file)),
    pathOf: ({ file }) => join(root, file),
  };
}
