/**
 * Application settings that are compiled when they are set: `etag` and `query parser` become functions
 * (`trust proxy`: `web/trust.ts`). Runs at configuration time; what it returns runs per request.
 */
import querystring from 'node:querystring';
import { strongEtag, weakEtag } from '../web/etag.ts';
import { qs } from '../web/lazy.ts';

export type EtagFunction = (body: string | Buffer, encoding?: BufferEncoding) => string | undefined;
export type QueryParser = (query: string | null | undefined) => Record<string, unknown>;

export function compileEtag(value: unknown): EtagFunction | undefined {
  if (typeof value === 'function') return value as EtagFunction;
  switch (value) {
    case true:
    case 'weak':
      return weakEtag;
    case false:
      return undefined;
    case 'strong':
      return strongEtag;
    default:
      throw new TypeError(`unknown value for etag function: ${String(value)}`);
  }
}

export function compileQueryParser(value: unknown): QueryParser | undefined {
  if (typeof value === 'function') return value as QueryParser;
  switch (value) {
    case true:
    case 'simple':
      return querystring.parse as QueryParser;
    case false:
      return undefined;
    case 'extended':
      return parseExtendedQueryString;
    default:
      throw new TypeError(`unknown value for query parser function: ${String(value)}`);
  }
}

function parseExtendedQueryString(query: string | null | undefined): Record<string, unknown> {
  return qs().parse(query as string, { allowPrototypes: true });
}
