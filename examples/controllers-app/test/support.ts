/** What the tests share: settings without an environment, and the application of modules with substitutes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger, type NestApplication } from 'fulmar/controllers';
import { Test, type TestingModuleBuilder } from 'fulmar/controllers/testing';
import { AppModule } from '../src/app.module.ts';
import { furnish } from '../src/archive.ts';
import { readSettings, type Settings } from '../src/settings/settings.ts';

export const ADMIN = { email: 'ada@example.org', password: 'kittiwake 42' } as const;

export const settingsFor = (env: Record<string, string> = {}): Settings =>
  readSettings({ ACCESS_LOG: '0', ADMIN_EMAIL: ADMIN.email, ADMIN_PASSWORD: ADMIN.password, ...env });

/** What is logged is of no interest, but for those who ask. */
export const logged: unknown[] = [];
Logger.overrideLogger({ log: () => undefined, warn: () => undefined, error: (...what: unknown[]) => void logged.push(...what) });

/** An application without a port, in a folder of its own. `change` puts substitutes in. */
export async function open(change = (builder: TestingModuleBuilder): TestingModuleBuilder => builder) {
  const folder = mkdtempSync(join(tmpdir(), 'archive-'));
  const settings = settingsFor({ FILES_FOLDER: folder });
  const module = await change(Test.createTestingModule({ imports: [AppModule.with(settings)] })).compile();
  const app: NestApplication = furnish(module.createNestApplication(), settings);
  await app.init();
  const close = async (): Promise<void> => {
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { app, close };
}

/** A request with JSON; what came back with its body. */
export async function ask(app: NestApplication, line: string, { token, json }: { token?: string; json?: unknown } = {}) {
  const [method = 'GET', url = '/'] = line.split(' ');
  const reply = await app.inject({
    method,
    url,
    headers: { ...(token !== undefined && { authorization: `Bearer ${token}` }), 'content-type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  return { status: reply.status, body: reply.text === '' ? undefined : JSON.parse(reply.text) };
}
