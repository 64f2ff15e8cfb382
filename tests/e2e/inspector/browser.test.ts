/**
 * What `fulmar dev` shows, in Chromium: the page of an error, `/_fulmar` with its forms and its list, live reload. Pages
 * complain of nothing: their policy lets through what they need.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { newVisitor, noBrowser, openBrowser, type Visitor } from '../one-server/browser.ts';
import { type Project, startProject } from './project.ts';

/** Between looks at what another process writes. */
const POLL_MS = 20;

const MAIN = `import express from 'express';

const app = express();
app.use(express.json());
app.get('/', (_req, res) => res.send('<!DOCTYPE html><html><body><h1>birds</h1></body></html>'));
app.get('/birds/:id', (req, res) => res.json({ id: req.params.id, sort: req.query.sort ?? null, wind: req.get('x-wind') ?? null }));
app.post('/birds', (req, res) => void res.status(201).json({ made: req.body }));
app.get('/fail', (_req) => {
  throw new TypeError('<img src=x onerror="document.title=1"> no birds', { cause: new Error('</pre><script>document.title=2</script>') });
});
// What the dev server does when files change.
const { inspector } = globalThis as unknown as { inspector: { reloaded(files: string[]): void; broken(error: unknown): void; mended(): void } };
app.post('/reload', (_req, res) => (inspector.reloaded(['main.mts']), res.end()));
app.post('/break', (_req, res) => (inspector.broken(new SyntaxError('Unexpected <b>token</b>')), res.end()));
app.post('/mend', (_req, res) => (inspector.mended(), res.end()));
const server = app.listen(0, () => console.log('listening on http://localhost:' + (server.address() as { port: number }).port));
`;

const textOf = async (page: Page, selector: string): Promise<string> => (await page.locator(selector).first().textContent()) ?? '';

describe('what fulmar dev shows', { skip: noBrowser, timeout: 300_000 }, () => {
  const ended: (() => unknown)[] = [];
  let project: Project;
  let browser: Browser;
  let visitor: Visitor;
  let page: Page;

  const act = (path: string): Promise<Response> => fetch(`${project.url}${path}`, { method: 'POST' });

  before(async () => {
    const starting = startProject(
      { after: (fn) => void ended.push(fn as () => unknown) },
      'main.mts',
      { 'main.mts': MAIN },
      { FULMAR_EDITOR: './edit' },
    );
    [project, browser] = await Promise.all([starting, openBrowser()]);
    writeFileSync(join(project.folder, 'edit'), `#!/bin/sh\nprintf '%s\\n' "$@" > "${project.folder}/edited"\n`);
    chmodSync(join(project.folder, 'edit'), 0o755);
  });
  beforeEach(async () => {
    visitor = await newVisitor(browser, project.url);
    ({ page } = visitor);
  });
  after(async () => {
    await browser?.close();
    for (const end of ended) await end();
  });

  test('an error has its source and its cause on a page, and its text is no markup', async () => {
    await page.goto('/fail?a=<b>');
    assert.equal(await textOf(page, 'h1'), 'TypeError: <img src=x onerror="document.title=1"> no birds');
    assert.match(await textOf(page, '.nested h2'), /<\/pre><script>document\.title=2<\/script>/);
    assert.match(await textOf(page, 'details.frame[open] .meant'), /throw new TypeError/);
    assert.equal(await page.locator('main img, main script, main b:text("token")').count(), 0);
    assert.match(await page.title(), /^TypeError: <img/);
    assert.match(await textOf(page, '#fulmar-request'), /GET \/fail/);
    // The browser's own word for the status, and nothing else.
    assert.deepEqual(
      visitor.complaints.filter((line) => !line.includes('500')),
      [],
    );
  });

  test('a frame is opened in the editor', async () => {
    await page.goto('/fail');
    const button = page.getByRole('button', { name: 'Open in editor' }).first();
    await button.click();
    await page.getByRole('button', { name: 'Opened' }).waitFor();
    const edited = join(project.folder, 'edited');
    while (!existsSync(edited) || readFileSync(edited, 'utf8') === '') await sleep(POLL_MS);
    assert.match(readFileSync(edited, 'utf8'), /main\.mts/);
  });

  test('another site has nothing opened', async () => {
    const other = createServer((_req, res) => res.setHeader('Content-Type', 'text/html').end('<title>other</title>'));
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    ended.push(() => other.close());
    const edited = join(project.folder, 'edited');
    rmSync(edited, { force: true });
    await page.goto(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`);
    const url = `${project.url}/_fulmar/open?file=${encodeURIComponent(join(project.folder, 'main.mts'))}`;
    const reply = page.waitForResponse(url);
    assert.equal(await page.evaluate((to) => fetch(to, { method: 'POST', mode: 'no-cors' }).then(({ type }) => type), url), 'opaque');
    assert.equal((await reply).status(), 403);
    assert.equal(existsSync(edited), false);
  });

  test('routes are listed, filtered by keys alone, and called with a form', async () => {
    await page.goto('/_fulmar');
    await page.getByText('/birds/:id').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('birds get');
    assert.equal(await page.locator('#routes details').count(), 1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByLabel('id', { exact: true }).fill('7 & 8/9');
    await page.getByLabel('Query').fill('sort=name');
    await page.getByLabel('Header fields').fill('X-Wind: west');
    await page.getByLabel('Query').press('Enter');
    await page.locator('.answer', { hasText: '200' }).waitFor();
    const answer = await textOf(page, '.answer');
    assert.match(answer, /^200 OK {2}[\d.]+ ms\n/);
    assert.match(answer, /content-type: application\/json/);
    assert.match(answer, /\{"id":"7 & 8\/9","sort":"name","wind":"west"\}$/);
    await page.locator('#routes-filter').fill('post /birds');
    await page.locator('#routes summary').first().click();
    await page.getByLabel('Body').fill('{ "name": "auk" }');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.answer', { hasText: '201' }).waitFor();
    assert.match(await textOf(page, '.answer'), /\{"made":\{"name":"auk"\}\}$/);
    assert.deepEqual(visitor.complaints, []);
  });

  test('requests come as they happen, and the page of a failed one can be opened again', async () => {
    await page.goto('/_fulmar');
    await page.locator('#live', { hasText: 'live' }).waitFor();
    await fetch(`${project.url}/birds/<i>now</i>`);
    await fetch(`${project.url}/fail?late`);
    const row = page.locator('#requests tr', { hasText: '/fail?late' });
    await row.waitFor();
    assert.match((await row.textContent()) ?? '', /GET\/fail\?late500[\d.]+ ms[\d.]+ ms/);
    assert.equal(await page.locator('#requests i').count(), 0);
    await page.locator('#requests-filter').fill('late');
    assert.equal(await page.locator('#requests tr').count(), 1);
    await row.getByRole('link').click();
    await page.locator('#fulmar-error').waitFor();
    assert.match(await textOf(page, 'h1'), /no birds$/);
    assert.deepEqual(visitor.complaints, []);
  });

  test('a page loads itself again when files have changed, and shows what is broken until it is mended', async () => {
    await page.goto('/');
    await page.evaluate(() => void ((globalThis as unknown as { old: boolean }).old = true));
    await act('/break');
    const overlay = page.locator('fulmar-overlay');
    await overlay.getByText('SyntaxError: Unexpected <b>token</b>').waitFor();
    await act('/mend');
    await overlay.waitFor({ state: 'detached' });
    await act('/break');
    await overlay.waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await overlay.waitFor({ state: 'detached' });
    await act('/mend');
    assert.equal(await page.evaluate(() => (globalThis as unknown as { old?: boolean }).old), true);
    await act('/reload');
    await page.waitForFunction(() => (globalThis as unknown as { old?: boolean }).old === undefined);
    await page.locator('h1', { hasText: 'birds' }).waitFor();
    // Also who opens the page while it is broken.
    await act('/break');
    await page.goto('/');
    await overlay.waitFor({ state: 'attached' });
    await act('/mend');
    // The application has no icon.
    assert.deepEqual(
      visitor.complaints.filter((line) => !line.includes('404')),
      [],
    );
  });
});
