/**
 * What comes from the host's functions for `node:crypto`, in the encoding that is asked for.
 */

/** For the host: an `ArrayBuffer`, a `Buffer`. */
export const MEMORY = 0;
export const BUFFER = 5;

/** What the host itself can write; the numbers of `ops/crypto/bytes.rs`. */
const DIRECT: Readonly<Record<string, number | undefined>> = { buffer: BUFFER, hex: 1, base64: 2, base64url: 3, latin1: 4, binary: 4 };

/** The host's number for an encoding; a `Buffer` where there is none, or it has to write it itself. */
export function encodingNumber(encoding: string | null | undefined): number {
  if (!encoding) return BUFFER;
  const name = `${encoding}`;
  return DIRECT[name] ?? DIRECT[name.toLowerCase()] ?? BUFFER;
}

/** The host's answer as Node gives it: a `Buffer`, or a string in `encoding`. */
export function given(result: string | Buffer | ArrayBuffer, encoding: string | null | undefined): string | Buffer {
  if (typeof result === 'string') return result;
  const bytes = result instanceof ArrayBuffer ? Buffer.from(result) : result;
  if (!encoding || encoding === 'buffer') return bytes;
  const name = `${encoding}` as BufferEncoding;
  // As Node: an encoding that does not exist gives a Buffer.
  return Buffer.isEncoding(name) ? bytes.toString(name) : bytes;
}
