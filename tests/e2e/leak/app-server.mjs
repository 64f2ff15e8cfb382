/**
 * The server of `app.test.ts`: an app with what keeps something for a request: signals, events, streams, what
 * plugins add to contexts, content. Tells its size when it is asked.
 */
import process from 'node:process';
import { createApp, definePlugin } from 'fulmar';

let open = 0;
const counted = definePlugin({
  name: 'counted',
  encapsulate: false,
  decorators: { context: { box: () => ({ data: new Uint8Array(64) }) } },
  setup() {},
});
const app = createApp({ logger: { error: () => {} } })
  .register(counted)
  .onRequest((c) => void c.signal.aborted)
  .onResponse((c) => void c.box.data)
  .get('/plain/:id', (c) => ({ id: c.params.id, size: c.box.data.length }))
  .post('/echo', (c) => c.body.text())
  .get('/wait', (c) => new Promise((resolve) => c.signal.addEventListener('abort', resolve)))
  .get('/events', (c) =>
    c.sse(async ({ send, signal }) => {
      open += 1;
      try {
        while (!signal.aborted) await send({ data: 'x'.repeat(1000) });
      } finally {
        open -= 1;
      }
    }),
  )
  .get('/stream', (c) =>
    c.stream(async ({ write, signal }) => {
      open += 1;
      try {
        while (!signal.aborted) await write('y'.repeat(1000));
      } finally {
        open -= 1;
      }
    }),
  );

const server = await app.listen({ port: 0, host: '127.0.0.1' });
process.send({ port: server.address().port });
process.on('message', () => void measure());
process.on('disconnect', () => process.exit());

async function measure() {
  // What has been given up is over some turns later; twice, as finalisers free what others held.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  process.send({ size: { heapBytes: heapUsed, externalBytes: external, open } });
}
