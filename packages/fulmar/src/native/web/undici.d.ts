/** undici's inner modules, which have no types of their own. */
declare module 'undici/lib/web/*' {
  const exports: unknown;
  export default exports;
}
