/**
 * The options of compression streams, checked as Node checks them.
 */
import { coded, invalidArgType, outOfRange } from '../shared/errors.ts';
import { bytesInView, validateBoolean, validateInteger, validateNumber, validateUint32 } from '../shared/validators.ts';
import { constants } from './constants.ts';

export interface ZlibOptions {
  readonly flush?: number;
  readonly finishFlush?: number;
  readonly chunkSize?: number;
  readonly windowBits?: number;
  readonly level?: number;
  readonly memLevel?: number;
  readonly strategy?: number;
  readonly dictionary?: ArrayBufferView | ArrayBuffer;
  readonly info?: boolean;
  readonly maxOutputLength?: number;
  readonly rejectGarbageAfterEnd?: boolean;
  readonly params?: Readonly<Record<string, number | boolean>>;
  readonly pledgedSrcSize?: number;
  readonly [name: string]: unknown;
}

const { DEFLATERAW, INFLATE, GUNZIP, GZIP, UNZIP } = constants as Record<string, number>;
const MAX_LENGTH = 2 ** 53 - 1;

/** Is it a number that counts? */
function isGiven(value: unknown, name: string): value is number {
  if (value === undefined) return false;
  if (Number.isFinite(value)) return true;
  if (Number.isNaN(value)) return false;
  validateNumber(value, name);
  throw outOfRange(name, 'a finite number', value);
}

function ranged(value: unknown, name: string, lower: number, upper: number, fallback: number): number {
  if (!isGiven(value, name)) return fallback;
  if (value < lower || value > upper) throw outOfRange(name, `>= ${lower} and <= ${upper}`, value);
  return value;
}

export interface Common {
  readonly chunkSize: number;
  readonly flush: number;
  readonly finishFlush: number;
  readonly fullFlush: number;
  readonly info: boolean;
  readonly maxOutputLength: number;
  readonly rejectsJunk: boolean;
}

interface Flushes {
  readonly flush: number;
  readonly finishFlush: number;
  readonly fullFlush: number;
  readonly maximum: number;
}

const ZLIB_FLUSHES: Flushes = { flush: 0, finishFlush: 4, fullFlush: 3, maximum: 5 };
const BROTLI_FLUSHES: Flushes = { flush: 0, finishFlush: 2, fullFlush: 1, maximum: 3 };
const ZSTD_FLUSHES: Flushes = { flush: 0, finishFlush: 2, fullFlush: 1, maximum: 2 };

function flushesOf(mode: number): Flushes {
  if (mode <= (UNZIP as number)) return ZLIB_FLUSHES;
  return mode <= (constants['BROTLI_ENCODE'] as number) ? BROTLI_FLUSHES : ZSTD_FLUSHES;
}

export function commonOptions(options: ZlibOptions | undefined, mode: number): Common {
  const defaults = flushesOf(mode);
  let chunkSize = constants['Z_DEFAULT_CHUNK'] as number;
  if (isGiven(options?.chunkSize, 'options.chunkSize')) {
    chunkSize = options?.chunkSize as number;
    if (chunkSize < 64) throw outOfRange('options.chunkSize', '>= 64', chunkSize);
  }
  const rejectsJunk = options?.rejectGarbageAfterEnd ?? false;
  if (options?.rejectGarbageAfterEnd !== undefined) validateBoolean(rejectsJunk, 'options.rejectGarbageAfterEnd');
  return {
    chunkSize,
    flush: ranged(options?.flush, 'options.flush', 0, defaults.maximum, defaults.flush),
    finishFlush: ranged(options?.finishFlush, 'options.finishFlush', 0, defaults.maximum, defaults.finishFlush),
    fullFlush: defaults.fullFlush,
    info: options?.info === true,
    maxOutputLength: ranged(options?.maxOutputLength, 'options.maxOutputLength', 1, MAX_LENGTH, MAX_LENGTH),
    rejectsJunk,
  };
}

function dictionaryOf(options: ZlibOptions | undefined): Uint8Array | undefined {
  const { dictionary } = options ?? {};
  if (dictionary === undefined) return undefined;
  if (ArrayBuffer.isView(dictionary)) return bytesInView(dictionary);
  if (dictionary instanceof ArrayBuffer) return new Uint8Array(dictionary);
  throw invalidArgType('options.dictionary', ['Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], dictionary);
}

export interface Settings {
  /** What the host's `open` takes. */
  readonly numbers: readonly number[];
  readonly dictionary: Uint8Array | undefined;
  readonly level: number;
  readonly strategy: number;
}

/** Window bits, level, memory level, strategy. */
export function zlibSettings(options: ZlibOptions | undefined, mode: number): Settings {
  const bits = options?.windowBits;
  const detected = (bits === undefined || bits === null || bits === 0) && (mode === INFLATE || mode === GUNZIP || mode === UNZIP);
  let windowBits = detected ? 0 : ranged(bits, 'options.windowBits', mode === GZIP ? 9 : 8, 15, 15);
  // zlib's own rule: the smallest window of a raw stream is 9.
  if (mode === DEFLATERAW && windowBits === 8) windowBits = 9;
  const level = ranged(options?.level, 'options.level', -1, 9, -1);
  const memory = ranged(options?.memLevel, 'options.memLevel', 1, 9, 8);
  const strategy = ranged(options?.strategy, 'options.strategy', 0, 4, 0);
  return { numbers: [windowBits, level, memory, strategy], dictionary: dictionaryOf(options), level, strategy };
}

/** Calls `take` for each parameter, by its number. */
function eachParameter(
  params: Readonly<Record<string, unknown>> | undefined,
  isKnown: (key: number) => boolean,
  unknown: (key: string) => Error,
  take: (key: number, value: number) => void,
): void {
  for (const key of Object.keys(params ?? {})) {
    const number = Number(key);
    if (Number.isNaN(number) || number < 0 || !isKnown(number)) throw unknown(key);
    const value = params?.[key];
    if (typeof value !== 'number' && typeof value !== 'boolean') throw invalidArgType('options.params[key]', 'number', value);
    take(number, Number(value));
  }
}

const BROTLI_PARAMETERS = 9;

export function brotliSettings(options: ZlibOptions | undefined): Settings {
  const numbers = Array.from({ length: BROTLI_PARAMETERS }, () => -1);
  const invalid = (key: string): Error => coded(RangeError, 'ERR_BROTLI_INVALID_PARAM', `${key} is not a valid Brotli parameter`);
  eachParameter(
    options?.params,
    (key) => key < BROTLI_PARAMETERS,
    invalid,
    (key, value) => (numbers[key] = value),
  );
  return { numbers, dictionary: undefined, level: 0, strategy: 0 };
}

function isZstdParameter(key: number, mode: number): boolean {
  const prefix = mode === constants['ZSTD_COMPRESS'] ? 'ZSTD_c_' : 'ZSTD_d_';
  return Object.keys(constants).some((name) => name.startsWith(prefix) && constants[name] === key);
}

/** The pledged size (for compression), then parameter and value, in pairs. */
export function zstdSettings(options: ZlibOptions | undefined, mode: number): Settings {
  const compresses = mode === constants['ZSTD_COMPRESS'];
  const numbers: number[] = [];
  if (compresses) {
    const size = options?.pledgedSrcSize;
    if (size !== undefined) validateInteger(size, 'options.pledgedSrcSize', 0);
    numbers.push(size ?? -1);
  }
  const invalid = (key: string): Error => coded(RangeError, 'ERR_ZSTD_INVALID_PARAM', `${key} is not a valid zstd parameter`);
  eachParameter(
    options?.params,
    (key) => isZstdParameter(key, mode),
    invalid,
    (key, value) => numbers.push(key, value),
  );
  return { numbers, dictionary: dictionaryOf(options), level: 0, strategy: 0 };
}

export function checksumArguments(data: unknown, value: unknown): asserts data is string | ArrayBufferView {
  if (typeof data !== 'string' && !ArrayBuffer.isView(data)) {
    throw invalidArgType('data', ['Buffer', 'TypedArray', 'DataView', 'string'], data);
  }
  validateUint32(value, 'value');
}
