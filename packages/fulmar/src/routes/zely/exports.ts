/**
 * What files of Zely export, as files of routes do: entries that its own `GET()` has made, lists with plain functions in
 * them, an object of methods, `$page`, and middleware that calls nobody's `next()`.
 */
import { METHODS, RouteEntry, type RouteMethod } from '../module/define.ts';

type Exports = Readonly<Record<string, unknown>>;
type Fail = (problem: string) => never;

/** What `GET()` of Zely makes. */
interface ZelyEntry {
  readonly __typeof: symbol;
  readonly __method: symbol;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Of Zely's, not ours: registered by it. */
const KIND = Symbol.for('zely:handler');

const isZelyEntry = (given: unknown): given is ZelyEntry =>
  typeof given === 'object' && given !== null && '__typeof' in given && given.__typeof === KIND && '__method' in given;

/** Ours, or one of Zely's as ours; null: none. */
export function entryOf(given: unknown): RouteEntry | null {
  if (given instanceof RouteEntry) return given;
  if (!isZelyEntry(given)) return null;
  const name = given.__method.description?.toUpperCase() ?? '';
  if (name === 'MIDDLEWARE') return new RouteEntry(null, [given.body]);
  return (METHODS as readonly string[]).includes(name) ? new RouteEntry(name as RouteMethod, given.body, given.headers) : null;
}

/** As `declared.ts` reads them. */
export function zelyExports(given: Exports, fail: Fail): Exports {
  const { $page, default: main, ...others } = given;
  const page = pageOf($page, fail);
  if (!('default' in given)) return { ...others, ...page };
  const list = Array.isArray(main) ? (main as unknown[]) : [main];
  if (!list.some((one) => entryOf(one) !== null || (Array.isArray(main) && typeof one === 'function')))
    return { ...others, ...page, default: main };
  const { entries, hooks } = entriesOf(list);
  const before = [...hooks, ...[page.page?.before ?? []].flat()];
  return { ...others, page: { ...page.page, ...(before.length > 0 && { before }) }, default: entries };
}

/** Of several for one method the first answers, a function what has no entry; middleware runs before all of them. */
function entriesOf(list: readonly unknown[]): { entries: readonly RouteEntry[]; hooks: readonly unknown[] } {
  const all = list.map((one) => entryOf(one) ?? new RouteEntry('ALL', one));
  const found = new Map<string, RouteEntry>();
  for (const one of all) if (one.method !== null && !found.has(one.method)) found.set(one.method, one);
  return { entries: [...found.values()], hooks: all.flatMap(({ method, given }) => (method === null ? (given as unknown[]) : [])) };
}

/** Hooks of a file, by the name that `page` has here. */
function pageOf(given: unknown, fail: Fail): { readonly page?: { readonly before?: unknown; readonly after?: unknown } } {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null) return fail('$page is an object, { before, after }');
  if ('path' in given) return fail('has $page.path, which Zely has deprecated: name the file by its path');
  return { page: given };
}
