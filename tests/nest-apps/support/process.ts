/** Starts an application as a process on a free port, and ends it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const START_MS_MAX = 60_000;
const STOP_MS_MAX = 20_000;

export interface Started {
  readonly url: string;
  printed(): string;
  /** By SIGTERM; resolves when it has ended. */
  stop(): Promise<void>;
}

/** Resolves when it prints `listening on …:<port>`. Rejects with what it printed, if it ends before. */
export async function start(program: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Started> {
  const { NODE_TEST_CONTEXT: _context, NODE_OPTIONS: _options, ...rest } = process.env;
  const child = spawn(program, words, {
    env: { ...rest, PORT: '0', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  const ended = once(child, 'close');
  const port = new Promise<string>((resolve) => {
    const look = (chunk: Buffer): void => {
      text += chunk.toString();
      const found = /^listening on .*?:(\d+)$/m.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
  });
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS_MAX);
  const first = await Promise.race([port, ended.then(() => undefined)]);
  clearTimeout(late);
  if (first === undefined) throw new Error(`the application did not listen; it printed:\n${text}`);
  return {
    url: `http://localhost:${first}`,
    printed: () => text,
    async stop() {
      const never = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
      child.kill('SIGTERM');
      await ended;
      clearTimeout(never);
    },
  };
}
