/**
 * The methods of a class, its own first, then those it inherits: without accessors and without the constructor.
 */

export function methodNames(prototype: object | null): string[] {
  const names = new Set<string>();
  for (let at = prototype; at !== null && at !== Object.prototype; at = Object.getPrototypeOf(at) as object | null) {
    for (const name of Object.getOwnPropertyNames(at)) {
      const descriptor = Object.getOwnPropertyDescriptor(at, name);
      if (name !== 'constructor' && typeof descriptor?.value === 'function') names.add(name);
    }
  }
  return [...names];
}

/** Nest's name for it. */
export class MetadataScanner {
  getAllMethodNames(prototype: object | null): string[] {
    return methodNames(prototype);
  }
}
