/** Parts of the app that stand on Node's modules say so where there are none, before they are loaded. */

export const hasNode = (): boolean => typeof process === 'object' && typeof process.getBuiltinModule === 'function';

/** @throws TypeError that names the part and what to do instead */
export function needNode(what: string, instead: string): void {
  if (!hasNode()) throw new TypeError(`${what} needs modules of Node's, and this host has none: ${instead}.`);
}
