/** `node:zlib` */
export { default } from './zlib.ts';
