/**
 * The forms in which the example of routes from files runs: from its folder, while it is developed, and as what `fulmar build`
 * makes of it, which lies alone in a folder of its own. Starts them.
 */
import { fileURLToPath } from 'node:url';
import { executable, file } from '../build/support.ts';
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

const developed: Form = {
  name: 'fulmar dev',
  isBuilt: false,
  start: () => launchFile([FULMAR, 'dev'], { cwd: folder }),
};

const built: Form = {
  name: 'a file of fulmar build',
  isBuilt: true,
  start: async () => {
    const made = await file.build(folder, '.');
    return launchFile([made.file], { cwd: '/', env: { FULMAR_BUILD_CACHE: made.cache } });
  },
};

const native: Form = {
  name: 'an executable',
  isBuilt: true,
  start: async () => launchProgram((await executable.build(folder, '.')).file, [], { cwd: '/', env: {} }),
};

export const forms: readonly Form[] = [fromSources, developed, built, native];
