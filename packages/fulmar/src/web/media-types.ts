/**
 * Content types of replies: charset added where it is missing, with the few types nearly every reply has known by heart
 * so that the type database is only loaded for the others.
 */
import { format, parse } from 'content-type';
import { mime } from './lazy.ts';

export const HTML = 'text/html; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Content types remembered; applications use a handful, but values may come from anywhere. */
const REMEMBERED_MAX = 256;
/** Content types with `charset=utf-8`, by what they were before. */
const utf8Types = new Map<string, string>([
  [HTML, HTML],
  [JSON_TYPE, JSON_TYPE],
]);
/** What `res.set('Content-Type', …)` makes of a value. */
const completed = new Map<string, string | false>([
  ['application/json', JSON_TYPE],
  ['text/html', HTML],
  [HTML, HTML],
  [JSON_TYPE, JSON_TYPE],
  ['text/plain', 'text/plain; charset=utf-8'],
]);

/** The type with its charset parameter set to UTF-8, whatever it was. */
export function withUtf8(type: string): string {
  const known = utf8Types.get(type);
  if (known !== undefined) return known;
  return remember(utf8Types, type, setUtf8(type));
}

/** The type with the charset it has by default, or `false` for what is no type. */
export function completeType(type: string): string | false {
  const known = completed.get(type);
  if (known !== undefined) return known;
  return remember(completed, type, mime().contentType(type));
}

/** The full type for a file extension or a short name such as `json`. */
export function typeOfName(name: string): string {
  if (name === 'html') return HTML;
  if (name === 'json') return JSON_TYPE;
  return mime().contentType(name) || 'application/octet-stream';
}

function setUtf8(type: string): string {
  if (!type) return type;
  const parsed = parse(type);
  const parameters = parsed.parameters as Record<string, string>;
  parameters.charset = 'utf-8';
  return format({ type: parsed.type, parameters });
}

function remember<V>(map: Map<string, V>, key: string, value: V): V {
  if (map.size < REMEMBERED_MAX) map.set(key, value);
  return value;
}
