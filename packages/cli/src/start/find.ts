/**
 * What `fulmar start` runs: the newer of a project's built files, and whether a source is newer still. Reads directory entries
 * only.
 */
import { type Dirent, readdirSync, type Stats, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { CommandError } from '../errors.ts';

export interface Built {
  readonly file: string;
  readonly native: boolean;
  /** Where its sources are; `undefined`: it was named itself. */
  readonly folder: string | undefined;
}

export interface Wish {
  readonly native: boolean;
  /** Options are given that an executable does not have. */
  readonly needsNode: boolean;
}

/** Of a project with more, the rest is not looked at. */
const FILES_MAX = 20_000;

/** What an application writes is mostly something else. */
const SOURCE = /\.(?:[cm]?[jt]sx?|html|md|css)$/;

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });
const shown = (path: string): string => relative(process.cwd(), path) || '.';

/** @throws CommandError where nothing is built */
export function findBuilt(name: string | undefined, { native, needsNode }: Wish): Built {
  const folder = resolve(name ?? '.');
  const found = statOf(folder);
  if (found === undefined)
    throw new CommandError('FULMAR_CLI_NOT_FOUND', `${name} does not exist. fulmar start takes the folder of a project`);
  if (!found.isDirectory()) return ofFile(folder, native);
  const candidates = [
    { file: join(folder, 'dist', 'server.mjs'), native: false },
    { file: join(folder, 'dist', 'server'), native: true },
  ].filter((one) => statOf(one.file)?.isFile() === true);
  const allowed = candidates.filter((one) => (native ? one.native : !one.native || !needsNode));
  const [newest] = allowed.toSorted((one, other) => timeOf(other.file) - timeOf(one.file));
  if (newest !== undefined) return { ...newest, folder };
  const missing = native
    ? join('dist', 'server')
    : needsNode
      ? join('dist', 'server.mjs')
      : `${join('dist', 'server.mjs')} or ${join('dist', 'server')}`;
  const command = `fulmar build${name === undefined ? '' : ` ${name}`}${native ? ' --native' : ''}`;
  throw new CommandError('FULMAR_CLI_NOT_FOUND', `nothing is built in ${shown(folder)}: there is no ${missing}. Make it: ${command}`);
}

function ofFile(file: string, native: boolean): Built {
  const isModule = file.endsWith('.mjs');
  if (isModule && native)
    throw new CommandError('FULMAR_CLI_INVALID_VALUE', `--native is for executables, and ${shown(file)} is a file for Node`);
  return { file, native: !isModule, folder: undefined };
}

const timeOf = (file: string): number => statOf(file)?.mtimeMs ?? 0;

/** A source that is newer than what was built of it. */
export function newerSource({ file, folder }: Built): string | undefined {
  if (folder === undefined) return undefined;
  const built = timeOf(file);
  let count = 0;
  for (const source of sourcesIn(folder)) {
    if ((count += 1) > FILES_MAX) return undefined;
    if (timeOf(source) > built) return shown(source);
  }
  return undefined;
}

function* sourcesIn(folder: string): Generator<string> {
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    // Not ours to see: nothing was built of it either.
    return;
  }
  for (const entry of entries) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sourcesIn(path);
    else if (entry.isFile() && SOURCE.test(entry.name)) yield path;
  }
}
