export * from 'node:http';
export { default } from 'node:http';
