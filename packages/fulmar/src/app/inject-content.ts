/**
 * The content of a request that `inject()` makes, with the type that `Request` would give it. Never met by a
 * request that comes over a socket.
 */

export interface InjectContent {
  readonly content: Uint8Array | null;
  readonly type: string | null;
}

/** @throws TypeError for what is no content: a function, a symbol, what JSON has no word for */
export async function toContent(body: unknown): Promise<InjectContent> {
  if (body === undefined || body === null) return { content: null, type: null };
  if (body instanceof ArrayBuffer) return bytesOf(new Uint8Array(body));
  if (ArrayBuffer.isView(body)) return bytesOf(new Uint8Array(body.buffer, body.byteOffset, body.byteLength));
  if (typeof body === 'string') return { content: new TextEncoder().encode(body), type: 'text/plain; charset=utf-8' };
  if (body instanceof URLSearchParams)
    return { content: new TextEncoder().encode(body.toString()), type: 'application/x-www-form-urlencoded' };
  if (isOfTheWeb(body)) return encoded(body);
  if (isAsyncIterable(body)) return bytesOf(await gathered(body));
  const json = JSON.stringify(body) as string | undefined;
  if (json === undefined) throw new TypeError(`inject(): body is ${typeof body}, which is neither content nor JSON.`);
  return { content: new TextEncoder().encode(json), type: 'application/json' };
}

const bytesOf = (content: Uint8Array): InjectContent => ({ content, type: 'application/octet-stream' });

type OfTheWeb = FormData | Blob;

const isOfTheWeb = (body: unknown): body is OfTheWeb => body instanceof FormData || body instanceof Blob;

/** By the platform: it knows how a form is written, and with which boundary. */
async function encoded(body: OfTheWeb): Promise<InjectContent> {
  const made = new Response(body as never);
  return { content: new Uint8Array(await made.arrayBuffer()), type: made.headers.get('content-type') };
}

const isAsyncIterable = (body: unknown): body is AsyncIterable<unknown> =>
  typeof (body as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';

/** A stream, of the web or of Node. */
async function gathered(source: AsyncIterable<unknown>): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of source) {
    if (typeof piece === 'string') pieces.push(new TextEncoder().encode(piece));
    else if (piece instanceof Uint8Array) pieces.push(piece);
    else throw new TypeError(`inject(): a body that is a stream has strings or bytes, and this piece is ${typeof piece}.`);
  }
  return new Uint8Array(await new Blob(pieces as never).arrayBuffer());
}
