/**
 * A project whose process has an inspector, as `fulmar dev` starts one: the application under `fulmar run`, behind a module
 * that starts it. What the dev server would say of files, a route of the application does when a test asks for it.
 */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FULMAR, launchFile, type Running } from '../support/launch.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const dist = fileURLToPath(new URL('../../../packages/fulmar/dist/dev.cjs', import.meta.url));

/** Routes of its own do what the dev server does: they are asked for by the test, past the browser. */
const START = `const { startInspector } = require(${JSON.stringify(dist)});
globalThis.inspector = startInspector({ root: __dirname });
for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (error) => inspector.uncaught(error));
void import('./' + process.argv[2]);
`;

export type Files = Readonly<Record<string, string>>;

export interface Project {
  readonly folder: string;
  readonly running: Running;
  readonly url: string;
}

/** `main`: the module that listens on port 0 and prints where, as examples do. */
export async function startProject(
  t: Pick<TestContext, 'after'>,
  main: string,
  files: Files,
  env: NodeJS.ProcessEnv = {},
): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'fulmar-inspector-'));
  for (const [name, text] of Object.entries({ 'start.cjs': START, ...files })) writeFileSync(join(folder, name), text);
  symlinkSync(modules, join(folder, 'node_modules'));
  const running = await launchFile([FULMAR, 'run', 'start.cjs', main], { cwd: folder, env });
  t.after(async () => {
    await running.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, running, url: `http://127.0.0.1:${running.port}` };
}
