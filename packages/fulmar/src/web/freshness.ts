/**
 * Whether the conditions of a request are looked at: what a client has may be kept only in place of some
 * replies.
 */

/** Only what is asked for with GET, HEAD or QUERY and is there, or was not changed, may be kept. */
export function mayBeFresh(method: string | undefined, statusCode: number): boolean {
  if (method !== 'GET' && method !== 'HEAD' && method !== 'QUERY') return false;
  // In these words a status that is no number is not fresh.
  return (statusCode >= 200 && statusCode < 300) || statusCode === 304;
}
