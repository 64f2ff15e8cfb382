/**
 * Names of encodings and the host's numbers for them (`crates/quickjs-node/src/encodings.rs`).
 */
export const UTF8 = 1;
export const UTF16LE = 3;
export const LATIN1 = 4;

const NUMBERS: Readonly<Record<string, number | undefined>> = {
  // @ts-expect-error: no name of Object.prototype is an encoding
  __proto__: null,
  ascii: 0,
  utf8: UTF8,
  'utf-8': UTF8,
  base64: 2,
  ucs2: UTF16LE,
  'ucs-2': UTF16LE,
  utf16le: UTF16LE,
  'utf-16le': UTF16LE,
  latin1: LATIN1,
  binary: LATIN1,
  hex: 5,
  base64url: 7,
};

/** The number of an encoding's name in any case; undefined when there is none of this name. */
export function encodingNumber(name: unknown): number | undefined {
  const text = typeof name === 'string' ? name : String(name);
  return NUMBERS[text] ?? NUMBERS[text.toLowerCase()];
}

const NAMES = ['ascii', 'utf8', 'base64', 'utf16le', 'latin1', 'hex', 'buffer', 'base64url'] as const;

/** `UTF-8` → `utf8`; nothing given is `utf8`; undefined for what is not an encoding. */
export function normalizeEncoding(name: unknown): string | undefined {
  if (name === undefined || name === null || name === '' || name === 'utf8') return 'utf8';
  const number = encodingNumber(name);
  return number === undefined ? undefined : NAMES[number];
}
