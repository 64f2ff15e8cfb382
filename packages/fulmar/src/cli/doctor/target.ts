/**
 * What to start: the file that was named, or what `package.json` of this folder starts.
 *
 * Reads manifests only; whether the file exists is `entry.ts`'s part.
 */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findEntry } from '../entry.ts';
import { CliError } from '../errors.ts';

export interface Target {
  /** Absolute. */
  readonly file: string;
  /** As the user or the manifest wrote it. */
  readonly name: string;
  /** Where it was found: `the command line`, `scripts.start of package.json` … */
  readonly source: string;
}

interface Manifest {
  readonly main?: unknown;
  readonly scripts?: { readonly start?: unknown };
}

/** Programs that a start script may run a file with. */
const runners: ReadonlySet<string> = new Set(['node', 'nodemon', 'tsx', 'ts-node', 'ts-node-dev', 'fulmar', 'npx', 'cross-env', 'dotenv']);

/** Throws a `CliError` when there is nothing to start. */
export function findTarget(file: string | undefined, folder: string): Target {
  if (file !== undefined) return { file: findEntry(file), name: file, source: 'the command line' };
  const manifest = readManifest(folder);
  const { start } = manifest.scripts ?? {};
  const started = typeof start === 'string' ? fileOfScript(start) : undefined;
  if (started !== undefined) return { file: findEntry(started), name: started, source: 'scripts.start of package.json' };
  if (typeof manifest.main === 'string') return { file: findEntry(manifest.main), name: manifest.main, source: 'main of package.json' };
  const usual = ['server.js', 'app.js', 'index.js', 'server.ts', 'app.ts', 'index.ts'].find((name) =>
    statSync(join(folder, name), { throwIfNoEntry: false })?.isFile(),
  );
  const hint = usual === undefined ? 'Name the file that starts the application.' : `Did you mean fulmar doctor ${usual}?`;
  throw new CliError('FULMAR_CLI_MISSING_FILE', `no file, and package.json names none in scripts.start or main. ${hint}`);
}

function readManifest(folder: string): Manifest {
  let text: string;
  try {
    text = readFileSync(join(folder, 'package.json'), 'utf8');
  } catch {
    throw new CliError(
      'FULMAR_CLI_MISSING_FILE',
      'no file, and no package.json here. Usage: fulmar doctor [options] [file] [-- arguments]',
    );
  }
  try {
    return JSON.parse(text) as Manifest;
  } catch (cause) {
    throw new CliError('FULMAR_CLI_MISSING_FILE', `no file, and package.json does not parse: ${(cause as Error).message}`, { cause });
  }
}

/** The file that a start script runs with one of the known programs; `undefined` for anything less plain. */
export function fileOfScript(script: string): string | undefined {
  const [command = ''] = script.split(/&&|\|\||;|\|/).slice(-1);
  const words = command.trim().split(/\s+/);
  let isRun = false;
  for (const word of words) {
    if (/^\w+=/.test(word) || word.startsWith('-') || word === 'run') continue;
    if (runners.has(word)) isRun = true;
    else return isRun && /^[\w@./-]+$/.test(word) ? word : undefined;
  }
  return undefined;
}
