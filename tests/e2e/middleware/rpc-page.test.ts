/**
 * `fulmar/client` in a browser, as a page loads it: values, errors, a stream, a batch and an aborted call against a real
 * server. By Chromium's own command line; the page writes what it found.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createApp } from 'fulmar';
import { query, rpc, rpcError } from 'fulmar/rpc';

const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file));
const run = promisify(execFile);

/** What a page may take on a busy machine, by the browser's own clock, which waits for nothing else. */
const PAGE_MS = 20_000;
const PATIENCE_MS = 120_000;

const number = { type: 'number' } as const;

const page = `<!doctype html><pre></pre><script type="module">
import { createClient } from '/client.js';
const client = createClient('/api');
const found = [];
const [bird] = await client.query.get(1);
found.push(bird.seen instanceof Date, bird.tags.has('sea'), bird.big === 10n);
const [, error] = await client.query.get(2);
found.push(error.type, error.data.id);
for await (const one of await client.orThrow.query.count(3)) found.push(one);
const [, second] = await client.batch((plan) => { const first = plan.get(1); return [first, plan.get(first.id)]; });
found.push(second[0].id);
const controller = new AbortController();
const waiting = client.with({ signal: controller.signal }).query.wait();
controller.abort();
found.push((await waiting)[1].type);
found.push((await client.with({ timeout: 50 }).query.wait())[1].type);
for await (const one of await client.orThrow.query.count(1e9)) if (one === 2) break;
document.querySelector('pre').textContent = JSON.stringify(found);
</script>`;

const expected = [true, true, true, 'no-bird', 2, 0, 1, 2, 1, 'aborted', 'timeout'];

test('a page calls an API', { skip: browser === undefined ? 'there is no Chromium here' : false }, async () => {
  const app = createApp();
  const client = readFileSync(fileURLToPath(import.meta.resolve('fulmar/client')), 'utf8');
  app.get('/', (c) => c.html(page));
  app.get('/client.js', (c) => c.send(client, 'text/javascript; charset=utf-8'));
  let ended: (count: number) => void = () => {};
  const whenEnded = new Promise<number>((resolve) => (ended = resolve));
  app.mount(
    '/api',
    rpc({
      get: query({ params: [number] }, (_c, id) =>
        id === 1 ? { id, seen: new Date(0), tags: new Set(['sea']), big: 10n } : rpcError({ type: 'no-bird', data: { id } }),
      ),
      count: query({ params: [number] }, async function* (_c, count) {
        try {
          for (let at = 0; at < count; at += 1) yield at;
        } finally {
          if (count > 3) ended(count);
        }
      }),
      wait: query({ params: [] }, () => new Promise<never>(() => {})),
    }),
  );
  const server = await app.listen({ port: 0, host: '127.0.0.1' });
  const profile = mkdtempSync(join(tmpdir(), 'fulmar-chromium-'));
  const options = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', `--user-data-dir=${profile}`];
  try {
    const { stdout } = await run(browser as string, [...options, `--virtual-time-budget=${PAGE_MS}`, '--dump-dom', server.url], {
      timeout: PATIENCE_MS,
    });
    assert.deepEqual(JSON.parse(/<pre>(.*?)<\/pre>/.exec(stdout)?.[1] || 'null'), expected);
    assert.equal(await whenEnded, 1e9);
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    await app.close();
  }
});
