/** `fulmar dev` as a user starts it: a real process, real files, requests on connections that stay. */
import assert from 'node:assert/strict';
import { rmSync, symlinkSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { dirname, join, resolve } from 'node:path';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { addFile, type Files, freePort, type Running, start, writeProject } from '../cli/support.ts';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');
/** What a change may take until it is answered with, on a machine that is busy. */
const PATIENCE_MS = 10_000;
const POLL_MS = 5;

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The client's end of the connection: the same number is the same connection. */
  readonly localPort: number;
}

export interface Dev extends Omit<Running, 'port'> {
  readonly folder: string;
  readonly port: number;
  write(name: string, text: string): void;
  remove(name: string): void;
  get(path: string, headers?: Record<string, string>): Promise<Reply>;
  /** Asks until the text of the reply matches; resolves to that reply. */
  until(path: string, expected: RegExp | string): Promise<Reply>;
  /** Ends it by a signal; fails unless it ends cleanly. */
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface DevOptions {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** Packages of this repository are installed there. */
  readonly packages?: boolean;
  /** False: it is broken from the start. */
  readonly listens?: boolean;
}

export async function startDev(
  t: TestContext,
  files: Files,
  { args = [], env = {}, packages = false, listens = true }: DevOptions = {},
): Promise<Dev> {
  const folder = writeProject(files);
  if (packages) symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const port = await freePort();
  const running = start(folder, ['dev', '--port', String(port), ...args], { env, patienceMs: 60_000 });
  t.after(async () => {
    running.kill('SIGKILL');
    await running.ended;
    agent.destroy();
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get: Dev['get'] = (path, headers = {}) =>
    new Promise((done, failed) => {
      const sent = request({ host: '127.0.0.1', port, path, headers, agent }, (res) => {
        const localPort = res.socket.localPort ?? 0;
        let text = '';
        res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        res.once('end', () => done({ status: res.statusCode ?? 0, headers: res.headers, text, localPort })).once('error', failed);
      });
      sent.once('error', failed).end();
    });
  const until: Dev['until'] = async (path, expected) => {
    const endAt = performance.now() + PATIENCE_MS;
    let last: Reply | undefined;
    for (;;) {
      last = await get(path);
      if (typeof expected === 'string' ? last.text === expected : expected.test(last.text)) return last;
      if (performance.now() > endAt) assert.fail(`${path} never answered ${String(expected)}, the last was ${last.status} ${last.text}`);
      await new Promise((resume) => void setTimeout(resume, POLL_MS));
    }
  };
  if (listens) await running.seen(/listening on http/);
  return {
    ...running,
    folder,
    port,
    write: (name, text) => addFile(folder, name, text),
    remove: (name) => rmSync(join(folder, name), { recursive: true }),
    get,
    until,
    async stop(signal = 'SIGTERM') {
      running.kill(signal);
      const { code, signal: killed, stderr } = await running.ended;
      assert.deepEqual({ code, killed }, { code: 0, killed: null }, stderr);
    },
  };
}
