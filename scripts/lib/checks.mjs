/**
 * The static checks, each a name and what it runs. All run even when one fails; the first to fix is usually
 * the formatter.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { nativeCrates, nativeProfile } from './quickjs.mjs';
import { capture, root } from './run.mjs';

const bin = (name) => join(root, 'node_modules', '.bin', name);
const nodeTool = (name, ...args) => ({ command: process.execPath, args: [bin(name), ...args] });

/** Folders with a `tsconfig.json` of their own. */
const typescriptProjects = [
  'packages/fulmar',
  'packages/quickjs-node',
  'packages/cli',
  'packages/compiler',
  'packages/client',
  'packages/build',
  ...['generate', ...['app', 'controllers', 'express', 'koa', 'one-server', 'routes', 'rpc'].map((name) => `projects/${name}`)].map(
    (name) => `packages/fulmar/templates/${name}`,
  ),
  'examples/one-server',
  'examples/rpc-app',
  'examples/controllers-app',
  'examples/routes-app',
  'examples/polyglot-app',
  'tests',
  'bench',
];

export function checks() {
  const types = typescriptProjects.filter((folder) => existsSync(join(root, folder, 'tsconfig.json')));
  return [
    { name: 'cargo fmt', command: 'cargo', args: ['fmt', '--all', '--check'] },
    clippy('cargo clippy', ['--workspace', ...nativeCrates.flatMap((crate) => ['--exclude', crate])]),
    // In the profile it is built with: what its dependencies compile for themselves (QuickJS above all) is
    // there already.
    clippy('cargo clippy native', [...nativeCrates.flatMap((crate) => ['-p', crate]), '--profile', nativeProfile]),
    { name: 'oxfmt', ...nodeTool('oxfmt', '--check', '.') },
    { name: 'oxlint', ...nodeTool('oxlint', '--type-aware', '--deny-warnings', '.') },
    ...types.map((folder) => ({ name: `tsc ${folder}`, ...nodeTool('tsc', '--noEmit', '-p', folder) })),
  ];
}

function clippy(name, args) {
  return { name, command: 'cargo', args: ['clippy', ...args, '--all-targets', '--quiet', '--', '-D', 'warnings'] };
}

/** Runs one check; resolves to `{ ok, output }`. */
export async function runCheck({ command, args }) {
  const { code, output } = await capture(command, args);
  return { ok: code === 0, output };
}
