/** An application of a project that is running: it tells where it listens, is asked, and ends when it is told to. */
import { spawn } from 'node:child_process';
import { plainEnv } from './project.ts';

const START_MS_MAX = 60_000;
const STOP_MS_MAX = 15_000;

export interface Reply {
  readonly status: number;
  readonly text: string;
}

export interface Application {
  /** Where it says that it listens. */
  readonly url: string;
  ask(path: string, body?: unknown, method?: string): Promise<Reply>;
  /** SIGTERM; resolves to its exit code or signal, and all that it has printed. */
  stop(): Promise<{ readonly code: number | string | null; readonly output: string }>;
}

/** Starts what listens on `PORT` and prints its address. */
export async function startApplication(
  command: string,
  args: readonly string[],
  cwd: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Application> {
  const child = spawn(command, args, { cwd, env: plainEnv({ PORT: '0', ...more }), stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const ended = new Promise<number | string | null>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => resolve(code ?? signal));
  });
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => child.kill('SIGKILL'), START_MS_MAX);
    const look = (text: string): void => {
      output += text;
      const found = /(?:listening|serving .+) on ([^\s;]+)/.exec(output)?.[1];
      if (found === undefined) return;
      clearTimeout(late);
      resolve(found);
    };
    child.stdout.setEncoding('utf8').on('data', look);
    child.stderr.setEncoding('utf8').on('data', look);
    ended.then(
      (code) => {
        clearTimeout(late);
        reject(new Error(`it ended with ${code} before it listened:\n${output}`));
      },
      (error: unknown) => reject(error as Error),
    );
  });
  return {
    url,
    async ask(path, body, method = body === undefined ? 'GET' : 'POST') {
      const headers = { 'Content-Type': 'application/json' };
      const reply = await fetch(url + path, body === undefined ? { method } : { method, headers, body: JSON.stringify(body) });
      return { status: reply.status, text: await reply.text() };
    },
    async stop() {
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
      child.kill('SIGTERM');
      const code = await ended;
      clearTimeout(late);
      return { code, output };
    },
  };
}
