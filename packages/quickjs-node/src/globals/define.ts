/**
 * Globals, each made when it is first used.
 */
import { defineLazily } from '../shared/lazy-property.ts';

export function defineGlobals(names: readonly string[], make: (name: string) => unknown): void {
  defineLazily(globalThis, names, false, make);
}
