/**
 * Starts this program again where options of Node itself are asked for: they only count when a process
 * begins.
 *
 * Replaces the process where Node can (no second process stays behind), else runs a child and hands signals
 * and exit code through.
 */
import type { ChildProcess, SendHandle, Serializable } from 'node:child_process';
import type { RunOptions } from '../arguments.ts';
import { toPreloadFile } from '../../../fulmar/src/launch/settings.ts';
import { followChild, spawnChild } from './wrapper.ts';

/** The command line that means `options` without those of Node and without `--watch`. */
export function toArguments(options: RunOptions): string[] {
  return [
    'run',
    ...(options.alias ? [] : ['--no-alias']),
    ...(options.native ? ['--native'] : []),
    ...(options.polyglot ? ['--polyglot'] : []),
    ...(options.workers === undefined ? [] : ['--workers', String(options.workers)]),
    ...options.envFiles.flatMap((file) => ['--env-file', file]),
    ...(options.verbose ? ['--verbose'] : []),
    ...(options.drainTimeoutMs === undefined ? [] : ['--drain-timeout', String(options.drainTimeoutMs / 1_000)]),
    '--',
    options.file,
    ...options.args,
  ];
}

/**
 * Node's options for a process that runs `options`: our hooks stand before modules that hook the loader
 * themselves.
 */
export function toExecArguments({ watch, nodeFlags }: RunOptions, binFile: string): string[] {
  const preloads = nodeFlags.some((flag) => /^(?:-r|--require|--import|--(?:experimental-)?loader)(?:=|$)/.test(flag));
  return [...process.execArgv, ...(watch ? ['--watch'] : []), ...(preloads ? ['--require', toPreloadFile(binFile)] : []), ...nodeFlags];
}

export function startAgain(options: RunOptions, binFile: string): void {
  const argv = [...toExecArguments(options, binFile), binFile, ...toArguments(options)];
  const { execve } = process as { execve?: (file: string, argv: string[], env: NodeJS.ProcessEnv) => never };
  // A channel to the parent does not outlive `execve`.
  if (execve !== undefined && process.platform !== 'win32' && process.send === undefined) {
    // Node calls it experimental, on standard error, with each use.
    process.removeAllListeners('warning');
    execve.call(process, process.execPath, [process.execPath, ...argv], process.env);
  }
  runChild(argv, isWatched(options));
}

/** `--watch-path`, an option of Node's, makes Node's watcher as well. */
const isWatched = ({ watch, nodeFlags }: RunOptions): boolean => watch || nodeFlags.some((flag) => /^--watch-path(?:=|$)/.test(flag));

function runChild(argv: string[], isWatcher: boolean): void {
  const isForked = process.send !== undefined;
  const child = spawnChild(process.execPath, argv, { channel: isForked, isWatcher });
  if (isForked) joinChannels(child);
  followChild(child);
}

/** What the parent and the application send each other goes through this process. */
function joinChannels(child: ChildProcess): void {
  process.on('message', (message, handle) => {
    if (child.connected) child.send(message as Serializable, handle as SendHandle);
  });
  child.on('message', (message, handle) => {
    if (process.connected) process.send?.(message as Serializable, handle as SendHandle);
  });
  process.on('disconnect', () => {
    if (child.connected) child.disconnect();
  });
  child.on('disconnect', () => {
    if (process.connected) process.disconnect?.();
  });
}
