/**
 * What of `jose` is used, on hosts that have nothing of Node's: it needs nothing of it. Stands in the place of
 * `jose.ts` there, and is never loaded late.
 */
export { default } from './jose.ts';
