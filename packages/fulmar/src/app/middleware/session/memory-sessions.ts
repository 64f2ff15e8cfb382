/**
 * Sessions in this process's memory: at most `sessionsMax`, and beyond them the one that was used longest ago
 * goes. They end with the process, and another one does not see them.
 */
import { checkOptions, type Checks, isCount } from '../../checked-options.ts';
import { readGlobal } from '../../../host/globals.ts';
import type { SessionStore } from './session-types.ts';

export interface MemorySessionsOptions {
  /** Default: 10,000. */
  readonly sessionsMax?: number;
}

const CHECKS: Checks<MemorySessionsOptions> = { sessionsMax: [(value) => isCount(1, value), 'a number of sessions, at least 1'] };

/** Some 10 MB with 1 KB each. */
const SESSIONS_MAX = 10_000;

interface Entry {
  readonly record: string;
  readonly endMs: number;
}

export function memorySessions(options: MemorySessionsOptions = {}): SessionStore {
  checkOptions('memorySessions', options, CHECKS);
  return new MemorySessions(options.sessionsMax ?? SESSIONS_MAX);
}

class MemorySessions implements SessionStore {
  readonly #sessionsMax: number;
  /** In the order of their last use. */
  readonly #entries: Map<string, Entry>;

  constructor(sessionsMax: number) {
    this.#sessionsMax = sessionsMax;
    const make = (): Map<string, Entry> => new Map();
    this.#entries = readGlobal('fulmar.kept')?.('sessions', make) ?? make();
  }

  get(id: string): string | undefined {
    return this.#living(id)?.record;
  }

  set(id: string, record: string, ttlMs: number, mustExist: boolean): boolean {
    if (mustExist && this.#living(id) === undefined) return false;
    this.#entries.delete(id);
    this.#makeRoom();
    this.#entries.set(id, { record, endMs: performance.now() + ttlMs });
    return true;
  }

  delete(id: string): void {
    this.#entries.delete(id);
  }

  touch(id: string, ttlMs: number): boolean {
    const entry = this.#living(id);
    return entry !== undefined && this.set(id, entry.record, ttlMs, true);
  }

  #living(id: string): Entry | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined || entry.endMs > performance.now()) return entry;
    this.#entries.delete(id);
    return undefined;
  }

  /** Those that are over go first, as far as they are the oldest. */
  #makeRoom(): void {
    const now = performance.now();
    for (const [id, { endMs }] of this.#entries) {
      if (endMs > now && this.#entries.size < this.#sessionsMax) return;
      this.#entries.delete(id);
    }
  }
}
