/**
 * `node:stream/web`: the web's streams, which are global objects.
 */
const NAMES = [
  'ReadableStream',
  'ReadableStreamDefaultReader',
  'ReadableStreamBYOBReader',
  'ReadableStreamBYOBRequest',
  'ReadableByteStreamController',
  'ReadableStreamDefaultController',
  'TransformStream',
  'TransformStreamDefaultController',
  'WritableStream',
  'WritableStreamDefaultController',
  'WritableStreamDefaultWriter',
  'ByteLengthQueuingStrategy',
  'CountQueuingStrategy',
  'TextEncoderStream',
  'TextDecoderStream',
  'CompressionStream',
  'DecompressionStream',
] as const;

const web: Record<string, unknown> = {};
for (const name of NAMES) {
  const get = (): unknown => (globalThis as Record<string, unknown>)[name];
  Object.defineProperty(web, name, { configurable: true, enumerable: true, get });
}

export default web;
