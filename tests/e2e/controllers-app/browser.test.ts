/** The page of the document of the example of controllers, in a browser: it shows what can be asked, and asks it with a token. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { newVisitor, noBrowser, openBrowser, type Visitor as Guest } from '../one-server/browser.ts';
import { type Archive, forms, open } from './forms.ts';
import { asAdmin } from './visitor.ts';

for (const form of forms)
  describe(`the page of controllers-app as ${form.name}`, { skip: noBrowser, timeout: 300_000 }, () => {
    let archive: Archive;
    let browser: Browser;
    let guest: Guest;
    before(async () => {
      [archive, browser] = await Promise.all([open(form, ''), openBrowser()]);
      guest = await newVisitor(browser, archive.url);
    });
    after(async () => {
      await browser?.close();
      await archive?.end();
    });

    test('shows what can be asked, and asks it with a token', { timeout: 120_000 }, async () => {
      const { page, complaints } = guest;
      await page.goto('/docs');
      await page.getByRole('heading', { name: /^Archive/ }).waitFor();
      assert.ok((await page.locator('.opblock').count()) >= 19);
      const { token } = await asAdmin(archive);
      await page.getByRole('button', { name: 'Authorize' }).first().click();
      await page.locator('.auth-container input').fill(String(token));
      await page
        .locator('.auth-btn-wrapper')
        .getByRole('button', { name: /Apply credentials|Authorize/ })
        .click();
      await page.locator('.auth-btn-wrapper').getByRole('button', { name: 'Close' }).click();
      const operation = page.locator('.opblock', { hasText: 'Oneself' }).first();
      await operation.locator('.opblock-summary').click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).first().waitFor();
      assert.match((await operation.locator('.live-responses-table').textContent()) ?? '', /ada@example\.org/);
      assert.deepEqual(complaints, []);
    });
  });
