/**
 * Content types of version 4: from the `mime` package's own table, with the charset that package knows.
 * Applications reach the table as `express.static.mime` and may change it; until they do, the types nearly
 * every reply has are known by heart, so that the table is only loaded for the others.
 */
import { format, parse } from 'content-type4';
import { createTypeMemory } from '../../web/known-types.ts';
import { mime4 } from '../lazy.ts';

/** Types by extension, as the table has them. */
export const KNOWN: ReadonlyMap<string, string> = new Map([
  ['bin', 'application/octet-stream'],
  ['css', 'text/css'],
  ['html', 'text/html'],
  ['js', 'application/javascript'],
  ['json', 'application/json'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain'],
]);

const HAS_CHARSET = /;\s*charset\s*=/;
const IS_TEXT = /^text\/|^application\/(javascript|json)/;

let isExposed = false;

/** F5: the table, for applications to look into and to change. */
export function exposeMime(): ReturnType<typeof mime4> {
  isExposed = true;
  return mime4();
}

/**
 * S6: the type of a file name, an extension or a short name such as `json`. The engine's message for what is
 * no text quotes `path`.
 */
export function lookupType(path: string): string {
  const extension = path.replace(/^.*[./\\]/, '').toLowerCase();
  return (isExposed ? undefined : KNOWN.get(extension)) ?? mime4().lookup(path);
}

/** The charset of a type, in capitals. */
export function charsetOf(type: string): string | undefined {
  if (isExposed) return mime4().charsets.lookup(type);
  return IS_TEXT.test(type) ? 'UTF-8' : undefined;
}

/** What `res.set('Content-Type', …)` makes of a value. */
export function completeType(type: string): string {
  if (HAS_CHARSET.test(type)) return type;
  const charset = charsetOf(type.split(';')[0] as string);
  return charset ? `${type}; charset=${charset.toLowerCase()}` : type;
}

/** The type with its charset parameter set to UTF-8, whatever it was. Throws for what is no type. */
export const withUtf8 = createTypeMemory((type) => {
  if (!type) return type;
  const parsed = parse(type);
  parsed.parameters.charset = 'utf-8';
  return format(parsed);
});

/** The media type of a short name, or of a type with parameters. */
export function normalizeType(type: string): string {
  return type.includes('/') ? (type.split(/ *; */)[0] as string) : lookupType(type);
}
