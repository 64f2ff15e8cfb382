/**
 * What a built file runs on, as far as bundling is concerned: where imports of the host's modules and of our
 * bundles lead.
 */
import { isBuiltin } from 'node:module';
import { basename } from 'node:path';

/** A module that is not part of the bundle, or one whose code is made here. */
export interface TargetModule {
  readonly id: string;
  readonly external?: true;
  /** The code of a module without a file; `id` names it. */
  readonly code?: string;
}

export interface Target {
  /** Can replies be compressed by the addon there? */
  readonly compresses: boolean;
  /** It runs nothing but strict code: CommonJS that does not say so is run as such. */
  readonly isStrict?: true;
  /** Files that are embedded are never unpacked there: what is no JavaScript opens them in memory, and folders not at all. */
  readonly keepsFilesWithin?: true;
  /** Conditions of `exports` that it fulfils; without them those of Node. */
  readonly conditions?: readonly string[];
  /** Is this the name of a module of Node's, which no package can have? */
  isBuiltin(specifier: string): boolean;
  /**
   * One of those modules; `undefined`: this host has none of the name. `importer` is as the bundler knows it.
   */
  builtin(specifier: string, importer: string | undefined): TargetModule | undefined;
  /**
   * One of our bundles, which have been bundled with care for what an application does not need: it is taken
   * as it is.
   */
  own(file: string): TargetModule;
  /** The code of a package's module as this host needs it. */
  adapt?(file: string, code: string): string;
  /**
   * What a module uses that this host does not have, with its line; such a use fails, the module does not.
   */
  lacks?(code: string): readonly { readonly line: number; readonly what: string }[];
}

const toNode = (specifier: string): string => (specifier.startsWith('node:') ? specifier : `node:${specifier}`);

/** Node: its modules are imported, our bundles lie beside the file; their names are added to `own`. */
export function nodeTarget(own: Set<string>): Target {
  return {
    compresses: true,
    isBuiltin,
    builtin: (specifier) => ({ id: toNode(specifier), external: true }),
    own(file) {
      own.add(basename(file));
      return { id: `./${basename(file)}`, external: true };
    },
  };
}
