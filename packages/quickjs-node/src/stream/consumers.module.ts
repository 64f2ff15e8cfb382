/**
 * `node:stream/consumers`: the whole of a stream as one value.
 */
type Chunks = AsyncIterable<Uint8Array | string>;

async function bytes(stream: Chunks): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  return Buffer.concat(chunks);
}

async function arrayBuffer(stream: Chunks): Promise<ArrayBuffer> {
  const all = await bytes(stream);
  return all.buffer.slice(all.byteOffset, all.byteOffset + all.byteLength) as ArrayBuffer;
}

async function text(stream: Chunks): Promise<string> {
  const decoder = new TextDecoder();
  let string = '';
  for await (const chunk of stream) string += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
  return string + decoder.decode();
}

export default {
  arrayBuffer,
  blob: async (stream: Chunks): Promise<Blob> => new Blob([new Uint8Array(await arrayBuffer(stream))]),
  buffer: bytes,
  bytes: async (stream: Chunks): Promise<Uint8Array> => new Uint8Array(await arrayBuffer(stream)),
  text,
  json: async (stream: Chunks): Promise<unknown> => JSON.parse(await text(stream)),
};
