/**
 * The bytes of the binary form, by name. Numbers have a head of one byte, which is the number itself where it is
 * a small integer; what stands behind the other heads is little-endian. `docs/internals/compiler.md` says why.
 */

/** Of content in this form, where RPC sends it. */
export const BINARY_TYPE = 'application/vnd.fulmar.rpc';

/** First byte of everything: a reader of another version stops there. */
export const BINARY_VERSION = 1;

/** Integers from here to `INLINE_MAX` are one byte, their distance from here. */
export const INLINE_MIN = -32;
export const INLINE_MAX = 191;

/** Heads of numbers; all below are integers. */
export const Head = { INT16: 0xe0, INT32: 0xe1, FLOAT32: 0xe2, FLOAT64: 0xe3 } as const;

/** Heads of other values, where no type tells what comes. */
export const Tag = {
  NULL: 0xe4,
  UNDEFINED: 0xe5,
  FALSE: 0xe6,
  TRUE: 0xe7,
  TEXT: 0xe8,
  BIGINT: 0xe9,
  DATE: 0xea,
  URL: 0xeb,
  BYTES: 0xec,
  LIST: 0xed,
  NUMBERS: 0xee,
  OBJECT: 0xef,
  MAP: 0xf0,
  SET: 0xf1,
  /** Objects of the same members: names once, then a list of values for each. */
  ROWS: 0xf2,
} as const;

/** How all numbers of a list are written. */
export const Packed = { INT8: 0, INT16: 1, INT32: 2, FLOAT32: 3, FLOAT64: 4 } as const;
/** Bytes of one number, by form. */
export const PACKED_BYTES: readonly number[] = [1, 2, 4, 4, 8];

/** Of a bigint without its sign: 1,000 decimal digits and a little. */
export const BIGINT_BYTES_MAX = 416;

/** Levels of what no type tells of; the same as in JSON (`wire-hints.ts`). */
export const VALUE_DEPTH_MAX = 128;
