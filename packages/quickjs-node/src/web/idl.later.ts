/**
 * What classes of the web's standards have in common: enumerable members and a tag.
 */

/** Makes the members of a class enumerable and names its objects, as Web IDL says. */
export function exposed(Class: { readonly prototype: object; readonly name: string }, hidden: readonly string[] = []): void {
  const { prototype } = Class;
  for (const name of Object.getOwnPropertyNames(prototype)) {
    if (name === 'constructor' || hidden.includes(name)) continue;
    Object.defineProperty(prototype, name, { enumerable: true });
  }
  Object.defineProperty(prototype, Symbol.toStringTag, { value: Class.name, configurable: true });
}

/** Constants: on the class and on its objects. */
export function constants(Class: { readonly prototype: object }, values: Readonly<Record<string, number>>): void {
  for (const place of [Class, Class.prototype]) {
    for (const [name, value] of Object.entries(values)) Object.defineProperty(place, name, { value, enumerable: true });
  }
}

export const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom') as never;

export type Inspect = (value: unknown, options?: object) => string;
export type InspectOptions = { readonly depth?: number | null; readonly breakLength?: number };

/** `ClassName { … }` of the given members, for `util.inspect`. */
export function shown(object: object, members: object, depth: number, options: InspectOptions, inspect: Inspect): string {
  const name = (object.constructor as { name?: string } | undefined)?.name ?? 'Object';
  if (depth < 0) return `[${name}]`;
  const inner = { ...options, depth: options.depth === null || options.depth === undefined ? null : options.depth - 1 };
  return `${name} ${inspect(members, inner)}`;
}
