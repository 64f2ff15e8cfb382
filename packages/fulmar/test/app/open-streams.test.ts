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

  it('that is opened on a connection which is still there ends at once', { timeout: 10_000 }, async () => {
    const app = createApp();
    let answer: () => void = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    let ask: () => void = () => {};
    const asked = new Promise<void>((resolve) => (ask = resolve));
    app.get('/held', async (c) => {
      ask();
      await held;
      return c.sse(async ({ send, signal }) => {
        await send('first').catch(() => {});
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      });
    });
    const server = await app.listen({ port: 0, host: '127.0.0.1' });
    const reply = fetch(`${server.url}/held`);
    await asked;
    const closed = app.close();
    // Behind the end of those that are open.
    setImmediate(answer);
    await (await reply).text();
    await closed;
    // And an app that listens again has streams again.
    const again = await app.listen({ port: 0, host: '127.0.0.1' });
    const reader = ((await fetch(`${again.url}/held`)).body as ReadableStream<Uint8Array>).getReader();
    assert.equal(new TextDecoder().decode((await reader.read()).value), 'data: first\n\n');
    await app.close();
  });
});
