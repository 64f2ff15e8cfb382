/**
 * `spawnSync` and what is made of it: waits until the program has ended.
 */
import { errnoException, type SystemError } from '../shared/errno.ts';
import { invalidArgType } from '../shared/errors.ts';
import { OUTPUT_MAX } from './exec.ts';
import { type Command, killSignalOf, maxBufferOf, requestOf, signalName, type SpawnOptions, timeoutOf } from './options.ts';
import { childOps } from './process.ts';
import { bytesInView } from '../shared/validators.ts';

type Output = string | Buffer | null;

export interface SpawnSyncResult {
  pid: number;
  output: Output[] | null;
  stdout: Output;
  stderr: Output;
  status: number | null;
  signal: NodeJS.Signals | null;
  error?: SystemError & { path?: string; spawnargs?: readonly string[] };
}

function inputOf(input: unknown): Uint8Array | undefined {
  if (input === undefined || input === null) return undefined;
  if (typeof input === 'string') return Buffer.from(input);
  if (ArrayBuffer.isView(input)) return bytesInView(input);
  throw invalidArgType('options.stdio[0]', ['Buffer', 'TypedArray', 'DataView', 'string'], input);
}

function failure(errno: number, command: Command): NonNullable<SpawnSyncResult['error']> {
  const error = errnoException(errno, `spawnSync ${command.file}`);
  return Object.assign(error, { path: command.file, spawnargs: command.spawnargs.slice(1) });
}

export function runSync(command: Command): SpawnSyncResult {
  const { options } = command;
  const request = {
    ...requestOf(command),
    timeout: timeoutOf(options.timeout),
    maxBuffer: maxBufferOf(options.maxBuffer, OUTPUT_MAX),
    killSignal: killSignalOf(options.killSignal),
  };
  const [first, code = 0, signal = 0, cut = 0, ...outputs] = childOps().run(request, inputOf(options.input));
  if (first < 0) return { error: failure(first, command), status: null, signal: null, output: null, pid: 0, stdout: null, stderr: null };
  const output = outputs.map((bytes) => (bytes === null ? null : decoded(Buffer.from(bytes as ArrayBuffer), options)));
  const result: SpawnSyncResult = {
    status: signal === 0 ? (code as number) : null,
    signal: signal === 0 ? null : signalName(signal as number),
    output,
    pid: first,
    stdout: output[1] ?? null,
    stderr: output[2] ?? null,
  };
  if ((cut as number) < 0) {
    return { error: failure(cut as number, command), ...result };
  }
  return result;
}

function decoded(bytes: Buffer, { encoding }: SpawnOptions): Output {
  return encoding && encoding !== 'buffer' ? bytes.toString(encoding) : bytes;
}

/** The output of a program that must succeed. */
export function outputOf(command: Command, line: string, inheritErrors: boolean): Output {
  const result = runSync(command);
  if (inheritErrors && result.stderr !== null) process.stderr.write(result.stderr);
  const failed = errorOf(result, command, line);
  if (failed !== undefined) throw failed;
  return result.stdout;
}

function errorOf(result: SpawnSyncResult, command: Command, line: string): Error | undefined {
  if (result.error !== undefined) return Object.assign(result.error, result);
  if (result.status === 0) return undefined;
  let message = `Command failed: ${line === '' ? command.spawnargs.join(' ') : line}`;
  if (result.stderr !== null && result.stderr.length > 0) message += `\n${result.stderr.toString()}`;
  return Object.assign(new Error(message), result);
}
