/**
 * `fulmar build` of a project that is a folder of routes: one file or executable that has its config, the table of its routes,
 * a part for each of them, its pages and static files, and the replies that were made now.
 */
import { realpathSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { BuildFacts } from '../../../../fulmar/src/routes/project/index.ts';
import { CommandError } from '../../errors.ts';
import { makeTemporaryFolder } from '../../temporary.ts';
import type { BuildOptions } from '../arguments.ts';
import { type Asset, staticAssets, toAsset } from '../assets.ts';
import type { BundleInput } from '../bundle.ts';
import { placeOf, type Project, shown } from '../project.ts';
import { ProjectChild } from './child.ts';
import { PAGES_PLACE, toFolderEntry } from './entry.ts';

/** What a build of a folder adds to that of a file. */
export type FolderInput = Pick<BundleInput, 'project' | 'parts' | 'assets'> & { readonly whole: string };

/** Nothing has this name: it is that of an entry without a file. */
const ENTRY = 'fulmar-project.mjs';

export const toFolderProject = (folder: string, ownFolder: string): Project => {
  const root = realpathSync(folder);
  return { entry: join(root, ENTRY), root, ownFolder };
};

/** @throws CommandError for options that a folder has no use for */
export function checkFolderOptions({ target, alias }: BuildOptions): void {
  if (target !== undefined) {
    throw new CommandError(
      'FULMAR_CLI_INVALID_VALUE',
      `--target ${target} takes a file that exports its application, and this is a folder: export default createRoutes({ dir: 'routes' }) of fulmar/routes in a file, and name that`,
    );
  }
  if (!alias)
    throw new CommandError(
      'FULMAR_CLI_INVALID_VALUE',
      '--no-alias is for files: a folder of routes has no import of http to be left alone',
    );
}

export interface FolderBuild<Made> {
  readonly project: Project;
  /** The folder of `fulmar.cjs`. */
  readonly bin: string;
  readonly out: string;
  readonly native: boolean;
  /** Of the command line. */
  readonly assets: readonly Asset[];
  /** Makes the file. */
  readonly make: (input: FolderInput) => Promise<Made>;
}

/** Runs the project's hooks around `make`. Rejects with a `CommandError` for what is wrong with it. */
export async function buildFolder<Made>({ project, bin, out, native, assets, make }: FolderBuild<Made>): Promise<Made> {
  const folder = makeTemporaryFolder('pages');
  const child = new ProjectChild(bin, { root: project.root, folder, output: out, native });
  try {
    const facts = await child.facts();
    const { parts, source, whole } = toFolderEntry(facts, project, native);
    const found = [...assets, ...pagesOf(facts, project), ...staticsOf(facts, project), ...prerendered(facts, folder)];
    const byPlace = new Map(found.map((asset) => [asset.place, asset]));
    const all = [...byPlace.values()].toSorted((one, other) => (one.place < other.place ? -1 : 1));
    const made = await make({ project: { ...project, source }, parts, whole, assets: all });
    await child.end();
    return made;
  } finally {
    child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const pagesOf = ({ files, dir }: BuildFacts, project: Project): Asset[] =>
  files.filter(({ kind }) => kind === 'page').map(({ file }) => toAsset(join(dir, file), project));

function staticsOf({ statics }: BuildFacts, project: Project): Asset[] {
  return statics.flatMap(({ dir }) => {
    const real = realpathSync(dir);
    if (placeOf(real, project).startsWith('_outside/'))
      throw new CommandError(
        'FULMAR_CLI_BUILD_INCLUDE',
        `static of the config names ${shown(dir)}, which lies outside of the project's folder, ${project.root}`,
      );
    return staticAssets(dir, shown(dir), project);
  });
}

function prerendered({ pages }: BuildFacts, folder: string): Asset[] {
  return pages.map(({ name }) => {
    const file = join(folder, name);
    const { size: bytes, mtimeMs } = statSync(file);
    return { place: `${PAGES_PLACE}/${name}`, file, bytes, mtimeMs };
  });
}
