/**
 * The one spelling of a path that patterns and requests are compared in: everything decoded, but for the two
 * characters whose escapes carry a meaning, '%' as '%25' and a slash within a segment as '%2F'. Equal paths
 * are equal strings in it, each '/' parts two segments, and each '%' begins an escape. It never throws: what
 * is malformed is spelled as if its '%' stood for itself.
 */

const PERCENT = 0x25;
/** Escapes that stay. */
const KEPT = /%(?:25|2[fF])/g;
/** As many well-formed characters as there are (RFC 3629, section 4), or a '%' that begins none. */
const CHARACTERS = new RegExp(
  '(?:%[0-7]h|%(?:c[2-9a-f]|dh)%t|%e0%[ab]h%t|%e[1-9a-cef]%t%t|%ed%[89]h%t|%f0%[9ab]h%t%t|%f[1-3]%t%t%t|%f4%8h%t%t)+|%'
    .replaceAll('t', '[89ab]h')
    .replaceAll('h', '[0-9a-f]'),
  'gi',
);
/** A '%' in a value that begins no escape: as long as '%25', and nothing that can be decoded. */
const MALFORMED = '%!!';

/** `text` in the common spelling; itself when it has no '%'. */
export function toCommonSpelling(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decode(text);
  } catch {
    return text.replace(CHARACTERS, (found) => (found === '%' ? '%25' : decode(found)));
  }
}

/** The common spelling for values, as long as the other, in which malformed escapes can still be told. */
export function toValueSpelling(text: string): string {
  return text.replace(CHARACTERS, (found) => (found === '%' ? MALFORMED : decode(found)));
}

/** Where in a value's spelling the first malformed escape is; -1 when there is none. */
export function malformedAt(spelling: string, from: number): number {
  return spelling.indexOf(MALFORMED, from);
}

/** Whether a character begins at `at`, and not one of its escape's digits stands there. */
export function isBoundary(spelling: string, at: number): boolean {
  return spelling.charCodeAt(at - 1) !== PERCENT && spelling.charCodeAt(at - 2) !== PERCENT;
}

function decode(text: string): string {
  return decodeURIComponent(text.replace(KEPT, keep));
}

function keep(escape: string): string {
  return `%25${escape.slice(1).toUpperCase()}`;
}
