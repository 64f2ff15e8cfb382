/** What `import … from 'fulmar/http'` gives: all that node:http has. Types only. */
export * from 'node:http';
export { default } from 'node:http';
