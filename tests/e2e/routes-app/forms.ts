/**
 * The forms in which the example of routes from files runs: from its folder, and as what `fulmar build` makes of it, which lies
 * alone in a folder of its own. Starts them.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fulmar, writeProject } from '../cli/support.ts';
import { FULMAR, launchFile, launchProgram, type Running } from '../support/launch.ts';

export const folder = fileURLToPath(new URL('../../../examples/routes-app', import.meta.url));

export interface Form {
  readonly name: string;
  /** Pages of `prerender` were made before it started. */
  readonly isBuilt: boolean;
  readonly start: () => Promise<Running>;
}

export const fromSources: Form = {
  name: 'fulmar run',
  isBuilt: false,
  start: () => launchFile([FULMAR, 'run'], { cwd: folder }),
};

async function build(name: string, args: readonly string[]): Promise<{ file: string; cwd: string }> {
  const cwd = writeProject({});
  const file = join(cwd, name);
  const { code, stdout, stderr } = await fulmar(folder, ['build', '-o', file, ...args]);
  assert.equal(code, 0, stdout + stderr);
  return { file, cwd };
}

const asFile: Form = {
  name: 'a built file',
  isBuilt: true,
  async start() {
    const { file, cwd } = await build('server.mjs', []);
    return launchFile([file], { cwd, env: { FULMAR_BUILD_CACHE: join(cwd, 'cache') } });
  },
};

const asExecutable: Form = {
  name: 'an executable',
  isBuilt: true,
  async start() {
    const { file, cwd } = await build('server', ['--native']);
    return launchProgram(file, [], { cwd });
  },
};

export const forms: readonly Form[] = [fromSources, asFile, asExecutable];
