/**
 * Properties that are computed when first read.
 */

/** Defines properties, each of which becomes a plain value when it is first read or set. */
export function defineLazily<N extends string>(target: object, names: readonly N[], enumerable: boolean, make: (name: N) => unknown): void {
  for (const name of names) {
    Object.defineProperty(target, name, {
      get: () => settle(target, name, enumerable, make(name)),
      // Of what inherits from the target, too.
      set(this: object | undefined, value: unknown) {
        settle(this ?? target, name, enumerable, value);
      },
      enumerable,
      configurable: true,
    });
  }
}

function settle(target: object, name: string, enumerable: boolean, value: unknown): unknown {
  Object.defineProperty(target, name, { value, writable: true, enumerable, configurable: true });
  return value;
}
