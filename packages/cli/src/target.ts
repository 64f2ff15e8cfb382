/**
 * What to start: the file that was named, or what this folder's `package.json` or a usual name says. For all
 * commands that take a file.
 *
 * Loaded where no file was named, never on the way to an application's start. Reads manifests and directory
 * entries only.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { complete, findEntry, isFile, usualNames } from './entry.ts';
import { findProjectAt, hasConfig, projectTarget, routesFolder } from './project-target.ts';
import { CliError } from '../../fulmar/src/launch/errors.ts';
import { CommandError } from './errors.ts';
import { tell } from '../../fulmar/src/launch/terminal/tell.ts';

export interface Target {
  /** Absolute. */
  readonly file: string;
  /** As the user wrote it; what was found relative to the working directory. */
  readonly name: string;
  /** Where it was found: `the command line`, `scripts.start of package.json` … */
  readonly source: string;
  /** The folder that is a project without a file to start: `file` is our own that opens it. */
  readonly project?: string;
  /** What the file is given before the arguments of the command line. */
  readonly args?: readonly string[];
}

interface Manifest {
  readonly main?: unknown;
  readonly scripts?: { readonly start?: unknown };
}

/** Programs that a start script may run a file with. */
const runners: ReadonlySet<string> = new Set(['node', 'nodemon', 'tsx', 'ts-node', 'ts-node-dev', 'fulmar', 'npx', 'cross-env', 'dotenv']);
const ownCommands: ReadonlySet<string> = new Set(['dev', 'start', 'build']);
/** Not those of JSX: it is pages that begin there. */
const usualExtensions: readonly string[] = ['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'];

/**
 * The file that was named; without one, what is found, which a line on standard error tells. Throws a
 * `CommandError` where there is none.
 */
export function findTarget(file: string | undefined, command: { readonly name: string; readonly doing: string }): Target {
  if (file === '') throw new CommandError('FULMAR_CLI_MISSING_FILE', 'the name of the file is empty');
  if (file !== undefined) return findProjectAt(file) ?? { file: findEntry(file), name: file, source: 'the command line' };
  const target = findUnnamed(process.cwd(), command.name);
  tell(`${command.doing} ${target.name} (${target.source})`);
  return target;
}

/** Throws a `CommandError` with all that was looked for. `command` is for the advice. */
export function findUnnamed(folder: string, command: string): Target {
  const manifest = readManifest(folder);
  const missed: string[] = [];
  const started = typeof manifest === 'string' ? undefined : fromScript(manifest, folder, missed);
  if (started !== undefined) return started;
  if (hasConfig(folder)) return projectTarget(folder, 'fulmar.config');
  const found = typeof manifest === 'string' ? void missed.push(manifest) : fromMain(manifest, folder, missed);
  if (found !== undefined) return found;
  for (const usual of usualNames) {
    const file = complete(join(folder, usual), usualExtensions);
    if (file !== undefined) return { file, name: relative(folder, file), source: 'a usual name' };
  }
  const routes = routesFolder(folder);
  if (routes !== undefined) return projectTarget(folder, `the folder ${routes}`);
  throw new CommandError(
    'FULMAR_CLI_MISSING_FILE',
    `no file was named, and none was found: ${missed.join(', ')}, and no server, app, index or main (${usualExtensions.join(', ')}) here or in src, nor a fulmar.config or a folder routes. Name the file: fulmar ${command} <file>`,
  );
}

function fromScript({ scripts }: Manifest, folder: string, missed: string[]): Target | undefined {
  const { start } = scripts ?? {};
  const started = typeof start === 'string' ? fileOfScript(start) : undefined;
  // What it names is meant, built or not: nothing else is run in its place.
  if (started !== undefined) return named(started, folder, 'scripts.start of package.json');
  missed.push(typeof start === 'string' ? `scripts.start of package.json runs no file ("${start}")` : 'package.json has no scripts.start');
  return undefined;
}

function fromMain({ main }: Manifest, folder: string, missed: string[]): Target | undefined {
  if (typeof main !== 'string') {
    missed.push('it has no main');
    return undefined;
  }
  const path = join(folder, main);
  const file = isFile(path) ? path : (complete(path) ?? complete(join(path, 'index')));
  // `npm init` writes one, whether or not there is a file.
  if (file === undefined) missed.push(`its main does not exist (${main})`);
  else return named(main, folder, 'main of package.json', file);
  return undefined;
}

function named(name: string, folder: string, source: string, file = join(folder, name)): Target {
  try {
    const entry = findEntry(file);
    return { file: entry, name: relative(folder, entry), source };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    throw new CommandError(error.code, `${source} names ${name}: ${error.message}`, { cause: error });
  }
}

/** A text says why there is none to read. */
function readManifest(folder: string): Manifest | string {
  let text: string;
  try {
    text = readFileSync(join(folder, 'package.json'), 'utf8');
  } catch {
    return 'no package.json';
  }
  try {
    return (JSON.parse(text) as Manifest | null) ?? {};
  } catch (error) {
    return `package.json does not parse (${(error as Error).message})`;
  }
}

/** The file that a start script runs with one of the known programs; `undefined` for anything less plain. */
export function fileOfScript(script: string): string | undefined {
  const [command = ''] = script.split(/&&|\|\||;|\|/).slice(-1);
  const words = command.trim().split(/\s+/);
  let isRun = false;
  for (const word of words) {
    if (/^\w+=/.test(word) || word.startsWith('-') || word === 'run') continue;
    // `fulmar start` runs what was built, and names nothing.
    if (isRun && ownCommands.has(word)) return undefined;
    if (runners.has(word)) isRun = true;
    else return isRun && /^[\w@./-]+$/.test(word) ? word : undefined;
  }
  return undefined;
}
