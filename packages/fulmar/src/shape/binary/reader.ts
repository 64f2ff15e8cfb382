/**
 * Bytes on their way in. Every length and count is held against what is left of them before anything is made of
 * it, so that what is allocated is in proportion to what came; throws `DecodeError` alone.
 */
import { DEPTH_MAX } from '../validate/depth.ts';
import { DecodeError } from './decode-error.ts';
import { BIGINT_BYTES_MAX, BINARY_VERSION, Head, INLINE_MIN, Packed, PACKED_BYTES } from './form.ts';

/** Up to here a text is read by a loop, as long as it is ASCII. */
const LOOPED_MAX = 24;
const SIZE_BYTES_MAX = 6;
const DATE_BYTES = 8;
/** V8 has 2^24 for a Map. */
const ENTRIES_MAX = 16_000_000;
const BIGINT_EXACT_BYTES = 6;
const ASCII = 0x80;
const BYTE = 256;
const HEX = 16;
/** Code units for one call. */
const UNITS_PER_CALL = 4096;

let utf8: TextDecoder | undefined;

export class Reader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly end: number;
  at = 0;
  /** Items that may still be announced: each has a byte of its own. */
  #items: number;

  /** @throws DecodeError for what is no bytes */
  constructor(given: unknown) {
    if (!(given instanceof Uint8Array))
      throw new DecodeError('a Uint8Array', `a value of type ${given === null ? 'null' : typeof given}`, 0);
    // What others may change meanwhile is not read twice.
    const bytes = given.buffer instanceof ArrayBuffer ? given : Uint8Array.from(given);
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.end = bytes.byteLength;
    this.#items = bytes.byteLength;
  }

  begin(): void {
    const version = this.byte();
    if (version !== BINARY_VERSION) this.#refuse(`version ${BINARY_VERSION} of the binary form`, `version ${version}`, 0);
  }

  finish(): void {
    if (this.at !== this.end) this.#refuse('the end', `${this.end - this.at} bytes more`);
  }

  byte(): number {
    if (this.at >= this.end) this.#short('a byte', 1);
    return this.bytes[this.at++] as number;
  }

  uint32(): number {
    return this.view.getUint32(this.#take(4, 'four bytes'), true);
  }

  size(): number {
    let value = 0;
    let unit = 1;
    for (let count = 0; count < SIZE_BYTES_MAX; count += 1, unit *= ASCII) {
      const byte = this.byte();
      if (byte < ASCII) return value + byte * unit;
      value += (byte - ASCII) * unit;
    }
    return this.#refuse('a size', 'one of more than six bytes');
  }

  /** How many items follow, each of which takes a byte at least. */
  count(): number {
    const start = this.at;
    const count = this.size();
    if (count > this.#items || count > this.end - this.at)
      this.#refuse('a count that the bytes behind it have room for', `${count} with ${this.end - this.at} bytes behind it`, start);
    this.#items -= count;
    return count;
  }

  /** Of a map or a set, which the host gives no more room than this. */
  entries(): number {
    const count = this.count();
    if (count > ENTRIES_MAX) this.#refuse(`${ENTRIES_MAX} entries at most`, String(count));
    return count;
  }

  boolean(): boolean {
    const byte = this.byte();
    if (byte > 1) this.#refuse('0 or 1', String(byte), this.at - 1);
    return byte === 1;
  }

  number(): number {
    const value = this.anyNumber();
    if (value - value !== 0) this.#refuse('a finite number', String(value));
    return value;
  }

  integer(): number {
    const value = this.anyNumber();
    if (!Number.isInteger(value)) this.#refuse('an integer', 'another number');
    return value;
  }

  anyNumber(): number {
    const head = this.byte();
    return head < Head.INT16 ? head + INLINE_MIN : this.numberOf(head);
  }

  /** The number behind a head. */
  numberOf(head: number): number {
    switch (head) {
      case Head.INT16:
        return this.view.getInt16(this.#take(2, 'a number'), true);
      case Head.INT32:
        return this.view.getInt32(this.#take(4, 'a number'), true);
      case Head.FLOAT32:
        return this.view.getFloat32(this.#take(4, 'a number'), true);
      case Head.FLOAT64:
        return this.view.getFloat64(this.#take(8, 'a number'), true);
      default:
        return this.#refuse('a number', `the byte ${head}`, this.at - 1);
    }
  }

  numbers(): number[] {
    const start = this.at;
    const list = this.packed();
    for (let i = 0; i < list.length; i += 1) {
      const value = list[i] as number;
      if (value - value !== 0) this.#refuse('finite numbers', String(value), start);
    }
    return list;
  }

  integers(): number[] {
    const start = this.at;
    const list = this.packed();
    for (let i = 0; i < list.length; i += 1) if (!Number.isInteger(list[i])) this.#refuse('integers', 'another number', start);
    return list;
  }

  packed(): number[] {
    const length = this.count();
    if (length === 0) return [];
    const form = this.byte();
    const each = PACKED_BYTES[form];
    if (each === undefined) return this.#refuse('a form of numbers', String(form), this.at - 1);
    let at = this.#take(length * each, `${length} numbers`);
    const { view } = this;
    const list = new Array<number>(length);
    for (let i = 0; i < length; i += 1, at += each) {
      if (form === Packed.INT8) list[i] = view.getInt8(at);
      else if (form === Packed.FLOAT64) list[i] = view.getFloat64(at, true);
      else if (form === Packed.INT16) list[i] = view.getInt16(at, true);
      else if (form === Packed.INT32) list[i] = view.getInt32(at, true);
      else list[i] = view.getFloat32(at, true);
    }
    return list;
  }

  text(): string {
    const size = this.size();
    const length = Math.floor(size / 2);
    const start = this.#take(length, 'a text');
    if (size % 2 === 1) return this.#utf16(start, length);
    if (length > LOOPED_MAX) return this.#utf8(start, length);
    const { bytes } = this;
    let text = '';
    for (let at = start; at < start + length; at += 1) {
      const code = bytes[at] as number;
      if (code >= ASCII) return this.#utf8(start, length);
      text += String.fromCharCode(code);
    }
    return text;
  }

  #utf8(start: number, length: number): string {
    try {
      // A byte order mark is a character of the text.
      utf8 ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      return utf8.decode(this.bytes.subarray(start, start + length));
    } catch (error) {
      if (!(error instanceof TypeError)) return this.#refuse('a text that JavaScript can hold', `one of ${length} bytes`, start);
      return this.#refuse('UTF-8', 'other bytes', start);
    }
  }

  #utf16(start: number, length: number): string {
    if (length % 2 === 1) this.#refuse('UTF-16', 'half of a code unit', start);
    let text = '';
    for (let at = start; at < start + length; at += UNITS_PER_CALL * 2) {
      const units: number[] = [];
      for (let unit = at; unit < Math.min(at + UNITS_PER_CALL * 2, start + length); unit += 2) units.push(this.view.getUint16(unit, true));
      text += String.fromCharCode(...units);
    }
    return text;
  }

  date(): Date {
    const date = this.anyDate();
    if (Number.isNaN(date.getTime())) this.#refuse('a time', 'none', this.at - DATE_BYTES);
    return date;
  }

  anyDate(): Date {
    return new Date(this.view.getFloat64(this.#take(DATE_BYTES, 'a time'), true));
  }

  bigint(): bigint {
    const size = this.size();
    const length = Math.floor(size / 2);
    if (length > BIGINT_BYTES_MAX) this.#refuse(`a bigint of ${BIGINT_BYTES_MAX} bytes at most`, `one of ${length}`);
    const start = this.#take(length, 'a bigint');
    const magnitude = length <= BIGINT_EXACT_BYTES ? BigInt(this.#exact(start, length)) : BigInt(`0x${this.#hex(start, length)}`);
    return size % 2 === 1 ? -magnitude : magnitude;
  }

  #exact(start: number, length: number): number {
    let value = 0;
    for (let at = start + length - 1; at >= start; at -= 1) value = value * BYTE + (this.bytes[at] as number);
    return value;
  }

  #hex(start: number, length: number): string {
    let text = '';
    for (let at = start + length - 1; at >= start; at -= 1) text += (this.bytes[at] as number).toString(HEX).padStart(2, '0');
    return text;
  }

  /** A copy, of whole elements. */
  bytesCopy(elementBytes = 1): Uint8Array<ArrayBuffer> {
    const length = this.size();
    const start = this.#take(length, `${length} bytes`);
    if (length % elementBytes !== 0) this.#refuse(`elements of ${elementBytes} bytes`, `${length} bytes`, start);
    return new Uint8Array(this.bytes.subarray(start, start + length));
  }

  url(): URL {
    const start = this.at;
    const text = this.text();
    if (!URL.canParse(text)) this.#refuse('a URL', 'another text', start);
    return new URL(text);
  }

  /** One of `size` possibilities. */
  choice(size: number): number {
    const start = this.at;
    const chosen = this.size();
    if (chosen >= size) this.#refuse(`a number below ${size}`, String(chosen), start);
    return chosen;
  }

  /** Another level of a type that contains itself. */
  deeper(depth: number): number {
    if (depth > DEPTH_MAX) this.#refuse(`a value nested ${DEPTH_MAX} levels deep at most`, 'a deeper one');
    return depth + 1;
  }

  /** The value at hand is refused by its reader. */
  refuse(expected: string, received: string): never {
    return this.#refuse(expected, received);
  }

  #take(count: number, what: string): number {
    const { at } = this;
    if (count > this.end - at) this.#short(what, count);
    this.at = at + count;
    return at;
  }

  #short(what: string, count: number): never {
    return this.#refuse(`${what} of ${count} bytes`, `the end in ${this.end - this.at}`);
  }

  #refuse(expected: string, received: string, at: number = this.at): never {
    throw new DecodeError(expected, received, at);
  }
}
