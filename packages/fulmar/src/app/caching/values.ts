/**
 * Values that are kept: copies, so that whoever changes what he was given changes nobody else's, and how many bytes they
 * take, roughly. Instances of classes are not copied: private members cannot be.
 */
const isRecord = (value: unknown): value is Record<PropertyKey, unknown> => typeof value === 'object' && value !== null;

/** Deeper parts are shared. */
const DEPTH_MAX = 100;

const isPlainObject = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Lists and plain objects anew, all else as it is. What stands in several places, or in itself, is copied once. */
export const copied = (value: unknown): unknown => (isRecord(value) ? copyOf(value, 0, new Map()) : value);

function copyOf(value: unknown, depth: number, copies: Map<object, unknown>): unknown {
  if (!isRecord(value) || depth >= DEPTH_MAX) return value;
  const isList = Array.isArray(value);
  if (!isList && !isPlainObject(value)) return value;
  const known = copies.get(value);
  if (known !== undefined) return known;
  if (isList) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const item of value as unknown[]) list.push(copyOf(item, depth + 1, copies));
    return list;
  }
  const copy = Object.create(Object.getPrototypeOf(value) as object | null) as Record<string, unknown>;
  copies.set(value, copy);
  for (const [name, member] of Object.entries(value)) {
    const inner = copyOf(member, depth + 1, copies);
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
    else if (one instanceof Map) for (const member of one) waiting.push(...member);
    else if (one instanceof Set || Array.isArray(one)) for (const item of one) waiting.push(item);
    else
      for (const name of Object.keys(one)) {
        bytes += name.length * CHARACTER_BYTES;
        waiting.push(one[name]);
      }
  }
  return bytes;
}
