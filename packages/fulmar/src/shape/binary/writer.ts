/**
 * Bytes on their way out: each method writes one value of a kind, and refuses one of another. The place grows by
 * doubling; what a caller gets is a copy of its own. Never reads a type.
 */
import { nameOfKind } from '../validate/kind.ts';
import { BIGINT_BYTES_MAX, BINARY_VERSION, Head, INLINE_MAX, INLINE_MIN, Packed, PACKED_BYTES } from './form.ts';

const START_BYTES = 1024;
/** A larger place is not kept for the next value. */
const KEPT_BYTES_MAX = 65_536;
/** Up to here a text is written by a loop. A size below 64, with the bit of its form, is one byte. */
const LOOPED_MAX = 48;
/** Of a size. */
const SIZE_BYTES_MAX = 6;
/** UTF-8 of a UTF-16 code unit. */
const UNIT_BYTES_MAX = 3;
const NUMBER_BYTES_MAX = 9;
const DATE_BYTES = 8;
const ASCII = 0x80;
const HEX = 16;
const LONE_SURROGATE = /\p{Cs}/u;

let encoder: TextEncoder | undefined;

export class Writer {
  bytes = new Uint8Array(START_BYTES);
  view = new DataView(this.bytes.buffer);
  at = 0;

  begin(): void {
    this.at = 0;
    this.byte(BINARY_VERSION);
  }

  /** What was written since the begin. */
  end(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.at);
  }

  /** Until the next value. */
  rest(): void {
    if (this.bytes.length > KEPT_BYTES_MAX) this.#place(START_BYTES);
  }

  byte(value: number): void {
    if (this.at === this.bytes.length) this.room(1);
    this.bytes[this.at++] = value;
  }

  uint32(value: number): void {
    this.room(4);
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }

  /** A count or a length: seven bits in a byte, the lowest first. */
  size(value: number): void {
    this.room(SIZE_BYTES_MAX);
    let rest = value;
    while (rest >= ASCII) {
      this.bytes[this.at++] = (rest % ASCII) | ASCII;
      rest = Math.floor(rest / ASCII);
    }
    this.bytes[this.at++] = rest;
  }

  boolean(value: unknown): void {
    if (typeof value !== 'boolean') throw misfit(value, 'a boolean');
    this.byte(value ? 1 : 0);
  }

  number(value: unknown): void {
    if (typeof value !== 'number' || value - value !== 0) throw misfit(value, 'a finite number');
    this.anyNumber(value);
  }

  integer(value: unknown): void {
    if (!Number.isInteger(value)) throw misfit(value, 'an integer');
    this.anyNumber(value as number);
  }

  /** The infinities and `NaN`, too. */
  anyNumber(value: number): void {
    this.room(NUMBER_BYTES_MAX);
    const { bytes, view, at } = this;
    if (value === (value | 0) && (value !== 0 || 1 / value > 0)) {
      if (value >= INLINE_MIN && value <= INLINE_MAX) {
        bytes[this.at++] = value - INLINE_MIN;
      } else if (value === (value << 16) >> 16) {
        bytes[at] = Head.INT16;
        view.setInt16(at + 1, value, true);
        this.at = at + 3;
      } else {
        bytes[at] = Head.INT32;
        view.setInt32(at + 1, value, true);
        this.at = at + 5;
      }
    } else if (Math.fround(value) === value) {
      bytes[at] = Head.FLOAT32;
      view.setFloat32(at + 1, value, true);
      this.at = at + 5;
    } else {
      bytes[at] = Head.FLOAT64;
      view.setFloat64(at + 1, value, true);
      this.at = at + NUMBER_BYTES_MAX;
    }
  }

  /** A list of numbers, all in the smallest form that takes each of them. */
  numbers(list: readonly unknown[]): void {
    this.packed(list, true);
  }

  packed(list: readonly unknown[], isFinite: boolean): void {
    const { length } = list;
    this.size(length);
    if (length === 0) return;
    const form = formOf(list, isFinite);
    this.byte(form);
    this.room(length * (PACKED_BYTES[form] as number));
    this.#put(list as readonly number[], form);
  }

  #put(list: readonly number[], form: number): void {
    const { view } = this;
    const each = PACKED_BYTES[form] as number;
    let { at } = this;
    for (let i = 0, { length } = list; i < length; i += 1, at += each) {
      const value = list[i] as number;
      if (form === Packed.INT8) view.setInt8(at, value);
      else if (form === Packed.FLOAT64) view.setFloat64(at, value, true);
      else if (form === Packed.INT16) view.setInt16(at, value, true);
      else if (form === Packed.INT32) view.setInt32(at, value, true);
      else view.setFloat32(at, value, true);
    }
    this.at = at;
  }

  /** UTF-8, or UTF-16 where that would lose half a character. Before it twice its bytes, plus one for UTF-16. */
  text(value: unknown): void {
    if (typeof value !== 'string') throw misfit(value, 'a text');
    const { length } = value;
    if (length > LOOPED_MAX) return this.#long(value);
    this.room(length + 1);
    const { bytes } = this;
    let { at } = this;
    bytes[at++] = length * 2;
    for (let i = 0; i < length; i += 1) {
      const code = value.charCodeAt(i);
      if (code >= ASCII) return this.#long(value);
      bytes[at++] = code;
    }
    this.at = at;
  }

  #long(value: string): void {
    this.room(value.length * UNIT_BYTES_MAX + SIZE_BYTES_MAX);
    const start = this.at + SIZE_BYTES_MAX;
    const { written } = (encoder ??= new TextEncoder()).encodeInto(value, this.bytes.subarray(start));
    if (written !== value.length && LONE_SURROGATE.test(value)) return this.#utf16(value);
    this.size(written * 2);
    this.bytes.copyWithin(this.at, start, start + written);
    this.at += written;
  }

  #utf16(value: string): void {
    this.size(value.length * 4 + 1);
    this.room(value.length * 2);
    for (let i = 0; i < value.length; i += 1, this.at += 2) this.view.setUint16(this.at, value.charCodeAt(i), true);
  }

  /** Milliseconds. */
  date(value: unknown): void {
    if (!(value instanceof Date) || Number.isNaN(value.getTime())) throw misfit(value, 'a Date that is valid');
    this.time(value.getTime());
  }

  time(ms: number): void {
    this.room(DATE_BYTES);
    this.view.setFloat64(this.at, ms, true);
    this.at += DATE_BYTES;
  }

  /** Bytes of its magnitude, the lowest first; before them twice their number, plus one where it is negative. */
  bigint(value: unknown): void {
    if (typeof value !== 'bigint') throw misfit(value, 'a bigint');
    const digits = (value < 0n ? -value : value).toString(HEX);
    const length = Math.ceil(digits.length / 2);
    if (length > BIGINT_BYTES_MAX)
      throw new TypeError(`a bigint of more than ${BIGINT_BYTES_MAX} bytes is not read by others: send it as bytes`);
    this.size(length * 2 + (value < 0n ? 1 : 0));
    this.room(length);
    for (let end = digits.length; end > 0; end -= 2) this.bytes[this.at++] = Number.parseInt(digits.slice(Math.max(0, end - 2), end), HEX);
  }

  bytesOf(value: unknown): void {
    const source = toBytes(value);
    if (source === undefined) throw misfit(value, 'bytes');
    this.size(source.length);
    this.room(source.length);
    this.bytes.set(source, this.at);
    this.at += source.length;
  }

  /** As many bytes can be written now. */
  room(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const { bytes } = this;
    this.#place(Math.max(bytes.length * 2, this.at + count));
    this.bytes.set(bytes.subarray(0, this.at));
  }

  #place(count: number): void {
    this.bytes = new Uint8Array(count);
    this.view = new DataView(this.bytes.buffer);
  }
}

let free: Writer | undefined;

/** Bytes of what `write` does. A getter may come here again: it gets a place of its own. */
export function written<T>(write: (writer: Writer, value: T) => void, value: T): Uint8Array<ArrayBuffer> {
  const writer = free ?? new Writer();
  free = undefined;
  try {
    writer.begin();
    write(writer, value);
    return writer.end();
  } finally {
    writer.rest();
    free = writer;
  }
}

function formOf(list: readonly unknown[], isFinite: boolean): number {
  let low = 0;
  let high = 0;
  let isInteger = true;
  let isSingle = true;
  for (let i = 0, { length } = list; i < length; i += 1) {
    const value = list[i];
    if (typeof value !== 'number' || (isFinite && value - value !== 0)) throw misfit(value, 'a finite number');
    if (isInteger && value === (value | 0) && (value !== 0 || 1 / value > 0)) {
      if (value < low) low = value;
      else if (value > high) high = value;
    } else isInteger = false;
    if (isSingle && Math.fround(value) !== value) isSingle = false;
    if (!isInteger && !isSingle) return restOf(list, i, isFinite);
  }
  if (!isInteger) return isSingle ? Packed.FLOAT32 : Packed.FLOAT64;
  if (low >= -128 && high < 128) return Packed.INT8;
  return low >= -32_768 && high < 32_768 ? Packed.INT16 : Packed.INT32;
}

/** The form is known; the rest are numbers, too. */
function restOf(list: readonly unknown[], from: number, isFinite: boolean): number {
  for (let i = from, { length } = list; i < length; i += 1) {
    const value = list[i];
    if (typeof value !== 'number' || (isFinite && value - value !== 0)) throw misfit(value, 'a finite number');
  }
  return Packed.FLOAT64;
}

export function toBytes(value: unknown): Uint8Array | undefined {
  if (value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  const isBuffer = value instanceof ArrayBuffer || (typeof SharedArrayBuffer === 'function' && value instanceof SharedArrayBuffer);
  return isBuffer ? new Uint8Array(value) : undefined;
}

export const misfit = (value: unknown, expected: string): TypeError =>
  new TypeError(`${expected} is expected by the type, and this is ${nameOfKind(value)}`);
