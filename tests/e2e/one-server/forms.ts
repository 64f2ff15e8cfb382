/** The forms in which the example of one server runs: from its sources, as a built file, as an executable. Starts them. */
import { fileURLToPath } from 'node:url';
import { executable, file } from '../build/support.ts';
import { FULMAR, launchFile, launchProgram, type Running } from '../support/launch.ts';

const folder = fileURLToPath(new URL('../../../examples/one-server', import.meta.url));
const INCLUDE = ['views', 'public'].flatMap((path) => ['--include', path]);

/** So long `/ready` says 503 before it stops to listen: longer than a busy machine takes to ask. */
const DRAIN_DELAY_MS = '3000';

export interface Form {
  readonly name: string;
  readonly start: (env?: Readonly<Record<string, string>>) => Promise<Running>;
}

export const fromSources: Form = {
  name: 'fulmar run',
  start: (env) => launchFile([FULMAR, 'run', 'server.ts'], { cwd: folder, ...(env !== undefined && { env }) }),
};

const built: Form = {
  name: 'a file of fulmar build',
  start: async (env) => {
    const made = await file.build(folder, 'server.ts', INCLUDE);
    return launchFile([made.file], { cwd: '/', env: { FULMAR_BUILD_CACHE: made.cache, ...env } });
  },
};

const native: Form = {
  name: 'an executable',
  start: async (env = {}) => launchProgram((await executable.build(folder, 'server.ts', INCLUDE)).file, [], { cwd: '/', env }),
};

export const forms: readonly Form[] = [fromSources, built, native];
export const SLOW_END = { DRAIN_DELAY_MS };
