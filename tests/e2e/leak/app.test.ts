/**
 * The typed app under clients that leave whenever they like: its heap is as large as before, and no stream of a
 * client that is gone goes on.
 *
 * `SOAK_SECONDS=60 SOAK_RATE=2000` is the long run: so many requests begin in each second.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

interface Size {
  readonly heapBytes: number;
  readonly externalBytes: number;
  /** Streams that go on. */
  readonly open: number;
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const seconds = Number(process.env['SOAK_SECONDS'] ?? 3);
const rate = Number(process.env['SOAK_RATE'] ?? 1000);
const TICK_MS = 20;
/** Connections that are open at once: a client that is not served is one that is not started. */
const OPEN_MAX = 500;
const ABORT_MS_MAX = 40;
const HEAP_GROWTH_BYTES_MAX = 3 * 1024 * 1024;
const EXTERNAL_GROWTH_BYTES_MAX = 3 * 1024 * 1024;
const MS_PER_SECOND = 1000;
/** The measuring and the ends of what is open, beside the load. */
const GRACE_MS = 120_000;

const REQUESTS = [
  'GET /plain/7 HTTP/1.1\r\nHost: a\r\n\r\n',
  'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello',
  'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\nnot all of it',
  'GET /wait HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /events HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /stream HTTP/1.1\r\nHost: a\r\n\r\n',
  'GET /nothing HTTP/1.1\r\nHost: a\r\n\r\n',
] as const;

/** The same clients in each run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** One client: asks, and leaves at some moment, whatever has come. Resolves when it is gone. */
function visit(port: number, random: () => number): Promise<void> {
  const socket = createConnection(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.resume();
  socket.write(REQUESTS[Math.floor(random() * REQUESTS.length)] as string);
  const leaving = setTimeout(() => (random() < 0.5 ? socket.destroy() : socket.resetAndDestroy()), random() * ABORT_MS_MAX);
  return new Promise((resolve) =>
    socket.once('close', () => {
      clearTimeout(leaving);
      resolve();
    }),
  );
}

/** Begins requests at the rate for so long; the number of those begun. */
async function load(port: number, forMs: number, random: () => number): Promise<number> {
  const open = new Set<Promise<void>>();
  let begun = 0;
  const started = performance.now();
  for (let now = started; now - started < forMs; now = performance.now()) {
    const due = Math.min(((now - started) * rate) / MS_PER_SECOND, begun + OPEN_MAX - open.size);
    for (; begun < due; begun += 1) {
      const one = visit(port, random).finally(() => open.delete(one));
      open.add(one);
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  await Promise.all(open);
  return begun;
}

async function sizeOf(child: ChildProcess): Promise<Size> {
  child.send('measure');
  const [{ size }] = (await once(child, 'message')) as [{ size: Size }];
  return size;
}

test(
  `an app is as large after ${seconds} s of clients that leave as before`,
  { timeout: 2 * seconds * MS_PER_SECOND + GRACE_MS },
  async (context) => {
    const child = fork(here('./app-server.mjs'), [], { execArgv: ['--expose-gc'] });
    try {
      const [{ port }] = (await once(child, 'message')) as [{ port: number }];
      const random = randomOf(7);
      // So that code is compiled and pools have their size.
      await load(port, (seconds * MS_PER_SECOND) / 2, random);
      const before = await sizeOf(child);
      const begun = await load(port, seconds * MS_PER_SECOND, random);
      const after = await sizeOf(child);
      context.diagnostic(JSON.stringify({ begun, before, after }));
      assert.equal(after.open, 0, 'streams that go on');
      assert.ok(begun > seconds * 50, `${begun} requests are no load`);
      assert.ok(after.heapBytes - before.heapBytes < HEAP_GROWTH_BYTES_MAX, `heap grew by ${after.heapBytes - before.heapBytes} bytes`);
      assert.ok(
        after.externalBytes - before.externalBytes < EXTERNAL_GROWTH_BYTES_MAX,
        `external memory grew by ${after.externalBytes - before.externalBytes} bytes`,
      );
    } finally {
      child.disconnect();
    }
  },
);
