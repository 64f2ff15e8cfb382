/**
 * What decorators of documents are given, in one form: lists of types, values of enums, and objects without some of
 * their members.
 */

/** A member of a document, or metadata on its way there. */
export type Given = Record<string, unknown>;

export function without(given: Readonly<Given>, ...names: readonly string[]): Given {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
}

export function only(given: Readonly<Given>, ...names: readonly string[]): Given {
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => names.includes(name) && value !== undefined));
}

/** What is undefined says nothing. */
export const said = (given: Readonly<Given>): Given => Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

/** `[Cat]` is a list of `Cat`. */
export function unlisted(type: unknown, isArray: unknown): { readonly type: unknown; readonly isArray: unknown } {
  if (!Array.isArray(type) || isArray === true) return { type, isArray };
  return { type: (type as unknown[])[0], isArray: true };
}

/** Of a list, of an object that TypeScript has made of an enum, or of a function that gives either. */
function enumValues(given: unknown): readonly unknown[] {
  if (typeof given === 'function') return enumValues((given as () => unknown)());
  if (Array.isArray(given)) return given;
  if (typeof given !== 'object' || given === null) return [];
  // A numeric enum has its names by its numbers as well.
  const numbers = new Set(
    Object.values(given)
      .filter((value) => typeof value === 'number')
      .map(String),
  );
  return Object.entries(given).flatMap(([name, value]) => (numbers.has(name) ? [] : [value as unknown]));
}

function enumType(values: readonly unknown[]): 'string' | 'boolean' | 'number' {
  if (values.some((value) => typeof value === 'string')) return 'string';
  return values.some((value) => typeof value === 'boolean') ? 'boolean' : 'number';
}

export const enumSchema = (given: unknown): { readonly type: string; readonly enum: readonly unknown[] } => {
  const values = enumValues(given);
  return { type: enumType(values), enum: values };
};

/** `String` and `'string'` are one type. */
export function typeName(type: unknown): string | undefined {
  const name = typeof type === 'function' ? type.name : type;
  return typeof name === 'string' && name !== '' ? name.charAt(0).toLowerCase() + name.slice(1) : undefined;
}

/** `() => Cat`, as decorators are given it: a function that has its name of the member `type`. */
export const resolved = (type: unknown): unknown => (typeof type === 'function' && type.name === 'type' ? (type as () => unknown)() : type);

export const pathOf = (name: string): string => `#/components/schemas/${name}`;
