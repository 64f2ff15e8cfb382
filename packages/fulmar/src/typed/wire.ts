/**
 * What has no form in JSON, on its way there and back: dates, bigints, URLs, bytes, maps and sets. A value
 * that is what it should be already is taken too.
 */
import type { BytesType } from '../shape/shape.ts';
import { formatTest } from '../shape/validate/formats.ts';
import { isDate, isDateTime } from '../shape/validate/times.ts';
import { dateOfIso, isIsoForm } from './iso-date.ts';
import { BIGINT_DIGITS_MAX } from './limits.ts';

type Test = (value: unknown, depth: number) => boolean;
type Read = (value: unknown) => unknown;
/** Sizes; and how what tells members apart is read, where fewer may be left of those that came than there must be. */
type Bounds = [min: number, max: number, read?: Read];

/** `toISOString` of years that have more than four digits. */
const FAR_DATE = /^[+-]\d{6}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const BIGINT = /^-?(?:0|[1-9]\d*)$/;
const isBase64 = formatTest('byte');

export const dateIs = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime());
/** Made later, by `dateOf`: what the form of `toISOString` says is always a date. */
export const dateWire = (value: unknown): boolean =>
  typeof value === 'string' ? (isIsoForm(value) && isDateTime(value)) || dateOfText(value) !== undefined : dateIs(value);
/** Of what `dateWire` takes. */
export const dateOf = (value: unknown): unknown =>
  typeof value === 'string' ? (isIsoForm(value) ? dateOfIso(value) : dateOfText(value)) : value;

function dateOfText(text: string): Date | undefined {
  if (text.length > 64 || !(isDateTime(text) || isDate(text) || FAR_DATE.test(text))) return undefined;
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The decimal text of a bigint, from whatever form of it; `undefined` for anything else. */
export function bigintText(value: unknown): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined;
  return typeof value === 'string' && value.length <= BIGINT_DIGITS_MAX && BIGINT.test(value) && value !== '-0' ? value : undefined;
}

export function bigintWire(value: unknown, minimum: bigint | undefined, maximum: bigint | undefined): boolean {
  const text = bigintText(value);
  if (text === undefined) return false;
  return (minimum === undefined || BigInt(text) >= minimum) && (maximum === undefined || BigInt(text) <= maximum);
}

export const bigintOf = (value: unknown): bigint => BigInt(bigintText(value) ?? 0);

/** The literal among `values` that the text or number stands for. */
export function literalOf(value: unknown, values: readonly unknown[]): unknown {
  if (values.includes(value)) return value;
  const text = bigintText(value);
  return values.find((one) => typeof one === 'bigint' && String(one) === text);
}

export const urlIs = (value: unknown): boolean => typeof URL === 'function' && value instanceof URL;
export const urlWire = (value: unknown): boolean => urlIs(value) || (typeof value === 'string' && URL.canParse(value));
export const urlOf = (value: unknown): unknown => (typeof value === 'string' ? new URL(value) : value);
export const regexpIs = (value: unknown): boolean => value instanceof RegExp;

interface BytesClass {
  new (buffer: ArrayBufferLike): unknown;
  readonly BYTES_PER_ELEMENT?: number;
  readonly from?: (buffer: ArrayBufferLike) => unknown;
}

const classOf = (type: BytesType): BytesClass | undefined =>
  (globalThis as unknown as Readonly<Record<string, BytesClass | undefined>>)[type];

export function bytesIs(value: unknown, type: BytesType, min: number, max: number): boolean {
  const made = classOf(type);
  if (made === undefined || !(value instanceof made)) return false;
  const { byteLength } = value as { byteLength: number };
  return byteLength >= min && byteLength <= max;
}

export function bytesWire(value: unknown, type: BytesType, min: number, max: number): boolean {
  if (typeof value !== 'string') return bytesIs(value, type, min, max);
  if (classOf(type) === undefined || !isBase64(value)) return false;
  const length = (value.length / 4) * 3 - (value.endsWith('==') ? 2 : value.endsWith('=') ? 1 : 0);
  return length >= min && length <= max && length % (classOf(type)?.BYTES_PER_ELEMENT ?? 1) === 0;
}

export function bytesOf(value: unknown, type: BytesType): unknown {
  if (typeof value !== 'string') return value;
  return bytesIn(Uint8Array.from(atob(value), (char) => char.charCodeAt(0)).buffer, type);
}

/** Of one element; `undefined` where the host has no such class. */
export const elementBytes = (type: BytesType): number | undefined => {
  const made = classOf(type);
  return made === undefined ? undefined : (made.BYTES_PER_ELEMENT ?? 1);
};

/** An instance of the class whose bytes are these. */
export function bytesIn(buffer: ArrayBuffer, type: BytesType): unknown {
  if (type === 'ArrayBuffer') return buffer;
  if (type === 'SharedArrayBuffer') {
    const shared = new SharedArrayBuffer(buffer.byteLength);
    new Uint8Array(shared).set(new Uint8Array(buffer));
    return shared;
  }
  const made = classOf(type);
  // Of Buffer the constructor is deprecated.
  if (type === 'Buffer' && made?.from !== undefined) return made.from(buffer);
  return made === undefined ? buffer : new made(buffer);
}

const isWithin = (size: number, min: number, max: number): boolean => size >= min && size <= max;

export function mapIs(value: unknown, test: Test, depth: number, ...[min, max]: [min: number, max: number]): boolean {
  if (!(value instanceof Map) || !isWithin(value.size, min, max)) return false;
  for (const entry of value) if (!test(entry, depth)) return false;
  return true;
}

/** Pairs. Of a key that comes twice the last one is kept. */
export function mapWire(value: unknown, test: Test, depth: number, ...[min, max, read]: Bounds): boolean {
  if (!Array.isArray(value)) return mapIs(value, test, depth, min, max);
  if (!isWithin(value.length, min, max) || !value.every((entry) => test(entry, depth))) return false;
  return read === undefined || new Set((value as [unknown, unknown][]).map(([key]) => read(key))).size >= min;
}

export function mapOf(value: unknown, key: (value: unknown) => unknown, member: (value: unknown) => unknown): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const [name, one] of value as Iterable<[unknown, unknown]>) map.set(key(name), member(one));
  return map;
}

export function setIs(value: unknown, test: Test, depth: number, ...[min, max]: [min: number, max: number]): boolean {
  if (!(value instanceof Set) || !isWithin(value.size, min, max)) return false;
  for (const item of value) if (!test(item, depth)) return false;
  return true;
}

export function setWire(value: unknown, test: Test, depth: number, ...[min, max, read]: Bounds): boolean {
  if (!Array.isArray(value)) return setIs(value, test, depth, min, max);
  if (!isWithin(value.length, min, max) || !value.every((item) => test(item, depth))) return false;
  return read === undefined || new Set(value.map(read)).size >= min;
}

export function setOf(value: unknown, item: (value: unknown) => unknown): Set<unknown> {
  const set = new Set<unknown>();
  for (const one of value as Iterable<unknown>) set.add(item(one));
  return set;
}
