/**
 * The project that something is generated in: the nearest folder with a `package.json` that uses Fulmar, and
 * where its sources are. Reads, and changes nothing.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { CommandError } from '../errors.ts';

export interface Project {
  readonly root: string;
  /** `src`, or the root where there is none. */
  readonly sources: string;
  /** Are its files ES modules, unless they say otherwise? */
  readonly isModule: boolean;
}

/** Throws a `CommandError` outside of a project. */
export function findProject(folder: string): Project {
  const root = folderWithManifest(folder);
  if (root === undefined)
    throw outside(
      `there is no package.json in ${folder} or above it. Go to a project, or make one: fulmar new my-app --template controllers`,
    );
  const manifest = readManifest(join(root, 'package.json'));
  if (!isInstalled(root, 'fulmar') && !names(manifest).includes('fulmar'))
    throw outside(`${join(root, 'package.json')} does not use Fulmar. Go to a project that does, or make this one: npm install fulmar`);
  const sources = join(root, 'src');
  return { root, sources: isFolder(sources) ? sources : root, isModule: manifest.type === 'module' };
}

const outside = (why: string): CommandError =>
  new CommandError('FULMAR_CLI_GENERATE_PROJECT', `fulmar generate works in a project: ${why}`);

function folderWithManifest(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? undefined : folderWithManifest(parent);
}

interface Manifest {
  readonly type?: unknown;
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

function readManifest(file: string): Manifest {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  } catch (error) {
    throw outside(`${file} cannot be read: ${(error as Error).message}`);
  }
}

const names = ({ dependencies, devDependencies }: Manifest): string[] => Object.keys({ ...dependencies, ...devDependencies });

/** Does the project see a package, installed by it or above it? */
export function isInstalled(root: string, name: string): boolean {
  try {
    createRequire(join(root, 'package.json')).resolve(`${name}/package.json`);
    return true;
  } catch (error) {
    // It is there, and shows its manifest to nobody.
    return (error as NodeJS.ErrnoException).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED';
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

export type NearestModule = { readonly file: string } | { readonly several: readonly string[] };

/**
 * The file of the nearest module, from `folder` up to the sources' folder. Of several in one folder the one
 * that is named as it, else `app.module.ts`; `undefined`: there is none. `own`: the file of what is to be
 * registered, which is none that it belongs to.
 */
export function findModule(folder: string, project: Project, own?: string): NearestModule | undefined {
  const isModule = (name: string): boolean => name.endsWith('.module.ts') && join(folder, name) !== own;
  const found = isFolder(folder) ? readdirSync(folder).filter(isModule) : [];
  if (found.length > 0) {
    const preferred = [`${basename(folder)}.module.ts`, 'app.module.ts'].find((name) => found.includes(name));
    const name = found.length === 1 ? found[0] : preferred;
    return name === undefined ? { several: found.sort() } : { file: join(folder, name) };
  }
  const isLast = folder === project.sources || folder === project.root || dirname(folder) === folder;
  return isLast ? undefined : findModule(dirname(folder), project, own);
}
