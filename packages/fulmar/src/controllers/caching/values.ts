/**
 * Values that are kept: copies, so that whoever changes what he was given changes nobody else's, and how many bytes they
 * take, roughly. Instances of classes are not copied: private members cannot be.
 */
import { isRecord } from '../pipes/rejection.ts';

/** Deeper parts are shared. */
const DEPTH_MAX = 100;

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Lists and plain objects anew, all else as it is. */
export function copied(value: unknown, depth = 0): unknown {
  if (!isRecord(value) || depth >= DEPTH_MAX) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => copied(item, depth + 1));
  if (!isPlainObject(value)) return value;
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
  for (const [name, member] of Object.entries(value)) {
    const inner = copied(member, depth + 1);
    if (name === '__proto__') Object.defineProperty(copy, name, { value: inner, enumerable: true, writable: true, configurable: true });
    else copy[name] = inner;
  }
  return copy;
}

/** Of an object, a list, a member; as engines have them, within a factor. */
const OBJECT_BYTES = 64;
const MEMBER_BYTES = 16;
const CHARACTER_BYTES = 2;

/** Ends above `bytesMax`: how much more there is says nothing. */
export function sizeOf(value: unknown, bytesMax: number): number {
  const seen = new Set<object>();
  const waiting: unknown[] = [value];
  let bytes = 0;
  while (waiting.length > 0 && bytes <= bytesMax) {
    const one = waiting.pop();
    bytes += MEMBER_BYTES;
    if (typeof one === 'string') bytes += one.length * CHARACTER_BYTES;
    if (!isRecord(one) || seen.has(one)) continue;
    seen.add(one);
    bytes += OBJECT_BYTES;
    if (ArrayBuffer.isView(one)) bytes += (one as ArrayBufferView).byteLength;
    else if (one instanceof Map) waiting.push(...one.keys(), ...one.values());
    else if (one instanceof Set || Array.isArray(one)) for (const item of one) waiting.push(item);
    else
      for (const name of Object.keys(one)) {
        bytes += name.length * CHARACTER_BYTES;
        waiting.push(one[name]);
      }
  }
  return bytes;
}
