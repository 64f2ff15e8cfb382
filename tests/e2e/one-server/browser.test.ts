/**
 * The example of one server in a browser: what its pages do for two visitors who have signed in, and what they show when the
 * server goes.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import type { Running } from '../support/launch.ts';
import { newVisitor, noBrowser, openBrowser, type Visitor } from './browser.ts';
import { fromSources } from './forms.ts';

const UPLOAD_BYTES = 4_000_000;
const UPLOAD_BYTES_PER_SECOND = 2_000_000;
const MESSAGE = 'hello <b>ünï</b> 🐦';

async function signIn({ page }: Visitor, name: string, password: string): Promise<void> {
  await page.goto('/account/login');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const textOf = async (page: Page, selector: string): Promise<string> => (await page.locator(selector).textContent()) ?? '';

describe('one server in a browser', { skip: noBrowser, timeout: 300_000 }, () => {
  let running: Running;
  let browser: Browser;
  let ada: Visitor;
  let noor: Visitor;

  before(async () => {
    [running, browser] = await Promise.all([fromSources.start(), openBrowser()]);
    const url = `http://127.0.0.1:${running.port}`;
    [ada, noor] = await Promise.all([newVisitor(browser, url), newVisitor(browser, url)]);
  });
  after(async () => {
    await browser?.close();
    await running?.stop();
  });

  test('a wrong password shows the form again, with a word', async () => {
    await signIn(ada, 'ada', 'puffin');
    assert.equal(await textOf(ada.page, '[role=alert]'), 'Name or password is wrong.');
    assert.equal(await ada.page.getByLabel('Name').inputValue(), 'ada');
    // The browser's own word for a status of 401, and nothing else.
    assert.deepEqual(
      ada.complaints.splice(0).filter((line) => !line.includes('401')),
      [],
    );
  });

  test('a session that Express begins is seen by the typed page, and the other way round', async () => {
    await signIn(ada, 'ada', 'kittiwake');
    assert.equal(await textOf(ada.page, '#user'), 'ada');
    assert.equal(await textOf(ada.page, '#pages'), '1');
    await ada.page.reload();
    await ada.page.locator('#account').click();
    assert.equal(await textOf(ada.page, 'h1'), 'ada');
    assert.equal(await textOf(ada.page, '#pages'), '2');
    await ada.page.goto('/');
    const cookies = await ada.context.cookies();
    assert.deepEqual(
      cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite]),
      [['station.sid', true, 'Lax']],
    );
  });

  test('what one visitor says the other reads, as text', async () => {
    await signIn(noor, 'noor', 'razorbill');
    await noor.page.locator('#state', { hasText: 'connected, 2 here' }).waitFor();
    await ada.page.locator('#state', { hasText: 'connected, 2 here' }).waitFor();
    await ada.page.getByLabel('Message').fill(MESSAGE);
    await ada.page.getByRole('button', { name: 'Say' }).click();
    for (const { page } of [ada, noor]) {
      await page.locator('#said li', { hasText: 'hello' }).waitFor();
      assert.equal(await textOf(page, '#said li'), `ada: ${MESSAGE}`);
    }
    // Who comes later is told what was said, and what the API was told is in the chat.
    await noor.page.reload();
    await noor.page.locator('#said li', { hasText: 'hello' }).waitFor();
    await noor.page.locator('#state', { hasText: 'connected, 2 here' }).waitFor();
    const made = await ada.context.request.post('/api/birds', { data: { species: 'Great skua', count: 2 } });
    assert.equal(made.status(), 201);
    await noor.page.locator('#said li', { hasText: 'ada has seen 2 × Great skua' }).waitFor();
  });

  test('an upload shows how far it is, and what has come', async () => {
    const { page } = ada;
    const content = Buffer.alloc(UPLOAD_BYTES, 'fulmar');
    // A network as slow as that, so that there is something to see on the way.
    const devtools = await ada.context.newCDPSession(page);
    await devtools.send('Network.enable');
    const unlimited = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };
    await devtools.send('Network.emulateNetworkConditions', { ...unlimited, uploadThroughput: UPLOAD_BYTES_PER_SECOND });
    await page.evaluate(`
      window.steps = [];
      const bar = document.querySelector('#progress');
      new MutationObserver(() => window.steps.push(bar.value / bar.max)).observe(bar, { attributes: true, attributeFilter: ['value'] });
    `);
    await page.getByLabel('Files').setInputFiles({ name: 'größe.bin', mimeType: 'application/octet-stream', buffer: content });
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('#sent', { hasText: 'bytes' }).waitFor();
    const digest = createHash('sha256').update(content).digest('hex');
    assert.equal(await textOf(page, '#sent'), `größe.bin: ${UPLOAD_BYTES} bytes, ${digest}`);
    const steps = (await page.evaluate('window.steps')) as number[];
    assert.equal(steps.at(-1), 1);
    assert.ok(
      steps.some((step) => step > 0 && step < 1),
      `only ${steps.join(', ')}`,
    );
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    );
    await devtools.send('Network.emulateNetworkConditions', unlimited);
  });

  test('the page of the API shows the routes of all parts, within its policy', async () => {
    const page = await ada.context.newPage();
    await page.goto('/docs');
    await page.locator('.opblock', { hasText: 'Birds that were seen' }).waitFor();
    for (const path of ['/uploads', '/account/login', '/api/birds']) await page.locator(`.opblock [data-path="${path}"]`).first().waitFor();
    await page.close();
    assert.deepEqual(ada.complaints, []);
  });

  test('a page of another origin cannot sign a visitor out', async () => {
    const page = await ada.context.newPage();
    await page.setContent(
      `<form method="post" action="http://127.0.0.1:${running.port}/account/logout"><button>Win a prize</button></form>`,
    );
    const [reply] = await Promise.all([page.waitForResponse(/logout/), page.getByRole('button').click()]);
    assert.equal(reply.status(), 403);
    await page.goto('/account');
    assert.equal(await textOf(page, 'h1'), 'ada');
    await page.close();
    assert.deepEqual(
      ada.complaints.splice(0).filter((line) => !line.includes('403')),
      [],
    );
  });

  test('a sign-out ends the session of that visitor alone', async () => {
    const page = await noor.context.newPage();
    await page.goto('/account');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator('#visitor', { hasText: 'You are nobody yet' }).waitFor();
    assert.equal(await page.locator('#say').count(), 0);
    await page.close();
    assert.equal(((await (await ada.context.request.get('/api/me')).json()) as { user: string }).user, 'ada');
  });

  test('when the server goes, the pages are told 1001 and say so, and it ends well', async () => {
    assert.deepEqual(await running.stop(), { code: 0, signal: null });
    for (const { page, complaints } of [ada, noor]) {
      await page.locator('#state', { hasText: 'The server is going away (1001).' }).waitFor();
      assert.equal(await page.getByRole('button', { name: 'Say' }).isDisabled(), true);
      assert.deepEqual(complaints, []);
    }
  });
});
