/**
 * Whether an application is Nest's or one of `fulmar/controllers`, for the packages beside it: `@nestjs/config` and
 * its like import `@nestjs/common` themselves, and have to get the Nest that the application runs on.
 *
 * The application's manifest says it: Nest's own names `@nestjs/core`. Read once, with the first import of a name of
 * Nest's, by whoever finds modules (hooks, bundler, jest), so that all of them say the same. Never looks at what is
 * installed: npm installs `@nestjs/core` for packages that want it as a peer.
 */
import { dirname, sep } from 'node:path';
import { declaredFor, namesIn, readManifest } from './manifests.ts';
import type { AliasTarget } from '../settings.ts';

/** Who declares it is an application of Nest's. */
const NEST_CORE = '@nestjs/core';

/** Packages that Nest itself consists of: they work with each other alone. */
const partsOfNest = /[\\/]node_modules[\\/]@nestjs[\\/](?:common|core|testing|swagger|microservices|websockets|platform-[\w.-]+)[\\/]/;

/** Answers where a name of Nest's leads for a file; `undefined`: to the package of that name. */
export type NestFinder = (specifier: string, importer: string | undefined) => AliasTarget | undefined;

/** `entry`: the file that runs, asked when the first import comes; `undefined` means the working directory. */
export function createNestFinder(
  targets: ReadonlyMap<string, AliasTarget>,
  entry: () => string | undefined,
  report: ((specifier: string, target: AliasTarget | undefined) => void) | undefined,
): NestFinder {
  const decided = new Map<string | undefined, boolean>();
  const reported = new Set<string>();
  const leadsToOurs = (): boolean => {
    const file = entry();
    let found = decided.get(file);
    if (found === undefined) decided.set(file, (found = isWithoutNest(file)));
    return found;
  };
  return (specifier, importer) => {
    if (importer !== undefined && partsOfNest.test(importer)) return undefined;
    const target = leadsToOurs() ? targets.get(specifier) : undefined;
    if (report !== undefined && !reported.has(specifier)) {
      reported.add(specifier);
      report(specifier, target);
    }
    return target;
  };
}

/**
 * Is the application of `entry` one whose imports of Nest lead to `fulmar/controllers`? Its manifest, or that of its
 * workspace, names Fulmar or a package of Nest's, and none of the two names `@nestjs/core`.
 */
export function isWithoutNest(entry: string | undefined): boolean {
  const names = declaredBeside(entry);
  return !names.has(NEST_CORE) && [...names].some((name) => name === 'fulmar' || name.startsWith('@nestjs/'));
}

/** May a package of such an application import names of Nest's, as far as its manifest tells? */
export function hasPackagesOfNest(entry: string | undefined): boolean {
  return isWithoutNest(entry) && [...declaredBeside(entry)].some((name) => name.includes('nest'));
}

const inPackage = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/;

/**
 * Answers whether a file is of a package that imports Nest and of such an application: one that has to be loaded by
 * a way that leads its imports.
 */
export function createNeighbourFinder(entry: () => string | undefined): (file: string) => boolean {
  // One for each package that is an ES module and required.
  const known = new Map<string, boolean>();
  return (file) => {
    const [, folder] = inPackage.exec(file) ?? [];
    if (folder === undefined || partsOfNest.test(file)) return false;
    let found = known.get(folder);
    if (found === undefined) {
      const names = namesIn(readManifest(folder) ?? {});
      found = (names.includes('@nestjs/common') || names.includes(NEST_CORE)) && isWithoutNest(entry());
      known.set(folder, found);
    }
    return found;
  };
}

function declaredBeside(entry: string | undefined): ReadonlySet<string> {
  const isInstalled = entry?.includes(`${sep}node_modules${sep}`) === true;
  // A command that is a package speaks for itself, and else for the folder it is used in.
  const own = isInstalled ? declaredFor(dirname(entry)) : undefined;
  if (own?.has(NEST_CORE) === true) return own;
  return declaredFor(entry === undefined || isInstalled ? process.cwd() : dirname(entry));
}
