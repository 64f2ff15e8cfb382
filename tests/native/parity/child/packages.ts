/**
 * Packages that a suite names in `require`: bundled, and given where Node would look into `node_modules`.
 * Stands in for `createRequire` of `node:module` in the files of a suite.
 */
import { planOf } from '../../harness/write.ts';
import type { SuitePlan } from './plan.ts';

type Load = () => unknown;

const bundled = new Map<string, Load>();

/** Called by the entry, before any file of the suite is run. */
export function provide(packages: Readonly<Record<string, Load>>): void {
  for (const [name, load] of Object.entries(packages)) bundled.set(name, load);
  // Where Express looks for view engines when packages have no files, as in what `fulmar build` makes, and the app for
  // files of packages.
  Object.assign(globalThis, { [Symbol.for('fulmar.bundle')]: { api: { requireOf: () => load, place } } });
}

/** Of a package's file: where it lies in this checkout. */
const place = (name: string): string => planOf<SuitePlan>().resolved[name.replace(/^node_modules\//, '')] ?? `/nowhere/${name}`;

function load(name: string): unknown {
  const found = bundled.get(name);
  return found === undefined ? planOf<SuitePlan>().lookup(name) : found();
}

function resolve(name: string): string {
  const path = planOf<SuitePlan>().resolved[name];
  if (path === undefined) throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  return path;
}

export function createRequire(): typeof load & { resolve: typeof resolve } {
  return Object.assign(load, { resolve });
}
