/**
 * The command line: `fulmar run`, `fulmar build`, `fulmar bench`, `fulmar doctor` and their help. Bundled into one file, `dist/cli.cjs`, that `bin/fulmar.cjs` loads.
 *
 * The same file is what the loader thread of old Nodes loads (`initialize`, `resolve`, `load`). Never imported by an application.
 */
import { type Command, type HelpTopic, parseArguments } from './arguments.ts';
import { CliError, describeUncaught } from './errors.ts';
import { benchHelp, generalHelp, runHelp } from './help.ts';
import { tell } from './tell.ts';
import { run } from './run.ts';
import { readVersion } from './version.ts';

export { initialize, load, resolve } from './hooks-legacy.ts';
export { preload } from './run.ts';

/** Does what the arguments say. Errors of the command line are told in a line, with exit code 1. */
export function main(argv: readonly string[], binFile: string): void {
  const start = prepare(argv, binFile);
  // Outside of any `try`: what the application throws is shown by Node as its own.
  start?.();
}

function prepare(argv: readonly string[], binFile: string): (() => void) | undefined {
  try {
    return dispatch(parseArguments(argv), binFile);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    tell(error.message);
    process.exitCode = 1;
    return undefined;
  }
}

function dispatch(command: Command, binFile: string): (() => void) | undefined {
  switch (command.kind) {
    case 'run':
      return run(command, binFile, {
        startNative: () => void settle(async () => (await import('./build/index.ts')).runNative(command, binFile)),
        startAgain: () => void settle(async () => (await import('./processes.ts')).startAgain(command, binFile)),
        runWorkers: () => void settle(async () => (await import('./processes.ts')).runWorkers(command, binFile)),
      });
    case 'build':
    case 'bench':
    case 'doctor':
      return () => void loadAndRun(command.kind, command.argv, binFile);
    case 'help':
      if (command.topic === 'doctor' || command.topic === 'build') {
        const { topic } = command;
        return () => void loadAndRun(topic, ['--help'], binFile);
      }
      process.stdout.write(helpOn(command.topic));
      return undefined;
    case 'version':
      process.stdout.write(`${readVersion(binFile)}\n`);
      return undefined;
  }
}

function helpOn(topic: Exclude<HelpTopic, 'build' | 'doctor'> | undefined): string {
  if (topic === undefined) return generalHelp;
  return topic === 'run' ? runHelp : benchHelp;
}

/** Loads what only this command needs. */
function loadAndRun(kind: 'build' | 'bench' | 'doctor', argv: readonly string[], binFile: string): Promise<void> {
  return settle(async () => {
    process.exitCode = await (await loadCommand(kind))(argv, binFile);
  });
}

/** Errors of the command line are told in a line, with exit code 1. */
async function settle(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // By its code: the class is there twice, once in each bundle.
    tell(describeUncaught(error) ?? String((error as Error).stack));
    process.exitCode = 1;
  }
}

async function loadCommand(kind: 'build' | 'bench' | 'doctor'): Promise<(argv: readonly string[], binFile: string) => Promise<number>> {
  if (kind === 'build') return (await import('./build/index.ts')).build;
  return kind === 'bench' ? (await import('./bench/index.ts')).bench : (await import('./doctor/index.ts')).doctor;
}
