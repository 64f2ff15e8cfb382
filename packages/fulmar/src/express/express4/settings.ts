/**
 * Settings of version 4 that are compiled when they are set (Q… in docs/internals/express4.md): the query
 * parsers differ.
 */
import { qs4 } from '../lazy.ts';
import { compileQueryParser as compileQueryParser5, type QueryParser } from '../settings.ts';

export { compileEtag } from '../settings.ts';
export { compileTrust } from '../../web/trust.ts';

/** Q2: items of an array that may be given by index. */
const ARRAY_ITEMS_MAX = 1000;

export function compileQueryParser(value: unknown): QueryParser {
  switch (value) {
    case false:
      return newObject;
    case 'extended':
      return parseExtendedQueryString;
    default:
      return compileQueryParser5(value) as QueryParser;
  }
}

/** The parser of most applications: it never throws. */
export function parseExtendedQueryString(query: string | null | undefined): Record<string, unknown> {
  return qs4().parse(query as string, { allowPrototypes: true, arrayLimit: ARRAY_ITEMS_MAX });
}

function newObject(): Record<string, unknown> {
  return {};
}
