/**
 * What comes from the runtime's functions for `node:crypto`, in the encoding that is asked for.
 */

/** What the runtime itself can write; the numbers of `ops/crypto/bytes.rs`. */
const DIRECT: Readonly<Record<string, number | undefined>> = { buffer: 0, hex: 1, base64: 2, base64url: 3, latin1: 4, binary: 4 };

/** The runtime's number for an encoding; 0 (bytes) for those that `Buffer` has to write. */
export function encodingNumber(encoding: string): number {
  return DIRECT[encoding] ?? DIRECT[encoding.toLowerCase()] ?? 0;
}

/** The runtime's answer as Node gives it: a `Buffer`, or a string in `encoding`. */
export function given(result: string | ArrayBuffer, encoding: string | null | undefined): string | Buffer {
  if (typeof result === 'string') return result;
  const bytes = Buffer.from(result);
  if (encoding === undefined || encoding === null || encoding === 'buffer') return bytes;
  // As Node: an encoding that does not exist gives a Buffer.
  return Buffer.isEncoding(encoding) ? bytes.toString(encoding) : bytes;
}
