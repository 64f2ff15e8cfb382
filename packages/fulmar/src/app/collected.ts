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
    const pieces = new Pieces(() => exchange);
    let head: CollectedHead | undefined;
    const exchange: MemoryExchange = new MemoryExchange(request, {
      onHead(status, reason, rawHeaders) {
        head = { status, reason, rawHeaders };
        // A microtask later, so that a whole reply is one.
        queueMicrotask(() => resolve({ ...(head as CollectedHead), content: pieces.toStream() }));
      },
      onContent: (piece) => pieces.add(piece),
      onEnd: () => pieces.end(null),
      onAbort() {
        const error = new Error('The reply was broken off.');
        if (head === undefined) reject(error);
        pieces.end(error);
      },
    });
    // Whoever has left before it began is not answered.
    if (signal?.aborted === true) return exchange.left();
    signal?.addEventListener('abort', () => exchange.left(), { once: true });
    handle(exchange);
  });
}

/** What of a reply has come and is not read yet. Its end, of either kind, comes behind all of it. */
class Pieces {
  readonly #pieces: Uint8Array[] = [];
  readonly #exchange: () => MemoryExchange;
  /** Null: it has ended well. */
  #end: Error | null | undefined;
  /** A reader waits for what comes next. */
  #wake: (() => void) | null = null;

  constructor(exchange: () => MemoryExchange) {
    this.#exchange = exchange;
  }

  /** False: no more until there is room. */
  add(piece: Uint8Array): boolean {
    this.#pieces.push(piece);
    this.#wake?.();
    return this.#pieces.length < PIECES_MAX;
  }

  end(error: Error | null): void {
    this.#end = error;
    this.#wake?.();
  }

  /** Null: there is none. */
  toStream(): ReadableStream<Uint8Array> | null {
    if (this.#end === null && this.#pieces.length === 0) return null;
    return new ReadableStream<Uint8Array>(
      { pull: (controller) => this.#give(controller), cancel: () => this.#exchange().left() },
      // Nothing is asked for ahead: an error would throw away what has been given and not read.
      { highWaterMark: 0 },
    );
  }

  async #give(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (this.#pieces.length === 0 && this.#end === undefined) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#wake = null;
    const piece = this.#pieces.shift();
    if (piece !== undefined) controller.enqueue(piece);
    else if (this.#end instanceof Error) controller.error(this.#end);
    if (this.#pieces.length > 0) return;
    // With the last piece: who reads a whole reply does not ask twice.
    if (this.#end === null) controller.close();
    else if (this.#end === undefined) this.#exchange().drained();
  }
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
