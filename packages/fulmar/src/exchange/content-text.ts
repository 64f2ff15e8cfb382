/**
 * Text on its way to the engine.
 */

/**
 * Text in another encoding than UTF-8 is encoded here; what is UTF-8 is the engine's to encode, into memory
 * of its own.
 */
export function toContent(chunk: string | Uint8Array, encoding: BufferEncoding | undefined): string | Uint8Array {
  if (typeof chunk !== 'string' || encoding === undefined || encoding === 'utf8') return chunk;
  return Buffer.from(chunk, encoding);
}
