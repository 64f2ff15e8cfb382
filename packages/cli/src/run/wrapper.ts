/**
 * The two processes of a program that could not be replaced by `execve`: the wrapper that was started, and
 * the child that is the program.
 *
 * Signals and exit code go through the wrapper, and the child does not outlive it, however it ends: the child
 * holds one end of a pipe whose other end closes with the wrapper.
 */
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { WRAPPER_VARIABLE } from '../../../fulmar/src/launch/lifecycle/wrapped.ts';

/** What somebody may send to the process that they started; SIGINT has its own rule. */
const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGQUIT', 'SIGCONT'] as const;

interface ChildOptions {
  /** It has a channel to this process too. */
  readonly channel: boolean;
  /** It is Node's watcher, and the program a process below that, which inherits no descriptors. */
  readonly isWatcher: boolean;
}

export function spawnChild(file: string, argv: readonly string[], { channel, isWatcher }: ChildOptions): ChildProcess {
  const stdio: StdioOptions = [
    'inherit',
    'inherit',
    'inherit',
    ...(channel ? (['ipc'] as const) : []),
    ...(isWatcher ? [] : ['pipe' as const]),
  ];
  const { spawn } = process.getBuiltinModule('node:child_process');
  const value = isWatcher ? `pid ${process.pid}` : `descriptor ${stdio.length - 1}`;
  return spawn(file, argv, { stdio, env: { ...process.env, [WRAPPER_VARIABLE]: value } });
}

/** Hands signals to `child`, and ends as it ends. */
export function followChild(child: ChildProcess): void {
  const forward = (signal: NodeJS.Signals): void => void child.kill(signal);
  const { isatty } = process.getBuiltinModule('node:tty');
  // A terminal sends SIGINT to the child as well, and a second one would end it at once; a supervisor sends
  // it here alone.
  const isAtTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor));
  process.on('SIGINT', (signal) => {
    if (!isAtTerminal) forward(signal);
  });
  for (const signal of FORWARDED) process.on(signal, forward);
  child.once('error', (error) => {
    throw error;
  });
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // A process that ends by a signal emits no `exit` of its own.
    process.emit('exit', 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
