/**
 * Finds the TypeScript source that an import means: `./user` and `./user.js` are `./user.ts`, `@/db` is what
 * `paths` says.
 *
 * Asked for relative imports of TypeScript files, for their bare imports where a tsconfig has `paths`, and
 * for relative imports of JavaScript that Node could not resolve. Never looks into `node_modules` on its own.
 */
import { statSync } from 'node:fs';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isTypeScript } from './file-types.ts';
import { tsconfigOf } from './tsconfig.ts';

/** What a compiler would have made of which source, most likely first. */
const sourcesOf: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};

const appended: readonly string[] = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];

/** Before Node resolves: the file to take instead, or `undefined`. */
export function resolveEarly(specifier: string, importer: string | undefined): string | undefined {
  if (importer === undefined || !isTypeScript(importer)) return undefined;
  return isPath(specifier) ? findSource(toPath(specifier, importer)) : resolveMapped(specifier, importer);
}

/** After Node found nothing: the file that was meant, or `undefined`. */
export function resolveLate(specifier: string, importer: string | undefined): string | undefined {
  if (importer === undefined || !isPath(specifier) || isDependency(importer)) return undefined;
  return findSource(toPath(specifier, importer));
}

/** Is this the error with which either of Node's loaders says "no such file"? */
export function isNotFound(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNSUPPORTED_DIR_IMPORT';
}

/** The existing file that `path`, as written in an import, means; `undefined` when there is none. */
export function findSource(path: string): string | undefined {
  const extension = extname(path);
  const sources = sourcesOf[extension];
  if (sources !== undefined) {
    const stem = path.slice(0, -extension.length);
    for (const source of sources) if (isFile(stem + source)) return stem + source;
  }
  if (extension !== '' && isFile(path)) return path;
  for (const end of appended) if (isFile(path + end)) return path + end;
  for (const end of appended) {
    const index = join(path, `index${end}`);
    if (isFile(index)) return index;
  }
  return undefined;
}

function isPath(specifier: string): boolean {
  return /^(?:\.{0,2}\/|\.{1,2}$|file:)/.test(specifier);
}

function toPath(specifier: string, importer: string): string {
  return specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(dirname(importer), specifier);
}

export function isDependency(file: string): boolean {
  return file.includes(`${sep}node_modules${sep}`);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * `paths` and `baseUrl` of the importer's tsconfig. The pattern with the longest text before its `*` wins, as
 * in TypeScript.
 */
function resolveMapped(specifier: string, importer: string): string | undefined {
  if (specifier.startsWith('node:') || isDependency(importer)) return undefined;
  const { options, pathsFolder } = tsconfigOf(dirname(importer));
  if (pathsFolder === undefined) return undefined;
  let best: { prefix: string; targets: readonly string[]; rest: string } | undefined;
  for (const [pattern, targets] of Object.entries(options.paths ?? {})) {
    const [prefix = '', suffix] = pattern.split('*', 2);
    if (suffix === undefined) {
      if (pattern === specifier) return firstSource(targets, '', pathsFolder);
    } else if (matches(specifier, prefix, suffix) && (best === undefined || prefix.length > best.prefix.length)) {
      best = { prefix, targets, rest: specifier.slice(prefix.length, specifier.length - suffix.length) };
    }
  }
  const mapped = best && firstSource(best.targets, best.rest, pathsFolder);
  return mapped ?? (options.baseUrl === undefined ? undefined : findSource(join(options.baseUrl, specifier)));
}

function matches(specifier: string, prefix: string, suffix: string): boolean {
  return specifier.length >= prefix.length + suffix.length && specifier.startsWith(prefix) && specifier.endsWith(suffix);
}

function firstSource(targets: readonly string[], rest: string, folder: string): string | undefined {
  for (const target of targets) {
    const found = findSource(
      resolve(
        folder,
        target.replace('*', () => rest),
      ),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}
