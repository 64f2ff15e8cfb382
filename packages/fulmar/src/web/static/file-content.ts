/**
 * A part of a file as the content of an exchange's reply: sent by the engine where it takes files, else read
 * piece by piece. Opens nothing before it is sent.
 */
import fs from 'node:fs';
import type { Exchange } from '../../exchange/types.ts';
import { SizedSource } from '../sized-source.ts';
import { type FilePart, sendToExchange } from './direct.ts';
import { fileCache } from './file-cache.ts';
import { isShort, noteOpening, shortageError } from './shortage.ts';

export class FileContent extends SizedSource {
  readonly #part: FilePart;

  constructor(part: FilePart) {
    super(part.length);
    this.#part = part;
  }

  override sendTo(exchange: Exchange, begin: () => void): boolean {
    if (!sendToExchange(exchange, this.#part, begin)) return false;
    fileCache.note(this.#part.file);
    return true;
  }

  override async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    const { file, offset, length } = this.#part;
    if (length === 0) return;
    if (isShort({})) throw shortageError(file);
    const stream = fs.createReadStream(file, { start: offset, end: offset + length - 1 });
    const opened = noteOpening(stream);
    let left = length;
    try {
      for await (const piece of stream as AsyncIterable<Uint8Array>) {
        left -= piece.byteLength;
        yield piece;
      }
    } finally {
      opened();
      stream.destroy();
    }
    // A reply that ends early would look complete to who reads no length.
    if (left > 0) throw new Error(`${file} has become shorter while it was being sent.`);
  }
}
