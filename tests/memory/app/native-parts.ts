/**
 * The functions that the application's own checks use, taken before it patches prototypes: what looks for
 * leaks must neither be seen by the patches nor depend on them.
 */

const { apply, ownKeys, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;
const latin1Slice = (Buffer.prototype as unknown as { latin1Slice: (start?: number, end?: number) => string }).latin1Slice;
const { fill } = Uint8Array.prototype;
const Bytes = Uint8Array;
const BufferPrototype = Buffer.prototype;
const { setPrototypeOf } = Object;
const { isView } = ArrayBuffer;

export { apply, getOwnPropertyDescriptor, getPrototypeOf, isView, ownKeys };

export type Memory = ArrayBuffer | SharedArrayBuffer;

/** A view of all of it. */
export function viewOf(memory: Memory): Uint8Array {
  return new Bytes(memory);
}

export function textOf(view: ArrayBufferView): string {
  if (view.byteLength === 0) return '';
  const bytes = new Bytes(view.buffer, view.byteOffset, view.byteLength);
  setPrototypeOf(bytes, BufferPrototype);
  return apply(latin1Slice, bytes, [0, bytes.length]) as string;
}

/** What was given away meanwhile has no bytes, and filling it is an error. */
export function fillAll(view: Uint8Array, value: number): void {
  if (view.length > 0) apply(fill, view, [value]);
}

export function isMemory(value: unknown): value is Memory {
  return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}
