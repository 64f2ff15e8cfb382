/**
 * What compiled `encode` and `decode` call: version and fingerprint of the type before each value, and the parts
 * that are not written out. Where no type tells what comes, `shape/binary/values.ts` does.
 */
import { nameOfKind } from '../shape/validate/kind.ts';
import type { BytesType } from '../shape/shape.ts';
import { DecodeError } from '../shape/binary/decode-error.ts';
import { Reader } from '../shape/binary/reader.ts';
import { Columns, readValue, writeValue } from '../shape/binary/values.ts';
import { misfit, type Writer, written } from '../shape/binary/writer.ts';
import { DEPTH_MAX } from './limits.ts';
import { bytesIn, elementBytes } from './wire.ts';

type Write = (w: Writer, value: unknown, depth: number) => void;
type Read = (r: Reader, depth: number) => unknown;

export function toBytes(write: Write, fingerprint: number): (value: unknown) => Uint8Array<ArrayBuffer> {
  const whole = (w: Writer, value: unknown): void => {
    w.uint32(fingerprint);
    write(w, value, 0);
  };
  return (value) => written(whole, value);
}

export function fromBytes(read: Read, fingerprint: number): (bytes: unknown) => unknown {
  return (bytes) => {
    const r = new Reader(bytes);
    r.begin();
    const found = r.uint32();
    if (found !== fingerprint)
      throw new DecodeError(`a value of the type with the fingerprint ${hex(fingerprint)}`, `one of ${hex(found)}`, 1);
    const value = read(r, 0);
    r.finish();
    return value;
  };
}

const hex = (fingerprint: number): string => fingerprint.toString(16).padStart(8, '0');

export function deeper(depth: number): number {
  if (depth > DEPTH_MAX)
    throw new TypeError(`a value that contains itself, or is nested deeper than ${DEPTH_MAX} levels, cannot be encoded`);
  return depth + 1;
}

/** A number for each value of an enumeration. */
export const placesOf = (values: readonly unknown[]): ReadonlyMap<unknown, number> => new Map(values.map((value, at) => [value, at]));

export function placeOf(places: ReadonlyMap<unknown, number>, value: unknown): number {
  return places.get(value) ?? noChoice(value);
}

export function noChoice(value: unknown): never {
  throw misfit(value, 'one of the members of its union');
}

export function listIs(value: unknown): unknown {
  return Array.isArray(value) ? value : misses(value, 'a list');
}

export function objectIs(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? value : misses(value, 'an object');
}

function misses(value: unknown, expected: string): never {
  throw misfit(value, expected);
}

export function entriesIs(value: unknown, kind: 'Map' | 'Set'): unknown {
  return nameOfKind(value) === kind ? value : misses(value, `a ${kind}`);
}

export const writeUrl = (w: Writer, value: unknown): void =>
  w.text(typeof URL === 'function' && value instanceof URL ? value.href : misses(value, 'a URL'));

export function readBytes(r: Reader, type: BytesType): unknown {
  const size = elementBytes(type);
  if (size === undefined) return r.refuse(`a host that has ${type}`, 'none');
  return bytesIn(r.bytesCopy(size).buffer, type);
}

export { Columns, readValue, writeValue };
