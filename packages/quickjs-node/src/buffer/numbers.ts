/**
 * `readUInt16LE`, `writeDoubleBE`, …: made by the host from a number's form; the errors are made here.
 */
import ops from 'fulmar:ops';
import { coded, invalidArgType, outOfRange } from '../shared/errors.ts';
import { validateNumber } from '../shared/validators.ts';

/**
 * Bits of a form, as in `crates/quickjs-node/src/ops/numbers.rs`; the lowest four are the number of bytes.
 */
const SIGNED = 16;
const LITTLE = 32;
const FLOAT = 64;
const BIG = 128;

type Read = (this: Uint8Array, offset?: unknown) => number | bigint;
type Write = (this: Uint8Array, value: unknown, offset?: unknown) => number;

function boundsError(value: unknown, last: number, name?: string): Error {
  if (Math.floor(value as number) !== value) {
    validateNumber(value, name ?? 'offset');
    return outOfRange(name ?? 'offset', 'an integer', value);
  }
  if (last < 0) return coded(RangeError, 'ERR_BUFFER_OUT_OF_BOUNDS', 'Attempt to access memory outside buffer bounds');
  return outOfRange(name ?? 'offset', `>= ${name === undefined ? 0 : 1} and <= ${last}`, value);
}

/** Called by the host when it cannot read or write: throws the error that fits. */
function refused(buffer: Uint8Array, offset: unknown, form: number, value: unknown): never {
  const bytes = form & 15;
  if (value !== undefined && (form & FLOAT) === 0) checkValue(value, form, offset);
  validateNumber(offset, 'offset');
  throw boundsError(offset, buffer.length - bytes);
}

function checkValue(given: unknown, form: number, offset: unknown): void {
  const bytes = form & 15;
  const width = bytes * 8;
  if ((form & BIG) !== 0) {
    const value = given as bigint;
    const [min, max] = (form & SIGNED) === 0 ? [0n, 2n ** 64n - 1n] : [-(2n ** 63n), 2n ** 63n - 1n];
    if (value > max || value < min) {
      throw outOfRange('value', min === 0n ? '>= 0n and < 2n ** 64n' : '>= -(2n ** 63n) and < 2n ** 63n', value);
    }
    if (typeof value !== 'bigint') throw new TypeError('Cannot mix BigInt and other types, use explicit conversions');
    return;
  }
  const value = Number(given);
  const [min, max] = (form & SIGNED) === 0 ? [0, 2 ** width - 1] : [-(2 ** (width - 1)), 2 ** (width - 1) - 1];
  if (bytes === 1) validateNumber(offset, 'offset');
  if (value <= max && value >= min) return;
  if (Number.isNaN(value)) return;
  const large = min === 0 ? `>= 0 and < 2 ** ${width}` : `>= -(2 ** ${width - 1}) and < 2 ** ${width - 1}`;
  throw outOfRange('value', bytes > 4 ? large : `>= ${min} and <= ${max}`, value);
}

/** Of 1 to 6 bytes, by their number. */
function sizes<T>(make: (form: number) => T, bits: number): (T | undefined)[] {
  return [undefined, ...[1, 2, 3, 4, 5, 6].map((bytes) => make(bytes | bits))];
}

type Table = Record<string, unknown>;

function named<T extends object>(method: T, name: string): T {
  Object.defineProperty(method, 'name', { value: name, configurable: true });
  return method;
}

function integers(target: Table, sign: 'Int' | 'UInt', order: 'LE' | 'BE'): void {
  const bits = (sign === 'Int' ? SIGNED : 0) | (order === 'LE' ? LITTLE : 0);
  let reads: (Read | undefined)[] | undefined;
  let writes: (Write | undefined)[] | undefined;
  target[`read${sign}${order}`] = named(function read(this: Uint8Array, offset: unknown, byteLength: unknown) {
    if (offset === undefined) throw invalidArgType('offset', 'number', offset);
    reads ??= sizes((form) => ops.numberReader(form, refused), bits);
    const method = reads[byteLength as number];
    if (method === undefined) throw boundsError(byteLength, 6, 'byteLength');
    return method.call(this, offset);
  }, `read${sign}${order}`);
  target[`write${sign}${order}`] = named(function write(this: Uint8Array, value: unknown, offset: unknown, byteLength: unknown) {
    writes ??= sizes((form) => ops.numberWriter(form, refused), bits);
    const method = writes[byteLength as number];
    if (method === undefined) throw boundsError(byteLength, 6, 'byteLength');
    validateNumber(offset, 'offset');
    return method.call(this, value, offset);
  }, `write${sign}${order}`);
}

function pair(target: Table, suffix: string, form: number): void {
  target[`read${suffix}`] = named(ops.numberReader(form, refused), `read${suffix}`);
  target[`write${suffix}`] = named(ops.numberWriter(form, refused), `write${suffix}`);
}

export function setNumberMethods(prototype: object): void {
  const target = prototype as Table;
  for (const order of ['LE', 'BE'] as const) {
    const end = order === 'LE' ? LITTLE : 0;
    pair(target, `BigUInt64${order}`, 8 | BIG | end);
    pair(target, `BigInt64${order}`, 8 | BIG | SIGNED | end);
    for (const bytes of [2, 4]) {
      pair(target, `UInt${bytes * 8}${order}`, bytes | end);
      pair(target, `Int${bytes * 8}${order}`, bytes | SIGNED | end);
    }
    pair(target, `Float${order}`, 4 | FLOAT | end);
    pair(target, `Double${order}`, 8 | FLOAT | end);
    integers(target, 'UInt', order);
    integers(target, 'Int', order);
  }
  pair(target, 'UInt8', 1);
  pair(target, 'Int8', 1 | SIGNED);
  // Node's other spelling.
  for (const name of Object.keys(target)) if (name.includes('UInt')) target[name.replace('UInt', 'Uint')] = target[name];
}
