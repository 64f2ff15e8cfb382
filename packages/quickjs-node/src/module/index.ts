/** `node:module` */
export { default } from './module.ts';
