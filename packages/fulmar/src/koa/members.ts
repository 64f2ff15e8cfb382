/** Small tools to put prototypes together from parts. Run at start-up only. */

/** One plain object with the members of all parts, accessors included; later parts win. */
export function assemble(...parts: readonly object[]): object {
  const target = {};
  for (const part of parts) Object.defineProperties(target, Object.getOwnPropertyDescriptors(part));
  return target;
}

/** Adds members as a class body would: not enumerable. */
export function addMethods(prototype: object, members: object): void {
  for (const [key, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(members))) {
    Object.defineProperty(prototype, key, { ...descriptor, enumerable: false });
  }
}

/** The keys of `source` that have a value, for `toJSON`. */
export function only(source: object, keys: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const key of keys) {
    const value = (source as Record<string, unknown>)[key];
    if (value !== null && value !== undefined) picked[key] = value;
  }
  return picked;
}

/** Is this an Error, also of another realm? */
export function isNativeError(value: unknown): value is Error {
  return Object.prototype.toString.call(value) === '[object Error]' || value instanceof Error;
}
