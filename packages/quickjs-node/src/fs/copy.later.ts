/**
 * `fs.cp` and `fs.cpSync`: copies a tree.
 */
import path from 'node:path';
import { coded } from '../shared/errors.ts';
import { errnoOf } from '../shared/errno.ts';
import { pathOf, pathText } from './arguments.ts';
import * as plans from './plans.ts';
import { now, nowOrMissing } from './run.ts';
import type { Stats } from './stats.ts';
import { validateBoolean, validateFunction, validateInteger, validateObject } from '../shared/validators.ts';

interface CopyOptions {
  readonly dereference: boolean;
  readonly errorOnExist: boolean;
  readonly filter: ((from: string, to: string) => boolean | Promise<boolean>) | undefined;
  readonly force: boolean;
  readonly mode: number;
  readonly preserveTimestamps: boolean;
  readonly recursive: boolean;
  readonly verbatimSymlinks: boolean;
  /** Node's two forms say it in different words. */
  readonly folderRefused: (from: string) => string;
}

function copyOptions(given: unknown, folderRefused: CopyOptions['folderRefused']): CopyOptions {
  if (given !== undefined) validateObject(given, 'options');
  const options = {
    dereference: false,
    errorOnExist: false,
    filter: undefined,
    force: true,
    mode: 0,
    preserveTimestamps: false,
    recursive: false,
    verbatimSymlinks: false,
    ...(given as Partial<CopyOptions> | undefined),
    folderRefused,
  };
  for (const name of ['dereference', 'errorOnExist', 'force', 'preserveTimestamps', 'recursive', 'verbatimSymlinks'] as const) {
    validateBoolean(options[name], `options.${name}`);
  }
  validateInteger(options.mode, 'mode', 0, 7);
  if (options.filter !== undefined) validateFunction(options.filter, 'options.filter');
  return options;
}

const REASONS: Readonly<Record<string, readonly [string, string, string]>> = {
  ERR_FS_CP_DIR_TO_NON_DIR: ['EISDIR', 'Cannot overwrite non-directory with directory', 'is a directory'],
  ERR_FS_CP_EEXIST: ['EEXIST', 'Target already exists', 'file already exists'],
  ERR_FS_CP_EINVAL: ['EINVAL', 'Invalid src or dest', 'invalid argument'],
  ERR_FS_CP_NON_DIR_TO_DIR: ['ENOTDIR', 'Cannot overwrite directory with non-directory', 'not a directory'],
  ERR_FS_EISDIR: ['EISDIR', 'Path is a directory', 'is a directory'],
};

function failure(code: string, message: string, place: string): Error {
  const [name, title] = REASONS[code] as readonly [string, string, string];
  const errno = Math.abs(errnoOf(name) ?? 0);
  const error = coded(Error, code, `${title}: cp returned ${name} (${message}) ${place}`);
  error.name = 'SystemError';
  return Object.assign(error, { info: { message, path: place, syscall: 'cp', errno, code: name }, errno, syscall: 'cp', path: place });
}

const look = (at: string, dereference: boolean) => plans.stat(at, undefined, dereference ? 'stat' : 'lstat');

/** Copies one entry; yields the folder's entries that come next. */
function step(from: string, to: string, options: CopyOptions): [string, string][] {
  const source = now(look(from, options.dereference));
  const target = nowOrMissing(look(to, options.dereference));
  check(from, to, source, target, options);
  if (source.isDirectory()) return folder(from, to, source, target);
  if (source.isSymbolicLink()) link(from, to, target, options);
  else file(from, to, source, target, options);
  return [];
}

function check(from: string, to: string, source: Stats, target: Stats | undefined, options: CopyOptions): void {
  if (target !== undefined) {
    if (source.ino === target.ino && source.dev === target.dev) throw failure('ERR_FS_CP_EINVAL', 'src and dest cannot be the same', to);
    if (source.isDirectory() && !target.isDirectory()) {
      throw failure('ERR_FS_CP_DIR_TO_NON_DIR', `cannot overwrite non-directory ${to} with directory ${from}`, to);
    }
    if (!source.isDirectory() && target.isDirectory()) {
      throw failure('ERR_FS_CP_NON_DIR_TO_DIR', `cannot overwrite directory ${to} with non-directory ${from}`, to);
    }
  }
  if (!source.isDirectory()) return;
  if (!options.recursive) throw failure('ERR_FS_EISDIR', options.folderRefused(from), from);
  if (`${path.resolve(to)}/`.startsWith(`${path.resolve(from)}/`)) {
    throw failure('ERR_FS_CP_EINVAL', `cannot copy ${from} to a subdirectory of self ${to}`, to);
  }
}

function folder(from: string, to: string, source: Stats, target: Stats | undefined): [string, string][] {
  if (target === undefined) {
    now(plans.mkdir(to, { recursive: true }));
    now(plans.chmod(to, source.mode & 0o7777));
  }
  const names = now(plans.readdir(from, undefined)) as string[];
  return names.map((name) => [path.join(from, name), path.join(to, name)]);
}

function link(from: string, to: string, target: Stats | undefined, options: CopyOptions): void {
  let aim = now(plans.readlink(from, {})) as string;
  if (!options.verbatimSymlinks && !path.isAbsolute(aim)) aim = path.resolve(path.dirname(from), aim);
  if (target !== undefined) now(plans.unlink(to));
  now(plans.symlink(aim, to));
}

function file(from: string, to: string, source: Stats, target: Stats | undefined, options: CopyOptions): void {
  if (target !== undefined) {
    if (!options.force) {
      if (options.errorOnExist) throw failure('ERR_FS_CP_EEXIST', `${to} already exists`, to);
      return;
    }
    now(plans.unlink(to));
  }
  now(plans.copyFile(from, to, options.mode));
  if (options.preserveTimestamps) now(plans.utimes(to, source.atimeMs / 1000, source.mtimeMs / 1000, true));
  now(plans.chmod(to, source.mode & 0o7777));
}

function start(from: unknown, to: unknown): [string, string] {
  const pair: [string, string] = [pathText(pathOf(from, 'src')), pathText(pathOf(to, 'dest'))];
  return pair;
}

export function copyTreeSync(from: unknown, to: unknown, given: unknown): void {
  const options = copyOptions(given, (folder) => `Recursive option not enabled, cannot copy a directory: ${folder}`);
  const waiting = [start(from, to)];
  let first = true;
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const chosen = options.filter === undefined || options.filter(pair[0], pair[1]);
    if (typeof chosen === 'object')
      throw new TypeError('Expected boolean to be returned from the "filter" function but got an instance of Promise.');
    if (!chosen) continue;
    if (first) now(plans.mkdir(path.dirname(path.resolve(pair[1])), { recursive: true }));
    first = false;
    waiting.push(...step(pair[0], pair[1], options).reverse());
  }
}

/** As `copyTreeSync`; other work goes on between two entries. */
export async function copyTree(from: unknown, to: unknown, given: unknown): Promise<void> {
  const options = copyOptions(given, (folder) => `${folder} is a directory (not copied)`);
  const waiting = [start(from, to)];
  let first = true;
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    if (options.filter !== undefined && !(await options.filter(pair[0], pair[1]))) continue;
    if (first) now(plans.mkdir(path.dirname(path.resolve(pair[1])), { recursive: true }));
    first = false;
    await new Promise((resolve) => setImmediate(resolve));
    waiting.push(...step(pair[0], pair[1], options).reverse());
  }
}
