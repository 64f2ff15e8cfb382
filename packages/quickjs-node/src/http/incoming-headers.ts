/**
 * Fields of a received message: what becomes of a name that comes more than once. The rules are Node's.
 */

/** Names of which only the first counts. */
const FIRST: ReadonlySet<string> = new Set(
  (
    'age,host,from,etag,server,referer,expires,location,user-agent,retry-after,content-type,max-forwards,authorization,last-modified,' +
    'content-length,if-modified-since,proxy-authorization,if-unmodified-since'
  ).split(','),
);

export type Headers = Record<string, string | string[] | undefined>;

/** Adds a field line to `headers`. */
export function addHeaderLine(name: string, value: string, headers: Headers, join: boolean): void {
  const key = name.toLowerCase();
  const before = headers[key];
  if (key === 'set-cookie') {
    if (before === undefined) headers[key] = [value];
    else (before as string[]).push(value);
  } else if (FIRST.has(key) && !join) {
    if (before === undefined) headers[key] = value;
  } else if (typeof before === 'string') headers[key] = `${before}${key === 'cookie' ? '; ' : ', '}${value}`;
  else headers[key] = value;
}

/** Adds a field line to an object of lists. */
export function addHeaderLineDistinct(name: string, value: string, headers: Record<string, string[]>): void {
  const key = name.toLowerCase();
  const before = headers[key];
  if (before) before.push(value);
  else headers[key] = [value];
}
