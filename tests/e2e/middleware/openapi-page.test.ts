/**
 * The page of `serveOpenapi({ docs })` in a browser: it shows the operations, and its policy refuses nothing that it
 * needs. By Chromium's own command line; no test drives it further.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { createApp } from 'fulmar';
import { securityHeaders } from 'fulmar/middleware';
import { serveOpenapi } from 'fulmar/openapi';

const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file));
const run = promisify(execFile);

/** What a page may take on a busy machine, by the browser's own clock, which waits for nothing else. */
const PAGE_MS = 20_000;
const PATIENCE_MS = 120_000;
const OUTPUT_BYTES_MAX = 32 * 1024 * 1024;

async function look(url: string): Promise<{ page: string; refused: string[] }> {
  const profile = mkdtempSync(join(tmpdir(), 'fulmar-chromium-'));
  const options = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-dev-shm-usage',
    '--enable-logging=stderr',
    `--user-data-dir=${profile}`,
  ];
  try {
    const { stdout, stderr } = await run(browser as string, [...options, `--virtual-time-budget=${PAGE_MS}`, '--dump-dom', url], {
      timeout: PATIENCE_MS,
      maxBuffer: OUTPUT_BYTES_MAX,
    });
    const refused = stderr.split('\n').filter((line) => /CONSOLE.*(?:Refused|violates|Content Security Policy|Error)/i.test(line));
    return { page: stdout, refused };
  } finally {
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

test(
  'the page of a document shows its operations, within its policy',
  { skip: browser === undefined ? 'there is no Chromium here' : false },
  async () => {
    const app = createApp();
    app.use(securityHeaders());
    app.get('/birds/:id', { summary: 'One bird', tags: ['birds'] }, () => 1);
    app.get('/broken', (c) => c.header('Content-Security-Policy', "script-src 'none'").html('<script src="/docs/start.js"></script>'));
    serveOpenapi(app, { info: { title: 'Birds of the north', version: '1.0.0' }, docs: '/docs' });
    const server = await app.listen({ port: 0, host: '127.0.0.1' });
    try {
      const { page, refused } = await look(`${server.url}/docs`);
      assert.deepEqual(refused, []);
      assert.match(page, /Birds of the north/);
      assert.match(page, /class="opblock[^]*One bird/);
      // That what is refused would have been seen.
      assert.notDeepEqual((await look(`${server.url}/broken`)).refused, []);
    } finally {
      await app.close();
    }
  },
);
