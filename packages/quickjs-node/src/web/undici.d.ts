/** undici's inner modules, which have no types of their own. */
declare module 'undici/lib/web/*' {
  const exports: unknown;
  export default exports;
}

declare module 'undici/lib/core/errors.js' {
  const exports: unknown;
  export default exports;
}
