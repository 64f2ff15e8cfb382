/**
 * Checks of arguments, with Node's errors.
 */
import { badPort, invalidArgType, invalidArgValue, outOfRange } from './errors.ts';

export function validateInteger(
  value: unknown,
  name: string,
  min = Number.MIN_SAFE_INTEGER,
  max = Number.MAX_SAFE_INTEGER,
): asserts value is number {
  if (typeof value !== 'number') throw invalidArgType(name, 'number', value);
  if (!Number.isInteger(value)) throw outOfRange(name, 'an integer', value);
  if (value < min || value > max) throw outOfRange(name, `>= ${min} && <= ${max}`, value);
}

export function validateInt32(value: unknown, name: string, min = -2147483648, max = 2147483647): asserts value is number {
  validateInteger(value, name, min, max);
}

export function validateUint32(value: unknown, name: string, positive = false): asserts value is number {
  validateInteger(value, name, positive ? 1 : 0, 4294967295);
}

export function validateString(value: unknown, name: string): asserts value is string {
  if (typeof value !== 'string') throw invalidArgType(name, 'string', value);
}

export function validateNumber(value: unknown, name: string, min?: number, max?: number): asserts value is number {
  if (typeof value !== 'number') throw invalidArgType(name, 'number', value);
  if (min === undefined && max === undefined) return;
  if (Number.isNaN(value) || (min !== undefined && value < min) || (max !== undefined && value > max)) {
    const parts = [...(min === undefined ? [] : [`>= ${min}`]), ...(max === undefined ? [] : [`<= ${max}`])];
    throw outOfRange(name, parts.join(' && '), value);
  }
}

export function validateBoolean(value: unknown, name: string): asserts value is boolean {
  if (typeof value !== 'boolean') throw invalidArgType(name, 'boolean', value);
}

export function validateFunction(value: unknown, name: string): asserts value is (...args: never[]) => unknown {
  if (typeof value !== 'function') throw invalidArgType(name, 'Function', value);
}

export interface ObjectOptions {
  readonly nullable?: boolean;
  readonly allowArray?: boolean;
  readonly allowFunction?: boolean;
}

export function validateObject(value: unknown, name: string, options: ObjectOptions = {}): asserts value is object {
  const valid =
    value === null
      ? options.nullable === true
      : Array.isArray(value)
        ? options.allowArray === true
        : typeof value === 'object' || (typeof value === 'function' && options.allowFunction === true);
  if (!valid) throw invalidArgType(name, 'Object', value);
}

export function validateArray(value: unknown, name: string, minLength = 0): asserts value is unknown[] {
  if (!Array.isArray(value)) throw invalidArgType(name, 'Array', value);
  if (value.length < minLength) throw invalidArgValue(name, value, `must have a length of at least ${minLength}`);
}

export function validateOneOf<T>(value: unknown, name: string, allowed: readonly T[]): asserts value is T {
  if (allowed.includes(value as T)) return;
  const shown = allowed.map((one) => (typeof one === 'string' ? `'${one}'` : String(one)));
  throw invalidArgValue(name, value, `must be one of: ${shown.join(', ')}`);
}

/** Any view: `Buffer`, `TypedArray`, `DataView`. */
export function validateBuffer(value: unknown, name = 'buffer'): asserts value is ArrayBufferView {
  if (!ArrayBuffer.isView(value)) throw invalidArgType(name, ['Buffer', 'TypedArray', 'DataView'], value);
}

export function validateAbortSignal(signal: unknown, name: string): asserts signal is AbortSignal | undefined {
  if (signal === undefined) return;
  if (signal === null || typeof signal !== 'object' || !('aborted' in signal)) throw invalidArgType(name, 'AbortSignal', signal);
}

/** The port as a number. */
export function validatePort(port: unknown, name = 'Port', allowZero = true): number {
  const given = typeof port === 'number' || (typeof port === 'string' && port.trim() !== '');
  const number = given ? Number(port) : NaN;
  if (number !== number >>> 0 || number > 0xffff || (number === 0 && !allowZero)) throw badPort(name, port, allowZero);
  return number;
}

/** A file's mode, as a number or an octal string. */
export function parseFileMode(value: unknown, name: string, fallback?: number): number {
  const mode = value ?? fallback;
  if (typeof mode === 'string') {
    if (!/^[0-7]+$/.test(mode)) throw invalidArgValue(name, value, 'must be a 32-bit unsigned integer or an octal string');
    return Number.parseInt(mode, 8);
  }
  validateUint32(mode, name);
  return mode + 0;
}

/**
 * The bytes of any view. Of one whose memory is gone, or that lies outside its buffer by now, no other can be
 * made: it is empty.
 */
export function bytesInView(view: ArrayBufferView): Uint8Array {
  return view.byteLength === 0 ? new Uint8Array(0) : new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
}

/**
 * What a view itself says of where it is. A member of the same name on the view, or on a class that extends
 * its own, says anything.
 */
type Getter = (this: unknown) => unknown;
const { apply } = Reflect;
const getters = (prototype: object): Readonly<Record<'buffer' | 'byteOffset' | 'byteLength', Getter>> => {
  const getter = (name: string): Getter => Object.getOwnPropertyDescriptor(prototype, name)?.get as Getter;
  return { buffer: getter('buffer'), byteOffset: getter('byteOffset'), byteLength: getter('byteLength') };
};
const OF_TYPED_ARRAY = getters(Object.getPrototypeOf(Uint8Array.prototype) as object);
const OF_DATA_VIEW = getters(DataView.prototype);
const typedArrayName = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get as Getter;

/**
 * The bytes of any view, whatever members of its own say: what Node's C++ sees of it, where `bytesInView` is
 * what its JavaScript sees.
 */
export function ownBytes(view: ArrayBufferView): Uint8Array {
  if (apply(typedArrayName, view, []) === undefined) return bytesInDataView(view);
  const bytes = apply(OF_TYPED_ARRAY.byteLength, view, []) as number;
  if (bytes === 0) return new Uint8Array(0);
  return new Uint8Array(apply(OF_TYPED_ARRAY.buffer, view, []) as ArrayBuffer, apply(OF_TYPED_ARRAY.byteOffset, view, []) as number, bytes);
}

/** The memory that a view really is of. */
export function memoryOf(view: ArrayBufferView): unknown {
  const isArray = apply(typedArrayName, view, []) !== undefined;
  return apply((isArray ? OF_TYPED_ARRAY : OF_DATA_VIEW).buffer, view, []);
}

/** Asks a `DataView` for its length, which throws where its memory is gone; nothing of an array. */
export function touchDataView(view: ArrayBufferView): void {
  if (apply(typedArrayName, view, []) === undefined) apply(OF_DATA_VIEW.byteLength, view, []);
}

/** Is it an array of whole numbers, whatever it says of itself? */
export function isIntegerArray(value: unknown): boolean {
  return /^(?:Uint|Int|BigInt|BigUint)(?:8|16|32|64)(?:Clamped)?Array$/.test(String(apply(typedArrayName, value, [])));
}

function bytesInDataView(view: ArrayBufferView): Uint8Array {
  const buffer = apply(OF_DATA_VIEW.buffer, view, []) as ArrayBuffer;
  try {
    const bytes = apply(OF_DATA_VIEW.byteLength, view, []) as number;
    return new Uint8Array(buffer, apply(OF_DATA_VIEW.byteOffset, view, []) as number, bytes);
  } catch {
    // Of a `DataView` without memory even the length cannot be asked for.
    return new Uint8Array(0);
  }
}

export function validateStringArray(value: unknown, name: string): asserts value is string[] {
  validateArray(value, name);
  for (const [index, item] of value.entries()) validateString(item, `${name}[${index}]`);
}
