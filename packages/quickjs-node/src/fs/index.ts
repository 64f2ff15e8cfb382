/**
 * `node:fs`
 */
export { default } from './functions.ts';
