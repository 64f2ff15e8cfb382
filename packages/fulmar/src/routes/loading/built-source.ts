/**
 * A folder of routes that `fulmar build` found in a source: what it left in the built file, in the place of the folder. Reads no
 * folder.
 */
import { join } from 'node:path';
import { readGlobal } from '../../host/globals.ts';
import type { FileRoute } from '../files/file-route.ts';
import type { ModuleExports } from '../module/declared.ts';
import { fromCommonJs } from '../module/load.ts';
import type { IndexNode } from './route-index.ts';
import type { RouteSource } from './source.ts';

/** `packages/cli/src/build/routes-folder.ts` makes it. */
interface BuiltFolder {
  /** Where the application appears to lie. */
  readonly root: string;
  /** `FolderTable`, as JSON. */
  readonly table: string;
  /** By position; of a page null. */
  readonly loaders: readonly (null | (() => unknown))[];
}

interface FolderTable {
  readonly dir: string;
  readonly files: readonly FileRoute[];
  readonly index: IndexNode;
  /** Positions of files that are CommonJS. */
  readonly scripts: readonly number[];
}

/** `undefined`: nothing was built of this folder. */
export function builtSource(folder: string): RouteSource | undefined {
  const scope = readGlobal('fulmar.bundle') as { readonly routes?: ReadonlyMap<string, BuiltFolder> } | undefined;
  const built = scope?.routes?.get(folder.replace(/(?<=.)\/+$/, ''));
  if (built === undefined) return undefined;
  const { dir, files, index, scripts } = JSON.parse(built.table) as FolderTable;
  const positions = new Map(files.map((file, at) => [file, at]));
  return {
    files,
    index,
    async load(file) {
      const at = positions.get(file) as number;
      const exports = await built.loaders[at]?.();
      return scripts.includes(at) ? fromCommonJs(exports) : (exports as ModuleExports);
    },
    pathOf: ({ file }) => join(built.root, dir, file),
  };
}
