// How a version 4 object begins: with the members of version 5's. What follows in each file of this folder is the list of
// differences. Runs when the module is loaded.

/** A new object with prototype `parent` and the members of `shared`, accessors included; version 5's object stays as it is. */
export function copyMembers<T extends object>(shared: T, parent: object | null): T {
  return Object.create(parent, Object.getOwnPropertyDescriptors(shared)) as T;
}
