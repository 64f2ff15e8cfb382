/**
 * What a handler's value will be as a reply: type, length, fields, and its content as a whole or in pieces.
 * For middleware that makes other content of it. Looks, and changes nothing before `settle()`.
 */
import type { AnyContext } from '../context.ts';
import { Reply } from '../reply-value.ts';
import { isStreamed } from '../stream-reply.ts';
import { isSizedSource } from '../../web/sized-source.ts';
import { wholeOf } from './whole-value.ts';

export interface ReplyContent {
  readonly status: number;
  /** Null: none is said. */
  readonly type: string | null;
  /** The same reply, which does not have to be made into content once more. */
  readonly value: unknown;
  /** Bytes; -1 where that is not known. */
  length(): number;
  /** Null: it comes in pieces. */
  whole(): Uint8Array | null;
  readonly isLive: boolean;
  /** Pieces are to leave while the source makes a pause. */
  readonly isFlushed: boolean;
  /** By name in lower case. */
  field(name: string): string | undefined;
  pieces(): object;
  /** Says `Vary: Accept-Encoding`, also where the value has fields of its own. */
  vary(): void;
  /** Sets status and fields as they would be, so that another value can be returned. */
  settle(): void;
}

const encoder = new TextEncoder();
const TEXT = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';

/** Null for what has no content, or is sent by somebody else. */
export function toContent(c: AnyContext, value: unknown): ReplyContent | null {
  if (value === undefined || value === null || typeof value === 'symbol') return null;
  if (value instanceof Response) return value.body === null ? null : ofResponse(c, value, value.body);
  const reply = value instanceof Reply ? value : null;
  const inner = reply === null ? value : reply.value;
  if (inner instanceof Reply || inner instanceof Response) return null;
  if (inner instanceof Blob) return ofPieces(c, inner.stream(), { value, type: inner.type === '' ? null : inner.type, length: inner.size });
  if (typeof inner === 'object' && inner !== null && isStreamed(inner))
    return ofPieces(c, inner, { value, type: BYTES, length: isSizedSource(inner) ? inner.byteLength : -1 });
  const whole = wholeOf(value);
  if (whole === undefined) return null;
  let encoded: Uint8Array | undefined;
  const bytes = (): Uint8Array => (encoded ??= typeof whole.content === 'string' ? encoder.encode(whole.content) : whole.content);
  const made = whole.value instanceof Reply ? whole.value : null;
  const type = made?.type ?? (typeof whole.content === 'string' ? TEXT : BYTES);
  const length = (): number => bytes().byteLength;
  return { ...common(c, made, type), value: whole.value, length, whole: bytes, isLive: false, isFlushed: false, pieces: () => [bytes()] };
}

interface Streamed {
  readonly value: unknown;
  readonly type: string | null;
  readonly length: number;
}

function ofPieces(c: AnyContext, source: object, { value, type, length }: Streamed): ReplyContent {
  const reply = value instanceof Reply ? value : null;
  return {
    ...common(c, reply, reply?.type ?? type),
    value,
    length: () => length,
    whole: () => null,
    isLive: reply?.isLive ?? false,
    isFlushed: !isSizedSource(source),
    pieces: () => source,
  };
}

function common(
  c: AnyContext,
  reply: Reply | null,
  type: string | null,
): Pick<ReplyContent, 'status' | 'type' | 'field' | 'vary' | 'settle'> {
  const own = new Map(reply?.lines.map(([name, value]) => [name.toLowerCase(), value]));
  const said = c.lines?.get('content-type') ?? type;
  return {
    status: c.statusCode === 0 ? 200 : c.statusCode,
    type: said,
    field: (name) => own.get(name) ?? c.lines?.get(name),
    vary: () => void c.header('Vary', 'Accept-Encoding', { append: true }),
    settle() {
      for (const [name, value] of reply?.lines ?? []) c.header(name, value);
      if (said !== null) c.header('Content-Type', said);
    },
  };
}

const OF_CONNECTIONS: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection', 'keep-alive']);

function ofResponse(c: AnyContext, response: Response, body: object): ReplyContent {
  const { headers } = response;
  return {
    status: c.statusCode === 0 ? response.status : c.statusCode,
    type: headers.get('content-type'),
    value: response,
    length: () => Number(headers.get('content-length') ?? -1),
    whole: () => null,
    isLive: false,
    isFlushed: true,
    field: (name) => headers.get(name) ?? c.lines?.get(name),
    pieces: () => body,
    vary: () => void c.header('Vary', 'Accept-Encoding', { append: true }),
    settle() {
      if (c.statusCode === 0) c.status(response.status);
      for (const [name, value] of headers)
        if (!OF_CONNECTIONS.has(name)) c.header(name, value, { append: name === 'set-cookie' || name === 'vary' });
    },
  };
}
