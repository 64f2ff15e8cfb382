/**
 * Classes of Node's time, which are functions: what stands on what.
 */

/** Makes `target` inherit from `parent` and gives its prototype what the parts have. */
export function define(target: { prototype: object }, parent: { prototype: object }, parts: readonly object[]): void {
  Object.setPrototypeOf(target.prototype, parent.prototype);
  Object.setPrototypeOf(target, parent);
  for (const part of parts) Object.defineProperties(target.prototype, Object.getOwnPropertyDescriptors(part));
}
