/**
 * Whose Nest an application runs on. A bundle of its own, `dist/cli-nest.cjs`, that `modules/aliases.ts` and its
 * neighbours load with the first name of Nest's: all others start without.
 */
export { createNeighbourFinder, createNestFinder, hasPackagesOfNest } from './applications.ts';
