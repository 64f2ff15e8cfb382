/** The example of RPC in a browser, built and served as `npm run build` and `npm start` do, for two visitors. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { newVisitor, noBrowser, openBrowser, type Visitor } from '../one-server/browser.ts';
import type { Running } from '../support/launch.ts';
import { buildExample, built, type Example } from './forms.ts';

/** One pixel. */
const PICTURE = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

async function signIn({ page }: Visitor, name: string, password: string): Promise<void> {
  await page.goto('/');
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function add(page: Page, bird: string, count: string): Promise<void> {
  await page.getByLabel('Bird').fill(bird);
  await page.getByLabel('Count').fill(count);
  await page.getByRole('button', { name: 'Add' }).click();
}

const row = (page: Page, text: string) => page.locator('#sightings li', { hasText: text });

describe('the example of RPC in a browser', { skip: noBrowser, timeout: 300_000 }, () => {
  let example: Example;
  let running: Running;
  let browser: Browser;
  let ada: Visitor;
  let noor: Visitor;

  before(async () => {
    example = await buildExample();
    [running, browser] = await Promise.all([built.start(example), openBrowser()]);
    const url = `http://127.0.0.1:${running.port}`;
    [ada, noor] = await Promise.all([newVisitor(browser, url), newVisitor(browser, url)]);
  });
  after(async () => {
    await browser?.close();
    await running?.stop();
    example?.remove();
  });

  test('a wrong password is told, and the right one is sent with every call from then on', async () => {
    await signIn(ada, 'ada', 'puffin');
    await ada.page.getByRole('alert').getByText('Name or password is wrong.').waitFor();
    assert.ok(ada.complaints.splice(0).every((line) => line.includes('401')));
    await ada.page.getByLabel('Password').fill('kittiwake');
    await ada.page.getByRole('button', { name: 'Sign in' }).click();
    await ada.page.locator('#who', { hasText: 'ada' }).waitFor();
    await signIn(noor, 'noor', 'razorbill');
    await noor.page.locator('#who', { hasText: 'noor' }).waitFor();
  });

  test('what does not fit is told beside its field, and nothing of it is sent', async () => {
    const sent: string[] = [];
    ada.page.on('request', (request) => void (request.method() === 'POST' && sent.push(request.url())));
    await add(ada.page, '', '0');
    await ada.page.locator('label', { hasText: 'Bird' }).getByRole('alert').getByText('string of 1 to 80 characters').waitFor();
    await ada.page.locator('label', { hasText: 'Count' }).getByRole('alert').getByText('integer >= 1').waitFor();
    assert.deepEqual(sent, []);
  });

  test('a sighting with its photo comes to all who watch, as it happens', async () => {
    await noor.page.locator('#live-state', { hasText: /^connected$/ }).waitFor();
    await ada.page.getByLabel('Photo').setInputFiles({ name: 'tern.png', mimeType: 'image/png', buffer: PICTURE });
    await add(ada.page, 'Arctic tern', '3');
    await noor.page.locator('#live li', { hasText: 'Arctic tern, ada, 0' }).waitFor();
    await row(noor.page, '3 × Arctic tern, ada').locator('img').waitFor();
    await row(ada.page, '3 × Arctic tern, ada').waitFor();
    const width = "document.querySelector('#sightings img').decode().then(() => document.querySelector('#sightings img').naturalWidth)";
    assert.equal(await noor.page.evaluate(width), 1);
    await ada.page.locator('label', { hasText: 'Bird' }).locator('input[value=""]').waitFor();
  });

  test('who confirms sees it before the server has said so', async () => {
    let goOn: () => void = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await noor.page.route('**/api/journal/confirm', async (route) => {
      await held;
      await route.continue();
    });
    const button = row(noor.page, 'Arctic tern').getByRole('button');
    await button.click();
    await row(noor.page, 'Arctic tern').getByText('Confirm (1)').waitFor();
    assert.equal(await row(ada.page, 'Arctic tern').getByRole('button').textContent(), 'Confirm (0)');
    goOn();
    await row(ada.page, 'Arctic tern').getByText('Confirm (1)').waitFor();
    await noor.page.unroute('**/api/journal/confirm');
  });

  test('what the server refuses is taken back', async () => {
    let goOn: () => void = () => {};
    const held = new Promise<void>((resolve) => (goOn = resolve));
    await ada.page.route('**/api/journal/confirm', async (route) => {
      await held;
      await route.continue();
    });
    await row(ada.page, 'Arctic tern').getByRole('button').click();
    await row(ada.page, 'Arctic tern').getByText('Confirm (2)').waitFor();
    goOn();
    await ada.page.getByRole('alert').getByText('It is your own.').waitFor();
    await row(ada.page, 'Arctic tern').getByText('Confirm (1)').waitFor();
    await ada.page.unroute('**/api/journal/confirm');
  });

  test('more of the list comes when it is asked for', async () => {
    for (let count = 1; count <= 6; count += 1) {
      await add(ada.page, `auk ${count}`, '1');
      await row(ada.page, `auk ${count},`).waitFor();
    }
    await noor.page.reload();
    await row(noor.page, 'auk 6,').waitFor();
    assert.equal(await noor.page.locator('#sightings li').count(), 5);
    await noor.page.getByRole('button', { name: 'More' }).click();
    await row(noor.page, 'Arctic tern').waitFor();
    assert.equal(await noor.page.locator('#sightings li').count(), 7);
  });

  test('the browser has nothing to complain of but what was refused', () => {
    const complaints = [...ada.complaints, ...noor.complaints].filter((line) => !/status of 400/.test(line));
    assert.deepEqual(complaints, []);
  });
});
