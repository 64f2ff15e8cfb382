/** Parts of checks that compiled code does not write out. */
import type { TemplateShape } from '../shape/shape.ts';
import { STEPS_MAX, TooDeep } from '../shape/validate/depth.ts';
import { canonical } from '../shape/validate/equality.ts';
import { nameOfKind } from '../shape/validate/kind.ts';
import { templateRule } from '../shape/validate/texts.ts';
import { ValidationError } from './validation-error.ts';

const FIRST_HALF = 0xd800;
const SECOND_HALF = 0xdc00;
const HALF_MASK = 0xfc00;

export function codePoints(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if ((text.charCodeAt(at) & HALF_MASK) !== FIRST_HALF || (text.charCodeAt(at + 1) & HALF_MASK) !== SECOND_HALF) continue;
    count -= 1;
    at += 1;
  }
  return count;
}

/** No two items are equal by depth. What cannot be compared within bounds does not fit. */
export function unique(items: readonly unknown[]): boolean {
  try {
    return new Set(items.map((item) => canonical(item))).size === items.length;
  } catch (error) {
    if (error instanceof TooDeep) return false;
    throw error;
  }
}

export const template = (parts: TemplateShape['parts']): ((value: unknown) => boolean) => templateRule({ kind: 'template', parts }).check;

/** Names that `Object.prototype` has count only where an object has them of its own. */
export const own = (object: object, name: string): unknown =>
  Object.hasOwn(object, name) ? (object as Record<string, unknown>)[name] : undefined;
export const has = (object: object, name: string): boolean => (name in Object.prototype ? Object.hasOwn(object, name) : name in object);

/** Is the name of a member one that a number has? */
export const numberText = (name: string): boolean => String(Number(name)) === name;

let steps = 0;

/** A check of a shape that contains itself begins. */
export function start(): void {
  steps = 0;
}

/** One more step through such a shape; false when there were too many for one value. */
export function step(): boolean {
  steps += 1;
  return steps <= STEPS_MAX;
}

/** Which member of a union a value is could not be told in so many steps; what is missing is of none. @throws ValidationError */
export function untold(value: unknown): undefined {
  if (value === undefined) return undefined;
  const expected = `a value of its type, read in ${STEPS_MAX} steps`;
  const received = nameOfKind(value);
  throw new ValidationError([{ path: [], expected, received, message: `Expected ${expected}, received ${received}.` }]);
}
