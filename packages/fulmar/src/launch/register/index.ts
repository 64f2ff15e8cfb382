/**
 * The bundle of processes whose entry is not ours: `dist/register.cjs`, which `bin/register.cjs` and
 * `bin/preload.cjs` load.
 *
 * It holds the hooks once more, and nothing of the command line; a loader thread of such a process loads it
 * as well.
 */
export { initialize, load, resolve } from '../modules/hooks-legacy.ts';
export { watchEscapes } from './escapes.ts';
export { preload, register } from './preload.ts';
