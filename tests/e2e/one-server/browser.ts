/** A Chromium for tests, driven by `playwright-core`: Debian's, since that package downloads none. Says why there is none. */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => existsSync(file));

/** `false`, or the reason for which nothing here can run. */
export const noBrowser: string | false = executablePath === undefined ? 'there is no Chromium here' : false;

const PATIENCE_MS = 60_000;

export async function openBrowser(): Promise<Browser> {
  if (executablePath === undefined) throw new Error(String(noBrowser));
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'], timeout: PATIENCE_MS });
}

/** A visitor with cookies of their own, and what their pages complained of: errors, and what a policy refused. */
export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
}

export async function newVisitor(browser: Browser, baseURL: string): Promise<Visitor> {
  const context = await browser.newContext({ baseURL });
  context.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  context.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  context.on('weberror', (error) => void complaints.push(String(error.error())));
  return { context, page: await context.newPage(), complaints };
}
