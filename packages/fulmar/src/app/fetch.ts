/**
 * `app.fetch(request)`: the app as a function of the web, for platforms that call one and for tests.
 */
import type { Exchange } from '../exchange/types.ts';
import { stream } from './collected.ts';

/** What follows from a connection and is no field of a `Response`. */
const OF_CONNECTIONS: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding']);
const WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 205, 304]);

/** What a platform knows of a request beside the request. */
export interface FetchFrom {
  readonly remoteAddress?: string | undefined;
  readonly platform?: unknown;
  /** Of the client, in place of the request's. */
  readonly signal?: AbortSignal | undefined;
}

export async function fetchThrough(
  handle: (exchange: Exchange) => void,
  request: Request,
  { remoteAddress, platform, signal }: FetchFrom = {},
): Promise<Response> {
  const url = new URL(request.url);
  const rawHeaders: string[] = [];
  if (!request.headers.has('host')) rawHeaders.push('host', url.host);
  for (const [name, value] of request.headers) rawHeaders.push(name, value);
  // As a connection would say it: who looks for content looks for one of the two.
  if (request.body !== null && !request.headers.has('content-length')) rawHeaders.push('transfer-encoding', 'chunked');
  const {
    status,
    rawHeaders: lines,
    content,
  } = await stream(
    handle,
    {
      method: request.method,
      target: url.pathname + url.search,
      rawHeaders,
      secure: url.protocol === 'https:',
      content: request.body === null ? null : (request.body as unknown as AsyncIterable<Uint8Array>),
      remoteAddress,
      platform,
    },
    signal ?? request.signal,
  );
  const headers = new Headers();
  for (let at = 0; at < lines.length; at += 2) {
    if (!OF_CONNECTIONS.has((lines[at] as string).toLowerCase())) headers.append(lines[at] as string, lines[at + 1] as string);
  }
  return new Response(WITHOUT_CONTENT.has(status) || request.method === 'HEAD' ? null : content, { status, headers });
}
