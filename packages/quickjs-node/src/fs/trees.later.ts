/**
 * What `node:fs` does with folders and trees: opening, removing, copying, matching; loaded when it is used.
 */
import type * as NodeFs from 'node:fs';
import { calledBack } from '../shared/deferred.ts';
import { coded, invalidArgType } from '../shared/errors.ts';
import { type Callback, callbackOf, type Options, optionsOf, pathOf, pathText } from './arguments.ts';
import * as plans from './plans.ts';
import { now, nowOrMissing, promised } from './run.ts';
import type { Dirent } from './stats.ts';
import { validateBoolean, validateFunction, validateInteger } from '../shared/validators.ts';
import { copyTree, copyTreeSync } from './copy.later.ts';
import { globSync as matchedNow, globAsync } from './glob.later.ts';

type RemoveOptions = ReturnType<typeof plans.rmOptions>;

export interface Trees {
  Dir: unknown;
  remove(path: unknown, options: RemoveOptions): Promise<void>;
  removeSync(path: unknown, options: RemoveOptions): void;
  copy(from: unknown, to: unknown, options: unknown): Promise<void>;
  copySync(from: unknown, to: unknown, options: unknown): void;
  openFolder(path: unknown, options: unknown): Promise<Dir>;
  openFolderSync(path: unknown, options: unknown): Dir;
  openFolderLater(path: unknown, options: unknown, callback: Callback): void;
  glob(pattern: unknown, options: unknown): AsyncIterable<unknown>;
  globLater(pattern: unknown, options: unknown, callback: Callback): void;
  globSync(pattern: unknown, options: unknown): unknown[];
  temporary(path: unknown): object;
  blob(path: unknown, options: unknown): Promise<Blob>;
}

/** `rm` looks first: what is missing is reported by `lstat`, a folder needs `recursive`. */
function checkRemoval(path: unknown, options: RemoveOptions): void {
  const stats = options.force ? nowOrMissing(plans.stat(path, undefined, 'lstat')) : now(plans.stat(path, undefined, 'lstat'));
  if (!stats?.isDirectory() || options.recursive) return;
  const text = pathText(pathOf(path));
  const error = coded(Error, 'ERR_FS_EISDIR', `Path is a directory: rm returned EISDIR (is a directory) ${text}`);
  error.name = 'SystemError';
  throw Object.assign(error, {
    info: { code: 'EISDIR', message: 'is a directory', path: text, syscall: 'rm', errno: 21 },
    errno: 21,
    syscall: 'rm',
    path: text,
  });
}

export async function remove(path: unknown, options: RemoveOptions): Promise<void> {
  checkRemoval(path, options);
  await promised(plans.rm(path, options));
}

export function removeSync(path: unknown, options: RemoveOptions): void {
  checkRemoval(path, options);
  now(plans.rm(path, options));
}

export const copy = copyTree;
export const copySync = copyTreeSync;

function closedError(): Error {
  return coded(Error, 'ERR_DIR_CLOSED', 'Directory handle was closed');
}

/** The entries are read when the folder is opened. */
export class Dir {
  readonly #path: string;
  #entries: Dirent[];
  #at = 0;
  #closed = false;

  constructor(path: string, entries: Dirent[]) {
    this.#path = path;
    this.#entries = entries;
  }

  get path(): string {
    return this.#path;
  }

  readSync(): Dirent | null {
    if (this.#closed) throw closedError();
    return this.#entries[this.#at++] ?? null;
  }

  read(callback?: (error: Error | null, entry: Dirent | null) => void): Promise<Dirent | null> | undefined {
    if (callback === undefined) return this.#readLater();
    validateFunction(callback, 'callback');
    if (this.#closed) throw closedError();
    const entry = this.readSync();
    process.nextTick(callback, null, entry);
    return undefined;
  }

  async #readLater(): Promise<Dirent | null> {
    return this.readSync();
  }

  closeSync(): void {
    if (this.#closed) throw closedError();
    this.#closed = true;
    this.#entries = [];
  }

  close(callback?: (error: Error | null) => void): Promise<void> | undefined {
    if (callback === undefined) return this.#closeLater();
    validateFunction(callback, 'callback');
    if (this.#closed) {
      process.nextTick(callback, closedError());
      return undefined;
    }
    this.closeSync();
    process.nextTick(callback, null);
    return undefined;
  }

  async #closeLater(): Promise<void> {
    this.closeSync();
  }

  async *entries(): AsyncGenerator<Dirent> {
    try {
      for (let entry = this.readSync(); entry !== null; entry = this.readSync()) yield entry;
    } finally {
      if (!this.#closed) this.closeSync();
    }
  }

  [Symbol.asyncIterator](): AsyncGenerator<Dirent> {
    return this.entries();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#closed) this.closeSync();
  }

  [Symbol.dispose](): void {
    if (!this.#closed) this.closeSync();
  }
}

function folderPlan(path: unknown, given: unknown) {
  const options = optionsOf(given, { encoding: 'utf8' });
  const size = options['bufferSize'] ?? 32;
  validateInteger(size, 'options.bufferSize', 1, 4294967295);
  const recursive = options['recursive'];
  if (recursive !== undefined) validateBoolean(recursive, 'options.recursive');
  return { ...plans.readdir(path, { ...options, withFileTypes: true }), syscall: 'opendir' };
}

export async function openFolder(path: unknown, options: unknown): Promise<Dir> {
  const plan = folderPlan(path, options);
  return new Dir(pathText(pathOf(path)), (await promised(plan)) as Dirent[]);
}

export function openFolderSync(path: unknown, options: unknown): Dir {
  const plan = { ...folderPlan(path, options), path: undefined };
  return new Dir(pathText(pathOf(path)), now(plan) as Dirent[]);
}

export function openFolderLater(path: unknown, options: unknown, callback: Callback): void {
  const done = callback as (error: Error | null, folder?: Dir) => void;
  pathOf(path);
  calledBack(openFolder(path, options), done);
}

export function glob(pattern: unknown, options: unknown): AsyncIterable<unknown> {
  return globAsync(pattern, options);
}

export function globLater(pattern: unknown, given: unknown, callback: Callback): void {
  const done = callbackOf(callback) as (error: Error | null, found?: unknown[]) => void;
  const options = typeof given === 'function' ? undefined : given;
  let found: unknown[];
  try {
    found = matchedNow(pattern, options);
  } catch (error) {
    process.nextTick(done, error as Error);
    return;
  }
  process.nextTick(done, null, found);
}

export const globSync = matchedNow;

/** A temporary folder that is removed at the end of its block. */
export function temporary(path: unknown): object {
  const gone = (): void => removeSync(path, { recursive: true, force: true, maxRetries: 0, retryDelay: 100 });
  return { path, remove: gone, [Symbol.dispose]: gone };
}

export async function blob(path: unknown, given: unknown): Promise<Blob> {
  const { type = '' } = (given ?? {}) as { type?: unknown };
  if (typeof type !== 'string') throw invalidArgType('options.type', 'string', type);
  const bytes = (await promised(plans.readFile(pathOf(path), {} as Options))) as Buffer;
  return new Blob([new Uint8Array(bytes)], { type });
}

export type { NodeFs };
