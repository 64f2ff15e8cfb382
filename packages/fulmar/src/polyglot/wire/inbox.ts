/**
 * Messages from a guest, as values. Large blocks are not copied: nobody else has them.
 */
import { Head, INLINE_MIN, Tag, VALUE_DEPTH_MAX } from '../../shape/binary/form.ts';
import { Reader } from '../../shape/binary/reader.ts';
import { Decimal, NdArray } from '../values.ts';
import { ELEMENT_NAMES, ELEMENTS, GuestTag, ID_BYTES_MAX } from './tags.ts';

/** What is well formed, and JavaScript can do nothing with. */
export class Unusable extends TypeError {}

/** A promise that is given such an object calls the guest's with functions that it does not expect, and is never settled. */
const THENABLE = "an object whose member 'then' can be called is taken for a promise: ask for it with { result: 'handle' }";

/** What the layer above makes of numbers. */
export interface Borrower {
  /** What stands for an object of the guest's. */
  handle(id: number, className: string): unknown;
  /** An object that was lent. */
  borrowed(id: number): unknown;
}

export class Inbox extends Reader {
  #attached: readonly (ArrayBuffer | null)[];
  /** Attached values that have been read. Each message says how many are its own. */
  taken = 0;
  #borrower: Borrower;

  /** `attached`: beside the messages; the first one is the messages' own. */
  constructor(bytes: Uint8Array, attached: readonly (ArrayBuffer | null)[], borrower: Borrower) {
    super(bytes);
    this.#attached = attached;
    this.taken = attached.length === 0 ? 0 : 1;
    this.#borrower = borrower;
  }

  /** The number of a call or an object, of up to 53 bits. */
  id(): number {
    let value = 0;
    let unit = 1;
    for (let count = 0; count < ID_BYTES_MAX; count += 1, unit *= 128) {
      const byte = this.byte();
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
    return this.refuse('a number', `one of more than ${ID_BYTES_MAX} bytes`);
  }

  value(depth = 0): unknown {
    const head = this.byte();
    if (head < Head.INT16) return head + INLINE_MIN;
    if (head <= Head.FLOAT64) return this.numberOf(head);
    if (depth > VALUE_DEPTH_MAX * 2) return this.refuse('a value that is not nested so deep', 'a deeper one');
    switch (head) {
      case Tag.NULL:
        return null;
      case Tag.FALSE:
        return false;
      case Tag.TRUE:
        return true;
      case Tag.TEXT:
        return this.text();
      case Tag.OBJECT:
        return this.#members(depth);
      case Tag.LIST:
        return this.#list(depth);
      case GuestTag.INT64:
        return this.#int64();
      case Tag.BYTES:
        return this.bytesCopy();
      case GuestTag.ATTACHED:
        this.size();
        return new Uint8Array(this.#next());
      default:
        return this.#rare(head, depth);
    }
  }

  #rare(head: number, depth: number): unknown {
    switch (head) {
      case Tag.UNDEFINED:
        return undefined;
      case Tag.BIGINT:
        return this.#bigint();
      case Tag.DATE:
        return this.anyDate();
      case Tag.MAP:
        return this.#map(depth);
      case Tag.SET:
        return new Set(this.#list(depth));
      case GuestTag.DECIMAL:
        return new Decimal(this.text());
      case GuestTag.ARRAY:
        return this.#array();
      case GuestTag.HANDLE: {
        const id = this.id();
        return this.#borrower.handle(id, this.text());
      }
      case GuestTag.REFERENCE: {
        const id = this.size();
        this.byte();
        return this.#borrower.borrowed(id);
      }
      default:
        return this.refuse('a value', `the byte ${head}`);
    }
  }

  #list(depth: number): unknown[] {
    const length = this.count();
    const list = new Array<unknown>(length);
    for (let at = 0; at < length; at += 1) list[at] = this.value(depth + 1);
    return list;
  }

  #members(depth: number): Record<string, unknown> {
    const count = this.count();
    const members: Record<string, unknown> = {};
    for (let at = 0; at < count; at += 1) {
      const name = this.text();
      const value = this.value(depth + 1);
      if (name === 'then' && typeof value === 'function') throw new Unusable(THENABLE);
      if (name === '__proto__') Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
      else members[name] = value;
    }
    return members;
  }

  #map(depth: number): Map<unknown, unknown> {
    const count = this.entries();
    const map = new Map<unknown, unknown>();
    for (let at = 0; at < count; at += 1) {
      const key = this.value(depth + 1);
      map.set(key, this.value(depth + 1));
    }
    return map;
  }

  #int64(): number | bigint {
    const low = this.uint32();
    const high = this.uint32() | 0;
    const value = high * 2 ** 32 + low;
    return Number.isSafeInteger(value) ? value : (BigInt(high) << 32n) | BigInt(low);
  }

  #bigint(): number | bigint {
    const size = this.size();
    const length = Math.floor(size / 2);
    if (length > this.end - this.at) return this.refuse(`an integer of ${length} bytes`, 'the end');
    let digits = '';
    for (let at = this.at + length - 1; at >= this.at; at -= 1) digits += (this.bytes[at] as number).toString(16).padStart(2, '0');
    this.at += length;
    const magnitude = BigInt(`0x${digits === '' ? '0' : digits}`);
    return size % 2 === 1 ? -magnitude : magnitude;
  }

  #array(): unknown {
    const code = this.byte();
    const elements = ELEMENTS[code];
    const dtype = ELEMENT_NAMES[code];
    if (elements === undefined || dtype === undefined) return this.refuse('an array', `elements of the kind ${code}`);
    const shape = Array.from({ length: this.count() }, () => this.size());
    const bytes = this.value() as Uint8Array<ArrayBuffer>;
    const data = new elements(bytes.buffer, bytes.byteOffset, bytes.byteLength / elements.BYTES_PER_ELEMENT);
    return shape.length === 1 && dtype !== 'bool' ? data : new NdArray(data, shape, dtype);
  }

  #next(): ArrayBuffer {
    const buffer = this.#attached[this.taken++];
    if (buffer === null) throw new Unusable('it is larger than an array of bytes can be here, or there is no memory for it');
    return buffer ?? this.refuse('an attached value', 'none');
  }
}
