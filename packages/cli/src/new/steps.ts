/**
 * What follows when the files of a project are there, each by a program of its own: Git, the package manager.
 */
import { spawn, spawnSync } from 'node:child_process';
import { tell } from '../../../fulmar/src/launch/terminal/tell.ts';
import { CommandError } from '../errors.ts';
import type { Manager } from './managers.ts';

/** Begins a repository, unless the folder is in one; where there is no Git, a line says so. */
export function beginRepository(folder: string): void {
  const git = (...words: string[]) => spawnSync('git', words, { cwd: folder, encoding: 'utf8' });
  if (git('rev-parse', '--is-inside-work-tree').status === 0) return;
  const { status, stderr, error } = git('init', '--quiet');
  if (status !== 0) tell(`no repository was begun: ${error?.message ?? stderr.trim()}`);
}

/** Rejects with a `CommandError` where the packages could not be installed; the project stays. */
export async function installPackages(folder: string, manager: Manager): Promise<void> {
  const child = spawn(manager, ['install'], { cwd: folder, stdio: 'inherit', env: withoutOurs(process.env) });
  const problem = await new Promise<string | undefined>((resolve) => {
    child.once('error', ({ message }) => resolve(`${manager} does not start: ${message}`));
    child.once('exit', (code, signal) => resolve(code === 0 ? undefined : `${manager} install ended with ${signal ?? code}`));
  });
  if (problem === undefined) return;
  throw new CommandError(
    'FULMAR_CLI_NEW_INSTALL',
    `the project is there, without its packages: ${problem}. Try again in its folder: ${manager} install`,
  );
}

/** Of the package manager that runs this command: it would look for the project that it was started in. */
function withoutOurs(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^(?:npm_(?!config_)|INIT_CWD$|npm_config_local_prefix$)/.test(name)));
}
