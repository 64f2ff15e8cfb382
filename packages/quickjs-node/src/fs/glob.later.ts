/**
 * `fs.glob`: paths that match a pattern (`**`, `*`, `?`, `[…]`, `{a,b}`, `+(a)`). The package takes patterns apart, as it does for
 * `path.matchesGlob`; this file walks the folders.
 */
import path from 'node:path';
import * as plans from './plans.ts';
import { now } from './run.ts';
import type { Dirent } from './stats.ts';
import { GLOBSTAR, matcherOf } from '../path/glob.later.ts';
import { validateObject, validateString } from '../shared/validators.ts';

interface GlobOptions {
  readonly cwd?: string | URL;
  readonly withFileTypes?: boolean;
  readonly exclude?: ((entry: string | Dirent) => boolean) | readonly string[];
}

/** What stands between two slashes of a pattern. */
type Part = string | RegExp | typeof GLOBSTAR;

/** Patterns for which Node finds nothing. */
const STEPS: ReadonlySet<string> = new Set(['', '.', './', '..']);

interface Found {
  readonly path: string;
  readonly entry: Dirent | undefined;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return now(plans.readdir(folder, { withFileTypes: true })) as Dirent[];
  } catch {
    return [];
  }
}

function exists(place: string): boolean {
  try {
    now(plans.stat(place, undefined, 'lstat'));
    return true;
  } catch {
    return false;
  }
}

class Matcher {
  readonly #cwd: string;
  readonly #excluded: (path: string, entry: Dirent | undefined) => boolean;
  readonly #found = new Map<string, Found>();

  constructor(options: GlobOptions) {
    this.#cwd = options.cwd === undefined ? process.cwd() : String(plans.pathTextOf(options.cwd));
    const { exclude } = options;
    if (exclude === undefined) this.#excluded = () => false;
    else if (typeof exclude === 'function') {
      this.#excluded = (at, entry) => exclude(options.withFileTypes === true && entry !== undefined ? entry : at);
    } else {
      const matchers = exclude.map((pattern) => matcherOf(path.resolve(this.#cwd, pattern), 'posix'));
      this.#excluded = (at) => matchers.some((matcher) => matcher.match(path.resolve(this.#cwd, at)));
    }
  }

  run(patterns: readonly string[]): Found[] {
    for (const parts of patterns.flatMap((pattern) => matcherOf(pattern, 'posix').set)) {
      const isStep = parts.every((part) => typeof part === 'string') && STEPS.has(parts.join('/'));
      if (isStep) continue;
      const isRooted = parts[0] === '';
      this.#walk(isRooted ? '/' : '', (isRooted ? parts.slice(1) : parts) as Part[], undefined);
    }
    return [...this.#found.values()];
  }

  #walk(below: string, parts: readonly Part[], entry: Dirent | undefined): void {
    const [part, ...rest] = parts;
    if (part === undefined) {
      if (!this.#found.has(below)) this.#found.set(below, { path: below === '' ? '.' : below, entry });
      return;
    }
    if (part === GLOBSTAR) return this.#walkAll(below, rest, entry);
    if (part === '') {
      // The end of a pattern that ends with a slash.
      if (entry === undefined || entry.isDirectory() || entry.isSymbolicLink()) this.#walk(below, rest, entry);
      return;
    }
    if (typeof part === 'string') return this.#step(below, part, rest);
    for (const child of entriesOf(path.resolve(this.#cwd, below))) {
      const name = child.name as string;
      const at = path.join(below, name);
      if (!part.test(name) || this.#excluded(at, child)) continue;
      // A link is followed where the pattern names it, not where it only matches.
      if (rest.length === 0 || child.isDirectory()) this.#walk(at, rest, child);
    }
  }

  #step(below: string, part: string, rest: readonly Part[]): void {
    const at = below === '' && part === '..' ? '../' : path.join(below, part);
    if (exists(path.resolve(this.#cwd, at)) && !this.#excluded(at, undefined)) this.#walk(at, rest, this.#entry(at));
  }

  #walkAll(below: string, rest: readonly Part[], entry: Dirent | undefined): void {
    this.#walk(below, rest, entry);
    for (const child of entriesOf(path.resolve(this.#cwd, below))) {
      const at = path.join(below, child.name as string);
      if ((child.name as string).startsWith('.') || this.#excluded(at, child)) continue;
      if (child.isDirectory()) this.#walkAll(at, rest, child);
      else if (rest.length === 0) this.#walk(at, [], child);
    }
  }

  #entry(at: string): Dirent | undefined {
    const place = path.resolve(this.#cwd, at);
    return entriesOf(path.dirname(place)).find((child) => child.name === path.basename(place));
  }
}

export function globSync(pattern: unknown, given: unknown): unknown[] {
  const patterns = Array.isArray(pattern) ? pattern : [pattern];
  for (const each of patterns) validateString(each, 'pattern');
  if (given !== undefined) validateObject(given, 'options');
  const options = (given ?? {}) as GlobOptions;
  const found = new Matcher(options).run(patterns);
  return options.withFileTypes === true
    ? found.map(({ entry }) => entry).filter((entry) => entry !== undefined)
    : found.map((one) => one.path);
}

export async function* globAsync(pattern: unknown, options: unknown): AsyncGenerator<unknown> {
  yield* globSync(pattern, options);
}
