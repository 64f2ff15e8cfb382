/**
 * The path of a request target, found in one scan together with what the index wants to know about it. The
 * first thing routing does; targets that are out of the ordinary go to the library that upstream uses.
 */
import parseUrl from 'parseurl';
import type { ExpressRequest } from '../message-types.ts';
import type { ScannedPath } from './route-index.ts';

const SLASH = 0x2f;
const QUESTION_MARK = 0x3f;
const HASH = 0x23;
const SPACE = 0x20;
const TILDE = 0x7e;
const UPPER_A = 0x41;
const UPPER_Z = 0x5a;
const PERCENT = 0x25;

/** A path with nothing known about it. */
export interface RequestPath extends ScannedPath {
  path: string;
  isPlain: boolean;
  hasUpperCase: boolean;
  hasPercent: boolean;
}

/** Finds the path of `req.url` and writes it into `out`; false when there is none. */
export function scanRequestPath(req: ExpressRequest, out: RequestPath): boolean {
  const { url } = req;
  if (typeof url !== 'string' || url.charCodeAt(0) !== SLASH) return parseRequestPath(req, out);
  const { length } = url;
  let isPlain = true;
  let hasUpperCase = false;
  let hasPercent = false;
  let previous = SLASH;
  let at = 1;
  for (; at < length; at++) {
    const code = url.charCodeAt(at);
    if (code === QUESTION_MARK) break;
    if (code === SLASH) {
      if (previous === SLASH) isPlain = false;
    } else if (code <= SPACE || code > TILDE || code === HASH) {
      return parseRequestPath(req, out);
    } else if (code >= UPPER_A && code <= UPPER_Z) {
      hasUpperCase = true;
    } else if (code === PERCENT) {
      hasPercent = true;
    }
    previous = code;
  }
  if (at < length && hasOddQuery(url, at + 1)) return parseRequestPath(req, out);
  out.path = at === length ? url : url.slice(0, at);
  out.isPlain = isPlain;
  out.hasUpperCase = hasUpperCase;
  out.hasPercent = hasPercent;
  return true;
}

/** Whether the query has a character that makes the library parse the whole target differently. */
function hasOddQuery(url: string, from: number): boolean {
  for (let at = from; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code <= SPACE || code > TILDE || code === HASH) return true;
  }
  return false;
}

function parseRequestPath(req: ExpressRequest, out: RequestPath): boolean {
  let path: string | null | undefined;
  try {
    path = parseUrl(req)?.pathname;
  } catch {
    return false;
  }
  if (path == null) return false;
  out.path = path;
  out.isPlain = false;
  out.hasUpperCase = true;
  out.hasPercent = true;
  return true;
}
