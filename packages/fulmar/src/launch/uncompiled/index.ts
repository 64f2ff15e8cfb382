/**
 * What happens to TypeScript where a compiler is not installed, is too old or does not load. A bundle of its
 * own, `dist/cli-uncompiled.cjs`, that `transpile.ts` and `types.ts` load then.
 */
export { notInstalled, notLoaded, unsuitable } from '../installed/companion-errors.ts';
export { stripTypes } from './strip-types.ts';
