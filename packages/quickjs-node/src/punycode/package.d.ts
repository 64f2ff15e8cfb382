/** The package that is `node:punycode`, by a name that is not Node's; it has no types of its own. */
declare module 'punycode/punycode.es6.js' {
  export { default } from 'node:punycode';
}
