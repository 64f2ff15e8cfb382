/** Content types of replies: charset added where it is missing. */
import { format, parse } from 'content-type';
import { COMPLETE_TYPES, createTypeMemory, HTML, JSON_TYPE } from './known-types.ts';
import { mime } from './lazy.ts';

/** The type with its charset parameter set to UTF-8, whatever it was. */
export const withUtf8 = createTypeMemory(setUtf8, [
  [HTML, HTML],
  [JSON_TYPE, JSON_TYPE],
]);

/** The type with the charset it has by default, or `false` for what is no type. */
export const completeType = createTypeMemory<string | false>((type) => mime().contentType(type), COMPLETE_TYPES);

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
