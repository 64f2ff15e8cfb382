/**
 * `fs.glob`: paths that match a pattern (`**`, `*`, `?`, `[…]`, `{a,b}`), as `path.matchesGlob` understands it.
 */
import path from 'node:path';
import * as plans from './plans.ts';
import { now } from './run.ts';
import type { Dirent } from './stats.ts';
import { validateObject, validateString } from '../shared/validators.ts';

interface GlobOptions {
  readonly cwd?: string | URL;
  readonly withFileTypes?: boolean;
  readonly exclude?: ((entry: string | Dirent) => boolean) | readonly string[];
}

/** `a{b,c}` → `ab`, `ac` */
function alternatives(pattern: string): string[] {
  const open = pattern.indexOf('{');
  if (open === -1) return [pattern];
  let depth = 0;
  let from = open + 1;
  const parts: string[] = [];
  for (let at = open; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '{') depth++;
    if (character === ',' && depth === 1) {
      parts.push(pattern.slice(from, at));
      from = at + 1;
    }
    if (character !== '}' || --depth > 0) continue;
    parts.push(pattern.slice(from, at));
    const rest = pattern.slice(at + 1);
    return parts.flatMap((part) => alternatives(pattern.slice(0, open) + part + rest));
  }
  return [pattern];
}

/** One part of a path, between slashes. */
function segment(text: string): RegExp {
  const source = text
    .replace(/[.+^$()|\\]/g, '\\$&')
    .replace(/\*+/g, '[^/]*')
    .replace(/\?/g, '[^/]')
    .replace(/\[!/g, '[^');
  const hidden = text.startsWith('.') ? '' : '(?!\\.)';
  return new RegExp(`^${/^[*?[]/.test(text) ? hidden : ''}${source}$`, 'u');
}

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
    now(plans.access(place));
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
      const matchers = exclude.flatMap(alternatives).map((pattern) => (at: string) => path.matchesGlob(at, pattern));
      this.#excluded = (at) => matchers.some((matches) => matches(at));
    }
  }

  run(patterns: readonly string[]): Found[] {
    for (const pattern of patterns.flatMap(alternatives)) {
      const rooted = pattern.startsWith('/');
      const parts = pattern.split('/').filter((part) => part !== '' && part !== '.');
      this.#walk(rooted ? '/' : '', parts, undefined);
    }
    return [...this.#found.values()];
  }

  #walk(below: string, parts: readonly string[], entry: Dirent | undefined): void {
    const [part, ...rest] = parts;
    if (part === undefined) {
      if (!this.#found.has(below)) this.#found.set(below, { path: below === '' ? '.' : below, entry });
      return;
    }
    if (part === '**') return this.#walkAll(below, rest, entry);
    if (!/[*?[]/.test(part)) {
      const at = joined(below, part);
      if (exists(path.resolve(this.#cwd, at)) && !this.#excluded(at, undefined)) this.#walk(at, rest, this.#entry(at));
      return;
    }
    const matches = segment(part);
    for (const child of entriesOf(path.resolve(this.#cwd, below))) {
      const name = child.name as string;
      const at = joined(below, name);
      if (!matches.test(name) || this.#excluded(at, child)) continue;
      if (rest.length === 0 || child.isDirectory() || child.isSymbolicLink()) this.#walk(at, rest, child);
    }
  }

  #walkAll(below: string, rest: readonly string[], entry: Dirent | undefined): void {
    if (rest.length > 0 || below !== '') this.#walk(below, rest, entry);
    for (const child of entriesOf(path.resolve(this.#cwd, below))) {
      const at = joined(below, child.name as string);
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

function joined(below: string, name: string): string {
  return below === '' ? name : below.endsWith('/') ? below + name : `${below}/${name}`;
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
