/** `node:querystring` */
import { coded } from '../shared/errors.ts';
import { Buffer } from '../buffer/class.ts';

type Code = (text: string) => string;

interface ParseOptions {
  readonly maxKeys?: number;
  readonly decodeURIComponent?: Code;
}

/** Parsing stops after so many pairs unless `maxKeys` says otherwise. */
const PAIRS_MAX = 1000;
const ENCODED = /%[0-9a-fA-F]{2}/;

function unescapeBuffer(s: string, decodeSpaces?: boolean): Uint8Array {
  const text = decodeSpaces === true ? s.replaceAll('+', ' ') : s;
  const decoded = text.replace(/%([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const bytes = Buffer.from(decoded, 'latin1');
  // Node gives a buffer as long as the text when there is nothing to decode.
  return bytes;
}

function unescape(s: string, decodeSpaces?: boolean): string {
  try {
    return decodeURIComponent(s);
  } catch {
    return querystring.unescapeBuffer(s, decodeSpaces).toString();
  }
}

/** Half of a pair makes one of whatever follows it, as in Node; at the end it stays what it is. */
function paired(text: string): string {
  return text.replace(/[\ud800-\udfff]([^])/g, (two) =>
    String.fromCodePoint(0x10000 + ((two.charCodeAt(0) & 0x3ff) << 10) + (two.charCodeAt(1) & 0x3ff)),
  );
}

function encoded(text: string): string | undefined {
  try {
    return encodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function escape(value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'object' ? String(value) : `${value as string}`;
  const result = encoded(text) ?? encoded(paired(text));
  if (result === undefined) throw coded(URIError, 'ERR_INVALID_URI', 'URI malformed');
  return result;
}

function primitive(value: unknown): string {
  if (typeof value === 'string') return value;
  const shown = typeof value === 'bigint' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
  return shown ? String(value) : '';
}

function stringify(obj: unknown, sep?: string | null, eq?: string | null, options?: { readonly encodeURIComponent?: Code } | null): string {
  if (obj === null || typeof obj !== 'object') return '';
  const own = options?.encodeURIComponent;
  const encode: Code = typeof own === 'function' ? own : querystring.escape;
  const convert: Code = (text) => (text === '' && encode === escape ? '' : encode(text));
  const pairs: string[] = [];
  for (const [key, value] of Object.entries(obj)) {
    const name = `${convert(key)}${eq || '='}`;
    if (Array.isArray(value)) for (const item of value) pairs.push(name + convert(primitive(item)));
    else pairs.push(name + convert(primitive(value)));
  }
  return pairs.join(sep || '&');
}

function decoded(text: string, decode: Code): string {
  const custom = decode !== unescape;
  const spaced = text.includes('+') ? text.replaceAll('+', custom ? '%20' : ' ') : text;
  if (spaced === '' || (!custom && !ENCODED.test(spaced))) return spaced;
  try {
    return decode(spaced);
  } catch {
    return querystring.unescape(spaced, true);
  }
}

function parse(qs: unknown, sep?: string | null, eq?: string | null, options?: ParseOptions | null): object {
  const result = Object.create(null) as Record<string, string | string[]>;
  if (typeof qs !== 'string' || qs.length === 0) return result;
  const max = typeof options?.maxKeys === 'number' ? options.maxKeys : PAIRS_MAX;
  const decode: Code = typeof options?.decodeURIComponent === 'function' ? options.decodeURIComponent : querystring.unescape;
  const between = eq ? String(eq) : '=';
  for (const pair of qs.split(sep ? String(sep) : '&', max > 0 ? max : undefined)) {
    if (pair === '') continue;
    const at = pair.indexOf(between);
    const key = decoded(at === -1 ? pair : pair.slice(0, at), decode);
    const value = at === -1 ? '' : decoded(pair.slice(at + between.length), decode);
    const known = result[key];
    if (known === undefined) result[key] = value;
    else if (Array.isArray(known)) known.push(value);
    else result[key] = [known, value];
  }
  return result;
}

const querystring = { unescapeBuffer, unescape, escape, stringify, encode: stringify, parse, decode: parse };

export default querystring;
