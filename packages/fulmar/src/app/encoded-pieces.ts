/**
 * A source of pieces through a stream that makes other bytes of them: its reader sets the pace, and who stops
 * reading ends both. By hand rather than as a generator, whose `return` would wait for a source that does not
 * give its next piece.
 */
import { roomIn } from './room.ts';
import type { Transform } from 'node:stream';
import { piecesOf, toPiece } from './stream-reply.ts';

type Pieces = AsyncIterator<unknown> | Iterator<unknown>;

export class EncodedPieces implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #given: object;
  readonly #stream: Transform;
  readonly #flush: (() => void) | null;
  readonly #encoded: AsyncIterator<Uint8Array>;
  #source: Pieces | null = null;
  #isOver = false;

  /** `flush`: has all that was written come out; null: never. */
  constructor(source: object, stream: Transform, flush: (() => void) | null) {
    this.#given = source;
    this.#stream = stream;
    this.#flush = flush;
    this.#encoded = (stream as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#source === null && !this.#isOver) {
      this.#source = piecesOf(this.#given);
      void this.#feed(this.#source);
    }
    return this.#encoded.next();
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#isOver = true;
    this.#stream.destroy();
    void endOf(this.#source ?? piecesOf(this.#given));
    return Promise.resolve({ done: true, value: undefined });
  }

  async #feed(source: Pieces): Promise<void> {
    const stream = this.#stream;
    try {
      for (;;) {
        const next = Promise.resolve(source.next());
        const result = this.#flush === null ? await next : await this.#within(next, this.#flush);
        if (this.#isOver) return;
        if (result.done === true) break;
        const piece = toPiece(result.value);
        if (piece.length > 0 && !stream.write(piece)) await roomIn(stream);
      }
      stream.end();
    } catch (error) {
      stream.destroy(error as Error);
    }
  }

  /** The next piece; where it is not there within a turn of the loop, those before it leave first. */
  async #within(next: Promise<IteratorResult<unknown>>, flush: () => void): Promise<IteratorResult<unknown>> {
    const timer = setImmediate(() => {
      if (!this.#isOver && !this.#stream.destroyed) flush();
    });
    try {
      return await next;
    } finally {
      clearImmediate(timer);
    }
  }
}

async function endOf(source: Pieces): Promise<void> {
  try {
    await source.return?.();
  } catch {
    // Nobody is left who could be told.
  }
}
