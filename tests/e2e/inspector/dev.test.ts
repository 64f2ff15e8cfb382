/** `fulmar dev` with its inspector: a saved file reloads an open page, a broken one covers it, and options say who sees what. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { newVisitor, noBrowser, openBrowser } from '../one-server/browser.ts';
import { FULMAR, launchFile } from '../support/launch.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const MAIN = `import express from 'express';
import { word } from './word';
const app = express();
app.get('/', (_req, res) => res.send('<html><body><h1>' + word + '</h1></body></html>'));
app.get('/fail', () => { throw new Error('secret source'); });
const server = app.listen(0, () => console.log('listening on http://localhost:' + (server.address() as { port: number }).port));
`;

async function startDev(t: TestContext, ...options: readonly string[]): Promise<{ folder: string; url: string; port: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-dev-'));
  writeFileSync(join(folder, 'main.ts'), MAIN);
  writeFileSync(join(folder, 'word.ts'), "export const word = 'gull';\n");
  symlinkSync(modules, join(folder, 'node_modules'));
  const running = await launchFile([FULMAR, 'dev', 'main.ts', ...options], { cwd: folder });
  t.after(async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, port: running.port, url: `http://127.0.0.1:${running.port}` };
}

const statusFor = (port: number, host: string): Promise<number | undefined> =>
  new Promise((done, fail) => {
    const asking = request({ port, host: '127.0.0.1', path: '/_fulmar', headers: { Host: host }, agent: false }, (reply) => {
      reply.resume();
      done(reply.statusCode);
    });
    asking.on('error', fail).end();
  });

test('a page is there anew when a file is saved, and covered while one is broken', { skip: noBrowser, timeout: 120_000 }, async (t) => {
  const { folder, url } = await startDev(t);
  const browser = await openBrowser();
  t.after(() => browser.close());
  const { page } = await newVisitor(browser, url);
  await page.goto('/');
  await page.locator('h1', { hasText: 'gull' }).waitFor();
  writeFileSync(join(folder, 'word.ts'), "export const word = 'tern';\n");
  await page.locator('h1', { hasText: 'tern' }).waitFor();
  writeFileSync(join(folder, 'word.ts'), 'export const word = ;\n');
  await page.locator('fulmar-overlay').getByText('word.ts').waitFor();
  assert.match((await page.locator('h1').textContent()) ?? '', /tern/);
  writeFileSync(join(folder, 'word.ts'), "export const word = 'auk';\n");
  await page.locator('h1', { hasText: 'auk' }).waitFor();
  assert.equal(await page.locator('fulmar-overlay').count(), 0);
});

test('options say whether pages get the script, and under which names ours are seen', async (t) => {
  const { url, port } = await startDev(t, '--no-inject', '--allowed-host', 'dev.test');
  const browse = async (path: string): Promise<string> => (await fetch(url + path, { headers: { Accept: 'text/html' } })).text();
  assert.equal(await browse('/'), '<html><body><h1>gull</h1></body></html>');
  assert.match(await browse('/fail'), /id="fulmar-error"[^]*secret source/);
  assert.deepEqual(
    await Promise.all(['dev.test', `localhost:${port}`, 'other.test'].map((host) => statusFor(port, host))),
    [200, 200, 403],
  );
});
