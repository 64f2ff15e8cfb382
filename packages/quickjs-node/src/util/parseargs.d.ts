/** Node's own parser of arguments, as a package; it has no types of its own. */
declare module '@pkgjs/parseargs' {
  export const parseArgs: (config?: object) => object;
}
