/**
 * `Buffer`: its constructor and static members. Buffers are `Uint8Array`s of one memory each; there is no
 * pool, as one call into the runtime makes the memory and its content.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgType, invalidArgValue, outOfRange, unknownEncoding } from '../shared/errors.ts';
import { validateArray, validateInteger, validateNumber } from '../shared/validators.ts';
import { encodingNumber, UTF8 } from './encodings.ts';
import { fillBuffer, isAnyArrayBuffer, isUint8Array, setMethods } from './methods.ts';

/** The largest buffer that QuickJS makes. */
export const kMaxLength = 2 ** 31 - 1;
/** The longest string that QuickJS makes. */
export const kStringMaxLength = 2 ** 30 - 1;
const ALIGNMENT_MAX = 2 ** 30;

type Make = Record<string | symbol, unknown> & { prototype: object };

/** `new FastBuffer(memory, offset, length)` is what `Buffer` cannot be, as it may be called without `new`. */
class FastBuffer extends Uint8Array {
  // oxlint-disable-next-line no-useless-constructor -- a default one would collect its arguments in an array
  constructor(memory?: number | ArrayBufferLike | ArrayLike<number>, offset?: number, length?: number) {
    super(memory as ArrayBuffer, offset, length);
  }
}

function construct(arg: unknown, encodingOrOffset?: unknown, length?: unknown): Uint8Array {
  if (typeof arg === 'number') {
    if (typeof encodingOrOffset === 'string') throw invalidArgType('string', 'string', arg);
    return alloc(arg);
  }
  return from(arg, encodingOrOffset, length);
}
Object.defineProperty(construct, 'name', { value: 'Buffer' });

function fromString(text: string, encoding: unknown): Uint8Array {
  let number: number | undefined = UTF8;
  if (encoding && encoding !== 'utf8' && typeof encoding === 'string') {
    number = encodingNumber(encoding);
    if (number === undefined) throw unknownEncoding(encoding);
  }
  return ops.fromText(text, number);
}

function outOfBounds(name: string): Error {
  return coded(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', `"${name}" is outside of buffer bounds`);
}

function fromArrayBuffer(memory: ArrayBufferLike, byteOffset: unknown, length: unknown): Uint8Array {
  const offset = byteOffset === undefined ? 0 : Number(byteOffset) || 0;
  const max = memory.byteLength - offset;
  if (max < 0) throw outOfBounds('offset');
  if (length === undefined) return new FastBuffer(memory, offset, max);
  const count = Number(length);
  if (count > max) throw outOfBounds('length');
  return new FastBuffer(memory, offset, count > 0 ? count : 0);
}

interface Like {
  length?: unknown;
  buffer?: unknown;
  type?: unknown;
  data?: unknown;
}

function fromObject(value: Like): Uint8Array | undefined {
  if (value.length !== undefined || isAnyArrayBuffer(value.buffer)) {
    if (typeof value.length !== 'number') return new FastBuffer();
    return value.length > 0 ? new FastBuffer(value as ArrayLike<number>) : new FastBuffer();
  }
  return value.type === 'Buffer' && Array.isArray(value.data) ? new FastBuffer(value.data as number[]) : undefined;
}

function from(value: unknown, encodingOrOffset?: unknown, length?: unknown): Uint8Array {
  if (typeof value === 'string') return fromString(value, encodingOrOffset);
  if (typeof value === 'object' && value !== null) {
    if (value instanceof FastBuffer) return new FastBuffer(value);
    if (isAnyArrayBuffer(value)) return fromArrayBuffer(value, encodingOrOffset, length);
    const inner: unknown = typeof value.valueOf === 'function' ? value.valueOf() : undefined;
    if (inner !== null && inner !== value && (typeof inner === 'string' || typeof inner === 'object')) {
      return from(inner, encodingOrOffset, length);
    }
    const made = fromObject(value);
    if (made !== undefined) return made;
    const toPrimitive = (value as { [Symbol.toPrimitive]?: unknown })[Symbol.toPrimitive];
    if (typeof toPrimitive === 'function') {
      const primitive: unknown = toPrimitive.call(value, 'string');
      if (typeof primitive === 'string') return fromString(primitive, encodingOrOffset);
    }
  }
  throw invalidArgType('first argument', ['string', 'Buffer', 'ArrayBuffer', 'Array', 'Array-like Object'], value);
}

function copyBytesFrom(view: unknown, offset?: unknown, length?: unknown): Uint8Array {
  if (!ArrayBuffer.isView(view) || view instanceof DataView) throw invalidArgType('view', ['TypedArray'], view);
  const typed = view as Uint8Array;
  let [start, end] = [0, typed.length];
  if (offset !== undefined) {
    validateInteger(offset, 'offset', 0);
    start = offset;
  }
  if (length !== undefined) {
    validateInteger(length, 'length', 0);
    end = Math.min(start + length, typed.length);
  }
  if (end <= start) return new FastBuffer();
  const width = typed.BYTES_PER_ELEMENT;
  return new FastBuffer(new Uint8Array(typed.buffer, typed.byteOffset + start * width, (end - start) * width));
}

function alloc(size: unknown, fill?: unknown, encoding?: unknown): Uint8Array {
  validateNumber(size, 'size', 0, kMaxLength);
  const buffer = new FastBuffer(size);
  return fill === undefined || fill === 0 || size === 0 ? buffer : fillBuffer(buffer, fill, encoding);
}

/** Filled with zeros as well: QuickJS makes no other memory. */
function allocUnsafe(size: unknown, alignment?: unknown): Uint8Array {
  validateNumber(size, 'size', 0, kMaxLength);
  if (alignment !== undefined) {
    validateInteger(alignment, 'alignment', 1, ALIGNMENT_MAX);
    if ((alignment & (alignment - 1)) !== 0) throw invalidArgValue('alignment', alignment, 'must be a power of two');
    if (alignment > 8) throw outOfRange('alignment', '<= 8 in the native runtime', alignment);
  }
  return new FastBuffer(size);
}

function isBuffer(value: unknown): boolean {
  return value instanceof FastBuffer;
}

function checkUint8Array(value: unknown, name: string): asserts value is Uint8Array {
  if (!isUint8Array(value)) throw invalidArgType(name, ['Buffer', 'Uint8Array'], value);
}

function concat(list: unknown, length?: unknown): Uint8Array {
  validateArray(list, 'list');
  if (list.length === 0) return new FastBuffer();
  if (length !== undefined) validateInteger(length, 'length', 0, kMaxLength);
  let total = 0;
  for (let index = 0; index < list.length; index += 1) {
    const item: unknown = list[index];
    checkUint8Array(item, `list[${index}]`);
    total += item.length;
  }
  const joined = new FastBuffer((length as number | undefined) ?? total);
  ops.concatBytes(joined, list as Uint8Array[]);
  return joined;
}

function byteLength(text: unknown, encoding?: unknown): number {
  if (typeof text !== 'string') {
    if (ArrayBuffer.isView(text) || isAnyArrayBuffer(text)) return text.byteLength;
    throw invalidArgType('string', ['string', 'Buffer', 'ArrayBuffer'], text);
  }
  if (!encoding || encoding === 'utf8') return ops.utf8Length(text);
  return ops.textLength(text, encodingNumber(encoding) ?? UTF8);
}

Object.setPrototypeOf(construct, Uint8Array);
Object.defineProperty(construct, Symbol.species, { get: () => FastBuffer, configurable: true });
construct.prototype = FastBuffer.prototype;
Object.defineProperty(FastBuffer.prototype, 'constructor', { value: construct, writable: true, configurable: true });
Object.assign(construct as unknown as Make, {
  poolSize: 64 * 1024,
  from,
  copyBytesFrom,
  of: (...items: number[]) => new FastBuffer(items),
  alloc,
  allocUnsafe,
  allocUnsafeSlow: (size: unknown, alignment?: unknown) => allocUnsafe(size, alignment),
  isBuffer,
  compare(buf1: unknown, buf2: unknown) {
    checkUint8Array(buf1, 'buf1');
    checkUint8Array(buf2, 'buf2');
    return buf1 === buf2 ? 0 : ops.compareBytes(buf1, buf2);
  },
  isEncoding: (encoding: unknown) => typeof encoding === 'string' && encoding !== '' && encodingNumber(encoding) !== undefined,
  concat,
  byteLength,
});
setMethods(FastBuffer.prototype);
ops.setBufferClass(FastBuffer);

export const Buffer = construct as unknown as BufferConstructor;
