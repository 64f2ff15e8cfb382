/**
 * The functions of `node:fs`. Those that are one operation come from `fs/table.ts`; streams, folders, copying
 * of trees and watching are loaded when they are used. Files that the executable carries are read by the same
 * functions (`embedded.ts`).
 */
import later from 'fulmar:later';
import type * as NodeFs from 'node:fs';
import { calledBack } from '../shared/deferred.ts';
import { type Callback, callbackOf, type Options, optionsOf, pathOf } from './arguments.ts';
import { constants } from './constants.ts';
import * as plans from './plans.ts';
import { inBackground, now, nowOrMissing } from './run.ts';
import { Dirent, Stats } from './stats.ts';
import { type Line, table } from './table.ts';
import { gathered, readTransfer, scattered, type Transfer, writeTransfer } from './transfer.ts';
import type { FileStreams } from './streams.later.ts';
import type { Trees } from './trees.later.ts';
import type { Watchers } from './watch.later.ts';
import { AbortError } from '../shared/errors.ts';
import { validateFunction } from '../shared/validators.ts';

type Fn = (...args: unknown[]) => unknown;

const fs: Record<string, unknown> = {};
const promisified = Symbol.for('nodejs.util.promisify.custom');

const streams = (): FileStreams => later<typeof import('./streams.later.ts')>() as FileStreams;
const trees = (): Trees => later<typeof import('./trees.later.ts')>() as Trees;
const watchers = (): Watchers => later<typeof import('./watch.later.ts')>() as Watchers;
const promises = (): typeof NodeFs.promises => process.getBuiltinModule('node:fs/promises');

function define(name: string, line: Line): void {
  const callbackForm = (...args: unknown[]): void => {
    let end = line.most;
    for (let at = line.least; at < line.most; at++) {
      if (typeof args[at] !== 'function') continue;
      end = at;
      break;
    }
    if (line.checksCallbackLast === true) {
      const plan = line.plan(...args.slice(0, end));
      inBackground(plan, callbackOf(args[end]));
      return;
    }
    const callback = callbackOf(args[end]);
    inBackground(line.plan(...args.slice(0, end)), callback);
  };
  fs[name] = named(name, callbackForm);
  fs[`${name}Sync`] = named(`${name}Sync`, (...args) => now(line.plan(...args)));
}

function named(name: string, value: Fn): Fn {
  return Object.defineProperty(value, 'name', { value: name, configurable: true });
}

for (const name of Object.keys(table)) define(name, table[name] as Line);

/** `stat` and `lstat` may give undefined for what does not exist. */
function statSync(path: unknown, options: Options | undefined, operation: 'stat' | 'lstat'): Stats | undefined {
  const plan = plans.stat(path, options, operation);
  return options?.['throwIfNoEntry'] === false ? nowOrMissing(plan) : now(plan);
}

/** What a callback gets in addition to the count: the buffer. */
function transferLater(transfer: Transfer, callback: Callback): void {
  const done = callback as (error: Error | null, count: number, buffer: unknown) => void;
  inBackground(transfer.plan, (error: Error | null, count?: never) => done(error, count ?? 0, transfer.buffer));
}

function vectorLater(plan: plans.Vector, buffers: unknown, callback: Callback): void {
  const done = callback as (error: Error | null, count: number, buffers: unknown) => void;
  inBackground(plan, (error: Error | null, count?: never) => done(error, count ?? 0, buffers));
}

/** Ends early with an `AbortError` when the signal says so. */
function abortable(signal: AbortSignal | undefined, callback: Callback): Callback | undefined {
  if (signal === undefined) return callback;
  const aborted = (): Error => new AbortError(undefined, { cause: signal.reason });
  if (signal.aborted) {
    process.nextTick(() => callback(aborted()));
    return undefined;
  }
  return (error, ...values) => (signal.aborted ? callback(aborted()) : callback(error, ...values));
}

function readFile(path: unknown, given: unknown, last?: unknown): void {
  const callback = callbackOf(last ?? given);
  const options = optionsOf(given, { flag: 'r' });
  const done = abortable(options.signal, callback);
  if (done === undefined) return;
  const plan = plans.readFile(path, options);
  inBackground({ ...plan, namesFolder: true }, done);
}

/** By path in one operation, by descriptor until all is written. */
function writeWhole(path: unknown, data: unknown, options: Options, callback: Callback): void {
  const done = abortable(options.signal, callback);
  if (done === undefined) return;
  if (typeof path !== 'number') return inBackground(plans.writeFile(path, data, options), done);
  let rest = plans.bytes(data, options.encoding);
  const next = (): void =>
    inBackground(plans.write(path, rest, -1), (error: Error | null, count?: never) => {
      if (error) return done(error);
      rest = rest.subarray(count ?? 0);
      if (rest.length === 0) done(null);
      else next();
    });
  next();
}

function writeWholeSync(path: unknown, data: unknown, options: Options): void {
  if (typeof path !== 'number') return now(plans.writeFile(path, data, options));
  for (let rest = plans.bytes(data, options.encoding); rest.length > 0;) rest = rest.subarray(now(plans.write(path, rest, -1)));
}

function realpath(path: unknown, given: unknown, last?: unknown): void {
  const callback = callbackOf(last ?? given);
  inBackground(plans.realpath(path, optionsOf(given), 'lstat'), callback);
}

function realpathSync(path: unknown, given?: unknown): unknown {
  return now(plans.realpath(path, optionsOf(given), 'lstat'));
}

Object.assign(realpath, {
  native: (path: unknown, given: unknown, last?: unknown) =>
    inBackground(plans.realpath(path, optionsOf(given)), callbackOf(last ?? given)),
});
Object.assign(realpathSync, { native: (path: unknown, given?: unknown) => now(plans.realpath(path, optionsOf(given))) });

const APPEND: Options = { encoding: 'utf8', mode: 0o666, flag: 'a' };
const WRITE: Options = { encoding: 'utf8', mode: 0o666, flag: 'w' };

function isFound(path: unknown): boolean {
  try {
    now(plans.access(path));
    return true;
  } catch {
    return false;
  }
}

function exists(path: unknown, callback: unknown): void {
  validateFunction(callback, 'cb');
  const answer = callback as (found: boolean) => void;
  let plan;
  try {
    plan = plans.access(path);
  } catch {
    answer(false);
    return;
  }
  inBackground(plan, (error) => answer(error === null));
}
Object.defineProperty(exists, promisified, { value: (path: unknown) => new Promise((resolve) => exists(path, resolve)) });

function openLater(path: unknown, flags: unknown, mode: unknown, last: unknown): void {
  if (typeof flags === 'function') return inBackground(plans.open(path, 'r', undefined), flags as Callback);
  if (typeof mode === 'function') return inBackground(plans.open(path, flags, undefined), mode as Callback);
  inBackground(plans.open(path, flags, mode), callbackOf(last));
}

function close(fd: unknown, callback?: unknown): void {
  const done = callback === undefined ? rethrow : callbackOf(callback);
  inBackground(plans.close(fd), done);
}

function rethrow(error: Error | null): void {
  if (error) throw error;
}

function read(fd: unknown, ...args: unknown[]): void {
  const callback = callbackOf(args.pop());
  transferLater(readTransfer(fd, args), callback);
}

function write(fd: unknown, ...args: unknown[]): void {
  const callback = callbackOf(args.pop());
  transferLater(writeTransfer(fd, args), callback);
}

/** `util.promisify` of `read` and `write` gives both values, by name. */
function promiseOfBoth(start: (fd: unknown, ...args: unknown[]) => void, names: readonly [string, string]): Fn {
  return (fd, ...args) =>
    new Promise((resolve, reject) => {
      start(fd, ...args, (error: Error | null, count: number, data: unknown) =>
        error ? reject(error) : resolve({ [names[0]]: count, [names[1]]: data }),
      );
    });
}

function readv(fd: unknown, buffers: unknown, position: unknown, last?: unknown): void {
  const callback = callbackOf(last ?? position);
  vectorLater(scattered(fd, buffers, position), buffers, callback);
}

function writev(fd: unknown, buffers: unknown, position: unknown, last?: unknown): void {
  const callback = callbackOf(last ?? position);
  vectorLater(gathered(fd, buffers, position), buffers, callback);
}

Object.defineProperty(read, promisified, { value: promiseOfBoth(read, ['bytesRead', 'buffer']) });
Object.defineProperty(write, promisified, { value: promiseOfBoth(write, ['bytesWritten', 'buffer']) });
Object.defineProperty(readv, promisified, { value: promiseOfBoth(readv as Fn, ['bytesRead', 'buffers']) });
Object.defineProperty(writev, promisified, { value: promiseOfBoth(writev as Fn, ['bytesWritten', 'buffers']) });

Object.assign(fs, {
  appendFile: (path: unknown, data: unknown, given: unknown, last?: unknown) =>
    writeWhole(path, data, optionsOf(given, APPEND), callbackOf(last ?? given)),
  appendFileSync: (path: unknown, data: unknown, given?: unknown) => writeWholeSync(path, data, optionsOf(given, APPEND)),
  close,
  closeSync: (fd: unknown) => now(plans.close(fd)),
  exists,
  existsSync: isFound,
  lchmod: undefined,
  lchmodSync: undefined,
  lstatSync: (path: unknown, options?: Options) => statSync(path, options, 'lstat'),
  statSync: (path: unknown, options?: Options) => statSync(path, options, 'stat'),
  open: openLater,
  openSync: (path: unknown, flags?: unknown, mode?: unknown) => now(plans.open(path, flags, mode)),
  read,
  readSync: (fd: unknown, ...args: unknown[]) => now(readTransfer(fd, args).plan),
  readv,
  readvSync: (fd: unknown, buffers: unknown, position?: unknown) => now(scattered(fd, buffers, position)),
  readFile,
  readFileSync: (path: unknown, given?: unknown) => now(plans.readFile(path, optionsOf(given, { flag: 'r' }))),
  realpath,
  realpathSync,
  rm(path: unknown, given: unknown, last?: unknown) {
    const callback = callbackOf(last ?? given);
    pathOf(path);
    calledBack(trees().remove(path, plans.rmOptions(given)), (error) => callback(error));
  },
  rmSync: (path: unknown, given?: unknown) => trees().removeSync(path, plans.rmOptions(given)),
  write,
  writeSync: (fd: unknown, ...args: unknown[]) => now(writeTransfer(fd, args).plan),
  writev,
  writevSync: (fd: unknown, buffers: unknown, position?: unknown) => now(gathered(fd, buffers, position)),
  writeFile: (path: unknown, data: unknown, given: unknown, last?: unknown) => {
    const callback = callbackOf(last ?? given);
    writeWhole(path, data, optionsOf(given, WRITE), callback);
  },
  writeFileSync: (path: unknown, data: unknown, given?: unknown) => writeWholeSync(path, data, optionsOf(given, WRITE)),
  createReadStream: (path: unknown, options?: unknown) => streams().createReadStream(path, options),
  createWriteStream: (path: unknown, options?: unknown) => streams().createWriteStream(path, options),
  cp: (from: unknown, to: unknown, given: unknown, last?: unknown) => {
    const callback = callbackOf(last ?? given);
    const copied = promises().cp(from as string, to as string, typeof given === 'function' ? undefined : (given as object));
    calledBack(copied, callback as (error: Error | null) => void);
  },
  cpSync: (from: unknown, to: unknown, options?: unknown) => trees().copySync(from, to, options),
  glob: (pattern: unknown, given: unknown, last?: unknown) => trees().globLater(pattern, given, callbackOf(last ?? given)),
  globSync: (pattern: unknown, options?: unknown) => trees().globSync(pattern, options),
  mkdtempDisposableSync: (prefix: unknown, options?: unknown) => trees().temporary(now(plans.mkdtemp(prefix, optionsOf(options)))),
  openAsBlob: (path: unknown, options?: unknown) => trees().blob(path, options),
  opendir: (path: unknown, given: unknown, last?: unknown) => {
    const callback = last ?? given;
    validateFunction(callback, 'callback');
    trees().openFolderLater(path, given, callback as Callback);
  },
  opendirSync: (path: unknown, options?: unknown) => trees().openFolderSync(path, options),
  watch: (path: unknown, options?: unknown, listener?: unknown) => watchers().watch(path, options, listener),
  watchFile: (path: unknown, options: unknown, listener?: unknown) => watchers().watchFile(path, options, listener),
  unwatchFile: (path: unknown, listener?: unknown) => watchers().unwatchFile(path, listener),
  Dirent,
  Stats,
  F_OK: constants['F_OK'],
  R_OK: constants['R_OK'],
  W_OK: constants['W_OK'],
  X_OK: constants['X_OK'],
  constants,
});

/** Classes that are loaded when they are read; an application may put its own in their place. */
function defineLazily(name: string, get: () => unknown): void {
  const set = (value: unknown): void =>
    void Object.defineProperty(fs, name, { value, enumerable: true, configurable: true, writable: true });
  Object.defineProperty(fs, name, { enumerable: true, configurable: true, get, set });
}

defineLazily('ReadStream', () => streams().ReadStream);
defineLazily('WriteStream', () => streams().WriteStream);
defineLazily('FileReadStream', () => streams().ReadStream);
defineLazily('FileWriteStream', () => streams().WriteStream);
defineLazily('Dir', () => trees().Dir);
Object.defineProperty(fs, 'promises', { enumerable: true, configurable: true, get: promises });

export default fs as unknown as typeof NodeFs;
