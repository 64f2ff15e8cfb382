/**
 * Content of small files that are served often, by path. Every use asks the file system whether the file
 * still is the one that was read (inode, size, times); content is only kept when the file has been quiet for
 * a while, so that a change within the clock's resolution cannot go unnoticed. Bounded in files and bytes. It
 * never answers for a changed file.
 */
import fs, { type Stats } from 'node:fs';

/** Files up to this size are kept: upstream reads them in one chunk as well. */
const FILE_BYTES_MAX = 64 * 1024;
const CACHE_BYTES_MAX = 16 * 1024 * 1024;
const CACHE_FILES_MAX = 512;
/** A file changed less than this ago is not kept: another change might leave its times as they are. */
const QUIET_MS = 2000;

interface Entry {
  readonly stat: Stats;
  readonly bytes: Buffer;
}

export class FileCache {
  readonly #entries = new Map<string, Entry>();
  readonly #loading = new Set<string>();
  /** Larger files, which the engine sends: nothing is kept but that they have been asked for. */
  readonly #large = new Set<string>();
  readonly #now: () => number;
  #bytes = 0;

  /** @param now the clock that file times are compared with */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(file: string): boolean {
    return this.#entries.has(file) || this.#large.has(file);
  }

  /** Remembers a file whose content is not kept. */
  note(file: string): void {
    if (this.#large.has(file)) return;
    this.#large.add(file);
    const [oldest] = this.#large;
    if (this.#large.size > CACHE_FILES_MAX) this.#large.delete(oldest as string);
  }

  /** Fresh file information for a file that is known; `undefined` for all others. */
  stat(file: string): Stats | undefined {
    if (!this.has(file)) return undefined;
    const stat = statNow(file);
    if (stat?.isFile()) return stat;
    this.#large.delete(file);
    this.#drop(file);
    return undefined;
  }

  isCacheable(stat: Stats): boolean {
    return stat.size > 0 && stat.size <= FILE_BYTES_MAX && stat.isFile();
  }

  /** The content, if it is kept and `stat` (taken just now) is still that file's. */
  bytes(file: string, stat: Stats): Buffer | undefined {
    const entry = this.#entries.get(file);
    if (entry === undefined) return undefined;
    if (isSame(entry.stat, stat)) return entry.bytes;
    this.#drop(file);
    return undefined;
  }

  /** Reads a file for next time. */
  load(file: string, stat: Stats): void {
    if (this.#loading.has(file) || this.#now() - Math.max(stat.mtimeMs, stat.ctimeMs) < QUIET_MS) return;
    this.#loading.add(file);
    fs.readFile(file, (readError, bytes) => {
      fs.stat(file, (statError, after) => {
        this.#loading.delete(file);
        if (readError || statError || bytes.length !== stat.size || !isSame(stat, after)) return;
        this.#keep(file, { stat: after, bytes });
      });
    });
  }

  isLoading(file: string): boolean {
    return this.#loading.has(file);
  }

  #keep(file: string, entry: Entry): void {
    this.#drop(file);
    this.#entries.set(file, entry);
    this.#bytes += entry.bytes.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= CACHE_FILES_MAX && this.#bytes <= CACHE_BYTES_MAX) break;
      this.#drop(oldest);
    }
  }

  #drop(file: string): void {
    const entry = this.#entries.get(file);
    if (entry === undefined) return;
    this.#entries.delete(file);
    this.#bytes -= entry.bytes.length;
  }
}

/** One for the process: roots overlap, and the bound is meant for all of them. */
export const fileCache = new FileCache();

/** Synchronous, because for a file that is served all the time it costs less than a thread's round trip. */
function statNow(file: string): Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch {
    // Out of reach by now: whoever asks finds out why in the asynchronous way.
    return undefined;
  }
}

function isSame(a: Stats, b: Stats): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}
