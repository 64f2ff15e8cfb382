/**
 * gzip and deflate streams for replies: Node's own, whose chunks the engine's addon compresses, on this
 * thread.
 *
 * Between a middleware that compresses and the reply it writes to. A stream is Node's in everything but the
 * work itself: options, order of events, back-pressure, errors, ends. Its first chunk decides who does the
 * work, for its whole life: until then nothing has been made for it, so Node can still do all of it.
 */
import { AsyncResource } from 'node:async_hooks';
import type { TransformCallback } from 'node:stream';
import zlib from 'node:zlib';
import { compressor } from '../http/index.ts';
import { firstChunkBytesMax } from './limits.ts';
import { flushKey, type NodeStream, type NodeStreamClass } from './node-stream.ts';
import { toSettings } from './settings.ts';
import { Work, type WorkOwner } from './work.ts';

const { Z_NO_FLUSH, Z_BLOCK, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH } = zlib.constants;
/** Kinds of flush, the weakest first. */
const FLUSHES = [Z_NO_FLUSH, Z_BLOCK, Z_PARTIAL_FLUSH, Z_SYNC_FLUSH, Z_FULL_FLUSH, Z_FINISH];

/**
 * A class whose streams do their own work where they can. `undefined`: this Node's streams are not what we
 * know.
 */
export function extend(base: NodeStreamClass, gzip: boolean): NodeStreamClass | undefined {
  const key = flushKey();
  if (key === undefined) return undefined;
  const Stream = class extends base {
    /** `null`: Node works; `undefined`: the first chunk decides. */
    #work: Work | null | undefined;
    readonly #settings: number | undefined;
    readonly #context = new AsyncResource('ZLIB');

    constructor(options?: zlib.ZlibOptions) {
      super(options);
      this.#settings = toSettings(this, options, gzip);
    }

    override _transform(chunk: Buffer, encoding: BufferEncoding, callback: TransformCallback): void {
      this.#work ??= this.#work === undefined ? beginWork({ stream: this, context: this.#context }, this.#settings, chunk) : null;
      if (this.#work === null) super._transform(chunk, encoding, callback);
      else this.#work.take(chunk, toFlush(this, chunk, key), callback);
    }

    override _read(size: number): void {
      if (this.#work?.resume() !== true) super._read(size);
    }

    override params(level: number, strategy: number, callback?: (error?: Error | null) => void): void {
      // Before the first chunk they are Node's to know.
      this.#work ??= null;
      super.params(level, strategy, callback);
    }

    override reset(): void {
      super.reset();
      this.#work?.close();
    }

    override _processChunk(chunk: Buffer, flush: number, callback?: TransformCallback): Buffer | undefined {
      this.#work ??= null;
      if (this.#work === null) return super._processChunk(chunk, flush, callback);
      if (callback === undefined) return this.#work.compressNow(chunk, flush);
      this.#work.take(chunk, flush, callback);
      return undefined;
    }

    override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
      this.#work?.close();
      super._destroy(error, callback);
    }
  };
  Object.defineProperty(Stream, 'name', { value: base.name });
  return Stream;
}

/** `null`: the stream is Node's to compress. */
function beginWork(owner: WorkOwner, settings: number | undefined, chunk: Buffer): Work | null {
  const by = settings === undefined ? undefined : compressor();
  if (settings === undefined || by === undefined || chunk.length > firstChunkBytesMax()) return null;
  return new Work(owner, settings, by);
}

/** What is to be flushed with `chunk`: as `_transform` of Node's own streams finds it. */
function toFlush(stream: NodeStream, chunk: Buffer, key: symbol): number {
  let flush = stream._defaultFlushFlag;
  const own: unknown = chunk.length === 0 ? Reflect.get(chunk, key) : undefined;
  if (typeof own === 'number') flush = own;
  if (!stream.writableEnded || stream.writableLength !== chunk.byteLength) return flush;
  const atEnd = stream._finishFlushFlag;
  return FLUSHES.indexOf(atEnd) > FLUSHES.indexOf(flush) ? atEnd : flush;
}
