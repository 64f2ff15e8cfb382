/**
 * `Buffer.prototype`, except for numbers (`numbers.ts`) and what the host sets itself (`latin1Slice`,
 * `utf8Write`, `subarray`, …).
 */
import ops from 'fulmar:ops';
import type { InspectOptions } from 'node:util';
import { coded, inspected, invalidArgType, invalidArgValue, outOfRange, unknownEncoding } from '../shared/errors.ts';
import { validateBuffer, validateInteger, validateNumber, validateString } from '../shared/validators.ts';
import { encodingNumber, LATIN1, normalizeEncoding, UTF16LE, UTF8 } from './encodings.ts';
import { setNumberMethods } from './numbers.ts';

const LENGTH_MAX = 2 ** 31 - 1;
const customInspect = Symbol.for('nodejs.util.inspect.custom');

interface Methods extends Uint8Array {
  hexSlice(start: number, end: number): string;
}

export function isUint8Array(value: unknown): value is Uint8Array {
  return value instanceof Uint8Array;
}

export function isAnyArrayBuffer(value: unknown): value is ArrayBufferLike {
  return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}

function numberOf(encoding: unknown): number {
  const number = encodingNumber(encoding);
  if (number === undefined) throw unknownEncoding(encoding);
  return number;
}

function toString(this: Methods, encoding?: unknown, start?: number, end?: number): string {
  if (arguments.length === 0) return ops.toText(this, UTF8, 0, this.length);
  const { length } = this;
  const first = start === undefined || start <= 0 ? 0 : start >= length ? length : Math.trunc(start) || 0;
  const last = end === undefined || end > length ? length : Math.trunc(end) || 0;
  if (last <= first) return '';
  return ops.toText(this, encoding === undefined || encoding === 'utf8' ? UTF8 : numberOf(encoding), first, last);
}

function write(this: Methods, string: string, offset?: unknown, length?: unknown, encoding?: unknown): number {
  if (typeof string !== 'string') throw coded(TypeError, 'ERR_INVALID_ARG_TYPE', 'argument must be a string');
  if (offset === undefined) return ops.writeText(this, UTF8, string, 0, this.length);
  let from = 0;
  let count = this.length;
  let name = encoding;
  if (length === undefined && typeof offset === 'string') {
    name = offset;
  } else {
    validateInteger(offset, 'offset', 0, this.length);
    from = offset;
    count -= offset;
    if (typeof length === 'string') {
      name = length;
    } else if (length !== undefined) {
      validateInteger(length, 'length', 0, this.length);
      count = Math.min(length, count);
    }
  }
  return ops.writeText(this, !name || name === 'utf8' ? UTF8 : numberOf(name), string, from, count);
}

function toInteger(value: unknown): number {
  const number = Number(value);
  return Number.isSafeInteger(Math.floor(number)) ? Math.floor(number) : 0;
}

function copy(this: Uint8Array, target: unknown, targetStart?: unknown, sourceStart?: unknown, sourceEnd?: unknown): number {
  if (!ArrayBuffer.isView(this)) throw invalidArgType('source', ['Buffer', 'Uint8Array'], this);
  if (!ArrayBuffer.isView(target)) throw invalidArgType('target', ['Buffer', 'Uint8Array'], target);
  const to = targetStart === undefined ? 0 : toInteger(targetStart);
  if (to < 0) throw outOfRange('targetStart', '>= 0', to);
  const start = sourceStart === undefined ? 0 : toInteger(sourceStart);
  if (start < 0 || start > this.byteLength) throw outOfRange('sourceStart', `>= 0 && <= ${this.byteLength}`, start);
  const end = sourceEnd === undefined ? this.byteLength : toInteger(sourceEnd);
  if (end < 0) throw outOfRange('sourceEnd', '>= 0', end);
  return to >= target.byteLength || start >= end ? 0 : ops.copyBytes(this, target, to, start, end - start);
}

function equals(this: Uint8Array, otherBuffer: unknown): boolean {
  if (!isUint8Array(otherBuffer)) throw invalidArgType('otherBuffer', ['Buffer', 'Uint8Array'], otherBuffer);
  if (this === otherBuffer) return true;
  return this.length === otherBuffer.length && ops.compareBytes(this, otherBuffer) === 0;
}

function bound(value: unknown, name: string, otherwise: number, max = LENGTH_MAX): number {
  if (value === undefined) return otherwise;
  validateInteger(value, name, 0, max);
  return value;
}

// oxlint-disable-next-line max-params -- Node's own
function compare(
  this: Uint8Array,
  target: unknown,
  targetStart?: unknown,
  targetEnd?: unknown,
  sourceStart?: unknown,
  sourceEnd?: unknown,
): number {
  if (!isUint8Array(target)) throw invalidArgType('target', ['Buffer', 'Uint8Array'], target);
  if (arguments.length === 1) return ops.compareBytes(this, target);
  const [from, to] = [bound(targetStart, 'targetStart', 0), bound(targetEnd, 'targetEnd', target.length, target.length)];
  const [start, end] = [bound(sourceStart, 'sourceStart', 0), bound(sourceEnd, 'sourceEnd', this.length, this.length)];
  if (start >= end) return from >= to ? 0 : -1;
  if (from >= to) return 1;
  return ops.compareBytes(this.subarray(start, end), target.subarray(from, to));
}

// oxlint-disable-next-line max-params -- those of `indexOf` and of which of its forms it is
function search(buffer: Uint8Array, value: unknown, offset: unknown, end: unknown, encoding: unknown, forward: boolean): number {
  validateBuffer(buffer);
  let name = typeof end === 'string' ? end : encoding;
  let from = Number(offset);
  if (typeof offset === 'string') {
    name = offset;
    from = NaN;
  }
  if (Number.isNaN(from)) from = forward ? 0 : buffer.length;
  from = Math.trunc(Math.min(Math.max(from, -0x80000000), 0x7fffffff));
  const last = typeof end === 'number' ? Math.max(0, Math.min(end, buffer.length)) : buffer.length;
  if (typeof value === 'number') return ops.indexOfByte(buffer, value >>> 0, from, last, forward);
  const number = name === undefined ? UTF8 : encodingNumber(name);
  if (typeof value === 'string') {
    if (number === undefined) throw unknownEncoding(name);
    return ops.indexOfBytes(buffer, ops.fromText(value, number), from, last, forward, number === UTF16LE ? 2 : 1);
  }
  if (isUint8Array(value)) return ops.indexOfBytes(buffer, value, from, last, forward, number === UTF16LE ? 2 : 1);
  throw invalidArgType('value', ['number', 'string', 'Buffer', 'Uint8Array'], value);
}

interface FillRange {
  start: number;
  end: number;
}

function fillRange(buffer: Uint8Array, offset: unknown, end: unknown): FillRange {
  if (offset === undefined) return { start: 0, end: buffer.length };
  validateInteger(offset, 'offset', 0, LENGTH_MAX);
  return { start: offset, end: bound(end, 'end', buffer.length, buffer.length) };
}

/** The bytes that are repeated, or one byte. */
function fillPattern(value: unknown, encoding: unknown): number | Uint8Array {
  if (isUint8Array(value)) return value;
  if (typeof value !== 'string') return Number(value) & 0xff;
  const name = normalizeEncoding(encoding);
  if (name === undefined) {
    validateString(encoding, 'encoding');
    throw unknownEncoding(encoding);
  }
  return value === '' ? 0 : ops.fromText(value, encodingNumber(name) ?? LATIN1);
}

export function fillBuffer<T extends Uint8Array>(buffer: T, value: unknown, offset?: unknown, end?: unknown, encoding?: unknown): T {
  let [from, to, name] = [offset, end, encoding];
  if (typeof value === 'string') {
    if (typeof from === 'string') [from, to, name] = [undefined, undefined, from];
    else if (typeof to === 'string') [to, name] = [undefined, to];
  }
  const pattern = fillPattern(value, name);
  const range = fillRange(buffer, from, to);
  if (range.start >= range.end) return buffer;
  if (typeof pattern === 'number') Uint8Array.prototype.fill.call(buffer, pattern, range.start, range.end);
  else if (!ops.fillBytes(buffer, pattern, range.start, range.end)) throw invalidArgValue('value', value);
  return buffer;
}

function swap(width: number): (this: Uint8Array) => Uint8Array {
  return function swapped(this: Uint8Array) {
    if (this.length % width !== 0) {
      throw coded(RangeError, 'ERR_INVALID_BUFFER_SIZE', `Buffer size must be a multiple of ${width * 8}-bits`);
    }
    ops.swapBytes(this, width);
    return this;
  };
}

/** `INSPECT_MAX_BYTES` */
export const shown = { bytesMax: 50 };

export function setShownMax(value: unknown): void {
  validateNumber(value, 'INSPECT_MAX_BYTES', 0);
  shown.bytesMax = value;
}

function inspect(this: Methods, _depth?: unknown, context?: InspectOptions): string {
  const count = Math.min(shown.bytesMax, this.length);
  const rest = this.length - shown.bytesMax;
  let text = this.hexSlice(0, count)
    .replace(/(.{2})/g, '$1 ')
    .trim();
  if (rest > 0) text += ` ... ${rest} more byte${rest > 1 ? 's' : ''}`;
  if (context !== undefined) {
    const keys = (context.showHidden === true ? Reflect.ownKeys(this) : Object.keys(this)).filter(
      (key) => typeof key === 'symbol' || !/^\d+$/.test(key),
    );
    if (keys.length > 0) {
      const extras = Object.create(null) as Record<string | symbol, unknown>;
      for (const key of keys) extras[key] = this[key as never];
      const more = inspected(extras, { ...context, breakLength: Infinity, compact: true });
      // Without `[Object: null prototype] {` and ` }`.
      text += `${this.length === 0 ? '' : ', '}${more.slice(27, -2)}`;
    }
  }
  const { name } = this.constructor ?? {};
  return `<${typeof name === 'string' ? name : 'Buffer'} ${text}>`;
}

export function setMethods(prototype: Uint8Array): void {
  setNumberMethods(prototype);
  ops.setTextMethods(prototype);
  const methods = {
    copy,
    toString,
    equals,
    inspect,
    compare,
    indexOf(this: Uint8Array, val: unknown, offset?: unknown, end?: unknown, encoding?: unknown) {
      return search(this, val, offset, end, encoding, true);
    },
    lastIndexOf(this: Uint8Array, val: unknown, offset?: unknown, end?: unknown, encoding?: unknown) {
      return search(this, val, offset, end, encoding, false);
    },
    includes(this: Uint8Array, val: unknown, offset?: unknown, end?: unknown, encoding?: unknown) {
      return search(this, val, offset, end, encoding, true) !== -1;
    },
    fill(this: Uint8Array, value: unknown, offset?: unknown, end?: unknown, encoding?: unknown) {
      return fillBuffer(this, value, offset, end, encoding);
    },
    write,
    toJSON(this: Uint8Array) {
      return { type: 'Buffer', data: ops.toArray(this) };
    },
    slice(this: Uint8Array, start?: number, end?: number) {
      return this.subarray(start, end);
    },
    swap16: swap(2),
    swap32: swap(4),
    swap64: swap(8),
    toLocaleString: toString,
    [customInspect]: inspect,
  };
  Object.defineProperties(prototype, {
    parent: {
      get(this: Uint8Array) {
        return isUint8Array(this) && this !== prototype ? this.buffer : undefined;
      },
      enumerable: true,
    },
    offset: {
      get(this: Uint8Array) {
        return isUint8Array(this) && this !== prototype ? this.byteOffset : undefined;
      },
      enumerable: true,
    },
  });
  // Assigned, not `Object.assign`ed over the inherited ones of Uint8Array: Node's are enumerable as well.
  Object.assign(prototype, methods);
}
