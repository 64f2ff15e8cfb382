/**
 * What `inject()` is given, checked: a misspelt option would be a request that is not the one that was meant.
 * Never met by a request that comes over a socket.
 */
import { type Checks, checkOptions, isFieldText, shown } from './checked-options.ts';

type QueryValue = string | number | boolean | null | undefined;

export interface InjectOptions {
  /** Default: GET, with a body POST. */
  readonly method?: string;
  /** Path and query. */
  readonly url: string;
  /** Put behind the query that `url` has. */
  readonly query?: string | URLSearchParams | Readonly<Record<string, QueryValue | readonly QueryValue[]>>;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** By name; written as `encodeURIComponent()` does. */
  readonly cookies?: Readonly<Record<string, string>>;
  /**
   * A string, bytes, `URLSearchParams`, `FormData`, a `Blob` and streams as `Request` sends them, anything else as
   * JSON.
   */
  readonly body?: unknown;
  readonly remoteAddress?: string;
}

const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

const CHECKS: Checks<InjectOptions> = {
  method: [(value) => typeof value === 'string' && value !== '', 'the name of a method'],
  url: [(value) => typeof value === 'string' && value !== '', 'a path, with its query'],
  query: [(value) => typeof value === 'string' || isRecord(value), 'an object of values by name, URLSearchParams or a text'],
  headers: [(value) => isRecord(value) && !(value instanceof Headers), 'an object of fields by name'],
  cookies: [isRecord, 'an object of texts by name'],
  body: [() => true, 'content'],
  remoteAddress: [(value) => isFieldText(value), 'an address'],
};

/** Names that others have for an option of ours. */
const OTHERS: Readonly<Record<string, string>> = {
  payload: 'body',
  json: 'body',
  data: 'body',
  form: 'body',
  path: 'url',
  ip: 'remoteAddress',
};

/** @throws TypeError for an option that is none or is something else than it may be */
export function toInjectOptions(given: unknown): InjectOptions {
  if (typeof given === 'string') return { url: given };
  if (!isRecord(given)) throw new TypeError(`inject() takes a URL or an object of options, and this is ${shown(given)}.`);
  for (const name of Object.keys(given as object)) {
    const ours = Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined;
    if (ours !== undefined) throw new TypeError(`inject() has no option ${name}; here it is ${ours}.`);
  }
  checkOptions('inject', given as InjectOptions, CHECKS);
  const options = given as InjectOptions;
  if (options.url === undefined) throw new TypeError("inject() needs url, a path, as in { url: '/birds' }.");
  return options;
}

/** The request target. */
export function targetOf({ url, query }: InjectOptions): string {
  if (query === undefined) return url;
  const text = typeof query === 'string' ? query.replace(/^\?/, '') : paramsOf(query).toString();
  if (text === '') return url;
  return `${url}${url.includes('?') ? '&' : '?'}${text}`;
}

function paramsOf(query: Exclude<InjectOptions['query'], string | undefined>): URLSearchParams {
  if (query instanceof URLSearchParams) return query;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat() as QueryValue[]) if (one !== undefined && one !== null) params.append(name, String(one));
  }
  return params;
}

export function cookieFieldOf({ cookies }: InjectOptions): string | undefined {
  const pairs = Object.entries(cookies ?? {}).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? undefined : pairs.join('; ');
}
