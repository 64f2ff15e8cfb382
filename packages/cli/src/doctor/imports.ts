/**
 * From the noted imports of an application to what they mean: which lead to Fulmar, which do not and why,
 * which packages there are.
 *
 * Reads the manifests of the packages that were really imported.
 */
import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { guestEnding, guestEndings } from '../../../fulmar/src/host/guest-files.ts';
import type { LoggedImport } from '../../../fulmar/src/launch/modules/import-log.ts';
import { entryNameOf, isOfNest } from '../../../fulmar/src/launch/modules/aliases.ts';
import { aliasedPackages, partFiles } from '../../../fulmar/src/launch/settings.ts';

export interface PackageFound {
  readonly name: string;
  /** `null`: its manifest tells none. */
  readonly version: string | null;
  readonly folder: string;
}

export interface AliasedImport {
  readonly specifier: string;
  /** `fulmar/http`, `fulmar/express` … */
  readonly leadsTo: string;
  /** The package it stands for; `null` for Node's own modules, and where none is installed. */
  readonly found: PackageFound | null;
  /** Packages that import it; `application` for its own files. */
  readonly importers: readonly string[];
}

export interface KeptImport {
  readonly specifier: string;
  readonly found: PackageFound | null;
  readonly importers: readonly string[];
  readonly reason: string;
}

export interface Imports {
  readonly aliased: readonly AliasedImport[];
  readonly kept: readonly KeptImport[];
  readonly packages: readonly PackageFound[];
  /** Other languages that it may use: all of them where it imports `fulmar/polyglot`. */
  readonly guests: readonly string[];
}

const APPLICATION = 'application';

/** Node's modules that make servers beside `http`, and what it means that they stay. */
const keptBuiltins: Readonly<Record<string, string>> = {
  https: 'TLS servers are Node’s own; in front of a proxy that ends TLS, listen with http',
  http2: 'HTTP/2 servers are Node’s own',
  worker_threads: 'servers in worker threads are Node’s own',
};

/** `ownFolder`: our bundles, whose imports are not the application's. */
export function readImports(log: string, ownFolder: string): Imports {
  const lines = log.split('\n').filter((line) => line !== '');
  const entries = lines.map((line) => JSON.parse(line) as LoggedImport).filter(({ importer }) => !importer?.startsWith(ownFolder + sep));
  const packages = new Map<string, PackageFound>();
  const aliased = new Map<string, Omit<AliasedImport, 'importers'> & { importers: Set<string> }>();
  const guests = new Set<string>();
  const kept = new Map<string, Omit<KeptImport, 'importers'> & { importers: Set<string> }>();
  for (const { specifier, importer, target } of entries) {
    for (const guest of guestsOf(specifier)) guests.add(guest);
    const name = packageOf(specifier);
    const found = name === undefined ? null : findPackage(name, importer);
    if (found !== null) packages.set(found.folder, found);
    const key = `${specifier.replace(/^node:/, '')}\0${found?.folder ?? ''}`;
    if (target !== undefined) {
      const leadsTo = entryNameOf(target);
      addTo(aliased, key, importer, { specifier: specifier.replace(/^node:/, ''), leadsTo, found });
      continue;
    }
    if (name !== undefined && found !== null && hasPart(name, found, specifier)) continue;
    const reason = reasonToKeep(specifier, name, found);
    if (reason !== undefined) addTo(kept, key, importer, { specifier: specifier.replace(/^node:/, ''), found, reason });
  }
  return {
    aliased: [...aliased.values()].map(listed),
    kept: [...kept.values()].map(listed),
    packages: [...packages.values()],
    guests: [...guests],
  };
}

/** Of its own line of module that stands for a file, which imports `fulmar/polyglot` as a file of ours, too. */
function guestsOf(specifier: string): string[] {
  if (/^fulmar\/polyglot(?:\/|$)/.test(specifier)) return Object.values(guestEndings);
  const ending = guestEnding(specifier.replace(/[?#].*$/, ''));
  return ending === undefined ? [] : [guestEndings[ending] as string];
}

function addTo<Entry extends object>(
  map: Map<string, Entry & { importers: Set<string> }>,
  key: string,
  importer: string | undefined,
  entry: Entry,
): void {
  let known = map.get(key);
  if (known === undefined) map.set(key, (known = { ...entry, importers: new Set() }));
  known.importers.add(ownerOf(importer));
}

function listed<Entry extends { importers: Set<string> }>(entry: Entry): Omit<Entry, 'importers'> & { importers: string[] } {
  return { ...entry, importers: [...entry.importers] };
}

/** Does a deep import lead to what stands for that very file? */
function hasPart(name: string, { version }: PackageFound, specifier: string): boolean {
  const entry = Object.hasOwn(aliasedPackages, name) ? aliasedPackages[name]?.[Number.parseInt(version ?? '', 10)] : undefined;
  const files = entry === undefined || !Object.hasOwn(partFiles, entry) ? [] : (partFiles[entry] ?? []);
  const path = specifier.slice(name.length + 1);
  return ['', '.js', '/index.js'].some((ending) => files.includes(path + ending));
}

/** Why an import that could be expected to lead to Fulmar does not; `undefined` for all others. */
function reasonToKeep(specifier: string, name: string | undefined, found: PackageFound | null): string | undefined {
  const plain = specifier.replace(/^node:/, '');
  if (Object.hasOwn(keptBuiltins, plain)) return keptBuiltins[plain];
  if (isOfNest(specifier))
    return 'package.json declares @nestjs/core: the application is Nest’s; without it, this leads to fulmar/controllers';
  if (name === undefined || !Object.hasOwn(aliasedPackages, name)) return undefined;
  if (specifier !== name) return 'it means a file of npm’s own, which serves nothing here';
  const versions = Object.keys(aliasedPackages[name] ?? {}).join(' and ');
  return `Fulmar stands for version ${versions}; ${found?.version ?? 'this one'} runs as it is, on fulmar/http`;
}

/** The package of a bare specifier; `undefined` for paths and for Node's own modules. */
export function packageOf(specifier: string): string | undefined {
  if (/^(?:\.{0,2}\/|\.{1,2}$|[a-z]:[\\/]|file:|node:|data:|#)/i.test(specifier) || isBuiltin(specifier)) return undefined;
  const [first = '', second] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second ?? ''}` : first;
}

/** The package that a file would get, by the rule of Node: the nearest `node_modules` that has it. */
function findPackage(name: string, importer: string | undefined): PackageFound | null {
  for (let folder = importer === undefined ? process.cwd() : dirname(importer); ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(join(candidate, 'package.json'))) return { name, version: readVersion(candidate), folder: candidate };
    if (dirname(folder) === folder) return null;
  }
}

function readVersion(folder: string): string | null {
  try {
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version?: unknown };
    return typeof version === 'string' ? version : null;
  } catch {
    return null;
  }
}

/** The package a file belongs to, by its path. */
export function ownerOf(file: string | undefined): string {
  const parts = (file ?? '').split(sep);
  const at = parts.lastIndexOf('node_modules');
  const first = at < 0 ? undefined : parts[at + 1];
  if (first === undefined) return APPLICATION;
  return first.startsWith('@') ? `${first}/${parts[at + 2] ?? ''}` : first;
}
