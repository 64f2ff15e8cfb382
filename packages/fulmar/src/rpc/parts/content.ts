/**
 * Content as lines and as runs of bytes, by turns: what a call with parts is read with. Asks for a piece when the
 * one before is used up, so that its client waits for whoever reads; keeps no more than a line.
 */
import { HttpError } from '../../app/index.ts';

const EMPTY = new Uint8Array(0);
const NEWLINE = 0x0a;

export class Content {
  readonly #pieces: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  #rest: Uint8Array = EMPTY;

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Without its end; undefined where the content has ended. @throws HttpError 413 for a longer one, 400 for what is no line */
  async line(bytesMax: number): Promise<string | undefined> {
    const begun: Uint8Array[] = [];
    let length = 0;
    for (;;) {
      const piece = await this.some(Infinity);
      if (piece === undefined) {
        if (length > 0) throw new HttpError(400, 'The content ended within a line.');
        return undefined;
      }
      const end = piece.indexOf(NEWLINE);
      const part = end < 0 ? piece : piece.subarray(0, end);
      length += part.byteLength;
      if (length > bytesMax) throw new HttpError(413, `A line of ${bytesMax} bytes is accepted at most.`, { details: { limit: bytesMax } });
      if (end < 0) {
        begun.push(part);
        continue;
      }
      this.#rest = piece.subarray(end + 1);
      return this.#text(begun, part);
    }
  }

  /** At most so many bytes, as they have come; undefined at the end. */
  async some(bytesMax: number): Promise<Uint8Array | undefined> {
    let piece = this.#rest;
    while (piece.byteLength === 0) {
      const { done, value } = await this.#pieces.next();
      if (done === true) return undefined;
      piece = value;
    }
    this.#rest = piece.byteLength > bytesMax ? piece.subarray(bytesMax) : EMPTY;
    return piece.byteLength > bytesMax ? piece.subarray(0, bytesMax) : piece;
  }

  /** Nobody reads on. */
  leave(): void {
    this.#rest = EMPTY;
    void Promise.resolve(this.#pieces.return?.()).catch(() => {});
  }

  #text(begun: readonly Uint8Array[], last: Uint8Array): string {
    try {
      let text = '';
      for (const piece of begun) text += this.#decoder.decode(piece, { stream: true });
      return text + this.#decoder.decode(last);
    } catch (cause) {
      throw new HttpError(400, 'A line of the content is not UTF-8.', { cause });
    }
  }
}
