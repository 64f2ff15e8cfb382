/**
 * `StringDecoder`: text from bytes that come in pieces, which may end within a character.
 */
import ops from 'fulmar:ops';
import { invalidArgType, invalidThis, unknownEncoding } from '../shared/errors.ts';
import { encodingNumber, normalizeEncoding, UTF16LE, UTF8 } from '../buffer/encodings.ts';
import { Buffer } from '../buffer/class.ts';
import { bytesInView } from '../shared/validators.ts';

const BASE64 = 2;
const BASE64URL = 7;
/** A character's first bytes that wait for the rest. */
const PENDING_MAX = 4;

interface State {
  encoding: number;
  /** The memory that `lastChar` shows. */
  readonly memory: Uint8Array;
  count: number;
  missing: number;
}

const state: unique symbol = Symbol('kNativeDecoder');

export interface Decoder {
  encoding: string;
  [state]: State;
  write(buf: unknown): string;
  end(buf?: unknown): string;
  readonly lastChar: Uint8Array;
  readonly lastNeed: number;
  readonly lastTotal: number;
}

/** How many bytes at the end begin a character that is not complete, and how many it lacks. */
function incomplete(bytes: Uint8Array, encoding: number): [count: number, missing: number] {
  const { length } = bytes;
  if (encoding === UTF8) {
    for (let back = 1; back <= Math.min(3, length); back += 1) {
      const byte = bytes[length - back] as number;
      if (byte >= 0xc0) {
        const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
        return size > back && byte < 0xf8 ? [back, size - back] : [0, 0];
      }
      if (byte < 0x80) return [0, 0];
    }
    return [0, 0];
  }
  if (encoding === UTF16LE) {
    const odd = length % 2;
    const high = length - odd >= 2 ? (bytes[length - odd - 1] as number) : 0;
    const surrogate = high >= 0xd8 && high <= 0xdb;
    if (odd === 1) return surrogate ? [3, 1] : [1, 1];
    return surrogate ? [2, 2] : [0, 0];
  }
  const rest = length % 3;
  return (encoding === BASE64 || encoding === BASE64URL) && rest > 0 ? [rest, 3 - rest] : [0, 0];
}

/**
 * A copy, made without methods that an application may have replaced: they would be shown what is decoded.
 */
function firstOf(bytes: Uint8Array, count: number): Uint8Array {
  const copy = new Uint8Array(count);
  for (let i = 0; i < count; i += 1) copy[i] = bytes[i] as number;
  return copy;
}

function text(bytes: Uint8Array, encoding: number, end = bytes.length): string {
  return end === 0 ? '' : ops.toText(bytes, encoding, 0, end);
}

function construct(this: Decoder, encoding?: unknown): void {
  const name = normalizeEncoding(encoding);
  if (name === undefined) throw unknownEncoding(encoding);
  this.encoding = name;
  this[state] = { encoding: encodingNumber(name) as number, memory: Buffer.alloc(PENDING_MAX), count: 0, missing: 0 };
}

Object.defineProperty(construct, 'name', { value: 'StringDecoder' });
export const StringDecoder = construct as unknown as { new (encoding?: unknown): Decoder; prototype: Decoder };

Object.assign(StringDecoder.prototype, {
  write(this: Decoder, buf: unknown): string {
    if (typeof buf === 'string') return buf;
    if (!ArrayBuffer.isView(buf)) throw invalidArgType('buf', ['Buffer', 'TypedArray', 'DataView'], buf);
    const own = this[state];
    if (own === undefined) throw invalidThis('StringDecoder');
    let bytes = buf instanceof Uint8Array && buf.length > 0 ? buf : bytesInView(buf);
    if (own.count > 0) {
      const joined = new Uint8Array(own.count + bytes.length);
      ops.concatBytes(joined, [firstOf(own.memory, own.count), bytes]);
      bytes = joined;
    }
    const [count, missing] = incomplete(bytes, own.encoding);
    const start = bytes.length - count;
    for (let i = 0; i < count; i += 1) own.memory[i] = bytes[start + i] as number;
    own.count = count;
    own.missing = missing;
    return text(bytes, own.encoding, bytes.length - count);
  },
  end(this: Decoder, buf?: unknown): string {
    const before = buf === undefined ? '' : this.write(buf);
    const own = this[state];
    const count = own.encoding === UTF16LE ? own.count - (own.count % 2) : own.count;
    own.count = 0;
    own.missing = 0;
    return before + text(own.memory, own.encoding, count);
  },
  text(this: Decoder, buf: Uint8Array, offset: number): string {
    this[state].count = 0;
    this[state].missing = 0;
    return this.write(buf.slice(offset));
  },
});

Object.defineProperties(StringDecoder.prototype, {
  lastChar: {
    get(this: Decoder) {
      return this[state].memory;
    },
    enumerable: true,
    configurable: true,
  },
  lastNeed: {
    get(this: Decoder) {
      return this[state].missing;
    },
    enumerable: true,
    configurable: true,
  },
  lastTotal: {
    get(this: Decoder) {
      return this[state].count + this[state].missing;
    },
    enumerable: true,
    configurable: true,
  },
});
