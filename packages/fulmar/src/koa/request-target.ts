/**
 * The parts of a request target: path, query, search, and the setters that put a new target together. The
 * common target is cut at its question mark; everything unusual is parseurl's.
 */
import { format } from 'node:url';
import parseUrl from 'parseurl';
import type { KoaRequest } from './types.ts';

/** Characters that make parseurl use the full parser instead of cutting at `?`. */
const UNUSUAL = /[\t\n\f\r #\u00A0\uFEFF]/;
const SLASH = 0x2f;

const isPlain = (url: unknown): url is string => typeof url === 'string' && url.charCodeAt(0) === SLASH && !UNUSUAL.test(url);

type Parsed = Record<'pathname' | 'search' | 'query' | 'path', string | null>;

const parsed = (request: KoaRequest): Parsed => parseUrl(request.req) as unknown as Parsed;

function queryOf(request: KoaRequest): string {
  const { url } = request.req;
  if (!isPlain(url)) return parsed(request).query || '';
  const at = url.indexOf('?');
  return at < 0 ? '' : url.slice(at + 1);
}

export const targetMembers = {
  get path(): string | null {
    const request = this as unknown as KoaRequest;
    const { url } = request.req;
    if (!isPlain(url)) return parsed(request).pathname;
    const at = url.indexOf('?');
    return at < 0 ? url : url.slice(0, at);
  },
  /** Keeps the query. */
  set path(path: string) {
    const request = this as unknown as KoaRequest;
    const url = parsed(request);
    if (url.pathname === path) return;
    url.pathname = path;
    url.path = null;
    request.url = format(url as never);
  },
  get querystring(): string {
    const request = this as unknown as KoaRequest;
    return request.req ? queryOf(request) : '';
  },
  set querystring(text: string) {
    const request = this as unknown as KoaRequest;
    const url = parsed(request);
    if (url.search === `?${text}`) return;
    url.search = text;
    url.path = null;
    request.url = format(url as never);
  },
  get search(): string {
    const { querystring } = this as unknown as KoaRequest;
    return querystring ? `?${querystring}` : '';
  },
  set search(text: string) {
    (this as unknown as KoaRequest).querystring = text;
  },
};

/** How a version of Koa reads and writes query strings. */
export interface QueryCodec {
  readonly parse: (text: string) => object;
  readonly stringify: (values: object) => string;
  /** The object that remembers what was parsed. */
  readonly createCache: () => Record<string, object>;
}

/** `request.query`: parsed once for each query string. */
export function queryMembers({ parse, stringify, createCache }: QueryCodec): object {
  return {
    get query(): object {
      const request = this as unknown as KoaRequest;
      const text = request.querystring;
      const cache = (request._querycache = request._querycache || createCache());
      return cache[text] || (cache[text] = parse(text));
    },
    set query(values: object) {
      (this as unknown as KoaRequest).querystring = stringify(values);
    },
  };
}
