/**
 * The routes of an application: which value a method and a path have. Filled while the application is set up,
 * asked once per request. A path without parameters costs one look-up in a map, others a walk in the tree of
 * their method (route-tree.ts). It runs everywhere: no module, no code from strings.
 */
import { createDecodedFound, createFound, createTextFound, type Found } from './found.ts';
import { toCommonSpelling } from './path-text.ts';
import { parsePattern } from './pattern.ts';
import { type Placed, RouteError } from './route-error.ts';
import { RouteTree } from './route-tree.ts';
import { shapeOf, textOf, type Variant, variantsOf } from './variant.ts';

export type { Found, Params } from './found.ts';

export interface RouteTableOptions {
  /** Whether a trailing slash matters; yes by default. */
  readonly strict?: boolean;
}

/** A route as it was added. */
export interface RouteEntry<T> {
  readonly method: string;
  readonly path: string;
  readonly value: T;
  readonly place: Placed | undefined;
}

const ALL_METHODS = '*';
const SLASH = 0x2f;

/** The routes of one method. */
class MethodRoutes<T> {
  /** Paths without parameters, in the common spelling. */
  readonly texts = new Map<string, Found<T>>();
  readonly tree = new RouteTree<T>();
  /** Shapes of variants that another one may take the place of: of the others, the place itself tells. */
  readonly #shapes = new Set<string>();
  /** Of `texts`, where an optional parameter is left out. */
  readonly #ranks = new Map<string, number>();

  /** Is there one that nothing can tell from this? */
  has(variant: Variant): boolean {
    const { segments, rank, isText } = variant;
    if (rank > 0) return this.#shapes.has(shapeOf(variant));
    if (!isText) return this.tree.leafAt(segments)?.rank === 0;
    const text = textOf(segments);
    return this.texts.has(text) && !this.#ranks.has(text);
  }

  add(variant: Variant, entry: RouteEntry<T>): void {
    const { segments, names, rank, isText } = variant;
    if (rank > 0) this.#shapes.add(shapeOf(variant));
    if (!isText) {
      this.tree.add(segments, { value: entry.value, names, rank });
      return;
    }
    const text = textOf(segments);
    if (this.texts.has(text) && (this.#ranks.get(text) ?? 0) <= rank) return;
    this.texts.set(text, createTextFound(entry.value));
    if (rank > 0) this.#ranks.set(text, rank);
    else this.#ranks.delete(text);
  }
}

export class RouteTable<T> {
  readonly #isStrict: boolean;
  readonly #methods = new Map<string, MethodRoutes<T>>();
  readonly #entries: RouteEntry<T>[] = [];
  /** Begin and end of each value of the walk that is under way: no look-up outlives its call. */
  readonly #marks: number[] = [];

  constructor({ strict = true }: RouteTableOptions = {}) {
    this.#isStrict = strict;
  }

  get size(): number {
    return this.#entries.length;
  }

  /**
   * Adds a route. `method` is in upper case, or '*' for all; `place` (`file:line`) is for messages. Throws
   * `RouteError`, and then adds nothing, for a bad pattern and for a route that no path can tell from another
   * one.
   */
  add(method: string, path: string, value: T, place?: Placed): void {
    if (method === '' || method !== method.toUpperCase()) {
      throw new RouteError(`expected a method in upper case, or '*', found ${JSON.stringify(method)}`, path, place);
    }
    const entry: RouteEntry<T> = { method, path, value, place };
    const variants = variantsOf(parsePattern(path, place), this.#isStrict);
    const routes = this.#methods.get(method) ?? new MethodRoutes<T>();
    for (const variant of variants) if (routes.has(variant)) throw alike(entry, this.#likeOf(method, variant));
    this.#methods.set(method, routes);
    for (const variant of variants) routes.add(variant, entry);
    this.#entries.push(entry);
  }

  /** Looked for where it is told: what is kept for that would be kept for every route. */
  #likeOf(method: string, variant: Variant): RouteEntry<T> {
    const shape = shapeOf(variant);
    const isAlike = ({ path }: RouteEntry<T>): boolean =>
      variantsOf(parsePattern(path), this.#isStrict).some((one) => shapeOf(one) === shape);
    return this.#entries.find((entry) => entry.method === method && isAlike(entry)) as RouteEntry<T>;
  }

  /**
   * The route of a path, a method's own before those of all methods; null when there is none. Throws
   * `MalformedPath` for a parameter's value whose percent-escapes mean nothing.
   */
  find(method: string, pathname: string): Found<T> | null {
    const own = this.#methods.get(method);
    const found = own?.texts.get(pathname);
    return found ?? this.#search(own, pathname);
  }

  /** The methods that a path has routes for, sorted; '*' stands for itself. Never throws. */
  methods(pathname: string): readonly string[] {
    const path = toCommonSpelling(this.#relevant(pathname));
    const methods: string[] = [];
    for (const [method, { texts, tree }] of this.#methods) {
      if (texts.has(path) || tree.find(path, this.#marks) !== null) methods.push(method);
    }
    return methods.sort();
  }

  /** In the order in which they were added. */
  entries(): Iterable<RouteEntry<T>> {
    return this.#entries.values();
  }

  #search(own: MethodRoutes<T> | undefined, pathname: string): Found<T> | null {
    const sent = this.#relevant(pathname);
    const path = toCommonSpelling(sent);
    const found = own === undefined ? null : this.#searchIn(own, sent, path);
    if (found !== null) return found;
    const all = this.#methods.get(ALL_METHODS);
    return all === undefined || all === own ? null : this.#searchIn(all, sent, path);
  }

  #searchIn({ texts, tree }: MethodRoutes<T>, sent: string, path: string): Found<T> | null {
    const text = texts.get(path);
    if (text !== undefined) return text;
    const leaf = tree.find(path, this.#marks);
    if (leaf === null) return null;
    return sent.includes('%') ? createDecodedFound(leaf, sent, this.#marks) : createFound(leaf, path, this.#marks);
  }

  /** The part of a path that counts. */
  #relevant(pathname: string): string {
    if (this.#isStrict || pathname.length < 2 || pathname.charCodeAt(pathname.length - 1) !== SLASH) return pathname;
    return pathname.slice(0, -1);
  }
}

function alike<T>(one: RouteEntry<T>, other: RouteEntry<T>): RouteError {
  const [found, earlier] = [one, other].map(
    ({ method, path, place }) => `${method} ${path}${place === undefined ? '' : ` (${place.toString()})`}`,
  );
  return new RouteError(
    `expected routes that a path can tell apart, found ${found} and ${earlier}; change or remove one`,
    one.path,
    one.place,
  );
}
