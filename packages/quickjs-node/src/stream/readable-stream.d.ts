/** The files of `readable-stream` that `node:stream` is made of. */
declare module 'readable-stream/lib/internal/streams/*' {
  // oxlint-disable-next-line typescript/no-explicit-any -- each file exports something else; the importer says what.
  const exported: any;
  export default exported;
}
