/**
 * What each of `node:fs`'s functions does, the same for its three forms.
 */
import { bytesInView, parseFileMode, validateBoolean, validateInteger, validateUint32 } from '../shared/validators.ts';
import { bytesOf, checkEncoding, descriptorOf, flagsOf, type Options, optionsOf, pathOf, pathText, timeOf } from './arguments.ts';
import { constants } from './constants.ts';
import type { Plan } from './run.ts';
import { Dirent, type Stats, statFsOf, statsOf } from './stats.ts';

type Raw = string | ArrayBuffer;
type Name = string | Buffer;

/** A name as the encoding asks for it. */
export function nameAs(raw: Raw, encoding: unknown): Name {
  if (typeof raw === 'string' && (encoding === undefined || encoding === null || encoding === '' || /^utf-?8$/i.test(encoding as string))) {
    return raw;
  }
  const bytes = typeof raw === 'string' ? Buffer.from(raw) : Buffer.from(raw);
  return encoding === 'buffer' ? bytes : bytes.toString((encoding ?? 'utf8') as BufferEncoding);
}

export function contentAs(bytes: ArrayBuffer, encoding: unknown): Buffer | string {
  const buffer = Buffer.from(bytes);
  return encoding && encoding !== 'buffer' ? buffer.toString(encoding as BufferEncoding) : buffer;
}

const same = (value: number): number => value;

export function access(path: unknown, mode: unknown = constants['F_OK']): Plan<void> {
  const at = pathOf(path);
  validateInteger(mode, 'mode', 0, 7);
  return { operation: 'access', args: [at, mode], syscall: 'access', path: at };
}

export function open(path: unknown, flags: unknown, mode: unknown): Plan<number> {
  const at = pathOf(path);
  const args = [at, flags === undefined ? 0 : flagsOf(flags), parseFileMode(mode, 'mode', 0o666)];
  return { operation: 'open', args, syscall: 'open', path: at, convert: same };
}

export function close(fd: unknown): Plan<void> {
  return { operation: 'close', args: [descriptorOf(fd)], syscall: 'close' };
}

export function readFile(path: unknown, options: Options): Plan<Buffer | string> {
  const convert = (raw: ArrayBuffer): Buffer | string => contentAs(raw, options.encoding);
  if (typeof path === 'number') return { operation: 'readRest', args: [descriptorOf(path)], syscall: 'read', convert };
  const at = pathOf(path);
  return { operation: 'readFile', args: [at, flagsOf(options.flag ?? 'r')], syscall: 'open', path: at, convert };
}

export function writeFile(path: unknown, data: unknown, options: Options): Plan<void> {
  const bytes = bytesOf(data, options.encoding);
  const at = pathOf(path);
  const args = [at, bytes, flagsOf(options.flag ?? 'w'), parseFileMode(options.mode, 'mode', 0o666)];
  return { operation: 'writeFile', args, syscall: 'open', path: at };
}

type StatName = 'stat' | 'lstat';

export function stat(path: unknown, options: Options | undefined, operation: StatName = 'stat'): Plan<Stats> {
  const at = pathOf(path);
  return { operation, args: [at], syscall: operation, path: at, convert: (raw: Float64Array) => statsOf(raw, options?.['bigint']) };
}

export function fstat(fd: unknown, options: Options | undefined): Plan<Stats> {
  const convert = (raw: Float64Array): Stats => statsOf(raw, options?.['bigint']);
  return { operation: 'fstat', args: [descriptorOf(fd)], syscall: 'fstat', convert };
}

export function statfs(path: unknown, options: Options | undefined): Plan<object> {
  const at = pathOf(path);
  return {
    operation: 'statfs',
    args: [at],
    syscall: 'statfs',
    path: at,
    convert: (raw: Float64Array) => statFsOf(raw, options?.['bigint']),
  };
}

export function readdir(path: unknown, given: unknown): Plan<(Name | Dirent)[]> {
  const options = optionsOf(given);
  const at = pathOf(path);
  const recursive = options['recursive'];
  if (recursive !== undefined && recursive !== null) validateBoolean(recursive, 'options.recursive');
  const convert = (raw: (Raw | number)[]): (Name | Dirent)[] =>
    options['withFileTypes'] ? direntsOf(raw, at, options.encoding) : namesOf(raw, options.encoding);
  return { operation: 'readdir', args: [at, recursive === true], syscall: 'scandir', path: at, convert };
}

function namesOf(raw: (Raw | number)[], encoding: unknown): Name[] {
  const names: Name[] = [];
  for (let at = 0; at < raw.length; at += 2) names.push(nameAs(raw[at] as Raw, encoding));
  return names;
}

function direntsOf(raw: (Raw | number)[], folder: string | Uint8Array, encoding: unknown): Dirent[] {
  const entries: Dirent[] = [];
  const parent = pathText(folder);
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at] as Raw;
    const slash = typeof name === 'string' ? name.lastIndexOf('/') : -1;
    const within = slash === -1 ? parent : `${parent.endsWith('/') ? parent : `${parent}/`}${(name as string).slice(0, slash)}`;
    const last = slash === -1 ? name : (name as string).slice(slash + 1);
    const place = encoding === 'buffer' ? Buffer.from(within) : within;
    entries.push(new Dirent(nameAs(last, encoding), raw[at + 1] as number, place));
  }
  return entries;
}

export function mkdir(path: unknown, given: unknown): Plan<string | undefined> {
  const isMode = typeof given === 'number' || typeof given === 'string';
  const options = (isMode ? { mode: given } : (given ?? {})) as { mode?: unknown; recursive?: unknown };
  const { recursive = false } = options;
  validateBoolean(recursive, 'options.recursive');
  const at = pathOf(path);
  const convert = (raw: Raw | number): string | undefined => (recursive && typeof raw === 'string' ? raw : undefined);
  const args = [at, parseFileMode(options.mode, 'mode', 0o777), recursive];
  return { operation: 'mkdir', args, syscall: 'mkdir', path: at, convert };
}

export function mkdtemp(prefix: unknown, options: Options): Plan<Name> {
  const at = pathOf(prefix, 'prefix');
  const shown = `${pathText(at)}XXXXXX`;
  return { operation: 'mkdtemp', args: [at], syscall: 'mkdtemp', path: shown, convert: (raw: Raw) => nameAs(raw, options.encoding) };
}

export function rmdir(path: unknown): Plan<void> {
  const at = pathOf(path);
  return { operation: 'rmdir', args: [at], syscall: 'rmdir', path: at };
}

export function unlink(path: unknown): Plan<void> {
  const at = pathOf(path);
  return { operation: 'unlink', args: [at], syscall: 'unlink', path: at };
}

export function rename(from: unknown, to: unknown): Plan<void> {
  const [path, dest] = [pathOf(from, 'oldPath'), pathOf(to, 'newPath')];
  return { operation: 'rename', args: [path, dest], syscall: 'rename', path, dest };
}

export function copyFile(from: unknown, to: unknown, mode: unknown = 0): Plan<void> {
  const [path, dest] = [pathOf(from, 'src'), pathOf(to, 'dest')];
  validateInteger(mode, 'mode', 0, 7);
  return { operation: 'copyFile', args: [path, dest, mode], syscall: 'copyfile', path, dest };
}

export function link(from: unknown, to: unknown): Plan<void> {
  const [path, dest] = [pathOf(from, 'existingPath'), pathOf(to, 'newPath')];
  return { operation: 'link', args: [path, dest], syscall: 'link', path, dest };
}

export function symlink(target: unknown, at: unknown): Plan<void> {
  const [path, dest] = [pathOf(target, 'target'), pathOf(at)];
  return { operation: 'symlink', args: [path, dest], syscall: 'symlink', path, dest };
}

export function readlink(path: unknown, options: Options): Plan<Name> {
  const at = pathOf(path);
  return { operation: 'readlink', args: [at], syscall: 'readlink', path: at, convert: (raw: Raw) => nameAs(raw, options.encoding) };
}

export function realpath(path: unknown, options: Options, syscall = 'realpath'): Plan<Name> {
  checkEncoding(options.encoding);
  const at = pathOf(path);
  return { operation: 'realpath', args: [at], syscall, path: at, convert: (raw: Raw) => nameAs(raw, options.encoding) };
}

export function chmod(path: unknown, mode: unknown): Plan<void> {
  const at = pathOf(path);
  return { operation: 'chmod', args: [at, parseFileMode(mode, 'mode')], syscall: 'chmod', path: at };
}

export function fchmod(fd: unknown, mode: unknown): Plan<void> {
  return { operation: 'fchmod', args: [descriptorOf(fd), parseFileMode(mode, 'mode')], syscall: 'fchmod' };
}

function owner(id: unknown, name: string): number {
  validateInteger(id, name, -1, 4294967295);
  return id;
}

export function chown(path: unknown, uid: unknown, gid: unknown, follow: boolean): Plan<void> {
  const at = pathOf(path);
  const args = [at, owner(uid, 'uid'), owner(gid, 'gid'), follow];
  return { operation: 'chown', args, syscall: follow ? 'chown' : 'lchown', path: at };
}

export function fchown(fd: unknown, uid: unknown, gid: unknown): Plan<void> {
  return { operation: 'fchown', args: [descriptorOf(fd), owner(uid, 'uid'), owner(gid, 'gid')], syscall: 'fchown' };
}

export function utimes(path: unknown, accessed: unknown, modified: unknown, follow: boolean): Plan<void> {
  const at = pathOf(path);
  const args = [at, timeOf(accessed), timeOf(modified), follow];
  return { operation: 'utimes', args, syscall: follow ? 'utime' : 'lutime', path: at };
}

export function futimes(fd: unknown, accessed: unknown, modified: unknown): Plan<void> {
  return { operation: 'futimes', args: [descriptorOf(fd), timeOf(accessed, 'atime'), timeOf(modified, 'mtime')], syscall: 'futime' };
}

export function truncate(path: unknown, length: unknown): Plan<void> {
  const at = pathOf(path);
  validateInteger(length, 'len');
  return { operation: 'truncate', args: [at, Math.max(0, length)], syscall: 'open', path: at };
}

export function ftruncate(fd: unknown, length: unknown): Plan<void> {
  const open = descriptorOf(fd);
  validateInteger(length, 'len');
  return { operation: 'ftruncate', args: [open, Math.max(0, length)], syscall: 'ftruncate' };
}

export function sync(fd: unknown, operation: 'fsync' | 'fdatasync'): Plan<void> {
  return { operation, args: [descriptorOf(fd)], syscall: operation };
}

export function rm(path: unknown, options: { recursive?: boolean; force?: boolean }): Plan<void> {
  const at = pathOf(path);
  return { operation: 'rm', args: [at, options.recursive === true, options.force === true], syscall: 'rm', path: at };
}

export function read(fd: number, target: ArrayBufferView, position: number): Plan<number> {
  return { operation: 'read', args: [fd, target, position], syscall: 'read', convert: same };
}

export function write(fd: number, data: ArrayBufferView, position: number): Plan<number> {
  return { operation: 'write', args: [fd, data, position], syscall: 'write', convert: same };
}

export function rmOptions(given: unknown): { recursive: boolean; force: boolean; retryDelay: number; maxRetries: number } {
  const options = { retryDelay: 100, maxRetries: 0, recursive: false, force: false, ...optionsOf(given) };
  validateBoolean(options.force, 'options.force');
  validateBoolean(options.recursive, 'options.recursive');
  validateInteger(options.retryDelay, 'options.retryDelay', 0, 2147483647);
  validateUint32(options.maxRetries, 'options.maxRetries');
  return options;
}

export type Vector = Plan<number>;

export function bytes(data: unknown, encoding: unknown): Uint8Array {
  return bytesInView(bytesOf(data, encoding));
}

/** A path as text. */
export function pathTextOf(path: unknown): string {
  return pathText(pathOf(path));
}
