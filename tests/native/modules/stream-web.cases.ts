import web from 'node:stream/web';
import { cases } from '../harness/cases.ts';

const all = web as unknown as Record<string, unknown>;
const source = (...chunks: unknown[]): ReadableStream =>
  new web.ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  }) as unknown as ReadableStream;

async function collected(stream: AsyncIterable<unknown>): Promise<unknown[]> {
  const seen = [];
  for await (const chunk of stream) seen.push(chunk);
  return seen;
}

const kinds = (name: string): [() => unknown] => [() => [typeof all[name], all[name] === (globalThis as Record<string, unknown>)[name]]];
const names = [
  'ReadableStreamDefaultReader',
  'ReadableStreamBYOBReader',
  'ReadableStreamBYOBRequest',
  'ReadableByteStreamController',
  'ReadableStreamDefaultController',
  'TransformStreamDefaultController',
  'WritableStreamDefaultController',
  'WritableStreamDefaultWriter',
];

export default cases('stream/web', {
  ReadableStream: [
    () => collected(source('a', 'b') as never),
    async () => {
      const [one, two] = source(1, 2).tee();
      return [await collected(one as never), await collected(two as never)];
    },
    async () => {
      const reader = source('x').getReader();
      const [first, second] = [await reader.read(), await reader.read()];
      return [first.value, first.done, second.value, second.done];
    },
  ],
  WritableStream: [
    async () => {
      const seen: unknown[] = [];
      await source(1, 2).pipeTo(new web.WritableStream({ write: (chunk: unknown) => void seen.push(chunk) }) as never);
      return seen;
    },
  ],
  TransformStream: [
    () =>
      collected(
        source(1, 2).pipeThrough(
          new web.TransformStream({ transform: (chunk: number, controller) => controller.enqueue(chunk * 2) }) as never,
        ) as never,
      ),
  ],
  ByteLengthQueuingStrategy: [() => new web.ByteLengthQueuingStrategy({ highWaterMark: 5 }).highWaterMark],
  CountQueuingStrategy: [() => new web.CountQueuingStrategy({ highWaterMark: 5 }).size('x' as never)],
  ...Object.fromEntries(names.map((name) => [name, kinds(name)])),
  TextEncoderStream: [() => typeof all['TextEncoderStream']],
  TextDecoderStream: [() => typeof all['TextDecoderStream']],
  CompressionStream: [() => typeof all['CompressionStream']],
  DecompressionStream: [() => typeof all['DecompressionStream']],
});
