/**
 * Which imports lead to Fulmar: `http` and `node:http` to `fulmar/http`, packages such as `express` to what
 * stands for the version that the importing file would get, `zlib` to `fulmar/zlib` in the packages that compress
 * replies, and names of Nest's to `fulmar/controllers` in its applications (`nest/applications.ts`).
 *
 * Asked once for each import of one of those names, for the application and for its dependencies. Never maps
 * deep imports (`express/lib/…`; see `substitutes.ts`), versions that nothing stands for, `https` or `http2`,
 * and never an import of our own code.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { tell } from '../terminal/tell.ts';
import { type AliasTarget, type AliasTargets, aliasedPackages, nestPackages, type VersionTargets, zlibPackages } from '../settings.ts';

/** Where an import leads; one of `zlib` only by `require`. */
export type Lead = AliasTarget | { readonly require: string; readonly import?: undefined };

/**
 * Returns the target for `specifier` as imported by the file `importer` (`undefined`: by nobody), or
 * `undefined` to leave it alone.
 */
export type Aliaser = (specifier: string, importer: string | undefined) => Lead | undefined;

/** What was found for the files of a folder that import a package. */
export interface PackageSighting {
  readonly name: string;
  /** `undefined`: not installed; then `folder` is that of the importing file. */
  readonly version: string | undefined;
  readonly folder: string;
  /** `undefined`: upstream's own is left in place. */
  readonly target: AliasTarget | undefined;
  /** What it gets for `zlib`, where that is not Node's. */
  readonly zlib?: string;
}

/** A cheap first look, before an importer's path is worked out. */
export function mayBeAliased(specifier: string): boolean {
  return (
    specifier === 'http' ||
    specifier === 'node:http' ||
    isZlib(specifier) ||
    Object.hasOwn(aliasedPackages, specifier) ||
    isOfNest(specifier)
  );
}

/** Decides whose Nest an application runs on; `bundle`: one of ours. Loaded when that is asked. */
export const loadNest = (bundle: string): typeof import('../nest/index.ts') =>
  createRequire(bundle)('./cli-nest.cjs') as typeof import('../nest/index.ts');

type NestFinder = ReturnType<ReturnType<typeof loadNest>['createNestFinder']>;

/** Where such a name has an alias it leads there at once, whether or not a package of that name is installed. */
export function isOfNest(specifier: string): boolean {
  return specifier.startsWith('@nestjs/') && Object.hasOwn(nestPackages, specifier);
}

const isZlib = (specifier: string): boolean => specifier === 'zlib' || specifier === 'node:zlib';

/**
 * `report` is called once for each installed package, and once for each folder whose files get one that is
 * not installed; `entry` tells the file that runs, if that is known.
 */
export function createAliaser(
  targets: AliasTargets,
  report?: (sighting: PackageSighting) => void,
  entry: () => string | undefined = () => undefined,
): Aliaser {
  const ownPrefix = targets.ownFolder + sep;
  const finders = new Map<string, (folder: string) => AliasTarget | undefined>();
  const findZlib = createZlibFinder(targets.zlib, report);
  for (const [name, versions] of targets.packages) finders.set(name, createTargetFinder(name, versions, report));
  let nest: NestFinder | undefined;
  const tell =
    report &&
    ((name: string, target: AliasTarget | undefined): void =>
      report(nestSighting(name, target, dirname(entry() ?? join(process.cwd(), 'entry')))));
  const findNest: NestFinder = (...asked) =>
    (nest ??= loadNest(join(targets.ownFolder, 'cli.cjs')).createNestFinder(targets.nest, entry, tell))(...asked);
  return (specifier, importer) => {
    if (!mayBeAliased(specifier) || importer?.startsWith(ownPrefix)) return undefined;
    if (isZlib(specifier)) return findZlib(importer);
    if (isOfNest(specifier)) return findNest(specifier, importer);
    const find = finders.get(specifier);
    if (find === undefined) return targets.http;
    return find(importer === undefined ? process.cwd() : dirname(importer));
  };
}

/**
 * Answers, for the files of a folder, what stands for the package they would get. None installed: the newest
 * we have.
 */
function createTargetFinder(
  name: string,
  versions: VersionTargets,
  report: ((sighting: PackageSighting) => void) | undefined,
): (folder: string) => AliasTarget | undefined {
  const newest = versions.get(Math.max(...versions.keys()));
  const reported = new Set<string>();
  const known = new Map<string, Installed | null>();
  return (folder) => {
    const installed = findInstalled(name, folder, known);
    const target = installed === null ? newest : versions.get(Number.parseInt(installed.version ?? '', 10));
    const sighting = { name, version: installed?.version, folder: installed?.folder ?? folder, target };
    if (report !== undefined && !reported.has(sighting.folder)) {
      reported.add(sighting.folder);
      report(sighting);
    }
    return target;
  };
}

function nestSighting(specifier: string, target: AliasTarget | undefined, folder: string): PackageSighting {
  const name = specifier.split('/').slice(0, 2).join('/');
  const installed = findInstalled(name, folder, new Map());
  return { name, version: installed?.version, folder: installed?.folder ?? folder, target };
}

/** Answers, for a file that requires `zlib`, whether it gets ours. */
function createZlibFinder(
  zlib: string | undefined,
  report: ((sighting: PackageSighting) => void) | undefined,
): (importer: string | undefined) => Lead | undefined {
  if (zlib === undefined) return () => undefined;
  const lead = { require: zlib };
  const inPackage = new RegExp(
    `^(.*[\\\\/]node_modules[\\\\/](${zlibPackages.join('|').replaceAll('/', '[\\\\/]')}))[\\\\/](?!node_modules[\\\\/])`,
  );
  const reported = new Set<string>();
  return (importer) => {
    const [, folder, name] = inPackage.exec(importer ?? '') ?? [];
    if (folder === undefined || name === undefined) return undefined;
    if (report !== undefined && !reported.has(folder)) {
      reported.add(folder);
      report({ name: name.replace('\\', '/'), version: readVersion(folder), folder, target: undefined, zlib });
    }
    return lead;
  };
}

interface Installed {
  /** `undefined`: its manifest tells none. */
  readonly version: string | undefined;
  readonly folder: string;
}

/**
 * The package that files of `folder` would get, by the rule of Node: the nearest `node_modules` that has it.
 */
export function findInstalled(name: string, folder: string, known: Map<string, Installed | null>): Installed | null {
  const cached = known.get(folder);
  if (cached !== undefined) return cached;
  const candidate = join(folder, 'node_modules', name);
  const parent = dirname(folder);
  let found: Installed | null;
  if (existsSync(join(candidate, 'package.json'))) found = { version: readVersion(candidate), folder: candidate };
  else found = parent === folder ? null : findInstalled(name, parent, known);
  known.set(folder, found);
  return found;
}

function readVersion(folder: string): string | undefined {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : undefined;
  } catch {
    // A broken manifest: upstream's own resolution shall report it.
    return undefined;
  }
}

/** The entry of this package that is a bundle: `fulmar/controllers/testing` of `controllers-testing.cjs`. */
export function entryNameOf(file: string): string {
  return `fulmar/${basename(file)
    .replace(/\.[cm]js$/, '')
    .replace(/^controllers-/, 'controllers/')}`;
}

/** One line on standard error: what `--verbose` shows. */
export function tellOfPackage({ name, version, folder, target, zlib }: PackageSighting): void {
  if (zlib !== undefined) {
    tell(`${name} ${version ?? 'of unknown version'} in ${folder}: its gzip and deflate streams are those of fulmar/zlib`);
    return;
  }
  const entry = target && entryNameOf(target.require);
  if (entry !== undefined && version === undefined) tell(`${name} is not installed for ${folder}: its imports lead to ${entry}`);
  else if (entry !== undefined) tell(`${name} ${version} in ${folder}: its imports lead to ${entry}`);
  else if (isOfNest(name)) tell(`${name} ${version ?? 'of unknown version'} in ${folder}: the application is Nest’s, it runs as it is`);
  else tell(`${name} ${version ?? 'of unknown version'} in ${folder}: nothing stands for it, it runs as it is`);
}
