/**
 * Which files that have changed may mend what cannot be loaded. Any may: a module that is missing, settings that are read
 * by the application itself. But an application that fails writes files, too: for its own log it must not run again, and
 * again. Looks at names alone.
 */
import { ECHO_MS, PATHS_MAX } from './limits.ts';

/** What applications write while they run. */
const WRITTEN = /\.(?:log|pid|tmp|db|sqlite3?)(?:[-.](?:\d+|gz|journal|wal|shm))*$|[\\/]__pycache__[\\/]/i;

export class Attempts {
  /** When an attempt with it has failed. */
  readonly #failedAt = new Map<string, number>();

  mayMend(paths: ReadonlySet<string>): boolean {
    const now = performance.now();
    return [...paths].some((path) => !WRITTEN.test(path) && now - (this.#failedAt.get(path) ?? -Infinity) > ECHO_MS);
  }

  failed(paths: ReadonlySet<string>): void {
    if (this.#failedAt.size + paths.size > PATHS_MAX) this.#failedAt.clear();
    const now = performance.now();
    for (const path of paths) this.#failedAt.set(path, now);
  }

  succeeded(): void {
    this.#failedAt.clear();
  }
}
