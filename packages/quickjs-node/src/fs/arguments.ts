/**
 * The arguments of `node:fs`'s functions: paths, descriptors, options, flags, times, with Node's checks.
 */
import type * as NodeUrl from 'node:url';
import { invalidArgType, invalidArgValue } from '../shared/errors.ts';
import { validateAbortSignal, validateFunction, validateInteger } from '../shared/validators.ts';
import { constants } from './constants.ts';

export type PathLike = string | Uint8Array | URL;
export type Callback = (error: Error | null, ...values: never[]) => void;

const FD_MAX = 2147483647;

/** A path as the host's operations take it. */
export function pathOf(value: unknown, name = 'path'): string | Uint8Array {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw withNull(name, value);
    return value;
  }
  if (value instanceof Uint8Array) {
    if (value.includes(0)) throw withNull(name, value);
    return value;
  }
  if (value !== null && typeof value === 'object' && 'href' in value && 'protocol' in value) {
    const { fileURLToPath } = process.getBuiltinModule('node:url') as typeof NodeUrl;
    return pathOf(fileURLToPath(value as URL), name);
  }
  throw invalidArgType(name, ['string', 'Buffer', 'URL'], value);
}

function withNull(name: string, value: unknown): Error {
  return invalidArgValue(name, value, 'must be a string, Uint8Array, or URL without null bytes');
}

export function pathText(path: string | Uint8Array): string {
  return typeof path === 'string' ? path : Buffer.from(path.buffer, path.byteOffset, path.byteLength).toString();
}

export function descriptorOf(fd: unknown): number {
  if (Object.is(fd, -0)) return 0;
  validateInteger(fd, 'fd', 0, FD_MAX);
  return fd;
}

export function callbackOf(value: unknown): Callback {
  validateFunction(value, 'cb');
  return value as Callback;
}

export interface Options {
  readonly encoding?: BufferEncoding | 'buffer' | null;
  readonly flag?: string | number;
  readonly mode?: string | number;
  readonly signal?: AbortSignal;
  readonly flush?: boolean;
  readonly [name: string]: unknown;
}

const NONE: Options = {};

/** Options as an object; a string is the encoding, a function is the callback that stands in their place. */
export function optionsOf(value: unknown, defaults: Options = NONE): Options {
  if (value === null || value === undefined || typeof value === 'function') return defaults;
  if (typeof value === 'string') {
    checkEncoding(value);
    return { ...defaults, encoding: value as BufferEncoding };
  }
  if (typeof value !== 'object') throw invalidArgType('options', ['string', 'Object'], value);
  const options = { ...defaults, ...value } as Options;
  checkEncoding(options.encoding);
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
  return options;
}

export function checkEncoding(encoding: unknown): void {
  if (encoding === undefined || encoding === null || encoding === '' || encoding === 'buffer') return;
  if (!Buffer.isEncoding(encoding as string)) throw invalidArgValue('encoding', encoding, 'is invalid encoding');
}

const FLAGS: Readonly<Record<string, readonly string[]>> = {
  r: ['O_RDONLY'],
  rs: ['O_RDONLY', 'O_SYNC'],
  'r+': ['O_RDWR'],
  'rs+': ['O_RDWR', 'O_SYNC'],
  w: ['O_TRUNC', 'O_CREAT', 'O_WRONLY'],
  wx: ['O_TRUNC', 'O_CREAT', 'O_WRONLY', 'O_EXCL'],
  'w+': ['O_TRUNC', 'O_CREAT', 'O_RDWR'],
  'wx+': ['O_TRUNC', 'O_CREAT', 'O_RDWR', 'O_EXCL'],
  a: ['O_APPEND', 'O_CREAT', 'O_WRONLY'],
  ax: ['O_APPEND', 'O_CREAT', 'O_WRONLY', 'O_EXCL'],
  as: ['O_APPEND', 'O_CREAT', 'O_WRONLY', 'O_SYNC'],
  'a+': ['O_APPEND', 'O_CREAT', 'O_RDWR'],
  'ax+': ['O_APPEND', 'O_CREAT', 'O_RDWR', 'O_EXCL'],
  'as+': ['O_APPEND', 'O_CREAT', 'O_RDWR', 'O_SYNC'],
};
const SAME: Readonly<Record<string, string>> = {
  sr: 'rs',
  'sr+': 'rs+',
  xw: 'wx',
  'xw+': 'wx+',
  xa: 'ax',
  'xa+': 'ax+',
  sa: 'as',
  'sa+': 'as+',
};

export function flagsOf(flags: unknown, name = 'flags'): number {
  if (typeof flags === 'number') {
    validateInteger(flags, name, -2147483648, FD_MAX);
    return flags;
  }
  if (flags === null || flags === undefined) return 0;
  const names = typeof flags === 'string' ? FLAGS[SAME[flags] ?? flags] : undefined;
  if (names === undefined) throw invalidArgValue('flags', flags);
  return names.reduce((sum, each) => sum | (constants[each] ?? 0), 0);
}

/** Seconds since 1970. */
export function timeOf(time: unknown, name = 'time'): number {
  if (typeof time === 'string' && +time === Number(time) && time.trim() !== '') return +time;
  if (Number.isFinite(time)) return (time as number) < 0 ? Date.now() / 1000 : (time as number);
  if (Object.prototype.toString.call(time) === '[object Date]') return (time as Date).getTime() / 1000;
  throw invalidArgType(name, ['Date', 'Time in seconds'], time);
}

export type Data = ArrayBufferView | string;

/** What is to be written, as bytes. */
export function bytesOf(data: unknown, encoding: unknown = 'utf8', name = 'data'): ArrayBufferView {
  if (ArrayBuffer.isView(data)) return data;
  if (typeof data !== 'string') throw invalidArgType(name, ['string', 'Buffer', 'TypedArray', 'DataView'], data);
  return Buffer.from(data, (encoding ?? 'utf8') as BufferEncoding);
}
