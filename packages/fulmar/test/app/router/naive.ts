/**
 * What a route table has to find, by the definition alone: every route is tried on every segment, and the
 * best of those that match is taken. Routes are structures here, so that nothing is shared with the reader of
 * patterns.
 */

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mixed'; readonly texts: readonly string[]; readonly names: readonly string[] }
  | { readonly kind: 'parameter'; readonly name: string; readonly isOptional: boolean }
  | { readonly kind: 'rest'; readonly name: string };

export interface NaiveRoute {
  readonly method: string;
  readonly parts: readonly Part[];
  readonly value: number;
}

type Params = readonly (readonly [name: string, value: string])[];
type Rank = readonly (number | string)[];

interface Match {
  readonly value: number;
  readonly params: Params;
  readonly ranks: readonly Rank[];
}

/** The routes that no other one comes before, with their parameters: one, or none. */
export function findNaively(routes: readonly NaiveRoute[], method: string, path: string, strict: boolean): readonly Match[] {
  const sent = path.split('/').slice(1);
  const segments = withoutLast(sent, !strict && sent.length > 1 && sent.at(-1) === '').map(decodeURIComponent);
  for (const wanted of [method, '*']) {
    const matches = routes
      .filter((route) => route.method === wanted)
      .flatMap(({ parts, value }) => matchesOf(significant(parts, strict), segments, strict).map((match) => ({ ...match, value })));
    const best = matches.filter((one) => matches.every((other) => compareLists(one.ranks, other.ranks, compareRanks) <= 0));
    if (best.length > 0) return best;
  }
  return [];
}

export function significant(parts: readonly Part[], strict: boolean): readonly Part[] {
  const last = parts.at(-1);
  return withoutLast(parts, !strict && parts.length > 1 && last?.kind === 'text' && last.text === '');
}

function withoutLast<Item>(items: readonly Item[], is: boolean): readonly Item[] {
  return is ? items.slice(0, -1) : items;
}

function matchesOf(parts: readonly Part[], segments: readonly string[], strict: boolean): readonly Omit<Match, 'value'>[] {
  const onRoot = segments.length === 1 && segments[0] === '';
  const isAllAbsent = parts.every((part) => part.kind === 'parameter' && part.isOptional);
  const root = onRoot && isAllAbsent ? [{ params: [], ranks: parts.map((): Rank => [3]) }] : [];
  return [...root, ...matchFrom(parts, segments, strict, true)];
}

/** Every way in which `parts` take exactly `segments`. */
function matchFrom(
  parts: readonly Part[],
  segments: readonly string[],
  strict: boolean,
  isFirst: boolean,
): readonly Omit<Match, 'value'>[] {
  const [part, ...behind] = parts;
  const [segment, ...left] = segments;
  if (part === undefined) return segment === undefined ? [{ params: [], ranks: [] }] : [];
  const ways: Omit<Match, 'value'>[] = [];
  const take = (rank: Rank, params: Params, rest: readonly Omit<Match, 'value'>[]): void => {
    for (const way of rest) ways.push({ params: [...params, ...way.params], ranks: [rank, ...way.ranks] });
  };
  const next = (): readonly Omit<Match, 'value'>[] => matchFrom(behind, left, strict, false);
  if (part.kind === 'text' && part.text === segment) take([0], [], next());
  if (part.kind === 'mixed' && segment !== undefined) {
    const values = split(part.texts, segment);
    if (values !== null)
      take(
        rankOfMixed(part.texts),
        part.names.map((name, i) => [name, values[i] as string] as const),
        next(),
      );
  }
  if (part.kind === 'parameter' && segment !== undefined && segment !== '') take([2], [[part.name, segment]], next());
  if (part.kind === 'parameter' && part.isOptional) take([3], [], matchAbsent(behind, segments, strict, isFirst));
  if (part.kind === 'rest' && (segment !== undefined || (!strict && !isFirst)))
    take([4], [[part.name, segments.join('/')]], [{ params: [], ranks: [] }]);
  return ways;
}

/** An optional parameter behind one that is left out is left out, too. */
function matchAbsent(
  parts: readonly Part[],
  segments: readonly string[],
  strict: boolean,
  isFirst: boolean,
): readonly Omit<Match, 'value'>[] {
  const [part, ...behind] = parts;
  if (part?.kind !== 'parameter') return matchFrom(parts, segments, strict, isFirst);
  return matchAbsent(behind, segments, strict, isFirst).map(({ params, ranks }) => ({ params, ranks: [[3], ...ranks] }));
}

/** The values between `texts`, earlier ones as short as possible. */
function split(texts: readonly string[], segment: string): readonly string[] | null {
  const [first = '', ...behind] = texts;
  if (!segment.startsWith(first)) return null;
  const left = segment.slice(first.length);
  if (behind.length === 0) return left === '' ? [] : null;
  for (let length = 1; length <= left.length; length++) {
    const others = split(behind, left.slice(length));
    if (others !== null) return [left.slice(0, length), ...others];
  }
  return null;
}

/**
 * The longer begin, then the longer end, then more text, then the alphabetical order of what is behind the
 * first parameter, all as it is spelled in a path.
 */
function rankOfMixed(texts: readonly string[]): Rank {
  const spelled = texts.map((text) => text.replace(/[%/]/g, encodeURIComponent));
  return [1, -(spelled[0] as string).length, -(spelled.at(-1) as string).length, -spelled.join('').length, spelled.slice(1).join('/')];
}

function compareRanks(one: Rank, other: Rank): number {
  return compareLists(one, other, (a, b) => (a < b ? -1 : a === b ? 0 : 1));
}

/** By the first difference; a list before those that go on behind it. */
function compareLists<Item>(one: readonly Item[], other: readonly Item[], compare: (a: Item, b: Item) => number): number {
  for (const [i, item] of one.entries()) {
    if (i >= other.length) return 1;
    const order = compare(item, other[i] as Item);
    if (order !== 0) return order;
  }
  return one.length - other.length;
}

/** One key for each way to leave optional parameters out: routes that share a key are alike. */
export function keysOf({ method, parts }: NaiveRoute, strict: boolean): readonly string[] {
  const all = significant(parts, strict);
  const optionals = all.filter((part) => part.kind === 'parameter' && part.isOptional);
  return Array.from({ length: optionals.length + 1 }, (_, absent) => {
    const left = new Set(optionals.slice(optionals.length - absent));
    const there = all
      .filter((part) => !left.has(part))
      .map((part) => [part.kind, part.kind === 'text' ? part.text : part.kind === 'mixed' ? part.texts : '']);
    return JSON.stringify([method, absent, there.length === 0 ? [['text', '']] : there]);
  });
}
