/**
 * Copies of default values: what a handler changes in one is not there for the next request.
 */

/** Of data; its depth is the schema's. */
export function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  if (value instanceof Date) return new Date(value);
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const made = {};
  for (const [key, member] of Object.entries(value)) setMember(made, key, copyOf(member));
  return made;
}

/** An own member, whatever its name: assigning `__proto__` would change what the object inherits. */
export function setMember(object: object, name: string, value: unknown): void {
  if (name === '__proto__') Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
  else (object as Record<string, unknown>)[name] = value;
}
