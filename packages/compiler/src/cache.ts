/**
 * What was made of a source, with the files it was made of: an entry holds for as long as all of them are the
 * same. Lies in the cache of `fulmar run`, which sweeps it. Never throws: without a cache it is compiled anew.
 */
import { createHash } from 'node:crypto';
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Compiled } from './index.ts';
import type { Transformed } from './transform.ts';

interface Kept extends Omit<Compiled, 'files'> {
  /** Files with what they were like. */
  readonly files: readonly (readonly [file: string, stamp: string])[];
}

const require = createRequire(__filename);
let versions: string | undefined;

const digest = (text: string): string => createHash('sha1').update(text).digest('hex');

const versionOf = (file: string): string => (JSON.parse(readFileSync(require.resolve(file), 'utf8')) as { version: string }).version;

/** @throws Error for one that has no API for JavaScript, as an override may bring it */
export function typescriptVersion(): string {
  const version = versionOf('typescript/package.json');
  if (version.startsWith('6.')) return version;
  throw new Error(
    `fulmar-compiler needs TypeScript 6, and ${require.resolve('typescript/package.json')} is ${version}. It brings its own: ` +
      'take "typescript" out of "overrides" or "resolutions" of package.json and install again.',
  );
}

/** Of everything that is known before any other file is read: the text itself, this package, TypeScript. */
export function cacheKey(parts: readonly string[]): string {
  versions ??= `${versionOf('../package.json')} ${typescriptVersion()}`;
  return `types-${digest(JSON.stringify([versions, ...parts]))}`;
}

export function readKept(folder: string, key: string): Compiled | undefined {
  try {
    const { files, code, map } = JSON.parse(readFileSync(join(folder, key), 'utf8')) as Kept;
    return files.every(([file, stamp]) => stampOf(file) === stamp) ? { code, map, files: files.map(([file]) => file) } : undefined;
  } catch {
    return undefined;
  }
}

/** By rename, so that another process never reads half an entry. */
export function writeKept(folder: string, key: string, { code, map, files }: Transformed): void {
  const entry = join(folder, key);
  const temporary = `${entry}.${process.pid}`;
  try {
    const kept: Kept = { files: files.map((file) => [file, stampOf(file)] as const), code, map };
    writeFileSync(temporary, JSON.stringify(kept), { mode: 0o600 });
    renameSync(temporary, entry);
  } catch {
    // A folder that cannot be written: the next start compiles again.
  }
}

/** Of an application's file its content, of an installed package's its time and length: there are many, and nobody edits them. */
function stampOf(file: string): string {
  if (!/[\\/]node_modules[\\/]/.test(file)) return digest(readFileSync(file, 'utf8'));
  const { mtimeMs, size } = statSync(file);
  return `${mtimeMs} ${size}`;
}
