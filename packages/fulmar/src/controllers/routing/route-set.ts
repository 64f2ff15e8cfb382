/**
 * All routes of an application, in their order, and what of them the app's table is given. A path that one route
 * takes, and an earlier one as well, is the earlier one's: which may be, is found at start, so that a request that
 * only one can take is looked for no further.
 */
import type { AnyContext, App } from '../../app/index.ts';
import type { Host } from '../pipeline/host.ts';
import { type Cover, relationOf } from './path-cover.ts';
import type { Entry } from './route-match.ts';
import { noteBase, pathWithin } from './standing.ts';

/** What of the earlier ones has to be asked before one. */
interface Earlier {
  /** They share some paths. */
  readonly across: Entry[];
  /**
   * They are more particular, or of one method where this is of all: the table finds them, but for another case of
   * letters or a slash at the end.
   */
  readonly under: Entry[];
}

/** Spellings of a path that the table does not know, and Express's routes take. */
const UNUSUAL = /[A-Z]|.\/$/;
const UPPER = /[A-Z]/;
/** To the table `/%61dmin` is `/admin`. To Express it is another path, which middleware for `/admin` does not see. */
const ESCAPE = '%';
const ALL = '*';

export class RouteSet {
  readonly #entries: Entry[] = [];
  /** By the first segment, where that is text. */
  readonly #byFirst = new Map<string, { readonly entry: Entry; readonly cover: Cover }[]>();
  readonly #shapes = new Set<string>();
  readonly #onMiss: (c: AnyContext, host: Host | null) => unknown;
  #hasUpper = false;

  constructor(onMiss: (c: AnyContext, host: Host | null) => unknown) {
    this.#onMiss = onMiss;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Some route takes `/` whatever its method. */
  get hasRoot(): boolean {
    return this.#shapes.has(`${ALL} =`);
  }

  /** Some route is asked for every path whatever its method. */
  get hasRest(): boolean {
    return this.#shapes.has(`${ALL} *`);
  }

  /** In order: earlier ones go before. Gives the one that takes all that it would; null: it is asked. */
  add(app: App, entry: Entry): Entry | null {
    this.#entries.push(entry);
    this.#hasUpper ||= UPPER.test(entry.path.replaceAll(/[:*][A-Za-z_$][\w$]*/g, ''));
    const takers = entry.covers.map((cover) => this.#addCover(app, entry, cover));
    return takers.includes(null) ? null : (takers[0] ?? null);
  }

  #addCover(app: App, entry: Entry, cover: Cover): Entry | null {
    const taker = this.#register(app, entry, cover);
    const first = cover.segments[0];
    const key = first?.kind === 'text' ? first.text : ALL;
    const list = this.#byFirst.get(key) ?? [];
    this.#byFirst.set(key, list);
    list.push({ entry, cover });
    return taker;
  }

  #register(app: App, entry: Entry, cover: Cover): Entry | null {
    const { method } = entry;
    const shape = `${method} ${cover.segments.map((one) => (one.kind === 'text' ? `=${one.text}` : one.kind === 'rest' ? '*' : ':')).join('/')}`;
    const earlier = this.#earlierThan(entry, cover, method);
    if ('taker' in earlier) return earlier.taker;
    if (this.#shapes.has(shape)) return null;
    this.#shapes.add(shape);
    const hasText = cover.segments.some((one) => one.kind === 'text' && one.text !== '');
    const isDirect = isSure(entry) && earlier.across.length + earlier.under.length === 0;
    const answer = isDirect ? (c: AnyContext): unknown => entry.run(c) : (c: AnyContext): unknown => this.#answer(entry, earlier, c);
    const handler = (c: AnyContext): unknown => {
      noteBase(c, cover.pattern);
      return hasText && isOther(entry, c) ? this.search(c, 0, null) : answer(c);
    };
    Object.defineProperties(handler, { name: { value: entry.name }, standsFor: { value: entry.target } });
    app.addUnplaced(method, cover.pattern, handler);
    return null;
  }

  /** `taker`: an earlier one takes every request that it could. */
  #earlierThan(entry: Entry, cover: Cover, method: string): Earlier | { readonly taker: Entry } {
    const across: Entry[] = [];
    const under: Entry[] = [];
    for (const other of this.#near(cover)) {
      if (other.entry === entry) continue;
      const relation = relationOf(other.cover.segments, cover.segments);
      if (relation === 'apart') continue;
      if (!answers(other.entry, method)) {
        if (answers(entry, other.entry.method)) under.push(other.entry);
      } else if ((relation === 'over' || relation === 'alike') && isSure(other.entry)) return { taker: other.entry };
      else if (relation === 'under' && other.entry.method === method) under.push(other.entry);
      else across.push(other.entry);
    }
    return { across: inOrder(across), under: inOrder(under) };
  }

  *#near({ segments: [first] }: Cover): Iterable<{ readonly entry: Entry; readonly cover: Cover }> {
    if (first?.kind === 'text') {
      yield* this.#byFirst.get(first.text) ?? [];
      yield* this.#byFirst.get(ALL) ?? [];
    } else for (const list of this.#byFirst.values()) yield* list;
  }

  #answer(entry: Entry, { across, under }: Earlier, c: AnyContext): unknown {
    if (across.length > 0 || under.length > 0) {
      const { method } = c;
      const pathname = pathWithin(c);
      for (const other of across) if (other.matcher.test(pathname)) return this.#enter(other, c, null);
      if (under.length > 0 && UNUSUAL.test(pathname))
        for (const other of under) if (answers(other, method) && other.matcher.test(pathname)) return this.#enter(other, c, null);
    }
    if (isSure(entry)) return entry.run(c);
    // `/a/` is that of `/a/{*rest}`, and of an earlier `/a` as well.
    if (!entry.isExact && pathWithin(c).endsWith('/')) return this.search(c, 0, null);
    return this.#enter(entry, c, null);
  }

  /** One whose path fits, perhaps; else those behind it. */
  #enter(entry: Entry, c: AnyContext, host: Host | null): unknown {
    const hosts = entry.host === null ? undefined : entry.host(c.hostname);
    if (hosts === null || (entry.version !== null && !entry.version(c))) return this.search(c, entry.index + 1, host);
    const params = entry.matcher.params(pathWithin(c));
    // The table has found it and it is another's: perhaps one that stands before it.
    if (params === null) return this.search(c, 0, host);
    c.params = params;
    if (host === null) return entry.run(c, hosts);
    return entry.goOn(c, host, hosts);
  }

  /** Each one from an index on, as Express does. */
  search(c: AnyContext, from: number, host: Host | null): unknown {
    const { method } = c;
    const pathname = pathWithin(c);
    for (let index = from; index < this.#entries.length; index += 1) {
      const entry = this.#entries[index] as Entry;
      if (answers(entry, method) && entry.matcher.test(pathname)) return this.#enter(entry, c, host);
    }
    return this.#onMiss(c, host);
  }

  /** The table has found nothing but `pattern`, which takes all. */
  miss(c: AnyContext, pattern: string): unknown {
    noteBase(c, pattern);
    return this.#hasUpper || UNUSUAL.test(pathWithin(c)) ? this.search(c, 0, null) : this.#onMiss(c, null);
  }
}

/** Whatever its pattern takes is its. */
const isSure = ({ isExact, host, version }: Entry): boolean => isExact && host === null && version === null;

/** The table has found it by texts that are spelled otherwise in its path. */
function isOther({ matcher }: Entry, c: AnyContext): boolean {
  const pathname = pathWithin(c);
  return pathname.includes(ESCAPE) && !matcher.test(pathname);
}

function answers({ method: own }: Entry, method: string): boolean {
  return own === method || own === ALL || (own === 'GET' && method === 'HEAD');
}

const inOrder = (entries: readonly Entry[]): Entry[] => [...new Set(entries)].toSorted((one, other) => one.index - other.index);
