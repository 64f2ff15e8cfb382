/**
 * A request that no route is for: it runs through the hooks and the middleware of the app whose prefix its path lies
 * under, the innermost, as if that had a route for all below it. Never met by a request that has a route.
 */
import type { Handler, Run } from './chain.ts';
import type { RawContext } from './context.ts';
import { type HostPattern, matchHost } from './host.ts';
import { joinPaths, particularOf, underOf } from './prefix.ts';
import { runOf } from './route-run.ts';
import type { Scope, Used } from './scope.ts';

/** A place of the app's: a scope within it, where it was put. */
export interface Unmatched {
  readonly prefix: string;
  readonly isUnder: (pathname: string) => boolean;
  readonly hosts: readonly HostPattern[];
  /** The scopes from there outwards, without the app itself. */
  readonly scopes: readonly Scope[];
  readonly around: readonly Used[];
  readonly notFound: Handler | null;
  /** Made when the first such request comes. */
  run: Run | null;
}

/** The place that a path lies in. */
export function unmatchedOf(scope: Scope, c: RawContext): Unmatched {
  scope.unmatched ??= placesOf(scope);
  const { pathname } = c;
  for (const place of scope.unmatched) {
    if (place.isUnder(pathname) && place.hosts.every((host) => matchHost(host, c.hostname) !== null)) return place;
  }
  throw new Error('An app is everywhere under its own prefix.');
}

export const runUnmatched = (place: Unmatched, c: RawContext, handler: Run): unknown =>
  (place.run ??= runOf({ ...place, path: joinPaths(place.prefix, '/*'), handler }))(c);

/** The most particular first; of one prefix that with a handler, then the first to be registered. The app's own is last. */
function placesOf(scope: Scope): Unmatched[] {
  const own: Unmatched = {
    prefix: '/',
    isUnder: () => true,
    hosts: [],
    scopes: [],
    around: scope.used,
    notFound: scope.notFound,
    run: null,
  };
  const places = [...within(scope, own)];
  const ranked = places.map((place) => ({ place, rank: rankOf(place) }));
  return [...ranked.sort((one, other) => compareRanks(one.rank, other.rank)).map(({ place }) => place), own];
}

/** The end of the prefix is less than any segment. */
const rankOf = ({ prefix, hosts, notFound }: Unmatched): readonly number[] => [
  ...particularOf(prefix),
  0,
  hosts.length,
  notFound === null ? 0 : 1,
];

/** The higher one first. */
function compareRanks(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((value, index) => value !== other[index]);
  return at < 0 ? 0 : (other[at] ?? 0) - (one[at] as number);
}

function* within(scope: Scope, outer: Unmatched): Iterable<Unmatched> {
  for (const child of scope.children) {
    for (const parent of child.parents) {
      if (parent.scope !== scope) continue;
      const prefix = joinPaths(outer.prefix, parent.prefix);
      const { host } = child.origin ?? {};
      const isShared = child.owner !== child;
      const place: Unmatched = {
        prefix,
        isUnder: underOf(prefix),
        hosts: host === undefined ? outer.hosts : [...outer.hosts, host],
        scopes: isShared ? outer.scopes : [child, ...outer.scopes],
        // What a plugin that shares uses is among what is used around it.
        around: isShared
          ? outer.around
          : [...outer.around, ...child.used.map((used) => ({ ...used, prefix: joinPaths(prefix, used.prefix) }))],
        notFound: child.notFound ?? outer.notFound,
        run: null,
      };
      // A plugin without a prefix is not asked for what lies beside its routes, unless it answers just that.
      const isApart = prefix !== outer.prefix || host !== undefined;
      if (!isShared && (isApart || (child.notFound !== null && outer.notFound === null))) yield place;
      yield* within(child, place);
    }
  }
}
