/**
 * Event streams that are open when the app closes: they end, and do not keep it from closing.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type App, createApp } from '../../src/app/index.ts';

async function textUntilClosed(app: App): Promise<string> {
  const server = await app.listen({ port: 0, host: '127.0.0.1' });
  const reply = await fetch(server.url);
  const reader = (reply.body as ReadableStream<Uint8Array>).getReader();
  const first = await reader.read();
  const closed = app.close();
  let text = new TextDecoder().decode(first.value);
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) text += new TextDecoder().decode(piece.value);
  await closed;
  return text;
}

describe('an event stream when the app closes', () => {
  it('of a subscription ends, and so does the subscription', { timeout: 10_000 }, async () => {
    const app = createApp();
    app.get('/', (c) => {
      const news = app.subscribe<string>('news');
      app.publish('news', 'first');
      return c.sse(news);
    });
    assert.equal(await textUntilClosed(app), 'data: first\n\n');
    assert.equal(app.subscriberCount('news'), 0);
  });

  it('of a function ends, and its signal fires', { timeout: 10_000 }, async () => {
    const app = createApp();
    let isTold = false;
    app.get('/', (c) =>
      c.sse(async ({ send, signal }) => {
        await send('first');
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
        isTold = true;
      }),
    );
    assert.equal(await textUntilClosed(app), 'data: first\n\n');
    assert.equal(isTold, true);
  });
});
