/**
 * Kinds of values as bits, so that a union knows which of its members to ask; and how a value is called in an
 * issue.
 */

export const Kind = {
  NULL: 1,
  BOOLEAN: 2,
  NUMBER: 4,
  STRING: 8,
  ARRAY: 16,
  OBJECT: 32,
  UNDEFINED: 64,
  BIGINT: 128,
  OTHER: 256,
  ALL: 511,
} as const;

/** Checks that are a look at a value's type: whoever has many of them makes them without a call. */
export const Look = { NONE: 0, STRING: 1, NUMBER: 2, INTEGER: 3, BOOLEAN: 4 } as const;

export function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return Kind.STRING;
    case 'number':
      return Kind.NUMBER;
    case 'boolean':
      return Kind.BOOLEAN;
    case 'object':
      return value === null ? Kind.NULL : Array.isArray(value) ? Kind.ARRAY : Kind.OBJECT;
    case 'undefined':
      return Kind.UNDEFINED;
    case 'bigint':
      return Kind.BIGINT;
    default:
      return Kind.OTHER;
  }
}

/** Classes that are told by name; the name of any other class is not the client's to know. */
const CLASSES = [Date, Map, Set, RegExp, ArrayBuffer] as const;

/** What came, without the value: it may be a secret, and it may be long. */
export function nameOfKind(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (typeof value !== 'object') return typeof value;
  if (ArrayBuffer.isView(value)) return Object.prototype.toString.call(value).slice('[object '.length, -1);
  return CLASSES.find((one) => value instanceof one)?.name ?? 'object';
}

export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A literal as a person would write it. */
export const shownLiteral = (value: unknown): string =>
  typeof value === 'string' ? JSON.stringify(value) : typeof value === 'bigint' ? `${value}n` : String(value);
