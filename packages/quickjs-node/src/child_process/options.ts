/**
 * The arguments of `node:child_process`'s functions as Node checks them, and what the host takes.
 */
import type { ChildRequest } from 'fulmar:ops';
import { coded, invalidArgType, invalidArgValue, outOfRange, unsupported } from '../shared/errors.ts';
import { signals } from '../os/constants.ts';
import { validateAbortSignal, validateBoolean, validateInt32, validateObject, validateString } from '../shared/validators.ts';

export interface SpawnOptions {
  readonly cwd?: string | URL;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly argv0?: string;
  readonly stdio?: unknown;
  readonly detached?: boolean;
  readonly uid?: number;
  readonly gid?: number;
  readonly shell?: boolean | string;
  readonly signal?: AbortSignal;
  readonly timeout?: number;
  readonly killSignal?: string | number;
  readonly input?: string | ArrayBufferView;
  readonly maxBuffer?: number;
  readonly encoding?: BufferEncoding | 'buffer' | null;
  readonly serialization?: string;
  readonly windowsHide?: boolean;
  readonly [name: string]: unknown;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: SpawnOptions;
  /** As they were given, `argv[0]` first. */
  readonly spawnargs: readonly string[];
}

function withoutNull(value: unknown, name: string): void {
  if (typeof value === 'string' && value.includes('\0')) throw invalidArgValue(name, value, 'must be a string without null bytes');
}

function textOfPath(path: unknown, name: string): string | undefined {
  if (path === undefined || path === null) return undefined;
  if (typeof path === 'string') return path;
  if (path instanceof Uint8Array) return Buffer.from(path).toString();
  if (typeof path === 'object' && 'href' in path) return process.getBuiltinModule('node:url').fileURLToPath(path as URL);
  throw invalidArgType(name, ['string', 'Buffer', 'URL'], path);
}

function checkIds(options: SpawnOptions): void {
  if (options.uid !== undefined && options.uid !== null) validateInt32(options.uid, 'options.uid');
  if (options.gid !== undefined && options.gid !== null) validateInt32(options.gid, 'options.gid');
}

/** `(file)`, `(file, args)`, `(file, options)`, `(file, args, options)` */
export function commandOf(file: unknown, second: unknown, third: unknown): Command {
  validateString(file, 'file');
  withoutNull(file, 'file');
  if (file.length === 0) throw invalidArgValue('file', file, 'cannot be empty');
  let args: readonly unknown[] = [];
  let options = third as SpawnOptions | undefined;
  if (Array.isArray(second)) args = second;
  else if (second !== undefined && second !== null) {
    if (typeof second !== 'object') throw invalidArgType('args', 'object', second);
    options = second as SpawnOptions;
  }
  for (const [index, arg] of args.entries()) withoutNull(arg, `args[${index}]`);
  if (options === undefined) options = {};
  else validateObject(options, 'options');
  checkOptions(options);
  const all = [options.argv0 ?? file, ...args.map(String)];
  if (!options.shell) return { file, args: args.map(String), options, spawnargs: all };
  const line = [file, ...args.map(String)].join(' ');
  const shell = typeof options.shell === 'string' ? options.shell : '/bin/sh';
  const shellArgs = ['-c', line];
  return { file: shell, args: shellArgs, options, spawnargs: [options.argv0 ?? shell, ...shellArgs] };
}

function checkOptions(options: SpawnOptions): void {
  if (options.detached !== undefined && options.detached !== null) validateBoolean(options.detached, 'options.detached');
  checkIds(options);
  const { shell, argv0 } = options;
  if (shell !== undefined && shell !== null && typeof shell !== 'boolean' && typeof shell !== 'string') {
    throw invalidArgType('options.shell', ['boolean', 'string'], shell);
  }
  if (argv0 !== undefined && argv0 !== null) validateString(argv0, 'options.argv0');
  withoutNull(argv0, 'options.argv0');
  if (options.signal !== undefined) validateAbortSignal(options.signal, 'options.signal');
}

/** Milliseconds; 0 for none. */
export function timeoutOf(timeout: unknown): number {
  if (timeout === undefined || timeout === null) return 0;
  if (!Number.isInteger(timeout) || (timeout as number) < 0) throw outOfRange('timeout', 'an unsigned integer', timeout);
  return timeout as number;
}

export function maxBufferOf(maximum: unknown, fallback: number): number {
  if (maximum === undefined || maximum === null) return fallback;
  if (typeof maximum !== 'number' || maximum < 0) throw outOfRange('options.maxBuffer', 'a positive number', maximum);
  return maximum;
}

export function signalNumber(signal: unknown): number {
  if (typeof signal === 'number' && Object.values(signals).includes(signal)) return signal;
  if (typeof signal === 'string') {
    const number = signals[signal] ?? signals[signal.toUpperCase()];
    if (number !== undefined) return number;
  }
  throw coded(TypeError, 'ERR_UNKNOWN_SIGNAL', `Unknown signal: ${String(signal)}`);
}

export function killSignalOf(signal: unknown, name = 'options.killSignal'): number {
  if (signal === undefined || signal === null) return signals['SIGTERM'] as number;
  if (typeof signal !== 'string' && typeof signal !== 'number') throw invalidArgType(name, ['string', 'number'], signal);
  return signalNumber(signal);
}

export function signalName(number: number): NodeJS.Signals | null {
  return (Object.keys(signals).find((name) => signals[name] === number) as NodeJS.Signals | undefined) ?? null;
}

const [IGNORE, PIPE] = [-1, -2];

function place(value: unknown, index: number): number {
  if (value === undefined || value === null) return index < 3 ? PIPE : IGNORE;
  if (value === 'ignore') return IGNORE;
  if (value === 'pipe' || value === 'overlapped') return PIPE;
  if (value === 'inherit') return index;
  if (value === 'ipc') throw unsupported("An 'ipc' channel to a child process", 'use pipes, or a socket of the application');
  if (typeof value === 'number') return value;
  const fd = (value as { fd?: unknown; _handle?: { fd?: unknown } }).fd ?? (value as { _handle?: { fd?: unknown } })._handle?.fd;
  if (typeof fd === 'number' && fd >= 0) return fd;
  throw invalidArgValue('stdio', value);
}

/** What each of the child's descriptors is: -1 nothing, -2 a pipe, else the parent's descriptor. */
function placesOf(stdio: unknown): number[] {
  if (typeof stdio === 'string') {
    if (!['ignore', 'overlapped', 'pipe', 'inherit'].includes(stdio)) throw invalidArgValue('stdio', stdio);
    return [0, 1, 2].map((index) => place(stdio, index));
  }
  if (stdio === undefined || stdio === null) return [PIPE, PIPE, PIPE];
  if (!Array.isArray(stdio)) throw invalidArgValue('stdio', stdio);
  const whole = [...(stdio as unknown[])];
  while (whole.length < 3) whole.push(undefined);
  return whole.map(place);
}

export function requestOf(command: Command): ChildRequest {
  const { options } = command;
  const env = options.env ?? process.env;
  const pairs: string[] = [];
  for (const name of Object.keys(env)) {
    const value = env[name];
    if (value === undefined) continue;
    withoutNull(name, 'options.env');
    withoutNull(value, `options.env['${name}']`);
    pairs.push(name, String(value));
  }
  const cwd = textOfPath(options.cwd, 'options.cwd');
  withoutNull(cwd, 'options.cwd');
  return {
    file: command.file,
    args: [...command.args],
    argv0: options.argv0 ?? undefined,
    cwd,
    env: pairs,
    stdio: placesOf(options.stdio),
    uid: options.uid ?? undefined,
    gid: options.gid ?? undefined,
    detached: options.detached === true,
  };
}
