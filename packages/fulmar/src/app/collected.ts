/**
 * A request that is answered without a connection: its reply, whole or as it comes.
 */
import { MemoryExchange, type MemoryRequest } from '../exchange/memory-exchange.ts';
import type { Exchange } from '../exchange/types.ts';

export interface CollectedHead {
  readonly status: number;
  readonly reason: string | null;
  /** `[name, value, …]` */
  readonly rawHeaders: readonly string[];
}

export interface Collected extends CollectedHead {
  readonly content: Uint8Array;
  readonly rawTrailers: readonly string[];
}

type Handle = (exchange: Exchange) => void;

/** Pieces of a reply that are on their way; then whoever writes it waits. */
const PIECES_MAX = 16;

/** Not an error of the application's: whoever collects has a limit. */
export class ReplyTooLarge extends Error {
  constructor(bytesMax: number) {
    super(`The reply has more than ${bytesMax} bytes.`);
  }
}

/** @throws Error when the reply is broken off; ReplyTooLarge when it has more than `bytesMax` */
export function collect(handle: Handle, request: MemoryRequest, bytesMax = Infinity, signal?: AbortSignal): Promise<Collected> {
  return new Promise((resolve, reject) => {
    let head: CollectedHead | undefined;
    let bytes = 0;
    const pieces: Uint8Array[] = [];
    const exchange = new MemoryExchange(request, {
      onHead: (status, reason, rawHeaders) => (head = { status, reason, rawHeaders }),
      onContent(piece) {
        bytes += piece.byteLength;
        if (bytes <= bytesMax) return pieces.push(piece) > 0;
        reject(new ReplyTooLarge(bytesMax));
        queueMicrotask(() => exchange.left());
        return false;
      },
      onEnd: (rawTrailers) => resolve({ ...(head as CollectedHead), content: concat(pieces), rawTrailers }),
      onAbort: () => reject(new Error('The reply was broken off.')),
    });
    signal?.addEventListener('abort', () => exchange.left(), { once: true });
    handle(exchange);
  });
}

/** Resolves with the head; the content is read as fast as it is taken. `signal`: of the client. */
export function stream(
  handle: Handle,
  request: MemoryRequest,
  signal?: AbortSignal | null,
): Promise<CollectedHead & { readonly content: ReadableStream<Uint8Array> | null }> {
  return new Promise((resolve, reject) => {
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
    const early: Uint8Array[] = [];
    let isEnded = false;
    let head: CollectedHead | undefined;
    const exchange: MemoryExchange = new MemoryExchange(request, {
      onHead(status, reason, rawHeaders) {
        head = { status, reason, rawHeaders };
        queueMicrotask(give);
      },
      onContent(piece) {
        if (controller === undefined) return early.push(piece) < PIECES_MAX;
        controller.enqueue(piece);
        return (controller.desiredSize ?? 0) > 0;
      },
      onEnd() {
        isEnded = true;
        controller?.close();
      },
      onAbort() {
        const error = new Error('The reply was broken off.');
        if (controller === undefined) reject(error);
        else controller.error(error);
      },
    });
    /** A microtask after the head, so that a whole reply is one. */
    function give(): void {
      if (isEnded && early.length === 0) return resolve({ ...(head as CollectedHead), content: null });
      const content = new ReadableStream<Uint8Array>(
        {
          start(made) {
            controller = made;
            for (const piece of early) made.enqueue(piece);
            if (isEnded) made.close();
          },
          pull: () => exchange.drained(),
          cancel: () => exchange.left(),
        },
        { highWaterMark: PIECES_MAX },
      );
      resolve({ ...(head as CollectedHead), content });
    }
    // Whoever has left before it began is not answered.
    if (signal?.aborted === true) return exchange.left();
    signal?.addEventListener('abort', () => exchange.left(), { once: true });
    handle(exchange);
  });
}

function concat(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0] as Uint8Array;
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}
