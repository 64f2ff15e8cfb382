/**
 * The bundler, which the application installs: see `companion.ts`. Loaded once a file is built, or a module of the
 * application is looked into.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findCompanion } from '../../fulmar/src/launch/installed/companion.ts';
import { notInstalled, notLoaded, unsuitable } from '../../fulmar/src/launch/installed/companion-errors.ts';

/** Where to look for it: a part of `Project`. */
export interface BundlerPlaces {
  /** Folder of our bundles. */
  readonly ownFolder: string;
  /** Folder of the application. */
  readonly root: string;
  /** Who needs it. Default: `fulmar build needs`. */
  readonly need?: string;
}

/** Rejects with a `CommandError` that says what to install. */
export async function loadBundler(places: BundlerPlaces): Promise<typeof import('rolldown')> {
  return (await load(findBundler(places))) as typeof import('rolldown');
}

/** What of the bundler takes single sources. */
export async function loadBundlerUtils(places: BundlerPlaces): Promise<typeof import('rolldown/utils')> {
  const file = createRequire(findBundler(places)).resolve('rolldown/utils');
  return (await load(file)) as typeof import('rolldown/utils');
}

async function load(file: string): Promise<unknown> {
  try {
    return await import(pathToFileURL(file).href);
  } catch (error) {
    throw notLoaded('rolldown', file, error);
  }
}

function findBundler({ ownFolder, root, need = 'fulmar build needs' }: BundlerPlaces): string {
  const bundle = join(ownFolder, 'cli.cjs');
  const found = findCompanion('rolldown', bundle, join(root, 'package.json'));
  if (found === undefined) throw notInstalled('rolldown', need, bundle);
  const problem = unsuitable('rolldown', found.version, bundle);
  if (problem !== undefined) throw problem;
  return found.file;
}
