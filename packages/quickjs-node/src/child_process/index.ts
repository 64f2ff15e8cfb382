/**
 * `node:child_process`. `fork` is not available: an executable has no second program to start.
 */
import type * as NodeChildProcess from 'node:child_process';
import { outputOf, runSync, type SpawnSyncResult } from './blocking.ts';
import { collect, type ExecCallback } from './exec.ts';
import { type Command, commandOf, killSignalOf, type SpawnOptions, timeoutOf } from './options.ts';
import { ChildProcess, obeyAbort } from './process.ts';
import { unsupported } from '../shared/errors.ts';
import { validateString } from '../shared/validators.ts';

const promisified = Symbol.for('nodejs.util.promisify.custom');

function started(command: Command): ChildProcess {
  const { signal, killSignal, timeout } = command.options;
  const milliseconds = timeoutOf(timeout);
  const number = killSignalOf(killSignal);
  const child = new ChildProcess();
  child.start(command);
  if (milliseconds > 0) {
    const timer = setTimeout(() => child.kill(number), milliseconds);
    child.once('exit', () => clearTimeout(timer));
  }
  if (signal !== undefined) obeyAbort(child, signal, number);
  return child;
}

function spawn(file: unknown, args?: unknown, options?: unknown): ChildProcess {
  return started(commandOf(file, args, options));
}

interface Execution {
  readonly command: Command;
  readonly callback: unknown;
  readonly line: string;
}

/** `(file, args?, options?, callback?)` */
function fileExecution(file: unknown, rest: unknown[]): Execution {
  const [args, options, callback] = sorted(rest);
  const own: SpawnOptions = { encoding: 'utf8', ...(options as SpawnOptions), timeout: timeoutOf((options as SpawnOptions)?.timeout) };
  const command = commandOf(file, args, own);
  return { command, callback, line: [file, ...command.spawnargs.slice(1)].join(' ') };
}

function sorted(rest: unknown[]): [args: unknown, options: unknown, callback: unknown] {
  const left = [...rest];
  const args = Array.isArray(left[0])
    ? left.shift()
    : typeof left[0] === 'object' || typeof left[0] === 'function'
      ? undefined
      : left.shift();
  const options = typeof left[0] === 'function' ? undefined : left.shift();
  return [args ?? [], options ?? {}, left[0]];
}

function execFile(file: unknown, ...rest: unknown[]): ChildProcess {
  const { command, callback, line } = fileExecution(file, rest);
  // The execution's own timer tells a timeout from a signal.
  const child = started({ ...command, options: { ...command.options, timeout: 0 } });
  collect(child, command.options, line, callback);
  return child;
}

/** `(command, options?, callback?)` */
function exec(command: unknown, given?: unknown, last?: unknown): ChildProcess {
  validateString(command, 'command');
  const options = (typeof given === 'function' ? undefined : given) as SpawnOptions | undefined;
  const callback = typeof given === 'function' ? given : last;
  const own = { encoding: 'utf8', ...options, shell: options?.shell ?? true } as SpawnOptions;
  const parsed = commandOf(command, [], own);
  const child = started({ ...parsed, options: { ...parsed.options, timeout: 0 } });
  collect(child, own, command, callback);
  return child;
}

/** With `util.promisify` they give `{ stdout, stderr }`; the promise has the child. */
function promising(start: (...args: unknown[]) => ChildProcess) {
  return (...args: unknown[]): Promise<unknown> => {
    let child: ChildProcess | undefined;
    const promise = new Promise((resolve, reject) => {
      const done: ExecCallback = (error, stdout, stderr) => {
        if (error === null) resolve({ stdout, stderr });
        else reject(Object.assign(error, { stdout, stderr }));
      };
      child = start(...args, done);
    });
    return Object.assign(promise, { child });
  };
}
Object.defineProperty(exec, promisified, { value: promising(exec as never), enumerable: false });
Object.defineProperty(execFile, promisified, { value: promising(execFile as never), enumerable: false });

function spawnSync(file: unknown, args?: unknown, options?: unknown): SpawnSyncResult {
  return runSync(commandOf(file, args, options));
}

function inheritsErrors(options: SpawnOptions | undefined): boolean {
  return options?.stdio === undefined || options.stdio === null;
}

function execFileSync(file: unknown, ...rest: unknown[]): unknown {
  const [args, options] = sorted(rest);
  return outputOf(commandOf(file, args, options), '', inheritsErrors(options as SpawnOptions));
}

function execSync(command: unknown, options?: SpawnOptions): unknown {
  validateString(command, 'command');
  const parsed = commandOf(command, [], { ...options, shell: options?.shell ?? true });
  return outputOf(parsed, command, inheritsErrors(options));
}

function fork(): never {
  throw unsupported('child_process.fork', 'use spawn with process.execPath, or start another instance from outside');
}

export default {
  _forkChild: fork,
  ChildProcess,
  exec,
  execFile,
  execFileSync,
  execSync,
  fork,
  spawn,
  spawnSync,
} as unknown as typeof NodeChildProcess;
