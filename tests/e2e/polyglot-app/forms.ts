/**
 * The example of three languages: set up as a user does, and started from its sources, as a built file.
 * Says why where what it needs is not to be had.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pythonOfTests } from '../../../scripts/lib/python-packages.mjs';
import { file } from '../build/support.ts';
import { FULMAR, launchFile, type Running } from '../support/launch.ts';

const folder = fileURLToPath(new URL('../../../examples/polyglot-app', import.meta.url));
/** 250 MB, where the packages of tests are not installed. */
const SET_UP_MS_MAX = 400_000;
/** What the set-up says where something is missing; anything else it says is a fault of its own. */
const MISSING = /^missing: |^on Debian: |^\S+ .* failed:|has no scikit-learn/;

export interface Form {
  readonly name: string;
  readonly start: () => Promise<Running>;
}

const packages = pythonOfTests();
const chosen = packages === undefined ? {} : { FULMAR_PYTHON: packages };

/** @returns false, or why nothing here can be run */
export function setUp(): string | false {
  const env = { ...process.env, ...chosen, NODE_OPTIONS: '' };
  const { status, stderr, error } = spawnSync(process.execPath, ['setup.mjs'], {
    cwd: folder,
    env,
    encoding: 'utf8',
    timeout: SET_UP_MS_MAX,
  });
  if (status === 0) return false;
  const said = error?.message ?? stderr.trim();
  if (error === undefined && !MISSING.test(said)) throw new Error(`the set-up of the example fails: ${said}`);
  return said;
}

/** From another folder nobody finds the `.venv` of the example. */
const elsewhere = (): NodeJS.ProcessEnv => ({ FULMAR_PYTHON: packages ?? join(folder, '.venv', 'bin', 'python') });

export const fromSources: Form = {
  name: 'fulmar run',
  start: () => launchFile([FULMAR, 'run', 'server.ts'], { cwd: folder, env: chosen }),
};

const built: Form = {
  name: 'a file of fulmar build',
  start: async () => {
    const made = await file.build(folder, 'server.ts', ['--include', 'data', '--include', 'lib']);
    return launchFile([made.file], { cwd: '/', env: { FULMAR_BUILD_CACHE: made.cache, ...elsewhere() } });
  },
};

export const forms: readonly Form[] = [fromSources, built];
