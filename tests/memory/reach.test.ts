/**
 * Functions that an application has replaced, and the objects that its requests lead to, are not given the
 * engine's memory.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from './harness/app.ts';
import { cell } from './harness/marks.ts';

/** More than fit into two slabs. */
const REQUESTS = 500;
/** More than comes with a head. */
const CONTENT_BYTES = 20_000;

test('no replaced function is given memory of the engine', async () => {
  const app = await startApp('reach');
  const head = (n: number): string => `Host: memory.test\r\nConnection: close\r\nX-Mark: ${cell(n % 32, 0)}\r\n`;
  try {
    for (let n = 0; n < REQUESTS; n += 1) {
      const content = n % 50 === 0 ? 'x'.repeat(CONTENT_BYTES) : '';
      await app.talk(`POST / HTTP/1.1\r\n${head(n)}Content-Length: ${content.length}\r\n\r\n${content}`);
    }
    assert.deepEqual(await app.ask('/found'), []);
  } finally {
    await app.stop();
  }
});
