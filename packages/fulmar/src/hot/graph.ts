/**
 * Who imports whom among the files of the application, for both module systems, and which version of each is the
 * newest. Filled by the hooks while modules are loaded; asked when files have changed. Loads nothing itself.
 */
import { statSync } from 'node:fs';
import { OWN } from './versions.ts';

interface Entry {
  readonly importers: Set<string>;
  version: number;
  /** Of the file when it was last read; undefined: it was not. */
  stamp: string | undefined;
}

export interface CommonModule {
  /** Neither is there of JSON that an ES module has imported. */
  readonly filename?: string | null;
  readonly children?: CommonModule[];
}

export type CommonCache = Record<string, CommonModule | undefined>;

export interface Renewal {
  /** Their code is loaded anew when somebody asks for it. */
  readonly files: ReadonlySet<string>;
  /** Modules of ours import some of them: what these have made of them is old. */
  readonly reachesOwn: boolean;
}

export class ModuleGraph {
  readonly #entries = new Map<string, Entry>();
  readonly #cache: CommonCache;
  readonly #isNew: (file: string) => void;
  /** Loaded by something that then failed: their modules may be kept with that failure. */
  readonly #failed = new Set<string>();
  readonly #following = new Set<Set<string>>();

  /** `cache`: of CommonJS. `isNew`: told of each file once. */
  constructor(cache: CommonCache, isNew: (file: string) => void = () => undefined) {
    this.#cache = cache;
    this.#isNew = isNew;
  }

  note(importer: string | undefined, file: string): void {
    const entry = this.#entryOf(file);
    if (importer !== undefined && importer !== file) entry.importers.add(importer);
  }

  /** Its text is about to be read. */
  loads(file: string, stamp = stampOf(file)): void {
    this.#entryOf(file).stamp = stamp;
    for (const loaded of this.#following) loaded.add(file);
  }

  has(file: string): boolean {
    return this.#entries.has(file);
  }

  /** All files, and those below a folder that has gone. */
  files(below?: string): string[] {
    const all = [...this.#entries.keys()].filter((file) => file !== OWN);
    return below === undefined ? all : all.filter((file) => file.startsWith(below));
  }

  importersOf(file: string): ReadonlySet<string> {
    return this.#entries.get(file)?.importers ?? new Set();
  }

  versionOf(file: string): number {
    return this.#entries.get(file)?.version ?? 0;
  }

  /** Does it differ from what was loaded of it? */
  isStale(file: string): boolean {
    const stamp = this.#entries.get(file)?.stamp;
    return stamp === undefined || stamp !== stampOf(file);
  }

  /** Notes what is loaded from now on, until it is told to end; more than one may be at work. */
  follow(): { readonly loaded: ReadonlySet<string>; end(): void } {
    const loaded = new Set<string>();
    this.#following.add(loaded);
    return { loaded, end: () => void this.#following.delete(loaded) };
  }

  /** They are loaded anew with the next change. */
  failed(files: Iterable<string>): void {
    for (const file of files) this.#failed.add(file);
  }

  /** Has something failed that a change anywhere may mend? */
  get hasFailed(): boolean {
    return this.#failed.size > 0;
  }

  /**
   * The changed files and all that import them get a new version; CommonJS forgets them. `throughOwn`: what imports
   * `fulmar/routes` has made an app of the files that this loads, and is loaded anew with one of them.
   */
  renew(changed: Iterable<string>, throughOwn: boolean): Renewal {
    this.#readCommon();
    const files = new Set<string>();
    const open = [...changed, ...this.#failed].filter((file) => this.#entries.has(file));
    for (const file of open) {
      if (files.has(file)) continue;
      files.add(file);
      if (file !== OWN || throughOwn) open.push(...this.importersOf(file));
    }
    const reachesOwn = files.delete(OWN);
    this.#failed.clear();
    for (const file of files) this.#forget(file);
    return { files, reachesOwn };
  }

  #forget(file: string): void {
    const entry = this.#entries.get(file);
    if (entry !== undefined) entry.version += 1;
    const module = this.#cache[file];
    if (module === undefined) return;
    delete this.#cache[file];
    for (const other of Object.values(this.#cache)) {
      const at = other?.children?.indexOf(module) ?? -1;
      if (at >= 0) other?.children?.splice(at, 1);
    }
  }

  /** What `require` has found in its own caches, no hook was asked about. */
  #readCommon(): void {
    for (const [file, module] of Object.entries(this.#cache)) {
      if (module === undefined || !this.#entries.has(file)) continue;
      for (const { filename } of module.children ?? []) {
        if (typeof filename === 'string' && this.#entries.has(filename)) this.note(file, filename);
      }
    }
  }

  #entryOf(file: string): Entry {
    let entry = this.#entries.get(file);
    if (entry === undefined) {
      this.#entries.set(file, (entry = { importers: new Set(), version: 0, stamp: undefined }));
      if (file !== OWN) this.#isNew(file);
    }
    return entry;
  }
}

/** What tells one state of a file from another, without reading it; undefined: there is none, or none to be seen. */
export function stampOf(file: string): string | undefined {
  try {
    const { mtimeMs, size, ino } = statSync(file);
    return `${mtimeMs}:${size}:${ino}`;
  } catch {
    // Gone, a link to itself, in a folder that is closed: whoever loads it says which.
    return undefined;
  }
}
