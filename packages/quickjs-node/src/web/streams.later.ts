/**
 * The web's streams: `web-streams-polyfill`, which follows the standard's own tests, and the streams that
 * transform text.
 */
import {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
} from 'web-streams-polyfill';
import { coded } from '../shared/errors.ts';
import { observable } from './stream-state.ts';
import { exposed } from './idl.later.ts';

export {
  ByteLengthQueuingStrategy,
  CountQueuingStrategy,
  ReadableByteStreamController,
  ReadableStream,
  ReadableStreamBYOBReader,
  ReadableStreamBYOBRequest,
  ReadableStreamDefaultController,
  ReadableStreamDefaultReader,
  TransformStream,
  TransformStreamDefaultController,
  WritableStream,
  WritableStreamDefaultController,
  WritableStreamDefaultWriter,
};

observable(ReadableStream);
observable(WritableStream);

/** In Node the state of streams is private: JSON finds nothing, here it would find circles. */
for (const { prototype } of [ReadableStream, WritableStream, TransformStream]) {
  Object.defineProperty(prototype, 'toJSON', { value: () => ({}), configurable: true, writable: true });
}

/** A pair of streams around a transformation. */
abstract class Pair<In, Out> {
  readonly #pair: TransformStream<In, Out>;

  constructor(pair: TransformStream<In, Out>) {
    this.#pair = pair;
  }
  get readable(): ReadableStream<Out> {
    return this.#pair.readable;
  }
  get writable(): WritableStream<In> {
    return this.#pair.writable;
  }
}

export class TextEncoderStream extends Pair<string, Uint8Array> {
  constructor() {
    const encoder = new TextEncoder();
    // The first half of a pair of surrogates waits for the second.
    let half = '';
    super(
      new TransformStream<string, Uint8Array>({
        transform(chunk, controller) {
          let text = half + String(chunk);
          const last = text.charCodeAt(text.length - 1);
          half = last >= 0xd800 && last <= 0xdbff ? text.slice(-1) : '';
          if (half !== '') text = text.slice(0, -1);
          if (text !== '') controller.enqueue(encoder.encode(text));
        },
        flush(controller) {
          if (half !== '') controller.enqueue(new Uint8Array([0xef, 0xbf, 0xbd]));
        },
      }),
    );
  }
  get encoding(): string {
    return 'utf-8';
  }
}

export class TextDecoderStream extends Pair<Uint8Array, string> {
  readonly #decoder: TextDecoder;

  constructor(encoding = 'utf-8', options: { readonly fatal?: boolean; readonly ignoreBOM?: boolean } = {}) {
    const decoder = new TextDecoder(encoding, options);
    super(
      new TransformStream<Uint8Array, string>({
        transform(chunk, controller) {
          const text = decoder.decode(chunk, { stream: true });
          if (text !== '') controller.enqueue(text);
        },
        flush(controller) {
          const text = decoder.decode();
          if (text !== '') controller.enqueue(text);
        },
      }),
    );
    this.#decoder = decoder;
  }
  get encoding(): string {
    return this.#decoder.encoding;
  }
  get fatal(): boolean {
    return this.#decoder.fatal;
  }
  get ignoreBOM(): boolean {
    return this.#decoder.ignoreBOM;
  }
}

interface Coder extends NodeJS.EventEmitter {
  write(chunk: unknown, done: (error?: Error | null) => void): void;
  end(): void;
}

function transforming(coder: Coder): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream<Uint8Array, Uint8Array>({
    start(controller) {
      coder.on('data', (chunk: Uint8Array) => controller.enqueue(new Uint8Array(chunk)));
      coder.on('error', (error: Error) => controller.error(new TypeError(error.message, { cause: error })));
    },
    transform: (chunk) =>
      new Promise((resolve, reject) => {
        coder.write(chunk, (error) => (error ? reject(error) : resolve()));
      }),
    flush: () =>
      new Promise((resolve, reject) => {
        coder.on('end', resolve);
        coder.on('error', reject);
        coder.end();
      }),
  });
}

type Zlib = Readonly<Record<string, () => Coder>>;

function coder(Class: string, format: unknown, names: Readonly<Record<string, string>>): Coder {
  const name = names[`${format as string}`];
  if (name === undefined) {
    const message = `Failed to construct '${Class}': 1st argument '${String(format)}' is not a valid enum value of type CompressionFormat.`;
    throw coded(TypeError, 'ERR_INVALID_ARG_VALUE', message);
  }
  const zlib = process.getBuiltinModule('node:zlib') as unknown as Zlib;
  return (zlib[name] as () => Coder)();
}

export class CompressionStream extends Pair<Uint8Array, Uint8Array> {
  constructor(format: string) {
    super(
      transforming(
        coder(new.target.name, format, {
          deflate: 'createDeflate',
          'deflate-raw': 'createDeflateRaw',
          gzip: 'createGzip',
          brotli: 'createBrotliCompress',
        }),
      ),
    );
  }
}

export class DecompressionStream extends Pair<Uint8Array, Uint8Array> {
  constructor(format: string) {
    super(
      transforming(
        coder(new.target.name, format, {
          deflate: 'createInflate',
          'deflate-raw': 'createInflateRaw',
          gzip: 'createGunzip',
          brotli: 'createBrotliDecompress',
        }),
      ),
    );
  }
}

for (const Class of [TextEncoderStream, TextDecoderStream, CompressionStream, DecompressionStream]) exposed(Class);
