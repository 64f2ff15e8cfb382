/**
 * What messages to guests have beyond the binary form of values (`shape/binary/form.ts`), by name;
 * `crates/guest/src/wire.rs` has the same.
 *
 * A message begins with the number of its call, eight bytes, then its kind. Replies stand one behind the other, each
 * behind its length and the number of its attached values, four bytes each.
 */

/** Tags of values that only guests have. */
export const GuestTag = {
  DECIMAL: 0xf3,
  /** Type of the elements, dimensions, their lengths; then bytes. */
  ARRAY: 0xf4,
  /** An object of the guest's: its number; from the guest also the name of its class. */
  HANDLE: 0xf5,
  /** An object of JavaScript's: its number, and whether it is a function. */
  REFERENCE: 0xf6,
  /** Bytes beside the message, by their position. */
  ATTACHED: 0xf7,
  INT64: 0xf8,
} as const;

/** Kinds of messages to a guest. */
export const Kind = { RELEASE: 0, IMPORT: 1, EVAL: 2, CALL: 3, RESOLVE: 4, DESCRIBE: 5 } as const;

/**
 * Kinds of messages to the library that isolates a guest (`crates/guest-isolated/src/submissions.rs`): number of a module
 * and what imports it; that number alone, for a handle; its process ends; the process behind so many that have ended has sent what is no value.
 */
export const IsolatedKind = { DEFINE: 16, LOAD: 17, CLOSE: 18, DOUBT: 19 } as const;

/** Numbers of calls and objects have seven bits in each byte. */
export const ID_BYTES_MAX = 8;

/** Numbers of modules of isolated processes begin here. */
export const MODULES_MIN = 2 ** 52;

/** What is done with the end of a path. */
export const Action = {
  CALL: 0,
  GET: 1,
  SET: 2,
  NEW: 3,
  ITERATE: 4,
  NEXT: 5,
  RETURN: 6,
  NAMES: 7,
  DELETE: 8,
  VALUE: 9,
  TEXT: 10,
} as const;
export type ActionCode = (typeof Action)[keyof typeof Action];

/** How a result comes back: values as such and all else as a handle, or whatever it is as a handle. */
export const Form = { AUTO: 0, HANDLE: 1 } as const;
export type FormCode = (typeof Form)[keyof typeof Form];

/** Kinds of messages from a guest. `ENDED`: its process has; objects that were lent to it are free, but those of calls that wait. */
export const Reply = { VALUE: 0, ERROR: 1, CALLBACK: 2, LET_GO: 3, ENDED: 4 } as const;

/** From here on bytes go beside the message. */
export const ATTACH_BYTES_MIN = 16_384;

/** Arrays of numbers by the code of their elements. `null`: JavaScript has no class for it. */
export const ELEMENTS = [
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
  Uint8Array,
] as const;
export const ELEMENT_NAMES = [
  'int8',
  'uint8',
  'int16',
  'uint16',
  'int32',
  'uint32',
  'int64',
  'uint64',
  'float32',
  'float64',
  'bool',
] as const;
export type ElementName = (typeof ELEMENT_NAMES)[number];
export type TypedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;
