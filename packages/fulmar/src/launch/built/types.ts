/**
 * What the parts of a built file know of each other. Types only.
 */

export interface ArchiveEntry {
  /** Path in the unpacked folder: `code/…` or `files/…`. */
  readonly name: string;
  readonly bytes: number;
  readonly mtimeMs: number;
}

/** What a built file carries: the addon and all other files in one compressed text. */
export interface Archive {
  readonly platform: string;
  readonly hasSourceMaps: boolean;
  /** Of all contents: names the folder it is unpacked into. */
  readonly digest: string;
  /** Name of the module that is the application's entry. */
  readonly main: string;
  /** Modules that threads and forked processes start with, by the place of their source. */
  readonly entries: Readonly<Record<string, string>>;
  readonly files: readonly ArchiveEntry[];
}

/** What the stub leaves for the code it starts, at `fulmar.bundle`. */
export interface BundleScope {
  /** The built file. */
  readonly file: string;
  /** Its folder: where the application's folder appears to be. */
  readonly root: string;
  /** Where it is unpacked. */
  readonly folder: string;
  readonly entries: Readonly<Record<string, string>>;
  /** Places of embedded files. */
  readonly files: readonly string[];
  /** Called before a part (`part-<number>`) is loaded. @throws Error where it is damaged and cannot be unpacked anew */
  ensure(part: string): void;
  /** Set by `boot()`: see `modules.ts`. */
  api?: unknown;
  /** Set by it, too: called with what the entry exports, where that is not known to be nothing. */
  serve?: (exports: unknown) => void;
}
