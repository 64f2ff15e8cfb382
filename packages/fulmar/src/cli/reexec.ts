/**
 * Starts this program again where options of Node itself are asked for: they only count when a process begins.
 *
 * Replaces the process where Node can (no second process stays behind), else runs a child and hands signals and exit code through.
 */
import type { RunOptions } from './arguments.ts';

/** The command line that means `options` without those of Node and without `--watch`. */
export function toArguments(options: RunOptions): string[] {
  return [
    'run',
    ...(options.alias ? [] : ['--no-alias']),
    ...(options.workers === undefined ? [] : ['--workers', String(options.workers)]),
    ...options.envFiles.flatMap((file) => ['--env-file', file]),
    ...(options.verbose ? ['--verbose'] : []),
    '--drain-timeout',
    String(options.drainTimeoutMs / 1_000),
    '--',
    options.file,
    ...options.args,
  ];
}

export function startAgain(options: RunOptions, binFile: string): void {
  const flags = options.watch ? ['--watch', ...options.nodeFlags] : options.nodeFlags;
  const argv = [...process.execArgv, ...flags, binFile, ...toArguments(options)];
  const { execve } = process as { execve?: (file: string, argv: string[], env: NodeJS.ProcessEnv) => never };
  if (execve !== undefined && process.platform !== 'win32') {
    // Node calls it experimental, on standard error, with each use.
    process.removeAllListeners('warning');
    execve.call(process, process.execPath, [process.execPath, ...argv], process.env);
  }
  runChild(argv);
}

function runChild(argv: string[]): void {
  const { spawn } = process.getBuiltinModule('node:child_process');
  const child = spawn(process.execPath, argv, { stdio: 'inherit' });
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  const { isatty } = process.getBuiltinModule('node:tty');
  // A terminal sends SIGINT to the child as well, and a second one would end it at once; a supervisor sends it here alone.
  const isAtTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  process.on('SIGINT', (signal) => {
    if (!isAtTerminal) forward(signal);
  });
  for (const signal of ['SIGTERM', 'SIGHUP'] as const) process.on(signal, forward);
  child.once('error', (error) => {
    throw error;
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
