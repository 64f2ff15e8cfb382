/** The applications compile against Nest's types, and against ours when their imports are changed. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { copyApp, here, toFulmar } from './support/changed.ts';

const run = promisify(execFile);
const tsc = fileURLToPath(new URL('../../node_modules/typescript/bin/tsc', import.meta.url));
const folder = mkdtempSync(join(here, 'changed-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function check(project: string): Promise<void> {
  try {
    await run(process.execPath, [tsc, '-p', project]);
  } catch (error) {
    throw new Error(`it does not compile:\n${(error as { stdout?: string }).stdout}`, { cause: error });
  }
}

it('compile as they are', () => check(here));

it('compile with the imports changed', async () => {
  const names = readdirSync(join(here, 'apps'), { withFileTypes: true }).filter((item) => item.isDirectory());
  for (const { name } of names) copyApp({ name, to: join(folder, 'apps'), type: 'commonjs', change: toFulmar });
  // As `nest new` writes its test.
  const asked = `
import type { Server } from 'node:http';
import type { INestApplication } from 'fulmar/controllers';
import { Test } from 'fulmar/controllers/testing';
let app: INestApplication<Server>;
export async function serverOf(): Promise<Server> {
  app = (await Test.createTestingModule({}).compile()).createNestApplication();
  await app.init();
  return app.getHttpServer();
}`;
  writeFileSync(join(folder, 'apps', 'asked.ts'), asked);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../tsconfig.json', include: ['apps'] }));
  await check(folder);
});
