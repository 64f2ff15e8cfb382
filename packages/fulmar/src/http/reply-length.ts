/** How long the content of a reply is to be, and whether it is all written. */
import { ReplyFlag } from '../exchange/format.ts';
import type { ResponseState } from './response-state.ts';

/**
 * The content length the caller's own field promises, or -1. What exceeds it would be read as the next reply.
 */
export const promised = (res: ResponseState): number =>
  res._contentLength === null || res.chunkedEncoding || !res._hasBody || (res._flags & ReplyFlag.contentLength) !== 0
    ? -1
    : res._contentLength;

/**
 * Everything that the head promises is given: the client may have taken it, and left, before `end()` is
 * called.
 */
export function isWritten(res: ResponseState): boolean {
  if (!res._started || res.finished || res._held !== null) return false;
  const length = promised(res);
  return !res._hasBody || (length >= 0 && res._bytes >= length);
}
