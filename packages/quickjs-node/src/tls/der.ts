/**
 * DER, as far as certificates use it: values with a tag of one byte. Throws on bytes that are none.
 */

export interface Der {
  readonly tag: number;
  readonly content: Buffer;
  /** Tag, length and content. */
  readonly whole: Buffer;
}

const LONG_FORM = 0x80;
const LENGTH_BYTES_MAX = 4;

function malformed(): Error {
  return new Error('The certificate is malformed');
}

function one(bytes: Buffer, from: number): { readonly value: Der; readonly end: number } {
  const tag = bytes[from];
  let length = bytes[from + 1];
  if (tag === undefined || length === undefined) throw malformed();
  let start = from + 2;
  if (length >= LONG_FORM) {
    const count = length - LONG_FORM;
    if (count === 0 || count > LENGTH_BYTES_MAX || start + count > bytes.length) throw malformed();
    length = bytes.readUIntBE(start, count);
    start += count;
  }
  const end = start + length;
  if (end > bytes.length) throw malformed();
  return { value: { tag, content: bytes.subarray(start, end), whole: bytes.subarray(from, end) }, end };
}

/** The values that stand one behind the other in `bytes`. */
export function values(bytes: Buffer): Der[] {
  const list: Der[] = [];
  for (let at = 0; at < bytes.length;) {
    const { value, end } = one(bytes, at);
    list.push(value);
    at = end;
  }
  return list;
}

/** What is within a sequence or a set. */
export const within = (value: Der | undefined): Der[] => {
  if (value === undefined) throw malformed();
  return values(value.content);
};

/** `1.2.840…` */
export function objectId(bytes: Buffer): string {
  const parts: number[] = [];
  let part = 0;
  for (const byte of bytes) {
    part = part * 128 + (byte & 0x7f);
    if (byte < 128) {
      if (parts.length === 0) parts.push(...(part < 80 ? [Math.floor(part / 40), part % 40] : [2, part - 80]));
      else parts.push(part);
      part = 0;
    }
  }
  return parts.join('.');
}

const UNIVERSAL_STRINGS = { utf8: 0x0c, bmp: 0x1e } as const;

/** A string of any of ASN.1's kinds. */
export function text({ tag, content }: Der): string {
  if (tag === UNIVERSAL_STRINGS.utf8) return content.toString('utf8');
  if (tag === UNIVERSAL_STRINGS.bmp) return Buffer.from(content).swap16().toString('utf16le');
  return content.toString('latin1');
}
