/**
 * Reads of embedded files: a path at which the application would find a file beside its sources leads to the
 * unpacked one.
 *
 * Replaces functions of `node:fs` once, before the application, and only in files built with `--include`.
 * Paths that are not embedded, and everything that writes, are left alone.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names of embedded files and of all folders above them, relative to the root, with `/`. */
export interface EmbeddedFiles {
  readonly root: string;
  readonly folder: string;
  readonly names: ReadonlySet<string>;
}

type AnyFunction = (...args: unknown[]) => unknown;
type Table = Record<string, unknown>;

/**
 * Functions of `node:fs` that read what their first argument names; each `…Sync` and promise variant that
 * exists is meant too.
 */
const readers: readonly string[] = [
  'access',
  'exists',
  'lstat',
  'stat',
  'statfs',
  'readFile',
  'readdir',
  'opendir',
  'readlink',
  'copyFile',
  'cp',
  'watch',
  'watchFile',
  'unwatchFile',
  'openAsBlob',
];

/** Opened to be written, a path is not led anywhere. */
const isReading = (flags: unknown): boolean =>
  flags === undefined ||
  flags === null ||
  typeof flags === 'function' ||
  flags === 'r' ||
  flags === 'rs' ||
  flags === fs.constants.O_RDONLY;

export function redirectReads(files: EmbeddedFiles): void {
  const find = createFinder(files);
  const tables: Table[] = [fs as unknown as Table, fs.promises as unknown as Table];
  for (const table of tables) {
    for (const name of readers.flatMap((reader) => [reader, `${reader}Sync`])) {
      wrap(table, name, (original, args) => original(find(args[0]) ?? args[0], ...args.slice(1)));
    }
    for (const name of ['open', 'openSync']) {
      wrap(table, name, (original, args) => {
        const found = isReading(args[1]) ? find(args[0]) : undefined;
        return original(found ?? args[0], ...args.slice(1));
      });
    }
  }
  redirectRealPaths(tables, find);
  syncBuiltinESMExports();
}

/** An embedded file's own name is its real one. */
function redirectRealPaths([table, promises]: Table[], find: (path: unknown) => string | undefined): void {
  const sync: AnyFunction = (original, args) => {
    const [path] = args as unknown[];
    return find(path) === undefined ? (original as AnyFunction)(...(args as unknown[])) : toPath(path);
  };
  wrap(table ?? {}, 'realpathSync', sync);
  wrap(table ?? {}, 'realpath', (original, args) => {
    const callback = args.at(-1);
    if (find(args[0]) === undefined || typeof callback !== 'function') return original(...args);
    process.nextTick(callback as AnyFunction, null, toPath(args[0]));
    return undefined;
  });
  wrap(promises ?? {}, 'realpath', (original, args) =>
    find(args[0]) === undefined ? original(...args) : Promise.resolve(toPath(args[0])),
  );
}

function wrap(table: Table, name: string, around: (original: AnyFunction, args: unknown[]) => unknown): void {
  const original = table[name];
  if (typeof original !== 'function') return;
  const bound: AnyFunction = (...args) => Reflect.apply(original, table, args);
  const replaced = {
    [name](...args: unknown[]): unknown {
      return around(bound, args);
    },
  }[name] as AnyFunction;
  // `realpath.native`, and what `promisify` looks for.
  for (const key of Reflect.ownKeys(original)) {
    if (key === 'length' || key === 'name' || key === 'prototype') continue;
    Object.defineProperty(replaced, key, Object.getOwnPropertyDescriptor(original, key) as PropertyDescriptor);
  }
  table[name] = replaced;
}

/** Places of embedded files, and of all folders above them. */
export function withFolders(places: readonly string[]): Set<string> {
  const names = new Set<string>();
  for (const place of places) {
    const parts = place.split('/');
    for (let count = 1; count <= parts.length; count++) names.add(parts.slice(0, count).join('/'));
  }
  return names;
}

/**
 * The unpacked place of an embedded file or folder; `undefined` for every other path, and for descriptors.
 */
export function createFinder({ root, folder, names }: EmbeddedFiles): (path: unknown) => string | undefined {
  const prefix = root.endsWith(sep) ? root : root + sep;
  return (given) => {
    const path = toPath(given);
    if (path === undefined || !path.startsWith(prefix)) return undefined;
    const name = path.slice(prefix.length);
    return names.has(sep === '/' ? name : name.replaceAll(sep, '/')) ? join(folder, name) : undefined;
  };
}

function toPath(given: unknown): string | undefined {
  if (typeof given === 'string') return resolve(given);
  if (given instanceof URL && given.protocol === 'file:') return fileURLToPath(given);
  return Buffer.isBuffer(given) ? resolve(given.toString()) : undefined;
}
