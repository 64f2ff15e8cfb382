/** Word of a connection that breaks while the reply is pending: from the engine, without on-finished. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createApp, dial, serve, type KoaContext } from './support.ts';

interface Failure extends Error {
  readonly code?: string;
  readonly headerSent?: boolean;
}

/** A promise with the function that resolves it. */
function deferred<T>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((done) => (resolve = done));
  return { promise, resolve };
}

/**
 * Starts a request whose middleware waits until its connection is gone, and ends the connection with `end`.
 */
async function breakWith(end: (socket: ReturnType<typeof dial>) => void): Promise<Failure[]> {
  const app = createApp();
  const errors: Failure[] = [];
  app.on('error', (error: Failure) => errors.push(error));
  const started = deferred<KoaContext>();
  const over = deferred<void>();
  app.use(async (ctx) => {
    started.resolve(ctx);
    await once(ctx.res, 'close');
    assert.equal(ctx.writable, false);
    over.resolve(undefined);
  });
  const served = await serve(app);
  const socket = dial(served.port);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await started.promise;
  end(socket);
  await over.promise;
  await served.close();
  return errors;
}

test('a connection that the peer resets is an error event with headerSent', async () => {
  const errors = await breakWith((socket) => socket.resetAndDestroy());
  assert.deepEqual(
    errors.map(({ code, message, headerSent }) => [code, message, headerSent]),
    [['ECONNRESET', 'read ECONNRESET', true]],
  );
});

test('a connection that the peer closes in order is nobody’s error', async () => {
  assert.deepEqual(await breakWith((socket) => socket.destroy()), []);
});
