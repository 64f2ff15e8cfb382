/**
 * A request for what takes one as an argument, a guard or a controller's method: an object with what it is given. No
 * engine has made it; whoever wants all that Express has asks the application by `inject()`.
 */

export interface MockRequestParts {
  method?: string;
  /** Its path and its query. */
  url?: string;
  headers?: Readonly<Record<string, string>>;
  params?: Readonly<Record<string, string>>;
  /** Default: what the URL has behind its question mark. */
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  /** Whatever else the application puts on requests: `user`, `session`, `ip`. */
  [member: string]: unknown;
}

export interface MockRequest {
  method: string;
  url: string;
  originalUrl: string;
  path: string;
  headers: Record<string, string>;
  params: Record<string, string>;
  query: Record<string, unknown>;
  body: any;
  get(name: string): string | undefined;
  header(name: string): string | undefined;
  [member: string]: any;
}

export function createMockRequest(parts: MockRequestParts = {}): MockRequest {
  const { method = 'GET', url = '/', headers = {}, params = {}, query, body, ...rest } = parts;
  if (!url.startsWith('/')) throw new TypeError(`createMockRequest() takes a URL from its path on, as '/cats?page=2', and this is ${url}.`);
  const fields = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const get = (name: string): string | undefined => fields[name.toLowerCase()];
  return {
    ...rest,
    method: method.toUpperCase(),
    url,
    originalUrl: url,
    path: pathname,
    headers: fields,
    params: { ...params },
    query: { ...(query ?? Object.fromEntries(searchParams)) },
    body,
    get,
    header: get,
  };
}
