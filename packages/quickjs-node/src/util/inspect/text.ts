/**
 * Strings, numbers and other primitives as `util.inspect` shows them; the width of text.
 */
import { validateString } from '../../shared/validators.ts';
import { type Context, plain, type Style } from './context.ts';

// oxlint-disable no-control-regex -- control characters are what is looked for
const ESCAPED = /[\u0000-\u001f'\\\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const ESCAPED_BUT_QUOTE = /[\u0000-\u001f\\\u007f-\u009f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const SPECIAL: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\f': '\\f',
  '\r': '\\r',
  "'": "\\'",
  '\\': '\\\\',
};
/** Shorter strings are never split into lines. */
const LINE_MIN = 16;
const SEQUENCES =
  /(?:\u001b\][\s\S]*?(?:\u0007|\u001b\\|\u009c))|[\u001b\u009b][[\]()#;?]*(?:\d{1,4}(?:[;:]\d{0,4})*)?[\dA-PR-TZcf-nq-uy=><~]/g;
// oxlint-enable no-control-regex

function escaped(char: string): string {
  const known = SPECIAL[char];
  if (known !== undefined) return known;
  const code = char.charCodeAt(0).toString(16);
  return code.length > 2 ? `\\u${code}` : `\\x${code.toUpperCase().padStart(2, '0')}`;
}

export function escapedSymbol(text: string): string {
  return text.replace(ESCAPED, escaped);
}

/** In single quotes; in others when that saves escapes. */
export function quoted(text: string): string {
  let quote = "'";
  if (text.includes("'")) {
    if (!text.includes('"')) quote = '"';
    else if (!text.includes('`') && !text.includes('${')) quote = '`';
  }
  return quote + text.replace(quote === "'" ? ESCAPED : ESCAPED_BUT_QUOTE, escaped) + quote;
}

function groupedInteger(digits: string): string {
  return digits.replace(/(?<=\d)(?=(?:\d{3})+$)/g, '_');
}

export function shownNumber(stylize: Style, value: number, separate: boolean): string {
  if (Object.is(value, -0)) return stylize('-0', 'number');
  const text = String(value);
  if (!separate || !Number.isFinite(value) || text.includes('e')) return stylize(text, 'number');
  const [whole, fraction] = text.split('.') as [string, string | undefined];
  const rest = fraction === undefined ? '' : `.${fraction.replace(/(\d{3})(?=\d)/g, '$1_')}`;
  return stylize(groupedInteger(whole) + rest, 'number');
}

export function shownBigInt(stylize: Style, value: bigint, separate: boolean): string {
  return stylize(`${separate ? groupedInteger(String(value)) : String(value)}n`, 'bigint');
}

function shownString(stylize: Style, value: string, context: Context): string {
  let text = value;
  let rest = '';
  if (text.length > context.maxStringLength) {
    const more = text.length - context.maxStringLength;
    text = text.slice(0, context.maxStringLength);
    rest = `... ${more} more character${more > 1 ? 's' : ''}`;
  }
  const long = text.length > LINE_MIN && text.length > context.breakLength - context.indentation - 4;
  if (context.compact === true || !long) return stylize(quoted(text), 'string') + rest;
  const lines = text.split(/(?<=\n)/).map((line) => stylize(quoted(line), 'string'));
  return lines.join(` +\n${' '.repeat(context.indentation + 2)}`) + rest;
}

export function shownPrimitive(stylize: Style, value: unknown, context: Context): string {
  switch (typeof value) {
    case 'string':
      return shownString(stylize, value, context);
    case 'number':
      return shownNumber(stylize, value, context.numericSeparator);
    case 'bigint':
      return shownBigInt(stylize, value, context.numericSeparator);
    case 'boolean':
      return stylize(String(value), 'boolean');
    case 'undefined':
      return stylize('undefined', 'undefined');
    default:
      return stylize(String(value), 'symbol');
  }
}

export function stripVTControlCharacters(str: string): string {
  validateString(str, 'str');
  return str.includes('\u001b') || str.includes('\u009b') ? str.replace(SEQUENCES, '') : str;
}

/** First and last code points of characters that take two columns. */
const WIDE: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2329, 0x232a],
  [0x2e80, 0x303e],
  [0x3040, 0x3247],
  [0x3250, 0x4dbf],
  [0x4e00, 0xa4c6],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe10, 0xfe19],
  [0xfe30, 0xfe6b],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];
/** Combining marks, joiners, variation selectors and other characters without width. */
const NO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;

export function widthOf(text: string, withColors = true): number {
  const shown = withColors ? stripVTControlCharacters(text) : text;
  let width = 0;
  for (const char of shown.normalize('NFC')) {
    const code = char.codePointAt(0) ?? 0;
    if (code < 127) width += code >= 32 ? 1 : 0;
    else if (WIDE.some(([from, to]) => code >= from && code <= to)) width += 2;
    else if (!NO_WIDTH.test(char)) width += 1;
  }
  return width;
}

export { plain };
