/**
 * The conditions of a request for a file: If-Match and the like, If-Range. Pure functions over headers, run
 * only when the request has such a header.
 */
import type { IncomingHttpHeaders } from 'node:http';

/** What the reply says about the file so far. */
export interface Validators {
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
}

export function isConditionalRequest(headers: IncomingHttpHeaders): boolean {
  return Boolean(headers['if-match'] || headers['if-unmodified-since'] || headers['if-none-match'] || headers['if-modified-since']);
}

export function isPreconditionFailure(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const match = headers['if-match'];
  if (match) {
    if (!etag) return true;
    if (match === '*') return false;
    return parseTokenList(match).every((tag) => tag !== etag && tag !== `W/${etag}` && `W/${tag}` !== etag);
  }
  const unmodifiedSince = parseHttpDate(headers['if-unmodified-since']);
  if (Number.isNaN(unmodifiedSince)) return false;
  const modified = parseHttpDate(lastModified);
  return Number.isNaN(modified) || modified > unmodifiedSince;
}

/** Whether the range asked for is of the file as it is now. */
export function isRangeFresh(headers: IncomingHttpHeaders, { etag, lastModified }: Validators): boolean {
  const ifRange = headers['if-range'] as string | undefined;
  if (!ifRange) return true;
  if (ifRange.includes('"')) return Boolean(etag && ifRange.includes(etag));
  return parseHttpDate(lastModified) <= parseHttpDate(ifRange);
}

function parseHttpDate(text: string | undefined): number {
  return text ? Date.parse(text) : Number.NaN;
}

function parseTokenList(text: string): string[] {
  const list: string[] = [];
  let start = 0;
  let end = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x20) {
      if (start === end) start = end = at + 1;
    } else if (code === 0x2c) {
      if (start !== end) list.push(text.slice(start, end));
      start = end = at + 1;
    } else {
      end = at + 1;
    }
  }
  if (start !== end) list.push(text.slice(start, end));
  return list;
}
