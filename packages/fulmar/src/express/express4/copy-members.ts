/**
 * How a version 4 object begins: with the members of version 5's. What follows in each file of this folder is
 * the list of differences. Runs when the module is loaded.
 */

/**
 * A new object with prototype `parent` and the members of `shared`, accessors included; version 5's object
 * stays as it is.
 */
export function copyMembers<T extends object>(shared: T, parent: object | null): T {
  return Object.create(parent, Object.getOwnPropertyDescriptors(shared)) as T;
}

/** Moves a member behind another. */
export function moveAfter(target: object, anchor: string, name: string): void {
  const members = Object.getOwnPropertyDescriptors(target) as Record<string, PropertyDescriptor>;
  const names = Object.keys(members).filter((key) => key !== name);
  names.splice(names.indexOf(anchor) + 1, 0, name);
  for (const key of names) {
    delete (target as Record<string, unknown>)[key];
    Object.defineProperty(target, key, members[key] as PropertyDescriptor);
  }
}
