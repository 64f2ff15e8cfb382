/**
 * Content that was given to the application is the application's: whatever it does with it, no other client's
 * bytes are in it.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { type App, startApp } from './harness/app.ts';
import { pattern } from './harness/marks.ts';

const CLIENTS = 16;
const ROUNDS = 6;
/** Below and above what was once copied and what was not, and more than one receive. */
const SIZES = [100, 5000, 60_000, 300_000];

let app: App;
beforeEach(async () => {
  app = await startApp('ways');
});
afterEach(() => app.stop());

function upload(target: string, client: number, bytes: number): Promise<string> {
  const head = `POST ${target}?client=${client} HTTP/1.1\r\nHost: memory.test\r\nConnection: close\r\nContent-Length: ${bytes}\r\n\r\n`;
  return app.talk(head + pattern(client, 0, 0, bytes));
}

async function uploads(target: string, sizes: readonly number[], check: (reply: string, bytes: number) => void): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const bytes = sizes[round % sizes.length]!;
    const replies = await Promise.all(Array.from({ length: CLIENTS }, (_, client) => upload(target, client, bytes)));
    for (const reply of replies) check(reply, bytes);
  }
}

const TAKEN_AWAY = ['byte-stream', 'post-message', 'post-worker', 'structured-clone', 'transfer'] as const;
for (const way of TAKEN_AWAY) {
  const isThere = way !== 'transfer' || 'transfer' in ArrayBuffer.prototype;
  const options = { skip: isThere ? false : 'this Node has no ArrayBuffer.prototype.transfer' };
  test(`content given away by ${way} is received whole, stays as it is, and the process lives`, options, async () => {
    // Chunks of more than half a pool: smaller ones may be in Node's pool, which must not be transferred.
    await uploads(`/take/${way}`, SIZES.slice(2), (reply, bytes) => assert.ok(reply.endsWith(`\r\n\r\n${bytes}`), reply.slice(-200)));
    assert.deepEqual(await app.ask('/found'), []);
  });
}

test('chunk.buffer is as large as the chunk, or is the pool of Node', async () => {
  await uploads('/take/buffer', SIZES, (reply, bytes) => assert.ok(reply.endsWith(`\r\n\r\n${bytes}`), reply.slice(-200)));
  assert.deepEqual(await app.ask('/found'), []);
});

test('req.body.buffer of express.raw() is as large as the body, or is the pool of Node', async () => {
  await uploads('/body', SIZES, (reply) => assert.match(reply, /^HTTP\/1\.1 200/));
  assert.deepEqual(await app.ask('/found'), []);
});
