/**
 * Packages that Fulmar uses and does not bring along: what compiles TypeScript, what makes code of types, and
 * the bundler of `fulmar build`. Most applications need none, and those that do have them among their own.
 *
 * Asked when a source is compiled for the first time and when a file is built, never while a request is
 * served.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export type CompanionName = 'rolldown' | 'oxc-transform' | 'fulmar-compiler';

export interface Companion {
  /** Path of its main module. */
  readonly file: string;
  readonly version: string;
}

/**
 * Finds the package as ours sees it, then as the application does. `bundle`: a file of our bundles.
 * `undefined`: it is not installed.
 */
export function findCompanion(name: CompanionName, bundle: string, importer: string): Companion | undefined {
  const file = resolveFrom([bundle, importer], name);
  return file === undefined ? undefined : { file, version: manifestAbove(file, name)?.version ?? '' };
}

export interface Manifest {
  readonly name?: string;
  readonly version: string;
  /** Of ours: the versions that it is made for. */
  readonly companions?: Readonly<Record<CompanionName, string>>;
}

/** The manifest of the package `name` above one of its files: not all packages export it. */
export function manifestAbove(file: string, name: string): Manifest | undefined {
  const folder = dirname(file);
  const manifest = join(folder, 'package.json');
  const found = existsSync(manifest) ? (JSON.parse(readFileSync(manifest, 'utf8')) as Manifest) : undefined;
  if (found?.name === name) return found;
  return folder === file ? undefined : manifestAbove(folder, name);
}

/** Where `name` is, seen from the first of `files` that sees it. */
export function resolveFrom(files: readonly string[], name: string): string | undefined {
  for (const file of files) {
    try {
      return createRequire(file).resolve(name);
    } catch {
      // Not from there.
    }
  }
  return undefined;
}
