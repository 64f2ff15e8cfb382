/**
 * What a published server has built before its first start. It is kept for later runs, until a source of it
 * changes.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { folderOf } from './play.ts';
import { cleanEnvironment } from './process.ts';
import type { Published } from './server.ts';

/** What builds write, beside the sources that they read. */
const OUTPUT = /^(?:\..*|node_modules|build|dist.*)$/;

export function buildUnlessBuilt(server: Published, node: string): void {
  const { build } = server;
  const folder = folderOf(server);
  if (build === undefined || lastChange(join(folder, 'site')) < changeOf(join(folder, build.built))) return;
  const options = { cwd: join(folder, build.cwd ?? '.'), env: cleanEnvironment(), encoding: 'utf8', stdio: 'pipe' } as const;
  try {
    execFileSync(node, build.command(folder), options);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${server.name} could not be built:\n${stdout}${stderr}`, { cause: error });
  }
}

/** When the youngest source below `folder` was written. */
function lastChange(folder: string): number {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !OUTPUT.test(name));
  return Math.max(...entries.map((entry) => (entry.isDirectory() ? lastChange : changeOf)(join(folder, entry.name))));
}

const changeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
