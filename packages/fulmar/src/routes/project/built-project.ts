/**
 * What a file or executable of `fulmar build` opens its project with: the table that was made when it was built, and parts
 * that are loaded when they are first needed. Looks at no folder.
 */
import { join } from 'node:path';
import type { FileRoute } from '../files/file-route.ts';
import type { IndexNode } from '../loading/route-index.ts';
import type { ModuleExports } from '../module/declared.ts';
import { fromCommonJs } from '../module/load.ts';
import type { ConfigEnvironment } from './config-types.ts';
import type { ProjectParts } from './create-project.ts';
import { type ConfigDefaults, loadConfig } from './resolve-config.ts';
import { serveProject } from './serve-project.ts';

/** Made by `fulmar build`, as JSON. Places are relative to where the application appears to lie. */
export interface BuiltTable {
  /** Place of the folder of routes. */
  readonly dir: string;
  readonly files: readonly FileRoute[];
  readonly index: IndexNode;
  /** Number of the part of each file, null of a page. */
  readonly parts: readonly (number | null)[];
  /** Place and part. */
  readonly config: readonly [place: string, part: number] | null;
  readonly middlewares: readonly (readonly [place: string, part: number])[];
  readonly defaults: ConfigDefaults;
  /** Files of static folders by the folder's place. */
  readonly statics: Readonly<Record<string, readonly string[]>>;
  readonly pages: readonly { readonly path: string; readonly place: string; readonly fields: Readonly<Record<string, string>> }[];
}

export interface BuiltProject {
  /** Where the application appears to lie. */
  readonly root: string;
  readonly table: string;
  /** What a module exports, or of CommonJS what its `module.exports` is. */
  load(part: number): Promise<unknown>;
  /** Parts that are CommonJS. */
  readonly scripts: readonly number[];
}

/** Opens it and listens, as `serveProject()`. */
export function serveBuilt(built: BuiltProject): Promise<void> {
  return serveProject({ root: built.root, command: 'start' }, () => builtParts(built));
}

function builtParts({ root, table: text, load, scripts }: BuiltProject): ProjectParts {
  const table = JSON.parse(text) as BuiltTable;
  const isScript = new Set(scripts);
  const loadPart = async (part: number): Promise<ModuleExports> => {
    const exports = await load(part);
    return isScript.has(part) ? fromCommonJs(exports) : (exports as ModuleExports);
  };
  const dir = join(root, table.dir);
  return {
    config: (environment) => configOf(table, environment, loadPart),
    routes: () => {
      const parts = new Map(table.files.map((file, at) => [file, table.parts[at]]));
      return {
        files: table.files,
        index: table.index,
        load: (file) => loadPart(parts.get(file) as number),
        pathOf: ({ file }) => join(dir, file),
      };
    },
    middlewares: () => Promise.all(table.middlewares.map(async ([name, part]) => [name, await loadPart(part)] as const)),
    built: {
      defaults: table.defaults,
      staticFiles: new Map(Object.entries(table.statics).map(([place, files]) => [join(root, place), files])),
      pages: table.pages.map(({ path, place, fields }) => ({ path, file: join(root, place), fields })),
    },
  };
}

async function configOf({ config }: BuiltTable, environment: ConfigEnvironment, load: (part: number) => Promise<ModuleExports>) {
  return config === null ? {} : loadConfig(join(environment.root, config[0]), environment, () => load(config[1]));
}
