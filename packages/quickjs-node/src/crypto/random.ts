/**
 * Random bytes, numbers and identifiers, and `timingSafeEqual`.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgType, outOfRange } from '../shared/errors.ts';
import { isIntegerArray, validateBoolean, validateFunction, validateNumber, validateObject } from '../shared/validators.ts';
import { isAnyBuffer } from './key-bytes.ts';

type Bytes = ArrayBuffer | ArrayBufferView;
type Done<T> = (error: Error | null | undefined, result: T) => void;

/** What Node allows for one call, in bytes. */
const BYTES_MAX = 2 ** 31 - 1;
/** Random numbers are drawn from 48 bits. */
const RANDOM_MAX = 0xffff_ffff_ffff;
const NUMBER_BYTES = 6;
/** How much `getRandomValues` gives at once, in bytes. */
const QUOTA_BYTES = 65_536;

function checkOffset(offset: unknown, element: number, length: number): number {
  validateNumber(offset, 'offset');
  const bytes = offset * element;
  const max = Math.min(length, BYTES_MAX);
  if (Number.isNaN(bytes) || bytes > max || bytes < 0) throw outOfRange('offset', `>= 0 && <= ${max}`, bytes);
  return bytes >>> 0;
}

function checkSize(size: unknown, element: number, offset: number, length: number): number {
  validateNumber(size, 'size');
  const bytes = size * element;
  if (Number.isNaN(bytes) || bytes > BYTES_MAX || bytes < 0) throw outOfRange('size', `>= 0 && <= ${BYTES_MAX}`, bytes);
  if (bytes + offset > length) throw outOfRange('size + offset', `<= ${length}`, bytes + offset);
  return bytes >>> 0;
}

function checkBytes(bytes: unknown): asserts bytes is Bytes {
  if (!isAnyBuffer(bytes) && !ArrayBuffer.isView(bytes)) throw invalidArgType('buf', ['ArrayBuffer', 'ArrayBufferView'], bytes);
}

function elementBytes(bytes: Bytes): number {
  return (bytes as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1;
}

export function randomBytes(size: number, callback?: Done<Buffer>): Buffer | undefined {
  const bytes = checkSize(size, 1, 0, Infinity);
  if (callback !== undefined) validateFunction(callback, 'callback');
  const buffer = Buffer.from(new ArrayBuffer(bytes));
  if (bytes > 0) ops.randomFill(buffer, 0, bytes);
  if (callback === undefined) return buffer;
  setImmediate(callback, null, buffer);
  return undefined;
}

export function randomFillSync<T extends Bytes>(buffer: T, offset = 0, size?: number): T {
  checkBytes(buffer);
  const element = elementBytes(buffer);
  const start = checkOffset(offset, element, buffer.byteLength);
  const bytes = size === undefined ? buffer.byteLength - start : checkSize(size, element, start, buffer.byteLength);
  if (bytes > 0) ops.randomFill(buffer, start, bytes);
  return buffer;
}

export function randomFill<T extends Bytes>(buffer: T, offset: number | Done<T>, size?: number | Done<T>, callback?: Done<T>): void {
  checkBytes(buffer);
  const done = typeof offset === 'function' ? offset : typeof size === 'function' ? size : callback;
  validateFunction(done, 'callback');
  const start = typeof offset === 'function' ? 0 : offset;
  randomFillSync(buffer, start, typeof offset === 'function' || typeof size === 'function' ? undefined : size);
  if (buffer.byteLength === 0) done(null, buffer);
  else setImmediate(done, null, buffer);
}

export function randomInt(min: number, max?: number | Done<number>, callback?: Done<number>): number | undefined {
  const single = max === undefined || typeof max === 'function';
  const done = single ? max : callback;
  const [from, to] = single ? [0, min] : [min, max];
  if (done !== undefined) validateFunction(done, 'callback');
  if (!Number.isSafeInteger(from)) throw invalidArgType('min', 'a safe integer', from);
  if (!Number.isSafeInteger(to)) throw invalidArgType('max', 'a safe integer', to);
  if (to <= from) throw outOfRange('max', `greater than the value of "min" (${from})`, to);
  const range = to - from;
  if (range > RANDOM_MAX) throw outOfRange(`max${single ? '' : ' - min'}`, `<= ${RANDOM_MAX}`, range);
  const number = from + below(range);
  if (done === undefined) return number;
  process.nextTick(done, undefined, number);
  return undefined;
}

let drawn: Uint8Array | undefined;
let drawnAt = 0;

/** Unbiased: what is above the last multiple of `range` is drawn again. */
function below(range: number): number {
  const limit = RANDOM_MAX - (RANDOM_MAX % range);
  for (;;) {
    const pool = (drawn ??= new Uint8Array(NUMBER_BYTES * 64));
    if (drawnAt === 0) ops.randomFill(pool, 0, pool.length);
    let value = 0;
    for (let at = drawnAt; at < drawnAt + NUMBER_BYTES; at += 1) value = value * 256 + (pool[at] as number);
    pool.fill(0, drawnAt, drawnAt + NUMBER_BYTES);
    drawnAt = (drawnAt + NUMBER_BYTES) % pool.length;
    if (value < limit) return value % range;
  }
}

export function randomUUID(options?: { readonly disableEntropyCache?: boolean }): string {
  if (options !== undefined) validateObject(options, 'options');
  const { disableEntropyCache = false } = options ?? {};
  validateBoolean(disableEntropyCache, 'options.disableEntropyCache');
  return ops.randomUuid(!disableEntropyCache);
}

export function getRandomValues<T extends ArrayBufferView>(data: T): T {
  if (!isIntegerArray(data)) {
    throw new DOMException('The data argument must be an integer-type TypedArray', 'TypeMismatchError');
  }
  if (data.byteLength > QUOTA_BYTES) {
    throw new DOMException('The requested length exceeds 65,536 bytes', 'QuotaExceededError');
  }
  if (data.byteLength > 0) ops.randomFill(data, 0, data.byteLength);
  return data;
}

export function timingSafeEqual(a: Bytes, b: Bytes): boolean {
  for (const [name, value] of [
    ['buf1', a],
    ['buf2', b],
  ] as const) {
    if (!isAnyBuffer(value) && !ArrayBuffer.isView(value)) {
      // As Node: without what was given.
      const message = `The "${name}" argument must be an instance of ArrayBuffer, Buffer, TypedArray, or DataView.`;
      throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', message);
    }
  }
  const equal = ops.timingSafeEqual(a, b);
  if (equal === undefined) throw coded(RangeError, 'ERR_CRYPTO_TIMING_SAFE_EQUAL_LENGTH', 'Input buffers must have the same byte length');
  return equal;
}
