/**
 * Equality of values by depth, as JSON Schema means it: the order of members does not count, numbers are
 * equal by value.
 */
import { DEPTH_MAX, TooDeep } from './depth.ts';

/**
 * A text that two values have in common exactly when they are equal. One text for each item finds two equal
 * ones among many without comparing each with each. @throws TooDeep
 */
export function canonical(value: unknown, depth = 0): string {
  if (depth > DEPTH_MAX) throw new TooDeep();
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? typeof value;
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, depth + 1)).join()}]`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key], depth + 1)}`);
  return `{${members.join()}}`;
}

/** `expected` comes from a schema: its depth is the bound of the comparison's. */
export function equals(value: unknown, expected: unknown): boolean {
  if (value === expected) return true;
  if (typeof value !== 'object' || typeof expected !== 'object' || value === null || expected === null) return false;
  if (Array.isArray(value) !== Array.isArray(expected)) return false;
  if (Array.isArray(value)) {
    const items = expected as readonly unknown[];
    return value.length === items.length && items.every((item, at) => equals(value[at], item));
  }
  const keys = Object.keys(expected);
  return (
    Object.keys(value).length === keys.length &&
    keys.every(
      (key) => Object.hasOwn(value, key) && equals((value as Record<string, unknown>)[key], (expected as Record<string, unknown>)[key]),
    )
  );
}
