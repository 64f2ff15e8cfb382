/**
 * Bodies of the web's kinds: Blob, ReadableStream, Response. Node loads their classes when they are first
 * named, which costs time and memory; a plain object or array is told apart without naming them.
 */

/** Is this a Blob, a ReadableStream or a Response? */
export function isWebBody(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === Object.prototype || prototype === Array.prototype || prototype === null) return false;
  return value instanceof ReadableStream || value instanceof Blob || value instanceof Response;
}
