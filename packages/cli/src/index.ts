/**
 * The command line: `fulmar run`, and the way to what only other commands need. Bundled into one file,
 * `dist/cli.cjs`, that `bin/fulmar.cjs` loads.
 *
 * The same file is what the loader thread of old Nodes loads (`initialize`, `resolve`, `load`). Never
 * imported by an application.
 */
import { statSync } from 'node:fs';
import { type Command, type PartCommand, parseArguments, type RunOptions, type UnnamedRun } from './arguments.ts';
import { CliError, describeUncaught } from '../../fulmar/src/launch/errors.ts';
import { exitCodeOf } from './errors.ts';
import { tell } from '../../fulmar/src/launch/terminal/tell.ts';
import { run } from './run/run.ts';
import { readVersion } from '../../fulmar/src/launch/installed/version.ts';

export { initialize, load, resolve } from '../../fulmar/src/launch/modules/hooks-legacy.ts';

type Start = (() => void) | undefined;

/**
 * Does what the arguments say. Errors of the command line are told in a line, with exit code 1, or 2 where it
 * is not understood.
 */
export function main(argv: readonly string[], binFile: string): void {
  const start = prepare(argv, binFile);
  // Outside of any `try`: what the application throws is shown by Node as its own.
  start?.();
}

function prepare(argv: readonly string[], binFile: string): Start {
  try {
    return dispatch(parseArguments(argv), binFile);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    tell(error.message);
    process.exitCode = exitCodeOf(error);
    return undefined;
  }
}

function dispatch(command: Command, binFile: string): Start {
  switch (command.kind) {
    case 'run':
      return isFolder(command) ? () => void settle(() => runFound(command, binFile)) : runNamed(command, binFile);
    case 'start':
      return () => void settle(() => runBuilt(command.argv, binFile));
    case 'dev':
    case 'build':
    case 'bench':
    case 'doctor':
    case 'routes':
    case 'info':
    case 'new':
    case 'generate':
    case 'polyglot':
      return () => void loadAndRun(command.kind, command.argv, binFile);
    case 'help': {
      const { topic } = command;
      if (topic === undefined || topic === 'run') return () => void settle(async () => (await import('./help/index.ts')).showHelp(topic));
      if (topic === 'start') return () => void settle(() => runBuilt(['--help'], binFile));
      return () => void loadAndRun(topic, ['--help'], binFile);
    }
    case 'version':
      process.stdout.write(`${readVersion(binFile)}\n`);
      return undefined;
  }
}

/** Without a file, or with a folder: what is meant has to be looked for. */
function isFolder(command: RunOptions | UnnamedRun): command is UnnamedRun {
  return (
    command.file === undefined ||
    (!/\.\w+$/.test(command.file) && statSync(command.file, { throwIfNoEntry: false })?.isDirectory() === true)
  );
}

function runNamed(command: RunOptions, binFile: string): () => void {
  return run(command, binFile, {
    startNative: () => void settle(async () => (await import('./build/index.ts')).runNative(command, binFile)),
    startAgain: () => void settle(async () => (await import('./run/processes.ts')).startAgain(command, binFile)),
    runWorkers: () => void settle(async () => (await import('./run/processes.ts')).runWorkers(command, binFile)),
  });
}

async function runFound(command: RunOptions | UnnamedRun, binFile: string): Promise<void> {
  const { findTarget } = await import('./target.ts');
  const { file, name, project, args = [] } = findTarget(command.file, { name: 'run', doing: 'running' });
  // Outside of the promise, for the same reason as in `main`.
  setImmediate(runNamed({ ...command, file: project === undefined ? name : file, args: [...args, ...command.args] }, binFile));
}

async function runBuilt(argv: readonly string[], binFile: string): Promise<void> {
  const command = (await import('./start/index.ts')).prepareStart(argv);
  if (command !== undefined) setImmediate(runNamed(command, binFile));
}

/** Loads what only this command needs. */
function loadAndRun(kind: Exclude<PartCommand, 'start'>, argv: readonly string[], binFile: string): Promise<void> {
  return settle(async () => {
    process.exitCode = await (await loadCommand(kind))(argv, binFile);
  });
}

async function settle(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // By its code: the class is there twice, once in each bundle.
    tell(describeUncaught(error) ?? String((error as Error).stack));
    process.exitCode = exitCodeOf(error);
  }
}

type Part = (argv: readonly string[], binFile: string) => number | Promise<number>;

async function loadCommand(kind: Exclude<PartCommand, 'start'>): Promise<Part> {
  if (kind === 'dev') return (await import('./dev/index.ts')).dev;
  if (kind === 'build') return (await import('./build/index.ts')).build;
  if (kind === 'bench') return (await import('./bench/index.ts')).bench;
  if (kind === 'routes') return (await import('./routes/index.ts')).routes;
  if (kind === 'new') return (await import('./new/index.ts')).create;
  if (kind === 'generate') return (await import('./generate/index.ts')).generate;
  if (kind === 'polyglot') return (await import('./polyglot/index.ts')).polyglot;
  return kind === 'doctor' ? (await import('./doctor/index.ts')).doctor : (await import('./info/index.ts')).info;
}
