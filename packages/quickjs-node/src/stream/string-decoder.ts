/**
 * What `readable-stream` takes as `string_decoder`: loaded when a stream gets an encoding.
 */
export function StringDecoder(encoding: BufferEncoding): object {
  return new (process.getBuiltinModule('node:string_decoder').StringDecoder)(encoding);
}
