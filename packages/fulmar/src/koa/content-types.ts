/**
 * Content types as `ctx.type` takes them: the short names that nearly every reply uses are known by heart,
 * too.
 */
import { COMPLETE_TYPES, createTypeMemory, HTML, JSON_TYPE, TEXT } from '../web/known-types.ts';

/** The same in all versions of the database. */
export const knownTypes: readonly (readonly [string, string])[] = [
  ['json', JSON_TYPE],
  ['html', HTML],
  ['text', TEXT],
  ['bin', 'application/octet-stream'],
  ...COMPLETE_TYPES,
];

/** What a version of Koa makes of a name or a type; `lookUp` asks its database. */
export function createContentTypes(lookUp: (type: string) => string | false): (type: string) => string | false {
  return createTypeMemory<string | false>(lookUp, knownTypes);
}
