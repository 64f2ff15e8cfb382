/**
 * A fixture in a process of its own, for what concerns the life of a process: memory, descriptors, signals,
 * exit.
 *
 * A fixture says `{ port }` when it listens and answers `'stats'` with `ChildStats`.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface ChildOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** `ulimit -n` of the process. */
  readonly descriptors?: number;
  readonly execArgv?: readonly string[];
  /** Arguments of `fulmar run`: the fixture is an application there, and prints `PORT n` when it listens. */
  readonly run?: readonly string[];
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

const REGISTER = fileURLToPath(new URL('../../../scripts/ts-register.mjs', import.meta.url));
const FULMAR = fileURLToPath(new URL('../../../packages/fulmar/bin/fulmar.cjs', import.meta.url));
const READY_DEADLINE_MS = 15_000;
const EXIT_DEADLINE_MS = 40_000;

export class Child {
  readonly process: ChildProcess;
  readonly exited: Promise<Exit>;
  readonly messages: Record<string, unknown>[] = [];
  port = 0;
  output = '';
  #wake: () => void = () => {};

  constructor(fixture: string, options: ChildOptions) {
    const file = fileURLToPath(new URL(`../fixtures/${fixture}`, import.meta.url));
    const args = options.run ? [FULMAR, 'run', ...options.run, file] : ['--import', REGISTER, ...(options.execArgv ?? []), file];
    const limit = options.descriptors ? `ulimit -n ${options.descriptors}; ` : '';
    this.process = spawn('/bin/sh', ['-c', `${limit}exec "$0" "$@"`, process.execPath, ...args], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { ...process.env, ...options.env },
    });
    for (const stream of [this.process.stdout, this.process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString();
        this.#wake();
      });
    }
    this.process.on('message', (message: Record<string, unknown>) => {
      if (typeof message['port'] === 'number') this.port = message['port'];
      this.messages.push(message);
      this.#wake();
    });
    this.exited = new Promise((resolve) => {
      this.process.once('exit', (code, signal) => {
        resolve({ code, signal });
        this.#wake();
      });
    });
  }

  /** The next message that has `key`. */
  async message(key: string, deadlineMs = READY_DEADLINE_MS): Promise<Record<string, unknown>> {
    const deadline = performance.now() + deadlineMs;
    for (;;) {
      const at = this.messages.findIndex((message) => key in message);
      if (at >= 0) return this.messages.splice(at, 1)[0] ?? {};
      const left = deadline - performance.now();
      const { exitCode, signalCode } = this.process;
      if (left <= 0 || exitCode !== null || signalCode !== null) {
        throw new Error(`no message with ${key} (exit ${exitCode ?? signalCode}): ${this.output}`);
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async ask<T>(question: string): Promise<T> {
    this.process.send(question);
    return (await this.message(question))[question] as T;
  }

  /** Resident memory in bytes, after a collection where the fixture can. */
  rss(): number {
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  }

  descriptors(): number {
    return readdirSync(`/proc/${this.process.pid}/fd`).length;
  }

  /** CPU time so far in ms. */
  cpu(): number {
    const stat = readFileSync(`/proc/${this.process.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticksPerSecond = 100;
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond;
  }

  get alive(): boolean {
    return this.process.exitCode === null && this.process.signalCode === null;
  }

  async exit(deadlineMs = EXIT_DEADLINE_MS): Promise<Exit> {
    const timer = setTimeout(() => this.process.kill('SIGKILL'), deadlineMs);
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }

  async stop(): Promise<void> {
    if (this.alive) this.process.kill('SIGKILL');
    await this.exited;
  }
}

/** Starts `fixture` under `fulmar run` and waits until it says that it listens. */
export async function runChild(fixture: string, run: readonly string[]): Promise<Child> {
  const child = new Child(fixture, { run });
  const deadline = performance.now() + READY_DEADLINE_MS;
  for (;;) {
    const port = /PORT (\d+)/.exec(child.output)?.[1];
    if (port !== undefined) {
      child.port = Number(port);
      return child;
    }
    if (performance.now() > deadline || !child.alive) {
      await child.stop();
      throw new Error(`the application does not listen: ${child.output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Starts `fixture` and waits until it listens. */
export async function startChild(fixture: string, options: ChildOptions = {}): Promise<Child> {
  const child = new Child(fixture, options);
  try {
    await child.message('port');
  } catch (error) {
    await child.stop();
    throw error;
  }
  return child;
}
