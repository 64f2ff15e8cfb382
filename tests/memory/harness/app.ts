/**
 * Starts one of the targeted applications (`app/<name>.ts`) in a process of its own and talks to it: what it
 * finds it prints as JSON lines.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const PATIENCE_MS = 60_000;

export class App {
  readonly port: number;
  readonly #child: ChildProcess;
  readonly #output: () => string;

  constructor(port: number, child: ChildProcess, output: () => string) {
    this.port = port;
    this.#child = child;
    this.#output = output;
  }

  /** Sends `text` over one connection and resolves with all that comes back until it ends. */
  async talk(text: string): Promise<string> {
    const socket = net.connect({ port: this.port, host: '127.0.0.1', noDelay: true });
    let reply = '';
    socket.on('data', (bytes: Buffer) => (reply += bytes.toString('latin1')));
    socket.on('error', () => undefined);
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    socket.write(text, 'latin1');
    return new Promise((resolve) => socket.once('close', () => resolve(reply)));
  }

  /** The content of the reply to `GET path`, as JSON; throws when the process is gone. */
  async ask<Answer>(path: string): Promise<Answer> {
    const reply = await this.talk(`GET ${path} HTTP/1.1\r\nHost: memory.test\r\nConnection: close\r\n\r\n`);
    const at = reply.indexOf('\r\n\r\n');
    if (at < 0) throw new Error(`no answer to ${path}; code ${this.#child.exitCode}, signal ${this.#child.signalCode}: ${this.#output()}`);
    return JSON.parse(reply.slice(at + 4)) as Answer;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'close');
    this.#child.kill('SIGKILL');
    await ended;
  }
}

export async function startApp(name: string): Promise<App> {
  const node = process.env['FULMAR_TEST_NODE'] ?? process.execPath;
  const env = { ...process.env };
  delete env['NODE_TEST_CONTEXT'];
  const args = ['--expose-gc', '--import', file('../../../scripts/ts-register.mjs'), file(`../app/${name}.ts`)];
  const child = spawn(node, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stderr.on('data', (bytes: Buffer) => (output += String(bytes)));
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (bytes: Buffer) => {
      output += String(bytes);
      const found = /PORT (\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('close', () => reject(new Error(`${name} did not start: ${output}`)));
  });
  return new App(port, child, () => output);
}
