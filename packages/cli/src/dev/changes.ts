/**
 * Collects paths that something has happened to until there is a moment's quiet, and hands them on, one batch after the
 * other: what happens while a batch is worked on is the next one. The last state of a file is so always loaded.
 */
import { PATHS_MAX, QUIET_MS, WAIT_MS_MAX } from './limits.ts';

export class Changes {
  readonly #work: (paths: ReadonlySet<string>) => Promise<void>;
  #paths = new Set<string>();
  #firstAt = 0;
  #timer: NodeJS.Timeout | null = null;
  #isBusy = false;
  #isOpen = true;

  /** `work` never rejects. */
  constructor(work: (paths: ReadonlySet<string>) => Promise<void>) {
    this.#work = work;
  }

  add(path: string): void {
    if (this.#paths.size === 0) this.#firstAt = performance.now();
    if (!this.#isOpen) return;
    if (this.#paths.size < PATHS_MAX) this.#paths.add(path);
    if (!this.#isBusy) this.#wait();
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#isOpen = false;
  }

  #wait(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    const leftMs = this.#firstAt + WAIT_MS_MAX - performance.now();
    this.#timer = setTimeout(() => void this.#flush(), Math.max(0, Math.min(QUIET_MS, leftMs)));
  }

  async #flush(): Promise<void> {
    const paths = this.#paths;
    this.#paths = new Set();
    this.#timer = null;
    this.#isBusy = true;
    await this.#work(paths);
    this.#isBusy = false;
    if (this.#isOpen && this.#paths.size > 0) this.#wait();
  }
}
