/**
 * The application under measurement as a running process: started, found where it listens, looked at,
 * stopped.
 *
 * Its output goes to a file: a pipe would have to be read while requests are measured.
 */
import type { ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../errors.ts';
import { endTree, launch, temporaryFolder } from './children.ts';
import { OTHER_PORT_GRACE_MS, OUTPUT_BYTES_MAX, OUTPUT_LINES, PROC_POLL_MS } from './limits.ts';
import { type ProcessEntry, treeOf } from './processes.ts';
import type { Origin } from './request.ts';
import { type Listener, listenersOf } from './sockets.ts';

export interface Ports {
  /** Given to the application as `PORT`. */
  readonly offered: number;
  /** Where it is said to listen, or listened before; else it is the offered one. */
  readonly expected: number;
  /**
   * Whether one that it listens on instead is taken, when it is the only one; `at once` for an application
   * that has listened on several in turn.
   */
  readonly others: 'never' | 'after a while' | 'at once';
}

export interface StartOptions {
  /** With `taskset` in front where it is pinned. */
  readonly command: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly ports: Ports;
  readonly timeoutMs: number;
  /** For messages: `stock Node`, `Fulmar`. */
  readonly title: string;
}

export class Application {
  readonly #child: ChildProcess;
  readonly #log: number;
  readonly #options: StartOptions;
  readonly #logFile: string;

  constructor(options: StartOptions) {
    this.#options = options;
    this.#logFile = join(temporaryFolder(), 'output.log');
    this.#log = openSync(this.#logFile, 'a');
    ftruncateSync(this.#log);
    this.#child = launch({
      command: options.command,
      env: { NODE_ENV: 'production', ...process.env, ...options.env, PORT: String(options.ports.offered) },
      stdio: ['ignore', this.#log, this.#log],
    });
    // Told by `isOver`: there is no process, and the output is empty.
    this.#child.once('error', () => undefined);
  }

  tree(): ProcessEntry[] {
    return this.#child.pid === undefined ? [] : treeOf([this.#child.pid]);
  }

  /** The process ended, whatever the reason. Descendants may still live. */
  isOver(): boolean {
    return this.#child.pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Waits until it listens. Throws a `CommandError` with the last of its output when it does not. */
  async listening(pollMs = PROC_POLL_MS): Promise<Origin> {
    const {
      timeoutMs,
      ports: { expected: port, others },
    } = this.#options;
    const start = performance.now();
    let otherSince: number | undefined;
    while (performance.now() - start < timeoutMs) {
      const tree = this.tree();
      if (this.isOver() && tree.length === 0) throw this.failure(`ended before it listened (${this.#end()})`);
      const found = listenersOf(tree.map(({ pid }) => pid));
      const wanted = found.find((listener) => listener.port === port);
      if (wanted !== undefined) return toOrigin(wanted);
      otherSince ??= found.length === 0 ? undefined : performance.now();
      const graceMs = others === 'at once' ? 0 : OTHER_PORT_GRACE_MS;
      const isPatient = otherSince === undefined || performance.now() - otherSince < graceMs;
      if (others !== 'never' && found.length > 0 && !isPatient) return toOrigin(this.#theOne(found));
      await sleep(pollMs);
    }
    throw this.failure(`did not listen on a TCP port${others === 'never' ? ` ${port}` : ''} within ${timeoutMs / 1_000} s`);
  }

  #theOne(found: readonly Listener[]): Listener {
    const ports = [...new Set(found.map(({ port }) => port))];
    const [only] = found;
    if (ports.length === 1 && only !== undefined) return only;
    throw this.failure(`listens on several ports (${ports.join(', ')}); name one with --port`);
  }

  #end(): string {
    const { exitCode, signalCode } = this.#child;
    return signalCode === null ? `exit code ${exitCode ?? 'unknown'}` : signalCode;
  }

  failure(what: string): CommandError {
    const lines = this.#lastLines();
    const output = lines.length === 0 ? 'It printed nothing.' : `Its last output:\n${lines.map((line) => `  ${line}`).join('\n')}`;
    return new CommandError('FULMAR_CLI_BENCH_START', `the application under ${this.#options.title} ${what}. ${output}`);
  }

  #lastLines(): string[] {
    const text = readFileSync(this.#logFile, 'utf8').trimEnd();
    return text === '' ? [] : text.split('\n').slice(-OUTPUT_LINES);
  }

  /** An application that logs each request would fill the disk. */
  trimOutput(): void {
    if (fstatSync(this.#log).size > OUTPUT_BYTES_MAX) ftruncateSync(this.#log);
  }

  async stop(): Promise<void> {
    await endTree(this.#child);
    closeSync(this.#log);
  }
}

function toOrigin({ host, port }: Listener): Origin {
  return `http://${host}:${port}`;
}
