/** Copies options as version 4 does: those of the prototype chain too. */

/** Sets on `target` every enumerable member of `source`, inherited ones included, and returns it. */
export function merge(target: Record<string, unknown>, source: object | null | undefined): Record<string, unknown> {
  const members = source as Record<string, unknown> | null | undefined;
  for (const key in members) target[key] = members[key];
  return target;
}
