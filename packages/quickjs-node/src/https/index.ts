/** `node:https` */
export { default } from './https.ts';
