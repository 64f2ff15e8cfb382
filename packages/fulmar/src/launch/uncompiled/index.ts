/**
 * What happens to TypeScript where the compiler is not installed, is too old or does not load. A bundle of
 * its own, `dist/cli-uncompiled.cjs`, that `transpile.ts` loads then.
 */
export { notLoaded, unsuitable } from '../installed/companion-errors.ts';
export { stripTypes } from './strip-types.ts';
