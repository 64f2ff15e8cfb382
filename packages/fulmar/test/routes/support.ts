/** Folders of routes for tests, written into a temporary place and removed behind it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { App } from '../../src/app/index.ts';
import { createRoutes, type RoutesOptions } from '../../src/routes/index.ts';

export type Files = Readonly<Record<string, string>>;

/** The folder; its files are written as modules of JavaScript. */
export function folderWith(t: TestContext, files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-routes-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return folder;
}

/** The app of a folder, made ready. */
export async function appOf(t: TestContext, files: Files, options: RoutesOptions = {}): Promise<App> {
  const app = createRoutes({ logger: { error: () => undefined }, ...options, dir: folderWith(t, files) });
  await app.ready();
  return app;
}

export interface Told {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

export async function ask(app: App, method: string, url: string, more: object = {}): Promise<Told> {
  const { status, text, headers } = await app.inject({ method, url, ...more } as never);
  return { status, text, headers };
}

/** A module that answers with the name of its file and the parameters of the path. */
export const echo = (name: string): string => `export const GET = (c) => ({ file: ${JSON.stringify(name)}, params: { ...c.params } });\n`;
