/**
 * `exec` and `execFile`: run a program and give what it wrote.
 */
import type { Readable } from 'node:stream';
import { coded } from '../shared/errors.ts';
import { validateFunction } from '../shared/validators.ts';
import { killSignalOf, maxBufferOf, type SpawnOptions, timeoutOf } from './options.ts';
import type { ChildProcess } from './process.ts';

export const OUTPUT_MAX = 1024 * 1024;

type Output = string | Buffer;
export type ExecCallback = (error: Error | null, stdout: Output, stderr: Output) => void;

interface Collected {
  readonly parts: (string | Buffer)[];
  length: number;
}

class Execution {
  readonly #child: ChildProcess;
  readonly #options: SpawnOptions;
  readonly #callback: ExecCallback | undefined;
  readonly #command: string;
  readonly #text: boolean;
  readonly #out: Collected = { parts: [], length: 0 };
  readonly #err: Collected = { parts: [], length: 0 };
  #timer: NodeJS.Timeout | undefined;
  #error: Error | undefined;
  #killed = false;
  #done = false;

  constructor(child: ChildProcess, options: SpawnOptions, command: string, callback: ExecCallback | undefined) {
    this.#child = child;
    this.#options = options;
    this.#callback = callback;
    this.#command = command;
    const { encoding } = options;
    this.#text = typeof encoding === 'string' && Buffer.isEncoding(encoding);
  }

  start(): void {
    const timeout = timeoutOf(this.#options.timeout);
    if (timeout > 0) this.#timer = setTimeout(() => this.#kill(), timeout);
    const maximum = maxBufferOf(this.#options.maxBuffer, OUTPUT_MAX);
    this.#collect(this.#child.stdout, this.#out, 'stdout', maximum);
    this.#collect(this.#child.stderr, this.#err, 'stderr', maximum);
    this.#child.on('close', (code: number | null, signal: NodeJS.Signals | null) => this.#finish(code, signal));
    this.#child.on('error', (error: Error) => {
      this.#error = error;
      this.#child.stdout?.destroy();
      this.#child.stderr?.destroy();
      this.#finish(0, null);
    });
  }

  #collect(stream: Readable | null, into: Collected, name: string, maximum: number): void {
    if (stream === null) return;
    if (this.#text) stream.setEncoding(this.#options.encoding as BufferEncoding);
    stream.on('data', (chunk: string | Buffer) => {
      const length = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length;
      into.length += length;
      if (into.length <= maximum) {
        into.parts.push(chunk);
        return;
      }
      const room = maximum - (into.length - length);
      into.parts.push(chunk.slice(0, room) as string | Buffer);
      this.#error = coded(RangeError, 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER', `${name} maxBuffer length exceeded`);
      this.#kill();
    });
  }

  #kill(): void {
    this.#child.stdout?.destroy();
    this.#child.stderr?.destroy();
    this.#killed = true;
    try {
      this.#child.kill(killSignalOf(this.#options.killSignal));
    } catch (error) {
      this.#error ??= error as Error;
      this.#finish(null, null);
    }
  }

  #finish(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#done) return;
    this.#done = true;
    clearTimeout(this.#timer);
    if (this.#callback === undefined) return;
    const joined = ({ parts }: Collected): Output => (this.#text ? parts.join('') : Buffer.concat(parts as Buffer[]));
    const [stdout, stderr] = [joined(this.#out), joined(this.#err)];
    if (this.#error === undefined && code === 0 && signal === null) {
      this.#callback(null, stdout, stderr);
      return;
    }
    const error = (this.#error ?? this.#failure(code, signal, stderr)) as Error & { cmd?: string };
    error.cmd = this.#command;
    this.#callback(error, stdout, stderr);
  }

  #failure(code: number | null, signal: NodeJS.Signals | null, stderr: Output): Error {
    const error = new Error(`Command failed: ${this.#command}\n${String(stderr)}`);
    return Object.assign(error, { code: code !== null && code < 0 ? code : code, killed: this.#child.killed || this.#killed, signal });
  }
}

/** Collects what `child` writes, and tells `callback` at its end. */
export function collect(child: ChildProcess, options: SpawnOptions, command: string, callback: unknown): void {
  if (callback !== undefined && callback !== null) validateFunction(callback, 'callback');
  new Execution(child, options, command, (callback ?? undefined) as ExecCallback | undefined).start();
}
