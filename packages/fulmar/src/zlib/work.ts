/**
 * The work of one stream that is ours: chunks in, compressed chunks out, a part at a time.
 *
 * Between a stream's `_transform` and the addon. Works when `turns.ts` says, never while `write()` runs;
 * never holds more than one part's result that nobody reads.
 */
import type { AsyncResource } from 'node:async_hooks';
import type { TransformCallback } from 'node:stream';
import { constants } from 'node:zlib';
import { bytesIn, compressor } from '../http/index.ts';
import { FIRST_BYTES_MAX, TURN_BYTES_MAX } from './limits.ts';
import type { NodeStream } from './node-stream.ts';
import { withLevel } from './settings.ts';
import { spend, takeTurn, type Worker } from './turns.ts';

type Compressor = NonNullable<ReturnType<typeof compressor>>;

/** Streams that an application forgets without an end. */
const forgotten = new FinalizationRegistry<number>((id) => compressor()?.closeDeflate(id));

/** The bytes of a chunk that are compressed in one step. */
interface Part {
  readonly chunk: Buffer;
  readonly from: number;
  readonly to: number;
}

const nothing = new Uint8Array(0);
const viewOf = ({ buffer, byteOffset }: Buffer, from: number, length: number): Uint8Array =>
  length === 0 ? nothing : new Uint8Array(buffer, byteOffset + from, length);

/** Whose work it is. */
export interface WorkOwner {
  readonly stream: NodeStream;
  readonly context: AsyncResource;
}

export class Work implements Worker {
  readonly #stream: NodeStream;
  /** The context in which the stream was made: Node calls back in it. */
  readonly #context: AsyncResource;
  readonly #compressor: Compressor;
  readonly #settings: number;
  readonly #id: number;
  /** The addon holds memory for this stream. */
  #isOpen = false;
  #hasEnded = false;
  /** Nothing has been compressed yet. */
  #isNew = true;
  #chunk: Buffer | undefined;
  #from = 0;
  #flush = 0;
  #callback: TransformCallback | undefined;
  /** Waits for a reader. */
  #isStalled = false;

  constructor({ stream, context }: WorkOwner, settings: number, by: Compressor) {
    this.#stream = stream;
    this.#context = context;
    this.#settings = settings;
    this.#compressor = by;
    this.#id = by.nameDeflate();
  }

  /**
   * Compresses `chunk` soon, and calls back when the stream can take another. One at a time, as `_transform`
   * is called.
   */
  take(chunk: Buffer, flush: number, callback: TransformCallback): void {
    this.#chunk = chunk;
    this.#from = 0;
    this.#flush = flush;
    this.#callback = callback;
    this.#goOn();
  }

  /** Somebody reads: true if there was work waiting for it. */
  resume(): boolean {
    if (!this.#isStalled) return false;
    this.#isStalled = false;
    this.#goOn();
    return true;
  }

  /** Lets go of what the addon holds. The next chunk, if there is one, begins a stream anew. */
  close(): void {
    if (this.#isOpen) {
      this.#isOpen = false;
      forgotten.unregister(this);
      this.#compressor.closeDeflate(this.#id);
    }
    this.#hasEnded = false;
  }

  #goOn(): void {
    takeTurn(this, this.#isNew);
  }

  /** Runs `method` of this work in the context of its stream. */
  #enter(method: (this: Work) => void): void {
    this.#context.runInAsyncScope(method, this);
  }

  /** All of `chunk` at once, for who asks Node's streams for that in ways of their own. */
  compressNow(chunk: Buffer, flush: number): Buffer {
    return this.#compress({ chunk, from: 0, to: bytesIn(chunk) }, flush) ?? Buffer.alloc(0);
  }

  step(): void {
    this.#enter(this.#step);
  }

  /** Compresses the next part of the chunk. */
  #step(): void {
    const chunk = this.#chunk;
    if (chunk === undefined) return;
    if (this.#stream.destroyed || this.#stream._handle === null) {
      // After `close`, as when a thread comes back to it.
      setImmediate(finish, this);
      return;
    }
    // Its memory may have been transferred or resized since: what is gone is not compressed.
    const length = bytesIn(chunk);
    const from = this.#from;
    this.#from = Math.min(from + (this.#isNew ? FIRST_BYTES_MAX : TURN_BYTES_MAX), length);
    if (!this.#isNew) spend(this.#from - from);
    this.#isNew = false;
    const isLast = this.#from === length;
    const result = this.#compress({ chunk, from, to: this.#from }, isLast ? this.#flush : constants.Z_NO_FLUSH);
    if (result === undefined) return;
    const hasRoom = result === null || this.#push(result);
    if (isLast || this.#stream.destroyed) this.#finish();
    else if (hasRoom) this.#goOn();
    else this.#isStalled = true;
  }

  /** `undefined`: it failed, and so has the stream. */
  #compress({ chunk, from, to }: Part, flush: number): Buffer | null | undefined {
    const length = Math.max(to - from, 0);
    if (this.#hasEnded && length === 0) return null;
    const { _level: level } = this.#stream;
    try {
      if (this.#hasEnded) throw new TypeError('the stream has ended');
      const bytes = from === 0 && length === bytesIn(chunk) ? chunk : viewOf(chunk, from, length);
      const result = this.#compressor.deflate(this.#id, withLevel(this.#settings, level), flush, bytes);
      this.#note(length, flush === constants.Z_FINISH);
      return result;
    } catch (cause) {
      this.#stream.destroy(streamError(cause));
      return undefined;
    }
  }

  #note(bytes: number, isEnd: boolean): void {
    this.#stream.bytesWritten += bytes;
    this.#hasEnded = isEnd;
    if (isEnd === !this.#isOpen) return;
    this.#isOpen = !isEnd;
    if (isEnd) forgotten.unregister(this);
    else forgotten.register(this.#stream, this.#id, this);
  }

  /** False: the reader has enough. */
  #push(result: Buffer): boolean {
    const { _chunkSize: size } = this.#stream;
    let hasRoom = true;
    for (let from = 0; from < result.length && !this.#stream.destroyed; from += size)
      hasRoom = this.#stream.push(result.length <= size ? result : result.subarray(from, from + size));
    return hasRoom;
  }

  /** The chunk is done with. */
  finish(): void {
    this.#enter(this.#finish);
  }

  #finish(): void {
    const callback = this.#callback;
    this.#chunk = undefined;
    this.#callback = undefined;
    callback?.();
  }
}

function finish(work: Work): void {
  work.finish();
}

/** As from zlib where a stream cannot go on. */
function streamError(cause: unknown): Error {
  return Object.assign(new Error('stream error', { cause }), { errno: constants.Z_STREAM_ERROR, code: 'Z_STREAM_ERROR' });
}
