/**
 * Requests read with `for await` while garbage in cycles is looked for: only the request's queue knows the
 * function that waits for it.
 */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { onNative } from './support.ts';

const ROUNDS = 12;
const CLIENTS = 16;
const HANG_MS = 20_000;

/**
 * Each request leaves so much garbage that it is looked for every few requests, while others wait for their
 * content.
 */
const server = `
const http = require('node:http');
const litter = () => { for (let i = 0; i < 4000; i++) { const one = { i }; one.one = one; } };
http.createServer(async (req, res) => {
  let length = 0;
  for await (const chunk of req) { litter(); length += chunk.length; }
  litter();
  res.end(String(length));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** Sends content in two parts; what the server says of its length. */
function upload(port: number, bytes: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const req = request({ port, host: '127.0.0.1', method: 'POST', agent: false }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => (text += part));
      res.on('end', () => resolve(text));
      res.on('error', reject);
    });
    req.on('error', reject);
    req.setTimeout(HANG_MS, () => req.destroy(new Error('no reply')));
    req.write(Buffer.alloc(bytes));
    setTimeout(() => req.end(Buffer.alloc(bytes)), 5);
  });
}

async function talk(port: number): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const sizes = Array.from({ length: CLIENTS }, (_, at) => 1 + (round * CLIENTS + at) * 97);
    const told = await Promise.all(sizes.map((bytes) => upload(port, bytes)));
    assert.deepEqual(
      told,
      sizes.map((bytes) => String(2 * bytes)),
    );
  }
}

test('uploads that are read with for await all arrive', async () => {
  let talked: Promise<void> | undefined;
  const { code, signal, stderr } = await onNative(server, {
    onOutput: (child, stdout) => {
      talked ??= talk(Number(stdout)).finally(() => child.kill('SIGTERM'));
      talked.catch(() => undefined);
    },
  });
  await talked;
  assert.deepEqual([code, signal, stderr], [null, 'SIGTERM', '']);
});
