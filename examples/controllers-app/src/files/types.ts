/** The types that are taken, and by which first bytes a content is one of them: what a client says of it is not believed. */
const SIGNATURES: ReadonlyMap<string, readonly number[] | null> = new Map([
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  // Whatever it is, it is given back as text, and as a download.
  ['text/plain', null],
]);

export const SIGNATURE_BYTES = 8;
export const TYPES: readonly string[] = [...SIGNATURES.keys()];

export function isOfType(type: string, firstBytes: Uint8Array): boolean {
  const signature = SIGNATURES.get(type);
  if (signature === undefined) return false;
  return signature === null || signature.every((byte, at) => firstBytes[at] === byte);
}
