/**
 * Routes that are for some hosts or versions only: a table for each pair of the two, beside the one of all others,
 * and which of them a request is looked up in.
 */
import type { RawContext } from './context.ts';
import { type HostPattern, matchHost } from './host.ts';
import type { Found } from './router/found.ts';
import { RouteTable } from './router/route-table.ts';
import type { Route, Scope } from './scope.ts';
import { varyOf, versionsOf } from './versioning.ts';

export interface RouteVariant {
  readonly host: HostPattern | null;
  readonly version: string | null;
  readonly table: RouteTable<Route>;
}

/** One that a request is looked up in. */
interface Candidate {
  readonly table: RouteTable<Route>;
  readonly params: Readonly<Record<string, string>> | null;
  readonly version: string | null;
}

/** The table of a host and a version, made where there is none. The most particular host stands first. */
export function variantTable(scope: Scope, host: HostPattern | null, version: string | null): RouteTable<Route> {
  if (host === null && version === null) return scope.table;
  const variants = (scope.variants ??= []);
  const known = variants.find((one) => one.host?.text === host?.text && one.version === version);
  if (known !== undefined) return known.table;
  const table = new RouteTable<Route>({ strict: scope.settings.strict });
  variants.push({ host, version, table });
  const rank = (one: RouteVariant): number => one.host?.variables ?? Infinity;
  variants.sort((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)));
  return table;
}

/** Hosts before versions, a version before none. */
export function candidatesOf(scope: Scope, c: RawContext): Candidate[] {
  const { variants, settings } = scope;
  const plain: Candidate = { table: scope.table, params: null, version: null };
  if (variants === null) return [plain];
  const versions = settings.versioning === null ? [] : versionsOf(c, settings.versioning);
  const hostname = variants.some(({ host }) => host !== null) ? c.hostname : '';
  const found: (Candidate & { readonly rank: number })[] = [];
  for (const { host, version, table } of variants) {
    const params = host === null ? null : matchHost(host, hostname);
    const at = version === null ? versions.length : versions.indexOf(version);
    if ((host !== null && params === null) || at < 0) continue;
    found.push({ table, params, version, rank: (host === null ? Infinity : host.variables) + at / (versions.length + 1) });
  }
  const byHost = found.filter(({ params }) => params !== null).sort((one, other) => one.rank - other.rank);
  const others = found
    .filter(({ params }) => params === null)
    .sort((one, other) => versions.indexOf(one.version ?? '') - versions.indexOf(other.version ?? ''));
  return [...byHost, ...others, plain];
}

/** HEAD is answered as GET is, but where it has a route of its own. */
export function findIn(table: RouteTable<Route>, method: string, pathname: string): Found<Route> | null {
  const found = table.find(method, pathname);
  if (method !== 'HEAD' || found?.value.method === 'HEAD') return found;
  return table.find('GET', pathname) ?? found;
}

/** The route of the first table that has one. */
export function findVariant(scope: Scope, c: RawContext, method: string): Found<Route> | null {
  const { pathname } = c;
  for (const { table, params, version } of candidatesOf(scope, c)) {
    const found = findIn(table, method, pathname);
    if (found === null) continue;
    const vary = version === null || scope.settings.versioning === null ? null : varyOf(scope.settings.versioning);
    if (vary !== null) c.header('Vary', vary, { append: true });
    if (params === null) return found;
    return { value: found.value, params: Object.assign(Object.create(null) as Record<string, string>, params, found.params) };
  }
  return null;
}
