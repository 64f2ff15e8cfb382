/** Bounds of what compiled types do with values of others; `SECURITY.md` lists them. */

/** Levels of a type that contains itself. The same as for other schemas (`shape/validate/depth.ts`). */
export { DEPTH_MAX } from '../shape/validate/depth.ts';

/** Digits of a bigint that are read: converting takes time by the square of them. */
export const BIGINT_DIGITS_MAX = 1000;
