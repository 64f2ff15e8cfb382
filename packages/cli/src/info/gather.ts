/**
 * The facts of `fulmar info`: read from the installation, from the process and from the working directory.
 * Says nothing itself.
 */
import { createRequire } from 'node:module';
import { availableParallelism, release } from 'node:os';
import { join } from 'node:path';
import { findInstalled } from '../../../fulmar/src/launch/modules/aliases.ts';
import { findPart } from '../../../fulmar/src/launch/installed/installed.ts';
import { aliasedPackages, distFolder, zlibPackages } from '../../../fulmar/src/launch/settings.ts';
import { type GuestReport, lookForGuests } from '../guests.ts';
import { findUnnamed, type Target } from '../target.ts';
import { readVersion } from '../../../fulmar/src/launch/installed/version.ts';

/** A file of the installation. */
export interface Part {
  readonly file: string;
  /** Why it cannot be used; null: it can. */
  readonly problem: string | null;
}

export interface PackageFact {
  readonly name: string;
  /** Both null: not installed. */
  readonly version: string | null;
  readonly folder: string | null;
  /** `fulmar/express` …; null: it runs as it is. */
  readonly leadsTo: string | null;
}

/** What `--json` prints. */
export interface Facts {
  readonly tool: 'fulmar info';
  readonly schema: 1;
  readonly version: string;
  readonly folder: string;
  readonly node: { readonly version: string; readonly file: string };
  readonly platform: {
    readonly name: string;
    readonly release: string;
    readonly arch: string;
    readonly libc: string | null;
    readonly cores: number;
  };
  readonly engine: Part;
  readonly native: Part;
  readonly load: Part;
  /** Other languages, for `fulmar/polyglot`. */
  readonly guests: readonly GuestReport[];
  readonly packages: readonly PackageFact[];
  /** What `fulmar run` would run here; null: nothing. */
  readonly application: { readonly name: string; readonly source: string } | null;
  /** Names of variables that are set and change how Fulmar or Node runs. */
  readonly environment: readonly string[];
}

export async function gather(binFile: string, folder: string): Promise<Facts> {
  const dist = distFolder(binFile);
  const application = applicationIn(folder);
  return {
    tool: 'fulmar info',
    schema: 1,
    version: readVersion(binFile),
    folder: join(dist, '..'),
    node: { version: process.versions.node, file: process.execPath },
    platform: { name: process.platform, release: release(), arch: process.arch, libc: libc(), cores: availableParallelism() },
    engine: engineIn(dist, application?.file),
    native: programIn(dist, 'native', application?.file),
    load: programIn(dist, 'load', application?.file),
    guests: await lookForGuests(),
    packages: packagesFrom(folder),
    application: application === undefined ? null : { name: application.name, source: application.source },
    environment: Object.keys(process.env)
      .filter((name) => /^(?:FULMAR_|NODE_(?:OPTIONS|ENV|PATH)$)/.test(name))
      .toSorted(),
  };
}

function libc(): string | null {
  if (process.platform !== 'linux') return null;
  const { header } = process.report.getReport() as unknown as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime === undefined ? 'musl' : `glibc ${header.glibcVersionRuntime}`;
}

/** Loaded as a server would, so that what is said of it is so. */
function engineIn(dist: string, application: string | undefined): Part {
  const { file, problem } = findPart(dist, 'engine', application);
  if (problem !== null) return { file, problem };
  try {
    createRequire(file)(file);
    return { file, problem: null };
  } catch (error) {
    return { file, problem: `it does not load: ${(error as Error).message}` };
  }
}

function programIn(dist: string, name: 'native' | 'load', application: string | undefined): Part {
  const { file, problem } = findPart(dist, name, application);
  return { file, problem };
}

function packagesFrom(folder: string): PackageFact[] {
  const aliased = Object.entries(aliasedPackages).map(([name, entries]): PackageFact => {
    const installed = findInstalled(name, folder, new Map());
    if (installed === null) {
      const newest = Math.max(...Object.keys(entries).map(Number));
      return { name, version: null, folder: null, leadsTo: `fulmar/${entries[newest]}` };
    }
    const entry = entries[Number.parseInt(installed.version ?? '', 10)];
    return { name, version: installed.version ?? null, folder: installed.folder, leadsTo: entry === undefined ? null : `fulmar/${entry}` };
  });
  const compressing = zlibPackages.flatMap((name): PackageFact[] => {
    const installed = findInstalled(name, folder, new Map());
    return installed === null
      ? []
      : [{ name, version: installed.version ?? null, folder: installed.folder, leadsTo: 'fulmar/zlib for zlib' }];
  });
  return [...aliased, ...compressing];
}

function applicationIn(folder: string): Target | undefined {
  try {
    return findUnnamed(folder, 'run');
  } catch {
    return undefined;
  }
}
