/**
 * `fulmar dev`: runs an application in this process and loads what changes while it runs.
 *
 * Loaded when the command is used, never on the way to an application's start.
 */
import { loadEnvFile } from '../env-files.ts';
import { printHelp } from '../help-text.ts';
import { findTarget } from '../target.ts';
import { parseDevArguments } from './arguments.ts';
import { devHelp } from './help.ts';
import { Session } from './session.ts';

/** Resolves when the application has run for the first time; the process goes on. */
export async function dev(argv: readonly string[], binFile: string): Promise<number> {
  const options = parseDevArguments(argv);
  if (options === 'help') {
    printHelp(devHelp);
    return 0;
  }
  const target = findTarget(options.file, { name: 'dev', doing: 'developing' });
  for (const file of options.envFiles) loadEnvFile(file);
  await new Session(options, target, binFile).start();
  return 0;
}
