/**
 * Content that is written with its chunked framing, as Node's own `write` and `end` do it: takes the framing
 * off, because the engine puts its own around it. What follows the last chunk is the trailer section.
 */

const CR = 0x0d;
const LF = 0x0a;
const HEX = 16;

type State = 'size' | 'data' | 'dataEnd' | 'trailer';

/** Reads chunks that may be cut anywhere. */
export class WireContent {
  #state: State = 'size';
  #line = '';
  #left = 0;
  /** The trailer section, once the last chunk was read. */
  trailer = '';
  ended = false;

  /** Content within `bytes`, in pieces; empty for framing alone. */
  read(bytes: Buffer): Buffer[] {
    const pieces: Buffer[] = [];
    let at = 0;
    while (at < bytes.length && !this.ended) {
      if (this.#state === 'data') {
        const piece = bytes.subarray(at, at + this.#left);
        pieces.push(piece);
        at += piece.length;
        this.#left -= piece.length;
        if (this.#left === 0) this.#state = 'dataEnd';
      } else this.#readFraming(bytes[at++] as number);
    }
    return pieces;
  }

  #readFraming(byte: number): void {
    if (byte === CR) return;
    if (byte !== LF) {
      this.#line += String.fromCharCode(byte);
      return;
    }
    const line = this.#line;
    this.#line = '';
    if (this.#state === 'dataEnd') this.#state = 'size';
    else if (this.#state === 'trailer') {
      if (line === '') this.ended = true;
      else this.trailer += `${line}\r\n`;
    } else {
      this.#left = Number.parseInt(line, HEX) || 0;
      this.#state = this.#left === 0 ? 'trailer' : 'data';
    }
  }
}
