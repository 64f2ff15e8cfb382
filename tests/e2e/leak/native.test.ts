/**
 * After many requests, aborts, uploads and upgrades, a native executable is as large as before: memory and
 * descriptors, seen from outside.
 *
 * `LEAK_REQUESTS=2000000` is the full run.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { executable } from '../build/support.ts';
import { start } from '../cli/support.ts';
import { visit } from './load.ts';

/** Few enough for CI; what leaks 150 bytes a request is 15 MB then. */
const REQUESTS_DEFAULT = 100_000;
/**
 * More than the heap varies by when QuickJS looks for cycles: it does so when half as much again is in use as
 * the last time.
 */
const RSS_GROWTH_BYTES_MAX = 12 * 1024 * 1024;
const RUN_MS_MAX = 1_800_000;

const requests = Number(process.env['LEAK_REQUESTS'] ?? REQUESTS_DEFAULT);
const isLinux = process.platform === 'linux';

interface Size {
  readonly rssBytes: number;
  readonly descriptors: number;
}

function sizeOf(pid: number): Size {
  const kibibytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  return { rssBytes: kibibytes * 1024, descriptors: readdirSync(`/proc/${pid}/fd`).length };
}

/** Connections that were left are closed a moment later. */
async function settledSize(pid: number, descriptors: number): Promise<Size> {
  const from = Date.now();
  let size = sizeOf(pid);
  while (size.descriptors > descriptors && Date.now() - from < 20_000) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    size = sizeOf(pid);
  }
  return size;
}

test(
  `an executable is as large after ${requests} requests, aborts, uploads and upgrades as before`,
  { timeout: RUN_MS_MAX, skip: isLinux ? false : 'reads /proc' },
  async (context) => {
    const program = readFileSync(fileURLToPath(new URL('native-server.cjs', import.meta.url)), 'utf8');
    const built = await executable.build({ 'main.cjs': program }, 'main.cjs');
    const server = start('/', [], { program: built.file, patienceMs: RUN_MS_MAX });
    try {
      const { pid } = server;
      const port = await server.port();
      const { descriptors } = sizeOf(pid);
      // Twice, so that pools and the heap have their size.
      await visit(port, requests / 5);
      await visit(port, requests / 5);
      const before = await settledSize(pid, descriptors);
      await visit(port, requests);
      const after = await settledSize(pid, descriptors);
      context.diagnostic(JSON.stringify({ before, after }));
      assert.ok(after.descriptors <= before.descriptors, `descriptors: ${before.descriptors} before, ${after.descriptors} after`);
      assert.ok(after.rssBytes - before.rssBytes < RSS_GROWTH_BYTES_MAX, `RSS grew by ${after.rssBytes - before.rssBytes} bytes`);
    } finally {
      server.kill('SIGKILL');
      await server.ended;
    }
  },
);
