/**
 * Finds the file that `fulmar run` shall run, or says clearly why it cannot.
 *
 * Before anything of the application is loaded. Reads directory entries, not the file.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { CommandError } from './errors.ts';
import { nearest } from './suggest.ts';

/** In the order in which a name without extension is completed: Node's own first. */
const runnable: readonly string[] = ['.js', '.cjs', '.mjs', '.ts', '.tsx', '.cts', '.mts', '.jsx'];

/** What the file of a server is usually called, here and in `src`. */
export const usualNames: readonly string[] = ['server', 'app', 'index', 'main'].flatMap((name) => [name, `src/${name}`]);

/** The absolute path of the entry. Throws a `CommandError` when there is none that can run. */
export function findEntry(name: string): string {
  const path = resolve(name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isFile()) {
    const extension = extname(path);
    if (extension === '' || runnable.includes(extension)) return path;
    throw new CommandError('FULMAR_CLI_UNSUPPORTED_FILE', `cannot run ${name}: fulmar runs ${runnable.join(', ')} files, not ${extension}`);
  }
  const completed = complete(path);
  if (completed !== undefined) return completed;
  if (stat?.isDirectory()) return inDirectory(name, path);
  throw notFound(name, path);
}

/** `path` with the first of `extensions` that makes it a file. */
export function complete(path: string, extensions = runnable): string | undefined {
  return extensions.map((extension) => path + extension).find(isFile);
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/** What `node` would run there: `main` of its `package.json`, else its `index`. */
function inDirectory(name: string, path: string): string {
  const found = readMain(path) ?? complete(join(path, 'index'));
  if (found !== undefined) return findEntry(found);
  const usual = usualNames.map((one) => complete(join(path, one))).find((one) => one !== undefined);
  const advice = usual === undefined ? 'Name the file to run.' : `Did you mean ${shown(usual)}?`;
  throw new CommandError(
    'FULMAR_CLI_DIRECTORY',
    `${name} is a directory without a file that its package.json names as main, and without index. ${advice}`,
  );
}

export function readMain(folder: string): string | undefined {
  try {
    const { main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8').replace(/^\uFEFF/, '')) as { main?: unknown };
    if (typeof main !== 'string') return undefined;
    const path = resolve(folder, main);
    return isFile(path) ? path : (complete(path) ?? complete(join(path, 'index')));
  } catch {
    return undefined;
  }
}

function notFound(name: string, path: string): CommandError {
  const near = nearestFile(path);
  const hint = near === undefined ? `Looked for ${path}.` : `Did you mean ${shown(near)}?`;
  return new CommandError('FULMAR_CLI_NOT_FOUND', `cannot find ${name}. ${hint}`);
}

/** A file of the same folder with a similar name or another extension. */
function nearestFile(path: string): string | undefined {
  let names: string[];
  try {
    names = readdirSync(dirname(path)).filter((name) => runnable.includes(extname(name)));
  } catch {
    return undefined;
  }
  const wanted = basename(path);
  const stem = basename(path, extname(path));
  const found = names.find((name) => basename(name, extname(name)) === stem) ?? nearest(wanted, names);
  return found === undefined ? undefined : join(dirname(path), found);
}

function shown(path: string): string {
  const short = relative(process.cwd(), path);
  return short === '' || short.startsWith('..') ? path : short;
}
