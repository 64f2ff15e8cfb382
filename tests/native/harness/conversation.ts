/**
 * A child that is asked one question after the other: questions over a local connection, answers as marked
 * lines on its stdout. A child that ends, or does not answer in time, costs the question its answer; the next
 * one starts it anew.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import process from 'node:process';
import type { Command } from './host.ts';
import { MARK } from './mark.ts';

/** Longer than anything that a question asks for takes on a busy machine. */
const ANSWER_MAX_MS = 30_000;
const ERRORS_MAX = 4_000;

export interface ConversationOptions {
  readonly host: Command;
  readonly cwd: string;
  /** Gives the file to run, in which the child is told the port to ask at. */
  readonly file: (port: number) => string;
}

/** What came: the child's answer, or why there is none. */
export type Answer = { readonly answer: unknown } | { readonly lost: string };

export class Conversation {
  readonly #options: ConversationOptions;
  #server: Server | undefined;
  #socket: Socket | undefined;
  #child: ChildProcess | undefined;
  #errors = '';
  #give: ((answer: Answer) => void) | undefined;
  /** Why the child cannot even begin. */
  #broken: string | undefined;

  constructor(options: ConversationOptions) {
    this.#options = options;
  }

  /** One question at a time. */
  async ask(question: unknown): Promise<Answer> {
    if (this.#broken !== undefined) return { lost: this.#broken };
    const failure = this.#socket === undefined ? await this.#start() : undefined;
    if (failure !== undefined) return { lost: (this.#broken = failure) };
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#child?.kill('SIGKILL'), ANSWER_MAX_MS);
      this.#give = (answer) => {
        clearTimeout(timer);
        this.#give = undefined;
        resolve(answer);
      };
      this.#socket?.write(`${JSON.stringify(question)}\n`);
    });
  }

  /**
   * Also done when this process ends; nothing of a conversation keeps it alive while no answer is waited for.
   */
  close(): void {
    this.#child?.kill('SIGKILL');
    this.#socket?.destroy();
    this.#server?.close();
    this.#server = undefined;
  }

  /** Starts a child and waits until it has connected; why it did not, otherwise. */
  async #start(): Promise<string | undefined> {
    const server = await this.#listen();
    const port = (server.address() as AddressInfo).port;
    const { host, cwd, file } = this.#options;
    this.#errors = '';
    const child = spawn(host.command, [...host.args, file(port)], { cwd, env: host.env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    child.unref();
    this.#read(child);
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code, signal) => resolve(`${signal ?? `code ${String(code)}`}: ${this.#errors.trim()}`));
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), ANSWER_MAX_MS);
    const first = await Promise.race([once(server, 'connection'), ended]);
    clearTimeout(timer);
    if (typeof first === 'string') return `the child cannot begin: ${first}`;
    const socket = first[0] as Socket;
    this.#socket = socket
      .unref()
      .setNoDelay(true)
      .on('error', () => socket.destroy());
    void ended.then((how) => {
      this.#socket = undefined;
      socket.destroy();
      this.#give?.({ lost: `the child ended with ${how}` });
    });
    return undefined;
  }

  async #listen(): Promise<Server> {
    if (this.#server !== undefined) return this.#server;
    const server = createServer().listen(0, '127.0.0.1').unref();
    this.#server = server;
    process.once('exit', () => this.close());
    await once(server, 'listening');
    return server;
  }

  #read(child: ChildProcess): void {
    let rest = '';
    for (const pipe of [child.stdout, child.stderr]) (pipe as Socket | null)?.unref();
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith(MARK)) this.#give?.({ answer: JSON.parse(line.slice(MARK.length)) as unknown });
      }
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-ERRORS_MAX);
    });
  }
}
