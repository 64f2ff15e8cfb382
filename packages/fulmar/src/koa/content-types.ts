/**
 * Content types of replies: the few names nearly every reply uses are known by heart, so that the type database is loaded for the
 * others only; what was looked up is remembered, within bounds.
 */

/** Applications use a handful; values may come from anywhere. */
const REMEMBERED_MAX = 100;

const HTML = 'text/html; charset=utf-8';
const TEXT = 'text/plain; charset=utf-8';
const JSON_TYPE = 'application/json; charset=utf-8';

/** The same in all versions of the database. */
export const knownTypes: readonly (readonly [string, string])[] = [
  ['json', JSON_TYPE],
  ['application/json', JSON_TYPE],
  [JSON_TYPE, JSON_TYPE],
  ['html', HTML],
  ['text/html', HTML],
  [HTML, HTML],
  ['text', TEXT],
  ['text/plain', TEXT],
  [TEXT, TEXT],
  ['bin', 'application/octet-stream'],
];

/** `lookUp` with a memory. */
export function createTypeMemory(lookUp: (type: string) => string | false): (type: string) => string | false {
  const known = new Map<string, string | false>(knownTypes);
  const bound = known.size + REMEMBERED_MAX;
  return (type) => {
    const remembered = known.get(type);
    if (remembered !== undefined) return remembered;
    const found = lookUp(type);
    if (typeof type === 'string' && known.size < bound) known.set(type, found);
    return found;
  };
}
