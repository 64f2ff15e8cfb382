/** Classes of bytes by name, in the order of their numbers in the binary form. A `Buffer` is a `Uint8Array` to others. */
export const BYTES_CLASSES = [
  'Uint8Array',
  'Int8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
  'ArrayBuffer',
  'DataView',
] as const;

type Name = (typeof BYTES_CLASSES)[number];

export const isNameOfBytes = (name: unknown): name is Name => (BYTES_CLASSES as readonly unknown[]).includes(name);

/** A class that has no name here is sent as its bytes. */
export function nameOfBytes(value: object): Name {
  const name = Object.prototype.toString.call(value).slice('[object '.length, -1);
  return isNameOfBytes(name) ? name : 'Uint8Array';
}
