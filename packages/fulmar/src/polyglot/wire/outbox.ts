/**
 * A message to a guest, as bytes. Large blocks do not go into it, but beside it; objects of JavaScript's that are no
 * values are lent by number (`references.ts`).
 */
import { Tag, VALUE_DEPTH_MAX } from '../../shape/binary/form.ts';
import { toBytes, Writer } from '../../shape/binary/writer.ts';
import { GuestError } from '../errors.ts';
import type { Owned } from '../guest-types.ts';
import { codeOf, Decimal, NdArray } from '../values.ts';
import { ATTACH_BYTES_MIN, ELEMENT_NAMES, GuestTag, ID_BYTES_MAX } from './tags.ts';

/** From here on it is asked whether a list can be written closely. */
const CLOSE_MIN = 2;
const WORD = 2 ** 32;
const UINT8 = ELEMENT_NAMES.indexOf('uint8');

/** What the layer above knows of objects. */
export interface Lender {
  readonly language: string;
  /** The guest's own object behind a handle of its, which has a number; undefined: it is none. */
  ownerOf(value: object): Owned | undefined;
  /** Lends an object of JavaScript's, and gives its number. */
  lend(value: object): number;
  /** Whether an object goes over as itself, not as a value: a function, another guest's handle. */
  isLent(value: object): boolean;
}

/** Each message has lists of its own, which outlive it: this one is nobody's, and stays empty. */
const NONE = Object.freeze([]) as readonly never[] as never[];

export class Outbox extends Writer {
  attached: Uint8Array[] = [];
  /** Numbers of what this message lends. */
  lent: number[] = NONE;
  /** Objects of the guest's that it names. */
  owners: Owned[] = NONE;
  #lender: Lender;

  constructor(lender: Lender) {
    super();
    this.#lender = lender;
  }

  /** Begins a message: the number of its call, and its kind. */
  start(call: number, kind: number): void {
    this.at = 0;
    if (this.attached.length > 0) this.attached = [];
    this.lent = NONE;
    this.owners = NONE;
    this.room(9);
    this.view.setUint32(0, call % WORD, true);
    this.view.setUint32(4, Math.floor(call / WORD), true);
    this.bytes[8] = kind;
    this.at = 9;
  }

  /** The number of an object, of up to 53 bits. */
  id(value: number): void {
    this.room(ID_BYTES_MAX);
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.bytes[this.at++] = (rest % 128) | 128;
    this.bytes[this.at++] = rest;
  }

  /** The number of an object of the guest's. */
  owned(owner: Owned): void {
    const { id } = owner;
    if (id === undefined)
      throw new GuestError('ERR_GUEST_HANDLE', this.#lender.language, 'an object that was let go of cannot be given to a call');
    if (this.owners === NONE) this.owners = [owner];
    else this.owners.push(owner);
    this.id(id);
  }

  value(value: unknown, depth = 0): void {
    switch (typeof value) {
      case 'number':
        return this.anyNumber(value);
      case 'string':
        this.byte(Tag.TEXT);
        return this.text(value);
      case 'boolean':
        return this.byte(value ? Tag.TRUE : Tag.FALSE);
      case 'undefined':
        return this.byte(Tag.UNDEFINED);
      case 'bigint':
        this.byte(Tag.BIGINT);
        return this.bigint(value);
      case 'function':
        return this.#object(value, depth);
      case 'object':
        return value === null ? this.byte(Tag.NULL) : this.#object(value, depth);
      default:
        throw this.#misfit(`a ${typeof value} cannot be given to ${this.#lender.language}`);
    }
  }

  /** Members of an object whose values are there, as name and value. */
  members(value: Readonly<Record<string, unknown>>, depth = 0): void {
    const names = Object.keys(value);
    let count = 0;
    for (const name of names) if (value[name] !== undefined) count += 1;
    this.size(count);
    for (const name of names) {
      const member = value[name];
      if (member === undefined) continue;
      this.text(name);
      this.value(member, depth + 1);
      count -= 1;
    }
    if (count !== 0) throw this.#changed();
  }

  #object(value: object, depth: number): void {
    if (depth > VALUE_DEPTH_MAX) {
      const reason = `a value nested deeper than ${VALUE_DEPTH_MAX} levels, or one that contains itself`;
      throw this.#misfit(`${reason}, cannot be given to ${this.#lender.language}`);
    }
    const owner = this.#lender.ownerOf(value);
    if (owner !== undefined) {
      this.byte(GuestTag.HANDLE);
      return this.owned(owner);
    }
    if (this.#lender.isLent(value)) return this.#lent(value);
    if (Array.isArray(value)) return this.#list(value, depth);
    const prototype: unknown = Object.getPrototypeOf(value);
    if ((prototype === Object.prototype || prototype === null) && typeof (value as { toJSON?: unknown }).toJSON !== 'function') {
      this.byte(Tag.OBJECT);
      return this.members(value as Record<string, unknown>, depth);
    }
    return this.#instance(value, depth);
  }

  #lent(value: object): void {
    this.byte(GuestTag.REFERENCE);
    const id = this.#lender.lend(value);
    if (this.lent === NONE) this.lent = [id];
    else this.lent.push(id);
    this.size(id);
    this.byte(typeof value === 'function' ? 1 : 0);
  }

  #list(list: readonly unknown[], depth: number): void {
    const { length } = list;
    if (length >= CLOSE_MIN && areNumbers(list)) {
      this.byte(Tag.NUMBERS);
      return this.packed(list, false);
    }
    this.byte(Tag.LIST);
    this.size(length);
    for (let at = 0; at < length; at += 1) this.value(list[at], depth + 1);
  }

  #instance(value: object, depth: number): void {
    if (value instanceof Date) {
      const time = value.getTime();
      if (Number.isNaN(time)) throw this.#misfit('a Date that is invalid cannot be given to another language');
      this.byte(Tag.DATE);
      return this.time(time);
    }
    if (value instanceof Map) {
      this.byte(Tag.MAP);
      this.size(value.size);
      const { size } = value;
      let count = 0;
      for (const [key, member] of value) {
        if ((count += 1) > size) break;
        this.value(key, depth + 1);
        this.value(member, depth + 1);
      }
      if (count !== size) throw this.#changed();
      return;
    }
    if (value instanceof Set) {
      this.byte(Tag.SET);
      this.size(value.size);
      const { size } = value;
      let count = 0;
      for (const member of value) {
        if ((count += 1) > size) break;
        this.value(member, depth + 1);
      }
      if (count !== size) throw this.#changed();
      return;
    }
    if (value instanceof Decimal) {
      this.byte(GuestTag.DECIMAL);
      return this.text(String(value));
    }
    if (value instanceof NdArray) return this.#array(ELEMENT_NAMES.indexOf(value.dtype), value.shape, value.data);
    if (ArrayBuffer.isView(value) || toBytes(value) !== undefined) return this.#view(value as ArrayBufferView);
    if (value instanceof URL) {
      this.byte(Tag.URL);
      return this.text(value.href);
    }
    const { toJSON } = value as { toJSON?: unknown };
    if (typeof toJSON === 'function') return this.value((toJSON as () => unknown).call(value), depth + 1);
    if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet)
      throw this.#misfit(`a ${value.constructor.name} cannot be given to ${this.#lender.language}: await it first`);
    this.byte(Tag.OBJECT);
    return this.members(value as Record<string, unknown>, depth);
  }

  /** Bytes are bytes; arrays of other numbers keep what they are of. */
  #view(value: ArrayBufferView): void {
    const code = ArrayBuffer.isView(value) && !(value instanceof DataView) ? codeOf(value) : UINT8;
    if (code === UINT8 || code === -1 || value instanceof Uint8ClampedArray) return this.block(toBytes(value) as Uint8Array);
    this.#array(code, [(value as unknown as { length: number }).length], value);
  }

  #array(code: number, shape: readonly number[], data: ArrayBufferView): void {
    this.byte(GuestTag.ARRAY);
    this.byte(code);
    this.size(shape.length);
    for (const length of shape) this.size(length);
    this.block(toBytes(data) as Uint8Array);
  }

  block(bytes: Uint8Array): void {
    if (bytes.length < ATTACH_BYTES_MIN) {
      this.byte(Tag.BYTES);
      return this.bytesOf(bytes);
    }
    this.byte(GuestTag.ATTACHED);
    this.size(this.attached.length);
    // Nothing of the application's own classes is handed down.
    this.attached.push(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }

  #changed(): GuestError {
    return this.#misfit(`a value that changes while it is read, by a getter of its own, cannot be given to ${this.#lender.language}`);
  }

  #misfit(message: string): GuestError {
    return new GuestError('ERR_GUEST_VALUE', this.#lender.language, message);
  }
}

function areNumbers(list: readonly unknown[]): boolean {
  for (let at = 0; at < list.length; at += 1) if (typeof list[at] !== 'number') return false;
  return true;
}
