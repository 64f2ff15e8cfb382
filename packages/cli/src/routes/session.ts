/**
 * The application as processes with a probe in each: started with `fulmar run`, read, ended. Leads a process group
 * of its own, so that whatever it starts ends with it; it never listens.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTemporaryFolder } from '../temporary.ts';
import { BLOCKED_MS, POLL_MS, STOP_GRACE_MS } from './limits.ts';
import { lastOutput, OUTPUT_CHARS_MAX, signalGroup } from '../probed.ts';
import type { ProbeReport } from './report-types.ts';

export interface SessionOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly envFiles: readonly string[];
  readonly binFile: string;
  readonly dist: string;
  readonly timeoutMs: number;
  readonly openapi: boolean;
}

/** What the probe is told, in the variable `FULMAR_ROUTES`. */
export interface RoutesRequest {
  readonly folder: string;
  readonly dist: string;
  readonly timeoutMs: number;
  readonly openapi: boolean;
}

/** Exit codes of shells: 128 + the number of the signal. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export class Session {
  readonly #options: SessionOptions;
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #output = '';
  #isClosed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#folder = makeTemporaryFolder('routes');
    process.once('exit', this.#cleanUp);
    for (const [signal, code] of Object.entries(signalCodes)) process.once(signal, () => process.exit(code));
  }

  /** The first report of a process that has come so far; `undefined` when none came. */
  async report(): Promise<ProbeReport | undefined> {
    const begin = performance.now();
    this.#launch();
    while (performance.now() - begin < this.#options.timeoutMs + BLOCKED_MS) {
      // Looked at before the files are: what it wrote at its end is there then.
      const isOver = this.#isClosed;
      const reports = this.#reports();
      // A primary says at most that it waits for its workers.
      const best = reports.find(({ occasion }) => occasion === 'listening') ?? (isOver ? reports[0] : undefined);
      if (best !== undefined || isOver) return best;
      const timedOut = reports.find(({ occasion }) => occasion === 'timeout');
      if (timedOut !== undefined) return timedOut;
      await sleep(POLL_MS);
    }
    return undefined;
  }

  /** For the end of an error's message. */
  lastOutput(): string {
    return lastOutput(this.#output);
  }

  async stop(): Promise<void> {
    signalGroup(this.#child?.pid, 'SIGTERM');
    const begin = performance.now();
    while (!this.#isClosed && performance.now() - begin < STOP_GRACE_MS) await sleep(POLL_MS);
    this.#cleanUp();
    process.off('exit', this.#cleanUp);
  }

  readonly #cleanUp = (): void => {
    signalGroup(this.#child?.pid, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  };

  #reports(): ProbeReport[] {
    const files = readdirSync(this.#folder).filter((name) => name.endsWith('.json'));
    return files.map((name) => JSON.parse(readFileSync(join(this.#folder, name), 'utf8')) as ProbeReport);
  }

  #launch(): void {
    const { binFile, dist, file, args, envFiles, timeoutMs, openapi } = this.#options;
    const request: RoutesRequest = { folder: this.#folder, dist, timeoutMs, openapi };
    const environment = envFiles.flatMap((name) => ['--env-file', name]);
    const argv = ['--require', join(dist, 'routes-probe.cjs'), binFile, 'run', ...environment, '--', file, ...args];
    const env = { ...process.env, FULMAR_ROUTES: JSON.stringify(request) };
    this.#child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
    const end = (): void => void (this.#isClosed = true);
    // A descendant may hold the output open: the end of the process is what counts.
    this.#child.once('error', end).once('exit', () => setImmediate(end));
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => void (this.#output = (this.#output + text).slice(-OUTPUT_CHARS_MAX)));
    }
  }
}
