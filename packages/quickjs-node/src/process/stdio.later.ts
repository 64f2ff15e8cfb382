/**
 * The standard streams, loaded when the first of them is used.
 */
export { members } from './stdio.ts';
