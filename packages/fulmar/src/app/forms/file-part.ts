/**
 * A file of a form, while it is on its way. Reads from the parser's stream and never ends it: a stream that is
 * ended early would keep the parser waiting for ever, so what is left is read and thrown away.
 */
import { toWebStream } from '../web-stream.ts';
import { open, unlink } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { checkOptions, type Checks, isBoolean } from '../checked-options.ts';
import type { FilePart, SaveOptions } from './parts-types.ts';

const SAVE_CHECKS: Checks<SaveOptions> = { overwrite: isBoolean };

export interface FileInfo {
  readonly name: string;
  readonly filename: string;
  readonly type: string;
}

export class IncomingFile implements FilePart {
  readonly kind = 'file';
  readonly name: string;
  readonly filename: string;
  readonly type: string;
  readonly #stream: Readable;
  readonly #toError: (error: unknown) => unknown;
  #isTaken = false;

  /** `toError`: what is told of an error of the stream. */
  constructor({ name, filename, type }: FileInfo, stream: Readable, toError: (error: unknown) => unknown) {
    this.name = name;
    this.filename = filename;
    this.type = type;
    this.#stream = stream;
    this.#toError = toError;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#isTaken) throw new TypeError(`The file ${JSON.stringify(this.name)} has been read already, or the next part was asked for.`);
    this.#isTaken = true;
    try {
      for await (const piece of this.#stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) yield piece;
    } catch (error) {
      throw this.#toError(error);
    } finally {
      this.#stream.resume();
    }
  }

  /** What nobody has read is thrown away. */
  drain(): void {
    this.#isTaken = true;
    this.#stream.resume();
  }

  stream(): ReadableStream<Uint8Array> {
    return toWebStream(this[Symbol.asyncIterator]());
  }

  async bytes(): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    for await (const piece of this) {
      pieces.push(piece);
      length += piece.byteLength;
    }
    const whole = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return whole;
  }

  async text(): Promise<string> {
    return new TextDecoder().decode(await this.bytes());
  }

  async file(): Promise<File> {
    return new File([await this.bytes()], this.filename, { type: this.type });
  }

  async saveTo(path: string, options: SaveOptions = {}): Promise<{ readonly path: string; readonly size: number }> {
    checkOptions('saveTo', options, SAVE_CHECKS);
    const { overwrite = false } = options;
    const file = await open(path, overwrite ? 'w' : 'wx');
    let size = 0;
    try {
      for await (const piece of this) {
        await file.writeFile(piece);
        size += piece.byteLength;
      }
      await file.close();
    } catch (error) {
      await file.close().catch(() => {});
      await unlink(path).catch(() => {});
      throw error;
    }
    return { path, size };
  }
}
