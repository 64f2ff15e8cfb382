/**
 * A page that comes in pieces, or from a file, and has said its length: held until it is there as a whole, so that it can
 * be changed. Meanwhile its exchange has begun, as it would have. What does not keep to its length goes on as it came.
 */
import { closeSync, readSync } from 'node:fs';
import type { Exchange } from '../exchange/types.ts';

export type Head = Parameters<Exchange['start']>;

/** Of the arguments of `start`: the length of the content. */
const LENGTH = 4;

export class HeldPage {
  readonly #exchange: Exchange;
  readonly #give: (head: Head, content: Uint8Array) => void;
  readonly #start: Exchange['start'];
  readonly #write: Exchange['write'];
  #head: Head | null = null;
  #pieces: Buffer[] = [];
  #bytes = 0;

  /** Made before the exchange's methods are replaced. `give`: the whole of it. */
  constructor(exchange: Exchange, give: (head: Head, content: Uint8Array) => void) {
    this.#exchange = exchange;
    this.#give = give;
    this.#start = exchange.start;
    this.#write = exchange.write;
  }

  hold(head: Head): void {
    this.#head = head;
    Object.defineProperty(this.#exchange, 'begun', { value: true, configurable: true, enumerable: true });
  }

  /** False: nothing is held. */
  take(chunk: string | Uint8Array, encoding: BufferEncoding | undefined): boolean {
    if (this.#head === null) return false;
    const piece = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : Buffer.from(chunk);
    if (this.#bytes + piece.length > this.#head[LENGTH]) {
      this.#release();
      return false;
    }
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    return true;
  }

  /** True: the whole of it is given. */
  finish(trailers: string): boolean {
    if (this.#head === null) return false;
    if (this.#bytes !== this.#head[LENGTH] || trailers !== '') {
      this.#release();
      return false;
    }
    this.#give(this.#forget(), Buffer.concat(this.#pieces));
    return true;
  }

  /** The same from a file, which is closed then. */
  fill(fd: number, offset: number, length: number): boolean {
    if (this.#head === null) return false;
    const content = this.#bytes === 0 && length === this.#head[LENGTH] ? readAll(fd, offset, length) : null;
    if (content === null) {
      this.#release();
      return false;
    }
    closeSync(fd);
    this.#give(this.#forget(), content);
    return true;
  }

  #release(): void {
    const head = this.#forget();
    this.#start.apply(this.#exchange, head);
    for (const piece of this.#pieces) this.#write.call(this.#exchange, piece);
    this.#pieces = [];
  }

  #forget(): Head {
    const head = this.#head as Head;
    this.#head = null;
    Reflect.deleteProperty(this.#exchange, 'begun');
    return head;
  }
}

/** Null where the file has become shorter, or cannot be read: the engine does with it what it does without us. */
function readAll(fd: number, offset: number, length: number): Buffer | null {
  const content = Buffer.allocUnsafe(length);
  try {
    for (let at = 0; at < length;) {
      const read = readSync(fd, content, at, length - at, offset + at);
      if (read === 0) return null;
      at += read;
    }
    return content;
  } catch {
    return null;
  }
}
