/**
 * Classes written against Node's own messages. What inherits from Node's prototype directly is put on top of
 * ours instead: ours inherits from Node's and does what Node does without an exchange, so nothing is lost and
 * `super` calls reach us. Done once, when a server is made or its listener changes; never per request.
 */

interface Ctor {
  prototype: object;
}

/**
 * Puts `start`'s chain on `ours` where it stood on `node`. True if the chain now contains `ours.prototype`.
 */
export function rebase(start: object, node: Ctor, ours: Ctor): boolean {
  for (let link: object | null = start; link !== null; link = Reflect.getPrototypeOf(link)) {
    if (link === ours.prototype) return true;
    if (Reflect.getPrototypeOf(link) === node.prototype) return Reflect.setPrototypeOf(link, ours.prototype);
  }
  return false;
}

/** The same for a class: its prototype chain and its constructor chain, so that `super()` constructs ours. */
export function rebaseClass(given: Ctor, node: Ctor, ours: Ctor): boolean {
  if (given === ours || given === node) return given === ours;
  if (!rebase(given.prototype, node, ours)) return false;
  for (let link: object | null = given; link !== null; link = Reflect.getPrototypeOf(link)) {
    if (link === ours) break;
    if (Reflect.getPrototypeOf(link) === node) Reflect.setPrototypeOf(link, ours);
  }
  return true;
}
