/**
 * Projects that are a folder of routes without a file that starts them: what makes a folder one, and which file of ours
 * opens it.
 *
 * Reads directory entries only.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { complete, readMain } from './entry.ts';
import type { Target } from './target.ts';

/** The name of a project's config. */
export const CONFIG = /^fulmar\.config\.[cm]?[jt]s$/;

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

export const hasConfig = (folder: string): boolean => namesIn(folder).some((name) => CONFIG.test(name));

/** The folder of routes that is there, `routes` or `pages`. */
export const routesFolder = (folder: string): string | undefined =>
  ['routes', 'pages'].find((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true);

/** `bin/project.mjs`, beside the program that runs. */
const projectFile = (): string => join(dirname(realpathSync(process.argv[1] ?? '.')), 'project.mjs');

export function projectTarget(folder: string, source: string): Target {
  const file = projectFile();
  return { file, name: relative(process.cwd(), folder) || '.', source, project: folder, args: [folder] };
}

/** A folder that was named and is a project: it has nothing that Node would run there, or a config. */
export function findProjectAt(name: string): Target | undefined {
  const folder = resolve(name);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
  if (hasConfig(folder)) return projectTarget(folder, 'the command line');
  const hasEntry = readMain(folder) !== undefined || complete(join(folder, 'index')) !== undefined;
  return !hasEntry && routesFolder(folder) !== undefined ? projectTarget(folder, 'the command line') : undefined;
}
