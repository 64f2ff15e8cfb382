/**
 * How deep a value of a shape that contains itself may be. A request of a few kilobytes can be nested
 * thousands deep, and each level is a few calls on the stack.
 */

export const DEPTH_MAX = 256;

/** Thrown past everything that would take a refusal for an answer (`not`, `oneOf`); caught where a check begins. */
export class TooDeep extends Error {}

/** Counts for one document. */
export interface Depth {
  now: number;
}

/** @throws TooDeep */
export function deeper(depth: Depth): void {
  if (depth.now >= DEPTH_MAX) throw new TooDeep();
  depth.now += 1;
}
