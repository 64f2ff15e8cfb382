/**
 * What `write` and `push` ask of a chunk: since Node 22 they take any view.
 */
export const chunkChecks = {
  _isArrayBufferView: ArrayBuffer.isView,
  _isUint8Array: ArrayBuffer.isView,
  _uint8ArrayToBuffer: (chunk: ArrayBufferView) => Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength),
};
