/**
 * The entry of a built project, which no file has: the table of its routes, and how its parts are loaded. Makes text only.
 */
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildFacts, BuiltTable } from '../../../../fulmar/src/routes/project/index.ts';
import { globalInSource } from '../../../../fulmar/src/host/globals.ts';
import { SCRIPTS } from '../bundle.ts';
import { placeOf, type Project } from '../project.ts';

export interface FolderEntry {
  /** Modules that are loaded by themselves, by their numbers. */
  readonly parts: readonly string[];
  /** Code of the entry, and where all parts have to be in it. */
  readonly source: string;
  readonly whole: string;
}

/** Where replies that were made lie in a built file. */
export const PAGES_PLACE = '_fulmar/pages';

export function toFolderEntry(facts: BuildFacts, project: Project, native: boolean): FolderEntry {
  const numbers = new Map<string, number>();
  const partOf = (file: string): number => {
    const real = realpathSync(file);
    const number = numbers.get(real) ?? numbers.size;
    numbers.set(real, number);
    return number;
  };
  const table = JSON.stringify(toTable(facts, project, partOf));
  const parts = [...numbers.keys()];
  const load = native
    ? `async (part) => ${SCOPE}.part("./part-" + part + ".js")`
    : `async (part) => { ${SCOPE}.ensure("part-" + part); const found = await import("./part-" + part + ".mjs"); return ${SCRIPTS}.includes(part) ? found.default : found; }`;
  // By `default`, too: of CommonJS it is what `module.exports` says.
  const wholeLoad = `async (part) => { const found = await parts[part](); return ${SCRIPTS}.includes(part) ? found.default : found; }`;
  const imports = parts.map((file) => `() => import(${JSON.stringify(file)})`).join(', ');
  return {
    parts,
    source: toSource(table, project, load),
    whole: `const parts = [${imports}];\n${toSource(table, project, wholeLoad)}`,
  };
}

const SCOPE = globalInSource('fulmar.bundle');

/** Not awaited: parts may import what the entry has, and that would wait for them. */
const toSource = (table: string, { ownFolder }: Project, load: string): string =>
  `import * as project from ${JSON.stringify(join(ownFolder, 'lib-project.cjs'))};
project.serveBuilt({ root: ${SCOPE}.root, table: ${JSON.stringify(table)}, load: ${load}, scripts: ${SCRIPTS} });
`;

function toTable(facts: BuildFacts, project: Project, partOf: (file: string) => number): BuiltTable {
  return {
    dir: placeOf(facts.dir, project),
    files: facts.files,
    index: facts.index,
    parts: facts.files.map(({ kind, file }) => (kind === 'page' ? null : partOf(join(facts.dir, file)))),
    config: facts.config === null ? null : [placeOf(facts.config, project), partOf(facts.config)],
    middlewares: facts.middlewares.map((file) => [placeOf(file, project), partOf(file)]),
    defaults: facts.defaults,
    statics: Object.fromEntries(facts.statics.map(({ dir, files }) => [placeOf(dir, project), files])),
    pages: facts.pages.map(({ path, name, fields }) => ({ path, place: `${PAGES_PLACE}/${name}`, fields })),
  };
}
