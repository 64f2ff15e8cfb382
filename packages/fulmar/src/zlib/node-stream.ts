/**
 * What our streams rely on in Node's own compressing streams, which they extend: undocumented members, looked
 * for before they are used.
 *
 * Asked once for each of the two kinds. Where something is not as expected, every stream is Node's own.
 */
import type { Transform, TransformCallback } from 'node:stream';
import zlib from 'node:zlib';

/**
 * `zlib.Gzip` and `zlib.Deflate`: they check options, and make what compresses with the first chunk that
 * comes to it.
 */
export interface NodeStream extends Transform {
  bytesWritten: number;
  /** `null` once it is closed. */
  readonly _handle: object | null;
  readonly _chunkSize: number;
  readonly _defaultFlushFlag: number;
  readonly _finishFlushFlag: number;
  readonly _level: number;
  readonly _strategy: number;
  reset(): void;
  params(level: number, strategy: number, callback?: (error?: Error | null) => void): void;
  _processChunk(chunk: Buffer, flush: number, callback?: TransformCallback): Buffer | undefined;
  _transform(chunk: Buffer, encoding: BufferEncoding, callback: TransformCallback): void;
  _destroy(error: Error | null, callback: (error?: Error | null) => void): void;
  _read(size: number): void;
}

export type NodeStreamClass = new (options?: zlib.ZlibOptions) => NodeStream;

const numbers = ['bytesWritten', '_chunkSize', '_defaultFlushFlag', '_finishFlushFlag', '_level', '_strategy'] as const;
const methods = ['reset', 'params', '_processChunk', '_transform', '_destroy', '_read', 'flush', 'close'] as const;

/**
 * Under this key an empty chunk that stands for a flush carries its kind; `undefined`: this Node's streams
 * are not what we know.
 */
export function flushKey(): symbol | undefined {
  const stream = new (zlib as unknown as { Gzip: NodeStreamClass }).Gzip();
  const isKnown =
    numbers.every((name) => typeof stream[name] === 'number') && methods.every((name) => typeof Reflect.get(stream, name) === 'function');
  let key: symbol | undefined;
  if (isKnown && typeof stream._handle === 'object') {
    stream.write = ((chunk: unknown) => {
      if (chunk instanceof Uint8Array && chunk.length === 0)
        key = Object.getOwnPropertySymbols(chunk).find((symbol) => Reflect.get(chunk, symbol) === zlib.constants.Z_SYNC_FLUSH);
      return true;
    }) as never;
    (stream as unknown as zlib.Gzip).flush(zlib.constants.Z_SYNC_FLUSH);
  }
  stream.destroy();
  return key;
}
