/**
 * `fs.glob`: paths that match a pattern (`**`, `*`, `?`, `[…]`, `{a,b}`, `+(a)`). The package takes patterns
 * apart, as it does for `path.matchesGlob`; this file walks the folders.
 */
import path from 'node:path';
import * as plans from './plans.ts';
import { now } from './run.ts';
import type { Dirent } from './stats.ts';
import { GLOBSTAR, matcherOf } from '../path/glob.later.ts';
import { invalidArgType } from '../shared/errors.ts';
import { validateObject, validateString, validateStringArray } from '../shared/validators.ts';

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
  readonly #excluded: readonly ReturnType<typeof matcherOf>[];
  readonly #refused: (path: string, entry: Dirent | undefined) => boolean;
  readonly #found = new Map<string, Found>();

  constructor(options: GlobOptions) {
    this.#cwd = options.cwd === undefined ? process.cwd() : String(plans.pathTextOf(options.cwd));
    const { exclude = [], withFileTypes = false } = options;
    const isAsked = typeof exclude === 'function';
    this.#excluded = isAsked ? [] : exclude.map((pattern) => matcherOf(path.resolve(this.#cwd, pattern), 'posix'));
    this.#refused = isAsked ? (at, entry) => exclude(withFileTypes && entry !== undefined ? entry : at) : () => false;
  }

  #isExcluded(at: string, end = ''): boolean {
    const whole = path.resolve(this.#cwd, at) + end;
    return this.#excluded.some((matcher) => matcher.match(whole));
  }

  /** Whether the walk ends at a folder. As in Node, a function is asked here, not about what is found. */
  #isEnd(at: string, entry: Dirent | undefined): boolean {
    return this.#refused(at, entry) || (entry?.isDirectory() === true && this.#isExcluded(at, '/'));
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

  /** `isBelowAll`: what comes next stands behind `**`. */
  #walk(below: string, parts: readonly Part[], entry: Dirent | undefined, isBelowAll = false): void {
    const [part, ...rest] = parts;
    if (part === undefined) {
      if (!this.#found.has(below)) this.#found.set(below, { path: below === '' ? '.' : below, entry: entry ?? this.#entry(below) });
      return;
    }
    if (part === GLOBSTAR) return this.#walkAll(below, rest, entry);
    if (part === '') {
      // The end of a pattern that ends with a slash.
      if (entry === undefined || entry.isDirectory() || entry.isSymbolicLink()) this.#walk(below, rest, entry);
      return;
    }
    if (typeof part === 'string') return this.#step(below, part, rest, isBelowAll);
    for (const child of entriesOf(path.resolve(this.#cwd, below))) {
      const name = child.name as string;
      const at = path.join(below, name);
      if (!part.test(name) || this.#isExcluded(at) || (isBelowAll && this.#refused(name, child))) continue;
      if (rest.length > 0 && this.#isEnd(at, child)) continue;
      // A link is followed where the pattern names it, not where it only matches.
      if (rest.length === 0 || child.isDirectory()) this.#walk(at, rest, child);
    }
  }

  #step(below: string, part: string, rest: readonly Part[], isBelowAll: boolean): void {
    const at = below === '' && part === '..' ? '../' : path.join(below, part);
    if (!exists(path.resolve(this.#cwd, at))) return;
    const entry = this.#entry(at);
    if (this.#isExcluded(at) || (isBelowAll && this.#refused(part, entry))) return;
    if (rest.length > 0 && this.#isEnd(at, entry)) return;
    this.#walk(at, rest, entry);
  }

  #walkAll(below: string, rest: readonly Part[], entry: Dirent | undefined): void {
    this.#walk(below, rest, entry, true);
    for (const child of entriesOf(path.resolve(this.#cwd, below))) {
      const name = child.name as string;
      const at = path.join(below, name);
      if (name.startsWith('.') || this.#isExcluded(at) || this.#refused(name, child)) continue;
      if (child.isDirectory() && this.#isEnd(at, child)) continue;
      if (child.isDirectory()) this.#walkAll(at, rest, child);
      else if (rest.length === 0) this.#walk(at, [], child);
    }
  }

  #entry(at: string): Dirent | undefined {
    const place = path.resolve(this.#cwd, at);
    return entriesOf(path.dirname(place)).find((child) => child.name === path.basename(place));
  }
}

function checkArguments(pattern: unknown, options: unknown): void {
  if (options !== undefined) validateObject(options, 'options');
  const exclude = (options as { readonly exclude?: unknown } | undefined)?.exclude ?? [];
  if (!Array.isArray(exclude) && typeof exclude !== 'function') {
    throw invalidArgType('options.exclude', ['string[]', 'function'], exclude);
  }
  if (Array.isArray(exclude)) validateStringArray(exclude, 'options.exclude');
  if (typeof pattern === 'object') validateStringArray(pattern, 'patterns');
  else validateString(pattern, 'patterns');
}

export function globSync(pattern: unknown, given: unknown): unknown[] {
  checkArguments(pattern, given);
  const patterns = (Array.isArray(pattern) ? pattern : [pattern]) as string[];
  const options = (given ?? {}) as GlobOptions;
  const found = new Matcher(options).run(patterns);
  return options.withFileTypes === true
    ? found.map(({ entry }) => entry).filter((entry) => entry !== undefined)
    : found.map((one) => one.path);
}

export async function* globAsync(pattern: unknown, options: unknown): AsyncGenerator<unknown> {
  yield* globSync(pattern, options);
}
