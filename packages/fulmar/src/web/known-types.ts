/**
 * Content types that nearly every reply has, and a memory for the others, within bounds: the type database is
 * loaded only for what is neither known nor remembered.
 */

export const HTML = 'text/html; charset=utf-8';
export const TEXT = 'text/plain; charset=utf-8';
export const JSON_TYPE = 'application/json; charset=utf-8';

/** Applications use a handful, but values may come from anywhere. */
const REMEMBERED_MAX = 256;

/** Types with their charsets: the same in all versions of the database. */
export const COMPLETE_TYPES: readonly (readonly [string, string])[] = [
  ['application/json', JSON_TYPE],
  [JSON_TYPE, JSON_TYPE],
  ['text/html', HTML],
  [HTML, HTML],
  ['text/plain', TEXT],
  [TEXT, TEXT],
];

/** `lookUp` with a memory, in which `known` stand from the start. */
export function createTypeMemory<Found extends string | false>(
  lookUp: (type: string) => Found,
  known: readonly (readonly [string, Found])[] = [],
): (type: string) => Found {
  const memory = new Map(known);
  return (type) => {
    const remembered = memory.get(type);
    if (remembered !== undefined) return remembered;
    const found = lookUp(type);
    if (typeof type === 'string' && memory.size < REMEMBERED_MAX) memory.set(type, found);
    return found;
  };
}
