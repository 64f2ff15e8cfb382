/** `fulmar/vite` as a developer has it: a page in Chromium that stays as it is while the server is edited, and types in it. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { noBrowser, openBrowser } from '../e2e/one-server/browser.ts';
import { type Running, startVite } from './vite-project.ts';

const page = `import { createClient } from 'fulmar/client';
import { parse, stringify, validate } from 'fulmar/types';
import type { Bird } from '../server/bird';
import type { api } from '../server/app';

const client = createClient<typeof api>('/api/rpc');
const revived = parse<{ at: Date; bytes: Uint8Array }>('{"at":"2026-11-25T10:00:00.000Z","bytes":"AQI="}');
const shown = [validate<Bird>({ name: 'a', least: 1 }), validate<Bird>({}), stringify<{ at: Date; bytes: Uint8Array }>(revived)];
Object.assign(globalThis, { shown, first: async () => (await client.orThrow.query.first(7)).name });
`;

describe('a page in a browser', { skip: noBrowser, timeout: 300_000 }, () => {
  let running: Running;
  let browser: Browser;
  let tab: Page;

  before(async () => {
    [running, browser] = await Promise.all([startVite(), openBrowser()]);
    running.project.write('src/main.ts', page);
    tab = await browser.newPage();
    await tab.goto(running.url);
    await tab.waitForFunction('globalThis.first !== undefined');
  });
  after(async () => {
    await browser?.close();
    await running?.stop();
  });

  it('has validators, encoders and decoders of types', async () => {
    assert.deepEqual(await tab.evaluate('shown'), [true, false, '{"at":"2026-11-25T10:00:00.000Z","bytes":"AQI="}']);
  });

  it('asks the app at its own origin, and keeps what it holds when that is edited', async () => {
    assert.equal(await tab.evaluate('first()'), 'fulmar');
    await tab.evaluate('void (globalThis.held = 7)');
    running.project.write('server/birds.ts', "export const birds = ['skua'];\n");
    await tab.waitForFunction("first().then((name) => name === 'skua')");
    assert.equal(await tab.evaluate('globalThis.held'), 7);
  });

  it('shows what keeps the app from being loaded, until it is mended', async () => {
    running.project.write('server/birds.ts', "export const birds = ['skua'];\nthrow new Error('of the server');\n");
    const overlay = tab.locator('vite-error-overlay');
    await overlay.waitFor({ state: 'attached' });
    assert.match(
      String(await tab.evaluate("document.querySelector('vite-error-overlay').shadowRoot.textContent")),
      /of the server[^]*server\/birds\.ts:2:7/,
    );
    running.project.write('server/birds.ts', "export const birds = ['gull'];\n");
    await overlay.waitFor({ state: 'detached' });
    await tab.waitForFunction("globalThis.first !== undefined && first().then((name) => name === 'gull')");
  });
});
