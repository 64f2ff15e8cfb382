/**
 * Content that comes piece by piece: web and Node streams, iterables. Each piece waits until the one before
 * has gone, and a source whose client has left is ended.
 */
import { ReplyFlag } from '../exchange/format.ts';
import type { Exchange } from '../exchange/types.ts';
import type { AnyContext } from './context.ts';
import { toJson } from './json.ts';
import { observe, onAbort } from './observing.ts';
import { flagsOf } from './reply-flags.ts';
import { isSizedSource } from '../web/sized-source.ts';

interface Source {
  readonly [Symbol.asyncIterator]?: () => AsyncIterator<unknown>;
  readonly [Symbol.iterator]?: () => Iterator<unknown>;
}

/** Streams, and what yields: an array is a value. */
export function isStreamed(value: object): boolean {
  const source = value as Source;
  return (
    typeof source[Symbol.asyncIterator] === 'function' ||
    isNodeStream(value) ||
    (typeof source[Symbol.iterator] === 'function' && 'next' in value)
  );
}

const isNodeStream = (value: object): boolean =>
  typeof (value as { pipe?: unknown }).pipe === 'function' && typeof (value as { on?: unknown }).on === 'function';

export function piecesOf(value: object): AsyncIterator<unknown> | Iterator<unknown> {
  const source = value as Source;
  const make = source[Symbol.asyncIterator] ?? source[Symbol.iterator];
  if (make === undefined) throw new TypeError('A stream that cannot be iterated over cannot be sent.');
  return (make as () => AsyncIterator<unknown>).call(source);
}

/** A piece as it is sent: text and bytes as they are, anything else as JSON. */
export function toPiece(value: unknown): string | Uint8Array {
  if (typeof value === 'string' || value instanceof Uint8Array) return value;
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  return toJson(value);
}

export interface StreamHead {
  readonly status: number;
  readonly block: string;
  /** -1: unknown. */
  readonly length: number;
  /** No content goes out, and none is asked for. */
  readonly bare: boolean;
}

export interface StreamOptions {
  /** The head as it is now: a generator may set fields and status until it has given its first piece. */
  readonly head: () => StreamHead;
  /** The head leaves before there is a piece. */
  readonly isLive: boolean;
}

/**
 * Sends `source` as the reply's content. The head is made and leaves with the first piece, so that a source which
 * fails before it has given one is answered with an error; later there is nothing left but to break the connection
 * off, and the error is thrown for the log.
 */
export async function streamInto(c: AnyContext, source: object, { head, isLive }: StreamOptions): Promise<void> {
  const { exchange } = c;
  const isBare = head().bare;
  if (!isBare && isSizedSource(source) && source.sendTo(exchange, () => begin(exchange, head()))) return;
  const pieces = piecesOf(source);
  // The client has left while the handler worked: nobody would tell.
  if (!exchange.open) return void Promise.resolve(pieces.return?.()).catch(() => {});
  let isGone = false;
  /** It has ended by itself, or failed. */
  let isOver = false;
  const forget = onAbort(exchange, () => {
    isGone = true;
    void Promise.resolve(pieces.return?.()).catch(() => {});
  });
  try {
    let isBegun = isLive || isBare;
    let isComplete = isBegun && begin(exchange, head());
    while (!isComplete) {
      isOver = true;
      const { done, value } = await pieces.next();
      isOver = done === true;
      if (isGone) return;
      const piece = isOver ? '' : toPiece(value);
      if (!isBegun) isComplete = begin(exchange, head());
      isBegun = true;
      if (isOver || isComplete) break;
      if (piece.length > 0 && !exchange.write(piece)) await drained(exchange);
    }
    exchange.end();
    if (isComplete) await pieces.return?.();
  } catch (error) {
    if (isGone) return;
    // A piece that cannot be sent: whoever made it is told that no more is taken.
    if (!isOver) void Promise.resolve(pieces.return?.()).catch(() => {});
    throw error;
  } finally {
    forget();
  }
}

/** Whether that was all: there is to be no content. */
function begin(exchange: Exchange, { status, block, length, bare }: StreamHead): boolean {
  let flags = flagsOf(exchange);
  if (bare) flags |= ReplyFlag.noContent;
  // A status without content has no framing either (RFC 9112, 6.1); HEAD has what GET would have.
  if (!bare || exchange.method === 'HEAD') {
    if (length >= 0) flags |= ReplyFlag.contentLength;
    else if (exchange.httpVersionMinor === 1) flags |= ReplyFlag.chunkedField;
    else flags = (flags & ~ReplyFlag.keepAlive) | ReplyFlag.closeField | ReplyFlag.closeAfter;
  }
  exchange.start(status, null, block, flags, length);
  return bare;
}

/** Until there is room again, or nobody who would take anything. */
function drained(exchange: Exchange): Promise<void> {
  return new Promise((resolve) => {
    const observing = observe(exchange);
    const end = (): void => {
      observing.drains.delete(end);
      observing.aborts.delete(end);
      resolve();
    };
    observing.drains.add(end);
    observing.aborts.add(end);
  });
}
