/**
 * `ChildProcess`: a running program.
 */
import ops from 'fulmar:ops';
import { EventEmitter } from 'node:events';
import net, { type Socket } from 'node:net';
import { errnoException } from '../shared/errno.ts';
import { AbortError } from '../shared/errors.ts';
import { validateObject, validateString } from '../shared/validators.ts';
import { type Command, requestOf, signalName, signalNumber } from './options.ts';

type Children = ReturnType<typeof ops.children>;

let children: Children | undefined;

export function childOps(): Children {
  return (children ??= ops.children());
}

const [ESRCH, EPERM, ENOENT] = [-3, -1, -2];

export class ChildProcess extends EventEmitter {
  pid: number | undefined;
  stdin: Socket | null = null;
  stdout: Socket | null = null;
  stderr: Socket | null = null;
  stdio: (Socket | null)[] = [];
  killed = false;
  exitCode: number | null = null;
  signalCode: NodeJS.Signals | null = null;
  spawnfile: string | null = null;
  spawnargs: readonly string[] = [];
  connected = false;
  /** Ends still awaited before `close`: of the program and of its pipes. */
  #awaited = 1;

  /** Starts a program, as `child_process.spawn` does. */
  spawn(options: { file: string; args?: string[]; [name: string]: unknown }): number {
    validateObject(options, 'options');
    validateString(options.file, 'options.file');
    const args = options.args ?? [options.file];
    return this.start({ file: options.file, args: args.slice(1), options, spawnargs: args });
  }

  start(command: Command): number {
    const request = requestOf(command);
    this.spawnfile = command.file;
    this.spawnargs = command.spawnargs;
    const [first = ENOENT, ...ends] = childOps().spawn(request, (code, signal) => this.#exited(code, signal));
    this.stdio = request.stdio.map((place, index) => this.#connect(place, index, ends[index] ?? -1, first < 0));
    [this.stdin = null, this.stdout = null, this.stderr = null] = this.stdio;
    if (first < 0) {
      this.#failed(first, command);
      return first;
    }
    this.pid = first;
    process.nextTick(() => this.emit('spawn'));
    return 0;
  }

  #connect(place: number, index: number, fd: number, failed: boolean): Socket | null {
    if (place !== -2) return null;
    const readable = index !== 0;
    const socket = failed ? new net.Socket() : new net.Socket({ fd, readable, writable: index === 0 || index > 2 });
    if (failed) {
      socket.destroy();
      return socket;
    }
    if (readable) {
      this.#awaited++;
      socket.on('close', () => this.#ended());
    }
    return socket;
  }

  #failed(errno: number, command: Command): void {
    const error = Object.assign(errnoException(errno, `spawn ${command.file}`), {
      path: command.file,
      spawnargs: command.spawnargs.slice(1),
    });
    this.exitCode = errno;
    process.nextTick(() => {
      this.emit('error', error);
      this.#ended();
    });
  }

  #exited(code: number, signal: number): void {
    if (signal !== 0) this.signalCode = signalName(signal);
    else this.exitCode = code;
    this.stdin?.destroy();
    this.emit('exit', this.exitCode, this.signalCode);
    // What nobody reads is read, so that the pipe's end is seen.
    for (const stream of this.stdio) {
      if (stream !== null && stream.readable && stream.readableFlowing === null && stream.listenerCount('readable') === 0) stream.resume();
    }
    this.#ended();
  }

  #ended(): void {
    this.#awaited--;
    if (this.#awaited === 0) this.emit('close', this.exitCode, this.signalCode);
  }

  kill(signal: NodeJS.Signals | number = 'SIGTERM'): boolean {
    const number = signal === 0 ? 0 : signalNumber(signal);
    if (this.pid === undefined || this.exitCode !== null || this.signalCode !== null) return false;
    const errno = ops.kill(this.pid, number);
    if (errno === 0) {
      this.killed = true;
      return true;
    }
    if (errno !== ESRCH && errno !== EPERM) this.emit('error', errnoException(errno, 'kill'));
    return false;
  }

  [Symbol.dispose](): void {
    if (!this.killed) this.kill();
  }

  ref(): void {
    if (this.pid !== undefined) childOps().reference(this.pid, true);
  }

  unref(): void {
    if (this.pid !== undefined) childOps().reference(this.pid, false);
  }
}

/** Ends the child when the signal says so. */
export function obeyAbort(child: ChildProcess, signal: AbortSignal, killSignal: number): void {
  const abort = (): void => {
    if (child.kill(killSignal)) child.emit('error', new AbortError(undefined, { cause: signal.reason }));
  };
  if (signal.aborted) {
    process.nextTick(abort);
    return;
  }
  signal.addEventListener('abort', abort, { once: true });
  child.once('exit', () => signal.removeEventListener('abort', abort));
}
