/**
 * How deep a value of a shape that contains itself may be. A request of a few kilobytes can be nested
 * thousands deep, and each level is a few calls on the stack.
 */

export const DEPTH_MAX = 256;

/**
 * Steps through references for one value. Alternatives that contain themselves, each of which has to be tried
 * at each level, would take time by a power of the depth; a list of a mebibyte has some 400,000 members.
 */
export const STEPS_MAX = 2_000_000;

/** Thrown past everything that would take a refusal for an answer (`not`, `oneOf`); caught where a check begins. */
export class TooDeep extends Error {
  readonly expected: string;
  readonly received: string;

  constructor(expected = `nested ${DEPTH_MAX} deep at most`, received = 'deeper') {
    super(expected);
    this.expected = expected;
    this.received = received;
  }
}

/** Counts for one document. */
export interface Depth {
  now: number;
  steps: number;
}

/** @throws TooDeep */
export function deeper(depth: Depth): void {
  depth.steps += 1;
  if (depth.now >= DEPTH_MAX) throw new TooDeep();
  if (depth.steps > STEPS_MAX) throw new TooDeep(`checked in ${STEPS_MAX} steps`, 'more');
  depth.now += 1;
}

export function startOver(depth: Depth): void {
  depth.now = 0;
  depth.steps = 0;
}
