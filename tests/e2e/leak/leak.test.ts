/**
 * After many requests, aborts, uploads and upgrades, a server is as large as before: memory, heap,
 * descriptors.
 *
 * `LEAK_REQUESTS=1000000` is the full run, `LEAK_MODULE=node:http` measures another module in the same way.
 */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { visit } from './load.ts';
import type { Size } from './server.ts';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Few enough for CI; what leaks 100 bytes a request still shows in the heap. */
const REQUESTS_DEFAULT = 150_000;
/**
 * The allocator keeps pages for reuse and reaches its plateau late (after a million requests); a leak of 250
 * bytes a request shows at the default length.
 */
const RSS_GROWTH_BYTES_MAX = 36 * 1024 * 1024;
const HEAP_GROWTH_BYTES_MAX = 3 * 1024 * 1024;
const EXTERNAL_GROWTH_BYTES_MAX = 2 * 1024 * 1024;
const RUN_MS_MAX = 900_000;

const requests = Number(process.env['LEAK_REQUESTS'] ?? REQUESTS_DEFAULT);
const module = process.env['LEAK_MODULE'] ?? 'fulmar/http';

async function sizeOf(child: ChildProcess): Promise<Size> {
  child.send('measure');
  const [{ size }] = (await once(child, 'message')) as [{ size: Size }];
  return size;
}

test(
  `${module} is as large after ${requests} requests, aborts, uploads and upgrades as before`,
  { timeout: RUN_MS_MAX },
  async (context) => {
    const child = fork(here('./server.ts'), [module], { execArgv: ['--expose-gc', '--import', here('../../../scripts/ts-register.mjs')] });
    try {
      const [{ port }] = (await once(child, 'message')) as [{ port: number }];
      // Twice, so that code is compiled and pools have their size.
      await visit(port, requests / 5);
      await visit(port, requests / 5);
      const before = await sizeOf(child);
      await visit(port, requests);
      const after = await sizeOf(child);
      context.diagnostic(JSON.stringify({ before, after }));
      assert.equal(after.descriptors, before.descriptors, 'descriptors');
      assert.ok(after.heapBytes - before.heapBytes < HEAP_GROWTH_BYTES_MAX, `heap grew by ${after.heapBytes - before.heapBytes} bytes`);
      assert.ok(
        after.externalBytes - before.externalBytes < EXTERNAL_GROWTH_BYTES_MAX,
        `external memory grew by ${after.externalBytes - before.externalBytes} bytes`,
      );
      assert.ok(after.rssBytes - before.rssBytes < RSS_GROWTH_BYTES_MAX, `RSS grew by ${after.rssBytes - before.rssBytes} bytes`);
    } finally {
      child.disconnect();
    }
  },
);
