/**
 * What a package's manifest says that a name within it leads to: `exports` and `imports`, by Node's rules for
 * `require`.
 */
import { coded } from '../shared/errors.ts';

export interface Manifest {
  readonly name?: string;
  readonly main?: unknown;
  readonly type?: string;
  readonly exports?: unknown;
  readonly imports?: unknown;
}

type Table = Readonly<Record<string, unknown>>;

const conditions: ReadonlySet<string> = new Set(['node', 'require', 'default']);

/**
 * The file for `name`: `.`, `./sub` of the exports, or `#name` of the imports. Throws when the package has
 * none.
 */
export function packageTarget(manifest: Manifest, name: string, folder: string, importer?: string | null): string {
  const isImport = name.startsWith('#');
  const table = isImport ? toTable(manifest.imports) : exportsOf(manifest);
  const target = Object.hasOwn(table, name) && !name.includes('*') ? choose(table[name], '') : matchPattern(table, name);
  if (typeof target === 'string' && target.startsWith('./')) return `${folder}/${target.slice('./'.length)}`;
  if (typeof target === 'string' && isImport)
    return process.getBuiltinModule('node:module').createRequire(`${folder}/package.json`).resolve(target);
  throw isImport ? noImport(name, folder, importer) : noExport(name, folder);
}

function exportsOf({ exports }: Manifest): Table {
  const isTable = typeof exports === 'object' && exports !== null && !Array.isArray(exports);
  return isTable && Object.keys(exports).every((key) => key.startsWith('.')) ? (exports as Table) : { '.': exports };
}

function toTable(value: unknown): Table {
  return typeof value === 'object' && value !== null ? (value as Table) : {};
}

/** The target for the first condition that holds; `rest` is what a pattern's `*` stands for. */
function choose(target: unknown, rest: string): string | undefined {
  if (typeof target === 'string') return target.replaceAll('*', () => rest);
  if (Array.isArray(target)) {
    for (const item of target) {
      const found = choose(item, rest);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const [condition, value] of Object.entries(toTable(target))) {
    const found = conditions.has(condition) ? choose(value, rest) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The pattern with the longest text before its `*` wins. */
function matchPattern(table: Table, name: string): string | undefined {
  let best: { prefix: string; key: string; rest: string } | undefined;
  for (const key of Object.keys(table)) {
    const [prefix = '', suffix] = key.split('*', 2);
    if (suffix === undefined || !name.startsWith(prefix) || !name.endsWith(suffix) || name.length < key.length) continue;
    if (best === undefined || prefix.length > best.prefix.length) {
      best = { prefix, key, rest: name.slice(prefix.length, name.length - suffix.length) };
    }
  }
  return best && choose(table[best.key], best.rest);
}

function noExport(name: string, folder: string): Error {
  const what = name === '.' ? 'No "exports" main defined' : `Package subpath '${name}' is not defined by "exports"`;
  return coded(Error, 'ERR_PACKAGE_PATH_NOT_EXPORTED', `${what} in ${folder}/package.json`);
}

function noImport(name: string, folder: string, importer: string | null | undefined): Error {
  return coded(
    TypeError,
    'ERR_PACKAGE_IMPORT_NOT_DEFINED',
    `Package import specifier "${name}" is not defined in package ${folder}/package.json${importer ? ` imported from ${importer}` : ''}`,
  );
}
