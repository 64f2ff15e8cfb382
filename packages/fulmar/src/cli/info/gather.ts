/**
 * The facts of `fulmar info`: read from the installation, from the process and from the working directory. Says nothing itself.
 */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, release } from 'node:os';
import { basename, join } from 'node:path';
import { findInstalled } from '../aliases.ts';
import { platformTag } from '../platform.ts';
import { aliasedPackages, distFolder, zlibPackages } from '../settings.ts';
import { findUnnamed } from '../target.ts';
import { readVersion } from '../version.ts';

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
  readonly packages: readonly PackageFact[];
  /** What `fulmar run` would run here; null: nothing. */
  readonly application: { readonly name: string; readonly source: string } | null;
  /** Names of variables that are set and change how Fulmar or Node runs. */
  readonly environment: readonly string[];
}

export function gather(binFile: string, folder: string): Facts {
  const dist = distFolder(binFile);
  const tag = platformTag();
  return {
    tool: 'fulmar info',
    schema: 1,
    version: readVersion(binFile),
    folder: join(dist, '..'),
    node: { version: process.versions.node, file: process.execPath },
    platform: { name: process.platform, release: release(), arch: process.arch, libc: libc(), cores: availableParallelism() },
    engine: engineIn(dist, tag),
    native: programIn(dist, `fulmar-native-${tag}`),
    load: programIn(dist, `fulmar-load-${tag}`),
    packages: packagesFrom(folder),
    application: applicationIn(folder),
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
function engineIn(dist: string, tag: string): Part {
  const file = join(dist, `fulmar.${tag}.node`);
  if (!existsSync(file)) return { file, problem: absent(dist, /^fulmar\..*\.node$/) };
  try {
    createRequire(file)(file);
    return { file, problem: null };
  } catch (error) {
    return { file, problem: `it does not load: ${(error as Error).message}` };
  }
}

function programIn(dist: string, name: string): Part {
  const file = join(dist, name);
  const kind = new RegExp(`^${/^fulmar-[a-z]+/.exec(name)?.[0] ?? name}-`);
  return { file, problem: existsSync(file) ? null : absent(dist, kind) };
}

/** An installation that was copied from another machine has the files of that one. */
function absent(dist: string, kind: RegExp): string {
  const others = (existsSync(dist) ? readdirSync(dist) : []).filter((name) => kind.test(name));
  return `there is no such file${others.length === 0 ? '' : `, but ${others.map((name) => basename(name)).join(', ')}`}`;
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

function applicationIn(folder: string): Facts['application'] {
  try {
    const { name, source } = findUnnamed(folder, 'run');
    return { name, source };
  } catch {
    return null;
  }
}
