/**
 * `node:zlib`: deflate, gzip, brotli and Zstandard, as streams, with callbacks and at once.
 */
import { Transform } from 'node:stream';
import type * as NodeZlib from 'node:zlib';
import { invalidArgType } from '../shared/errors.ts';
import { bytesInView, validateFunction } from '../shared/validators.ts';
import { codes, constants } from './constants.ts';
import { brotliSettings, checksumArguments, type ZlibOptions, zlibSettings, zstdSettings } from './options.ts';
import { close, initialise, methods, params, prepare, processNow, zlibOps, tooLarge, type ZlibStream } from './stream.ts';

type Constructor = new (options?: ZlibOptions) => ZlibStream;
type Done = (error: Error | null, result?: unknown) => void;

const zlib: Record<string, unknown> = {};

function settingsOf(options: ZlibOptions | undefined, mode: number) {
  if (mode <= (constants['UNZIP'] as number)) return zlibSettings(options, mode);
  return mode <= (constants['BROTLI_ENCODE'] as number) ? brotliSettings(options) : zstdSettings(options, mode);
}

/** A class of Node's kind: callable without `new`. */
function classOf(name: string, base: { prototype: object }, mode: number): Constructor {
  const Class = function (this: ZlibStream | undefined, options?: ZlibOptions): ZlibStream {
    if (!(this instanceof Class)) return new (Class as unknown as Constructor)(options);
    initialise(this as ZlibStream, options, mode, () => settingsOf(options, mode));
    return this as ZlibStream;
  };
  Object.defineProperty(Class, 'name', { value: name });
  Object.setPrototypeOf(Class.prototype, base.prototype);
  Object.setPrototypeOf(Class, base);
  return Class as unknown as Constructor;
}

function ZlibBase(): void {}
Object.setPrototypeOf(ZlibBase.prototype, Transform.prototype);
Object.setPrototypeOf(ZlibBase, Transform);
Object.assign(ZlibBase.prototype, methods);
Object.defineProperty(ZlibBase.prototype, '_closed', {
  configurable: true,
  enumerable: true,
  get(this: ZlibStream) {
    return this._handle === null;
  },
});

function Zlib(): void {}
Object.setPrototypeOf(Zlib.prototype, ZlibBase.prototype);
Object.setPrototypeOf(Zlib, ZlibBase);
Object.assign(Zlib.prototype, { params });

/** Class, mode, the name of its functions. */
const KINDS: readonly [name: string, mode: string, functions: string][] = [
  ['Deflate', 'DEFLATE', 'deflate'],
  ['Inflate', 'INFLATE', 'inflate'],
  ['Gzip', 'GZIP', 'gzip'],
  ['Gunzip', 'GUNZIP', 'gunzip'],
  ['DeflateRaw', 'DEFLATERAW', 'deflateRaw'],
  ['InflateRaw', 'INFLATERAW', 'inflateRaw'],
  ['Unzip', 'UNZIP', 'unzip'],
  ['BrotliCompress', 'BROTLI_ENCODE', 'brotliCompress'],
  ['BrotliDecompress', 'BROTLI_DECODE', 'brotliDecompress'],
  ['ZstdCompress', 'ZSTD_COMPRESS', 'zstdCompress'],
  ['ZstdDecompress', 'ZSTD_DECOMPRESS', 'zstdDecompress'],
];

const isAnyBuffer = (data: unknown): data is ArrayBuffer => data instanceof ArrayBuffer || data instanceof SharedArrayBuffer;

function bytesOf(data: unknown): Uint8Array {
  if (typeof data === 'string') return Buffer.from(data);
  if (ArrayBuffer.isView(data)) return bytesInView(data);
  if (isAnyBuffer(data)) return new Uint8Array(data);
  throw invalidArgType('buffer', ['string', 'Buffer', 'TypedArray', 'DataView', 'ArrayBuffer'], data);
}

/** All of `data` through `stream`; the callback gets the result. */
function collect(stream: ZlibStream, data: unknown, callback: Done): void {
  validateFunction(callback, 'callback');
  const chunk = isAnyBuffer(data) ? Buffer.from(data) : data;
  const parts: Buffer[] = [];
  let total = 0;
  stream.on('error', callback);
  stream.on('data', (part: Buffer) => {
    parts.push(part);
    total += part.length;
    if (total <= stream._maxOutputLength) return;
    stream.removeAllListeners('error').on('error', () => {});
    stream.destroy();
    callback(tooLarge(stream._maxOutputLength));
  });
  stream.on('end', () => {
    if (total > stream._maxOutputLength) return;
    const buffer = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts, total);
    stream.destroy();
    callback(null, stream._info ? { buffer, engine: stream } : buffer);
  });
  stream.end(chunk);
}

/** Options that say nothing about streams. */
const CODEC_OPTIONS: ReadonlySet<string> = new Set([
  'chunkSize',
  'dictionary',
  'finishFlush',
  'flush',
  'level',
  'maxOutputLength',
  'memLevel',
  'params',
  'rejectGarbageAfterEnd',
  'strategy',
  'windowBits',
]);

function isOfCodec(options: object): boolean {
  for (const name in options) if (!CODEC_OPTIONS.has(name)) return false;
  return true;
}

/** Without a stream where nobody sees one, which would cost several times what a short text does. */
function collectNow(Class: Constructor, mode: number, data: unknown, options: ZlibOptions | undefined): unknown {
  const isSeen = options !== undefined && (typeof options !== 'object' || options === null || !isOfCodec(options));
  const working = isSeen ? new Class(options) : prepare(options, mode, () => settingsOf(options, mode));
  const bytes = bytesOf(data);
  const buffer = processNow(working, bytes, working._finishFlushFlag);
  close(working);
  return working._info ? { buffer, engine: working } : buffer;
}

function named<F extends (...args: never[]) => unknown>(name: string, value: F): F {
  return Object.defineProperty(value, 'name', { value: name });
}

for (const [name, mode, functions] of KINDS) {
  const number = constants[mode] as number;
  const Class = classOf(name, number <= (constants['UNZIP'] as number) ? Zlib : ZlibBase, number);
  const convenient = (data: unknown, options: unknown, callback?: Done): void => {
    if (typeof options === 'function') collect(new Class(), data, options as Done);
    else collect(new Class(options as ZlibOptions), data, callback as Done);
  };
  zlib[name] = Class;
  zlib[functions] = named(functions, convenient);
  zlib[`${functions}Sync`] = named(`${functions}Sync`, (data: unknown, options?: ZlibOptions) => collectNow(Class, number, data, options));
  zlib[`create${name}`] = named(`create${name}`, (options?: ZlibOptions) => new Class(options));
}

zlib['crc32'] = function crc32(data: unknown, value: unknown = 0): number {
  checksumArguments(data, value);
  return zlibOps().crc32(typeof data === 'string' ? Buffer.from(data) : data, value as number);
};
Object.defineProperty(zlib, 'constants', { value: constants, enumerable: true });
Object.defineProperty(zlib, 'codes', { value: codes, enumerable: true });
for (const name of Object.keys(constants)) {
  if (!name.startsWith('BROTLI') && !name.startsWith('ZSTD'))
    Object.defineProperty(zlib, name, { value: constants[name], enumerable: false });
}
export default zlib as unknown as typeof NodeZlib;
