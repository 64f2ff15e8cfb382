/**
 * The application under examination as processes with a probe in each: started with `fulmar run`, asked,
 * stopped.
 *
 * Leads a process group of its own, so that whatever it starts ends with it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from '../errors.ts';
import { IMPORT_LOG_VARIABLE } from '../../../fulmar/src/launch/modules/import-log.ts';
import { FACTS_TIMEOUT_MS, MS_PER_S, POLL_MS, SETTLE_MS, STOP_GRACE_MS } from './limits.ts';
import { lastOutput, OUTPUT_CHARS_MAX, signalGroup } from '../probed.ts';
import type { FromProbe, ProcessFacts, ToProbe } from './protocol-types.ts';
import { makeTemporaryFolder } from '../temporary.ts';

export interface SessionOptions {
  readonly file: string;
  readonly args: readonly string[];
  readonly envFiles: readonly string[];
  readonly binFile: string;
  readonly probeFile: string;
  readonly port: number;
  readonly timeoutMs: number;
}

/** Tells probes the socket of the command; inherited by processes that the application forks. */
export const DOCTOR_VARIABLE = 'FULMAR_DOCTOR_SOCKET';

/** A probe that has said hello. */
interface Peer {
  readonly socket: Socket;
  isListening: boolean;
  waiting: ((facts: ProcessFacts) => void) | undefined;
}

/** Exit codes of shells: 128 + the number of the signal. */
const signalCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export class Session {
  readonly #options: SessionOptions;
  readonly #folder: string;
  readonly #peers = new Set<Peer>();
  #server: Server | undefined;
  #child: ChildProcess | undefined;
  #output = '';
  #failure: Error | undefined;
  #newsAt = 0;
  #isOutputClosed = false;
  startMs = 0;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#folder = makeTemporaryFolder('doctor');
    process.once('exit', this.#cleanUp);
    for (const [signal, code] of Object.entries(signalCodes)) process.once(signal, () => process.exit(code));
  }

  get #socketPath(): string {
    return process.platform === 'win32' ? `\\\\.\\pipe\\fulmar-doctor-${process.pid}` : join(this.#folder, 'probe.sock');
  }

  get #importFile(): string {
    return join(this.#folder, 'imports.jsonl');
  }

  /**
   * Starts the application and waits until its servers listen. Throws a `CommandError` with its last output
   * when it does not.
   */
  async start(): Promise<void> {
    await this.#openSocket();
    const begin = performance.now();
    this.#launch();
    const { timeoutMs } = this.#options;
    while (!this.#isListening()) {
      if (this.isOver()) throw await this.ended('ended before it listened');
      if (performance.now() - begin > timeoutMs) throw this.failure(`did not listen within ${timeoutMs / MS_PER_S} s and still runs`);
      await sleep(POLL_MS);
    }
    this.startMs = performance.now() - begin;
    // More servers, workers and routes may follow: each piece of news begins the wait anew.
    while (performance.now() - this.#newsAt < SETTLE_MS && performance.now() - begin < timeoutMs && !this.isOver()) await sleep(POLL_MS);
    if (this.isOver()) throw await this.ended('listened and then ended');
  }

  /** The facts of every process that answers. */
  async facts(): Promise<ProcessFacts[]> {
    const answers = await Promise.all([...this.#peers].map((peer) => this.#ask(peer)));
    return answers.filter((facts) => facts !== undefined);
  }

  /** From now on handlers are watched. */
  async watch(): Promise<void> {
    for (const peer of this.#peers) tell(peer, { type: 'watch' });
    // Messages keep their order: whoever answers now has done what it was told.
    await this.facts();
  }

  /** Lines of JSON that the import hooks wrote. */
  importLog(): string {
    try {
      return readFileSync(this.#importFile, 'utf8');
    } catch {
      return '';
    }
  }

  isOver(): boolean {
    return this.#failure !== undefined || this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** A connection broke: the end of its process is seen a little later. */
  async mayBeOver(): Promise<void> {
    const begin = performance.now();
    while (!this.isOver() && performance.now() - begin < SETTLE_MS) await sleep(POLL_MS);
  }

  /** The error that tells of the end, with all that was printed until then. */
  async ended(what: string): Promise<CommandError> {
    await this.#outputClosed();
    return this.failure(`${what} (${this.#end()})`);
  }

  /** How it ended, for a sentence of its own. */
  async ending(): Promise<string> {
    await this.#outputClosed();
    const lines = this.#output.split('\n').map((line) => line.trim());
    const last = lines.findLast((line) => /^(?:\w*Error\b|fulmar: )/.test(line)) ?? lines.findLast((line) => line !== '');
    return `It ended with ${this.#end()}${last === undefined ? '' : `: ${last}`}`;
  }

  failure(what: string): CommandError {
    return new CommandError('FULMAR_CLI_DOCTOR_START', `the application ${what}. ${lastOutput(this.#output)}`);
  }

  async stop(): Promise<void> {
    signalGroup(this.#child?.pid, 'SIGTERM');
    const begin = performance.now();
    while (!this.isOver() && performance.now() - begin < STOP_GRACE_MS) await sleep(POLL_MS);
    this.#cleanUp();
    for (const { socket } of this.#peers) socket.destroy();
    this.#server?.close();
    process.off('exit', this.#cleanUp);
  }

  readonly #cleanUp = (): void => {
    signalGroup(this.#child?.pid, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  };

  #launch(): void {
    const { binFile, probeFile, file, args, envFiles, port } = this.#options;
    const environment = envFiles.flatMap((name) => ['--env-file', name]);
    const argv = ['--require', probeFile, binFile, 'run', ...environment, '--', file, ...args];
    const env = {
      NODE_ENV: 'production',
      PORT: String(port),
      ...process.env,
      [DOCTOR_VARIABLE]: this.#socketPath,
      [IMPORT_LOG_VARIABLE]: this.#importFile,
    };
    this.#child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'pipe'], detached: process.platform !== 'win32' });
    this.#child.once('error', (error) => void (this.#failure = error)).once('close', () => void (this.#isOutputClosed = true));
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => void (this.#output = (this.#output + text).slice(-OUTPUT_CHARS_MAX)));
    }
  }

  #openSocket(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server = createServer((socket) => this.#welcome(socket));
      this.#server.once('error', reject).listen(this.#socketPath, resolve);
    });
  }

  #welcome(socket: Socket): void {
    const peer: Peer = { socket, isListening: false, waiting: undefined };
    let rest = '';
    this.#peers.add(peer);
    this.#newsAt = performance.now();
    socket.on('error', () => undefined).once('close', () => this.#peers.delete(peer));
    socket.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.#hear(peer, JSON.parse(line) as FromProbe);
    });
  }

  #hear(peer: Peer, message: FromProbe): void {
    if (message.type === 'facts') {
      peer.waiting?.(message.facts);
      return;
    }
    this.#newsAt = performance.now();
    if (message.type === 'listening') peer.isListening = true;
  }

  /** A descendant may hold the output open: then it is not waited for. */
  async #outputClosed(): Promise<void> {
    const begin = performance.now();
    while (!this.#isOutputClosed && performance.now() - begin < STOP_GRACE_MS) await sleep(POLL_MS);
  }

  #isListening(): boolean {
    return [...this.#peers].some((peer) => peer.isListening);
  }

  async #ask(peer: Peer): Promise<ProcessFacts | undefined> {
    const patience = new AbortController();
    const answer = new Promise<ProcessFacts>((resolve) => void (peer.waiting = resolve));
    let end = (): void => undefined;
    const gone = new Promise<undefined>((resolve) => (end = () => resolve(undefined)));
    peer.socket.once('close', end);
    tell(peer, { type: 'facts' });
    const late = sleep(FACTS_TIMEOUT_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    const first = await Promise.race([answer, gone, late]);
    patience.abort();
    peer.socket.off('close', end);
    return first;
  }

  #end(): string {
    if (this.#failure !== undefined) return this.#failure.message;
    const { exitCode, signalCode } = this.#child ?? {};
    return signalCode == null ? `exit code ${exitCode ?? 'unknown'}` : signalCode;
  }
}

function tell({ socket }: Peer, message: ToProbe): void {
  socket.write(`${JSON.stringify(message)}\n`);
}
