/**
 * From paths that something has happened to, to an application that runs with what they have become: which of them are
 * loaded and differ, new versions for these and all that import them, then the application again. One batch at a time.
 */
import { relative, sep } from 'node:path';
import { existsSync } from 'node:fs';
import type { Inspector } from '../../../fulmar/src/dev/index.ts';
import { type Hot, OWN } from '../../../fulmar/src/hot/index.ts';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import type { Application } from './application-types.ts';
import { Attempts } from './attempts.ts';
import type { GuestFiles } from './guest-files.ts';
import { PATHS_MAX } from './limits.ts';
import { ReadOnce } from './read-once.ts';
import type { Survival } from './survival.ts';

/** Files that are sent or rendered as they are when they are asked for: open pages ask again. */
const SHOWN = /\.(?:html?|css|svg|md|ejs|pug|hbs|njk|mustache|liquid|eta)$/;
const NAMED_MAX = 3;

export interface ReloadOptions {
  readonly application: Application;
  readonly hot: Hot;
  readonly guests: GuestFiles;
  readonly inspector: Inspector;
  readonly survival: Survival;
  /** Shows what is broken where the application would listen, as long as nothing does. */
  readonly standIn: (error: unknown) => void;
}

export class Reload {
  readonly #options: ReloadOptions;
  readonly #attempts = new Attempts();
  readonly #readOnce: ReadOnce;
  #isBroken = false;
  /** At any time: a package may have been looked for in vain. */
  #hasFailed = false;
  /** Of the first run and of those that changes begin while it goes on, the newest says how it is. */
  #newest = 0;

  constructor(options: ReloadOptions) {
    this.#options = options;
    this.#readOnce = new ReadOnce(options.application.root);
  }

  /** Runs it the first time; what no file of the project can mend ends the process. */
  async start(): Promise<void> {
    if (await this.#load((error) => this.#options.survival.endIfHopeless(error))) return;
    tell('it is loaded again when a file changes');
  }

  /** Never rejects. */
  async changed(paths: ReadonlySet<string>): Promise<void> {
    try {
      await this.#changed(paths);
    } catch (error) {
      this.#options.survival.show(error);
    }
  }

  async #changed(paths: ReadonlySet<string>): Promise<void> {
    const startedAt = performance.now();
    const { application, hot, guests, inspector } = this.#options;
    const isFailing = hot.graph.hasFailed || this.#isBroken;
    this.#hasFailed ||= isFailing;
    for (const line of [...paths].map((path) => this.#readOnce.lineOf(path, this.#hasFailed))) if (line !== undefined) tell(line);
    const changed = [...new Set([...this.#filesOf(paths), ...(await guests.changed(paths))])];
    const isReshaped = application.isReshapedBy(paths);
    // What is missing, or does not fit, may be mended by any file.
    const isMended = isFailing && this.#attempts.mayMend(paths);
    if (changed.length === 0 && !isReshaped && !isMended) {
      const shown = [...paths].filter((path) => SHOWN.test(path));
      if (shown.length > 0) inspector.reloaded(shown);
      return;
    }
    const { files, reachesOwn } = await hot.renew(isReshaped ? [...changed, OWN] : changed);
    if (!isReshaped && !isMended && !application.needs(files, reachesOwn)) return;
    // What it is imported by may be packages, of which nothing is known.
    const { entry } = application;
    if (entry !== undefined && !files.has(entry)) await hot.renew([entry]);
    // Files of other languages are renewed for one that they import.
    const own = changed.filter((file) => paths.has(file) || paths.size >= PATHS_MAX);
    const named = own.length > 0 ? own : [...paths];
    if (!(await this.#load())) return this.#attempts.failed(paths);
    this.#attempts.succeeded();
    inspector.reloaded(named);
    tell(`reloaded ${this.#names(named)} (${Math.round(performance.now() - startedAt)} ms)`);
  }

  async #load(onError?: (error: unknown) => void): Promise<boolean> {
    const { application, hot, guests, inspector, survival, standIn } = this.#options;
    const number = (this.#newest += 1);
    guests.begin();
    try {
      await hot.run(() => application.load());
      if (number !== this.#newest) return false;
    } catch (error) {
      if (number !== this.#newest) return false;
      onError?.(error);
      this.#isBroken = true;
      if (survival.isEnd(error)) return false;
      inspector.broken(error);
      standIn(error);
      return false;
    }
    this.#isBroken = false;
    inspector.mended();
    void this.#tellOfGuests(number);
    return true;
  }

  /** The application runs, and what it will call does not: that is told before somebody calls it. */
  async #tellOfGuests(number: number): Promise<void> {
    const problem = await this.#options.guests.problem();
    if (problem !== undefined && number === this.#newest) this.#options.inspector.broken(problem);
  }

  /** Those that are loaded, and differ from what was. */
  #filesOf(paths: ReadonlySet<string>): string[] {
    const { graph } = this.#options.hot;
    if (paths.size >= PATHS_MAX) return graph.files().filter((file) => graph.isStale(file));
    const files = [...paths].flatMap((path) => {
      if (graph.has(path)) return [path];
      return existsSync(path) ? [] : graph.files(path + sep);
    });
    return [...new Set(files)].filter((file) => graph.isStale(file));
  }

  #names(files: readonly string[]): string {
    const { root } = this.#options.application;
    const names = files.slice(0, NAMED_MAX).map((file) => relative(root, file) || file);
    return files.length > NAMED_MAX ? `${names.join(', ')} and ${files.length - NAMED_MAX} more` : names.join(', ');
  }
}
