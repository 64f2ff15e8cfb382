/** The example of RPC as its user has it: a copy of its folder, built by its own script, and the forms in which its server runs. */
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { executable } from '../build/support.ts';
import { FULMAR, launchFile, launchProgram, type Running } from '../support/launch.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);
const BUILD_MS_MAX = 240_000;

export interface Example {
  readonly folder: string;
  readonly remove: () => void;
}

export function copyExample(): Example {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fulmar-rpc-app-')));
  const filter = (file: string): boolean => !['node_modules', 'dist'].includes(basename(file));
  cpSync(join(root, 'examples', 'rpc-app'), folder, { recursive: true, filter });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Built by `npm run build`. */
export async function buildExample(): Promise<Example> {
  const example = copyExample();
  // The Node under test, also for what npm starts.
  const PATH = [dirname(process.execPath), process.env['PATH']].join(delimiter);
  await run('npm', ['run', 'build'], { cwd: example.folder, timeout: BUILD_MS_MAX, env: { ...process.env, PATH, NODE_OPTIONS: '' } });
  return example;
}

export interface Form {
  readonly name: string;
  readonly start: (example: Example) => Promise<Running>;
}

/** What `npm start` runs. */
export const built: Form = {
  name: 'a file of fulmar build',
  start: ({ folder }) => launchFile(['dist/server.mjs'], { cwd: folder, env: { FULMAR_BUILD_CACHE: join(folder, 'cache') } }),
};

export const forms: readonly Form[] = [
  { name: 'fulmar run', start: ({ folder }) => launchFile([FULMAR, 'run', 'server/main.ts'], { cwd: folder }) },
  built,
  {
    name: 'an executable',
    start: async ({ folder }) => {
      const { file } = await executable.build(folder, 'server/main.ts', ['--include', 'dist/page']);
      return launchProgram(file, [], { cwd: '/' });
    },
  },
];
