/**
 * A request to an upstream by the web's `fetch`: where there is no client of Node's, or the application gives
 * a function of its own.
 */
import { onAbort } from '../observing.ts';
import type { Send, UpstreamReply, UpstreamRequest } from './proxy-types.ts';
import { UpstreamError } from './upstream-error.ts';

export type Fetch = (request: Request) => Promise<Response>;

export const sendByFetch =
  (given: Fetch | undefined): Send =>
  (request) =>
    ask(given ?? fetch, request);

async function ask(send: Fetch, { c, url, headers, timeoutMs }: UpstreamRequest): Promise<UpstreamReply> {
  const controller = new AbortController();
  const forget = onAbort(c.exchange, (error) => controller.abort(error));
  const late = new UpstreamError(`No reply within ${timeoutMs} ms.`, { isLate: true });
  const timer = timeoutMs === 0 ? undefined : setTimeout(() => controller.abort(late), timeoutMs);
  try {
    const reply = await send(toRequest(c, { url, headers, signal: controller.signal }));
    return toReply(reply, forget);
  } catch (error) {
    forget();
    const { reason } = controller.signal as { reason: unknown };
    throw reason === late ? late : new UpstreamError(error instanceof Error ? error.message : String(error), { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

function toRequest(
  c: UpstreamRequest['c'],
  { url, headers, signal }: Pick<UpstreamRequest, 'url' | 'headers'> & { signal: AbortSignal },
): Request {
  const fields = new Headers();
  for (const [name, values] of headers.values()) for (const value of values) if (name.toLowerCase() !== 'host') fields.append(name, value);
  const hasContent = c.exchange.contentState !== 'none' && c.method !== 'GET' && c.method !== 'HEAD';
  return new Request(url, {
    method: c.method,
    headers: fields,
    redirect: 'manual',
    signal,
    ...(hasContent ? { body: c.reader.stream(), duplex: 'half' } : {}),
  } as RequestInit);
}

function toReply(reply: Response, forget: () => void): UpstreamReply {
  // What is coded has been decoded on the way.
  const isDecoded = reply.headers.has('content-encoding');
  const rawHeaders: string[] = [];
  for (const [name, value] of reply.headers) if (!isDecoded || name !== 'content-encoding') rawHeaders.push(name, value);
  const declared = isDecoded ? null : reply.headers.get('content-length');
  if (reply.body === null) forget();
  return {
    status: reply.status,
    rawHeaders,
    length: declared === null ? -1 : Number(declared),
    content: reply.body === null ? null : piecesOf(reply.body, forget),
  };
}

async function* piecesOf(body: ReadableStream<Uint8Array>, forget: () => void): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  let isDone = false;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
    isDone = true;
  } finally {
    forget();
    if (!isDone) await reader.cancel().catch(() => {});
  }
}
