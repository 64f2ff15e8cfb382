import { Readable } from 'node:stream';
import consumers from 'node:stream/consumers';
import { cases } from '../harness/cases.ts';

const source = (): Readable => Readable.from(['{"a":', Buffer.from('[1,"é"]'), '}']);

export default cases(
  'stream/consumers',
  {
    text: [
      () => consumers.text(source()),
      () =>
        consumers.text(
          new ReadableStream({
            start(controller) {
              controller.enqueue('web');
              controller.close();
            },
          }) as never,
        ),
    ],
    json: [() => consumers.json(source()), async () => consumers.json(Readable.from(['not json'])).catch((error: Error) => error.name)],
    buffer: [() => consumers.buffer(source())],
    arrayBuffer: [async () => new Uint8Array(await consumers.arrayBuffer(source()))],
    bytes: [
      async () =>
        ((consumers as unknown as Record<string, (s: unknown) => Promise<Uint8Array>>)['bytes'] as (s: unknown) => Promise<Uint8Array>)(
          source(),
        ),
    ],
    blob: [async () => (await consumers.blob(source())).size],
  },
  { since: { bytes: 24 } },
);
